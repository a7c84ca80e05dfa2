"""The Stop hook, killed before each of its file events: every state parses, no count is lost."""

from __future__ import annotations

import json
import os
import signal
import sys

import pytest

from loopgraph.hook import stop as hook
from loopgraph.hook.clock import Clock
from loopgraph.hook.memory import Memory
from loopgraph.plain import jsontext, loopfile
from tests.hook.replay import SHAPES, Scene, snapshot

EVENTS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}
CALLS = {"fsync", "write", "flock"}
WORK = {"active_plan": "p.md", "status": "active", "session_ids": ["s-1"]}
LOOP = (
    "---\niteration: 1\nmax_iterations: 50\ncompletion_promise: DONE\nsession_id: s-1\n"
    "---\nDo it.\n"
)
MESSAGES = {"block": "not yet", "end": "<promise>DONE</promise>"}

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked process")


def killed(scene: Scene, data: bytes, number: int) -> bool:
    """Answer in a child that dies before its n-th event; whether it died."""
    child = os.fork()
    if child == 0:
        _child(scene, data, number)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _child(scene: Scene, data: bytes, number: int) -> None:
    count = 0
    base = str(scene.root.parent)

    def event() -> None:
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(name: str, values: tuple[object, ...]) -> None:
        if name in EVENTS and values and str(values[0]).startswith(base):
            event()

    def profile(_: object, what: str, called: object) -> None:
        if what == "c_call" and getattr(called, "__name__", "") in CALLS:
            event()

    environ = scene.environ({})
    sys.addaudithook(audit)
    sys.setprofile(profile)
    try:
        hook.respond(data, environ, Clock(environ, fresh=False))
    finally:
        os._exit(0)


@pytest.mark.parametrize("kind", ["loop", "plan"])
@pytest.mark.parametrize("message", MESSAGES)
def test_killed_at_every_file_event_the_state_parses(kind, message, tmp_path):
    number, died = 0, True
    while died:
        number += 1
        scene = Scene(tmp_path / str(number))
        files = {".longgraph/.lock": "", "p.md": "- [ ] a\n- [x] b\n"}
        if kind == "loop":
            files[".longgraph/loops/a.md"] = LOOP
        else:
            files[".longgraph/plans.json"] = json.dumps({"works": {"w": WORK}})
        scene.write(files)
        said = {**SHAPES["claude"], "last_assistant_message": MESSAGES[message]}
        data = json.dumps(scene.filled(said)).encode()
        died = killed(scene, data, number)
        holds(scene, files)

        environ = scene.environ({})
        answer = hook.respond(data, environ, Clock(environ, fresh=False))
        assert not answer.err
        holds(scene, files)
        drafts = [name for name in snapshot(scene.root) if name.endswith(".draft")]
        assert not drafts or message == "end"
    assert number > 5


def test_killed_at_every_file_event_no_count_is_lost(tmp_path):
    number, died = 0, True
    while died:
        number += 1
        scene = Scene(tmp_path / str(number))
        scene.write(
            {"p.md": "- [ ] a\n", ".longgraph/plans.json": json.dumps({"works": {"w": WORK}})}
        )
        data = json.dumps(scene.filled(SHAPES["claude"])).encode()
        environ = scene.environ({})
        hook.respond(data, environ, Clock(environ, fresh=False))
        died = killed(scene, data, number)
        memory = Memory(str(scene.state), "s-1")
        memory.load()
        assert not memory.broken
        assert memory.number("total") in (1, 2)
    assert number > 5


def holds(scene: Scene, files: dict[str, str]) -> None:
    """What was there is there or counted on; what the hook remembers can be read."""
    after = snapshot(scene.root)
    loop = after.pop(".longgraph/loops/a.md", None)
    after.pop(".longgraph/loops/.a.md.draft", None)
    if loop is not None:
        assert isinstance(loop, bytes)
        assert (
            loop.decode()
            .replace("iteration: 2", "iteration: 1")
            .replace("iteration: 3", "iteration: 1")
            == LOOP
        )
        assert loopfile.Loop(loop.decode()).iteration in (1, 2, 3)
    kept = {name: text.encode() for name, text in files.items() if not name.endswith("a.md")}
    assert after == kept
    for path in (scene.state / "sessions").glob("*.json"):
        assert isinstance(jsontext.loads(path.read_text("utf-8")), dict)
