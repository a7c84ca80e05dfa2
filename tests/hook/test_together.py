"""Several hooks at once: one payload counts once, and no session loses a count."""

from __future__ import annotations

import json
import subprocess

import pytest

from loopgraph.plain import loopfile
from tests.hook.test_stop import environ, payload, start

LOOP = "---\niteration: 1\nmax_iterations: 50\nsession_id: {}\n---\nDo it.\n"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "ws/.longgraph/loops").mkdir(parents=True)
    return tmp_path / "ws"


def together(root, payloads: list[bytes]) -> list[bytes]:
    """Start one process a payload, give each its input once all run, return what they say."""
    running = [
        subprocess.Popen(
            start("stop"), env=environ(root), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in payloads
    ]  # fmt: skip
    for process, said in zip(running, payloads, strict=True):
        assert process.stdin
        process.stdin.write(said)
        process.stdin.flush()
    answers = []
    for process in running:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, b"")
        answers.append(out)
    return answers


def number(root, name: str) -> int:
    text = (root / f".longgraph/loops/{name}.md").read_text("utf-8")
    return loopfile.Loop(text).iteration


def test_two_processes_on_one_payload_count_once(root):
    (root / ".longgraph/loops/a.md").write_text(LOOP.format("s-1"), "utf-8")
    for turn in range(5):
        first, second = together(root, [payload(root, "claude", prompt_id=f"p-{turn}")] * 2)
        assert json.loads(first)["reason"] == json.loads(second)["reason"] == "Do it."
        assert number(root, "a") == turn + 2


def test_a_plan_is_counted_once_as_well(root):
    (root / "p.md").write_text("- [ ] a\n", "utf-8")
    work = {"active_plan": "p.md", "status": "active", "session_ids": ["s-1"]}
    (root / ".longgraph/plans.json").write_text(json.dumps({"works": {"w": work}}), "utf-8")
    answers = together(root, [payload(root, "claude")] * 3)
    assert all(json.loads(answer)["decision"] == "block" for answer in answers)
    memory = json.loads((root.parent / "state/sessions/s-1.json").read_text("utf-8"))
    assert memory["total"] == memory["held"] == 1


def test_eight_processes_on_eight_sessions_lose_no_count(root):
    names = [f"s-{n}" for n in range(8)]
    for name in names:
        (root / f".longgraph/loops/{name}.md").write_text(LOOP.format(name), "utf-8")
    for turn in range(4):
        answers = together(root, [payload(root, "claude", session_id=name) for name in names])
        assert all(json.loads(answer)["reason"] == "Do it." for answer in answers)
        assert [number(root, name) for name in names] == [turn + 2] * 8


def test_the_same_words_one_after_the_other_count_each_time(root):
    (root / ".longgraph/loops/a.md").write_text(LOOP.format("s-1"), "utf-8")
    for turn in range(12):
        (answer,) = together(root, [payload(root, "claude", stop_hook_active=True)])
        assert json.loads(answer)["reason"] == "Do it."
        assert number(root, "a") == turn + 2
