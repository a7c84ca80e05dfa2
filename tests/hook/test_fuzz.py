"""Mutated payloads and states: never a crash, at most one JSON object, nothing else written."""

from __future__ import annotations

import json
import random  # noqa: TID251  each is seeded
import re
import shutil
import subprocess

import pytest
from hypothesis import settings

from loopgraph.hook import dialects
from loopgraph.hook import stop as hook
from loopgraph.hook.clock import Clock
from tests.hook.replay import SHAPES, Scene, snapshot
from tests.hook.test_stop import environ, start

FULL = settings().max_examples // 100
"""1 in the suite; 200 under `nox -s fuzz`."""
IN_PROCESS = 2_000 if FULL == 1 else 100_000
PROCESSES = 40 if FULL == 1 else 2_000

LEDGER = """# p — longgraph Ledger

## Status header

Current milestone: M-1 | Round: 3
Next unclosed work item: Add the limiter
Convergence tracker: rounds since last 5: **2** | net lines since last +4: **+9**
Milestone gate: `open`
Run status: `active`

## Current slice

- Item: Add the limiter
- Write set: src/api/
- Verify: pytest

## owner-blocked

| ID | Decision |
|---|---|
| OB-001 | Which? |

## Debt & gap register

| ID | Priority | Milestone | Write set | Verify | One line |
|---|---|---|---|---|---|
| GAP-001 | P1 | M-1 | docs/ | make docs | Stale |
"""
WORK = {
    "active_plan": "p.md", "plan_name": "Plan", "status": "active", "worktree_path": "trees/a",
    "session_ids": ["s-1", "codex:s-1", "claude:s-1"], "started_at": "2026-01-01T00:00:00Z",
}  # fmt: skip
FILES = {
    "p.md": "## TODOs\n- [x] 1. a\n- [ ] 2. b\n```\n- [ ] 3. c\n```\n"
    "## Final Verification Wave\n- [ ] F1. d\n",
    ".omo/boulder.json": json.dumps({"schema_version": 2, "works": {"w": WORK}}),
    ".longgraph/plans.json": json.dumps({"works": {"w": WORK, "v": {**WORK, "status": "paused"}}}),
    ".longgraph/loops/a.md": '---\niteration: 1\nmax_iterations: 50\ncompletion_promise: "DONE"\n'
    "session_id: s-1\n---\nDo it.\n",
    ".omx/ralph-loop.local.md": '---\niteration: 1\nsession_id: "s-1"\n---\nDo that.\n',
    ".claude/ralph-loop.local.md": "---\nactive: true\niteration: 1\nsession_id: s-1\n---\nx\n",
    ".claude/settings.json": '{"hooks":{"Stop":[{"hooks":[{"command":"ralph-loop"}]}]}}',
    ".longgraph/.bindings.json": '{"sessions":{"s-1":{"run":"r-1","role":"executor"}}}',
    ".longgraph/r-1/ledger.md": LEDGER,
    ".longgraph/r-1/executor.md": "| M-1 | a |\n| M-2 | src/ |\n\nKnobs: FIRE_ROUND_CAP=2\n",
    ".longgraph/blocked/s-1.json": '{"session":"s-1","at":"2026-01-01T00:00:00Z"}',
    ".longgraph/state/s-1.json": "{}",
    ".longgraph/STOP": "enough\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/index": "DIRC\0\0\0\2\0\0\0\1" + "\0" * 60 + "\0\4p.md" + "\0" * 30,
    "t.jsonl": '{"type":"assistant","message":{"role":"assistant",'
    '"content":[{"type":"text","text":"hi"}]}}\n'
    '{"type":"system","content":"Context compacted"}\n',
}  # fmt: skip
MEMORY = (
    '{"session":"s-1","key":"0","turn":"p-1","answer":"block","answered":1.5,"repeats":0,"held":2,'
    '"stalls":1,"quiet":3,"total":9,"ticked":1,"marks":"1","tree":"2","work":"plan:x","cards":["OB-001"],'
    '"fire":["r-1","3","open","0"],"blocked":"","blocked_turn":""}'
)  # fmt: skip
WEIRD = [
    None, True, False, 0, -1, 1.5, 10**400, "", " ", "null", "s-1", "codex:s-1", "\0", "\ud800",
    "\n", "../..", "/",
    "/dev/zero", "/proc/self/mem", [], ["s-1"], {}, {"a": [None]}, "x" * 5000, "é完",
    "<promise>DONE</promise>", "<loopgraph-blocked>\nno", "{{TOTAL}}", "$&", "API Error: x",
]  # fmt: skip
TOKENS = [
    b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\n", b"---\n", b'"', b"{", b"}", b"[",
    b"NaN", b"null",
    b"## TODOs\n", b"- [ ] 1. a\n", b"```\n", b"<!--", b"|", b"iteration: 9\n", b"s-1",
    b"\\",
    b"\xe2\x80\xa8", b"1" * 50, b"active", b"completed",
]  # fmt: skip
OURS = re.compile(r"(\.longgraph/loops|\.omx|\.claude)/[^/]+\.md(\.corrupt)?")


