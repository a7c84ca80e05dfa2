"""Small faults, put into the deciding half one at a time: does a test notice?

`python -m tests.mutation` tries some of each room (`nox -s mutants`). The faults are a sample
that a seed draws, so that the same seed on the same tree gives the same figure.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import hashlib
import json
import os
import platform
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent import futures
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import coverage
import pytest
from hypothesis import HealthCheck, Phase, settings

PROJECT = Path(__file__).parents[1]
ROOMS = ("plain", "model", "edges", "node")
ASKED = (
    "tests/plain", "tests/model", "tests/edges", "tests/node", "tests/laws/test_one_next_item.py",
    "tests/laws/test_keeping_against_a_model.py", "tests/laws/test_install_and_uninstall.py",
    "tests/disk/test_installed.py", "tests/check/test_live_rules.py",
    "tests/check/test_run_rules.py",
)  # fmt: skip
"""The tests that run the deciding half in their own process, and for its own sake."""
BUDGET = 30.0
"""Seconds, without a fault, of the tests that one fault is shown to; the quickest come first."""
NEAR = 10.0
"""Of them, for those beside the module, which are asked before all others."""
_MEMORY = 4 << 30
_PATIENCE = 600
"""Seconds until a fault is a hang that takes no processor time either."""

EQUIVALENT: dict[tuple[str, str, str], str] = {}
"""(module, code, fault) that changes nothing anybody could see: why."""


# Faults ----------------------------------------------------------------------------------------

_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_READS = {
    "startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split",
    "rsplit", "find", "rfind", "index", "replace", "strip", "lstrip", "rstrip", "count", "get",
}  # fmt: skip
"""Methods that compare text: a string given to them is no message."""
_UNSAID = ("Literal", "TypeVar", "cast", "Final", "ClassVar")
_SEQUENCES = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)

Place = tuple[str | int, ...]
"""The way from the module's tree to a node: names of fields and places in lists."""


class Fault(NamedTuple):
    """One change of one place."""

    module: str
    """Below `loopgraph/`."""
    scope: str
    lines: tuple[int, int]
    """Of the statement that it changes."""
    at: int
    place: Place
    new: ast.AST
    code: str
    said: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.module, f"{self.scope}: {self.code}", self.said

    @property
    def name(self) -> str:
        return " ".join((*self.key, str(self.place)))


def faults(module: str, source: str) -> list[Fault]:
    """Every fault that we know to make of a module."""
    tree = ast.parse(source)
    lines = source.splitlines()
    found = []
    for scope, statement, place, node in _expressions(tree):
        last = statement.end_lineno or statement.lineno
        body = getattr(statement, "body", None)
        if isinstance(body, list):
            last = max(statement.lineno, body[0].lineno - 1)
        code = lines[statement.lineno - 1].strip()
        for new in _changed(node, statement):
            said = f"{_shown(node)} → {_shown(new)}"
            at = getattr(node, "lineno", statement.lineno)
            where = (statement.lineno, last)
            found.append(Fault(module, scope, where, at, place, new, code, said))
    return found


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:60]} … {text[-25:]}"


Runs = Iterator[tuple[str, ast.stmt, Place, ast.AST]]


def _expressions(tree: ast.Module) -> Runs:
    """Each node that runs, with the statement it belongs to; no annotation, no docstring."""
    for at, statement in enumerate(tree.body):
        yield from _below(statement, ("body", at), "", statement)


def _below(node: ast.AST, place: Place, scope: str, statement: ast.stmt) -> Runs:
    if isinstance(node, ast.stmt):
        if _says_nothing(node):
            return
        statement = node
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        scope = f"{scope}.{node.name}".strip(".")
    yield scope, statement, place, node
    for name, value in ast.iter_fields(node):
        if isinstance(value, list) and not _silent(node, name):
            for at, part in enumerate(value):
                if isinstance(part, ast.AST):
                    yield from _below(part, (*place, name, at), scope, statement)
        elif isinstance(value, ast.AST) and not _silent(node, name):
            yield from _below(value, (*place, name), scope, statement)


