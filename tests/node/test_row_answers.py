"""An owner without commands answers in the card's own row: everybody reads it, one takes it in."""

from __future__ import annotations

import pytest

from loopgraph.check import run_rules
from loopgraph.edges import history
from loopgraph.edges.beside import Beside
from loopgraph.model.errors import RefusedError
from loopgraph.node import call as parts_of
from loopgraph.node import directives, fire, owner, rotate, rounds, slices
from loopgraph.node.owner import Question
from loopgraph.node.rounds import Said
from loopgraph.plain import law
from loopgraph.views import history as view
from loopgraph.views import status
from tests.node.desk import Desk

ASKED = Question("drop the old table?", "M-1 waits", ("keep it", "drop it"))


def asked(by="executor", why=ASKED.why, **more):
    desk = Desk()
    desk.do(owner.ask, ASKED._replace(why=why, **more), by=by)
    return desk


def answered(letter="B", by="executor", **more):
    desk = asked(by, **more)
    file = "directives.md" if by == "supervisor" else "ledger.md"
    end = " (a relayed answer will do) |" if more.get("relay") else " |"
    desk.edit(file, f"M-1 waits{end}", f"M-1 waits{end.rstrip('|')}owner: {letter} |")
    return desk


def decisions(desk):
    archive = {"decisions.md": desk.archive.get("decisions", "")}
    return view.decided(history.decisions(history.Texts(dict(desk.files), archive)))


def parts(desk, kind, role="executor"):
    found = fire.hot_start(desk.run, Beside(), role)
    return [part for part in found.parts if part.kind == kind]


def record(desk, **more):
    said = {"item": "build", "changed": ("src/a.py",), "result": "ok", "evidence": ("log",)}
    said |= {"net": "+3/-1", "next": "build more"}
    desk.do(rounds.record, Said(**{**said, **more}))


def test_a_run_waits_for_a_card_and_no_longer_when_its_row_is_answered():
    desk = asked()
    assert shown(desk).waits == "card"
    assert law.Board(desk.files["ledger.md"]).cards == ["OB-001"]
    desk = answered()
    assert shown(desk).waits is None
    assert shown(desk).cards == ()
    assert law.Board(desk.files["ledger.md"]).cards == []


def shown(desk):
    return status.summarise(desk.run, "r", Beside(), run_rules.findings(desk.run))


def test_a_row_answer_frees_the_item_that_shares_an_id_with_its_card():
    desk = asked()
    desk.edit("ledger.md", "drop the old table?", "drop the table of GAP-009?")
    desk.do(slices.change, {"Item": "build what GAP-009 says"})
    assert "build what GAP-009 says" not in legal(desk)
    desk.edit("ledger.md", "M-1 waits |", "M-1 waits owner: A |")
    assert legal(desk) == ["build what GAP-009 says"]


def legal(desk):
    return [item.text for item in law.Board(desk.files["ledger.md"]).lane([])]


@pytest.mark.parametrize(("by", "other"), [("executor", "supervisor"), ("supervisor", "executor")])
def test_next_tells_both_nodes_and_gives_the_command_to_the_one_whose_card_it_is(by, other):
    desk = answered(by=by)
    (part,) = parts(desk, "answer", by)
    assert part.says == "OB-001 was answered B in its row, by hand: drop it"
    assert part.commands == (f"loopgraph owner answer OB-001 --from-row --as {by}",)
    (part,) = parts(desk, "answer", other)
    assert part.commands == ()
    assert not parts(desk, "card", by)


@pytest.mark.parametrize("by", ["executor", "supervisor"])
def test_the_command_moves_the_row_to_the_archive_and_keeps_the_answer_below(by):
    desk = answered(by=by)
    file = "directives.md" if by == "supervisor" else "ledger.md"
    desk.do(owner.from_row, "OB-001", by=by)
    assert "OB-001 | drop the old table?" in desk.archive["decisions"]
    assert "owner: B" in desk.archive["decisions"]
    line = "- OB-001 · B · by hand · after R0 · drop the old table?: drop it"
    assert line in desk.files[file].split("\n")
    (part,) = parts(desk, "answer", by)
    assert "by hand in its row: drop the old table?: drop it" in part.says
    assert not [one for one in desk.found() if "LG223" in one]


def test_another_node_than_the_writer_takes_no_row_in():
    with pytest.raises(RefusedError, match="directives"):
        answered(by="supervisor").do(owner.from_row, "OB-001", by="executor")


