"""Decision cards: how one is put, in which file it stands, and whose answer it takes."""

from __future__ import annotations

import pytest

from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.node import call as parts
from loopgraph.node import finish, owner
from loopgraph.node.owner import Question
from tests.node.desk import Desk

CARD = Question("Go?", "the path needs it", ("wait", "go", "drop"))


@pytest.fixture
def desk():
    return Desk(name="deliver")


def ask(desk, by="executor", **changes):
    return desk.do(owner.ask, CARD._replace(**changes), by=by)


def row(desk, file="ledger.md"):
    return next(line for line in desk.files[file].split("\n") if line.startswith("| OB-"))


@pytest.mark.parametrize(
    ("changes", "cells"),
    [
        ({}, "Go? | A: wait | B: go; C: drop | the path needs it"),
        ({"options": ("wait",)}, "Go? | A: wait | none | the path needs it"),
        ({"options": ("wait", "go")}, "Go? | A: wait | B: go | the path needs it"),
        ({"because": "it is safe"},
         "Go? | A: wait — it is safe | B: go; C: drop | the path needs it"),
        ({"relay": True},
         "Go? | A: wait | B: go; C: drop | the path needs it (a relayed answer will do)"),
    ],
)  # fmt: skip
def test_a_card_is_a_row_with_the_recommended_option_first(desk, changes, cells):
    ask(desk, **changes)
    assert row(desk) == f"| OB-001 | {cells} |"
    assert "Highest ids: GAP-003 | OB-001\n" in desk.files["ledger.md"]
    assert desk.found() == ()


def test_the_cards_of_both_nodes_are_numbered_together_and_stand_apart(desk):
    ask(desk)
    ask(desk, by="supervisor")
    ask(desk, by="owner")
    assert [card.id for card in desk.ledger.cards] == ["OB-001", "OB-003"]
    assert [card.id for card in desk.directives.cards] == ["OB-002"]
    assert "| OB-002" in desk.files["directives.md"]
    assert "Highest ids: D none | S-001 | OB-002" in desk.files["directives.md"]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"options": ()}, "--option"), ({"options": ("a", "b", "c", "d")}, "--option"),
        ({"options": ("a", " ")}, "--option"), ({"decision": ""}, "the decision"),
        ({"why": " "}, "--why"), ({"because": " "}, "--because"),
    ],
)  # fmt: skip
def test_a_card_says_what_is_asked_and_why_with_one_to_three_options(desk, changes, where):
    told = desk.refuse(owner.ask, CARD._replace(**changes))
    assert isinstance(told, UsageError)
    assert told.where == where


@pytest.mark.parametrize("by", ["executor", "supervisor"])
def test_as_many_cards_wait_as_the_cap_says(desk, by):
    cap = parts.knob(desk.run, "OWNER_CAP")
    for _ in range(cap):
        ask(desk, by=by)
    told = desk.refuse(owner.ask, CARD, by=by)
    file = "ledger.md" if by == "executor" else "directives.md"
    assert told.what == f"{cap} cards wait in {file}; OWNER_CAP is {cap}"
    assert told.fix.startswith("Merge yours into one of OB-001, OB-002, ")
    desk.do(owner.answer, "OB-001", "A", by="owner")
    ask(desk, by=by)


def test_an_id_that_was_used_again_by_hand_is_refused(desk):
    ask(desk)
    desk.edit("ledger.md", f"{row(desk)}\n", f"{row(desk)}\n{row(desk)}\n")
    assert desk.refuse(owner.ask, CARD).what == "OB-001 is used twice"


def test_a_card_with_an_id_of_somebodys_own_is_no_hindrance(desk):
    ask(desk)
    desk.edit("ledger.md", "| OB-001 |", "| my own |")
    ask(desk)
    assert [card.id for card in desk.ledger.cards] == ["my own", "OB-002"]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("Decision needed: Go? [OB-001]", "Why now: the path needs it",
                "Recommendation: A — wait (it is safe)", "A (Recommended) — wait", "B — go",
                "C — drop", "Technical note: see a.py", "Reply with: A / B / C")),
        ("zh", ("需要决定：Go? [OB-001]", "为何现在：the path needs it",
                "建议：A — wait（it is safe）", "A（推荐）— wait", "B — go", "C — drop",
                "技术说明：see a.py", "请回复：A / B / C")),
    ],
)  # fmt: skip
def test_a_card_is_printed_in_the_language_of_the_run(lang, said):
    desk = Desk(name="deliver", lang=lang)
    assert ask(desk, because="it is safe", note="see a.py").says == said


def test_a_card_without_reasons_and_notes_leaves_them_out(desk):
    assert ask(desk, options=("wait",)).says == (
        "Decision needed: Go? [OB-001]", "Why now: the path needs it",
        "Recommendation: A — wait", "A (Recommended) — wait", "Reply with: A",
    )  # fmt: skip
    desk = Desk({name: text for name, text in desk.files.items() if name != "run.yaml"})
    assert ask(desk).says[0].startswith("Decision needed: ")


