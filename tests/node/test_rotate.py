"""What leaves a live file, in which order, and what stays until every node has seen it."""

from __future__ import annotations

import pytest

from loopgraph.edges.answers import Answer
from loopgraph.edges.answers import write as answer_line
from loopgraph.model import contract
from loopgraph.node import call as parts
from loopgraph.node import directives, gates, owner, rotate, rounds
from loopgraph.node.directives import Packet
from loopgraph.node.owner import Question
from loopgraph.node.rounds import Said
from tests.node.desk import PERSON, Desk

PLAN = Packet("plan", None, "R0", "name the unit", "pytest -q", "none")
LINE = "- R{} 2026-01-02 | a | changed: b | verify: c | net +1/-0 | next: d\n"


@pytest.fixture
def desk():
    return Desk(name="deliver")


def logged(desk, *numbers, text=None):
    """These rounds stand in the log, and the header counts the newest."""
    desk.files["ledger.md"] += "\n" + (text or "".join(LINE.format(n) for n in numbers))
    desk.edit("ledger.md", "Round: 0 |", f"Round: {max(numbers)} |")
    return desk


def folded(desk, number=2):
    for _ in range(number):
        desk.do(directives.add, PLAN, by="supervisor")
    for place in range(number):
        desk.do(directives.fold, f"D-{place + 1:03}", effect="x")
    desk.archive.clear()
    return desk


# Rounds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("there", [4, 5, 6, 8])
def test_as_many_rounds_stay_as_the_knob_says_and_the_oldest_go(desk, there):
    logged(desk, *range(1, there + 1))
    keep = parts.knob(desk.run, "KEEP_ROUNDS")
    gone = range(1, max(there - keep, 0) + 1)
    change = desk.do(rotate.rotate)
    assert [one.number for one in desk.ledger.rounds] == list(range(len(gone) + 1, there + 1))
    assert desk.archive.get("rounds", "") == "".join(LINE.format(n) for n in gone)
    names = ", ".join(f"R{number}" for number in gone)
    assert change.says == (f"Moved to the archive: {names}." if names else "Nothing to rotate.",)


def test_a_round_that_is_a_block_goes_with_its_lines_and_the_blank_ones_behind_it(desk):
    block = "### Round 1 — 2026-01-02\n\n- **Item**: a\n- **Changed**: b\n\n\n"
    logged(desk, 6, text=block + "".join(LINE.format(n) for n in range(2, 7)))
    desk.do(rotate.rotate)
    assert desk.archive["rounds"] == block
    assert [one.number for one in desk.ledger.rounds] == [2, 3, 4, 5, 6]


# Packets ----------------------------------------------------------------------------------------


def test_what_is_folded_goes_word_for_word_and_what_waits_stays(desk):
    folded(desk)
    desk.do(directives.add, PLAN, by="supervisor")
    desk = Desk(desk.files)
    desk.do(directives.add, PLAN._replace(action="mend the limit"), by="supervisor")
    desk.do(directives.fold, "D-003", effect="x")
    text = desk.files["directives.md"]
    packet = text[text.index("D-003 ·") : text.index("D-004 ·")]
    change = desk.do(rotate.rotate, by="supervisor")
    assert change.says == ("Moved to the archive: D-003.",)
    assert desk.archive == {"directives": packet}
    assert [one.id for one in desk.directives.corrections] == ["D-004"]
    assert desk.do(rotate.rotate, by="supervisor").says == ("Nothing to rotate.",)


def test_a_watermark_that_nobody_can_read_lets_nothing_go(desk):
    folded(desk, 1)
    field = desk.ledger.fields["Last directive folded"].text
    desk.edit("ledger.md", f"Last directive folded: {field}", "Last directive folded: some")
    told = desk.refuse(rotate.rotate, by="supervisor")
    assert told.where == f"ledger.md:{desk.ledger.line('Last directive folded')}"


# Whose ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "supervisor", "moves"),
    [
        ("executor", "yes", {"rounds"}),
        ("supervisor", "yes", {"directives"}),
        ("owner", "yes", {"directives"}),
        (PERSON, "yes", {"rounds"}),
        ("executor", "no", {"rounds"}),
        ("owner", "no", {"directives"}),
    ],
)
def test_each_rotates_its_own_edge(by, supervisor, moves):
    desk = Desk(name="deliver", supervisor=supervisor)
    judge = "owner" if supervisor == "no" else "supervisor"
    desk.do(directives.add, PLAN, by=judge)
    desk.do(directives.fold, "D-001", effect="x")
    logged(desk, *range(1, 7))
    desk.do(rotate.rotate, by=by)
    assert set(desk.archive) == moves


def test_the_executor_rotates_closed_rows_and_answers_too(desk):
    for row in desk.ledger.scoreboard:
        desk.do(gates.change, row.gate, status="closed", evidence="green")
    rows = "".join(f"| old {number} | closed | seen |\n" for number in range(contract.CLOSED_ROWS))
    desk.edit("ledger.md", "\n## Pending promotion", f"{rows}\n## Pending promotion".lstrip("\n"))
    desk.files["ledger.md"] = desk.files["ledger.md"].replace(
        "| G-2 lint | closed | green |\n\n", "| G-2 lint | closed | green |\n"
    )
    desk.do(rotate.rotate)
    assert desk.last.moves[0].id == "North Star: its proof"
    assert sum(row.status == "closed" for row in desk.ledger.scoreboard) == contract.CLOSED_ROWS


