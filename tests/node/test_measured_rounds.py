"""A round that was measured: what was seen counts, and what the node said stands beside it."""

from __future__ import annotations

import json

import pytest

from loopgraph.edges.ledger import Net
from loopgraph.model.errors import BusyError, UsageError
from loopgraph.node import directives, rounds, slices
from loopgraph.node.directives import Packet
from loopgraph.node.measure import Lines, Measure
from loopgraph.node.rounds import Said
from tests.node.desk import Desk

SAID = Said("a", (), "ok", ("evidence/r.txt",), None, "b")
SEEN = Measure(1, (Lines("src/a.py", 5, 2),), Net(5, 2), note={"name": "R1", "tree": "t"})


@pytest.fixture
def desk():
    return Desk(name="deliver")


def record(desk, measured=SEEN, **said):
    return desk.do(rounds.record, SAID._replace(**said), measured)


def line(desk):
    return desk.files["ledger.md"].rstrip("\n").split("\n")[-1]


def told(desk, rule="claim"):
    return [one.message for one in desk.last.findings if one.rule == rule]


def test_what_was_measured_needs_no_word_of_the_node(desk):
    record(desk)
    assert "| changed: src/a.py | " in line(desk)
    assert "| net +5/-2 | " in line(desk)
    assert (desk.ledger.net, desk.ledger.convergence.m) == ((5, 2), 3)
    assert desk.last.findings == ()
    assert desk.found() == ()


@pytest.mark.parametrize(
    ("changed", "differs"),
    [
        ((), []), (("src/a.py",), []), (("src/",), []),
        (("src/a.py", "src/b.py"), ["src/b.py did not change"]),
        (("docs/x.md",), ["docs/x.md did not change; src/a.py changed without being named"]),
    ],
)  # fmt: skip
def test_paths_that_a_node_names_otherwise_are_a_finding_and_do_not_count(desk, changed, differs):
    record(desk, changed=changed)
    assert "| changed: src/a.py | " in line(desk)
    assert told(desk) == differs
    for one in desk.last.findings:
        assert (one.file, one.level) == ("ledger.md", "warning")
        assert one.line == desk.ledger.rounds[-1].line


@pytest.mark.parametrize(
    ("net", "stands", "differs"),
    [
        (None, "+5/-2", []),
        ("+5/-2", "+5/-2", []),
        ("+4/-2", "+5/-2 (claimed +4/-2)", ["net +4/-2 was claimed, +5/-2 is measured"]),
        ("+5/-1", "+5/-2 (claimed +5/-1)", ["net +5/-1 was claimed, +5/-2 is measured"]),
    ],
)
def test_net_lines_that_a_node_says_otherwise_stand_beside_the_measure(desk, net, stands, differs):
    record(desk, net=net)
    assert f"| net {stands} | " in line(desk)
    assert told(desk) == differs
    assert desk.ledger.net == (5, 2)


def test_both_may_differ_and_each_is_told(desk):
    record(desk, changed=("src/b.py",), net="+1/-1")
    assert len(told(desk)) == 2


def test_a_path_that_no_snapshot_holds_counts_where_the_node_names_it(desk):
    record(desk, SEEN._replace(left_out=("big.bin", "other.bin")), changed=("src/a.py", "big.bin"))
    assert "| changed: src/a.py, big.bin | " in line(desk)
    assert told(desk) == []


def test_lines_that_cannot_be_counted_are_as_the_node_says(desk):
    uncounted = SEEN._replace(net=None)
    record(desk, uncounted, net="+7/-1")
    assert "| changed: src/a.py | " in line(desk)
    assert "| net +7/-1 (claimed) | " in line(desk)


@pytest.mark.parametrize("measured", [None, Measure(1, None, None, note={"name": "R1"})])
def test_where_nothing_was_measured_all_of_it_is_a_claim(desk, measured):
    record(desk, measured, changed=("src/c.py",), net="+7/-1")
    assert "| changed: src/c.py | " in line(desk)
    assert "| net +7/-1 (claimed) | " in line(desk)
    assert told(desk) == []


