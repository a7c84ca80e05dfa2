"""What a command answers to a program fits the schema that is published for it."""

import fastjsonschema

from loopgraph.model.finding import Finding
from loopgraph.node import rounds
from loopgraph.views import acts
from tests.node.desk import Desk


def test_an_answer_fits_its_schema():
    desk = Desk(name="deliver")
    change = desk.do(rounds.record, rounds.Said("a", ("b",), "ok", (), "+1/-0", "c"))
    odd = change._replace(
        findings=(Finding("stall", "ledger.md", 3, "two rounds", level="warning"),)
    )
    fits = fastjsonschema.compile(acts.schema())
    for answer in (
        acts.data("run", change, (), ""),
        acts.data("run", odd, ("R1 is out",), "full"),
    ):
        assert fits(answer) == answer
    assert acts.data("run", change, (), "")["files"] == ["ledger.md"]
