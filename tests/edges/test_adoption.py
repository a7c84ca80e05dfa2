"""Bringing a file to the canonical form: once is enough, and nothing of it goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from loopgraph.edges import adoption_directives, adoption_ledger
from loopgraph.edges.adoption import Adopted
from loopgraph.model.errors import UnreadableError
from loopgraph.plain import text
from tests.edges.adopting import DIRECTIVES, LEDGER

FOREIGN = Path(__file__).parents[1] / "cases" / "foreign"
ADOPTED = Path(__file__).parents[1] / "cases" / "adopted"
LEDGERS = [path.read_text("utf-8") for path in sorted(FOREIGN.glob("*/ledger.md"))]
QUEUE = """\
# tillroll — Directives

## STANDING

- S-001: never touch `legacy/`
- no new dependency
+ S-003 · PRE-AUTH · drop the old table once the diff is empty

## Corrections

D-004 · 2026-09-16 — the diff was never run → run it from outside
goes on here
D-005 · redo · M-2
Context: C-01
Action: run it
Verify: make test
Stop: none
"""


def ledger(source: str) -> Adopted:
    return tolerant(lambda: adoption_ledger.adopt(source, LEDGER))


def directives(source: str) -> Adopted:
    return tolerant(lambda: adoption_directives.adopt(source, DIRECTIVES))


def tolerant(adopt: Callable[[], Adopted]) -> Adopted:
    """A file with a block that is never closed is refused, and that is no case here."""
    try:
        return adopt()
    except UnreadableError:
        reject()


def shaken(source: str) -> st.SearchStrategy[str]:
    """The file with lines lost, said twice, moved, or of somebody's own between them."""
    lines = text.lines(source)
    own = st.sampled_from(
        [
            "- R7 | odd\n", "| a | b |\n", "```\n", "<!--\n", "-->\n", "## Rounds log\n", "\n",
            "---\n",
            "### Round 12 — 2026-10-09\n", "- **Item**: x | y\n", "|---|---|\n",
            "Run status: done\n",
            "| GAP-x | high | `a | b` |\n", "- R13 2026-10-10 | z | net +1/−2 | next: \\| q\n",
            "  - deep\n", "D-009 — no date -> act\n", "- S-2 SCOPE x\n", "Milestone gate: maybe\n",
            "OB-7 | x\n", "Highest ids: D-900\n", "Current milestone: **M2** x | y\n",
            "## STANDING\n",
        ]
    )  # fmt: skip
    changes = st.tuples(
        st.integers(0, len(lines)), st.sampled_from(["drop", "twice", "last", "own"]), own
    )

    def apply(chosen: list[tuple[int, str, str]]) -> str:
        made = list(lines)
        for at, what, line in chosen:
            place = at % (len(made) + 1)
            if what == "own":
                made.insert(place, line)
            elif made and what == "twice":
                made.insert(place, made[place % len(made)])
            elif made:
                taken = made.pop(place % len(made))
                made += [taken] if what == "last" else []
        return "".join(made)

    return st.lists(changes, max_size=8).map(apply)


@pytest.mark.parametrize("source", LEDGERS)
@given(data=st.data())
def test_a_ledger_is_adopted_once(source, data):
    done = ledger(data.draw(shaken(source)))
    again = ledger(done.text)
    assert again.text == done.text
    assert not again.moves


def test_a_register_in_a_block_that_is_never_closed_is_refused():
    source = "## Status header\n\n## Debt & gap register\n```\n(none)\n"
    with pytest.raises(UnreadableError, match="never closed"):
        adoption_ledger.adopt(source, LEDGER)
    lines = LEDGERS[0].splitlines(keepends=True)
    lines.insert(0, "## Rounds log\n")
    lines.insert(47, "```\n")
    with pytest.raises(UnreadableError, match="never closed"):
        adoption_ledger.adopt("".join(lines), LEDGER)