def _says_nothing(node: ast.stmt) -> bool:
    """Whether a statement is an import, a docstring or meant for the checker of types."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Global():
            return True
        case ast.Expr(ast.Constant()):
            return True
        case ast.If(test):
            return "TYPE_CHECKING" in ast.unparse(test)
        case ast.Assign([ast.Name("TYPE_CHECKING")]):
            return True
    return False


def _silent(node: ast.AST, field: str) -> bool:
    """Whether nothing under this field runs, or it only says something."""
    if field in ("annotation", "returns", "decorator_list", "type_comment", "ctx", "type_params"):
        return True
    if isinstance(node, ast.Subscript) and field == "slice":
        return ast.unparse(node.value) in _UNSAID
    if isinstance(node, ast.Call) and field in ("args", "keywords"):
        return ast.unparse(node.func) in _UNSAID
    return isinstance(node, ast.ClassDef) and field in ("bases", "keywords")


def _changed(node: ast.AST, statement: ast.stmt) -> Iterator[ast.AST]:  # noqa: C901, PLR0912
    match node:
        case ast.Compare(left, ops, comparators):
            for at, kind in enumerate(ops):
                for other in _COMPARED[type(kind)]:
                    new = [*ops[:at], other(), *ops[at + 1 :]]
                    yield ast.Compare(left, new, comparators)
            for at, part in enumerate((left, *comparators)):
                for swapped in _swapped(part):
                    parts = [left, *comparators]
                    parts[at] = swapped
                    yield ast.Compare(parts[0], ops, parts[1:])
        case ast.Call(ast.Attribute(attr=method), [*arguments]) if method in _READS:
            for at, part in enumerate(arguments):
                for swapped in _swapped(part):
                    new_arguments = [*arguments[:at], swapped, *arguments[at + 1 :]]
                    yield ast.Call(node.func, new_arguments, node.keywords)
        case ast.BoolOp(kind, values):
            yield ast.BoolOp(ast.Or() if isinstance(kind, ast.And) else ast.And(), values)
        case ast.BinOp(left, kind, right) if type(kind) in _COUNTED:
            if any(isinstance(part, _SEQUENCES) or _text(part) for part in (left, right)):
                yield left
            else:
                yield ast.BinOp(left, _COUNTED[type(kind)](), right)
        case ast.AugAssign(changed, kind, value) if type(kind) in _COUNTED:
            if not isinstance(value, _SEQUENCES) and not _text(value):
                yield ast.AugAssign(changed, _COUNTED[type(kind)](), value)
            yield ast.Pass()
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Constant(value) if isinstance(value, bool):
            yield ast.Constant(not value)
        case ast.Constant(value) if isinstance(value, int | float):
            yield ast.Constant(value + 1)
        case ast.Return(value) if value is not None and not _constant(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(ast.Call()) | ast.Raise() | ast.Delete():
            yield ast.Pass()
        case ast.Assign([ast.Attribute()] | [ast.Subscript()]):
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
    yield from _unconditional(node)


def _unconditional(node: ast.AST) -> Iterator[ast.AST]:
    """A condition is turned round as a whole, too; that of a comprehension is left out."""
    match node:
        case ast.If(ast.Compare() | ast.UnaryOp(ast.Not())):
            return
        case ast.If(test, body, other):
            turned = ast.If(ast.UnaryOp(ast.Not(), test), body, other)
            yield ast.copy_location(turned, node)
        case ast.IfExp(test, one, rest) if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), one, rest)
        case ast.comprehension(target, iterated, [_, *_], is_async):
            yield ast.comprehension(target, iterated, [], is_async)


def _swapped(part: ast.expr) -> Iterator[ast.expr]:
    """Another text in the place of one that is compared; one of several, where there are some."""
    match part:
        case ast.Constant(str() | bytes() as text):
            mark = "XX" if isinstance(text, str) else b"XX"
            yield ast.Constant(text + mark if text else mark)  # type: ignore[operator]
        case ast.Tuple(parts) | ast.Set(parts) | ast.List(parts):
            for at, inner in enumerate(parts):
                for swapped in _swapped(inner):
                    new = copy.copy(part)
                    new.elts = [*parts[:at], swapped, *parts[at + 1 :]]
                    yield new


def _text(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and isinstance(part.value, str | bytes)


def _constant(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and (part.value is None or isinstance(part.value, bool))


def broken(source: str, fault: Fault) -> str:
    """The module with the fault in it."""
    tree: Any = ast.parse(source)
    node = tree
    *way, last = fault.place
    for step in way:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    if isinstance(last, int):
        node[last] = fault.new
    else:
        setattr(node, last, fault.new)
    return ast.unparse(ast.fix_missing_locations(tree))


def drawn(room: str, seed: str, number: int, tree: Path) -> list[Fault]:
    """As many faults of a room, uniformly over its lines and then over what a line has."""

    def rank(*what: str) -> bytes:
        return hashlib.sha256("\0".join((seed, *what)).encode()).digest()

    lines: dict[tuple[str, str, str, int], list[Fault]] = {}
    for path in sorted((tree / "loopgraph" / room).rglob("*.py")):
        module = path.relative_to(tree / "loopgraph").as_posix()
        for fault in faults(module, path.read_text("utf-8")):
            if fault.key not in EQUIVALENT:
                where = (module, fault.scope, fault.code, fault.lines[0])
                lines.setdefault(where, []).append(fault)
    order = sorted(lines, key=lambda line: rank(*line[:3], str(lines[line][0].place)))
    turns = [sorted(lines[line], key=lambda fault: rank(fault.name)) for line in order]
    chosen: list[Fault] = []
    for turn in range(max(map(len, turns), default=0)):
        chosen += [found[turn] for found in turns if turn < len(found)]
    return chosen[:number]


# Tests -----------------------------------------------------------------------------------------


class Known(NamedTuple):
    """What the tests do without a fault."""

    seconds: dict[str, float]
    """Of each test that passes."""
    lines: dict[str, dict[int, list[str]]]
    """module → line → the tests that run it."""


class _Watch:
    """A pytest plugin: which test runs which line, and how long each takes."""

    def __init__(self, watched: coverage.Coverage | None, tests: list[str] | None = None) -> None:
        self.watched = watched
        self.order = {test: at for at, test in enumerate(tests or ())}
        self.process = 0
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.order:
            items[:] = sorted(
                (item for item in items if item.nodeid in self.order),
                key=lambda item: self.order[item.nodeid],
            )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        if self.watched is not None:
            self.watched.start()
            self.watched.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            if os.getpid() != self.process:  # a test has forked and not ended its child
                os._exit(1)
            if self.watched is not None:
                self.watched.switch_context("")
                self.watched.stop()  # a test that runs out of stack has ended the watch, too

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        before = self.seconds.get(report.nodeid, 0.0)
        self.seconds[report.nodeid] = before + report.duration
        if not report.passed:
            self.failed.add(report.nodeid)


def _pytest(tree: Path, scratch: Path, watch: _Watch, *arguments: str) -> int:
    """Run tests of that tree in this process, which has not seen the package yet."""
    watch.process = os.getpid()
    os.chdir(tree)
    sys.path[:] = [str(tree), *(path for path in sys.path if path not in ("", str(PROJECT)))]
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "loopgraph")]:
        del sys.modules[name]
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(scratch)
    settings.register_profile(
        "mutants", deadline=None, database=None, phases=(Phase.explicit, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow],
    )  # fmt: skip
    fixed = ("-p", "no:cacheprovider", "--hypothesis-profile=mutants", "--hypothesis-seed=0")
    quiet = ("-W", "ignore::pytest.PytestAssertRewriteWarning", "--tb=no", "-q")
    return int(pytest.main([*fixed, *quiet, *arguments], plugins=[watch]))


def _forked(work: Any, out: Path, cpu: float | None) -> tuple[int, bool]:
    """Do work in a child with a limit: its exit code, and whether it was still running then."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            os.setsid()
            if cpu is not None:
                resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 2))
                resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            to = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(to, 1)
            os.dup2(to, 2)
            code = work()
        finally:
            sys.stdout.flush()
            os._exit(code)
    until = time.monotonic() + (_PATIENCE if cpu is not None else 7200)
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done or time.monotonic() > until:
            break
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    if not done:
        os.waitpid(child, 0)
        return 98, True
    code = os.waitstatus_to_exitcode(status)
    return code, code in (-signal.SIGXCPU, -signal.SIGKILL)


