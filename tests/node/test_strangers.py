"""An id that is not there: the nearest is offered, and an empty table says that it is empty."""

from __future__ import annotations

import pytest

from loopgraph.model.errors import LoopgraphError
from loopgraph.node import context, gaps, gate_runs, owner, promotion, standing
from loopgraph.node.owner import Question
from tests.node.desk import Desk

CARD = Question("Go?", "the path needs it", ("wait", "go"))


def refused(desk, command, *values, by="executor", **named):
    with pytest.raises(LoopgraphError) as caught:
        desk.do(command, *values, by=by, **named)
    return str(caught.value)


@pytest.fixture
def desk():
    return Desk(name="deliver")


def without(desk, file, begins):
    """Somebody takes rows out by hand."""
    kept = [line for line in desk.files[file].split("\n") if not line.startswith(begins)]
    desk.files[file] = "\n".join(kept)


def test_a_row_of_the_context_index(desk):
    desk.do(context.add, use_when="reading", read="docs/a.md", verify="look")
    said = refused(desk, context.replace, "C-99", read="x")
    assert said.startswith("C-99: no such row in the context index. ")
    assert "C-0" in said
    assert "nothing to replace" in refused(desk, context.replace, "C-01")
    without(desk, "ops.md", "| C-")
    assert refused(desk, context.replace, "C-99", read="x").endswith("The index is empty.")
    assert desk.do(context.add, use_when="a", read="b", verify="c").says == ("C-01 added.",)


def test_a_row_of_the_context_index_is_replaced_cell_by_cell(desk):
    id_ = (
        desk.do(context.add, use_when="reading", read="docs/a.md", verify="look").says[0].split()[0]
    )
    assert desk.do(context.replace, id_, verify="ls docs").says == (f"{id_} replaced.",)
    assert f"| {id_} | reading | docs/a.md | ls docs |" in desk.files["ops.md"]


def test_a_debt_row(desk):
    assert "GAP-00" in refused(desk, gaps.close, "GAP-099", evidence="x").partition("row. ")[2]
    for row in desk.ledger.gaps:
        desk.do(gaps.close, row.id, evidence="seen")
    assert refused(desk, gaps.close, "GAP-099", evidence="x").endswith("The register is empty.")


def test_a_card(desk):
    assert refused(desk, owner.answer, "OB-009", "A", by="owner").endswith("No card waits.")
    desk.do(owner.ask, CARD)
    assert "OB-001" in refused(desk, owner.answer, "OB-009", "A", by="owner")


def test_a_gate(desk):
    with pytest.raises(LoopgraphError, match=r"no such gate\. Did you mean G-"):
        gate_runs.gate(desk.run, "G-9")
    without(desk, "ops.md", "| G-")
    with pytest.raises(LoopgraphError, match=r"no such gate\. ops\.md has no gates\."):
        gate_runs.gate(desk.run, "G-9")


def test_a_standing_entry(desk):
    desk.do(standing.add, "SCOPE", "docs only", by="owner")
    assert "S-0" in refused(desk, standing.retire, "S-099", by="owner")


def test_a_milestone(desk):
    said = refused(desk, promotion.accept, "M-9", (), tree="t", by="supervisor")
    assert said.startswith("M-9: no such milestone. Did you mean M-")
