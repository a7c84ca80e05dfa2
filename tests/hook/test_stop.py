"""The hook as hosts start it: a process that always ends with 0, or 1 for an unknown subcommand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from loopgraph.hook import journal
from tests.hook.replay import SHAPES, snapshot

PROJECT = Path(__file__).parents[2]
RECORD = {"works": {"w": {"active_plan": "p.md", "status": "active", "session_ids": ["codex:s-1"]}}}


@pytest.fixture
def scene(tmp_path):
    """A workspace with a plan of two rows, given to session s-1 by a boulder."""
    root = tmp_path / "ws"
    (root / ".omo").mkdir(parents=True)
    (root / "p.md").write_text("## TODOs\n- [ ] Task one\n- [ ] Task two\n", "utf-8")
    (root / ".omo/boulder.json").write_text(json.dumps(RECORD), "utf-8")
    return root


def payload(root: Path, shape: str = "codex", **fields: object) -> bytes:
    return json.dumps({**SHAPES[shape], "cwd": str(root), **fields}).encode()


def environ(root: Path, **extra: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    home = str(root.parent / "home")
    state = str(root.parent / "state")
    return {**kept, "HOME": home, "LOOPGRAPH_STATE": state, "PYTHONPATH": str(PROJECT), **extra}


def start(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "loopgraph", "hook", *arguments]


def hook(root: Path, *arguments: str, stdin: bytes = b"", **extra: str):
    return subprocess.run(
        start(*arguments), input=stdin, env=environ(root, **extra),
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip


def test_the_smoke_test_of_the_original_holds(scene):
    before = snapshot(scene)
    first = hook(scene, "stop", stdin=payload(scene))
    assert first.returncode == 0
    said = json.loads(first.stdout)
    assert said["decision"] == "block"
    assert "2 of 2" in said["reason"]
    assert set(said) == {"decision", "reason"}
    assert not first.stdout.endswith(b"\n")
    again = hook(scene, "stop", stdin=payload(scene, stop_hook_active=True))
    assert (again.returncode, again.stdout, again.stderr) == (0, b"", b"")
    other = hook(scene, "subagent-stop", stdin=payload(scene))
    assert (other.returncode, other.stdout, other.stderr) == (0, b"", b"")
    assert snapshot(scene) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["stop", "--anything"], ["stop", "--host", "nobody"], ["stop", "--host"], ["--x", "stop"],
        ["stop", "--host=codex"], ["stop", "more", "words"], ["stop", "--help"],
    ],
)  # fmt: skip
def test_unknown_options_are_ignored(scene, arguments):
    done = hook(scene, *arguments, stdin=payload(scene))
    assert done.returncode == 0
    assert json.loads(done.stdout)["decision"] == "block"


@pytest.mark.parametrize("arguments", [["nosuch"], [], [""], ["STOP"], ["stop "], ["2"]])
def test_an_unknown_subcommand_is_one_line_and_exit_1(scene, arguments):
    done = hook(scene, *arguments, stdin=payload(scene))
    assert done.returncode == 1
    assert done.stdout == b""
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["--help"], ["--help", "--host=codex"]])
def test_help_is_help_and_no_decision(scene, arguments):
    done = hook(scene, *arguments, stdin=payload(scene))
    assert (done.returncode, done.stderr) == (0, b"")
    for name in (b"stop", b"subagent-stop", b"explain", b"log"):
        assert name in done.stdout


def test_a_host_that_is_named_wins_over_the_shape(scene):
    done = hook(scene, "stop", "--host", "claude-code", stdin=payload(scene))
    assert (done.returncode, done.stdout) == (0, b"")
    record = json.dumps(RECORD).replace("codex:", "claude:")
    (scene / ".omo/boulder.json").write_text(record, "utf-8")
    assert hook(scene, "stop", "--host=claude-code", stdin=payload(scene)).stdout


def test_explain_tells_every_step_and_changes_nothing(scene):
    first = hook(scene, "explain", stdin=payload(scene))
    assert first.returncode == 0
    lines = first.stdout.decode().splitlines()
    assert lines[0].startswith("host: codex")
    assert any("claimed by the plan" in line for line in lines)
    assert lines[-1].startswith("block: block: plan: block 1 of 7")
    assert hook(scene, "explain", stdin=payload(scene)).stdout == first.stdout
    assert not (scene.parent / "state").exists()
    lines = hook(scene, "explain", stdin=b"{").stdout.decode().splitlines()
    assert lines == ["let go: the payload is no JSON"]


def test_the_log_shows_the_last_decisions(scene):
    hook(scene, "stop", stdin=payload(scene), LOOPGRAPH_NOW="2026-01-02T03:04:05Z")
    hook(scene, "stop", stdin=b"\x00")
    hook(scene, "stop", stdin=payload(scene, session_id="somebody\n\x1b[31m"))
    lines = hook(scene, "log").stdout.decode().splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("2026-01-02T03:04:05Z  codex  s-1  block  block  plan: block 1 of 7")
    assert "the payload is no JSON" in lines[1]
    assert "no-claim" in lines[2]
    assert "\x1b" not in lines[2]


def test_the_log_is_capped(tmp_path):
    for number in range(3000):
        journal.write(str(tmp_path), {"at": str(number), "said": "x" * 1000})
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert sum(sizes) < 3 * journal.CAP
    assert [entry["at"] for entry in journal.read(str(tmp_path))][-1] == "2999"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_somebody_who_closed_the_pipes_is_no_fault(scene, stream):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        start("stop"), input=payload(scene), env=environ(scene), timeout=60, check=False,
        stdout=write if stream == "stdout" else subprocess.DEVNULL,
        stderr=write if stream == "stderr" else subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    assert done.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX closes the handles")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_handles_are_no_fault(scene, closed):
    command = f'exec "$0" -P -m loopgraph hook stop {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable], input=payload(scene), env=environ(scene),
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0


def test_what_a_block_loads_is_known_to_the_module(scene):
    """Each module costs every turn of every session; one more is a decision, not an accident."""
    script = (
        f"import sys; sys.path.insert(0, {str(PROJECT)!r}); before = set(sys.modules)\n"
        "from loopgraph.hook.stop import main\n"
        "main(['stop']); sys.stderr.write(' '.join(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], input=payload(scene), env=environ(scene),
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    assert json.loads(done.stdout)["decision"] == "block"
    ours = (
        "hook", "hook.clock", "hook.decide", "hook.dialects", "hook.dialects.codex",
        "hook.directive", "hook.guard", "hook.journal", "hook.memory", "hook.progress",
        "hook.rivals", "hook.sources", "hook.sources.plan", "hook.stop", "hook.valves",
        "hook.world", "disk", "disk.floor", "plain", "plain.answer", "plain.jsontext",
        "plain.places", "plain.plan", "plain.rivals", "plain.when", "plain.works",
    )  # fmt: skip
    lock = "msvcrt" if os.name == "nt" else "fcntl"
    assert set(done.stderr.decode().split()) == {
        "__future__", "_json", lock, "loopgraph", *(f"loopgraph.{name}" for name in ours),
    }  # fmt: skip


# Bad input -----------------------------------------------------------------------------------


def quiet(done) -> str:
    """The one line on stderr of a call that let go."""
    assert done.returncode == 0
    assert done.stdout == b""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert b"Traceback" not in done.stderr
    said: str = done.stderr.decode()
    return said


@pytest.mark.parametrize("name", ["p.md", ".omo/boulder.json"])
@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "link-loop"])
def test_what_is_no_file_is_passed_over_without_waiting(scene, name, kind):
    path = scene / name
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif os.name == "nt":
        pytest.skip("needs a system with pipes and links in the file system")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "device" else path)
    assert "cannot be read" in quiet(hook(scene, "stop", stdin=payload(scene)))


def test_a_plan_of_100_megabytes_is_not_read(scene):
    with (scene / "p.md").open("ab") as file:
        file.truncate(100 * 1024 * 1024)
    assert "too large" in quiet(hook(scene, "stop", stdin=payload(scene)))


def test_a_payload_of_50_megabytes_is_silent(scene):
    said = payload(scene, last_assistant_message="x" * 50 * 1024 * 1024)
    assert "too large" in quiet(hook(scene, "stop", stdin=said))


def test_of_a_transcript_of_50_megabytes_the_end_is_read(scene):
    transcript = scene.parent / "transcript.jsonl"
    line = json.dumps({"type": "user", "message": {"role": "user", "content": "x" * 1000}}) + "\n"
    with transcript.open("w", encoding="utf-8") as file:
        file.write('{"type":"system","content":"Context compacted"}\n')
        for _ in range(50):
            file.write(line * 1000)
    said = payload(scene, transcript_path=str(transcript))
    assert json.loads(hook(scene, "stop", stdin=said).stdout)["decision"] == "block"
    with transcript.open("a", encoding="utf-8") as file:
        file.write('{"type":"system","content":"Context compacted"}\n')
    done = hook(scene, "stop", stdin=said)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_workspace_that_is_gone_is_silent(scene):
    done = hook(scene, "stop", stdin=payload(scene / "gone"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_clock_in_the_past_changes_nothing(scene):
    first = hook(scene, "stop", stdin=payload(scene), LOOPGRAPH_NOW="2026-01-02T03:04:05Z")
    later = payload(scene, turn_id="t-2")
    second = hook(scene, "stop", stdin=later, LOOPGRAPH_NOW="1999-01-01T00:00:00Z")
    assert first.stdout == second.stdout


@pytest.mark.unprivileged
def test_a_read_only_workspace_is_held_once_a_prompt(scene):
    folder = scene / ".longgraph/loops"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("---\niteration: 1\nsession_id: s-1\n---\nx\n", "utf-8")
    folder.chmod(0o500)
    try:
        assert hook(scene, "stop", stdin=payload(scene)).stdout
        assert "a.md" in quiet(hook(scene, "stop", stdin=payload(scene, stop_hook_active=True)))
    finally:
        folder.chmod(0o700)


def test_a_fault_inside_lets_the_turn_end(scene):
    script = (
        f"import sys; sys.path.insert(0, {str(PROJECT)!r})\n"
        "from loopgraph.plain import plan\nplan.read = None\n"
        "from loopgraph.hook.stop import main\nsys.exit(main(['stop']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=payload(scene), env=environ(scene),
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert "TypeError" in quiet(done)
    assert "fault" in hook(scene, "log").stdout.decode()


# Long ways -----------------------------------------------------------------------------------


@pytest.fixture
def ours(scene):
    """The same workspace with a record of ours and Claude Code's session."""
    record = {"works": {"w": {"active_plan": "p.md", "status": "active", "session_ids": ["s-1"]}}}
    (scene / ".longgraph").mkdir()
    (scene / ".longgraph/plans.json").write_text(json.dumps(record), "utf-8")
    return scene


