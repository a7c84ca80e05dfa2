"""Gates: which command one is, how it is started, how its result is kept and told."""

from __future__ import annotations

import json

import pytest

from loopgraph.edges.ops import GateRow
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.node import gate_runs, results
from loopgraph.node.call import Call
from loopgraph.node.results import Check, Result
from tests.node.desk import EXECUTOR, NOW, SCOUT, Desk


@pytest.fixture
def run():
    return Desk(name="deliver").run


def row(command=None, cost=None):
    return GateRow(1, "G-1", "tests", command, cost, "no")


@pytest.mark.parametrize(
    ("said", "command"),
    [("`pytest -q`", "pytest -q"), ("look at `a`", ""), ("look", ""), (None, ""), ("``", "")],
)
def test_the_command_of_a_gate_stands_in_a_code_span_at_its_beginning(said, command):
    assert gate_runs.command(row(said)) == command


def test_the_gates_of_a_run_are_known_by_id_and_each_command_once(run):
    assert gate_runs.commands(run) == ("pytest -q", "ruff check")
    assert gate_runs.command(gate_runs.gate(run, "G-1")) == "pytest -q"
    assert gate_runs.command(gate_runs.gate(run, "G-2")) == "ruff check"
    with pytest.raises(UsageError, match=r"G-9: no such gate\. Did you mean G-"):
        gate_runs.gate(run, "G-9")


def test_a_gate_that_is_not_the_one_of_the_record_is_refused_with_its_line():
    desk = Desk(name="deliver")
    line = next(
        at for at, said in enumerate(desk.files["ops.md"].split("\n"), 1) if "| G-1" in said
    )
    text = desk.files["ops.md"].split("\n")
    text[line - 1] = text[line - 1].replace("`pytest -q`", "`true`")
    desk.files["ops.md"] = "\n".join(text)
    with pytest.raises(RefusedError, match=rf"ops\.md:{line}: G-1 is not the gate"):
        gate_runs.gate(desk.run, "G-1")
    assert gate_runs.gate(desk.run, "G-2")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("pytest -q 'a b'", ("pytest", "-q", "a b")),
        ("make CC=gcc", ("make", "CC=gcc")),
        ("CC=gcc make", ("sh", "-c", "CC=gcc make")),
        ("a | b", ("sh", "-c", "a | b")), ("a && b", ("sh", "-c", "a && b")),
        ("ls *.py", ("sh", "-c", "ls *.py")), ("it's open", ("sh", "-c", "it's open")),
    ],
)  # fmt: skip
def test_a_command_is_started_by_a_shell_only_where_it_needs_one(said, words):
    assert gate_runs.words(said, "posix") == words
    assert gate_runs.words(said, "powershell") == (
        "powershell", "-NoProfile", "-NonInteractive", "-Command", said,
    )  # fmt: skip


RESULT = Result("G-1", "executor", "2026-01-02T03:04:05Z", passed=True, tree="t", evidence="exit 0")
PLACE = "gates/2026-01-02T03-04-05Z-G-1-executor.json"


def store(result=RESULT, **more):
    return gate_runs.store(Call(EXECUTOR, NOW), result, more, beside=("and this",))


def test_a_result_is_kept_with_its_output_and_read_back():
    change = store(output=["a", "b"])
    assert results.read(change.evidence[PLACE]) == RESULT
    assert json.loads(change.evidence[PLACE])["output"] == ["a", "b"]
    assert change.evidence[PLACE].endswith("}\n")
    assert change.says == ("G-1 passed: exit 0", "and this")


def test_a_failure_is_told_by_its_last_lines_and_where_the_rest_is():
    failed = RESULT._replace(passed=False, evidence="exit 1", node="a b")
    change = store(failed, output=["0", "1 ", " ", "2", "3", "4", "5"])
    place = PLACE.replace("executor", "a-b")
    assert change.says == (
        "G-1 failed: exit 1", "  1", "  2", "  3", "  4", "  5",
        f"The rest of it: evidence/{place}", "and this",
    )  # fmt: skip
    assert results.read(change.evidence[place]) == failed
    assert store(failed).says == ("G-1 failed: exit 1", "and this")


def test_a_scout_runs_no_gate():
    with pytest.raises(RefusedError, match="gate run"):
        gate_runs.store(Call(SCOUT, NOW), RESULT, {})


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        ([], ""),
        (["a.log"], "it left a new file: a.log"),
        (["b", "a/x", "a/y"], "it left 3 new files: a/…, b"),
        (["a", "b", "c", "d"], "it left 4 new files: a, b, c, d"),
        (["e", "a", "b", "c", "d"], "it left 5 new files: a, b, c, d, …"),
    ],
)
def test_what_a_gate_leaves_behind_is_told_in_a_line(paths, said):
    told = gate_runs.left(paths)
    assert told == (
        f"{said} (ignore or remove them: they count as somebody's work)" if said else ""
    )


