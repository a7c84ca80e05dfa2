"""Bringing a file to the canonical form, part by part: what is kept, what is made, what is told."""

from __future__ import annotations

import pytest

from loopgraph.edges import adoption, adoption_directives, adoption_ledger, document, ledger
from loopgraph.model.errors import UnreadableError
from loopgraph.model.finding import Finding
from tests.edges.adopting import DIRECTIVES as QUEUE
from tests.edges.adopting import LEDGER

LINE = "Runtime contract: `longgraph.loop-graph.ledger/v6`"


# The first line ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("# x\n", f"{LINE}\n\n# x\n"),
        ("", f"{LINE}\n\n"),
        (f"{LINE}\n# x\n", f"{LINE}\n# x\n"),
        (f"{LINE.replace('v6', 'v4')}\r\n# x\r\n", f"{LINE}\r\n# x\r\n"),
        ("\ufeff# x\n", f"\ufeff{LINE}\n\n# x\n"),
        (f"\ufeff{LINE}\n", f"\ufeff{LINE}\n"),
    ],
)
def test_a_file_opens_with_our_contract_behind_its_mark_of_byte_order(source, text):
    assert adoption.begun(source, "ledger").text() == text


# Sections ---------------------------------------------------------------------------------------

TITLES = ("One", "Two", "Three")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("## One\n\na\n\n## Three\n", "## One\n\na\n\n## Two\n\nx\n\n## Three\n"),
        ("## One\n\n## Two\n\nb", "## One\n\n## Two\n\nb\n\n## Three\n\n"),
        ("## One\n\n## Two\n\nb\n\n", "## One\n\n## Two\n\nb\n\n## Three\n\n"),
        ("## Three\n", "## One\n\n## Two\n\nx\n\n## Three\n"),
        ("", "## One\n\n## Two\n\nx\n\n## Three\n\n"),
        ("## One\n## Two\n## Three\n", "## One\n## Two\n## Three\n"),
    ],
)
def test_a_section_that_is_missing_comes_in_its_place(source, text):
    done = adoption.completed(document.parse(source), "f.md", TITLES, {"Two": ["x"]})
    assert done.text() == text


@pytest.mark.parametrize("open_", ["```\n", "<!--\n"])
def test_a_block_that_is_never_closed_swallows_no_section(open_):
    with pytest.raises(UnreadableError) as refused:
        adoption.completed(document.parse(f"## One\n\n{open_}"), "f.md", TITLES, {})
    assert refused.value.where == "f.md:3"
    assert refused.value.what == "a code block or a comment is never closed"


@pytest.mark.parametrize(
    ("source", "lines", "text"),
    [
        ("## A\n\na\n\n---\n\n## B\n", ["x"], "## A\n\na\nx\n\n---\n\n## B\n"),
        ("## A\n", ["x"], "## A\n\nx\n"),
        ("## A\n\n| a |\n", ["x"], "## A\n\n| a |\n\nx\n"),
        ("## A\n\na\n", ["| x |"], "## A\n\na\n\n| x |\n"),
        ("## A\n\na\n## B\n", ["x"], "## A\n\na\nx\n\n## B\n"),
    ],
)
def test_lines_come_above_the_rule_that_parts_a_section_from_the_next(source, lines, text):
    parsed = document.parse(source)
    part = parsed.section("A")
    assert part
    assert adoption.add(parsed, part, lines).text() == text


# Tables -----------------------------------------------------------------------------------------

WORDS = (("id",), ("line",))


def tabled(body, mend=None):
    source = f"## T\n\n{body}"
    mend = mend or (lambda _line, cells: [cell or "?" for cell in cells])
    done = adoption.tabled(document.parse(source), "T", ("ID", "Line"), WORDS, mend)
    return done.text().removeprefix("## T\n\n")