@given(source=shaken(QUEUE))
def test_a_queue_is_adopted_once(source):
    done = directives(source)
    again = directives(done.text)
    assert again.text == done.text
    assert not again.moves


@pytest.mark.parametrize(
    ("adopt", "source"), [*((ledger, one) for one in LEDGERS), (directives, QUEUE)]
)
@given(data=st.data())
def test_a_line_that_nobody_understands_is_still_there(adopt, source, data):
    """Prose of one's own: in the file as it was, or in the archive word for word."""
    lines = text.lines(source)
    at = data.draw(st.integers(0, len(lines)))
    own = "Zyx: a remark, `code`, and  two blanks \n"
    done = adopt("".join((*lines[:at], own, *lines[at:])))
    kept = done.text + "".join(move.text for move in done.moves)
    assert own in kept or own.strip() in kept  # a value that goes on below its name is one value


@given(st.text(max_size=300))
def test_any_text_at_all_can_be_adopted(source):
    for adopt in (ledger, directives):
        assert adopt(adopt(source).text).text == adopt(source).text


def test_a_tracker_that_counts_less_than_the_log_stays_and_is_told():
    said = (
        "Convergence tracker: rounds since last 5: **2** | net lines since last +400: **+42** | "
        "**next round converges: no**"
    )
    source = (
        f"# tillroll — Ledger\n\n## Status header\n\nRound: 2\n{said}\n\n## Rounds log\n\n"
        "- R1 2026-01-01 | one | changed: a | verify: 1 passed | net +40/-2 | next: two\n"
        "- R2 2026-01-02 | two | changed: a | verify: 1 passed | net +30/-12 | next: three\n"
    )
    done = ledger(source)
    assert said in done.text.splitlines()
    (told,) = (one for one in done.told if "Convergence tracker" in one.message)
    assert "stays as it was, 2 rounds and +42 lines" in told.message
    assert "2 and +56" in told.message


FOREIGN_TOLD = {
    "move-receipts": (),
    "price-parser": (
        (0, "GAP-001, GAP-002 said nothing under Milestone, Write set, Verify"),
        (7, "the Status header did not say the milestone's id, Milestone gate"),
    ),
}
BLOCKS = {"move-receipts": ("R9",), "price-parser": ("R1", "R2", "R3")}


@pytest.mark.parametrize("name", FOREIGN_TOLD)
def test_a_ledger_of_somebody_else_becomes_the_one_that_its_case_shows(name):
    done = ledger((FOREIGN / name / "ledger.md").read_text("utf-8"))
    assert done.text == (ADOPTED / f"{name}.md").read_text("utf-8")
    assert tuple((one.line, one.message) for one in done.told) == FOREIGN_TOLD[name]
    assert [(move.archive, move.id) for move in done.moves] == [
        ("rounds", id_) for id_ in BLOCKS[name]
    ]


def test_a_queue_of_somebody_else_becomes_the_one_that_its_case_shows():
    done = directives(QUEUE)
    assert done.text == (ADOPTED / "queue.md").read_text("utf-8")
    assert [(one.line, one.message.split(" ")[0]) for one in done.told] == [
        (13, "D-004"), (11, "S-001"), (12, "S-004"), (5, "how"),
    ]  # fmt: skip
    (move,) = done.moves
    assert (move.id, move.file, move.archive) == ("D-004", "directives.md", "directives")
    assert move.text.startswith("D-004 · 2026-09-16 — the diff was never run")
    assert move.instead in done.text


@pytest.mark.parametrize("source", ["", "# tillroll\n", "## Rounds log\n", "one line"])
def test_a_ledger_that_says_next_to_nothing_is_adopted_and_what_is_missing_is_unknown(source):
    done = ledger(source)
    assert ledger(done.text).text == done.text
    assert "## Status header" in done.text
    assert "Milestone gate" in done.text
    assert source.strip() in done.text