@pytest.mark.parametrize(
    ("said", "where"),
    [({"changed": ("src/a.py",)}, "--net"), ({"net": "many"}, "--net many")],
)
def test_a_claim_names_its_lines(desk, said, where):
    with pytest.raises(UsageError) as refused:
        record(desk, None, **said)
    assert refused.value.where == where


def test_a_round_that_somebody_else_recorded_meanwhile_is_not_recorded_twice(desk):
    record(desk)
    for command, values in ((rounds.record, (SAID, SEEN)), (rounds.start, ())):
        more = {} if values else {"measured": SEEN}
        told_ = desk.refuse(command, *values, **more)
        assert isinstance(told_, BusyError)
        assert told_.what == "R1 was recorded by somebody else meanwhile"
    desk.do(rounds.start, measured=SEEN._replace(number=2))


def test_evidence_keeps_what_was_measured_and_what_was_claimed(desk):
    record(desk, changed=("src/b.py",), net="+1/-0")
    ((place, text),) = desk.last.evidence.items()
    assert place == "snapshots/R1.json"
    assert json.loads(text) == {
        "name": "R1", "tree": "t", "claimed": {"changed": ["src/b.py"], "net": "+1/-0"},
        "found": [{"rule": "claim", "message": message} for message in (
            "src/b.py did not change; src/a.py changed without being named",
            "net +1/-0 was claimed, +5/-2 is measured",
        )],
    }  # fmt: skip
    assert text.endswith("}\n")
    desk.do(rounds.start, measured=Measure(2, None, None, note={"name": "R2.start"}))
    assert json.loads(desk.last.evidence["snapshots/R2.start.json"]) == {"name": "R2.start"}
    desk = Desk(name="deliver")
    desk.do(rounds.start)
    assert desk.last.evidence == {}


def test_what_was_measured_outside_the_write_set_is_told(desk):
    desk.do(slices.change, {"Item": "a", "Write set": "src/b.py"})
    record(desk, changed=("src/b.py",))
    assert told(desk, "write-set") == ["src/a.py is outside the slice's write set"]


def test_what_was_measured_under_audit_is_refused_by_what_changed(desk):
    desk.ask(surface="src/a.py")
    refused = desk.refuse(rounds.record, SAID, SEEN)
    assert (refused.where, refused.what) == (
        "what changed", "src/a.py is under audit, or planned for the next milestone",
    )  # fmt: skip


# A stall ----------------------------------------------------------------------------------------

IDLE = Measure(1, (), Net(0, 0), idle=True, idle_before=True, note={"name": "R1"})


@pytest.mark.parametrize(
    ("measured", "said", "stalls"),
    [
        (IDLE, {}, True),
        (IDLE._replace(idle_before=False), {}, False),
        (IDLE._replace(idle=False), {}, False),
        (IDLE, {"converge": True}, False),
        (IDLE, {"evidence": ()}, True),
        (IDLE._replace(net=None), {}, True),
    ],
)
def test_two_rounds_that_changed_neither_a_file_nor_an_entry_are_a_stall(
    desk, measured, said, stalls
):
    record(desk, measured, **said)
    assert told(desk, "stall") == (["two rounds in a row changed nothing"] if stalls else [])
    assert all(
        one.fix.startswith("Say why: loopgraph finish stalled") for one in desk.last.findings
    )


def test_a_convergence_round_without_what_it_searched_is_no_exception(desk):
    desk.do(rounds.record, SAID._replace(changed=("src/a.py",), net="+0/-1"))
    more = {"converge": True, "failed": True, "evidence": ()}
    record(desk, IDLE._replace(number=2), **more)
    assert told(desk, "stall")


def test_a_round_behind_a_fold_is_no_stall(desk):
    desk.do(
        directives.add, Packet("plan", None, "R0", "mend it", "pytest", "none"), by="supervisor"
    )
    desk.do(directives.fold, "D-001", effect="x")
    record(desk, IDLE)
    assert told(desk, "stall") == []
