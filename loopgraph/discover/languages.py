"""Languages by count of files, and the folders of production code and of tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from typing import Final, NamedTuple

from loopgraph.discover.tree import Tree, base, parent
from loopgraph.model.facts import Language
from loopgraph.model.production import TEST_FILE, TEST_FOLDER

LANGUAGES: Final = {
    ".c": "C", ".h": "C",
    ".cc": "C++", ".cpp": "C++", ".cxx": "C++", ".hpp": "C++", ".hh": "C++",
    ".clj": "Clojure", ".cs": "C#", ".dart": "Dart",
    ".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang",
    ".fs": "F#", ".go": "Go", ".hs": "Haskell", ".java": "Java",
    ".js": "JavaScript", ".cjs": "JavaScript", ".mjs": "JavaScript", ".jsx": "JavaScript",
    ".jl": "Julia", ".kt": "Kotlin", ".kts": "Kotlin", ".lua": "Lua", ".m": "Objective-C",
    ".ml": "OCaml", ".php": "PHP", ".pl": "Perl", ".ps1": "PowerShell",
    ".py": "Python", ".pyi": "Python", ".pyx": "Python", ".r": "R", ".rb": "Ruby", ".rs": "Rust",
    ".scala": "Scala", ".sh": "Shell", ".bash": "Shell", ".sql": "SQL", ".svelte": "Svelte",
    ".swift": "Swift",
    ".ts": "TypeScript", ".cts": "TypeScript", ".mts": "TypeScript", ".tsx": "TypeScript",
    ".vue": "Vue", ".zig": "Zig",
}  # fmt: skip
"""Extension to language; only what a person writes as code."""

_NO_SOURCE = re.compile(
    r"^(contrib|release|perf[\w-]*|hooks)/|(^|/)(docs?|examples?|samples?|demos?|benchmarks?|bench|fixtures|__fixtures__|__mocks__"
    r"|playground|scripts|tools|ci|vendor|third_party|node_modules|dist|build|out|site|website|\.[^/]+)/"
)
_CONFIG_FILE = re.compile(
    r"(setup|noxfile|conftest|tasks|manage|fabfile|dodo|conf)\.py|.*\.config\.[cm]?[jt]s|\..*"
    r"|[gG]ulpfile\.[cm]?js|Gruntfile\.js|.*\.d\.[cm]?ts|build\.rs"
)
_TEST_FOLDER, _TEST_FILE = re.compile(TEST_FOLDER), re.compile(TEST_FILE)
FOLDER_CAP: Final = 12


class Layout(NamedTuple):
    """Where production code and tests lie."""

    languages: tuple[Language, ...]
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    source_files: tuple[str, ...]
    test_files: tuple[str, ...]


def language(path: str) -> str | None:
    """The language of a file by its extension; None for data, prose and configuration."""
    return LANGUAGES.get("." + path.rpartition(".")[2].lower()) if "." in path else None


def lay_out(tree: Tree, scope: str = ".") -> Layout:
    """Sort the code files of a workspace (or of one part) into production code and tests."""
    counts: Counter[str] = Counter()
    sources: list[str] = []
    tests: list[str] = []
    for folder, paths in tree.folders.items():
        if scope not in {".", folder} and not folder.startswith(f"{scope}/"):
            continue
        tested = bool(_TEST_FOLDER.search(folder))
        aside = bool(_NO_SOURCE.search(f"{folder}/"))
        for path in paths:
            named = language(path)
            if named is None:
                continue
            counts[named] += 1
            name = base(path)
            if tested or _TEST_FILE.fullmatch(name):
                tests.append(path)
            elif not aside and not _CONFIG_FILE.fullmatch(name):
                sources.append(path)
    sources.sort()
    tests.sort()
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return Layout(
        languages=tuple(Language(name, count) for name, count in ranked),
        sources=_folders(sources),
        tests=_test_folders(tests),
        source_files=tuple(sources),
        test_files=tuple(tests),
    )


def _folders(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders that hold most of the files: as deep as their files still lie together."""
    counts: Counter[str] = Counter()
    for path in paths:
        counts[parent(path)] += 1
    children: dict[str, set[str]] = {}
    for folder in counts:
        first, _, rest = folder.partition("/")
        if rest:
            children.setdefault(first, set()).add(rest.partition("/")[0])
    roots: Counter[str] = Counter()
    for folder, count in counts.items():
        first, _, rest = folder.partition("/")
        split = rest and first not in counts and _is_split(first, len(children[first]))
        roots[f"{first}/{rest.partition('/')[0]}" if split else first] += count
    total = sum(roots.values())
    if roots["."] * 3 < total:
        del roots["."]  # a few files beside the code; as a write set it would be everything
    ranked = sorted(roots.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(sorted(name for name, _ in ranked[:FOLDER_CAP]))


_MEMBERS: Final = frozenset(
    {
        "apps", "cmd", "crates", "internal", "libs", "modules", "packages", "pkg", "plugins",
        "services",
    }
)  # fmt: skip
"""Folders whose children are parts of their own."""
_FEW: Final = 3


def _is_split(folder: str, children: int) -> bool:
    """Whether a top folder is named by its children: `src/click/x` belongs to `src/click`."""
    return folder in _MEMBERS or children <= _FEW


def _test_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """The topmost folders named for tests, and those where tests lie beside the code."""
    counts: Counter[str] = Counter()
    for path in paths:
        folder = parent(path)
        found = _TEST_FOLDER.search(folder)
        counts[folder[: found.end()].rstrip("/") if found else folder] += 1
    outer = [name for name in counts if not _has_above(name, counts)]
    return tuple(sorted(sorted(outer, key=lambda name: (-counts[name], name))[:FOLDER_CAP]))


def _has_above(folder: str, known: Container[str]) -> bool:
    """Whether any folder above this one is known; the root is above nothing."""
    while "/" in folder:
        folder = parent(folder)
        if folder in known:
            return True
    return False