HEAD = "| ID | Line |\n|---|---|\n"


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (f"{HEAD}| A | b |\n", f"{HEAD}| A | b |\n"),
        (f"{HEAD}| A |  |\n", f"{HEAD}| A | ? |\n"),
        (f"{HEAD}| none | — |\n", f"{HEAD}| none | — |\n"),
        ("| Line | Id |\n|---|---|\n| b | A |\n", f"{HEAD}| A | b |\n"),
        ("| ID | Who | Line |\n|---|---|---|\n| A | me | b |\n",
         "| ID | Line | Who |\n|---|---|---|\n| A | b | me |\n"),
        ("| ID | Who | Line |\n|---|---|---|\n| A |\n",
         "| ID | Line | Who |\n|---|---|---|\n| A | ? |  |\n"),
        (f"{HEAD}| A | b | c |\n", f"{HEAD}| A | b | c |\n"),
        (f"{HEAD}| ID | Line |\n| A | b |\n", f"{HEAD}| ID | Line |\n| A | b |\n"),
        ("", f"{HEAD}\n"),
        ("text\n", f"text\n\n{HEAD}"),
        ("| A | b |\n", f"{HEAD}| A | b |\n"),
        ("| A | b \\| c |\n", f"{HEAD}| A | b \\| c |\n"),
        (f"{HEAD}| A | b |\n\n| Line | ID |\n|---|---|\n| d | C |\n",
         f"{HEAD}| A | b |\n\n{HEAD}| C | d |\n"),
    ],
)  # fmt: skip
def test_a_table_has_our_columns_first_and_keeps_somebodys_own(body, after):
    assert tabled(body) == after


def test_without_its_section_there_is_no_table():
    source = document.parse("## Other\n")
    assert adoption.tabled(source, "T", ("ID",), (("id",),), lambda _at, _cells: []) == source


def test_a_row_is_mended_by_its_line():
    seen = []

    def mend(line, cells):
        seen.append((line, cells))
        return [cell or "?" for cell in cells]

    tabled(f"{HEAD}| A | b |\n| none | none |\n| C |\n", mend)
    assert seen == [(5, ["A", "b"]), (7, ["C", None])]


# Cards ------------------------------------------------------------------------------------------

CARDS = "| ID | Decision | Recommended | Others | Why now |\n|---|---|---|---|---|\n"


def test_a_card_without_an_id_gets_the_next_and_what_it_left_out_is_told():
    told: list[Finding] = []
    rows = "| OB-002 | a | A: b | none | c |\n| | d | A: e | | f |\n| x | g | A: h | none | i |\n"
    done = adoption.cards(
        document.parse(f"## owner-blocked\n\n{CARDS}{rows}"), "ledger.md", told, 7
    )
    assert done.text().split("\n")[4:7] == [
        "| OB-002 | a | A: b | none | c |",
        "| OB-008 | d | A: e | unknown | f |",
        "| OB-009 | g | A: h | none | i |",
    ]
    assert [(one.file, one.line, one.message) for one in told] == [
        ("ledger.md", 6, "the card left something out")
    ]


@pytest.mark.parametrize(
    ("said", "number"), [("D-002, D-9 and GAP-40", 9), ("none", 0), ("", 0), ("D-1\nD-3\n", 3)]
)
def test_the_highest_number_of_a_kind_is_that_of_the_whole_text(said, number):
    assert adoption.numbers(said, "D") == number
    assert adoption.shown("D", number) == (f"D-{number:03}" if number else "D none")


def test_an_id_in_code_or_a_comment_is_nobodys():
    source = "D-1\n```\nD-9\n```\n<!-- D-8 -->\nD-2\n"
    assert adoption.spoken(document.parse(source)) == "D-1\nD-2\n"


# The log of a ledger ----------------------------------------------------------------------------


def adopted(log, **plan):
    source = f"# x\n\n## Status header\n\nRound: 9\n\n## Rounds log\n\n{log}"
    return adoption_ledger.adopt(source, LEDGER._replace(**plan))


def log_of(done):
    return [line for line in done.text.partition("## Rounds log\n")[2].split("\n") if line]


def line(number, rest="", net="+1/-0"):
    tail = f"| a | changed: b | verify: c | net {net} | next: d{rest}"
    return f"- R{number} 2026-01-0{number} {tail}\n"


