"""Cost and size grow with what is live, never with the history."""

from loopgraph.node import rounds
from loopgraph.node.rounds import Said
from tests.node.desk import Desk

ROUNDS = 600


def test_hundreds_of_rounds_leave_the_live_files_as_they_were_after_a_few():
    desk = Desk(name="deliver")
    sizes = []
    for number in range(ROUNDS):
        due = desk.ledger.convergence.due
        net = "+0/-4" if due else "+3/-0"
        said = Said("an item", ("a.py",), "ok", (), net, f"item {number % 7}", converge=due)
        desk.do(rounds.record, said)
        sizes.append(len(desk.files["ledger.md"]))
    assert max(sizes[50:]) - min(sizes[50:]) < 200
    assert desk.ledger.round == ROUNDS
    assert desk.archive["rounds"].count("\n") == ROUNDS - 5
    assert desk.found() == ()
