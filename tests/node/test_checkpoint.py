"""When the supervisor may commit, and what the commit says."""

from __future__ import annotations

import re

import pytest

from loopgraph.model.errors import RefusedError
from loopgraph.node import checkpoint, directives, rounds, standing
from loopgraph.node.call import Call
from loopgraph.node.results import Result
from loopgraph.node.rounds import Said
from tests.node.desk import EXECUTOR, NOW, OWNER, SUPERVISOR, Desk

PASSED = Result("G-1", "supervisor", "2026-01-02T03:00:00Z", passed=True, tree="t", evidence="e")
LATER = PASSED._replace(time="2026-01-02T04:00:00Z")


@pytest.fixture
def desk():
    desk = Desk(name="deliver")
    for entry in desk.directives.standing:
        desk.do(standing.retire, entry.id, by="owner")
    desk.do(rounds.record, Said("a", ("src/a.py",), "ok", ("evidence/r.txt",), "+1/-0", "b"))
    return desk


def audited(desk, **named):
    desk.do(standing.add, "AUTHORITY", f"{checkpoint.GRANTS[0]}.", by="owner")
    desk.do(directives.audited, through=1, by="supervisor", **named)
    return desk


def basis(desk, *gathered, by=SUPERVISOR, tree="t"):
    return checkpoint.basis(desk.run, Call(by, NOW), gathered, tree)


def test_audited_rounds_on_a_tree_that_passed_may_be_committed(desk):
    found = basis(audited(desk), LATER._replace(check="G-2"), PASSED)
    assert found == (1, ("G-1", "G-2"))
    assert checkpoint.message("2026-run", found) == (
        "Checkpoint of 2026-run through R1\n\nAudited through R1; passed on this tree: G-1, G-2."
        "\n\nLoopgraph-Run: 2026-run\nLoopgraph-Audited-Through: R1\n"
    )


def test_the_commit_says_what_the_gates_saw_besides():
    on = checkpoint.Basis(2, ("G-1",))
    assert "passed on this tree (3 more uncommitted): G-1." in checkpoint.message("run", on, 3)


@pytest.mark.parametrize(
    ("count", "told"), [(1, r"a0 \(1\)$"), (5, r"a3, a4 \(5\)$"), (6, r"a3, a4 … \(6\)$")]
)
def test_bytes_that_lie_there_otherwise_than_was_audited_are_refused_by_path(count, told):
    checkpoint.same(7, ())
    with pytest.raises(RefusedError) as caught:
        checkpoint.same(7, [f"a{number}" for number in range(count)])
    assert re.search(f"other bytes than R7 left: .*{told}", caught.value.what)


def test_without_a_grant_only_the_owner_commits(desk):
    desk.do(directives.audited, through=1, by="supervisor")
    with pytest.raises(RefusedError, match="STANDING grants no commit"):
        basis(desk, PASSED)
    assert basis(desk, PASSED, by=OWNER).through == 1


def test_the_executor_commits_nothing(desk):
    with pytest.raises(RefusedError, match="directives"):
        basis(audited(desk), PASSED, by=EXECUTOR)


@pytest.mark.parametrize(
    ("kind", "text", "granted"),
    [
        ("AUTHORITY", checkpoint.GRANTS[0], True), ("PRE-AUTH", checkpoint.GRANTS[1], True),
        ("SCOPE", checkpoint.GRANTS[0], False), ("AUTHORITY", "docs only", False),
    ],
)  # fmt: skip
def test_a_grant_is_an_authority_in_the_words_of_either_language(desk, kind, text, granted):
    assert not checkpoint.granted(desk.directives)
    desk.do(standing.add, kind, text, by="owner")
    assert checkpoint.granted(desk.directives) is granted


def test_before_any_audit_nothing_is_committed(desk):
    desk.do(standing.add, "AUTHORITY", checkpoint.GRANTS[0], by="owner")
    with pytest.raises(RefusedError, match="no round is audited yet"):
        basis(desk, PASSED)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("directives.md", "Audited through: R1", "Audited through: none"),
        ("ledger.md", "Round: 1 |", "Round: many |"),
    ],
)
def test_where_nobody_knows_how_far_the_audit_went_nothing_is_committed(desk, file, old, new):
    audited(desk).edit(file, old, new)
    with pytest.raises(RefusedError, match="no round is audited yet"):
        basis(desk, PASSED, by=OWNER)


@pytest.mark.parametrize(
    "gathered",
    [
        (), (PASSED._replace(node="executor"),), (PASSED._replace(tree="u"),),
    ],
)  # fmt: skip
def test_a_gate_counts_that_a_judge_ran_on_the_tree_as_it_is(desk, gathered):
    with pytest.raises(RefusedError, match="no gate of yours passed on the tree as it is"):
        basis(audited(desk), *gathered)


def test_the_last_result_of_each_gate_on_the_tree_decides(desk):
    audited(desk)
    red = LATER._replace(passed=False)
    for other in ("G-2", "G-3"):
        with pytest.raises(RefusedError, match=f"G-1, {other} failed on this tree"):
            basis(desk, red, PASSED, red._replace(check=other))
    assert basis(desk, LATER, PASSED._replace(passed=False)).checks == ("G-1",)
    assert basis(desk, PASSED, red._replace(tree="u"), red._replace(node="executor"))
    assert basis(desk, PASSED._replace(node="owner")).checks == ("G-1",)
