"""The directives queue: standing entries and packets, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import directives, document, run
from loopgraph.edges.directives import Correction, Directives
from loopgraph.plain import quoting
from tests.check import compiled
from tests.edges.test_ledger import foreign
from tests.plain.test_quoting import HOSTILE

CANONICAL = """\
Runtime contract: `longgraph.loop-graph.directives/v6`

# orders — longgraph Directives

## Supervisor state

Last tick: 2026-11-30 | Audited through: R12 | Repo tips: a1b2c3d \
| Highest ids: D-014 | S-003 | none

## STANDING

- S-001 · AUTHORITY · Edit inside the root. Not granted: push · pull request
- S-002 · PERMIT · src only
- S-003 · SCOPE · src/export
- a fact of the pack

## owner-blocked

| ID | Decision | Recommended | Others | Why now |
|---|---|---|---|---|
| OB-005 | Go? | A: wait | B: go | soon |

## Corrections

D-013 · 2026-11-29 · redo · M-2
Context: C-01, C-04
Action: test the export
  through the real app
Verify: pytest -q
Stop: none

### D-014 · 2026-11-30 · stop

- **Context**: C-02
- **Action**: go on with GAP-004
- **Verify**: none
- **Stop**: `src/export/` until D-015; src/totals.py stays allowed