def learned(tree: Path, scratch: Path) -> Known:
    """What a run of the tests without a fault shows, now or in that folder before."""
    known = scratch / "known.json"

    def work() -> int:
        here = str(tree / "loopgraph")
        watched = coverage.Coverage(data_file=None, source=[here], config_file=False)
        watch = _Watch(watched)
        watched.set_option("run:disable_warnings", ["trace-changed"])
        watched.start()  # for what runs at the import
        _pytest(tree, scratch, watch, *ASKED)
        watched.stop()
        data = watched.get_data()
        lines: dict[str, dict[int, list[str]]] = {}
        for file in data.measured_files():
            module = Path(file).relative_to(here).as_posix()
            lines[module] = {
                line: [test for test in tests if test and test not in watch.failed]
                for line, tests in data.contexts_by_lineno(file).items()
            }
        passed = {test: s for test, s in watch.seconds.items() if test not in watch.failed}
        known.write_text(json.dumps([passed, lines, sorted(watch.failed)]), "utf-8")
        return 0

    again = scratch / "again.json"

    def repeat() -> int:
        watch = _Watch(None)
        _pytest(tree, scratch, watch, *ASKED)
        again.write_text(json.dumps(sorted(watch.failed)), "utf-8")
        return 0

    if not again.exists():
        _forked(work, scratch / "learned.txt", None)
        _forked(repeat, scratch / "again.txt", None)  # as a fault meets them, with nobody watching
    seconds, lines, failed = json.loads(known.read_text("utf-8"))
    unfit = {*failed, *json.loads(again.read_text("utf-8"))}
    for test in sorted(unfit):
        _say(f"fails without a fault, is not asked: {test}")
    seconds = {test: spent for test, spent in seconds.items() if test not in unfit}
    numbered = {
        module: {int(at): [test for test in tests if test in seconds] for at, tests in of.items()}
        for module, of in lines.items()
    }
    return Known(seconds, numbered)


