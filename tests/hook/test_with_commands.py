"""What the commands write is what the hook reads: a session held, blocked, stopped, and done."""

from __future__ import annotations

import json

import pytest

from tests.hook.replay import SHAPES

AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1"}


@pytest.fixture
def root(tmp_path):
    (tmp_path / "ws/.longgraph").mkdir(parents=True)
    return tmp_path / "ws"


@pytest.fixture
def stop(cli, root):
    """Ends a turn of session s-1; the reason to go on, or None."""

    def ended(message: str = "not yet", **fields: object) -> str | None:
        said = {**SHAPES["claude"], "cwd": str(root), "last_assistant_message": message, **fields}
        done = cli("hook", "stop", cwd=root, stdin=json.dumps(said))
        assert (done.code, done.err) == (0, "")
        return json.loads(done.out).get("reason") if done.out else None

    return ended


def ok(done):
    assert done.code == 0, done.err
    return done.out


def test_a_loop_that_a_session_begins_holds_it_until_its_promise(cli, root, stop):
    ok(cli("loop", "init", "task", "--prompt", "Do it all.", cwd=root, **AGENT))
    ok(cli("loop", "sync", cwd=root, **AGENT))
    assert (stop() or "").startswith("Do it all.")
    assert (stop(stop_hook_active=True) or "").startswith("Do it all.")
    assert "3" in ok(cli("loop", "show", "task", cwd=root, **AGENT))
    assert stop("<promise>DONE</promise>") is None
    assert stop() is None
    assert not list(root.rglob("*.md"))


def test_a_loop_that_was_cancelled_does_not_come_back(cli, root, stop):
    ok(cli("loop", "init", "task", "--prompt", "Do it all.", cwd=root, **AGENT))
    assert (stop() or "").startswith("Do it all.")
    ok(cli("loop", "cancel", "task", cwd=root))
    assert stop() is None
    ok(cli("loop", "sync", cwd=root))
    assert stop() is None


def test_the_owners_stop_ends_it_at_once_and_resume_brings_it_back(cli, root, stop):
    (root / "plan.md").write_text("## TODOs\n- [ ] 1. a\n- [ ] 2. b\n", "utf-8")
    ok(cli("plan", "start", "plan.md", cwd=root, **AGENT))
    assert "2 of 2" in (stop() or "")
    ok(cli("stop", cwd=root))
    assert stop(prompt_id="p-2") is None
    ok(cli("resume", cwd=root))
    assert "2 of 2" in (stop(prompt_id="p-3") or "")


def test_a_block_by_command_lets_go_until_the_next_prompt(cli, root, stop):
    (root / "plan.md").write_text("## TODOs\n- [ ] 1. a\n", "utf-8")
    ok(cli("plan", "start", "plan.md", cwd=root, **AGENT))
    ok(cli("block", "--reason", "no key", "--until", "a key is there", cwd=root, **AGENT))
    assert stop() is None
    assert "1 of 1" in (stop(prompt_id="p-2") or "")


def test_a_plan_holds_until_it_is_completed(cli, root, stop):
    plan = root / "plan.md"
    plan.write_text("## TODOs\n- [ ] 1. a\n", "utf-8")
    ok(cli("plan", "start", "plan.md", cwd=root, **AGENT))
    assert "`1. a`" in (stop() or "")
    plan.write_text("## TODOs\n- [x] 1. a\n", "utf-8")
    assert "final gate pending" in (stop(stop_hook_active=True) or "")
    (root / "proof.txt").write_text("green\n", "utf-8")
    ok(cli("plan", "complete", "--evidence", "proof.txt", cwd=root, **AGENT))
    assert stop(stop_hook_active=True) is None


def test_a_session_that_is_bound_to_a_run_is_held_as_its_executor(cli, make, tmp_path):
    run = make("deliver", "Add rate limiting to the public API", "--host", "claude-code")
    root = run.parents[1]
    ok(cli("bind", run.name, "--as", "executor", cwd=root, **AGENT))
    said = {**SHAPES["claude"], "cwd": str(root)}
    reason = json.loads(ok(cli("hook", "stop", cwd=root, stdin=json.dumps(said))))["reason"]
    assert run.name in reason
    assert len(reason.splitlines()) <= 12
    ok(cli("stop", run.name, cwd=root))
    assert ok(cli("hook", "stop", cwd=root, stdin=json.dumps({**said, "prompt_id": "2"}))) == ""
