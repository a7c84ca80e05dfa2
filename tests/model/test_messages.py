"""Every word of an error goes through the catalogue, with the values that it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parents[2] / "loopgraph"
FAMILY = ("UsageError", "UnreadableError", "RefusedError", "BusyError")
MARKS = ("_", "N_")
WORDS = re.compile(r"[A-Za-z]{2,} [A-Za-z]|[A-Za-z]{2,}\b.* \S")
COMMAND = re.compile(r"loopgraph [a-z{]")

EXCUSED = ("plain/", "hook/")
"""They import no catalogue: a hook's start is its cost, and who reads its line is an agent."""


class Said(NamedTuple):
    """A text that reaches an error without the catalogue."""

    module: str
    line: int
    text: str


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


def texts(node: ast.AST) -> Iterator[ast.expr]:
    """The texts of an expression that are not in a call of `_`, of `nearest` or the like."""
    if called(node):
        return
    if isinstance(node, ast.Constant | ast.JoinedStr):
        yield node
    elif isinstance(node, ast.IfExp):
        yield from (*texts(node.body), *texts(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from (text for value in node.values for text in texts(value))
    elif isinstance(node, ast.BinOp):
        yield from (*texts(node.left), *texts(node.right))


def spoken(text: ast.expr) -> str:
    """The words of a text that a person would read; empty where it is a command or a value."""
    if isinstance(text, ast.Constant):
        said = text.value if isinstance(text.value, str) else ""
    else:
        parts = text.values if isinstance(text, ast.JoinedStr) else []
        said = "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in parts)
    bare = said.replace("{}", "").strip(" ,.:;!?|")
    return said if WORDS.search(bare) and not COMMAND.match(said) else ""


def assigned(function: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a function puts into a name."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                yield value
            case ast.AugAssign(target=ast.Name(id=found), value=value) if found == name:
                yield value


def bare_texts(tree: ast.Module, module: str) -> Iterator[Said]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for call in ast.walk(function):
            if not isinstance(call, ast.Call):
                continue
            place = ast.unparse(call.func) == "place.refuse"
            if not (place or called(call) in FAMILY):
                continue
            own = call.args[1:] if place else call.args
            given = [*own, *(word.value for word in call.keywords if word.arg == "fix")]
            named = [
                value
                for one in given
                if isinstance(one, ast.Name)
                for value in assigned(function, one.id)
            ]
            for value in (*given, *named):
                for text in texts(value):
                    if said := spoken(text):
                        yield Said(module, text.lineno, said)


def test_no_error_is_said_outside_the_catalogue():
    found = {said for module, tree in trees() for said in bare_texts(tree, module)}
    assert not {said for said in found if not said.module.startswith(EXCUSED)}


def test_a_bare_text_of_an_error_is_found():
    source = """
def f(name):
    what = f"the run {name} is closed"
    fix = "Open it." if name else ""
    raise RefusedError(what, where="no matter here", fix=fix)
def g(place):
    place.refuse("knobs", "it is missing", _("All eight are needed"))
def h():
    raise UsageError(_("well said"), fix=nearest("a b", ["c d"]) or f"loopgraph new {1}")
"""
    found = sorted(said.text for said in bare_texts(ast.parse(source), "x.py"))
    assert found == ["Open it.", "it is missing", "the run {} is closed"]


def test_a_message_gets_the_values_that_it_names():
    for module, tree in trees():
        for call in ast.walk(tree):
            if called(call) != "_" or not isinstance(call, ast.Call) or not call.args:
                continue
            match call.args[0]:
                case ast.Constant(value=str(text)):
                    named = set(re.findall(r"\{([a-z_]+)\}", text))
                    given = {word.arg for word in call.keywords}
                    assert named == given, f"{module}:{call.lineno}"


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("locale/*/LC_MESSAGES/loopgraph.mo")), ids=str)
def test_every_message_is_translated(path: Path):
    with path.open("rb") as file:
        found: dict[str, str] = vars(GNUTranslations(file))["_catalog"]
    said = {
        call.args[0].value
        for _module, tree in trees()
        for call in ast.walk(tree)
        if called(call) in MARKS and isinstance(call, ast.Call) and call.args
        if isinstance(call.args[0], ast.Constant)
    }
    assert not {text for text in said if not found.get(str(text))}