def asked(fault: Fault, known: Known, uses: dict[str, set[str]]) -> tuple[list[str], list[str]]:
    """The tests that run the line, those beside the module first: near, and all others."""
    lines = known.lines.get(fault.module, {})
    first, last = fault.lines
    tests = set(lines.get(fault.at, ())) or {
        t for at in range(first, last + 1) for t in lines.get(at, ())
    }
    if not tests and any(at in lines for at in range(first, last + 1)):  # it runs at the import
        tests = {test for of in lines.values() for test in of}
        using = uses.get(fault.module, set())
        for module in using:
            tests |= {test for of in known.lines.get(module, {}).values() for test in of}
        tests |= {test for test in known.seconds if test.partition("::")[0] in using}
    room, name = fault.module.split("/", 1)
    own = f"tests/{room}/test_{Path(name).stem}.py"
    order = sorted(
        tests,
        key=lambda test: (not test.startswith(own), known.seconds[test], test),
    )
    near: list[str] = []
    far: list[str] = []
    spent = 0.0
    for test in order:
        spent += known.seconds[test]
        if spent > BUDGET and (near or far):
            break
        beside = test.startswith(f"tests/{room}/") and spent <= NEAR
        (near if beside else far).append(test)
    return near, far


def users(tree: Path) -> dict[str, set[str]]:
    """module → the modules and the files of tests that import it."""
    found: dict[str, set[str]] = {}
    for path in (*(tree / "loopgraph").rglob("*.py"), *(tree / "tests").rglob("test_*.py")):
        name = path.relative_to(tree).as_posix().removeprefix("loopgraph/")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("loopgraph"):
                base = "/".join((node.module or "").split(".")[1:])
                for one in (base, *(f"{base}/{alias.name}" for alias in node.names)):
                    found.setdefault(f"{one}.py".lstrip("/"), set()).add(name)
    return found