def test_the_newest_rounds_stay_as_lines_and_older_ones_are_archived_word_for_word():
    done = adopted("".join(line(number) for number in range(1, 5)), keep=3)
    assert log_of(done) == [line(number).rstrip() for number in (2, 3, 4)]
    assert [(move.id, move.archive, move.text) for move in done.moves] == [
        ("R1", "rounds", line(1))
    ]
    assert "R1 went to the archive: too old, or without a date or net lines" in [
        one.message for one in done.told
    ]


def test_rounds_that_stand_newest_first_are_turned_round():
    done = adopted("".join(line(number) for number in (3, 2, 1)))
    assert log_of(done) == [line(number).rstrip() for number in (1, 2, 3)]
    assert done.moves == ()


def test_where_a_number_stands_twice_nobody_is_turned_round():
    done = adopted(line(2) + line(1, " e") + line(1))
    assert log_of(done) == [line(2).rstrip(), line(1, " e").rstrip(), line(1).rstrip()]


@pytest.mark.parametrize(
    "odd", ["- R2 | a | changed: b | verify: c | net +1/-0 | next: d\n", "- R2 2026-01-02 | a\n"]
)
def test_behind_a_round_without_a_date_or_net_lines_nothing_older_stays(odd):
    done = adopted(line(1) + odd + line(3))
    assert log_of(done) == [line(3).rstrip()]
    assert [move.id for move in done.moves] == ["R1", "R2"]
    assert [move.text for move in done.moves] == [line(1), odd]


def test_a_block_becomes_a_line_and_goes_to_the_archive_as_it_was():
    block = (
        "### Round 2 — 2026-01-02\n\n- **Item**: a | b\n- **Changed**: src/a.py\n"
        "- **Gate**: 3 passed\n- **Verify**: seen\n- **Net**: +4/-1 (claimed +9/-1)\n"
        "- **Open**: the docs\n- **Next**: more\n"
    )
    done = adopted(line(1) + "\n" + block)
    said = (
        "- R2 2026-01-02 | a \\| b | changed: src/a.py | verify: 3 passed; seen | "
        "net +4/-1 (claimed +9/-1) | open: the docs | next: more"
    )
    assert log_of(done) == [line(1).rstrip(), said]
    (move,) = done.moves
    assert (move.id, move.text, move.instead) == ("R2", block, f"{said}\n")


NOTHING = "- R2 2026-01-02 | {}changed: unknown | verify: {} | net {} | next: {}"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("- R2 2026-01-02 | net +1/-0\n",
         NOTHING.format("unknown | ", "unknown", "+1/-0", "unknown")),
        ("- R2 2026-01-02 | CONVERGE | gate: 3 passed | net +0/-4 | next: x\n",
         NOTHING.format("CONVERGE unknown | ", "3 passed", "+0/-4", "x")),
        ("- R2 2026-01-02 | a | changed: b\n  | verify: c | net +1/-0 | next: d\n",
         "- R2 2026-01-02 | a | changed: b | verify: c | net +1/-0 | next: d"),
    ],
)  # fmt: skip
def test_what_a_round_did_not_say_is_unknown(entry, said):
    done = adopted(entry)
    assert log_of(done) == [said]
    assert done.moves == ()


def test_prose_below_a_round_stays_and_a_list_item_that_is_none_goes():
    done = adopted(line(1) + "a remark\n" + "- a note\n" + line(2))
    assert log_of(done) == [line(1).rstrip(), "a remark", line(2).rstrip()]
    (move,) = done.moves
    assert (move.archive, move.text) == ("rounds", "- a note\n")
    assert move.id.startswith("a line of the log (")


def test_blank_lines_between_rounds_go():
    done = adopted(f"{line(1)}\n\n{line(2)}\n{line(3)}")
    assert done.text.endswith(f"## Rounds log\n\n{line(1)}{line(2)}{line(3)}")


# The tables of a ledger -------------------------------------------------------------------------

GAPS = "| ID | Priority | Milestone | Write set | Verify | One line |\n|---|---|---|---|---|---|\n"
SCORE = "| Gate | Status | Evidence / next action |\n|---|---|---|\n"