def mutated(data: bytes, luck: random.Random) -> bytes:
    """Some bytes, changed in a few places."""
    for _ in range(luck.choice((0, 1, 1, 2, 5))):
        at = luck.randrange(len(data) + 1)
        end = min(len(data), at + luck.choice((0, 1, 3, 20, 400)))
        part = luck.choice(
            (luck.choice(TOKENS), luck.randbytes(luck.randrange(4)), data[at:end] * 2)
        )
        data = data[:at] + part + data[end:]
    return data


def payload(scene: Scene, luck: random.Random) -> bytes:
    """What some host sends, more or less."""
    said = scene.filled(dict(SHAPES[luck.choice(list(SHAPES))]))
    if luck.random() < 0.3:
        said["transcript_path"] = luck.choice(
            (str(scene.root / "t.jsonl"), "", str(scene.root), None)
        )
    if luck.random() < 0.3:
        said["stop_hook_active"] = True
    for _ in range(luck.choice((0, 0, 0, 1, 2))):
        name = luck.choice([*said, "turn_id", "background_tasks", "loop_count", "prompt_id"])
        said[name] = luck.choice(WEIRD)
    for _ in range(luck.choice((0, 0, 0, 1))):
        said.pop(luck.choice(list(said)))
    data = json.dumps(said).encode()
    return data if luck.random() < 0.8 else mutated(data, luck)


def arrange(scene: Scene, luck: random.Random) -> None:
    """A workspace with some of the files, more or less as they should be."""
    for folder in (scene.root, scene.state):
        shutil.rmtree(folder, ignore_errors=True)
    scene.root.mkdir()
    kept = luck.choice((0.2, 0.5, 0.9))
    without = luck.choice(("no file", "loop", "loop|plans|boulder"))
    for name, text in FILES.items():
        if (
            luck.random() > kept
            or re.search(without, name)
            or (name.endswith("STOP") and luck.random() < 0.9)
        ):
            continue
        path = scene.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        chance = luck.random()
        if chance < 0.02:
            path.mkdir()
        elif chance < 0.04:
            path.symlink_to(luck.choice((path, "/dev/zero", scene.root)))
        else:
            path.write_bytes(mutated(text.encode(), luck) if luck.random() < 0.5 else text.encode())
    if luck.random() < 0.5:
        memory = scene.state / "sessions/s-1.json"
        memory.parent.mkdir(parents=True)
        memory.write_bytes(mutated(MEMORY.encode(), luck))


def judge(out: str, err: str) -> None:
    """At most one JSON object with keys of a host, and at most one line beside it."""
    assert len(err.splitlines()) <= 1, err
    assert "Traceback" not in err
    if out:
        said = json.loads(out)
        assert isinstance(said, dict)
        assert any(set(said) <= set(dialects.load(name).KEYS) for name in dialects.NAMES), said
        assert said.get("decision") in (None, "block", "deny")


def untouched(before: dict[str, bytes | str], after: dict[str, bytes | str]) -> None:
    """Nothing but loop files changed, and nothing new but one that was set aside."""
    for name in set(before) | set(after):
        if before.get(name) != after.get(name):
            assert OURS.fullmatch(name), name
            if name not in before:
                assert name.endswith(".corrupt"), name


@pytest.mark.parametrize("seed", range(20))
def test_mutated_payloads_and_states_do_no_harm(seed, tmp_path):
    luck = random.Random(seed)
    scene = Scene(tmp_path / "case")
    for number in range(IN_PROCESS // 20):
        if number % 5 == 0:
            arrange(scene, luck)
            before = snapshot(scene.root)
        surroundings = scene.environ(
            {"LOOPGRAPH_NOW": luck.choice(("", "x", "1970-01-01", "2026-01-02"))}
        )
        answer = hook.respond(payload(scene, luck), surroundings, Clock(surroundings, fresh=False))
        assert "Error" not in answer.err, answer.err
        judge(answer.out, answer.err)
        if number % 5 == 4:
            untouched(before, snapshot(scene.root))


def test_mutated_payloads_and_states_do_no_harm_to_processes(tmp_path):
    luck = random.Random(0)
    scene = Scene(tmp_path / "case")
    for _ in range(PROCESSES):
        arrange(scene, luck)
        before = snapshot(scene.root)
        words = luck.choice(
            (["stop"], ["stop", "--x"], ["subagent-stop"], ["explain"], ["--y", "stop"])
        )
        done = subprocess.run(
            start(*words), input=payload(scene, luck), env=environ(scene.root),
            capture_output=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0
        judge("" if "explain" in words else done.stdout.decode(), done.stderr.decode())
        untouched(before, snapshot(scene.root))


def test_the_fuzz_reaches_each_source_and_both_answers(tmp_path):
    luck = random.Random(7)
    scene = Scene(tmp_path / "case")
    seen = set()
    for _ in range(150):
        arrange(scene, luck)
        surroundings = scene.environ({})
        answer = hook.respond(payload(scene, luck), surroundings, Clock(surroundings, fresh=False))
        claimed = [step.split()[3] for step in answer.trail if step.startswith("claimed by the")]
        seen.add((*claimed, bool(answer.out)))
    assert {("loop", True), ("plan", True), ("run", True), ("plan", False), (False,)} <= seen