def tried(fault: Fault | None, tree: Path, scratch: Path, tests: list[str], cpu: float) -> str:
    """What becomes of a fault: `killed`, `hung`, `survived`."""
    if not tests:
        return "survived"
    files = list(dict.fromkeys(test.split("::")[0] for test in tests))
    path = tree / "loopgraph" / (fault.module if fault else "__init__.py")
    whole = path.read_text("utf-8")
    try:
        if fault:
            path.write_text(broken(whole, fault), "utf-8")
            shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
        watch = _Watch(None, tests)
        temporary = Path(tempfile.mkdtemp(dir=scratch))
        run = lambda: _pytest(tree, temporary, watch, "-x", *files)  # noqa: E731
        code, hung = _forked(run, scratch / "last.txt", cpu)
        shutil.rmtree(temporary, ignore_errors=True)
    finally:
        path.write_text(whole, "utf-8")
        shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
    if hung:
        return "hung"
    if code == 5:
        raise RuntimeError(f"no test was found: {tests[:3]}")
    return "killed" if code else "survived"


# The figure ------------------------------------------------------------------------------------


class Score(NamedTuple):
    """What became of the faults of a room."""

    room: str
    killed: int
    hung: int
    survivors: tuple[Fault, ...]

    @property
    def number(self) -> int:
        return self.killed + self.hung + len(self.survivors)

    @property
    def share(self) -> float:
        return (self.killed + self.hung) / max(1, self.number)

    @property
    def range(self) -> tuple[float, float]:
        """Between which the share of all faults lies, nineteen times of twenty (Wilson)."""
        n, z = max(1, self.number), 1.96
        middle = (self.share + z * z / (2 * n)) / (1 + z * z / n)
        half = (
            z / (1 + z * z / n) * (self.share * (1 - self.share) / n + z * z / (4 * n * n)) ** 0.5
        )
        return max(0.0, middle - half), min(1.0, middle + half)


def measured(wanted: argparse.Namespace, known: Known, tree: Path, scratch: Path) -> list[Score]:
    """Every room, as many side by side as wanted, each in a copy of the tree of its own."""
    if wanted.jobs < 2:
        return [measure(room, wanted, known, tree, scratch) for room in wanted.rooms]
    ready = []
    with futures.ProcessPoolExecutor(wanted.jobs, get_context("fork")) as pool:
        for room in wanted.rooms:
            own, aside = tree.with_name(f"tree-{room}"), scratch.with_name(f"scratch-{room}")
            for folder in (own, aside):
                shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(tree, own, symlinks=True)
            aside.mkdir()
            ready.append(pool.submit(measure, room, wanted, known, own, aside))
        return [one.result() for one in ready]


def _honest(known: Known, tree: Path, scratch: Path) -> None:
    """Stop where the quickest tests fail though there is no fault: then nothing is measured."""
    quickest = sorted(known.seconds, key=lambda test: (known.seconds[test], test))[:200]
    if tried(None, tree, scratch, quickest, 120) != "survived":
        raise RuntimeError((scratch / "last.txt").read_text("utf-8")[-2000:])


