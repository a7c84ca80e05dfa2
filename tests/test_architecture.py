"""The house holds: rooms, tables, imports, and the tools that guard them."""

from __future__ import annotations

import ast
import dis
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import CodeType

import pytest

from loopgraph.check.rules import RULES
from loopgraph.cli import COMMANDS as PROGRAM
from loopgraph.hosts import HOSTS
from loopgraph.model.commands import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "loopgraph"
MODULES = sorted(PACKAGE.rglob("*.py"))
PAGES = [ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING", "AGENTS")]
PAGES += sorted((ROOT / "docs").rglob("*.md")) + sorted((ROOT / "references").glob("*.md"))

HOMES = {
    "click": (),
    "jinja2": ("author/compiler.py",),
    "msgspec": ("author/packs.py", "edges/record.py"),
    "prompt_toolkit": ("cli/wizard.py",),
    "questionary": ("cli/wizard.py",),
    "typer": ("cli/",),
    "yaml": ("author/packs.py", "edges/yamlfile.py"),
}
"""Where each library may be imported."""


def name(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


def imported(module: Path) -> set[str]:
    """The first words of everything that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter loads for `code`, beyond those it starts with."""
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); before = set(sys.modules)\n"
        f"{code}\nprint(*set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "loopgraph", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def tool(wanted: str) -> str:
    """A program of this environment; its absence is a failure, not a reason to skip."""
    found = shutil.which(wanted, path=str(Path(sys.executable).parent))
    assert found, f"{wanted} is missing: install the dependency group `test`"
    return found


# Modules -------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_a_module_says_in_its_first_line_what_it_is(module):
    text = module.read_text("utf-8")
    first = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    assert text.startswith('"""')
    assert len(first) > 10
    assert first.endswith((".", ":", "?")), first


def test_no_module_is_named_after_nothing():
    empty = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert not [name(module) for module in MODULES if module.stem in empty]


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_imported_at_home_only(library):
    users = [name(module) for module in MODULES if library in imported(module)]
    assert not [user for user in users if not user.startswith(HOMES[library] or ("-",))]


def test_every_library_that_is_imported_is_declared_and_has_a_home():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    declared = {re.split(r"\W", line)[0].lower() for line in settings["project"]["dependencies"]}
    declared = {"yaml" if library == "pyyaml" else library for library in declared}
    used = set().union(*(imported(module) for module in MODULES))
    used -= {"loopgraph", *sys.stdlib_module_names}
    # questionary stands on prompt_toolkit and shows its key bindings.
    assert used - {"prompt_toolkit"} == declared
    assert used <= set(HOMES)


# Tables --------------------------------------------------------------------------------------


def test_each_host_has_a_module_and_a_page():
    modules = {path.stem.replace("_", "-") for path in (PACKAGE / "hosts").glob("*.py")}
    pages = {path.stem for path in (ROOT / "references").glob("*.md")}
    assert set(HOSTS) <= modules
    assert set(HOSTS) == pages


def test_each_rule_module_is_in_the_table_once():
    files = sorted(path.stem for path in (PACKAGE / "check" / "rules").glob("lg*.py"))
    ids = [rule.id for rule in RULES]
    assert ids == sorted(set(ids))
    assert files == [f"{rule.id.lower()}_{rule.name.replace('-', '_')}" for rule in RULES]


def test_each_command_of_the_program_has_a_module():
    besides = {
        "__init__",
        "clock",
        "drafting",
        "installing",
        "keeping",
        "meant",
        "options",
        "quick",
        "usage",
        "wizard",
    }
    modules = {path.stem for path in (PACKAGE / "cli").glob("*.py")} - besides
    assert {command for command, _ in PROGRAM} == modules


@pytest.mark.parametrize(
    "command", sorted({command.name for command in COMMANDS} | {command for command, _ in PROGRAM})
)
def test_a_command_answers_help(command):
    done = program(*command.split(), "--help")
    assert done.returncode == 0, done.stderr
    assert command.split()[-1] in done.stdout
    assert not done.stderr


def test_help_names_every_command():
    listed = program("--help").stdout
    assert not [command for command, _ in PROGRAM if f" {command} " not in listed]


# What is loaded ------------------------------------------------------------------------------


def test_version_loads_nothing_but_the_front_door():
    code = "sys.argv = ['loopgraph', '--version']\nimport loopgraph.__main__ as door\ndoor.main()"
    assert loaded_by(code) == {"__future__", "loopgraph", "loopgraph.__main__"}


def test_the_ground_floor_imports_nothing():
    floors = {f"loopgraph.plain.{path.stem}" for path in (PACKAGE / "plain").glob("[!_]*.py")}
    assert floors
    code = f"import {', '.join(sorted(floors))}"
    # The accelerator under `json` costs nothing, being part of the interpreter.
    assert loaded_by(code) == {"__future__", "_json", "loopgraph", "loopgraph.plain", *floors}


def test_the_hook_stands_on_two_floors_and_three_modules_of_the_library():
    for module in (PACKAGE / "hook").rglob("*.py"):
        tree = ast.parse(module.read_text("utf-8"))
        for block in [node for node in ast.walk(tree) if isinstance(node, ast.If)]:
            if isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING":
                block.body = [ast.Pass()]  # read by mypy alone
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= {"os", "sys", "time"}, name(module)
            elif isinstance(node, ast.ImportFrom):
                found = {f"{node.module}.{alias.name}." for alias in node.names}
                rooms = (
                    "__future__.",
                    "loopgraph.hook.",
                    "loopgraph.plain.",
                    "loopgraph.disk.floor.",
                )
                assert all(each.startswith(rooms) for each in found), name(module)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A workspace with a fresh run in it."""
    root = tmp_path_factory.mktemp("ws")
    shutil.copytree(ROOT / "examples/deliver", root / ".longgraph/2026-01-02-deliver")
    return root


HEAVY = ("jinja2", "questionary", "prompt_toolkit", "typer", "yaml", "difflib", "subprocess")


@pytest.mark.parametrize("call", [["status"], ["status", "--json"], ["next", "--as", "executor"]])
def test_a_call_of_every_day_loads_no_library_that_it_can_do_without(compiled, call):
    code = (
        f"import os; os.chdir({str(compiled)!r}); os._exit = lambda code: None\n"
        "os.environ.pop('LOOPGRAPH_DIR', None)\n"
        f"sys.argv = ['loopgraph', *{call!r}]\nimport loopgraph.__main__ as door\n"
        "import contextlib, io; said = io.TextIOWrapper(io.BytesIO())\n"
        "with contextlib.redirect_stdout(said): assert door.main() == 0"
    )
    loaded = loaded_by(code)
    assert "loopgraph.edges.ledger" in loaded
    assert not {module.partition(".")[0] for module in loaded} & {*HEAVY}
    rooms = {module.split(".")[1] for module in loaded if module.startswith("loopgraph.")}
    assert not rooms & {"author", "discover", "hook"}


def test_the_model_loads_the_standard_library_only():
    rooms = [f"loopgraph.model.{path.stem}" for path in (PACKAGE / "model").glob("[!_]*.py")]
    found = {module.partition(".")[0] for module in loaded_by(f"import {', '.join(rooms)}")}
    assert found - {"loopgraph"} <= set(sys.stdlib_module_names)


# The guards ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the package and its contracts, for planting breaches in."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copytree(PACKAGE, folder / "loopgraph", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def guard(house: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tool(command[0]), *command[1:]],
        cwd=house, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


LAYERS = ("lint-imports", "--no-logo", "--no-cache")
STYLE = ("ruff", "check", "--no-cache", "--select=TID251,T201", "loopgraph")


@pytest.mark.parametrize("command", [LAYERS, STYLE], ids=["lint-imports", "ruff"])
def test_the_guards_find_nothing_in_the_house_as_it_is(house, command):
    done = guard(house, *command)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("command", "room", "breach", "named"),
    [
        (LAYERS, "plain/text.py", "import msgspec", "plain.text -> msgspec"),
        (LAYERS, "check/rule.py", "import os", "check.rule -> os"),
        (LAYERS, "model/spec.py", "import loopgraph.disk.floor", "model.spec -> loopgraph.disk"),
        (LAYERS, "check/rule.py", "import loopgraph.author", "check.rule -> loopgraph.author"),
        (LAYERS, "views/topics.py", "import jinja2", "views.topics -> jinja2"),
        (STYLE, "author/resolve.py", "print(__import__('os').name)", "T201"),
        (STYLE, "author/resolve.py", "import datetime\nNOW = datetime.datetime.now()", "TID251"),
        (STYLE, "model/graph.py", "import random", "TID251"),
        (STYLE, "cli/graph.py", "import click", "TID251"),
    ],
)  # fmt: skip
def test_a_planted_breach_is_found_and_named(house, command, room, breach, named):
    module = house / "loopgraph" / room
    as_it_was = module.read_bytes()
    module.write_bytes(as_it_was + f"\n\n{breach}\n".encode())
    try:
        done = guard(house, *command)
    finally:
        module.write_bytes(as_it_was)
    assert done.returncode == 1
    assert named in done.stdout


# What is written about the house -------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_between_our_pages_leads_somewhere(page):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        if "://" in file or file.startswith("mailto:"):
            continue
        there = (page.parent / file) if file else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_the_architecture_page_names_every_room():
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rooms = [path.parent.name for path in PACKAGE.glob("*/__init__.py")]
    assert not [room for room in rooms if f"  {room}/ " not in page]


def test_the_architecture_page_shows_the_layers_that_are_held():
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    shown = re.search(r"## Layers.*?```\n(.*?)```", page, re.DOTALL)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    held = next(found for found in contracts["contracts"] if found["type"] == "layers")["layers"]
    assert shown
    assert shown[1].splitlines() == [layer.replace("loopgraph.", "") for layer in held]


def test_every_dev_command_that_a_page_names_exists():
    usage = subprocess.run(
        [sys.executable, ROOT / "dev.py", "--help"], capture_output=True, text=True, check=True
    ).stderr
    for page in PAGES[:4]:
        for command in re.findall(r"python3? dev\.py (\w+)", page.read_text("utf-8")):
            assert f"dev.py {command} " in usage, page.name


def bodies(code: CodeType) -> Iterator[CodeType]:
    """A module's code, and that of every function in it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from bodies(inner)


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_no_function_throws_away_under_the_name_that_says_messages(module: Path) -> None:
    """`for _ in …` makes `_` a local of the whole function, and each message in it a fault."""
    whole = compile(module.read_text("utf-8"), module.name, "exec")
    for body in bodies(whole):
        steps = [(one.opname, one.argval) for one in dis.get_instructions(body)]
        kept = [before[0] for before, one in pairwise(steps) if one == ("STORE_FAST", "_")]
        read = any("LOAD_FAST" in step and what == "_" for step, what in steps)
        assert not read or set(kept) == {"IMPORT_FROM"}, body.co_name
