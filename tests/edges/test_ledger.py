"""The ledger: values with their lines, from our canonical form and from other people's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import document, ledger, run
from loopgraph.edges.ledger import Convergence, Ledger, Net
from loopgraph.plain import header, quoting
from tests.check import compiled
from tests.plain.test_quoting import HOSTILE

FOREIGN = Path(__file__).parents[1] / "cases" / "foreign"

CANONICAL = """\
Runtime contract: `longgraph.loop-graph.ledger/v6`

# orders — longgraph Ledger

## Status header

Current milestone: M-2 export holds | Round: 12 | Last round net lines: +18/-4
Next unclosed work item: GAP-004 totals are rounded twice
Last directive folded: D-003
Highest ids: GAP-012 | OB-004
Convergence tracker: rounds since last 5: **2** | net lines since last +400: **+58** \
| **next round converges: no**
Discovery tracker: area 2 of 5 | refill 3/4 | sweep yields 7, none (floor 3)
Milestone gate: `pending-audit`
Run status: `active`

## Current slice

- Item: GAP-004 totals are rounded twice
- Write set: src/totals.py
- Context: C-01, C-04
- Verify: `pytest -q tests/totals`
- Done when: one sum, one rounding

## Gate scoreboard

| Gate | Status | Evidence / next action |
|---|---|---|
| G-1 tests | in-progress | 3 of 4 |
| M-1: exit checks | done | `evidence/gates/M-1` |

## Pending promotion

- Boundary: M-2
- Audit surface: src/export/
- Evidence: evidence/gates/G-1
- Context: C-02

## Metric snapshot

| Metric | Baseline | Now | Target | Evidence |
|---|---|---|---|---|
| p95 | 90 ms | 70 ms | 50 ms | bench |

## owner-blocked

| ID | Decision | Recommended | Others | Why now |
|---|---|---|---|---|
| OB-004 | Drop v1? | A: keep it | B: drop it | M-3 waits |

## Debt & gap register

| ID | Priority | Milestone | Write set | Verify | One line |
|---|---|---|---|---|---|
| GAP-004 | P1 | M-2 | src/totals.py | pytest -q | a \\| b |
| GAP-12b | **P2** | M-2 | src | x | y |

## Rounds log

- R10 2026-11-28 | export \\| import | changed: src/a.py, src/b.py | \
verify: 12 passed, evidence/R10 | net +250/-0 (claimed +10/-0) | next: R11 C-01
- R11 2026-11-29 | CONVERGE: merge the writers | changed: src | verify: green \
| net +2/-40 | next: totals
- a note of somebody

### R12 2026-11-30

- **Item**: totals
- **Changed**: src/totals.py
- **Verify**: red first,
  then green
