"""Rules of the live files where judgement is needed: what they let pass, and what they tell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from loopgraph.author import compiler
from loopgraph.check import live, run_rules
from loopgraph.edges import run as edge
from loopgraph.model.contract import contract_line
from loopgraph.model.facts import DirtyPath, Repository
from tests.check.compiled import FACTS, files, run, spec

FOREIGN = Path(__file__).parents[1] / "cases" / "foreign"


def told(found: dict[str, str], *select: str) -> list[str]:
    return [f"{f.line} {f.message}" for f in run_rules.findings(edge.read(found), select=select)]


def packet(**changed: str) -> dict[str, str]:
    """A queue with one packet, some of its fields changed."""
    lines = live.PACKET.split("\n")
    for name, value in changed.items():
        lines = [f"{name}: {value}" if line.startswith(f"{name}:") else line for line in lines]
    return live.directives("Corrections", "\n".join(lines))


CLOSED = [
    "src/",
    "`src/` until D-009",
    "src/orders/**",
    "src/**/*.py while M-1 is audited",
    "src/*",
    "`src/orders`: it is under audit",
    "`tests/`, it is green",
    "leave everything under src/orders alone",
    "src/orders/.",
    "no edit in docs/, none in `lib/`",
    "tests until D-009",
    "tests",
    "tests: they are under audit",
    "./tests until D-009",
    "the tests folder until D-009",
    "folder tests",
    "* until D-009",
    ". for now",
]
OPEN = [
    "none",
    "src/orders/totals.py until D-009",
    "src/; src/orders/totals.py stays allowed",
    "`src/` except `src/reports/`",
    "src/** but not src/reports/",
    "src/，但允许 src/reports/",
    "src/*.py until tests pass",
    "src and tests are under audit",
    "tests of totals.py until D-009",
    "orders until D-009",
    "the new folder of a.py",
    "2 * 3 in totals.py",
    "either/or, and see https://example.org/docs/",
    "M-2 until R12",
]


@pytest.mark.parametrize("stop", CLOSED)
def test_a_closed_folder_is_told(stop):
    assert len(told({**files(), **packet(Stop=stop)}, "LG314")) == 1


@pytest.mark.parametrize("stop", OPEN)
def test_a_narrow_stop_passes(stop):
    assert told({**files(), **packet(Stop=stop)}, "LG314") == []


ONLY_FORBID = [
    "do not touch the tests",
    "Do not mock the database. Never lower the bar.",
    "don't edit a.py, b.py and c.py",
    "stop refactoring; no new helpers",
    "不要改测试；禁止跳过",
    "nothing else than this may be changed",
]
NAME_WORK = [
    "test the limit through the real app",
    "do not mock the database; use the fixture",
    "never lower the bar, raise the coverage instead",
    "stop refactoring. Go on with GAP-004.",
    "note the baseline, then remove the mock",
    "notify the owner by OB-002",
    "不要改测试；先修好总数",
    "flip the gate to passed",
]


@pytest.mark.parametrize("action", ONLY_FORBID)
def test_a_packet_that_only_forbids_is_told(action):
    assert told(packet(Action=action), "LG315") == ["7 D-001 only forbids"]


@pytest.mark.parametrize("action", NAME_WORK)
def test_a_packet_that_names_work_passes(action):
    assert told(packet(Action=action), "LG315") == []


def test_a_packet_with_no_action_forbids_only_if_it_stops_something():
    assert told(packet(Action="none", Stop="src/a.py until D-002"), "LG315")
    assert told(packet(Action="none", Stop="none"), "LG315") == []


NEARLY_EMPTY = {
    "ledger.md": f"{contract_line('ledger')}\n\n## Status header\n\nRun status: `active`\n\n"
    "## Current slice\n\n- Item: all\n\n## Rounds log\n\n- R1 | a\n- R2 | b\n- R3 | c\n\n"
    "## Debt & gap register\n\n| ID | One line |\n|---|---|\n| GAP-001 | a |\n| GAP-002 | b |\n\n"
    "## owner-blocked\n\n| ID | Decision |\n|---|---|\n| OB-001 | Go? |\n| OB-002 | Stay? |\n",
    "directives.md": f"{contract_line('directives')}\n\n## STANDING\n\n## Corrections\n",
}


def test_what_is_missing_is_told_once_not_once_a_row():
    assert told(NEARLY_EMPTY, "LG2", "LG3") == [
        "0 no section Supervisor state or owner-blocked",
        "0 no section Starting snapshot, Gate scoreboard or Pending promotion",
        (
            "3 the Status header does not say Current milestone, Round, Last round net lines, "
            "Next unclosed work item, Last directive folded, Highest ids, Convergence tracker "
            "or Milestone gate"
        ),
        "7 the Current slice does not say Write set, Context, Verify or Done when",
        "13 R1, R2, R3 without a date, `changed:`, `verify:`, `net +x/-y` or `next:`",
        "21 the debt rows have no column for Priority, Milestone, Write set or Verify",
        "28 the cards have no column for Recommended, Others or Why now",
    ]


@pytest.mark.parametrize("name", ["move-receipts", "price-parser"])
def test_a_run_of_an_older_contract_lacks_nothing(name):
    found = {path.name: path.read_text("utf-8") for path in (FOREIGN / name).glob("*.md")}
    assert told(found, "LG2", "LG3") == []


def test_a_run_of_an_older_contract_is_held_to_what_it_does_say():
    source = (FOREIGN / "move-receipts" / "ledger.md").read_text("utf-8")
    broken = source.replace("`passed`", "`through`").replace("- R8 ", "- R6 ")
    assert told({"ledger.md": broken}, "LG2") == [
        "11 Milestone gate is 'through', not open, pending-audit, passed or n/a",
        "55 R6 is used twice",
    ]


def dirty(*paths: str, count: int = 0) -> dict[str, str]:
    rows = tuple(DirtyPath(path, "??", "") for path in paths)
    facts = replace(
        FACTS, repositories=(Repository(".", "main", "a1", rows, count or len(rows), "0" * 64),)
    )
    return dict(compiler.compile_run(spec(facts=facts)))


def test_paths_beyond_those_that_are_shown_are_counted():
    many = dirty(*(f"notes/{number:03}.md" for number in range(70)), count=700)
    assert told(many, "LG231") == []
    ledger = many["ledger.md"].replace("- Owner's dirty path: `notes/007.md` (??)\n", "")
    assert told({**many, "ledger.md": ledger}, "LG231") == []  # the count covers one more
    without = "\n".join(line for line in ledger.split("\n") if "irty path" not in line)
    (said,) = told({**many, "ledger.md": without}, "LG231")
    assert said.endswith("the owner's dirty path notes/000.md is not named, nor 69 more")


@pytest.mark.parametrize(
    "path", ["a b.md", "`tick`.md", "a|b", "<U+0041>", "- x", "\u202e.md", "日本"]
)
def test_a_path_with_an_odd_name_is_recognised(path):
    found = dirty(path)
    assert told(found, "LG231") == []
    ledger = "\n".join(row for row in found["ledger.md"].split("\n") if "irty path" not in row)
    assert len(told({**found, "ledger.md": ledger}, "LG231")) == 1


def test_the_milestone_may_be_written_without_its_hyphen():
    made = dict(files())
    ledger = made["ledger.md"].replace("Current milestone: M-1", "Current milestone: M01")
    assert told({**made, "ledger.md": ledger}, "LG227") == []


def test_the_round_that_is_under_way_may_be_a_block_that_says_little():
    made = dict(files())
    line = "- R1 2026-01-03 | a | changed: a.py | verify: pass | net +1/-0 | next: b"
    log = f"## Rounds log\n\n{line}\n\n### R2\n- Item: b\n"
    ledger = made["ledger.md"].replace("## Rounds log\n", log).replace("Round: 0", "Round: 1")
    assert run_rules.findings(run({**made, "ledger.md": ledger})) == ()


def test_hard_wrapped_and_bold_fields_are_fields():
    made = dict(files())
    ledger = made["ledger.md"].replace("Run status: `active`", "- **Run status**: active")
    ledger = ledger.replace("- Verify: ruff check", "- **Verify**:\n  ruff check")
    assert run_rules.findings(run({**made, "ledger.md": ledger})) == ()


def test_a_path_ends_where_a_chinese_sentence_goes_on():
    said = {
        "executor.md": f"{contract_line('executor')}\n\n先读 /home/kim/限额.md，再读（~/x）。\n"
    }
    paths = [one.split(" ")[1] for one in told(said, "LG114")]
    assert paths == ["/home/kim/限额.md", "~/x"]
