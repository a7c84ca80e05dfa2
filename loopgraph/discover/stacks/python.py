"""Gates of a Python project: pytest, tox, nox, hatch, task tables, linters, type checkers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from loopgraph.discover import config
from loopgraph.discover.ci import Step, calls
from loopgraph.discover.languages import Layout
from loopgraph.discover.stacks import declared, tasks
from loopgraph.discover.stacks.declared import Project
from loopgraph.discover.stacks.offer import Offer, cost_of, is_plain
from loopgraph.discover.tree import Tree, base, parent
from loopgraph.model.facts import GateKind

STACK: Final = "python"


def offers(tree: Tree, folder: str, layout: Layout, steps: Sequence[Step]) -> Iterator[Offer]:
    """Every gate that the Python project in this folder speaks for."""
    project = declared.project(tree, folder)
    if project is None and folder == "." and any(p.endswith(".py") for p in layout.test_files):
        project = declared.BARE
    if project is None:
        return
    yield from tasks.offers(tree, project, steps)
    yield from _pytest(tree, project, layout, steps)
    yield from _other_runners(tree, project, layout, steps)
    for tool in (_ruff, _flake8, _pylint, _mypy, _pyright, _ty, _black):
        yield from tool(tree, project, layout)


def start(tree: Tree, tool: str) -> str:
    """The words in front of a tool in the root's Python project; empty where there is none."""
    project = declared.project(tree, ".")
    return project.start(tool) if project else ""


def _offer(
    project: Project, kind: GateKind, call: tuple[str, str, str], found: tuple[str, int]
) -> Offer:
    """A gate of a tool: `call` is the tool, its arguments, and those for one path."""
    tool, arguments, narrow = call
    start = project.start(tool)
    full = f"{start}{tool} {arguments}".strip()
    return Offer(
        STACK, kind, full, *found,
        narrow=f"{start}{tool} {narrow}" if narrow else "",
        cost=cost_of(kind, full),
    )  # fmt: skip


def _configured(
    tree: Tree, project: Project, table: Sequence[str], files: Sequence[tuple[str, str]]
) -> tuple[str, int] | None:
    """Where a tool's configuration stands: a table of pyproject.toml, a file, a section of one."""
    if table and isinstance(config.at(project.pyproject, *table), Mapping):
        return project.file("pyproject.toml"), config.table_line(project.text, *table)
    for name, section in files:
        path = project.file(name)
        if not tree.has(path):
            continue
        if not section:
            return path, 1
        line = config.line(tree.text(path), rf"^\[{re.escape(section)}\]")
        if line:
            return path, line
    return None


_PYTEST_FILES: Final = (
    ("pytest.ini", ""), (".pytest.ini", ""), ("pytest.toml", ""), ("tox.ini", "pytest"),
    ("setup.cfg", "tool:pytest"),
)  # fmt: skip


def _pytest(tree: Tree, project: Project, layout: Layout, steps: Sequence[Step]) -> Iterator[Offer]:
    found = (
        _configured(tree, project, ("tool", "pytest"), _PYTEST_FILES)
        or _declared_with_tests(project, layout)
        or _imported(tree, project, layout, r"^[ \t]*(import|from) pytest\b")
    )
    if found is None:
        return
    start = project.start("pytest")
    bare = start or calls(steps, r"(^|\s)pytest\b(?<!-m pytest)")
    three = calls(steps, r"(^|\s)python3 -m pytest\b")  # as the project writes it
    tool = "pytest" if bare else "python3 -m pytest" if three else "python -m pytest"
    full = f"{start}{tool}" + ("" if project.folder == "." else f" {project.folder}")
    yield Offer(
        STACK, "test", full, *found,
        narrow=f"{start}{tool} <path>",
        in_ci=_runs(steps, "pytest", project.folder),
        cost=cost_of("test", "", len(layout.test_files)),
    )  # fmt: skip


def _runs(steps: Sequence[Step], tool: str, folder: str) -> bool:
    step = calls(steps, rf"(^|[\s/]){re.escape(tool)}(?=$|\s)")
    return step is not None and step.folder in {".", folder}


def _declared_with_tests(project: Project, layout: Layout) -> tuple[str, int] | None:
    start = "" if project.folder == "." else f"{project.folder}/"
    tested = any(path.endswith(".py") and path.startswith(start) for path in layout.test_files)
    return project.where("pytest") if tested else None


def _nested(tree: Tree, project: Project) -> tuple[str, ...]:
    """Folders below that are projects of their own: what is said there is not said here."""
    marks = ("/pyproject.toml", "/setup.py", "/setup.cfg")
    folders = {parent(path) for path in tree.below(project.folder) if path.endswith(marks)}
    return tuple(sorted(f"{folder}/" for folder in folders - {project.folder}))


def _imported(
    tree: Tree, project: Project, layout: Layout, pattern: str, begins: str = ""
) -> tuple[str, int] | None:
    """Where one of the first tests, by the beginning of its name, says what it was written for."""
    start = "" if project.folder == "." else f"{project.folder}/"
    mine = [path for path in layout.test_files if path.endswith(".py") and path.startswith(start)]
    inner = _nested(tree, project)
    mine = [path for path in mine if base(path).startswith(begins)]
    for path in [path for path in mine if not path.startswith(inner)][:12]:
        line = config.line(tree.text(path), pattern)
        if line:
            return path, line
    return None


_OWN_RUNNERS: Final = ("runtests.py", "run_tests.py", "runtests", "run_tests")


