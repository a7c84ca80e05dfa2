"""What is legal next, and when a fire is over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.plain import law


@pytest.mark.parametrize(
    ("said", "paths"),
    [
        ("none", []), ("none (ledger only)", []), ("src/a.py, src/b.py", ["src/a.py", "src/b.py"]),
        ("`src/a.py` `docs/**`", ["src/a.py", "docs/**"]), ("src、docs；x", ["src", "docs；x"]),
        ("src/; docs", ["src/", "docs"]), ("—", []),
    ],
)  # fmt: skip
def test_a_write_set_names_paths(said, paths):
    assert law.write_set(said) == paths


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (["src/a.py"], ["src/b.py"], True), (["src/"], ["src/b.py"], False),
        (["src/*.py"], ["src/b.js"], False), (["src"], ["srcs"], True), (["**"], ["a"], False),
        (["./Src/a"], ["src/A"], False), ([], ["a"], True), (["a"], [], True),
        (["a/b", "c"], ["d", "c/x"], False),
    ],
)  # fmt: skip
def test_write_sets_are_apart_or_not(one, other, apart):
    assert law.disjoint(one, other) is apart
    assert law.disjoint(other, one) is apart


PATHS = st.lists(st.sampled_from(["a", "a/b", "a/b/c", "a/*", "b", "b/c", "*"]), max_size=3)


@given(PATHS, PATHS, PATHS)
def test_more_paths_are_never_further_apart(one, more, other):
    if law.disjoint([*one, *more], other):
        assert law.disjoint(one, other)


@pytest.mark.parametrize(
    ("rounds", "cap", "over"),
    [
        ((0, 7), 8, False),
        ((0, 8), 8, True),
        ((5, 8), 8, False),
        ((None, 8), 8, False),
        ((0, 9), 0, False),
    ],
)
def test_a_fire_ends_after_as_many_rounds_as_it_may_have(rounds, cap, over):
    assert bool(law.seam(gate=("open", "open"), rounds=rounds, converged=False, cap=cap)) is over


@pytest.mark.parametrize(
    ("tracker", "due"),
    [
        ((1, 5, 7, 400, False), False),
        ((1, 5, 7, 400, True), True),
        ((5, 5, 7, 400, False), True),
        ((1, 5, 400, 400, False), False),
        ((1, 5, 401, 400, None), True),
        ((None, 5, None, 400, None), False),
        ((9, None, 900, None, None), False),
    ],
)
def test_a_convergence_is_due_by_the_flag_or_by_the_numbers(tracker, due):
    assert law.due(tracker) is due


@pytest.mark.parametrize(
    ("word", "path"),
    [
        ("src/a", True),
        ("a.py", True),
        ("the", False),
        (".", False),
        ("...", False),
        (".env", False),
    ],
)
def test_a_path_has_a_slash_or_a_dot_inside(word, path):
    assert law.is_path(word) is path


@pytest.mark.parametrize(
    ("gate", "converged", "rounds", "why"),
    [
        (("open", "pending-audit"), False, (0, 1), "the milestone went to audit"),
        (("pending-audit", "pending-audit"), False, (0, 1), ""),
        (("pending-audit", "open"), False, (0, 1), ""),
        ((None, "pending-audit"), True, (0, 9), "the milestone went to audit"),
        (("open", "open"), True, (0, 9), "a convergence round is recorded"),
        (("open", "open"), False, (1, 9), "8 rounds are recorded"),
        (("open", "open"), False, (1, None), ""),
        (("open", "open"), False, (9, 1), ""),
    ],
)
def test_a_fire_says_why_it_is_over(gate, converged, rounds, why):
    assert law.seam(gate=gate, rounds=rounds, converged=converged, cap=8) == why


@pytest.mark.parametrize(
    ("prompt", "value"),
    [
        ("GAP_CAP=12 KEEP_ROUNDS=5", 5), ("KEEP_ROUNDS=7, and", 7), ("KEEP_ROUNDS", 3),
        ("KEEP_ROUNDS=none", 3), ("", 3), ("KEEP_ROUNDS=0", 0),
    ],
)  # fmt: skip
def test_a_knob_is_read_from_the_prompt_else_it_has_its_default(prompt, value):
    assert law.knob(prompt, "KEEP_ROUNDS", 3) == value


PROMPT = """# Plan