def measure(
    room: str, wanted: argparse.Namespace, known: Known, tree: Path, scratch: Path
) -> Score:
    uses = users(tree)
    _honest(known, tree, scratch)
    ends = {"killed": 0, "hung": 0}
    survivors = []
    for fault in drawn(room, wanted.seed, wanted.number, tree):
        near, far = asked(fault, known, uses)
        end = "survived"
        for tests in (near, far):
            if end == "survived":
                seconds = sum(known.seconds[test] for test in tests)
                end = tried(fault, tree, scratch, tests, 15 + 4 * seconds)
        if end == "survived":
            survivors.append(fault)
            _say(
                f"survived: {fault.module}:{fault.at}: {fault.scope}: {fault.code}\n"
                f"          {fault.said}   ({len(near) + len(far)} tests)"
            )
        else:
            ends[end] += 1
            if wanted.verbose:
                _say(f"{end}: loopgraph/{fault.module}:{fault.at}: {fault.said}")
    return Score(room, ends["killed"], ends["hung"], tuple(survivors))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def table(scores: list[Score]) -> str:
    """A row for each room."""
    head = "| room | faults | noticed | of them by a hang | score | 95 % interval |\n"
    rows = [
        f"| `{score.room}` | {score.number} | {score.killed + score.hung} | {score.hung} "
        f"| **{score.share:.0%}** | {score.range[0]:.0%} to {score.range[1]:.0%} |\n"
        for score in scores
    ]
    return f"{head}|---|---|---|---|---|---|\n{''.join(rows)}"


PAGE = """# Mutants

Made by `nox -s mutants -- --write`: small faults, put into the deciding half one at a time. A fault
is noticed where a test fails that passes without it. Faults are drawn by a seed, uniformly over the
lines that run; no annotation, no docstring and no wording is changed. A fault is shown to the tests
that run its line in their own process, the nearest first, for at most {budget:.0f} seconds of them:
what only a test of the whole program would notice counts as survived.

{table}
- Seed `{seed}`, {number} faults a room, {day}; {left_out}.
- CPython {python}
- The Stop hook has faults of its own, one by one for each clause: tests/hook/mutants.py.
"""


def _left_out() -> str:
    if not EQUIVALENT:
        return "none is left out, though some change nothing that anybody could see"
    return (
        f"{len(EQUIVALENT)} are left out, since they change nothing that anybody could see: "
        "`EQUIVALENT` in tests/mutation.py says why of each"
    )


def main() -> int:
    """Print what survives and a score for each room; 1 where one is below the limit."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=ROOMS, metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--seed", default="1", help="which faults are drawn (1)")
    parser.add_argument("--number", type=int, default=120, help="faults for each room (120)")
    parser.add_argument("--least", type=float, default=0.8, help="the least score (0.8)")
    parser.add_argument("--folder", type=Path, help="keep the copy and what was learned there")
    parser.add_argument("--jobs", type=int, default=1, help="rooms at a time (1)")
    parser.add_argument("--write", action="store_true", help="write docs/mutants.md")
    parser.add_argument("--verbose", action="store_true", help="tell of each fault")
    wanted = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = wanted.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        tree, scratch = folder.resolve() / "tree", folder.resolve() / "scratch"
        if not tree.exists():
            ignored = shutil.ignore_patterns(
                ".venv", ".git", ".nox", "__pycache__", ".*_cache", ".hypothesis"
            )
            shutil.copytree(PROJECT, tree, ignore=ignored, symlinks=True)
            scratch.mkdir()
        known = learned(tree, scratch)
        scores = measured(wanted, known, tree, scratch)
    _say(table(scores))
    if wanted.write:
        said = PAGE.format(
            budget=BUDGET, table=table(scores), seed=wanted.seed, number=wanted.number,
            day=time.strftime("%Y-%m-%d", time.gmtime()), left_out=_left_out(),
            python=platform.python_version(),
        )  # fmt: skip
        (PROJECT / "docs/mutants.md").write_text(said, "utf-8", newline="\n")
    return int(any(score.share < wanted.least for score in scores))


if __name__ == "__main__":
    sys.exit(main())
