"""An id that two live entries bear: no command guesses which one is meant."""

from __future__ import annotations

import pytest

from loopgraph.model.errors import RefusedError
from loopgraph.node import directives, gaps, owner, rotate, standing
from loopgraph.node.directives import Packet
from loopgraph.node.gaps import Row
from loopgraph.node.owner import Question
from tests.node.desk import Desk

ROW = Row("P2", None, "x", "y", "more")
PACKET = Packet("plan", None, "none", "go on", "look", "none")


@pytest.fixture
def desk() -> Desk:
    """Two corrections, one of them folded; two cards, two standing entries, the seeded rows."""
    desk = Desk(name="deliver")
    for number in (1, 2):
        desk.do(directives.add, PACKET, by="supervisor")
        desk.do(owner.ask, Question("May we?", "now", ("no", "yes")))
        desk.do(standing.add, "SCOPE", f"part {number}", by="owner")
    desk.do(directives.fold, "D-001", effect="done")
    return desk


@pytest.mark.parametrize(
    ("file", "id_", "command", "values", "said"),
    [
        ("ledger.md", "GAP-001", gaps.close, ("GAP-001",), {"evidence": "seen"}),
        ("ledger.md", "GAP-001", gaps.merge, ("GAP-001",), {"into": "GAP-003"}),
        ("ledger.md", "GAP-001", gaps.merge, ("GAP-003",), {"into": "GAP-001"}),
        ("ledger.md", "GAP-001", gaps.add, (ROW,), {}),
        ("ledger.md", "OB-001", owner.answer, ("OB-001", "A"), {"by": "owner"}),
        ("directives.md", "S-001", standing.retire, ("S-001",), {"by": "owner"}),
        ("directives.md", "S-001", standing.replace, ("S-001", "all"), {"by": "owner"}),
        ("directives.md", "D-001", directives.add, (PACKET,), {"by": "supervisor"}),
        ("directives.md", "D-001", directives.turned, (), {"by": "supervisor"}),
        ("directives.md", "D-001", rotate.rotate, (), {"by": "supervisor"}),
        ("directives.md", "D-001", directives.fold, ("D-002",), {"effect": "done"}),
    ],
)
def test_an_id_that_was_reused_by_hand_is_named_and_nothing_is_done(  # noqa: PLR0913, PLR0917
    desk, file, id_, command, values, said
):
    twin = f"{id_[:-1]}2"
    assert twin in desk.files[file]
    desk.files[file] = desk.files[file].replace(f"{twin} ", f"{id_} ")
    before = dict(desk.files)
    with pytest.raises(RefusedError, match=f"{id_} is used twice") as told:
        desk.do(command, *values, **said)
    line = int(told.value.where.partition(":")[2])
    assert desk.files[file].splitlines()[line - 1].lstrip("|- ").startswith(id_)
    assert "next free id" in told.value.fix
    assert desk.files == before