| M-1 | first | `src/a.py` |
| M-2 | second | `src/b.py`, docs/ |
| M-3 | third | none |
"""


@pytest.mark.parametrize(
    ("milestone", "paths"),
    [
        ("M-1", ["src/b.py", "docs/"]), ("M1", ["src/b.py", "docs/"]), ("M-2", []), ("M-3", []),
        ("M-9", []), (None, []),
    ],
)  # fmt: skip
def test_what_comes_after_a_milestone_is_planned_in_the_prompt(milestone, paths):
    assert law.planned(PROMPT, milestone) == paths
    assert law.planned("", milestone) == []


CARDS: list[tuple[int, tuple[str | None, ...]]] = [
    (9, ("OB-001", "which store for GAP-003?", "A: s3", None, None))
]


@pytest.mark.parametrize(
    ("said", "waiting"),
    [
        ("close GAP-003", True), ("see OB-001", True), ("close GAP-004", False), ("", False),
        ("it is Owner-Blocked", True), ("blocked", False),
    ],
)  # fmt: skip
def test_an_item_waits_where_it_says_so_or_shares_an_id_with_a_card(said, waiting):
    assert law.waits(said, CARDS) is waiting
    assert law.waits(said, []) is ("owner" in said.casefold())


def debt(key, paths, check, line):
    return (20, (key, "P1", "M-1", paths, check, line))


DEBTS = [
    debt("GAP-001", "src/a.py", "pytest tests/a.py", "one"),
    debt("GAP-002", "src/b.py", "pytest -q", "two"),
    debt("GAP-003", "src/c.py", "true", "three"),
    debt("GAP-004", "none", "true", None),
    debt(None, None, None, "five"),
]


def lane(gate="open", item=None, taken=(), cards=(), status="active", **fields):
    slice_ = {name.replace("_", " "): (1, value) for name, value in fields.items()}
    found = law.legal_items(
        status=status, gate=gate, item=item, fields=slice_, cards=list(cards), debts=DEBTS,
        taken=list(taken),
    )  # fmt: skip
    return [(one.id, one.text, one.verify) for one in found]


REST = [
    ("GAP-001", "one", "pytest tests/a.py"), ("GAP-002", "two", "pytest -q"),
    ("GAP-003", "three", "true"), ("GAP-004", "GAP-004", "true"), ("", "five", ""),
]  # fmt: skip


@pytest.mark.parametrize("status", ["stalled", "closed", "exit-ready", None])
def test_nothing_is_legal_in_a_run_that_is_not_active(status):
    assert lane(status=status, Item="cut the knot") == []


def test_the_slice_alone_is_legal_where_it_names_an_item():
    assert lane(Item="cut the knot", Verify="pytest") == [("", "cut the knot", "pytest")]
    assert lane(Item="cut the knot", item="another") == [("", "cut the knot", "")]
    assert lane(Item="none", Verify="pytest", item="another") == [("", "another", "pytest")]
    assert lane(item="another") == [("", "another", "")]


def test_without_an_item_every_debt_row_is_legal():
    assert lane() == lane(item="none") == lane(Item="none") == REST
    assert lane(taken=["src/a.py"]) == REST


def row(*values: str | None) -> tuple[str | None, ...]:
    return (*values, *[None] * (6 - len(values)))


def test_the_row_of_the_highest_priority_comes_first():
    said = ["P3", "`P1`", None, "P0", "urgent", "p1", "P2"]
    rows = [(at, row(f"GAP-{at}", word)) for at, word in enumerate(said)]
    found = law.legal_items(
        status="active", gate="open", item=None, fields={}, cards=[], debts=rows, taken=[]
    )
    assert [one.id[-1] for one in found] == ["3", "1", "5", "6", "0", "2", "4"]


def test_under_audit_only_rows_are_legal_that_touch_nothing_that_is_taken():
    free = [row for row in REST if row[0] in ("GAP-001", "GAP-002", "GAP-003")]
    assert lane("pending-audit", Item="cut the knot") == free
    assert lane("pending-audit", taken=["src/b.py"]) == [free[0], free[2]]
    assert lane("pending-audit", taken=["tests/"]) == [free[1], free[2]]


def test_an_item_that_waits_for_the_owner_gives_way_to_rows_that_do_not_touch_it():
    item = {"Item": "move GAP-003", "Write_set": "src/a.py"}
    assert lane(cards=CARDS, **item) == [("GAP-002", "two", "pytest -q")]
    assert lane(cards=CARDS, taken=["src/b.py"], **item) == []
    assert lane(cards=CARDS) == [row for row in REST if row[0] != "GAP-003"]


BOARD = """# Ledger

