"""The status of a run: what it says, what it does not know, and its exit code."""

from __future__ import annotations

import json
from typing import get_args

import fastjsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import run as edge
from loopgraph.edges.beside import Beside, Loop, Plan, Stopped
from loopgraph.edges.bindings import Binding, Block
from loopgraph.edges.stops import Stop
from loopgraph.model.finding import Finding
from loopgraph.node import fire, fire_parts, owner
from loopgraph.node.owner import Question
from loopgraph.views import next as view_of_next
from loopgraph.views import screen, status
from tests.conftest import NOW, PROJECT
from tests.node.desk import Desk

FOREIGN = PROJECT / "tests/cases/foreign"
NOTHING = Beside()
STOPPED = Beside(stops=(Stopped(".longgraph/STOP", Stop("owner", NOW, "lunch")),))
SCHEMA = fastjsonschema.compile(status.schema())


def foreign(name):
    files = {path.name: path.read_text("utf-8") for path in (FOREIGN / name).glob("*.md")}
    return edge.read(files)


def of(desk, beside=NOTHING, findings=None):
    return status.summarise(desk.run, "r", beside, findings)


def test_a_run_of_other_people_is_read_as_far_as_it_says():
    found = status.summarise(foreign("move-receipts"), "move-receipts", Beside())
    assert (found.milestone, found.round, found.gate, found.folded) == ("M3", 9, "passed", "D-003")
    assert found.convergence == status.Converging(4, 5, 58, 400, due=False)
    (card,) = found.cards
    assert dict(card.options) == {"A": "drop it, with a way back", "B": "keep it for a quarter"}
    assert (found.waits, found.exit) == ("card", 3)
    assert (found.pack, found.created, found.slice, found.audited) == (None, None, None, None)


def test_a_run_with_one_goal_is_active():
    found = status.summarise(foreign("price-parser"), "price-parser", Beside())
    assert (found.round, found.gate, found.exit) == (3, "n/a", 0)
    assert found.convergence is not None
    assert found.convergence.net == 42
    assert found.directives is None
    assert found.folded is None


def with_status(said, **answers):
    desk = Desk(**answers)
    desk.edit("ledger.md", "Run status: `active`", f"Run status: {said}")
    return desk


def asked(said="`active`"):
    desk = Desk()
    desk.do(owner.ask, Question("Drop it?", "twice", ("keep it",)))
    desk.edit("ledger.md", "Run status: `active`", f"Run status: {said}")
    return desk


@pytest.mark.parametrize(
    ("desk", "beside", "waits", "code"),
    [
        (Desk, Beside(), None, 0),
        (asked, Beside(), "card", 3),
        (Desk, STOPPED, "stop", 3),
        (lambda: with_status("`stalled`"), Beside(), None, 4),
        (lambda: asked("`stalled`"), Beside(), "card", 3),
        (lambda: with_status("`closed`"), Beside(), None, 5),
        (lambda: asked("`closed`"), STOPPED, None, 5),
        (lambda: with_status("`exit-ready`"), Beside(), None, 0),
        (lambda: with_status("`exit-ready`", supervisor="no"), Beside(), "closing", 3),
        (lambda: with_status("`resting`"), Beside(), None, 2),
        (lambda: asked("`resting`"), Beside(), "card", 3),
    ],
)
def test_the_exit_code_says_closed_first_then_waiting_then_stalled(desk, beside, waits, code):
    found = of(desk(), beside)
    assert (found.waits, found.exit) == (waits, code)
    assert code in dict(status.EXIT_CODES)


@pytest.mark.parametrize("milestones", ["single", "M"])
def test_an_exit_ready_run_names_one_way_to_its_end_on_both_screens(milestones):
    desk = Desk(name="deliver", supervisor="no", milestones=milestones)
    if milestones == "single":
        desk.edit("ledger.md", "Run status: `active`", "Run status: `exit-ready`")
        (part,) = [
            p for p in fire.hot_start(desk.run, Beside(), "owner").parts if p.kind == "judge"
        ]
        assert of(desk).waits == "closing"
        assert "finish closed" in part.commands[0]
        desk.edit("ledger.md", "Run status: `exit-ready`", "Run status: `active`")
    desk.ask()
    desk.edit("ledger.md", "Run status: `active`", "Run status: `exit-ready`")
    (part,) = [p for p in fire.hot_start(desk.run, Beside(), "owner").parts if p.kind == "judge"]
    assert of(desk).waits == "audit"
    assert any("promote " in way for way in part.commands)
    assert not any("finish closed" in way for way in part.commands)


def test_what_a_ledger_does_not_say_is_unknown_and_not_zero():
    found = status.summarise(edge.read({"ledger.md": "# Another file\n\nwords\n"}), "x", Beside())
    for name in (
        "status",
        "gate",
        "milestone",
        "round",
        "net",
        "folded",
        "convergence",
        "slice",
        "open_gates",
        "gates",
        "gaps",
        "directives",
        "rounds",
        "errors",
        "legal",
    ):
        assert getattr(found, name) is None, name
    assert found.exit == 2
    assert "Round: unknown" in screen.text(found)


def test_the_screen_begins_with_what_waits_for_the_owner():
    desk = Desk()
    desk.do(
        owner.ask, Question("Drop it?", "it is twice", ("keep it", "drop | it"), because="safe")
    )
    lines = [line.strip() for line in screen.text(of(desk)).splitlines()]
    at = lines.index("Decision needed: Drop it? [OB-001]")
    assert at < 4
    assert lines[at + 1 : at + 5] == [
        "Why now: it is twice",
        "A (Recommended) — keep it — safe",
        "B — drop | it",
        "Answer A / B with: loopgraph owner answer OB-001 LETTER --run r",
    ]
    assert lines[at + 5] == ""
    assert lines.index("Status: `active`") > at