# Answer -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "relayed", "relay", "by_whom", "open_"),
    [
        ("owner", False, False, "owner", False), ("owner", True, False, "relayed", True),
        ("owner", True, True, "relayed", False), ("executor", True, False, "relayed", True),
        ("executor", True, True, "relayed", False),
    ],
)  # fmt: skip
def test_a_card_is_closed_by_the_owner_or_where_any_answer_will_do(
    by, relayed, relay, by_whom, open_
):
    desk = Desk(name="deliver")
    ask(desk, relay=relay)
    card = row(desk)
    change = desk.do(owner.answer, "OB-1", " c ", relayed=relayed, by=by)
    assert f"- OB-001 · C · {by_whom} · after R0 · Go?: drop\n" in desk.files["ledger.md"]
    assert bool(desk.ledger.cards) == open_
    assert desk.archive == ({} if open_ else {"decisions": f"{card}\n"})
    if open_:
        (told,) = change.says
        assert told == (
            "OB-001: noted as relayed. It is the owner's alone, so it stays open until the owner "
            "says: loopgraph owner answer OB-001 C"
        )
    else:
        assert change.says == ("OB-001 is answered: C — drop",)
        assert change.moves[0].id == "OB-001"


def test_an_answer_keeps_its_note_and_the_round_behind_which_it_was_given(desk):
    ask(desk)
    desk.edit("ledger.md", "Round: 0 |", "Round: 7 |")
    desk.do(owner.answer, "OB-001", "B", note="but slowly", by="owner")
    assert "- OB-001 · B · owner · after R7 · Go?: go — but slowly\n" in desk.files["ledger.md"]
    ask(desk)
    assert desk.refuse(owner.answer, "OB-002", "B", note=" ", by="owner").where == "--note"


def test_an_answer_of_the_judges_card_stands_beside_the_corrections(desk):
    ask(desk, by="supervisor")
    desk.do(owner.answer, "OB-001", "A", by="owner")
    assert "- OB-001 · A · owner" in desk.files["directives.md"]
    assert desk.directives.cards == ()


def test_a_run_that_is_closed_asks_nothing_and_takes_no_answer(desk):
    ask(desk)
    at = row(desk)
    desk.edit("ledger.md", at, at.replace("needs it |", "needs it owner: B |"))
    desk.do(finish.closed, why="enough", by="owner")
    for command, values, by in (
        (owner.ask, (CARD,), "executor"),
        (owner.ask, (CARD,), "supervisor"),
        (owner.answer, ("OB-001", "A"), "owner"),
        (owner.from_row, ("OB-001",), "executor"),
    ):
        said = desk.refuse(command, *values, by=by)
        assert (said.what, said.exit_code) == ("the run is closed", 1)


def test_a_letter_is_one_of_the_card(desk):
    ask(desk, options=("wait", "go"))
    told = desk.refuse(owner.answer, "OB-001", "C", by="owner")
    assert (told.where, told.what, told.fix) == ("C", "no such option", "OB-001 has A, B.")


def test_the_same_relayed_answer_is_noted_once_and_another_cards_answer_is_no_matter(desk):
    ask(desk)
    ask(desk)
    desk.do(owner.answer, "OB-002", "B", relayed=True)
    desk.do(owner.answer, "OB-001", "A", relayed=True)
    told = desk.refuse(owner.answer, "OB-001", "B", relayed=True)
    assert isinstance(told, RefusedError)
    assert told.what == "OB-001 has a relayed answer already"
    line = next(
        at
        for at, said in enumerate(desk.files["ledger.md"].split("\n"), 1)
        if said.startswith("- OB-001 ")
    )
    assert told.where == f"ledger.md:{line}"
    desk.do(owner.answer, "OB-001", "B", by="owner")
    assert desk.ledger.cards[0].id == "OB-002"


def test_a_card_that_is_not_there_is_named_with_those_that_wait(desk):
    told = desk.refuse(owner.answer, "OB-001", "A", by="owner")
    assert (told.where, told.what, told.fix) == (
        "OB-001", "no such open card", "No card waits.",
    )  # fmt: skip
    ask(desk)
    ask(desk, by="supervisor")
    told = desk.refuse(owner.answer, "OB-003", "A", by="owner")
    assert "OB-00" in told.fix
    desk.edit("ledger.md", "| OB-001 |", "|  |")
    assert desk.refuse(owner.answer, "OB-001", "A", by="owner").what == "no such open card"


def test_what_stands_in_a_row_is_taken_in_and_told(desk):
    ask(desk)
    desk.edit("ledger.md", "| the path needs it |", "| the path needs it owner: B |")
    change = desk.do(owner.from_row, "OB-001")
    assert change.says == ("OB-001 is answered: B — go (by hand, in its row)",)
    assert change.moves[0].id == "OB-001"
    assert "- OB-001 · B · by hand · after R0 · Go?: go\n" in desk.files["ledger.md"]


@pytest.mark.parametrize(
    ("end", "what"),
    [("", "no answer stands in its row"), (" owner: D", "'D' is none of its letters")],
)
def test_what_answers_nothing_is_not_taken_in(desk, end, what):
    ask(desk)
    desk.edit("ledger.md", "| the path needs it |", f"| the path needs it{end} |")
    told = desk.refuse(owner.from_row, "OB-001")
    assert told.what == what
    assert told.where == f"ledger.md:{desk.ledger.cards[0].line}"
    assert told.fix == "The owner ends its Why now with `owner: LETTER`, one of A, B, C."