# Answers ----------------------------------------------------------------------------------------


def answered(desk, after, *, file="ledger.md", round_=9, audited="R9"):
    """An answer that was given behind a round, while the run is at another one."""
    line = answer_line(Answer(0, "OB-001", "A", "owner", after, "Go?: wait"))
    text = desk.files[file]
    head = text.index("## owner-blocked")
    end = text.index("\n## ", head)
    desk.files[file] = f"{text[:end]}\n{line}\n{text[end:]}"
    if round_:
        desk.edit("ledger.md", "Round: 0 |", f"Round: {round_} |")
    if audited:
        desk.edit("directives.md", "Audited through: R0", f"Audited through: {audited}")
    return f"{line}\n"


@pytest.mark.parametrize(
    ("after", "round_", "audited", "goes"),
    [
        (3, 5, "R4", True),
        (3, 4, "R4", False),
        (3, 5, "R3", False),
        (3, 9, "R3", False),
        (3, 9, "R4", True),
        (3, 9, "none", False),
        (0, 2, "R1", True),
        (0, 1, "R1", False),
    ],
)
def test_an_answer_goes_when_the_executor_has_closed_two_rounds_and_the_judge_has_audited_since(
    after, round_, audited, goes
):
    for file, by in (("ledger.md", "executor"), ("directives.md", "supervisor")):
        desk = Desk(name="deliver")
        line = answered(desk, after, file=file, round_=round_, audited=audited)
        desk.do(rotate.rotate, by=by)
        assert desk.archive == ({"decisions": line} if goes else {})
        assert (line in desk.files[file]) != goes


@pytest.mark.parametrize(("round_", "goes"), [(4, False), (5, True)])
def test_where_the_owner_judges_an_answer_waits_for_the_executor_alone(round_, goes):
    desk = Desk(name="deliver", supervisor="no")
    line = answered(desk, 3, round_=round_, audited="")
    desk.do(rotate.rotate)
    assert desk.archive == ({"decisions": line} if goes else {})


def test_a_round_lets_no_answer_go_that_came_in_with_it(desk):
    line = answered(desk, 3, round_=5, audited="R4")
    said = Said("a", ("src/a.py",), "ok", ("evidence/r.txt",), "+1/-0", "b")
    early = Desk(desk.files)
    early.edit("ledger.md", "after R3", "after R5")
    early.edit("directives.md", "Audited through: R4", "Audited through: R9")
    early.do(rounds.record, said)
    assert early.archive == {}
    desk.do(rounds.record, said)
    assert desk.archive == {"decisions": line}


def full(desk, after):
    """Two rounds and an answer in a ledger that has no line to spare."""
    logged(desk, 8, 9)
    line = answered(desk, after, round_=0, audited="R0")
    cap = parts.knob(desk.run, "FILE_LINE_CAP")
    filler = "".join(
        f"- note {number}\n" for number in range(cap - desk.files["ledger.md"].count("\n"))
    )
    desk.edit("ledger.md", "\n## Gate scoreboard", f"{filler}\n## Gate scoreboard")
    assert desk.files["ledger.md"].count("\n") == cap
    return line


def test_in_a_ledger_at_its_cap_an_answer_waits_for_nobody_who_could_have_read_it(desk):
    line = full(desk, 8)
    desk.do(rounds.record, Said("a", ("src/a.py",), "ok", ("log",), "+1/-0", "b"))
    desk.caps_hold()
    assert desk.archive == {"decisions": line}
    assert [one.number for one in desk.ledger.rounds] == [8, 9, 10]


def test_an_answer_to_the_round_under_way_stays_and_the_oldest_round_goes_instead(desk):
    line = full(desk, 9)
    desk.do(rounds.record, Said("a", ("src/a.py",), "ok", ("log",), "+1/-0", "b"))
    desk.caps_hold()
    assert desk.archive == {"rounds": LINE.format(8)}
    assert line in desk.files["ledger.md"]


def test_a_card_that_is_answered_in_its_row_goes_and_its_answer_stays_below():
    desk = Desk(name="deliver")
    desk.do(owner.ask, Question("Go?", "M-1 waits", ("wait", "go")))
    desk.do(owner.ask, Question("Drop?", "M-2 waits", ("keep", "drop")))
    desk.edit("ledger.md", "| M-1 waits |", "| M-1 waits owner: B |")
    change = desk.do(rotate.rotate)
    assert change.says == (
        "OB-001 was answered B in its row (by hand): go", "Moved to the archive: OB-001.",
    )  # fmt: skip
    assert [card.id for card in desk.ledger.cards] == ["OB-002"]
    assert "- OB-001 · B · by hand · after R0 · Go?: go\n" in desk.files["ledger.md"]
