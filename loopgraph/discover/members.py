"""Members: the parts that a monorepo's own workspace file declares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from loopgraph.discover import config
from loopgraph.discover.tree import Tree, base
from loopgraph.model.facts import Found


class _Declared(NamedTuple):
    """A pattern of folders, and where it stands."""

    pattern: str
    line: int


class _Workspace(NamedTuple):
    """A file that declares members."""

    file: str
    marks: tuple[str, ...]
    """A member holds one of these; empty where any file will do."""
    read: Callable[[str], Iterable[_Declared]]


CAP: Final = 40
_PATTERN_CAP: Final = 2_000


def find(tree: Tree) -> tuple[tuple[Found, ...], int]:
    """The first members by path, and how many there are."""
    found: dict[str, Found] = {}
    folders: dict[tuple[str, ...], list[str]] = {}
    for workspace in _WORKSPACES:
        text = tree.text(workspace.file)
        if not text:
            continue
        declared = [each for each in islice(workspace.read(text), _PATTERN_CAP) if _fair(each)]
        if workspace.marks not in folders:
            folders[workspace.marks] = _folders(tree, workspace.marks)
        for folder, line in _matching(folders[workspace.marks], declared):
            found.setdefault(folder, Found(folder, workspace.file, max(line, 1)))
    return tuple(found[folder] for folder in sorted(found)[:CAP]), len(found)


def _folders(tree: Tree, marks: Sequence[str]) -> list[str]:
    return sorted(
        folder
        for folder, files in tree.folders.items()
        if folder != "." and any(base(path) in marks for path in files)
    )


def _matching(folders: Sequence[str], declared: Sequence[_Declared]) -> Iterator[tuple[str, int]]:
    """Each folder that the patterns name, with the line of the first; `!` takes folders out."""
    out = [_shape(each.pattern[1:]) for each in declared if each.pattern.startswith("!")]
    plain = {
        _clean(each.pattern): each.line
        for each in reversed(declared)
        if not re.search(r"[*?!{]", each.pattern)
    }
    shapes = [
        (_shape(each.pattern), each.line)
        for each in declared
        if re.search(r"[*?{]", each.pattern) and not each.pattern.startswith("!")
    ]
    for folder in folders:
        line = plain.get(folder)
        if line is None:
            line = next((line for shape, line in shapes if shape.fullmatch(folder)), None)
        if line is not None and not any(shape.fullmatch(folder) for shape in out):
            yield folder, line


def _fair(declared: _Declared) -> bool:
    """Whether a pattern is one that a person wrote: an endless one must not cost more to match."""
    return len(declared.pattern) <= _LONG and declared.pattern.count("*") <= _STARS


_LONG: Final = 200
_STARS: Final = 6


def _clean(pattern: str) -> str:
    return pattern.strip().removeprefix("./").rstrip("/")


@lru_cache(maxsize=256)
def _shape(pattern: str) -> re.Pattern[str]:
    """A glob over folders as a pattern: `*` is one word, `**` any number of them."""
    words = []
    for word in _clean(pattern).split("/")[:_WORD_CAP]:
        if word == "**":
            words.append(r"(?:[^/]+/)*")
        else:
            stars = re.sub(r"\*+", "*", word)
            words.append(re.escape(stars).replace(r"\*", "[^/]*").replace(r"\?", "[^/]") + "/")
    text = re.sub(r"(\(\?:\[\^/\]\+/\)\*)+", lambda found: found[1], "".join(words))
    if text.endswith("/"):
        return re.compile(text[:-1])
    return re.compile(f"{text[: -len('(?:[^/]+/)*')]}(?:[^/]+/)*[^/]+")


_WORD_CAP: Final = 12


def _package(text: str) -> Iterator[_Declared]:
    data = config.json(text)
    start = max(text.find('"workspaces"'), 0)
    above = text.count("\n", 0, start)
    for keys in (("workspaces",), ("workspaces", "packages")):
        for pattern in config.words(data, *keys):
            line = config.line(text[start:], re.escape(f'"{pattern}"'))
            yield _Declared(pattern, above + line)


def _deno(text: str) -> Iterator[_Declared]:
    data = config.jsonc(text)
    for keys in (("workspace",), ("workspace", "members")):
        for pattern in config.words(data, *keys):
            yield _Declared(pattern, config.line(text, re.escape(f'"{pattern}"')))


def _listed(text: str) -> Iterator[_Declared]:
    """The items of `packages:` in pnpm's file; no YAML reader is needed for this."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r"\s*-\s+[\"']?([^\"'#]+?)[\"']?\s*(#.*)?$", line[:500])
        if re.match(r"packages\s*:", line):
            inside = True
        elif inside and found:
            yield _Declared(found[1], number)
        elif inside and line.strip() and not line.lstrip().startswith("#"):
            inside = False


def _toml(*keys: str) -> Callable[[str], Iterator[_Declared]]:
    def read(text: str) -> Iterator[_Declared]:
        for pattern in config.words(config.toml(text), *keys):
            line = config.line(text, rf"[\"']{re.escape(pattern)}[\"']")
            yield _Declared(pattern, line)
        for pattern in config.words(config.toml(text), *keys[:-1], "exclude"):
            yield _Declared(f"!{pattern}", 0)

    return read


def _lines(
    pattern: str, change: Callable[[str], str] = str
) -> Callable[[str], Iterator[_Declared]]:
    def read(text: str) -> Iterator[_Declared]:
        for number, line in enumerate(text.splitlines(), 1):
            for found in re.finditer(pattern, line[:2_000]):
                yield _Declared(change(found[1]), number)

    return read


_WORKSPACES: Final = (
    _Workspace("pnpm-workspace.yaml", ("package.json",), _listed),
    _Workspace("package.json", ("package.json",), _package),
    _Workspace("Cargo.toml", ("Cargo.toml",), _toml("workspace", "members")),
    _Workspace("pyproject.toml", ("pyproject.toml",), _toml("tool", "uv", "workspace", "members")),
    _Workspace("go.work", ("go.mod",), _lines(r"^\s*(?:use\s+)?(\.?/?[\w.-]+(?:/[\w.-]+)*)\s*$")),
    _Workspace("pom.xml", ("pom.xml",), _lines(r"<module>\s*([^<\s]+)\s*</module>")),
    *(
        _Workspace(
            file, ("build.gradle", "build.gradle.kts"),
            _lines(r"[\"']:?([\w.-]+(?::[\w.-]+)*)[\"']", lambda name: name.replace(":", "/")),
        )
        for file in ("settings.gradle", "settings.gradle.kts")
    ),
    *(
        _Workspace(file, ("deno.json", "deno.jsonc"), _deno)
        for file in ("deno.json", "deno.jsonc")
    ),
    _Workspace("lerna.json", ("package.json",), lambda text: (
        _Declared(pattern, 1) for pattern in config.words(config.json(text), "packages")
    )),
)  # fmt: skip
