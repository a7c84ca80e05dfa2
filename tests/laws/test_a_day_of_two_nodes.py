"""A day of two nodes by real commands: each verdict is carried through, nobody is left stuck."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.forty_rounds import OWNER, Play, Said, forked, prepared

ANSWERS = """\
goal: Limit the rate of each client.
host: shell
milestones:
- outcome: The limit is read from the configuration
  exit_checks: G-1; the limit can be read by hand
  audit_surface: bookshelf/limits.py
  write_set: bookshelf/limits.py
- outcome: A client over its limit is refused
  exit_checks: G-1
  audit_surface: bookshelf/catalog.py
  write_set: bookshelf/catalog.py
gate: python3 check.py
"""
REQUEST = ("--surface", "bookshelf/limits.py, G-1", "--evidence", "R1, R2")


class Day(Play):
    """The commands of both nodes, with `check` and `audit` silent behind each step."""

    def begin(self) -> None:
        (self.workspace / "answers.yaml").write_text(ANSWERS, "utf-8")
        for name in ("limits", "catalog"):
            (self.workspace / f"bookshelf/{name}.py").write_text("LIMIT = 100\n", "utf-8")
        self.gate(0)
        self.do("new", "deliver", "--answers", "answers.yaml", "--yes", by=None)
        (self.run,) = (self.workspace / ".longgraph").glob("2*")
        self.silent()

    def gate(self, code: int) -> None:
        """What the gate of this workspace says."""
        (self.workspace / "check.py").write_text(f"raise SystemExit({code})\n", "utf-8")

    def silent(self) -> None:
        git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"]
        for words in (["add", "-A"], ["commit", "-q", "-m", "state"]):
            subprocess.run([*git, *words], cwd=self.workspace, check=True, capture_output=True)
        for command in ("check", "audit"):
            said = self.do(command, by=None)
            assert "LG" not in said.out + said.err, said

    def build(self, path: str = "bookshelf/limits.py", *more: str) -> None:
        self.do("round", "start", *more)
        place = self.workspace / path
        place.write_text(f"{place.read_text('utf-8')}LINE_{self.count} = 1\n", "utf-8")
        words = ("--result", "12 passed", "--evidence", "log", "--next", "the next slice")
        self.do("round", "record", *words)

    def red(self, *command: str) -> None:
        assert self._say(command, "supervisor", {}).code == 1

    def next(self, by: str = "executor") -> str:
        return self.do("next", by=by).out

    def judge(self, id_: str, *observed: str) -> Said:
        self.do("gate", "run", "G-1", by="supervisor")
        for one in observed:
            self.do("gate", "run", "--result", one, "--evidence", "seen", by="supervisor")
        return self.do("promote", "accept", id_, by="supervisor")


@pytest.fixture
def day(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    workspace: Path = prepared(tmp_path)
    played = Day(workspace, forked(workspace, home), lambda _line: None)
    played.begin()
    return played


def test_two_nodes_bring_two_milestones_to_a_closed_run(day):
    day.build()
    first_request(day)
    a_redo_is_the_next_item(day)
    a_plan_stays_until_a_round_names_it(day)
    no_accept_over_red(day)
    a_redo_behind_the_accept(day)
    second_milestone(day)


def first_request(day):
    assert "promote request" not in day.next()
    day.do("gate", "set", "M-1", "--status", "closed", "--evidence", "R1")
    assert "promote request M-1" in day.next()
    day.do("promote", "request", "M-1", *REQUEST)
    told = day.next("supervisor")
    assert "loopgraph rounds --since R1" in told
    assert "loopgraph diff R1.start R1" in told
    assert "=pass " not in told
    assert day.do("diff", "R1.start", "R1", by=None).out
    day.do("audited", "--through", "R1", by="supervisor")
    head = git_head(day.workspace)
    assert head in (day.run / "directives.md").read_text("utf-8")
    day.silent()


def git_head(workspace):
    words = ["git", "rev-parse", "--short=12", "HEAD"]
    return subprocess.check_output(words, cwd=workspace, text=True).strip()


def a_redo_is_the_next_item(day):
    missing = ("--missing", f"refuse a limit of none {OWNER}", "--verify", "python3 check.py")
    day.do("promote", "redo", "M-1", *missing, by="supervisor")
    told = day.next("supervisor")
    assert "judged: D-001 redo, not folded yet" in told
    assert "judge M-1" not in told
    day.do("directive", "fold", "D-001", "--effect", "taken up")
    told = day.next()
    assert "item: D-001: refuse a limit of none" in told
    assert "Verify: python3 check.py" in told
    assert "promote request" not in told
    rows = {row.gate: (row.status, row.evidence) for row in day.ledger.scoreboard}
    assert rows["M-1: exit checks"][0] == "open"
    assert rows["M-1: exit checks"][1].startswith("D-001: refuse a limit of none")
    assert "promote redo" not in day.next("supervisor")
    day.silent()
    day.build()


def a_plan_stays_until_a_round_names_it(day):
    words = ("--action", "name the unit", "--verify", "look")
    day.do("directive", "add", "plan", *words, by="supervisor")
    assert "end:" not in day.next()
    day.do("directive", "fold", "D-002", "--effect", "noted")
    day.do("directive", "rotate", by="supervisor")
    day.build()
    assert "work D-002: name the unit" in day.next()
    day.build("bookshelf/limits.py", "--item", "D-002: name the unit")
    assert "work D-002" not in day.next()
    day.silent()


def no_accept_over_red(day):
    day.do("gate", "set", "M-1", "--status", "closed", "--evidence", "R4")
    day.do("promote", "request", "M-1", *REQUEST)
    day.gate(1)
    day.red("gate", "run", "G-1")
    words = ("gate", "run", "--result", "M-1.2=pass", "--evidence", "seen")
    day.do(*words, by="supervisor")
    day.no("promote", "accept", "M-1", by="supervisor", says="G-1 failed")
    day.gate(0)


def a_redo_behind_the_accept(day):
    day.judge("M-1", "M-1.2=pass")
    assert "judged: D-003 accept, not folded yet" in day.next("supervisor")
    day.do("directive", "fold", "D-003", "--effect", "passed")
    day.silent()
    again = ("--missing", "the limit is read twice", "--verify", "look")
    day.do("promote", "redo", "M-1", *again, by="supervisor")
    day.no("milestone", "next", says="D-004 must be folded first")
    day.do("directive", "fold", "D-004", "--effect", "taken up")
    assert day.ledger.gate == "open"
    day.silent()
    day.do("round", "start", "--converge")
    words = ("--result", "read once", "--evidence", "log", "--next", "ask again")
    day.do("round", "record", "--converge", *words)
    day.do("gate", "set", "M-1", "--status", "closed", "--evidence", "R5")
    day.do("promote", "request", "M-1", *REQUEST)
    day.judge("M-1", "M-1.2=pass")
    day.do("directive", "fold", "D-005", "--effect", "passed")
    assert "judge" not in day.next("supervisor")
    day.do("milestone", "next")
    day.silent()


def second_milestone(day):
    day.build("bookshelf/catalog.py")
    for row in day.ledger.scoreboard:
        day.do("gate", "set", row.gate, "--status", "closed", "--evidence", "R6")
    day.no("finish", "exit-ready", "--why", "proof", says="M-2 was not asked for")
    words = ("--surface", "bookshelf/catalog.py", "--evidence", "R6")
    day.do("promote", "request", "M-2", *words)
    day.do("finish", "exit-ready", "--why", "the whole proof passed")
    day.do("audited", "--through", "R6", by="supervisor")
    day.silent()
    day.judge("M-2")
    assert "end:" not in day.next()
    day.do("directive", "fold", "D-006", "--effect", "the run ends")
    assert day.ledger.status == "closed"
    assert "goal met: D-006" in day.ledger.fields["Run status"].text
    assert day.do("snapshots", "list", by=None).out.count("R1") == 0
    told = day.next("supervisor")
    assert "end: the run is closed and audited" in told
    assert "judge" not in told
    assert "checkpoint" not in told
    assert "fold" not in day.next()
    day.no("promote", "accept", "M-2", by="supervisor", says="the run is closed")
    day.silent()
