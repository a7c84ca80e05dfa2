"""A round that has begun is recorded before its milestone or its run is handed on."""

from __future__ import annotations

from loopgraph.node import finish, promotion, rounds
from loopgraph.node.rounds import Said
from tests.node.desk import Desk


def test_neither_a_milestone_nor_the_end_is_asked_for_inside_a_round():
    desk = Desk(name="deliver")
    desk.do(rounds.start, item="the survey")
    row = {"surface": "src/a.py", "evidence": "evidence/log.txt"}
    for told in (
        desk.refuse(promotion.request, desk.ledger.milestone, **row),
        desk.refuse(finish.exit_ready, why="done"),
        desk.refuse(rounds.start, item="another"),
    ):
        assert told.what == "R1 is under way already"
        assert told.fix == "Record it: loopgraph round record"
    desk.do(rounds.record, Said(None, ("src/a.py",), "ok", (), "+1/-0", "the next"))
    desk.ask()
    assert desk.ledger.gate == "pending-audit"
