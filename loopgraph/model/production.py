"""Production lines: which files' lines count as net lines of a round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from loopgraph.plain import globs
from loopgraph.plain.places import FOLDER

# Compiled where they are first asked: a command that only reads counts no lines.
TEST_FOLDER: Final = (
    r"(^|/)(([\w.]+[_-])*tests?(-d)?|tests?[_-][\w-]+|__tests__|specs?|testing|e2e)(/|$)"
)
TEST_FILE: Final = (
    r"(test_.*|.*_test|conftest)\.(py|go|rb|exs|dart|c|cc|cpp)"
    r"|.*\.(test|spec|test-d)\.[cm]?[jt]sx?|.*(Test|Tests|Spec)\.(java|kt|scala|cs|php)"
    r"|.*_spec\.rb"
)
_LOCKS: Final = frozenset(
    {
        "bun.lock", "bun.lockb", "cargo.lock", "composer.lock", "flake.lock", "gemfile.lock",
        "go.sum", "gradle.lockfile", "mix.lock", "npm-shrinkwrap.json", "package-lock.json",
        "package.resolved", "packages.lock.json", "pdm.lock", "pipfile.lock", "pnpm-lock.yaml",
        "podfile.lock", "poetry.lock", "pubspec.lock", "pylock.toml", "uv.lock", "yarn.lock",
        ".terraform.lock.hcl",
    }
)  # fmt: skip
_DOCS_FOLDER: Final = r"(^|/)(docs?|documentation|man|changelogs?)(/|$)"
_DOCS_FILE: Final = (
    r".*\.(md|markdown|mdx|rst|adoc|asciidoc|txt|org|tex|po|pot)"
    r"|(readme|licen[cs]e|copying|notice|authors|contributors|changelog|changes|news|codeowners)"
    r"(\..*)?"
)
_NO_DOCS: Final = r"requirements.*\.txt|constraints.*\.txt|cmakelists\.txt|robots\.txt"
"""Texts by their ending that a program reads."""
_MADE_FOLDER: Final = (
    r"(^|/)_?(vendor|vendored|third_party|generated|__generated__|__snapshots__|node_modules|dist"
    r"|__pycache__|\.venv|site-packages)(/|$)"
)
_MADE_FILE: Final = (
    r".*(\.min\.(js|css)|\.map|_pb2(_grpc)?\.pyi?|\.pb\.(go|cc|h)|\.g\.(dart|cs)|\.designer\.cs"
    r"|\.generated\..*|[._]gen\.(go|rs|ts)|\.snap|\.pyc)"
)


def is_test(path: str) -> bool:
    """Whether a file is a test or lies among tests."""
    folder, _, name = path.rpartition("/")
    return bool(re.search(TEST_FOLDER, folder) or re.fullmatch(TEST_FILE, name))


def counts(path: str, wanted: Sequence[str] = ()) -> bool:
    """Whether a file's lines are production lines: by the run's own globs, else by the rule.

    The rule: everything but `.longgraph/`, tests, lock files, docs and generated files. A glob
    that begins with `!` takes out what those before it took in.
    """
    if path == FOLDER or path.startswith(f"{FOLDER}/"):
        return False
    if wanted:
        return _by_globs(path, wanted)
    folder, _, name = path.rpartition("/")
    if name.casefold() in _LOCKS or is_test(path):
        return False
    if re.search(_MADE_FOLDER, folder) or re.fullmatch(_MADE_FILE, name, re.IGNORECASE):
        return False
    if re.fullmatch(_NO_DOCS, name.casefold()):
        return True
    docs = re.search(_DOCS_FOLDER, folder, re.IGNORECASE)
    return not (docs or re.fullmatch(_DOCS_FILE, name, re.IGNORECASE))


def _by_globs(path: str, wanted: Sequence[str]) -> bool:
    taken = wanted[0].startswith("!")
    for glob in wanted:
        if globs.matches(path, glob.removeprefix("!")):
            taken = not glob.startswith("!")
    return taken