def _other_runners(
    tree: Tree, project: Project, layout: Layout, steps: Sequence[Step]
) -> Iterator[Offer]:
    """Django's own runner and unittest: only where something says so."""
    manage = project.file("manage.py")
    if tree.has(manage) and "django" in tree.text(manage):
        line = config.line(tree.text(manage), "execute_from_command_line")
        yield Offer(
            STACK, "test", f"python {manage} test", manage, line or 1,
            narrow=f"python {manage} test <path>" if project.folder == "." else "",
            in_ci=calls(steps, r"manage\.py test\b") is not None,
        )  # fmt: skip
    step = calls(steps, r"^python3? -m unittest\b[^$`|<>&;{}]*$")
    if step is not None and step.folder == project.folder == ".":
        yield Offer(
            STACK, "test", step.command, step.file, step.line,
            narrow="python -m unittest <path>", in_ci=True,
        )  # fmt: skip
    pattern = r"^[ \t]*(import|from) unittest\b(?!\.mock| import mock)"
    # unittest itself finds test*.py only, and knows nothing of a runner of the project's own.
    found = _imported(tree, project, layout, pattern, "test")
    own = any(base(path) in _OWN_RUNNERS for path in tree.shallow(2))
    if found and not own and project.folder == ".":
        folder = found[0].partition("/")[0] if "/" in found[0] else ""
        where = f" discover -s {folder}" if folder and is_plain(folder) else ""
        yield Offer(
            STACK, "test", f"python -m unittest{where}", *found,
            narrow="python -m unittest <path>",
        )  # fmt: skip


def _ruff(tree: Tree, project: Project, _: Layout) -> Iterator[Offer]:
    found = _configured(tree, project, ("tool", "ruff"), (("ruff.toml", ""), (".ruff.toml", "")))
    if found is None:
        return
    settings = config.table(project.pyproject, "tool", "ruff")
    # With `fix = true` a plain check would rewrite the tree.
    check = "check --no-fix" if config.at(settings, "fix") is True else "check"
    yield _offer(project, "lint", ("ruff", f"{check} {project.folder}", f"{check} <path>"), found)
    table = ("tool", "ruff", "format")
    if config.at(settings, "format") is not None:
        there = _configured(tree, project, table, ()) or found
        call = ("ruff", f"format --check {project.folder}", "format --check <path>")
        yield _offer(project, "format", call, there)


def _flake8(tree: Tree, project: Project, _: Layout) -> Iterator[Offer]:
    files = ((".flake8", ""), ("setup.cfg", "flake8"), ("tox.ini", "flake8"))
    found = _configured(tree, project, ("tool", "flake8"), files)
    if found:
        yield _offer(project, "lint", ("flake8", project.folder, "<path>"), found)


def _pylint(tree: Tree, project: Project, layout: Layout) -> Iterator[Offer]:
    files = ((".pylintrc", ""), ("pylintrc", ""), (".pylintrc.toml", ""), ("setup.cfg", "pylint"))
    found = _configured(tree, project, ("tool", "pylint"), files)
    targets = _targets(project, layout)
    if found and targets:
        yield _offer(project, "lint", ("pylint", targets, "<path>"), found)


def _mypy(tree: Tree, project: Project, layout: Layout) -> Iterator[Offer]:
    files = (("mypy.ini", ""), (".mypy.ini", ""), ("setup.cfg", "mypy"), ("tox.ini", "mypy"))
    found = _configured(tree, project, ("tool", "mypy"), files)
    if found is None:
        return
    section = config.ini(tree.text(found[0])).get("mypy", (0, {}))[1]
    if found[0].endswith(".toml"):
        section = config.table(project.pyproject, "tool", "mypy")
    named = any(key in section for key in ("files", "packages", "modules"))
    targets = "" if named else _targets(project, layout)
    if not named and not targets:
        return
    option = "" if project.folder == "." else f"--config-file {found[0]} "
    yield _offer(project, "types", ("mypy", f"{option}{targets}", f"{option}<path>"), found)


def _targets(project: Project, layout: Layout) -> str:
    """The source folders of a project, as one types them."""
    start = "" if project.folder == "." else f"{project.folder}/"
    folders = [folder for folder in layout.sources if folder.startswith(start) and folder != "."]
    python = {path.rpartition("/")[0] for path in layout.source_files if path.endswith(".py")}
    mine = [
        folder for folder in folders
        if any(held == folder or held.startswith(f"{folder}/") for held in python)
    ]  # fmt: skip
    mine = [folder for folder in mine if is_plain(folder)]
    if any(folder.startswith(f"{start}src/") for folder in mine):
        return f"{start}src"
    return " ".join(mine[:4])


def _pyright(tree: Tree, project: Project, _: Layout) -> Iterator[Offer]:
    for tool in ("basedpyright", "pyright"):
        files = (("pyrightconfig.json", ""),) if tool == "pyright" else ()
        found = _configured(tree, project, ("tool", tool), files)
        if found:
            option = "" if project.folder == "." else f"-p {project.folder}"
            yield _offer(project, "types", (tool, option, f"{option} <path>".strip()), found)


def _ty(tree: Tree, project: Project, _: Layout) -> Iterator[Offer]:
    found = _configured(tree, project, ("tool", "ty"), (("ty.toml", ""),))
    if found:
        option = "" if project.folder == "." else f"--project {project.folder}"
        yield _offer(project, "types", ("ty", f"check {option}", f"check {option} <path>"), found)
    found = _configured(tree, project, ("tool", "pyrefly"), (("pyrefly.toml", ""),))
    if found and project.folder == ".":
        yield _offer(project, "types", ("pyrefly", "check", "check <path>"), found)


def _black(tree: Tree, project: Project, _: Layout) -> Iterator[Offer]:
    found = _configured(tree, project, ("tool", "black"), ())
    if found:
        call = ("black", f"--check {project.folder}", "--check <path>")
        yield _offer(project, "format", call, found)