def test_200_stops_without_a_change_end_within_the_limit_with_a_reason(ours):
    blocked = []
    for number in range(200):
        active = number > 0
        done = hook(ours, "stop", stdin=payload(ours, "claude", stop_hook_active=active))
        blocked.append(b'"block"' in done.stdout)
        if not blocked[-1]:
            assert "nothing has moved" in json.loads(done.stdout)["systemMessage"]
        if number == 20:
            break  # the memory no longer changes: what follows is the same
    assert blocked == [True, True] + [False] * 19


def test_a_row_each_turn_goes_on_to_the_end_of_the_plan_and_its_gate(ours):
    plan = ours / "p.md"
    plan.write_text("## TODOs\n" + "".join(f"- [ ] {n}. row\n" for n in range(1, 41)), "utf-8")
    for number in range(41):
        said = payload(ours, "claude", stop_hook_active=number > 0)
        reason = json.loads(hook(ours, "stop", stdin=said).stdout)["reason"]
        assert f"{40 - number} of 40" in reason
        plan.write_text(plan.read_text("utf-8").replace("- [ ]", "- [x]", 1), "utf-8")
    assert "none (final gate pending)" in reason
    record = ours / ".longgraph/plans.json"
    record.write_text(record.read_text("utf-8").replace('"active"', '"completed"'), "utf-8")
    assert hook(ours, "stop", stdin=said).stdout == b""
