"""What a run has kept, by its ids, in live files and archives."""

from __future__ import annotations

import pytest

from loopgraph.edges import history
from loopgraph.edges.history import Id, Texts

LEDGER = """# L

## owner-blocked

| ID | Decision | Recommended | Others | Why now |
|---|---|---|---|---|
| OB-002 | which? | A: s3 | B: disk | now |

- OB-001 · A · owner · after R2 · yes

## Debt & gap register

| ID | Priority | Milestone | Write set | Verify | One line |
|---|---|---|---|---|---|
| GAP-003 | P2 | M-1 | src/a.py | true | one, see D-002 |

## Rounds log

- R2 2026-01-02 | b | changed: a | verify: c | net +1/-0 | next: d
- R3 2026-01-02 | c | changed: a | verify: c | net +1/-0 | next: GAP-003
"""
ROUNDS = """# archived rounds

- R1 2026-01-01 | a | changed: a | verify: c | net +1/-0 | next: b
- R2 2026-01-02 | b | changed: a | verify: c | net +1/-0 | next: d
"""
QUEUE = """# D

## STANDING

- S-001 · SCOPE · docs only

## Corrections

D-002 · 2026-01-02 · plan
Context: none
Action: test it
Verify: pytest
Stop: none
"""
TEXTS = Texts(
    {"ledger.md": LEDGER, "directives.md": QUEUE},
    {"archive/rounds.md": ROUNDS, "archive/standing.md": "# s\n\n- S-000 · SCOPE · all\n"},
)


@pytest.mark.parametrize(
    ("said", "id_", "shown"),
    [
        ("D-003", ("D", 3), "D-003"), ("d3", ("D", 3), "D-003"),
        ("`GAP-12`", ("GAP", 12), "GAP-012"),
        ("R12", ("R", 12), "R12"), ("round 12", ("R", 12), "R12"), ("m-1", ("M", 1), "M-1"),
        ("G-2", ("G", 2), "G-2"), ("C-1", ("C", 1), "C-01"), ("S0007", ("S", 7), "S-007"),
    ],
)  # fmt: skip
def test_an_id_is_read_as_it_is_said(said, id_, shown):
    found = history.parse_id(said)
    assert found == id_
    assert str(found) == shown


@pytest.mark.parametrize("said", ["", "X-1", "D", "D-", "D-1.2", "D-1234567890", "a D-1", "round"])
def test_what_is_no_id_is_none(said):
    assert history.parse_id(said) is None


@pytest.mark.parametrize(
    ("id_", "text", "named"),
    [
        (Id("D", 3), "see D-003.", True), (Id("D", 3), "D-3", True), (Id("D", 3), "D-0031", False),
        (Id("D", 3), "AD-003", False), (Id("M", 2), "M2", True), (Id("M", 2), "M-2.1", False),
        (Id("M", 2), "M-2.", True), (Id("R", 3), "Round 3", True), (Id("R", 3), "R-3", False),
        (Id("GAP", 3), "GAP3", False), (Id("GAP", 3), "x-GAP-3", False),
    ],
)  # fmt: skip
def test_an_id_is_found_by_itself_however_it_is_padded(id_, text, named):
    assert bool(id_.pattern().search(text)) is named


def places(id_):
    found = history.find(TEXTS, id_)
    entries = [(one.file, one.live, one.text.split("\n")[0][:12]) for one in found.entries]
    return entries, [(one.file, one.text[:12]) for one in found.named]


def test_an_entry_is_found_wherever_it_stands_the_archive_first():
    assert places(Id("R", 2)) == (
        [("archive/rounds.md", False, "- R2 2026-01"), ("ledger.md", True, "- R2 2026-01")],
        [("ledger.md", "- OB-001 · A")],
    )
    assert places(Id("GAP", 3)) == (
        [("ledger.md", True, "| GAP-003 | ")], [("ledger.md", "- R3 2026-01")],
    )  # fmt: skip
    assert places(Id("D", 2)) == (
        [("directives.md", True, "D-002 · 2026")], [("ledger.md", "| GAP-003 | ")],
    )  # fmt: skip
    assert places(Id("S", 1)) == ([("directives.md", True, "- S-001 · SC")], [])
    assert places(Id("D", 9)) == ([], [])


