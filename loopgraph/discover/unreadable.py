"""Files that should say something about a project and cannot be read, with the wrong line."""

from __future__ import annotations

import re
from typing import Final

from loopgraph.discover import config
from loopgraph.discover.tree import Tree, base
from loopgraph.model.facts import Found

_READ: Final = {
    "package.json": "json",
    "composer.json": "json",
    "deno.json": "jsonc",
    "deno.jsonc": "jsonc",
    "pyproject.toml": "toml",
    "Cargo.toml": "toml",
    "tox.toml": "toml",
    "hatch.toml": "toml",
}
"""Name of a manifest to how it is written."""
_NOT_OURS = re.compile(r"(^|/)(node_modules|vendor|tests?|__tests__|fixtures?|testdata|examples?)/")
"""Where a broken file may be there to be broken."""
_DEPTH: Final = 2
CAP: Final = 8


def find(tree: Tree) -> tuple[Found, ...]:
    """One row a file: what is wrong, and where; line 0 where the whole file is meant."""
    files = sorted(
        (path for path in tree.shallow(_DEPTH) if base(path) in _READ), key=lambda p: p.count("/")
    )
    wrong = (_wrong(tree, path) for path in files if not _NOT_OURS.search(path))
    return tuple(fact for fact in wrong if fact)[:CAP]


def _wrong(tree: Tree, path: str) -> Found | None:
    text = tree.read(path)
    if text is None:
        return Found("cannot be read: no regular file of UTF-8 text below 1 MiB", path, 0)
    if not text.strip():
        return None  # a file that is empty says nothing, and says it well
    line = config.broken(text, _READ[base(path)])
    return None if line is None else Found("cannot be read", path, line)
