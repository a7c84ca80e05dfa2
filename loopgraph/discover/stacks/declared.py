"""Which tools a Python project declares, where, and how its own runner starts them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from loopgraph.discover import config
from loopgraph.discover.stacks.offer import is_plain
from loopgraph.discover.tree import Tree, join

_REQUIREMENTS = re.compile(
    r"(requirements/)?[\w.-]*requirements[\w.-]*\.(txt|in)|requirements/[\w.-]+\.(txt|in)"
)
_MARKS: Final = (
    "pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "noxfile.py", "pytest.ini", "manage.py",
    "Pipfile", "mypy.ini", ".flake8", "ruff.toml", ".ruff.toml", "pytest.toml",
)  # fmt: skip
"""Any of these makes a folder a Python project."""
_GROUP_CAP: Final = 60
_TOOL_CAP: Final = 4_000
"""As many groups and requirements are read: a stranger's file may be endless."""


class Declared(NamedTuple):
    """One declared dependency."""

    name: str
    place: str
    """`main`, `extra:NAME`, `group:NAME`, `poetry`, `environment:NAME` or `requirements`."""
    file: str
    line: int = 0
    """0 in pyproject.toml, where it is looked up when it is wanted."""


class Project(NamedTuple):
    """A Python project: its folder, and what its files declare."""

    folder: str
    pyproject: Mapping[str, object]
    text: str
    """The text of pyproject.toml."""
    tools: Mapping[str, Declared]
    manager: str
    """`uv`, `poetry`, `pdm` or empty: whose lock file lies there."""

    def file(self, name: str) -> str:
        """The root-relative path of one of its files."""
        return join(self.folder, name)

    def line(self, pattern: str) -> int:
        """The line of pyproject.toml where the pattern matches first."""
        return config.line(self.text, pattern)

    def where(self, tool: str) -> tuple[str, int] | None:
        """File and line that declare a tool; None where nothing does."""
        found = self.tools.get(tool)
        return (found.file, found.line or _line_of(self.text, tool)) if found else None

    def start(self, tool: str) -> str:
        """The words in front of a tool: the project's runner, where it has one."""
        found = self.tools.get(tool)
        here = self.folder != "."
        if found is None or found.place.startswith(("environment", "requirements")):
            return ""  # another environment than the manager's own holds it
        if self.manager == "uv":
            words = ["uv", "run", *(("--project", self.folder) if here else ())]
            kind, _, name = found.place.partition(":")
            if name and not is_plain(name):
                return ""
            if kind == "extra":
                words += ["--extra", name]
            elif kind == "group" and name not in self._default_groups():
                words += ["--group", name]
            return " ".join(words) + " "
        if self.manager == "poetry":
            return f"poetry -P {self.folder} run " if here else "poetry run "
        if self.manager == "pdm":
            return f"pdm run -p {self.folder} " if here else "pdm run "
        return ""

    def _default_groups(self) -> list[str]:
        named = config.at(self.pyproject, "tool", "uv", "default-groups")
        if named == "all":
            return [tool.place.partition(":")[2] for tool in self.tools.values()]
        return config.words(self.pyproject, "tool", "uv", "default-groups") or ["dev"]


BARE: Final = Project(".", {}, "", {}, "")
"""Python without any file that says what the project is."""


@lru_cache(maxsize=16)
def project(tree: Tree, folder: str) -> Project | None:
    """The Python project in a folder; None where no file of one is there."""
    marked = any(tree.has(join(folder, mark)) for mark in _MARKS)
    if not marked and not _requirement_files(tree, folder):
        return None
    text = tree.text(join(folder, "pyproject.toml"))
    data = config.toml(text)
    tools: dict[str, Declared] = {}
    for found in islice(_all(tree, folder, data), _TOOL_CAP):
        tools.setdefault(found.name, found)
    _prefer_default_groups(data, join(folder, "pyproject.toml"), tools)
    return Project(folder, data, text, tools, _manager(tree, folder, data))


def _prefer_default_groups(
    data: Mapping[str, object], file: str, tools: dict[str, Declared]
) -> None:
    """A tool that a default group holds needs no flag, whatever group names it first."""
    defaults = config.words(data, "tool", "uv", "default-groups") or ["dev"]
    for group in defaults[:_GROUP_CAP]:
        for requirement in _group(data, group, set()):
            name = _name(requirement)
            if name in tools and tools[name].place != "main":
                tools[name] = Declared(name, f"group:{group}", file)