def test_a_packet_is_found_with_all_its_lines():
    (entry,) = history.find(TEXTS, Id("D", 2)).entries
    assert entry.text.rstrip().endswith("Stop: none")
    assert entry.end - entry.line == 4
    assert QUEUE.split("\n")[entry.line - 1].startswith("D-002")


def test_every_id_of_a_kind_is_known_and_the_nearest_are_told():
    assert history.ids(TEXTS, "R") == [Id("R", 1), Id("R", 2), Id("R", 3)]
    assert history.ids(TEXTS, "OB") == [Id("OB", 1), Id("OB", 2)]
    assert history.ids(TEXTS, "C") == []
    assert history.nearest(TEXTS, Id("R", 9), most=2) == [Id("R", 2), Id("R", 3)]
    assert history.nearest(TEXTS, Id("R", 0)) == [Id("R", 1), Id("R", 2), Id("R", 3)]


def test_a_round_that_stands_in_both_is_told_once_the_oldest_first():
    found = [(one.round.number, one.file, one.live) for one in history.rounds(TEXTS)]
    assert found == [
        (1, "archive/rounds.md", False), (2, "archive/rounds.md", False), (3, "ledger.md", True),
    ]  # fmt: skip
    changed = Texts({"ledger.md": LEDGER.replace("| b |", "| other |")}, TEXTS.archive)
    assert [one.round.number for one in history.rounds(changed)] == [1, 2, 2, 3]


def test_decisions_are_what_was_asked_answered_and_granted():
    found = history.decisions(TEXTS)
    assert [(one.card.id, one.live) for one in found.asked] == [("OB-002", True)]
    assert [(one.answer.id, one.live, one.answer.by) for one in found.answered] == [
        ("OB-001", True, "owner")
    ]
    assert [(one.entry.id, one.live) for one in found.granted] == [
        ("S-000", False), ("S-001", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "id_", "is_entry"),
    [
        ("| **GAP-003** | x |", Id("GAP", 3), True), ("- C-01 read it", Id("C", 1), True),
        ("GAP-003 alone", Id("GAP", 3), False), ("S-003 · SCOPE · x", Id("S", 3), True),
        ("- see GAP-003", Id("GAP", 3), False), ("+ `OB-002` x", Id("OB", 2), True),
        ("  | M-2 | x |", Id("M", 2), True), ("| x | G-1 |", Id("G", 1), False),
    ],
)  # fmt: skip
def test_an_entry_is_a_row_or_an_item_that_begins_with_its_id(line, id_, is_entry):
    found = history.find(Texts({"f.md": f"# x\n\n{line}\n"}, {}), id_)
    assert len(found.entries) == is_entry
    assert [one.line for one in found.named] == ([] if is_entry else [3])
    if is_entry:
        assert found.entries[0] == ("f.md", 3, 3, True, f"{line}\n")


def test_a_round_is_found_as_a_block_and_not_where_another_names_it():
    text = "## Rounds log\n\n### Round 3\n\n- **Item**: a\n\n- R4 2026-01-02 | b | next: R3\n"
    found = history.find(Texts({"ledger.md": text}, {}), Id("R", 3))
    (entry,) = found.entries
    assert (entry.line, entry.end) == (3, 5)
    assert [one.line for one in found.named] == [7]


def test_in_an_archive_a_card_needs_an_id_and_in_a_live_file_it_does_not():
    table = "| ID | Decision | Recommended | Others | Why now |\n|---|---|---|---|---|\n"
    rows = f"{table}| OB-001 | a | A: b | none | c |\n|  | d | A: e | none | f |\n"
    texts = Texts({"ledger.md": f"## owner-blocked\n\n{rows}"}, {"archive/decisions.md": rows})
    found = history.decisions(texts)
    assert [(one.card.decision, one.live) for one in found.asked] == [
        ("a", False), ("a", True), ("d", True),
    ]  # fmt: skip
    assert history.decisions(Texts({"ledger.md": "# x\n"}, {})) == ((), (), ())