def test_a_round_takes_row_answers_in_by_itself():
    desk = answered()
    desk.do(rounds.start, item="build")
    assert any("OB-001 was answered B in its row" in line for line in desk.last.says)
    assert "by hand" in desk.files["ledger.md"]
    assert "| OB-001" in desk.archive["decisions"]
    other = answered()
    record(other)
    assert "- OB-001 · B · by hand" in other.files["ledger.md"]


def test_a_card_that_is_answered_in_its_row_takes_no_place_of_another():
    desk = answered()
    for number in range(parts_of.knob(desk.run, "OWNER_CAP") - 1):
        desk.do(owner.ask, ASKED._replace(decision=f"question {number}?"))
    desk.do(owner.ask, ASKED._replace(decision="one more?"))
    assert "- OB-001 · B · by hand" in desk.files["ledger.md"]
    assert not [one for one in desk.found() if "LG224" in one]


def test_an_audit_takes_row_answers_of_the_supervisors_cards_in():
    desk = answered(by="supervisor")
    record(desk)
    desk.do(directives.audited, through=1, by="supervisor")
    assert "- OB-001 · B · by hand" in desk.files["directives.md"]


def test_an_answer_stands_in_the_file_until_both_nodes_have_worked_since():
    desk = asked()
    desk.do(owner.answer, "OB-001", "A", by="owner")
    for _ in range(3):
        record(desk)
    assert "- OB-001 · A · owner" in desk.files["ledger.md"]  # the supervisor has not looked
    desk.do(directives.audited, through=3, by="supervisor")
    record(desk)
    assert "- OB-001" not in desk.files["ledger.md"]
    assert "- OB-001 · A · owner" in desk.archive["decisions"]


def test_an_answer_to_the_supervisor_stands_until_the_executor_has_begun_and_closed_a_round():
    desk = asked(by="supervisor")
    record(desk)
    desk.do(owner.answer, "OB-001", "A", by="owner")
    record(desk)  # may have been under way
    desk.do(directives.audited, through=2, by="supervisor")
    desk.do(rotate.rotate, by="supervisor")
    assert "- OB-001 · A" in desk.files["directives.md"]
    record(desk)
    desk.do(rotate.rotate, by="supervisor")
    assert "- OB-001 · A" not in desk.files["directives.md"]


def test_decisions_name_a_row_answer_as_what_it_is():
    desk = answered()
    found = decisions(desk)
    assert view.decisions(found).split("\n")[:2] == [
        "OB-001 answered in the row: drop the old table?",
        "  B by hand, not proven: drop it",
    ]
    assert not found.cards[0].open
    desk.do(owner.from_row, "OB-001")
    taken = view.decisions(decisions(desk)).split("\n")
    assert taken[0] == "OB-001 answered: drop the old table?"
    assert taken[1].startswith("  B by hand, not proven, R0:")


def test_a_card_that_any_answer_will_do_for_is_answered_by_hand_and_no_more_is_said():
    assert "B by hand: drop it" in view.decisions(decisions(answered(relay=True)))


def test_a_letter_that_the_card_lacks_answers_nothing_and_is_a_finding():
    desk = answered("C")
    assert shown(desk).waits == "card"
    assert any("only A or B answers it" in one for one in desk.found())
    with pytest.raises(RefusedError, match="none of its letters"):
        desk.do(owner.from_row, "OB-001")
    with pytest.raises(RefusedError, match="no answer stands") as error:
        asked().do(owner.from_row, "OB-001")
    assert "`owner: LETTER`, one of A, B" in error.value.fix


def test_no_command_of_a_node_writes_what_reads_as_the_owners_answer():
    for why in ("we asked owner: A", "**Owner**: b", "owner：A。"):
        with pytest.raises(RefusedError, match="owner's own answer"):
            asked(why=why)


def test_a_relayed_answer_does_not_pass_over_what_the_row_says():
    with pytest.raises(RefusedError, match="answered in its row: B") as error:
        answered().do(owner.answer, "OB-001", "A", relayed=True)
    assert "--from-row" in error.value.fix


def test_the_owners_own_command_outranks_the_row():
    desk = answered()
    desk.do(owner.answer, "OB-001", "A", by="owner")
    assert "- OB-001 · A · owner" in desk.files["ledger.md"]
