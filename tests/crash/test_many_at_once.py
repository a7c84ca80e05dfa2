"""Several processes at one run: no update is lost, and nobody sees half a file."""

import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from loopgraph.check.run_rules import findings
from loopgraph.disk import runs
from loopgraph.disk.apply import Act, apply
from loopgraph.edges import run as edge
from loopgraph.model.errors import LoopgraphError
from loopgraph.node import directives, gaps, gates, rounds
from loopgraph.node.call import Call
from tests.forty_rounds import forked
from tests.node.desk import EXECUTOR, SUPERVISOR

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the test forks")

NOW = "2026-01-02T03:04:05+00:00"
PROCESSES, COMMANDS = 8, 50


@pytest.fixture
def run(tmp_path):
    workspace, home = tmp_path / "work", tmp_path / "home"
    workspace.mkdir()
    home.mkdir()
    (workspace / "app.py").write_text("print('hello')\n")
    said = forked(workspace, home)("new", "deliver", "Go", "--yes", "--host", "shell", now=NOW)
    assert said.code == 0, said
    (found,) = runs.all_runs(workspace)
    return found


def worker(place: Path, seed: int, out: Path) -> None:
    """Fifty commands of a mix; each answer is counted with its reason."""

    said: list[str] = []
    for number in range(COMMANDS):
        name = f"w{seed}n{number}"

        def command(run, name=name, number=number):
            call = Call(SUPERVISOR if number % 5 == 4 else EXECUTOR, NOW)
            if number % 5 == 0:
                return gaps.add(run, call, gaps.Row("P2", None, f"docs/{name}", "look", name))
            if number % 5 == 1:
                converge = run.ledger().convergence.due
                net = "+0/-5" if converge else "+5/-0"
                return rounds.record(
                    run, call, rounds.Said(name, ("a",), "ok", (), net, "on", converge=converge)
                )
            if number % 5 == 2:
                return gates.change(run, call, f"gate {seed}", status="open", evidence=name)
            if number % 5 == 3:
                waiting = run.directives().waiting(run.ledger().folded)
                return directives.fold(
                    run, call, waiting[0].id if waiting else "D-999", effect=name
                )
            return directives.add(
                run, call, directives.Packet("plan", None, "none", name, "look", "none")
            )

        try:
            done = apply(place, command, Act(NOW, "x", "", (name,)), wait=120)
            said.append(f"{name}\tdid\t{' '.join(done.change.says)}")
        except LoopgraphError as error:
            said.append(f"{name}\tnot\t{error.what}")
    out.write_text("\n".join(said), "utf-8")


def everything(place: Path) -> str:
    places = [*place.glob("*.md"), *place.glob("archive/*.md")]
    return "".join(one.read_text("utf-8") for one in places)


def test_eight_processes_lose_nothing_and_a_reader_sees_whole_files(run, tmp_path):
    children = []
    for seed in range(PROCESSES):
        child = os.fork()
        if child == 0:
            try:
                worker(run, seed, tmp_path / f"{seed}.txt")
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    broken: list[str] = []
    over = threading.Event()

    def poll() -> None:
        while not over.is_set():
            for name in ("ledger.md", "directives.md"):
                text = (run / name).read_text("utf-8")
                found = edge.read({name: text})
                part: Any = found.ledger() if name == "ledger.md" else found.directives()
                if not text.endswith("\n") or (name == "ledger.md" and part.status != "active"):
                    broken.append(text)

    reader = threading.Thread(target=poll)
    reader.start()
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    over.set()
    reader.join()
    assert codes == [0] * PROCESSES
    assert not broken

    said = [
        line for path in tmp_path.glob("?.txt") for line in path.read_text("utf-8").splitlines()
    ]
    assert len(said) == PROCESSES * COMMANDS
    did = [line for line in said if "\tdid\t" in line]
    reasons = {line.partition("\tnot\t")[2] for line in said if "\tnot\t" in line}
    assert all(
        reason.startswith(("12 debt rows", "no such directive waits", "8 corrections wait"))
        or "comes first" in reason or "folded already" in reason
        for reason in reasons
    ), reasons  # fmt: skip
    text = everything(run)
    rounds = [line for line in did if " recorded" in line]
    ledger: Any = runs.load(run).ledger()
    assert ledger.round == len(rounds) == PROCESSES * COMMANDS // 5
    for line in did:
        name, _, what = line.partition("\tdid\t")
        if "registered" in what or "recorded" in what or "waits to be" in what:
            assert name in text, line
    assert findings(runs.load(run)) == ()


def test_a_hand_edit_between_read_and_write_survives(run):

    asked: list[object] = []

    def command(found):
        if not asked:
            text = (run / "ledger.md").read_text("utf-8")
            edited = text.replace("## Rounds log", "<!-- by hand -->\n\n## Rounds log")
            (run / "ledger.md").write_text(edited, "utf-8")
        asked.append(found)
        return gaps.add(found, Call(EXECUTOR, NOW), gaps.Row("P2", None, "x", "y", "by command"))

    apply(run, command, Act(NOW, "executor", "", ("gap", "add")))
    text = (run / "ledger.md").read_text("utf-8")
    assert len(asked) == 2
    assert "<!-- by hand -->" in text
    assert "by command" in text