- **Net**: +18/−4
- **Next**: GAP-004 C-04
- R9 is not told here
"""


def read(source: str) -> Ledger:
    return ledger.read(document.parse(source))


def foreign(name: str) -> run.Run:
    return run.read({path.name: path.read_text("utf-8") for path in (FOREIGN / name).glob("*.md")})


def test_the_canonical_form_gives_every_value():
    found = read(CANONICAL)
    assert (found.status, found.gate, found.milestone) == ("active", "pending-audit", "M-2")
    assert (found.round, found.net, found.folded) == (12, Net(18, 4), 3)
    assert found.next_item == "GAP-004 totals are rounded twice"
    assert found.highest == {"GAP": 12, "OB": 4}
    assert found.convergence == Convergence(11, 2, 5, 58, 400, due=False)
    assert found.discovery
    assert found.discovery[1:] == ("2", 5, 3, 4, 7, None, 3)
    assert [found.line(name) for name in ("Round", "Run status", "No such")] == [7, 14, 0]


def test_the_slice_has_its_fields_with_lines():
    now = read(CANONICAL).slice
    assert now
    assert (now.line, now.lines) == (16, 5)
    assert now.context
    assert (now.context.line, now.context.ids) == (20, ("C-01", "C-04"))
    assert now.verify
    assert now.verify.text == "`pytest -q tests/totals`"


def test_tables_give_rows_with_lines():
    found = read(CANONICAL)
    assert [(row.line, row.gate, row.said, row.status) for row in found.scoreboard] == [
        (28, "G-1 tests", "in-progress", "in-progress"),
        (29, "M-1: exit checks", "done", None),
    ]
    assert [row.cells[:2] for row in found.metrics] == [("p95", "90 ms")]
    (card,) = found.cards
    assert (card.id, card.number, card.recommended, card.why) == (
        "OB-004",
        4,
        "A: keep it",
        "M-3 waits",
    )
    first, second = found.gaps
    assert (first.line, first.number, first.priority, first.text) == (54, 4, "P1", "a | b")
    assert (second.id, second.number, second.priority) == ("GAP-12b", None, "P2")


def test_a_promotion_is_empty_only_when_nothing_is_asked_for():
    found = read(CANONICAL).promotion
    assert found
    assert found.boundary
    assert (found.boundary.text, found.empty) == ("M-2", False)
    for body, empty in (
        ("- Boundary: none\n- Evidence: none yet\n", True),
        ("none (see D-002)\n", True),
        ("", True),
        ("---\n", True),
        ("M-2, please\n", False),
        ("- Boundary: none\n- Audit surface: src\n", False),
    ):
        promotion = read(f"## Pending promotion\n\n{body}").promotion
        assert promotion
        assert promotion.empty is empty, body
    assert read("## Rounds log\n").promotion is None


def test_rounds_are_read_from_lines_and_from_blocks():
    tenth, eleventh, twelfth = read(CANONICAL).rounds
    assert (tenth.line, tenth.number, tenth.date) == (59, 10, "2026-11-28")
    assert (tenth.item, tenth.changed) == ("export | import", "src/a.py, src/b.py")
    assert (tenth.net, tenth.claimed, tenth.next) == (Net(250, 0), Net(10, 0), "R11 C-01")
    assert (eleventh.converge, eleventh.item) == (True, "merge the writers")
    assert not tenth.converge
    assert not twelfth.converge
    assert (twelfth.block, twelfth.line, twelfth.end) == (True, 63, 71)
    assert (twelfth.verify, twelfth.net) == ("red first, then green", Net(18, 4))


def test_an_item_of_the_log_that_is_no_round_is_told():
    assert read(CANONICAL).strays == (61,)


ROUNDS = [
    ("- R5 2026-07-20 | CONVERGE | tidy | net +1/-9", (5, "tidy", True)),
    ("- **R5** 2026-07-20 CONVERGE | tidy", (5, "tidy", True)),
    ("* R5 | `CONVERGE`; tidy", (5, "tidy", True)),
    ("- R5 | CONVERGENCE of plans", (5, "CONVERGENCE of plans", False)),
    ("- Round 5 · 2026-07-20 | tidy", (5, "tidy", False)),
    ("- R５ 2026-07-20｜tidy", (5, None, False)),
    ("### Round 5 — 2026-07-20\n- **Item**: CONVERGE tidy", (5, "tidy", True)),
    ("### R5: CONVERGE\n- Item: tidy", (5, "tidy", True)),
    ("- R5 2026-07-20 | tidy the\n  writers | net +1/-1", (5, "tidy the writers", False)),
    ("- R5", (5, None, False)),
    ("- R5 | tidy\n\tup | net +1/-1", (5, "tidy up", False)),
    *((f"- R5 | tidy\n  {mark} sub | x", (5, "tidy", False)) for mark in "-*+"),
    ("- R5 | tidy\nprose", (5, "tidy", False)),
]


@pytest.mark.parametrize(("entry", "told"), ROUNDS)
def test_a_round_is_read_however_it_is_written(entry, told):
    (found,) = read(f"## Rounds log\n\n{entry}\n").rounds
    assert (found.number, found.item, found.converge) == told


@pytest.mark.parametrize(
    "line", ["- R5.1 | x", "- R5X | x", "- Rx | y", "R5 | no item", "  - R5 | inside", "- 5 | x"]
)
def test_what_is_no_round_is_none(line):
    assert read(f"## Rounds log\n\n{line}\n").rounds == ()


def test_a_heading_that_is_no_rounds_ends_the_round_above_it():
    found = read("## Rounds log\n### Round 1\n- Item: a\n### Notes\n- Item: b\n- R2 | c\n")
    assert [(entry.number, entry.end, entry.item) for entry in found.rounds] == [
        (1, 3, "a"),
        (2, 6, "c"),
    ]


def test_a_run_in_the_middle_of_a_migration_of_an_older_contract():
    found = foreign("move-receipts").ledger()
    assert found
    assert (found.status, found.gate, found.milestone) == ("active", "passed", "M3")
    assert (found.round, found.net, found.folded) == (9, Net(18, 4), 3)
    assert found.convergence == Convergence(10, 4, 5, 58, 400, due=False)
    assert (found.highest, found.discovery, found.slice) == ({}, None, None)
    assert [card.id for card in found.cards] == ["OB-001"]
    assert found.cards[0].recommended == "A — drop it, with a way back"
    assert found.promotion
    assert found.promotion.empty
    assert found.gaps == ()
    assert [row.status for row in found.scoreboard] == ["closed"] * 4
    assert [(entry.number, entry.converge, entry.block) for entry in found.rounds] == [
        (5, True, False),
        (6, False, False),
        (7, False, False),
        (8, False, False),
        (9, False, True),
    ]
    assert [entry.net for entry in found.rounds[-2:]] == [Net(0, 0), Net(18, 4)]
    assert found.strays == ()


def test_a_run_with_one_goal_of_the_oldest_contract():
    found = foreign("price-parser").ledger()
    assert found
    assert (found.status, found.gate, found.milestone) == ("active", "n/a", None)
    assert (found.round, found.net, found.folded) == (3, Net(18, 0), None)
    assert found.convergence == Convergence(9, 3, 5, 42, 400, due=False)
    assert [(gap.number, gap.priority, gap.write_set) for gap in found.gaps] == [
        (1, "P2", None),
        (2, "P1", None),
    ]
    assert [(entry.number, entry.net) for entry in found.rounds] == [
        (1, Net(8, 0)),
        (2, Net(16, 0)),
        (3, Net(18, 0)),
    ]
    assert found.cards == ()
    assert found.promotion is None


def test_line_ends_and_a_byte_order_mark_change_nothing():
    plain, windows = read(CANONICAL), read("\ufeff" + CANONICAL.replace("\n", "\r\n"))
    assert plain[1:] == windows[1:]
    assert windows.document.text() == "\ufeff" + CANONICAL.replace("\n", "\r\n")


def test_an_empty_ledger_is_unknown_and_not_zero():
    found = read("")
    assert {value for value in found[2:] if not isinstance(value, dict | tuple)} == {None}
    assert found.highest == {}


@given(owner=HOSTILE)
def test_owner_text_comes_back_and_changes_nothing_else(owner):
    item, cell = quoting.inline(owner), quoting.cell(owner)
    line = "Next unclosed work item: GAP-004 totals are rounded twice"
    row = "| GAP-004 | P1 | M-2 | src/totals.py | pytest -q | a \\| b |"
    round_ = "| export \\| import |"
    found = read(
        CANONICAL.replace(line, f"Next unclosed work item: {item}")
        .replace(row, f"| GAP-004 | P1 | M-2 | src/totals.py | {cell} | {cell} |")
        .replace(round_, f"| {cell} |")
    )
    plain = read(CANONICAL)
    assert (found.next_item or "") == owner or header.is_none(owner)
    assert (found.gaps[0].verify, found.gaps[0].text) == (owner, owner)
    assert found.slice == plain.slice
    assert found.scoreboard == plain.scoreboard
    assert (found.status, found.gate, found.round) == (plain.status, plain.gate, plain.round)
    assert [entry.number for entry in found.rounds] == [10, 11, 12]
    assert found.rounds[0].net == Net(250, 0)


def test_a_fresh_run_of_any_pack_says_everything():
    for name, files in compiled.every():
        found = run.read(files).ledger()
        assert found, name
        assert (found.status, found.round, found.net, found.folded) == ("active", 0, Net(0, 0), 0)
        assert found.gate in ("open", "n/a"), name
        assert found.convergence, name
        assert None not in found.convergence, name
        assert found.slice, name
        assert None not in found.slice, name
        assert found.promotion, name
        assert found.promotion.empty, name
        assert {"GAP", "OB"} <= set(found.highest), name
        discovers = run.read(files).record
        assert discovers
        assert bool(found.discovery) is discovers.spec.pack.discovery_driven, name


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            [line + "\n" for line in CANONICAL.split("\n")]
            + [
                "## Rounds log\n",
                "### Round 1\n",
                "- R",
                "|",
                "\\",
                "`",
                "**",
                "<!--",
                "```\n",
                "−",
                "\r",
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
    for entry in found.rounds:
        assert 0 < entry.line <= entry.end <= lines
    rows = (found.gaps, found.cards, found.scoreboard, found.metrics)
    assert all(0 < row[0] <= lines for table in rows for row in table)


@pytest.mark.parametrize(
    ("verify", "failed", "forced"),
    [
        ("12 passed; evidence: a", False, False), ("failed: 2 of 12", True, False),
        ("12 passed; forced: the owner said so", False, True), ("forced: by hand", False, False),
        ("it never failed", False, False),
    ],
)  # fmt: skip
def test_a_round_says_of_itself_that_it_was_red_or_forced(verify, failed, forced):
    source = f"## Rounds log\n\n- R1 2026-01-02 | a | changed: b | verify: {verify} | next: c\n"
    parsed = document.parse(source)
    (one,) = ledger.log(parsed, parsed.section("Rounds log"))[0]
    assert (one.failed, one.forced) == (failed, forced)


def test_a_line_of_the_log_is_a_round_by_itself():
    one = ledger.round_line("- R3 2026-01-02 | a | changed: b | verify: c | net +1/-0 | next: d")
    assert one
    assert (one.line, one.end, one.number, one.item, one.next) == (1, 1, 3, "a", "d")
    for line in ("R3 | a", "- see R3", "### Round 3", ""):
        assert ledger.round_line(line) is None


def test_a_block_begins_at_its_heading_and_takes_nothing_from_above_it():
    source = "## Rounds log\n\n### Round 1\n- Item: a\n### Round 2\n- Changed: b\n"
    first, second = read(source).rounds
    assert (first.item, first.changed) == ("a", None)
    assert (second.item, second.changed) == (None, "b")


@pytest.mark.parametrize(
    ("head", "converges"),
    [
        ("- R5 2026-01-02 CONVERGE", True), ("- R5 **CONVERGE**", True), ("- R5 `CONVERGE`", True),
        ("- R5 a*CONVERGE*b", True), ("- R5 CONVERGED", False), ("- R5 RECONVERGE", False),
    ],
)  # fmt: skip
def test_a_round_converges_by_its_tag_alone(head, converges):
    (found,) = read(f"## Rounds log\n\n{head} | x\n").rounds
    assert found.converge is converges


@pytest.mark.parametrize(
    ("piece", "keyed"),
    [
        ("changed: a", ("changed", "a")), ("**Verify**: b", ("verify", "b")),
        ("net +1/-2", ("net", "+1/-2")), ("net: **+1/-2**", ("net", "+1/-2")),
        ("network: x", ("", "network: x")), ("net worth", ("", "net worth")), ("a", ("", "a")),
        ("next： c", ("next", "c")), ("open:", ("open", "")), ("gate : x", ("gate", "x")),
    ],
)  # fmt: skip
def test_a_piece_of_a_round_has_a_key_or_is_free_text(piece, keyed):
    assert ledger.keyed(piece) == keyed


def test_code_and_comments_in_the_log_are_passed_over():
    source = "## Rounds log\n\n```\n- R1 | a\n```\n<!-- c -->\n- R2 | b\n"
    assert [(one.number, one.item) for one in read(source).rounds] == [(2, "b")]