def _manager(tree: Tree, folder: str, data: Mapping[str, object]) -> str:
    folders = [folder, "."] if folder != "." else ["."]
    for lock, manager in (("uv.lock", "uv"), ("poetry.lock", "poetry"), ("pdm.lock", "pdm")):
        if any(tree.has(join(at, lock)) for at in folders):
            return manager
    # Lock files of libraries are often not committed; the table is the project's word too.
    for manager in ("uv", "poetry", "pdm"):
        if config.at(data, "tool", manager) is not None:
            return manager
    return ""


def _all(tree: Tree, folder: str, data: Mapping[str, object]) -> Iterator[Declared]:
    file = join(folder, "pyproject.toml")
    for place, requirement in _pyproject(data):
        name = _name(requirement)
        if name:
            yield Declared(name, place, file)
    for path in _requirement_files(tree, folder):
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            name = _name(line)
            if name:
                yield Declared(name, "requirements", path, number)
    for name in ("setup.cfg", "setup.py", "tox.ini", "noxfile.py", "Pipfile", "environment.yml"):
        path = join(folder, name)
        yield from _mentioned(tree.text(path), path)


def _pyproject(data: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Place and requirement of everything that pyproject.toml declares."""
    for group in list(config.table(data, "dependency-groups"))[:_GROUP_CAP]:
        yield from ((f"group:{group}", requirement) for requirement in _group(data, group, set()))
    for place, keys in _lists(data):
        yield from ((place, requirement) for requirement in config.words(data, *keys))
    poetry = config.table(data, "tool", "poetry")
    for keys in (
        ("dependencies",), ("dev-dependencies",),
        *(("group", group, "dependencies") for group in config.table(poetry, "group")),
    ):  # fmt: skip
        yield from (("poetry", name) for name in config.table(poetry, *keys))


def _lists(data: Mapping[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Place and keys of each list of requirements."""
    yield "main", ("project", "dependencies")
    yield "group:dev", ("tool", "uv", "dev-dependencies")
    extras = ("project", "optional-dependencies")
    for extra in config.table(data, *extras):
        yield f"extra:{extra}", (*extras, extra)
    groups = ("tool", "pdm", "dev-dependencies")
    for group in config.table(data, *groups):
        yield f"group:{group}", (*groups, group)
    environments = ("tool", "hatch", "envs")
    for name in config.table(data, *environments):
        for key in ("dependencies", "extra-dependencies"):
            yield f"environment:{name}", (*environments, name, key)


def _group(data: Mapping[str, object], group: str, seen: set[str]) -> Iterator[str]:
    """The requirements of a dependency group, included groups too, each group once."""
    found = config.at(data, "dependency-groups", group)
    if group in seen or not isinstance(found, list) or len(seen) > _GROUP_CAP:
        return
    seen.add(group)
    for item in found:
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict) and isinstance(item.get("include-group"), str):
            yield from _group(data, item["include-group"], seen)


def _requirement_files(tree: Tree, folder: str) -> list[str]:
    start = "" if folder == "." else f"{folder}/"
    near = (*tree.files(folder), *tree.files(join(folder, "requirements")))
    return [path for path in near if _REQUIREMENTS.fullmatch(path[len(start) :])]


@lru_cache(maxsize=256)
def _name(requirement: str) -> str:
    found = re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)", requirement)
    return re.sub(r"[-_.]+", "-", found[1]).lower() if found else ""


def _line_of(text: str, name: str) -> int:
    """Where a requirement stands: its name in quotes or before an equals sign."""
    loose = re.sub("-", "[-_.]+", re.escape(name).replace(r"\-", "-"))
    return config.line(text, rf"(?i)(^|[ \t\"'\[]){loose}(?=[\s\"'\[=<>~!;,(])")


_KNOWN = (
    "pytest", "tox", "nox", "ruff", "flake8", "pylint", "mypy", "pyright", "basedpyright", "black",
    "isort", "coverage", "vulture", "pre-commit",
)  # fmt: skip


def _mentioned(text: str, path: str) -> Iterator[Declared]:
    """Known tools among the dependencies of files that are no plain data."""
    if not text:
        return
    for name in _KNOWN:
        line = config.line(text, rf"(^|[ \t\"'=,]){name}(?=$|[\s\"'\[=<>~!;,])")
        if line:
            yield Declared(name, "environment:", path, line)
