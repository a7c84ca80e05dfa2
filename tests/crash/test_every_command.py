"""Every command that writes a run, killed at every file event, along one story of a run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from loopgraph.check.run_rules import findings
from loopgraph.cli import COMMANDS as PROGRAM
from loopgraph.disk import runs
from loopgraph.model.commands import COMMANDS
from tests.conftest import PROJECT
from tests.forty_rounds import ANSWERS, OWNER, forked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")

DRIVER = Path(__file__).with_name("driver.py")
NOW = "2026-01-02T03:04:05+00:00"

ROUND = ("round", "record", "--result", f"ok {OWNER}", "--changed", "a.py", "--next", f"n {OWNER}")
ASK = ("owner", "ask", f"May we {OWNER}?", "--why", "now", "--option", "no", "--option", "yes")
PLAN = ("directive", "add", "plan", "--action", f"go on {OWNER}", "--verify", "look")
GAP = ("--priority", "P2", "--write-set", "docs/x.md", "--verify", "look")
DETECTOR = ("--command", "python3 -c pass", "--blind-spot", OWNER)
REQUEST = ("promote", "request", "M-1", "--surface", "G-1", "--evidence", f"seen {OWNER}")
GREEN = ("gate", "set", "M-1", "--status", "closed", "--evidence", f"green {OWNER}")
HEALS = ("ops", "set", "A trap", "none", "--as", "executor")
RAN = ("gate", "run", "G-1")
SEEN = ("gate", "run", "--result", "M-1.2=pass", "--evidence", "seen")

STORY: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("executor", ("round", "start", "--baseline", f"nothing fails {OWNER}")),
    ("executor", (*ROUND, "--net", "+9/-0")),
    ("executor", ("slice", "set", "--write-set", "a.py", "--done-when", OWNER)),
    ("executor", ("context", "add", "--use-when", OWNER, "--read", "a.py", "--verify", "look")),
    ("executor", ("context", "replace", "C-01", "--verify", "python3 -c pass")),
    (
        "executor",
        (*("ops", "set", "twins", "7", "--section", "Detectors"), *DETECTOR),
    ),
    ("executor", ("sweep", "record", "--area", "1", "--detector", "twins", "--new", "4")),
    ("executor", ("timer", "set", "armed")),
    ("executor", ("gap", "add", f"one {OWNER}", *GAP)),
    ("executor", ("gap", "add", f"two {OWNER}", *GAP)),
    ("executor", ("gap", "add", f"three {OWNER}", *GAP)),
    ("executor", ("gap", "merge", "GAP-002", "--into", "GAP-001")),
    ("executor", ("gap", "close", "GAP-001", "--evidence", f"seen {OWNER}")),
    ("executor", ("gap", "park")),
    ("executor", ASK),
    ("supervisor", ASK),
    ("executor", (*ASK, "--relay")),
    ("owner", ("owner", "answer", "OB-001", "A")),
    ("owner", ("owner", "answer", "OB-002", "B")),
    ("executor", ("owner", "answer", "OB-003", "B", "--relayed")),
    ("owner", ("standing", "add", "SCOPE", OWNER)),
    ("owner", ("standing", "replace", "S-001", f"again {OWNER}")),
    ("owner", ("standing", "retire", "S-001")),
    ("supervisor", PLAN),
    ("executor", ("directive", "fold", "D-001", "--effect", f"done {OWNER}")),
    ("supervisor", PLAN),
    ("executor", ("directive", "fold", "D-002", "--effect", f"done {OWNER}")),
    ("supervisor", ("directive", "rotate")),
    ("supervisor", ("audited", "--through", "R1")),
    ("executor", GREEN),
    ("executor", REQUEST),
    ("supervisor", ("promote", "redo", "M-1", "--missing", OWNER, "--verify", "look")),
    ("executor", ("directive", "fold", "D-003", "--effect", "taken up")),
    ("executor", GREEN),
    ("executor", REQUEST),
    ("supervisor", RAN),
    ("supervisor", SEEN),
    ("supervisor", ("promote", "accept", "M-1")),
    ("executor", ("directive", "fold", "D-004", "--effect", "passed")),
    ("executor", ("milestone", "next")),
    ("scout", ("finding", "add", OWNER, "--where", "a.py:1", "--reproduce", OWNER)),
    *[("executor", (*ROUND, "--item", str(number), "--net", "+1/-0")) for number in range(5)],
    ("executor", ("rotate",)),
    ("owner", ("stop", "--why", OWNER)),
    ("owner", ("resume",)),
    ("executor", ("finish", "stalled", "--why", OWNER)),
    ("owner", ("resume", "--why", OWNER)),
    ("owner", ("finish", "closed", "--why", OWNER)),
)
MEASURED: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("executor", ("metric", "set", "p95", "--now", "8", "--evidence", OWNER, "--target", "5 ms")),
    ("executor", ("metric", "set", "p95", "--now", "7", "--evidence", "again")),
)
"""Of a run that measures."""

LAST: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("executor", (*ROUND, "--net", "+9/-0")),
    ("executor", GREEN),
    ("executor", REQUEST),
    ("supervisor", RAN),
    ("supervisor", SEEN),
    ("supervisor", ("promote", "accept", "M-1")),
    ("executor", ("directive", "fold", "D-001", "--effect", "passed")),
    ("executor", ("milestone", "next")),
    *[("executor", ("gate", "set", row, *GREEN[3:])) for row in ("M-2", "G-1", "North Star")],
    ("executor", ("gap", "close", "GAP-001", "--evidence", "seen")),
    ("executor", ("promote", "request", "M-2", *REQUEST[3:])),
)
"""What leads to the end of a run that has reached its goal."""
ENDED: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("executor", ("finish", "exit-ready", "--why", OWNER)),
    ("supervisor", RAN),
    ("supervisor", ("promote", "accept", "M-2")),
    ("executor", ("directive", "fold", "D-002", "--effect", "passed")),
)
"""Its end, which the long story cannot reach: there are areas to sweep."""

ELSEWHERE: Final = {
    *("adopt", "bind", "checkpoint", "restore", "snapshots prune"),  # other files, or git
    *("block", "loop bind", "loop done", "plan bind", "plan complete", "plan start", "state set"),
}
"""What writes no live file of a run, or does it in a test of its own."""


def entries(run: Path) -> list[str]:
    """Every entry with an id that is live, word for word."""
    found: Any = runs.load(run)
    ledger, queue = found.ledger(), found.directives()
    lines = {name: found.document(name).lines for name in ("ledger.md", "directives.md")}
    spans = [("ledger.md", one.line, one.line) for one in (*ledger.gaps, *ledger.cards)]
    spans += [("ledger.md", one.line, one.end) for one in ledger.rounds if not one.block]
    spans += [("directives.md", one.line, one.line) for one in (*queue.standing, *queue.cards)]
    spans += [("directives.md", one.line, one.end) for one in queue.corrections]
    return ["".join(lines[name][first - 1 : last]) for name, first, last in spans]


def everything(run: Path) -> str:
    return "".join(p.read_text("utf-8") for p in (*run.glob("*.md"), *run.glob("archive/*.md")))


def killed(base: Path, home: Path, setup: Path, words: tuple[str, ...]) -> list[Path]:
    """The workspaces that a command left, killed at each event; in the last it got through."""
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(base), str(setup), *words],
        env={
            "PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(PROJECT),
            "LOOPGRAPH_NOW": NOW,
        },
        capture_output=True, text=True, check=True, cwd=PROJECT,
    )  # fmt: skip
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[-1][1] == "0", (words, lines[-1], done.stderr)
    assert len(lines) > 2, words
    return [base / number for number, _ in lines]


def look(place: Path, home: Path, old: list[str], whole: tuple[str, ...]) -> None:
    """Nothing is lost in a workspace that a kill has left, and the next command heals it."""
    (run,) = runs.all_runs(place)
    text = everything(run)
    assert not [entry for entry in old if entry not in text], (place.name, whole)
    assert not findings(runs.load(run), select=["LG1"]), (place.name, whole)
    healed = forked(place, home)(*HEALS, now=NOW)
    assert healed.code == 0, (place.name, whole, healed.err)
    assert [one.name for one in run.rglob(".*") if one.name != ".lock"] == [], whole
    assert not findings(runs.load(run)), (place.name, whole)
    text = everything(run)
    assert not [entry for entry in old if entry not in text], (place.name, whole)


WIDE: Final = 2


def side_by_side(places: list[Path], work: Callable[[Path], None]) -> None:
    """Do the work at each place, in two processes, since it is most of what this room takes."""
    children = []
    for at in range(WIDE):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for place in places[at::WIDE]:
                    work(place)
                code = 0
            except BaseException:  # noqa: BLE001  a child of ours must not go on as pytest
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert codes == [0] * WIDE, "see the traceback on stderr"


def _again(steps: tuple[tuple[str, tuple[str, ...]], ...], number: int) -> bool:
    """Whether a step comes before and again after this one: its first and last are killed."""
    alike = [at for at, step in enumerate(steps) if _kind(step) == _kind(steps[number])]
    return number not in (alike[0], alike[-1])


def _kind(step: tuple[str, tuple[str, ...]]) -> tuple[str, ...]:
    by, words = step
    return (by, *words[:2], *(word for word in words if word.startswith("--")))


def play(
    tmp_path: Path,
    preset: str,
    story: tuple[tuple[str, tuple[str, ...]], ...],
    before: tuple[tuple[str, tuple[str, ...]], ...] = (),
) -> Path:
    """Kill each command of a story at each event, look, heal, and go on where it got through.

    `before`: commands that are done first, and not killed. Where the workspace lies at the end.
    """
    workspace, home = tmp_path / "start", tmp_path / "home"
    home.mkdir()
    workspace.mkdir()
    (workspace / "a.py").write_text("print('hello')\n", "utf-8")
    answers = tmp_path / "answers.yaml"
    answers.write_text(ANSWERS.replace("bookshelf/", ""), "utf-8")
    new = ("new", preset, "--answers", str(answers), "--yes", "--scout", "look", "--host", "grok")
    said = forked(workspace, home)(*new, now=NOW)
    assert said.code == 0, said.err
    steps = (*before, *story)
    for number, (by, words) in enumerate(steps):
        whole = (*words, "--as", by)
        spared = number < len(before) or _again(steps, number)
        if spared or words == RAN:  # approved for this place alone, and no copy may start it
            assert forked(workspace, home)(*whole, now=NOW).code == 0
            continue
        (run,) = runs.all_runs(workspace)
        old = entries(run)
        base = tmp_path / str(number)
        base.mkdir()
        left = killed(base, home, workspace, whole)
        side_by_side(left, partial(look, home=home, old=old, whole=whole))
        shutil.rmtree(workspace)
        left[-1].rename(workspace)
        shutil.rmtree(base)
    return workspace


def test_no_command_loses_an_entry_wherever_it_is_killed(tmp_path):
    play(tmp_path, "converge", STORY)


def test_no_measurement_is_lost_wherever_its_command_is_killed(tmp_path):
    play(tmp_path, "research", MEASURED)


def test_no_end_of_a_run_is_half_an_end_wherever_its_command_is_killed(tmp_path):
    (run,) = runs.all_runs(play(tmp_path, "deliver", ENDED, before=LAST))
    ledger: Any = runs.load(run).ledger()
    assert (ledger.status, ledger.gate) == ("closed", "passed")


def test_the_stories_play_every_command_that_writes_a_run():
    played = {" ".join(words[:2]) for _, words in (*STORY, *MEASURED, *ENDED)}
    played |= {words[0] for _, words in STORY}
    writes = {one.name for one in COMMANDS if one.writers} - ELSEWHERE
    assert writes <= played, writes - played
    assert {name.split()[0] for name in writes} <= {name for name, _ in PROGRAM}
