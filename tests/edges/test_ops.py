"""ops.md is read as far as it can be understood, and never refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import document, ops
from loopgraph.edges.ops import ContextRow, DetectorRow, GateRow, Ops, TimerRow


def read(text: str) -> Ops:
    return ops.read(document.parse(text))


CANONICAL = """\
# shop — longgraph Ops

## Context index

| ID | Use when | Read | Verify |
|---|---|---|---|
| C-01 | editing \\| testing | docs/limits.md | pytest |

## Gates

| ID | Gate | Command or observation | Narrow form | Cost | Batched | Source |
|---|---|---|---|---|---|---|
| G-1 | tests | `pytest` | `pytest <path>` | minutes | yes | owner |
| G-2 | evals | `make evals` | none | money: 0.40 USD | no | owner |

## Spend budget

20 USD
for the run.

## Detectors

| Detector | Command | Blind spot | Baseline |
|---|---|---|---|
| vulture | `vulture src` | names in templates | `unmeasured` |

## Rotation areas

1. `src`
2. `lib/a b`

## Timers

| Node | Timer id | Interval |
|---|---|---|
| executor | none | 10m |
"""


def test_the_canonical_form_is_read_whole():
    found = read(CANONICAL)
    assert found.context == (
        ContextRow(7, "C-01", "editing | testing", "docs/limits.md", "pytest"),
    )
    assert found.gates == (
        GateRow(13, "G-1", "tests", "`pytest`", "minutes", "yes"),
        GateRow(14, "G-2", "evals", "`make evals`", "money: 0.40 USD", "no"),
    )
    assert found.detectors == (DetectorRow(25, "vulture", "`vulture src`", "names in templates"),)
    assert found.areas == ("src", "lib/a b")
    assert found.timers == (TimerRow(36, "executor", "none", "10m"),)
    assert found.budget == "20 USD for the run."


def test_an_absent_section_is_unknown_and_an_empty_one_is_empty():
    assert read("# shop\n")[1:] == (None,) * 6
    found = read("## Context index\n\n## Gates\n\n## Rotation areas\n\n## Spend budget\n")
    assert (found.context, found.gates, found.areas, found.budget) == ((), (), (), "")


def test_columns_are_found_by_their_titles_in_any_order():
    head = "## Gates\n\n| Cost | ID | Command |\n|---|---|---|\n"
    (row,) = read(f"{head}| seconds | G-1 | make |\n").gates or ()
    assert row == GateRow(5, "G-1", None, "make", "seconds", None)


def test_columns_go_by_their_place_where_no_title_is_known():
    head = "## Gates\n\n| a | b |\n|---|---|\n"
    (row,) = read(f"{head}| G-1 | tests | make | none | seconds | no |\n").gates or ()
    assert row == GateRow(5, "G-1", "tests", "make", "seconds", "no")


def test_a_row_that_is_too_short_has_unknown_cells():
    head = "## Context index\n\n| ID | Use when | Read | Verify |\n|---|---|---|---|\n"
    (row,) = read(f"{head}| C-01 |\n").context or ()
    assert row == ContextRow(5, "C-01", None, None, None)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_headings_with_a_suffix_change_nothing(end):
    text = CANONICAL.replace("## Gates\n", "## Gates (frozen)\n").replace("\n", end)
    assert read("\ufeff" + text)[1:] == read(CANONICAL)[1:]


@given(st.text(alphabet="#|`- \n1.C0GatesContext index\\:Timers", max_size=200))
def test_any_text_is_read(text):
    read(text)


@pytest.mark.parametrize(
    ("line", "areas"),
    [
        ("1. `src`", ("src",)), ("2) lib", ("lib",)), ("- docs", ("docs",)), ("* `a b`", ("a b",)),
        ("+ x", ("x",)), ("12X. src", ()), ("1 src", ()), ("src", ()), ("1.", ()), ("-", ()),
    ],
)  # fmt: skip
def test_an_area_is_an_item_of_a_list(line, areas):
    assert read(f"## Rotation areas\n\n{line}\n").areas == areas