<!-- D-015 · never -->
"""


def read(source: str) -> Directives:
    return directives.read(document.parse(source))


def packet(head: str, *body: str) -> Correction:
    (found,) = read("## Corrections\n\n" + "\n".join((head, *body)) + "\n").corrections
    return found


def test_the_state_tells_the_last_audit_and_the_highest_ids():
    state = read(CANONICAL).state
    assert state
    assert (state.line, state.audited, state.highest_line) == (5, 12, 7)
    assert state.highest == {"D": 14, "S": 3, "OB": 0}


STATES = [
    (
        "Last tick: none | Audited through: R0 | Highest ids: none | none | none",
        0,
        {"D": 0, "S": 0, "OB": 0},
    ),
    (
        "Last tick: none | Audited through: R0 | Highest ids: D none | S-003 | OB none",
        0,
        {"D": 0, "S": 3, "OB": 0},
    ),
    ("- **Audited through**: round 7\n- **Highest ids**: D-002 · tips: a1", 7, {"D": 2}),
    ("audited through R3 · repo tips a1 · highest ids: d-004 | s-001", 3, {"D": 4, "S": 1}),
    ("Audited through：R９ ｜ Highest ids：D-１ ｜ S-2 ｜ OB-3", 9, {"D": 1, "S": 2, "OB": 3}),
    ("nothing yet", None, None),
    ("", None, None),
]


@pytest.mark.parametrize(("said", "audited", "highest"), STATES)
def test_a_state_is_read_however_it_is_written(said, audited, highest):
    state = read(f"## Supervisor state\n\n{said}\n").state
    assert state
    assert (state.audited, state.highest) == (audited, highest)


def test_standing_entries_have_a_kind_or_the_word_that_stands_for_it():
    first, second, third = read(CANONICAL).standing
    assert (first.line, first.number, first.kind) == (11, 1, "AUTHORITY")
    assert first.text == "Edit inside the root. Not granted: push · pull request"
    assert (second.kind, second.said) == (None, "PERMIT")
    assert (third.id, third.kind, third.text) == ("S-003", "SCOPE", "src/export")


@given(owner=HOSTILE)
def test_what_stands_for_the_owner_comes_back_unchanged(owner):
    page = f"## STANDING\n\n- S-001 · PRE-AUTH · {quoting.inline(owner)}\n- S-002 · SCOPE · src\n"
    first, second = read(page).standing
    assert (first.kind, first.text) == ("PRE-AUTH", owner)
    assert (second.kind, second.text) == ("SCOPE", "src")


def test_packets_have_their_parts_with_lines():
    first, second = read(CANONICAL).corrections
    assert (first.line, first.end, first.lines) == (24, 29, 6)
    assert (first.id, first.date, first.verdict, first.boundary) == (
        *("D-013", "2026-11-29", "redo", "M-2"),
    )
    assert list(first.fields) == ["Context", "Action", "Verify", "Stop"]
    assert first.fields["Action"] == (26, "test the export through the real app")
    assert first.fields["Stop"].empty
    assert first.fields["Context"].ids == ("C-01", "C-04")
    assert (second.number, second.verdict, second.boundary, second.lines) == (14, "stop", None, 5)
    assert second.fields["Stop"].text.startswith("`src/export/`")


def test_cards_of_the_supervisor_are_read_as_those_of_the_ledger():
    (card,) = read(CANONICAL).cards
    assert (card.number, card.others) == (5, "B: go")


def test_only_packets_above_the_watermark_wait():
    found = read(CANONICAL)
    assert [entry.id for entry in found.waiting(13)] == ["D-014"]
    assert [entry.id for entry in found.waiting(None)] == ["D-013", "D-014"]


HEADS = [
    ("D-001 · 2026-11-30 · accept · M-2", "2026-11-30", "accept", "M-2"),
    ("- D-001 · 2026-11-30 · accept M-2", "2026-11-30", "accept", "M-2"),
    ("- **D-001** · 2026-11-30 · **redo** · GAP-004", "2026-11-30", "redo", "GAP-004"),
    ("### D-001 | 2026-11-30 | PLAN", "2026-11-30", "plan", None),
    ("`D-001` — 2026-11-30 — stop — M3 cutover", "2026-11-30", "stop", "M3"),
    ("D-001 · accept · M-1", None, "accept", "M-1"),
    ("D-001 · 2026-11-30", "2026-11-30", None, None),
    ("D-001 · 2026-11-30 · reject · M-1", "2026-11-30", None, "M-1"),
    ("D-001", None, None, None),
    ("D-001: fix the totals", None, None, None),
]


@pytest.mark.parametrize(("head", "date", "verdict", "boundary"), HEADS)
def test_a_packet_begins_with_its_id_however_it_is_written(head, date, verdict, boundary):
    found = packet(head, "Action: go")
    assert (found.number, found.date, found.verdict, found.boundary) == (1, date, verdict, boundary)
    assert found.fields["Action"].text == "go"


@pytest.mark.parametrize(
    "line",
    [
        "see D-001",
        "D-001 was folded",
        "D-0x1 · a",
        "d-001 · a",
        "(none — folded through D-003)",
        "D-1a · b",
    ],
)
def test_a_line_that_only_speaks_of_a_directive_is_no_packet(line):
    assert read(f"## Corrections\n\n{line}\n").corrections == ()


def test_an_older_packet_of_one_line_is_read_without_a_verdict():
    found = packet("D-001 · 2026-09-14 — Round 4 counts its own work → compare the keys")
    assert (found.id, found.date, found.verdict, found.said) == ("D-001", "2026-09-14", None, "")


def test_a_queue_of_an_older_contract_holds_nothing():
    found = foreign("move-receipts").directives()
    assert found
    assert found[1:] == (None, (), (), ())


def test_line_ends_change_nothing():
    assert read(CANONICAL)[1:] == read("\ufeff" + CANONICAL.replace("\n", "\r\n"))[1:]


def test_a_fresh_run_of_any_pack_has_a_state_and_an_authority():
    for name, files in compiled.every():
        found = run.read(files).directives()
        assert found, name
        assert found.state, name
        assert found.state.highest, name
        assert found.state.highest["D"] == 0, name
        assert found.standing[0].kind == "AUTHORITY", name
        assert all(entry.kind for entry in found.standing), name
        assert found.corrections == (), name


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            [line + "\n" for line in CANONICAL.split("\n")]
            + [
                "## Corrections\n",
                "D-",
                "S-",
                " · ",
                "—",
                "|",
                "`",
                "**",
                "<!--",
                "```\n",
                "\r",
                "Stop:",
            ]
        ),
        st.text(max_size=8),
    ),
    max_size=30,
).map("".join)


@given(st.one_of(PIECES, st.binary().map(lambda raw: raw.decode("utf-8", "replace"))))
def test_any_text_is_read_without_failing(source):
    found = read(source)
    lines = len(found.document.lines)
    for entry in found.corrections:
        assert 0 < entry.line <= entry.end <= lines
        assert entry.lines > 0
    assert all(0 < other[0] <= lines for part in (found.standing, found.cards) for other in part)
