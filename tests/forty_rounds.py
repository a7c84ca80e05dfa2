"""Forty rounds of a run by real commands, with everything that may happen on the way.

By hand: `python tests/forty_rounds.py` makes a workspace in a new folder, prints each command
and what check says after it, and ends with the first thing that is wrong. The test plays the
same script.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from loopgraph.check.run_rules import findings  # noqa: E402
from loopgraph.cli import main as program  # noqa: E402
from loopgraph.disk import runs  # noqa: E402
from loopgraph.model import contract  # noqa: E402
from loopgraph.node import call as parts  # noqa: E402

BEGIN = datetime.fromisoformat("2026-01-02T03:04:05+00:00")
OWNER = "Grenze je Mandant | 每个客户 − höchstens `100` pro Minute"
"""Owner text with a pipe, CJK, U+2212 and backticks."""

ANSWERS = f"""\
goal: |-
  Limit the rate of each client. {OWNER}
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
gate: python3 -c pass
"""


EDITED = ("bookshelf/page.py", "bookshelf/catalog.py", "bookshelf/other.py", "a.py")


class Said(NamedTuple):
    code: int
    out: str
    err: str


Runner = Callable[..., Said]


def process(workspace: Path, home: Path) -> Runner:
    """Each command in a process of its own."""

    def say(*arguments: str, now: str, **extra: str) -> Said:
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "PYTHONPATH": str(PROJECT),
            "LOOPGRAPH_NOW": now,
            **extra,
        }
        done = subprocess.run(
            [sys.executable, "-m", "loopgraph", *arguments],
            cwd=workspace,
            env=environ,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    return say


def forked(workspace: Path, home: Path) -> Runner:
    """The same in children of this process, which have the program loaded already."""

    def say(*arguments: str, now: str, **extra: str) -> Said:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if child == 0:
                os.chdir(workspace)
                for name in [name for name in os.environ if name != "PATH"]:
                    del os.environ[name]
                os.environ.update({"HOME": str(home), "LOOPGRAPH_NOW": now, **extra})
                sys.argv = ["loopgraph", *arguments]
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
                os._exit(program(arguments))
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode("utf-8"))
        return Said(code, *texts)

    return say


class Play:
    """The script, and what must hold after each of its commands."""

    def __init__(self, workspace: Path, say: Runner, tell: Callable[[str], None]) -> None:
        self.workspace, self.say, self.tell = workspace, say, tell
        self.count = 0
        self.run: Any = None
        """The run's folder, once there is one."""
        self.entries: set[str] = set()

    # Commands ------------------------------------------------------------------------------

    def do(self, *arguments: str, by: str | None = "executor", **extra: str) -> Said:
        """A command that must go through."""
        said = self._say(arguments, by, extra)
        assert said.code == 0, (arguments, said)
        return said

    def no(self, *arguments: str, says: str, by: str | None = "executor", **extra: str) -> Said:
        """A command that must be refused: exit 1, one line that says why and what to do."""
        before = self.bytes()
        said = self._say(arguments, by, extra)
        assert said.code == 1, (arguments, said)
        assert says in said.err, said.err
        assert said.err.count("\n") == 1, said.err
        assert self.bytes() == before
        return said

    def _say(self, arguments: tuple[str, ...], by: str | None, extra: Mapping[str, str]) -> Said:
        self.count += 1
        now = (BEGIN + timedelta(minutes=self.count)).isoformat()
        whole = (*arguments, "--as", by) if by else arguments
        said = self.say(*whole, now=now, **extra)
        self.tell(f"{said.code} loopgraph {' '.join(whole)}")
        assert "claim" not in said.err, said.err  # what it says of its rounds is what it did
        assert "Traceback" not in said.err, said.err
        if self.run is not None:
            self.holds()
        return said

    # What holds ----------------------------------------------------------------------------

    def holds(self) -> None:
        found = runs.load(self.run)
        wrong = findings(found)
        assert not wrong, wrong
        for name in contract.LIVE:
            text = found.files.get(name, "")
            assert text.count("\n") <= parts.knob(found, "FILE_LINE_CAP"), name
            assert len(text.encode()) <= parts.knob(found, "FILE_BYTE_CAP"), name
        self.entries |= set(self.live_entries(found))
        everything = self.everything()
        lost = [entry for entry in self.entries if entry not in everything]
        assert not lost, lost

    def live_entries(self, found: Any) -> list[str]:
        """Every entry with an id that is live now, word for word."""
        ledger, queue = found.ledger(), found.directives()
        spans = [("ledger.md", one.line, one.end) for one in ledger.rounds if not one.block]
        spans += [("ledger.md", one.line, one.line) for one in (*ledger.gaps, *ledger.cards)]
        spans += [("directives.md", one.line, one.line) for one in (*queue.standing, *queue.cards)]
        spans += [("directives.md", one.line, one.end) for one in queue.corrections]
        documents: Any = {name: found.document(name) for name in ("ledger.md", "directives.md")}
        return ["".join(documents[name].lines[first - 1 : last]) for name, first, last in spans]

    def everything(self) -> str:
        files = [*self.run.glob("*.md"), *self.run.glob("archive/*.md")]
        return "".join(path.read_bytes().decode() for path in files)

    def bytes(self) -> dict[str, bytes]:
        return {
            str(p): p.read_bytes()
            for p in self.run.rglob("*")
            if p.suffix != ".lock" and p.name != ".lock" and p.is_file()
        }

    @property
    def ledger(self) -> Any:
        return runs.load(self.run).ledger()

    def edit(self, path: str, net: str) -> None:
        """Really change a file: so many of its first lines go, so many new ones come."""
        place = self.workspace / path
        lines = place.read_text("utf-8").splitlines(keepends=True)
        added, removed = (int(part.strip("+-")) for part in net.split("/"))
        new = [f"line_{self.count}_{number} = {number}\n" for number in range(added)]
        place.write_text("".join((*lines[removed:], *new)), "utf-8")

    # The script ----------------------------------------------------------------------------

    def start(self) -> None:
        answers = self.workspace.parent / "answers.yaml"
        answers.write_text(ANSWERS, "utf-8")
        for path in EDITED:
            old = "".join(f"old_{number} = {number}\n" for number in range(200))
            (self.workspace / path).write_text(old, "utf-8")
        (self.workspace / "bookshelf/limits.py").write_text("LIMIT = 100\n", "utf-8")
        limits = ("--set", "CONVERGE_EVERY=5", "--set", "NET_LINE_CAP=400")
        self.do("new", "converge", "--answers", str(answers), "--yes", *limits, by=None)
        (self.run,) = runs.all_runs(self.workspace)
        self.holds()

    def round(self, item: str, follows: str, *more: str, net: str = "+12/-2") -> None:
        """A round, which converges first where one is due."""
        if self.ledger.convergence.due:
            self.no(
                "round",
                "record",
                "--item",
                item,
                "--result",
                "ok",
                "--changed",
                "a.py",
                "--net",
                "+1/-0",
                "--next",
                follows,
                says="a convergence round is due",
            )
            audited = self.ledger.gate == "pending-audit"
            folded = "bookshelf/other.py" if audited else "bookshelf/catalog.py"
            self.edit(folded, "+2/-9")
            self.do(
                "round",
                "record",
                "--item",
                f"fold twins before {item}",
                "--converge",
                "--changed",
                folded,
                "--net",
                "+2/-9",
                "--result",
                "12 passed",
                "--next",
                item,
            )
        self.edit("bookshelf/page.py", net)
        self.do(
            "round",
            "record",
            "--item",
            item,
            "--changed",
            "bookshelf/page.py",
            "--net",
            net,
            "--result",
            f"12 passed {OWNER}",
            "--evidence",
            "evidence/log.txt",
            "--next",
            follows,
            *more,
        )

    def play(self) -> None:
        self.start()
        self.first_milestone()
        self.second_milestone()
        self.sweeps()
        self.the_end()

    def first_milestone(self) -> None:
        self.no(
            "round", "record", "--result", "x", "--next", "y", by="supervisor", says="edge ledger"
        )
        self.do("round", "start", "--baseline", "nothing fails")
        self.do(
            "round",
            "record",
            "--result",
            "counted",
            "--evidence",
            "evidence/survey.txt",
            "--next",
            "C-01 the thinnest slice",
        )
        self.do(
            "slice",
            "set",
            "--write-set",
            "bookshelf/limits.py",
            "--verify",
            "python3 -c pass",
            "--done-when",
            OWNER,
            "--context",
            "C-01",
        )
        self.do("context", "add", "--use-when", OWNER, "--read", "README.md", "--verify", "look")
        self.do("context", "replace", "C-01", "--verify", "python3 -c pass")
        self.do("ops", "set", "A trap", OWNER)
        for number in range(6):
            self.round(f"slice {number} of {OWNER}", f"slice {number + 1}")
        self.directives()
        self.gaps()
        self.cards()
        self.promotion()

    def directives(self) -> None:
        add = ("directive", "add", "plan", "--verify", "python3 -c pass", "--action")
        self.no(*add, "do not touch the tests", by="supervisor", says="only forbids")
        self.no(
            *add,
            "test it",
            "--stop",
            "bookshelf/ until later",
            by="supervisor",
            says="closes bookshelf/",
        )
        self.no(*add, "test it", says="edge directives")
        for number in range(8):
            self.do(*add, f"reach {number} {OWNER}", by="supervisor")
        self.no(*add, "one more", by="supervisor", says="OPEN_DIRECTIVE_CAP")
        self.no("directive", "fold", "D-002", "--effect", "x", says="D-001 comes first")
        for number in range(1, 9):
            self.do("directive", "fold", f"D-{number:03}", "--effect", f"done {OWNER}")
        self.no("directive", "fold", "D-008", "--effect", "again", says="folded already")
        self.do(
            "audited",
            "--through",
            f"R{self.ledger.round}",
            "--tips",
            "main 0a1b2c3",
            by="supervisor",
        )
        self.do(
            "directive",
            "add",
            "plan",
            "--from",
            "owner",
            "--action",
            OWNER,
            "--verify",
            "look",
            by="owner",
        )
        self.do("directive", "fold", "D-009", "--effect", "understood")
        self.do("directive", "rotate", by="supervisor")

    def gaps(self) -> None:
        while len(self.ledger.gaps) < 12:
            number = len(self.ledger.gaps)
            self.do(
                "gap",
                "add",
                f"gap {number} {OWNER}",
                "--priority",
                f"P{1 + number % 3}",
                "--write-set",
                f"docs/{number}.md",
                "--verify",
                "look",
            )
        full = ("gap", "add", "one more", "--priority", "P2", "--write-set", "x", "--verify", "y")
        refused = self.no(*full, says="GAP_CAP is 12")
        assert "loopgraph gap park GAP-" in refused.err
        self.do("gap", "park")
        last, *_, first = sorted((gap.id for gap in self.ledger.gaps), reverse=True)
        self.do("gap", "merge", last, "--into", first)
        self.do(*full)
        urgent = [gap.id for gap in self.ledger.gaps if gap.priority == "P1"]
        self.no("finish", "exit-ready", "--why", "done", says="not closed")
        for id_ in urgent:
            self.do("gap", "close", id_, "--evidence", "evidence/closed.txt")

    def cards(self) -> None:
        ask = ("owner", "ask", f"May we {OWNER}?", "--why", "the path needs it")
        options = ("--option", "wait", "--option", f"go | {OWNER}", "--option", "drop it")
        said = self.do(*ask, *options, "--because", "it can be undone")
        assert "Reply with: A / B / C" in said.out
        self.do(*ask, *options, by="supervisor")
        for _ in range(5):
            self.do(*ask, *options, "--relay")
        self.no(*ask, *options, says="OWNER_CAP is 6")
        self.no("owner", "answer", "OB-001", "B", says="is the owner's")
        self.no("owner", "answer", "OB-001", "B", by=None, says="nobody said", CLAUDECODE="1")
        self.do("owner", "answer", "OB-001", "B", "--relayed")
        assert "OB-001" in [card.id for card in self.ledger.cards]
        for number in range(1, 8):
            self.do("owner", "answer", f"OB-{number:03}", "B", by="owner")
        self.no("standing", "add", "SCOPE", "all of it", says="is the owner's")
        self.do("standing", "add", "PRE-AUTH", OWNER, by="owner")
        queue: Any = runs.load(self.run).directives()
        entry = queue.standing[-1].id
        self.do("standing", "replace", entry, f"again {OWNER}", by="owner")
        self.do("standing", "retire", entry, by="owner")

    def promotion(self) -> None:
        self.no("milestone", "next", says="is open")
        self.no(
            "gate", "set", "Milestone gate", "--status", "passed", "--evidence", "x", says="folded"
        )
        self.no("promote", "accept", "M-1", by="supervisor", says="nobody asked")
        self.results("M-1.2=pass")
        request = ("--surface", "bookshelf/limits.py", "--evidence", f"evidence/m1.txt {OWNER}")
        self.no("promote", "request", "M-1", *request, says="M-1: exit checks” is not closed")
        self.green("M-1")
        nothing = ("--surface", "bookshelf/nowhere.py", "--evidence", "evidence/m1.txt")
        self.no("promote", "request", "M-1", *nothing, says="neither a path of the workspace")
        self.no("promote", "request", "M-1", *request[:3], "none", says="nothing shows")
        self.do("promote", "request", "M-1", *request)
        self.no("promote", "request", "M-1", *request, says="M-1 already waits for its audit")
        self.no("promote", "accept", "M-2", by="supervisor", says="waits for its audit")
        self.no("promote", "accept", "M-1", says="edge directives")
        self.no("promote", "accept", "M-1", by="supervisor", says="before the request")
        redo = ("promote", "redo", "M-1", "--missing", OWNER, "--verify", "look")
        self.do(*redo, by="supervisor")
        self.no(*redo, by="supervisor", says="D-010 (redo) of M-1 is not folded yet")
        self.do("directive", "fold", "D-010", "--effect", "taken up")
        assert self.ledger.gate == "open"
        assert self.ledger.slice.item.text == f"D-010: {OWNER}"
        self.round("what was missing", "again", net="+3/-1")
        self.green("M-1")
        self.do("promote", "request", "M-1", *request)
        self.round("a lane item", "another lane item", net="+3/-1")
        self.accepts("M-1", "M-1.2=pass")
        self.no(*redo, by="supervisor", says="D-011 (accept) of M-1 is not folded yet")
        self.no("milestone", "next", says="pending-audit")
        self.do("directive", "fold", "D-011", "--effect", "passed")
        self.no("promote", "accept", "M-1", by="supervisor", says="M-1 is passed already")
        self.do(*redo, by="supervisor")
        self.no("milestone", "next", says="D-012 must be folded first")
        self.do("directive", "fold", "D-012", "--effect", "seen behind the accept")
        assert self.ledger.gate == "open"
        self.green("M-1")
        self.do("promote", "request", "M-1", *request)
        self.accepts("M-1", "M-1.2=pass")
        self.do("directive", "fold", "D-013", "--effect", "passed")
        self.do("milestone", "next")
        assert self.ledger.milestone == "M-2"
        self.no(*redo, by="supervisor", says="M-1 is left already")

    def green(self, milestone: str) -> None:
        self.do("gate", "set", milestone, "--status", "closed", "--evidence", f"green {OWNER}")

    def accepts(self, milestone: str, *observed: str) -> None:
        self.results(*observed)
        self.do("promote", "accept", milestone, by="supervisor")

    def results(self, *observed: str) -> None:
        self.do("gate", "run", "G-1", by="supervisor")
        for one in observed:
            self.do("gate", "run", "--result", one, "--evidence", "seen", by="supervisor")

    def second_milestone(self) -> None:
        while self.ledger.round < 40:
            number = self.ledger.round
            self.do("round", "start", *(["--converge"] if self.ledger.convergence.due else []))
            if number % 7 == 3 and not self.ledger.convergence.due:
                self.edit("a.py", "+90/-0")
                self.do(
                    "round",
                    "record",
                    "--fail",
                    "--changed",
                    "a.py",
                    "--net",
                    "+90/-0",
                    "--result",
                    "2 failed",
                    "--next",
                    f"step {number}",
                )
                self.edit("a.py", "+1/-80")
                self.do(
                    "round",
                    "record",
                    "--repair",
                    "--changed",
                    "a.py",
                    "--net",
                    "+1/-80",
                    "--result",
                    "12 passed",
                    "--next",
                    f"step {number + 1}",
                )
                continue
            self.round(f"step {number} {OWNER}", f"step {number + 1}", net="+70/-2")

    def sweeps(self) -> None:
        """Two detectors over the one area, twice: what they find is still above the floor."""
        once = ("sweep", "record", "--area", "bookshelf", "--new", "4", "--detector")
        self.no(*once, "twins", by="supervisor", says="edge ledger")
        for name in ("twins", f"dead code {OWNER}"):
            self.do(
                *("ops", "set", name, "7", "--section", "Detectors"),
                *("--command", "python3 -c pass", "--blind-spot", OWNER),
            )
        self.sweep("4")
        self.sweep("1")

    def sweep(self, new: str) -> None:
        self.do("sweep", "record", "--area", "1", "--detector", "twins", "--new", new)
        self.do("sweep", "record", "--area", "1", "--detector", "2", "--new", "0")
        assert self.ledger.discovery.last == int(new)

    def the_end(self) -> None:
        for row in self.ledger.scoreboard:
            self.do("gate", "set", row.gate, "--status", "closed", "--evidence", f"seen {OWNER}")
        said = self.no("finish", "exit-ready", "--why", "done", says="was not asked for")
        assert "loopgraph promote request M-2 --surface" in said.err
        request = ("--surface", "bookshelf/catalog.py", "--evidence", "ev")
        self.do("promote", "request", "M-2", *request)
        self.no("finish", "exit-ready", "--why", "done", says="full sweeps found 4 and 1")
        self.sweep("0")
        self.do("finish", "exit-ready", "--why", OWNER)
        self.no("round", "record", "--result", "x", "--next", "y", says="exit-ready")
        self.no("finish", "closed", "--why", "done", by="supervisor", says="waits for its audit")
        self.do("promote", "redo", "M-2", "--missing", OWNER, "--verify", "look", by="supervisor")
        self.do("directive", "fold", "D-014", "--effect", "taken up")
        assert self.ledger.status == "active"
        self.no("finish", "closed", "--why", "done", by="supervisor", says="the run is active")
        self.round("what M-2 lacked", "nothing", net="+3/-1")
        self.green("M-2")
        self.green("D-014")
        self.do("promote", "request", "M-2", *request)
        self.accepts("M-2")
        self.no("promote", "accept", "M-2", by="supervisor", says="D-015 (accept) of M-2")
        self.do("directive", "fold", "D-015", "--effect", "passed")
        assert self.ledger.status == "active"
        self.do("finish", "exit-ready", "--why", OWNER)
        self.no("finish", "closed", "--why", "done", says="ends the run")
        self.do("finish", "closed", "--why", OWNER, by="supervisor")
        assert self.ledger.fields["Run status"].text.startswith(f"`closed` ({OWNER[:6]}")
        assert self.ledger.promotion.empty
        self.no("promote", "accept", "M-2", by="supervisor", says="the run is closed")
        self.no("finish", "stalled", "--why", "late", says="cannot become stalled")
        assert self.ledger.round >= 40
        log = "".join(path.read_text("utf-8") for path in self.run.glob("archive/rounds*.md"))
        numbers = [int(n) for n in re.findall(r"^- R(\d+) ", log, re.MULTILINE)]
        assert numbers == list(range(1, len(numbers) + 1))


def prepared(folder: Path) -> Path:
    """The example repository in a new folder."""
    workspace = folder / "orders 仓库"
    shutil.copytree(
        PROJECT / "examples/repo", workspace, ignore=shutil.ignore_patterns("__pycache__")
    )
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "start"]):
        subprocess.run([*git, *words], cwd=workspace, check=True, capture_output=True)
    return workspace


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    workspace = prepared(folder)
    home = folder / "home"
    home.mkdir()
    play = Play(workspace, process(workspace, home), _tell)
    play.play()
    _tell(f"{play.count} commands, {play.ledger.round} rounds: {play.run}")


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