def whole(gaps="", score="", before=""):
    return adoption_ledger.adopt(
        f"# x\n\n## Status header\n\nCurrent milestone: M-2 two\n{before}\n## Gate scoreboard\n\n"
        f"{SCORE}{score}\n## Debt & gap register\n\n{GAPS}{gaps}",
        LEDGER,
    )


@pytest.mark.parametrize(
    ("row", "after"),
    [
        ("| GAP-001 | P1 | M-1 | a | b | c |", "| GAP-001 | P1 | M-1 | a | b | c |"),
        ("| GAP-001 | *P1* | M-1 | a | b | c |", "| GAP-001 | P1 | M-1 | a | b | c |"),
        ("| GAP-001 | high | M-1 | a | b | c |",
         "| GAP-001 | P2 | M-1 | a | b | c (priority before: high) |"),
        ("| GAP-001 |  |  |  |  |  |",
         "| GAP-001 | P2 | M-2 | unknown | unknown | unknown (priority before: none) |"),
        ("| x1 | P2 | M-1 | a | b | c |", "| GAP-005 | P2 | M-1 | a | b | x1: c |"),
        ("|  | P2 | M-1 | a | b | GAP-004 |", "| GAP-005 | P2 | M-1 | a | b | GAP-004 |"),
    ],
)  # fmt: skip
def test_a_debt_row_has_an_id_a_priority_and_something_under_every_column(row, after):
    done = whole(gaps=f"{row}\n", before="Next unclosed work item: GAP-004\n")
    rows = [line for line in done.text.split("\n") if line.startswith("| GAP-")]
    assert rows == [after]


def test_what_debt_rows_left_out_is_told_together():
    done = whole(gaps="| GAP-001 | P1 | M-1 |  |  | c |\n| GAP-002 | P1 | M-1 |  |  | c |\n"
                 "| GAP-003 | P1 |  | a | b | c |\n")  # fmt: skip
    said = [one.message for one in done.told if "said nothing" in one.message]
    assert said == [
        "GAP-001, GAP-002 said nothing under Write set, Verify",
        "GAP-003 said nothing under Milestone",
    ]
    assert all(one.line == 0 for one in done.told if "said nothing" in one.message)


@pytest.mark.parametrize(
    ("row", "after", "told"),
    [
        ("| a | closed | x |", "| a | closed | x |", ""),
        ("| a | `closed` (R3) | x |", "| a | `closed` (R3) | x |", ""),
        ("| a | done | x |", "| a | open | x (status before: done) |", "done"),
        ("|  | open |  |", "| unknown | open | unknown |", ""),
        ("| a |  | x |", "| a | open | x (status before: none) |", ""),
    ],
)
def test_a_row_of_the_scoreboard_has_a_status_of_ours(row, after, told):
    done = whole(score=f"{row}\n")
    assert f"\n{after}\n" in done.text
    said = [one for one in done.told if "none of ours" in one.message]
    if told:
        assert said[0].message == f"the status {told} is none of ours; the row is open now"
    assert bool(said) == ("status before" in after)


# What is asked for, and the header --------------------------------------------------------------


def test_a_promotion_that_waits_without_its_fields_is_to_be_asked_for_again():
    source = (
        "# x\n\n## Status header\n\nCurrent milestone: M2 two\nMilestone gate: pending-audit\n\n"
        "## Pending promotion\n\nM2, please\n"
    )
    done = adoption_ledger.adopt(source, LEDGER)
    part = done.text.partition("## Pending promotion\n")[2].partition("\n## ")[0]
    assert part.split("\n")[1:] == [
        "M2, please", "- Boundary: M-2", "- Audit surface: unknown", "- Evidence: unknown",
        "- Context: unknown", "",
    ]  # fmt: skip
    assert any("a promotion waits" in one.message for one in done.told)


def header_of(done):
    return done.text.partition("## Status header\n")[2].partition("\n## ")[0].strip().split("\n")