## Status header

- **Run status**: active
- **Milestone gate**: pending-audit
- **Milestone**: M-1
- **Round**: 4
- **Next unclosed item**: the next one

## Current slice

- **Item**: cut it
- **Write set**: src/a.py

## Pending promotion

- **Boundary**: M-1
- **Audit surface**: src/b.py

## owner-blocked

| ID | Decision | Recommended | Others | Why now |
|---|---|---|---|---|
| OB-001 | which? | A: this | B: that | now |
|  | whose? | A: mine | B: yours | now |

## Debt & gap register

| ID | Priority | Milestone | Write set | Verify | One line |
|---|---|---|---|---|---|
| GAP-001 | P1 | M-1 | src/a.py | true | one |
| GAP-002 | P1 | M-1 | src/b.py | true | two |
| GAP-003 | P1 | M-1 | src/c.py | true | three |

## Rounds log

- R2 2026-01-02 CONVERGE | a
- R3 2026-01-02 CONVERGE | b
- R4 2026-01-02 | c
"""


def test_a_ledger_says_what_may_be_done():
    board = law.Board(BOARD)
    assert (board.status, board.gate, board.round) == ("active", "pending-audit", 4)
    assert (board.cards, board.write_set, board.converged) == (
        ["OB-001", f"line {BOARD[: BOARD.index('whose?')].count(chr(10)) + 1}"], ["src/a.py"], 3,
    )  # fmt: skip
    assert not board.due
    assert [item.id for item in board.lane([])] == ["GAP-001", "GAP-003"]
    assert [item.id for item in board.lane(["src/c.py"])] == ["GAP-001"]
    legal = board.legal(["src/a.py"])
    assert legal
    assert legal.id == "GAP-003"
    assert board.legal(["src/a.py", "src/c.py"]) is None


def test_an_empty_ledger_says_nothing():
    board = law.Board("")
    assert (board.status, board.cards, board.write_set, board.converged) == (None, [], None, 0)
    assert board.legal([]) is None


@pytest.mark.parametrize(
    ("said", "paths"),
    [
        ("(src/a, docs/X)", ["src/a", "docs/X"]), ("src/X", ["src/X"]),
        ("a — b – c - d", ["a", "b", "c", "d"]), ("a，b", ["a", "b"]), ("<U+0061>/b", ["a/b"]),
        ("`a`,`b`", ["a", "b"]),
        ("无", []), ("()", []),
    ],
)  # fmt: skip
def test_a_write_set_is_cut_at_commas_and_blanks(said, paths):
    assert law.write_set(said) == paths


@pytest.mark.parametrize(
    ("log", "converged"),
    [
        ("- R5 2026-01-02 | CONVERGE a\n", 5), ("### Round 7 — 2026-01-02 CONVERGE\n", 7),
        ("- R5 CONVERGE\n- R4 CONVERGE\n- R9 | a\n", 5), ("- CONVERGE\n", 0), ("- R5 | a\n", 0),
        ("", 0),
    ],
)  # fmt: skip
def test_the_last_convergence_is_the_newest_round_with_its_tag(log, converged):
    assert law.Board(f"## Rounds log\n\n{log}").converged == converged
