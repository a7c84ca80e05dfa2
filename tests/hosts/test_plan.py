"""A plan in the real clients: a session is sent back until its work is done."""

from __future__ import annotations

import pytest

from tests.hosts.conftest import ALL

PLAN = """# Launch

## TODOs

- [ ] 1. Write the page
- [ ] 2. Check the links
- [ ] 3. Tell the others
"""


def tick(number: int) -> dict[str, str]:
    """The agent ticks a row."""
    return {"run": f"sed -i.old 's/- \\[ \\] {number}\\./- [x] {number}./' plans/launch.md"}


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_session_that_stops_early_is_sent_back_until_its_plan_is_complete(desk):
    desk.write("plans/launch.md", PLAN)
    turn = desk.turn(
        "Work through plans/launch.md.",
        {"run": "loopgraph plan start plans/launch.md"},
        {"say": "The plan is read; I stop here."},
        tick(1),
        {"say": "The first row is done."},
        tick(2),
        tick(3),
        {"say": "All rows are done."},
        {"run": "mkdir notes && echo 'both links answered' > notes/proof.md"},
        {"run": "loopgraph plan complete launch --evidence notes/proof.md"},
        {"say": "ORCHESTRATION COMPLETE"},
    )
    assert (turn.code, turn.overrun) == (0, 0), turn
    one, two, gate = turn.reasons
    assert "3 of 3 rows are open" in one
    assert "Next open row: `1. Write the page`" in one
    assert "2 of 3 rows are open" in two
    assert "Next open row: `2. Check the links`" in two
    assert "0 of 3 rows are open" in gate
    assert "final gate pending" in gate
    assert desk.log() == ["block", "block", "block", "go no-claim"], turn