def test_a_header_says_all_its_fields_in_their_order_and_what_is_no_field_stays_below():
    source = (
        "# x\n\n## Status header\n\nRun status: resting\nmine\nMilestone gate: `open`\n"
        "Current milestone: **M2** two | Round: 3\n\n## Rounds log\n\n"
        "- R3 2026-01-03 | a | changed: b | verify: c | net +5/-1 | next: GAP-002 e\n"
    )
    done = adoption_ledger.adopt(source, LEDGER._replace(past="D-004 OB-002"))
    counted = "rounds since last 5: **1** | net lines since last +400: **+4**"
    assert header_of(done) == [
        "Current milestone: M-2** two | Round: 3 | Last round net lines: +5/-1",
        "Next unclosed work item: GAP-002 e",
        "Last directive folded: unknown",
        "Highest ids: GAP-002 | OB-002",
        f"Convergence tracker: {counted} | **next round converges: no**",
        "Milestone gate: `open`",
        "Run status: `active` (before: resting)",
        "mine",
    ]
    told = [one.message for one in done.told]
    assert "the Status header did not say Last directive folded, Run status" in told
    assert "the Convergence tracker was counted anew: 1 rounds, +4 lines" in told


def test_a_discovery_driven_run_gets_a_tracker_that_begins_anew():
    done = adoption_ledger.adopt("# x\n", LEDGER._replace(discovers=True))
    assert (
        "Discovery tracker: area 1 of 1 | refill 0/0 | sweep yields none, none (floor unknown)"
        in header_of(done)
    )
    assert not any("Discovery" in one for one in header_of(adoption_ledger.adopt("# x\n", LEDGER)))


@pytest.mark.parametrize(("milestones", "gate"), [(("M-1", "M-2"), "`open`"), (("M-1",), "`n/a`")])
def test_a_gate_that_nobody_named_is_that_of_a_run_with_so_many_milestones(milestones, gate):
    done = adoption_ledger.adopt("# x\n", LEDGER._replace(milestones=milestones))
    assert f"Milestone gate: {gate}" in header_of(done)


def test_where_no_id_was_ever_given_none_is_the_highest():
    assert "Highest ids: GAP none | OB none" in header_of(adoption_ledger.adopt("# x\n", LEDGER))


def test_a_round_before_the_last_convergence_counts_no_more():
    rounds = [line(1, net="+50/-0"), line(2, net="+0/-9").replace("| a |", "| CONVERGE a |")]
    rounds += [line(3, net="+7/-2"), line(4, net="+1/-0")]
    done = adopted("".join(rounds))
    assert "rounds since last 5: **2** | net lines since last +400: **+6**" in done.text


def test_a_slice_that_is_missing_goes_on_with_what_comes_next():
    for before, item in (("Next unclosed work item: mend it\n", "mend it"), ("", "d")):
        source = f"# x\n\n## Status header\n\nRound: 1\n{before}\n## Rounds log\n\n{line(1)}"
        done = adoption_ledger.adopt(source, LEDGER)
        now = ledger.read(document.parse(done.text)).slice
        assert now
        assert now.item
        assert now.item.text == item
        assert now.verify
        assert now.verify.text == "make test"
        assert now.write_set
        assert now.write_set.text == "unknown"


# A queue ----------------------------------------------------------------------------------------


def queue(corrections, standing="", state="", **plan):
    source = (
        f"# x\n\n## Supervisor state\n\n{state}\n## STANDING\n\n{standing}\n"
        f"## Corrections\n\n{corrections}"
    )
    return adoption_directives.adopt(source, QUEUE._replace(**plan))


PACKET = "D-004 · 2026-01-02 · plan\nContext: R1\nAction: a\nVerify: b\nStop: none\n"


def corrections(done):
    return done.text.partition("## Corrections\n")[2].strip()


def test_a_packet_in_our_form_stays_and_one_that_is_folded_goes_word_for_word():
    folded = PACKET.replace("D-004", "D-003")
    done = queue(f"{folded}\n{PACKET}")
    assert corrections(done) == PACKET.strip()
    assert [(move.id, move.text) for move in done.moves] == [("D-003", folded)]


