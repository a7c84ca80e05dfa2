"""Detectors: tools for finding clean-up candidates that this project has configured or declared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from loopgraph.discover import ci, config
from loopgraph.discover.languages import Layout
from loopgraph.discover.stacks import declared, javascript
from loopgraph.discover.stacks.offer import is_plain
from loopgraph.discover.tree import Tree
from loopgraph.model.facts import Found


class _Tool(NamedTuple):
    """One detector: how it is recognised and how it is started."""

    name: str
    files: str
    """Its configuration file; empty where it has none."""
    key: str
    """Its table in pyproject.toml, or its key in package.json; empty where it has none."""
    command: str
    """`{sources}` is where the source folders go."""


_PYTHON: Final = (
    _Tool("vulture", "", "vulture", "vulture {sources}"),
    _Tool("deptry", "", "deptry", "deptry ."),
    _Tool("coverage", r"\.coveragerc", "coverage", "coverage report --skip-covered"),
    _Tool("pytest-cov", "", "", "pytest --cov"),
)
_JAVASCRIPT: Final = (
    _Tool("knip", r"\.?knip\.(jsonc?|[cm]?[jt]s)|knip\.config\.[cm]?[jt]s", "knip", "knip"),
    _Tool("jscpd", r"\.jscpd\.json", "jscpd", "jscpd {sources}"),
    _Tool("ts-prune", r"\.ts-prunerc(\.\w+)?", "", "ts-prune"),
    _Tool("unimported", r"\.unimportedrc(\.json)?", "", "unimported"),
    _Tool("depcheck", r"\.depcheckrc(\.\w+)?", "", "depcheck"),
    _Tool("c8", r"\.c8rc(\.json)?", "c8", "c8 report"),
    _Tool("nyc", r"\.nycrc(\.\w+)?", "nyc", "nyc report"),
)
_BY_CI: Final = (
    ("Cargo.toml", r"\bcargo(?: \+\w+)? (udeps|machete)\b", "cargo {}"),
    ("go.mod", r"\b(deadcode|staticcheck)\b", "{} ./..."),
)
PROGRAMS: Final = tuple(
    [f"node_modules/.bin/{tool.name}" for tool in _JAVASCRIPT]
    + [
        f"{folder}/{name}{end}"
        for folder, end in ((".venv/bin", ""), ("venv/bin", ""), (".venv/Scripts", ".exe"))
        for name in ("vulture", "deptry", "coverage", "ruff")
    ]
)
"""Where a workspace's own environments keep these tools, when they are installed already."""
CAP: Final = 8


def find(tree: Tree, layout: Layout, installed: Sequence[str] = ()) -> tuple[Found, ...]:
    """One row a detector: the command that starts it, and where it is named or installed."""
    every = [
        *_python(tree, layout, installed),
        *_javascript(tree, layout, installed),
        *_native(tree),
    ]
    rows: dict[str, Found] = {}
    for fact in every:
        rows.setdefault(fact.value, fact)
    return tuple(rows.values())[:CAP]


def _sources(layout: Layout) -> str:
    return " ".join(folder for folder in layout.sources[:4] if is_plain(folder)) or "."


def _python(tree: Tree, layout: Layout, installed: Sequence[str]) -> Iterator[Found]:
    project = declared.project(tree, ".")
    if project is None:
        return
    tables = config.table(project.pyproject, "tool")
    for tool in _PYTHON:
        place = _file(tree, tool.files)
        if place is None and isinstance(tables.get(tool.key), Mapping):
            place = "pyproject.toml", config.table_line(project.text, "tool", tool.key)
        place = place or project.where(tool.name)
        if place is not None:
            start = project.start(tool.command.split()[0])
            yield Found(start + tool.command.format(sources=_sources(layout)), *place)
        elif program := _program(installed, tool.name):
            arguments = tool.command.partition(" ")[2].format(sources=_sources(layout))
            yield Found(f"{program} {arguments}", program, 0)
    yield from _ruff(tree, project, tables.get("ruff"), installed)


def _program(installed: Sequence[str], name: str) -> str:
    """Where a tool is installed; empty where it isn't."""
    ends = (f"/bin/{name}", f"/Scripts/{name}.exe", f"/.bin/{name}")
    return next((path for path in installed if path.endswith(ends)), "")


def _ruff(
    tree: Tree, project: declared.Project, settings: object, installed: Sequence[str]
) -> Iterator[Found]:
    """Ruff sees unused imports and names wherever it is configured, whatever it selects."""
    place = _file(tree, r"\.?ruff\.toml")
    if place is None and isinstance(settings, Mapping):
        place = "pyproject.toml", config.table_line(project.text, "tool", "ruff")
    arguments = "check --no-fix --select F401,F811,F841 ."
    program = _program(installed, "ruff")
    if place is not None:
        yield Found(f"{project.start('ruff')}ruff {arguments}", *place)
    elif program:
        yield Found(f"{program} {arguments}", program, 0)


def _javascript(tree: Tree, layout: Layout, installed: Sequence[str]) -> Iterator[Found]:
    package = javascript.package(tree, ".")
    if package is None:
        return
    dependencies = {
        name
        for key in ("devDependencies", "dependencies")
        for name in config.table(package.data, key)
    }
    for tool in _JAVASCRIPT:
        place = _file(tree, tool.files)
        named = (tool.key and tool.key in package.data) or tool.name in dependencies
        if place is None and named:
            line = config.json_line(package.text, tool.name)
            place = package.file, line
        elif place is None and _program(installed, tool.name):
            place = _program(installed, tool.name), 0
        if place is not None:
            command = package.execute(tool.command.format(sources=_sources(layout)))
            yield Found(command, *place)


def _native(tree: Tree) -> Iterator[Found]:
    for mark, pattern, command in _BY_CI:
        if not tree.has(mark):
            continue
        step = ci.calls(ci.steps(tree), pattern)
        found = re.search(pattern, step.command) if step else None
        if step and found:
            yield Found(command.format(found[1]), step.file, step.line)
    text = tree.text("Cargo.toml")
    line = config.line(text, r"^\[(workspace|package)\.metadata\.cargo-(machete|udeps)\]")
    if line:
        tool = "machete" if "cargo-machete" in text else "udeps"
        yield Found(f"cargo {tool}", "Cargo.toml", line)


def _file(tree: Tree, shape: str) -> tuple[str, int] | None:
    if not shape:
        return None
    return next(((path, 1) for path in tree.files() if re.fullmatch(shape, path)), None)