def test_a_relayed_answer_that_only_the_owner_may_give_still_waits():
    desk = asked()
    desk.do(owner.answer, "OB-001", "A", relayed=True)
    found = of(desk)
    assert (found.cards[0].relayed, found.exit) == ("A", 3)
    assert "A node says that you chose A." in screen.text(found)


def test_what_stands_beside_a_run_is_shown():
    beside = Beside(
        bindings={"claude:s-1": Binding("r", "executor", NOW)},
        blocks=(Block("s-1", "no network", "it is back", NOW),),
        plans=(Plan("tidy", "plan.md", ("s-1",), 3, 12, 0, "next row"),),
        loops=(Loop("task", "claude:s-2", 4, 50),),
        acts={"executor": NOW},
        problems=(".longgraph/x.json: not valid JSON",),
    )
    findings = [Finding("LG101", "a", 1, "b"), Finding("LG2", "a", 0, "b", level="warning")]
    shown = screen.text(of(Desk(), beside, findings))
    for line in (
        "Sessions: claude:s-1 executor (blocked: no network)",
        "Plan: tidy: 3 of 12 rows open (plan.md)",
        "Loop: task: 4 of 50; claude:s-2",
        "Unreadable: .longgraph/x.json: not valid JSON",
        "Check: errors 1, warnings 1: loopgraph check r",
        f"Timers: executor every 10m, last act {NOW}; supervisor every 30m",
    ):
        assert line in shown.splitlines()


ODD = st.text(
    alphabet=st.sampled_from("ab|`#*-:\n\r\t 0123456789\x1b\x00\u202e\u2028\ufeff中−MRDP<U+>/"),
    max_size=60,
)


LINES = st.sampled_from(
    """\
## Status header
Round: 9 | x
Run status: `active`
Convergence tracker: rounds since last 5: **4** | net lines since last +4: **+9**
## owner-blocked
| ID | Decision |
|---|---|
| OB-1 | x |
## Rounds log
- R9 2026-99-99 | x | net +1/-2
## Corrections
D-1 · x · redo
## Current slice
- Item: x
```
<<<<<<< ours
>>>>>>> theirs""".splitlines()
)


FIELDS = st.builds(
    str.__add__,
    st.sampled_from(
        ["Run status: ", "Current milestone: ", "Next unclosed work item: ", "- R8 2026-01-02 | ",
         "| OB-2 | ", "- Item: ", "- Verify: ", "D-2 · 2026-01-02 · redo · ", "Action: "]
    ),
    ODD,
)  # fmt: skip


@given(lines=st.lists(ODD | LINES | FIELDS, max_size=25))
def test_any_text_gives_a_screen_without_control_characters_and_json_of_the_schema(lines):
    source = "\n".join(lines)
    run = edge.read({"ledger.md": source, "directives.md": source, "ops.md": source})
    found = status.summarise(run, "r", Beside())
    shown = screen.text(found)
    assert all(char.isprintable() or char == "\n" for char in shown.replace("\u3000", " "))
    SCHEMA(json.loads(json.dumps(status.data(found))))
    for role in ("executor", "supervisor", "owner", "scout"):
        woken = fire.hot_start(run, Beside(), role)
        told = view_of_next.text("r", woken)
        assert told.count("\n") <= view_of_next.LINES
        assert all(char.isprintable() or char == "\n" for char in told)
        NEXT(json.loads(json.dumps(view_of_next.data("r", woken))))


NEXT = fastjsonschema.compile(view_of_next.schema())


def test_sixty_lines_hold_where_every_part_has_much_to_say():
    long = tuple(f"line {number}" for number in range(40))
    kinds = get_args(fire_parts.Kind)
    parts = tuple(
        fire_parts.Part(kind, f"X-{n}", "y" * 900, long, long) for kind in kinds for n in range(9)
    )
    found = fire.hot_start(Desk().run, Beside(), "executor")._replace(parts=parts)
    told = view_of_next.text("r", found)
    assert told.count("\n") == 60
    assert told.splitlines()[-1].endswith("more lines: loopgraph next --json")


def test_an_escape_in_a_value_never_reaches_the_terminal():
    desk = Desk()
    desk.edit("ledger.md", "Current milestone: M-1", "Current milestone: M-1 \x1b[31m\x07")
    shown = screen.text(of(desk, Beside(problems=("a\x1b]0;b",))))
    assert "\x1b" not in shown
    assert "<U+001B>[31m<U+0007>" in shown
    assert "Unreadable: a<U+001B>]0;b" in shown


def test_sixty_lines_hold_whatever_waits():
    packets = "".join(
        f"D-{n:03} · 2026-01-02 · plan\nContext: {'c' * 5000}\nAction: a\nVerify: v\nStop: none\n\n"
        for n in range(1, 90)
    )
    cards = "".join(f"| OB-{n:03} | {'d' * 900} | A: x | none | now |\n" for n in range(1, 60))
    rows = "".join(f"| GAP-{n:03} | P0 | M-1 | a{n} | v | l |\n" for n in range(1, 300))
    files = dict(Desk().files)
    for columns, more in ((5, cards), (6, rows)):
        rule = f"|{'---|' * columns}\n"
        files["ledger.md"] = files["ledger.md"].replace(rule, rule + more, 1)
    files["directives.md"] += packets
    run = edge.read(files)
    found = fire.hot_start(run, Beside(), "executor")
    told = view_of_next.text("r", found)
    assert told.count("\n") <= 60
    assert max(map(len, told.splitlines())) <= 620
    assert "loopgraph directive fold D-001" in told
    assert "loopgraph status" in told
    assert "Action: a" in told