@pytest.mark.parametrize(
    ("entry", "packet"),
    [
        ("D-004 · 2026-01-02 — the limit is gone → mend it\n",
         ("D-004 · 2026-01-02 · plan", "the limit is gone", "mend it", "unknown", "none")),
        ("D-004: it is slow -> measure\n",
         ("D-004 · plan", "it is slow", "measure", "unknown", "none")),
        ("D-004 — mend it\n", ("D-004 · plan", "none", "mend it", "unknown", "none")),
        ("D-004: →\n", ("D-004 · plan", "none", "→", "unknown", "none")),
        ("D-004 · redo · M-2\nAction: prove it\n",
         ("D-004 · redo · M-2", "none", "prove it", "unknown", "none")),
        ("D-004 · redo\nAction: prove it\nVerify: pytest\nStop: x.py\n",
         ("D-004 · plan", "none", "prove it", "pytest", "x.py")),
    ],
)  # fmt: skip
def test_a_correction_in_another_form_becomes_a_packet_and_is_kept_as_it_was(entry, packet):
    done = queue(entry)
    head, context, action, verify, stop = packet
    said = corrections(done).split("\n")
    assert said[0] == head
    assert f"Verify: {verify}" in said
    assert f"Stop: {stop}" in said
    if "redo" not in entry:
        assert (said[1], said[2]) == (f"Context: {context}", f"Action: {action}")
    else:
        assert f"Action: {action}" in said
    (move,) = done.moves
    assert (move.id, move.text) == ("D-004", entry)
    assert move.instead == f"{corrections(done)}\n"
    assert any(one.message.startswith("D-004 was no packet") for one in done.told)


def test_prose_among_the_corrections_is_folded_by_nobody_and_goes():
    done = queue(f"a word before\nnone yet\n\n{PACKET}")
    assert corrections(done) == f"none yet\n\n{PACKET.strip()}"
    (move,) = done.moves
    assert (move.archive, move.text) == ("directives", "a word before\n")


@pytest.mark.parametrize(
    ("entry", "after", "told"),
    [
        ("- S-001 · SCOPE · docs\n", "- S-001 · SCOPE · docs", False),
        ("- S-001 · docs\n", "- S-001 · SCOPE · docs", True),
        ("S-001: docs\n", "- S-001 · SCOPE · docs", True),
        ("- no new file\n", "- S-008 · SCOPE · no new file", True),
        ("+ no new file\n", "- S-008 · SCOPE · no new file", True),
        ("none\n", "none", False), ("a remark\n", "a remark", False),
    ],
)  # fmt: skip
def test_a_standing_entry_has_an_id_and_a_kind(entry, after, told):
    done = queue("", standing=entry, past="S-007")
    assert done.text.partition("## STANDING\n")[2].partition("\n## ")[0].strip() == after
    assert any("named no kind" in one.message for one in done.told) == told


@pytest.mark.parametrize(
    ("state", "audits", "after"),
    [
        ("Last tick: x | Audited through: R4 | Highest ids: D-009 | S-001 | OB none\n", True,
         "Last tick: x | Audited through: R4 | Highest ids: D-009 | S-007 | OB-003"),
        ("Last tick: x | Highest ids: D-009 | S-007 | OB-003\n", True,
         "Last tick: x | Audited through: R0 | Highest ids: D-009 | S-007 | OB-003"),
        ("Last tick: x\n", False, "Last tick: x\nHighest ids: D-004 | S-007 | OB-003"),
        ("Last tick: x\n", True,
         "Last tick: x\nAudited through: R0 | Highest ids: D-004 | S-007 | OB-003"),
    ],
)  # fmt: skip
def test_the_supervisor_state_says_what_other_writers_count_on(state, audits, after):
    done = queue(PACKET, state=state, audits=audits, past="S-007 OB-003")
    part = done.text.partition("## Supervisor state\n")[2].partition("\n## ")[0].strip()
    assert part == after
    assert any("how far the supervisor" in one.message for one in done.told) == (
        "Audited through: R0" in after
    )