@pytest.mark.parametrize(
    ("cost", "metered"),
    [
        ("money: 0.40 USD", True), ("`Risk`", True), ("*money*", True), ("minutes", False),
        ("seconds: money", False), (None, False), ("", False),
    ],
)  # fmt: skip
def test_a_gate_costs_more_than_time_where_it_says_so(cost, metered):
    assert gate_runs.metered(row(cost=cost)) is metered


def test_a_gate_that_cannot_start_has_a_way_forward():
    said = gate_runs.ways(row())
    assert "loopgraph gap add 'G-1 cannot start' --priority P0" in said
    assert "--verify 'loopgraph gate run G-1'" in said


def test_an_output_is_kept_from_its_end_without_codes_and_credentials():
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    assert gate_runs.clean(f"a\r\n\x1b[31mred\n{key} here\n\tb\n")[-2:] == [
        "[an AWS access key was here]", "\tb",
    ]  # fmt: skip
    assert gate_runs.clean("a\nb") == ["a", "b"]
    assert gate_runs.clean("a\n\n") == ["a", ""]
    assert gate_runs.clean("") == []
    assert "\x1b" not in "".join(gate_runs.clean("\x1b[31mred"))
    long = gate_runs.clean("x" * gate_runs.OUTPUT + "y\n")
    assert [len(line) for line in long] == [gate_runs.OUTPUT - 1]


def test_what_somebody_saw_is_the_outcome_of_a_check_of_a_milestone(run):
    checks = [c.id for m in run.record.spec.milestones for c in results.checks(m.id, m.exit_checks)]
    seen = next(check for check in checks if check not in ("G-1", "G-2"))
    assert gate_runs.observed(run, f"{seen}=pass") == (seen, True)
    assert gate_runs.observed(run, f"{seen}=fail") == (seen, False)
    assert gate_runs.observed(run, f"{seen.lower()}=PASS") == (seen, True)
    assert gate_runs.observed(run, f"{seen}=Fail") == (seen, False)
    with pytest.raises(UsageError, match="Say CHECK=pass or CHECK=fail"):
        gate_runs.observed(run, f"{seen}=pass|fail")  # as it is printed, nothing is said


@pytest.mark.parametrize("said", ["M-1.1", "M-1.1=", "M-1.1=maybe", "=", "pass"])
def test_an_outcome_is_pass_or_fail(run, said):
    with pytest.raises(UsageError, match="no result"):
        gate_runs.observed(run, said)


def test_nobody_observes_a_command_or_a_check_that_is_not_there(run):
    with pytest.raises(RefusedError, match=r"--result G-1=pass: G-1 is a command\. Run it\."):
        gate_runs.observed(run, "G-1=pass")
    with pytest.raises(UsageError, match=r"--result M-9\.9=pass: no such check\. (Did|Known)"):
        gate_runs.observed(run, "M-9.9=pass")


def test_an_exit_check_is_its_gates_and_every_other_part_by_its_place():
    said = "G-1 and G-2 pass; the page is read；; G-1 again ; seen"
    assert results.checks("M-2", said) == (
        Check("G-1", "G-1 again"), Check("G-2", "G-1 and G-2 pass"),
        Check("M-2.2", "the page is read"), Check("M-2.4", "seen"),
    )  # fmt: skip
    assert results.checks("M-2", " ; ") == ()


def test_the_last_result_of_a_check_by_one_of_the_judges_counts():
    later = RESULT._replace(time="2026-01-03", passed=False)
    given = [later, RESULT, RESULT._replace(node="scout", time="2027"), later._replace(check="G-2")]
    assert results.newest(given, "G-1", ("executor", "owner")) == later
    assert results.newest(given, "G-1", ("supervisor",)) is None


@pytest.mark.parametrize(
    "source", ["", "no", "[]", "{}", '{"check": "G-1"}', results.write(RESULT, {"tree": 3})]
)
def test_what_is_no_result_is_passed_over(source):
    assert results.read(source) is None


@pytest.mark.parametrize("passed", [False, 1, "true", None])
def test_only_true_is_a_pass(passed):
    found = results.read(results.write(RESULT, {"passed": passed}))
    assert found
    assert found.passed is False
