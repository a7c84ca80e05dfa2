"""An edit changes its span and no other byte, whatever stands around it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import edit, ledger
from loopgraph.edges.document import parse
from loopgraph.model.errors import LoopgraphError
from loopgraph.plain import header, quoting, text
from tests.check import compiled

LEDGER = compiled.files("deliver")["ledger.md"]
JUNK = st.text(
    st.sampled_from("ab |`#-*<>!_\\:：·1\n\r\t\f\u2028\u00a0中−[]~="), min_size=0, max_size=60
)
VALUES = st.text(
    st.sampled_from("ab |`#-*<>!_\\:：·1\n\t\u2028中−[]~=CONVERGE"), min_size=1, max_size=40
)
SPOTS = ("## Starting snapshot\n", "## Gate scoreboard\n", "## owner-blocked\n", "## Rounds log\n")


def around(junk: str, spot: str) -> str:
    """The ledger with text that nobody understands behind one of its headings."""
    return LEDGER.replace(spot, f"{spot}\n{junk}\n\n")


def changed(before: str, after: str) -> list[int]:
    """The lines that differ, where none was added."""
    old, new = text.lines(before), text.lines(after)
    assert len(old) == len(new)
    return [at for at, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]


@given(junk=JUNK, spot=st.sampled_from(SPOTS), value=VALUES, name=st.sampled_from(header.FIELDS))
def test_a_field_of_the_header_changes_its_own_line(junk, spot, value, name):
    before = around(junk, spot)
    document = parse(before)
    part: Any = document.section("Status header")
    if name not in ledger.read(document).fields:
        return
    after = edit.set_field(document, part, header.FIELDS, name, quoting.cell(value)).text()
    assert len(changed(before, after)) <= 1


@given(junk=JUNK, spot=st.sampled_from(SPOTS), value=VALUES)
def test_the_next_item_comes_back_as_it_was_given(junk, spot, value):
    document = parse(around(junk, spot))
    part: Any = document.section("Status header")
    name = "Next unclosed work item"
    if not value.strip():
        return
    after = edit.set_field(document, part, header.FIELDS, name, quoting.inline(value.strip()))
    assert ledger.read(after).next_item == value.strip()
    assert ledger.read(after).round == 0


@given(junk=JUNK, value=VALUES, name=st.sampled_from(header.SLICE))
def test_a_field_of_the_slice_changes_its_own_line(junk, value, name):
    before = around(junk, "## Starting snapshot\n")
    document = parse(before)
    part: Any = document.section("Current slice")
    if not value.strip():
        return
    said = quoting.inline(value.strip())
    after = edit.set_entry(document, part, header.SLICE, name, said)
    assert len(changed(before, after.text())) <= 1
    found: Any = ledger.read(after).slice
    assert found[2 + header.SLICE.index(name)].text == value.strip()


@given(junk=JUNK, spot=st.sampled_from(SPOTS), cells=st.lists(VALUES, min_size=6, max_size=6))
def test_a_row_is_one_line_more(junk, spot, cells):
    before = around(junk, spot)
    document = parse(before)
    part = document.section("Debt & gap register")
    if part is None:  # a fence in the text around swallowed it
        return
    try:
        after = edit.add_row(document, "ledger.md", part, header.GAP_COLUMNS, cells)
    except LoopgraphError:
        return
    row = edit.row(cells)
    assert after.text().count(row) >= 1
    assert after.text().replace(f"{row}\n", "", 1) == before


@given(junk=JUNK, spot=st.sampled_from(SPOTS), value=VALUES)
def test_a_cell_changes_its_own_line(junk, spot, value):
    before = around(junk, spot)
    document = parse(before)
    rows = ledger.read(document).gaps
    if not rows:
        return
    after = edit.set_cells(document, "ledger.md", rows[0].line, {5: value})
    assert len(changed(before, after.text())) <= 1
    assert ledger.read(after).gaps[0].text == value


@given(
    items=st.lists(VALUES.filter(str.strip), min_size=1, max_size=3),
    junk=JUNK,
)
def test_the_item_of_a_round_comes_back_as_it_was_given(items, junk):
    lines = [
        f"- R{at} 2026-01-02 | {ledger.piece(item)} | changed: a | verify: b | net +1/-0 | next: c"
        for at, item in enumerate(items, 1)
    ]
    document = parse(around(junk, "## Starting snapshot\n") + "\n" + "\n".join(lines) + "\n")
    found = ledger.read(document)
    if document.section("Rounds log") is None:
        return
    assert [entry.item for entry in found.rounds] == items
    assert not any(entry.converge for entry in found.rounds)
