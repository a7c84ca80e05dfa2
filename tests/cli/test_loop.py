"""Loops, plans, evidence, bindings and stops as processes, with the Stop hook that reads them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.conftest import NOW, Cli

ANN = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "ann-1"}
BOB = {"CODEX_THREAD_ID": "bob-2"}
PLAN = "## TODOs\n- [ ] 1. first\n- [ ] 2. second\n"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """An empty workspace at a path with a blank and CJK letters."""
    path = tmp_path / "my 工作"
    (path / ".git").mkdir(parents=True)
    return path


@pytest.fixture
def run(cli: Cli, work: Path):
    """Run a command there at a fixed moment; it must succeed, and its output comes back."""

    def ran(*arguments: str, **extra: str) -> str:
        done = cli(*arguments, cwd=work, LOOPGRAPH_NOW=NOW, **extra)
        assert done.code == 0, done.err
        assert not done.err
        return done.out

    return ran


@pytest.fixture
def refused(cli: Cli, work: Path):
    """Run a command there that is refused in one line, and return that line."""

    def ran(*arguments: str, code: int = 1, **extra: str) -> str:
        done = cli(*arguments, cwd=work, LOOPGRAPH_NOW=NOW, **extra)
        assert (done.code, done.out, done.err.count("\n")) == (code, "", 1), done
        return done.err

    return ran


@pytest.fixture
def stop(cli: Cli, work: Path):
    """What the Stop hook says to a session that stops: the reason, or None where it is let go."""

    def said(session: str, message: str = "So far.", **more: object) -> str | None:
        payload = {
            "session_id": session, "cwd": str(work), "hook_event_name": "Stop",
            "stop_hook_active": False, "last_assistant_message": message, "transcript_path": "",
            **more,
        }  # fmt: skip
        done = cli("hook", "stop", cwd=work, stdin=json.dumps(payload))
        assert done.code == 0
        return str(json.loads(done.out)["reason"]) if done.out else None

    return said


def iteration(path: Path) -> str:
    lines = path.read_text("utf-8").splitlines()
    return next(line for line in lines if line.startswith("iteration:"))


def test_every_line_of_the_readme_works_in_its_order(work, run):
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    block = text.partition("## Without a run")[2].partition("## More")[0]
    lines = [line.strip() for line in block.splitlines() if line.startswith("    ")]
    lines = [line.partition("  ")[0] for line in lines]
    # `install` and `doctor` ask for real clients, and are proved elsewhere.
    lines = [line for line in lines if line.split()[1:2] not in (["install"], ["doctor"])]
    assert len(lines) == 6
    for line in lines:
        program, *words = shlex.split(line)
        if program == "echo":
            (work / words[-1]).write_text(f"{words[0]}\n", "utf-8")
        else:
            assert run(*words)


def test_a_stop_is_told_first_wherever_loops_and_plans_are_listed(work, run):
    (work / "PLAN.md").write_text(PLAN, "utf-8")
    run("plan", "start", "PLAN.md")
    run("loop", "init", "fix", "--prompt", "Fix it.")
    run("stop")
    for asked in (("plan", "show"), ("loop", "list"), ("loop", "show")):
        first = run(*asked).splitlines()[0]
        assert first.startswith(".longgraph/STOP stops it"), asked
        assert first.endswith("loopgraph resume"), asked
    run("resume")
    assert "STOP" not in run("plan", "show") + run("loop", "list") + run("loop", "show")


# Loops ---------------------------------------------------------------------------------------


def test_a_loop_that_an_agent_makes_holds_it_until_the_promise(work, run, stop):
    out = run("loop", "init", "fix", "--prompt", "Fix all tests.", **ANN)
    assert "Session ann-1 goes on" in out
    file = work / ".longgraph/loops/fix.md"
    before = file.read_bytes()
    prompt = before.decode().partition("final_only\n---\n")[2].removesuffix("\n")
    assert stop("ann-1") == prompt
    assert file.read_bytes() == before.replace(b"iteration: 1\n", b"iteration: 2\n")
    assert stop("somebody-else") is None
    assert stop("ann-1", "All green.\n\n<promise>DONE</promise>") is None
    assert not file.exists()
    assert "No loop here" in run("loop", "list")


def test_a_loop_that_a_person_makes_holds_nobody_until_it_is_bound(work, run, stop):
    (work / "prompt.md").write_text("Fix it.\n", encoding="utf-8")
    out = run("loop", "init", "fix", "--prompt-file", "prompt.md")
    assert "Run `loopgraph loop bind fix`" in out
    assert stop("ann-1") is None
    assert run("loop", "bind", "fix", **ANN).startswith("Session ann-1 is bound to fix.")
    assert (stop("ann-1") or "").startswith("Fix it.")


def test_several_sessions_run_several_loops(work, run, stop):
    run("loop", "init", "one", "--prompt", "First.", **ANN)
    run("loop", "init", "two", "--prompt", "Second.", **BOB)
    assert (stop("ann-1") or "").startswith("First.")
    assert (stop("bob-2", turn_id="t", model="m", permission_mode="x") or "").startswith("Second.")
    assert [iteration(work / f".longgraph/loops/{task}.md") for task in ("one", "two")] == [
        "iteration: 2"
    ] * 2
    run("loop", "cancel", **ANN)
    assert stop("ann-1") is None
    assert "two" in run("loop", "list")


def test_a_loop_ends_by_command_with_evidence_only(work, run, refused, stop):
    run("loop", "init", "fix", "--prompt", "Answer in JSON.", "--strict-output", **ANN)
    assert "last_verified says nothing" in refused("loop", "done", **ANN)
    assert "names nothing" in refused("state", "set", "--verified", "it works", **ANN)
    assert "nothing to do" in refused("state", "set", "--next", "继续推进", **ANN)
    run("state", "set", "--verified", "`pytest` passes", "--next", "tell the owner", **ANN)
    assert json.loads(run("state", "show", "--json", **ANN))["last_verified"] == ["`pytest` passes"]
    assert stop("ann-1", "<promise>DONE</promise>") is not None
    assert "fix is done" in run("loop", "done", **ANN)
    assert stop("ann-1") is None
    assert "done" in (work / ".longgraph/state/ann-1.json").read_text("utf-8")


def test_a_loop_is_done_without_evidence_where_somebody_says_anyway(run, stop):
    run("loop", "init", "fix", "--prompt", "x", **ANN)
    run("loop", "done", "--anyway", **ANN)
    assert stop("ann-1") is None


def test_nothing_that_was_cancelled_comes_back(work, run, stop):
    run("loop", "init", "fix", "--prompt", "x", **ANN)
    run("loop", "sync")
    assert (work / ".omx/ralph-loop.local.md").exists()
    run("loop", "cancel", "fix", **ANN)
    for _ in range(2):
        assert stop("ann-1") is None
        run("loop", "sync")
    assert not list(work.rglob("*.md"))


def test_a_loop_and_its_copy_are_counted_once(work, run, stop):
    run("loop", "init", "fix", "--prompt", "x", **ANN)
    run("loop", "sync")
    assert stop("ann-1") is not None
    assert iteration(work / ".longgraph/loops/fix.md") == "iteration: 2"
    assert stop("ann-1", "<promise>DONE</promise>") is None
    assert stop("ann-1", "and again") is None


def test_the_global_registry_lives_in_the_home_and_holds_everywhere(cli, work, run, stop):
    run("loop", "init", "fix", "--prompt", "Everywhere.", "--global", **BOB)
    assert (cli.home / ".codex/.omx/ralph-loops/fix.md").exists()
    assert not (work / ".longgraph").exists()
    run("loop", "sync", "--global")
    assert (cli.home / ".codex/.omx/ralph-loop.local.md").exists()
    held = stop("bob-2", turn_id="t", model="m", permission_mode="x")
    assert (held or "").startswith("Everywhere.")
    run("loop", "cancel", "fix", "--global", **BOB)
    assert stop("bob-2", turn_id="t2", model="m", permission_mode="x") is None


def test_the_claude_plugins_file_is_kept_byte_for_byte(work, run):
    path = work / ".claude/ralph-loop.local.md"
    path.parent.mkdir()
    raw = b"---\r\nactive: true\r\niteration: 2\r\nsession_id:\r\nmax_iterations: 0\r\n# note\r\n"
    raw += b'completion_promise: "X"\r\ntheirs: [1]\r\n---\r\n\r\nBuild \xff it.\r\n'
    path.write_bytes(raw)
    assert "claude" in run("loop", "list")
    run("loop", "bind", "claude", "--session", "ann-1")
    assert path.read_bytes() == raw.replace(b"session_id:\r", b"session_id: ann-1\r")


def test_a_broken_loop_is_shown_and_not_written_over(work, run, refused):
    folder = work / ".longgraph/loops"
    folder.mkdir(parents=True)
    (folder / "bad.md").write_bytes(b"\xff no front matter")
    assert "broken" in run("loop", "list")
    assert "cannot be read" in refused("loop", "bind", "bad", "--session", "x")
    assert (folder / "bad.md").read_bytes() == b"\xff no front matter"
    (folder / "index.json").write_text("{")
    assert "not valid JSON" in refused("loop", "activate", "bad", code=2)
    assert "bad.md" in run("loop", "sync")
    assert json.loads((folder / "index.json").read_text())["tasks"]["bad"]["state"] == "broken"


@pytest.mark.parametrize("what", ["link", "folder", "large"])
def test_no_loop_is_a_link_a_folder_or_as_large_as_a_disk(work, refused, what):
    path = work / ".longgraph/loops/bad.md"
    path.parent.mkdir(parents=True)
    if what == "link":
        (work / "secret").write_text("s")
        path.symlink_to(work / "secret")
    elif what == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(9 << 20)
    assert "bad.md" in refused("loop", "list", code=2)
    assert "bad.md" in refused("loop", "init", "x", "--prompt", "y", code=2)


def test_a_plan_comes_first_and_is_executed_only_on_approval(work, run, refused, stop):
    assert "by the word 'plan'" in run("loop", "start", "Plan the move", **ANN)
    path = ".longgraph/plans/plan-the-move.md"
    assert "no row of it counts" in refused("plan", "start", path)
    plan = work / path
    plan.write_text(plan.read_text("utf-8").replace("## TODOs\n", PLAN), encoding="utf-8")
    assert "the owner's approval" in refused("plan", "start", path, **ANN)
    assert stop("ann-1") is None
    run("plan", "start", path, "--session", "ann-1")
    assert "2 of 2" in (stop("ann-1") or "")


def test_the_words_of_a_task_decide_and_are_told(run, stop):
    assert "by the word '直接做'" in run("loop", "start", "直接做，修好测试", **ANN)
    assert "修好测试" in (stop("ann-1") or "")


@pytest.mark.parametrize(
    "call",
    [
        ("loop", "init", "x"),
        ("loop", "init", "x", "--prompt", " "),
        ("loop", "init", "a/b", "--prompt", "y"),
        ("loop", "init", "x", "--prompt", "y", "--prompt-file", "z"),
        ("loop", "init", "x", "--prompt-file", "none.md"),
        ("loop", "init", "x", "--prompt", "y", "--promise", "</promise>"),
        ("loop", "init", "x", "--prompt", "y", "--session", "null"),
        ("loop", "start", " "),
        ("loop", "start", "x", "--mode", "soon"),
        ("loop", "start", "x", "--goal", "win"),
        ("loop", "bind", "none"),
        ("loop", "done"),
        ("loop", "activate", "none"),
        ("loop", "show"),
        ("state", "show"),
        ("state", "set", "--clear", "nothing"),
        ("plan", "start", "none.md"),
        ("plan", "check", "../../etc/passwd"),
        ("plan", "bind"),
        ("plan", "show", "none"),
        ("block", "--reason", "x", "--until", "y"),
        ("unbind",),
        ("resume",),
        ("stop", "none"),
    ],
)
def test_a_wrong_call_is_one_line_and_leaves_no_trace(work, refused, call):
    refused(*call, code=2)
    assert [path.name for path in work.iterdir()] == [".git"]


# Plans ---------------------------------------------------------------------------------------


def test_a_plan_holds_its_session_until_it_is_completed_with_evidence(work, run, refused, stop):
    plan = work / "p.md"
    plan.write_text(PLAN, encoding="utf-8")
    run("plan", "start", "p.md", "--make-pr", **ANN)
    assert "2 of 2" in (stop("ann-1") or "")
    assert "2 of 2 rows open" in run("plan", "check", "p.md")
    (work / "log.txt").write_text("green\n")
    assert "2 of 2 rows open" in refused("plan", "complete", "--evidence", "log.txt", **ANN)
    plan.write_text(PLAN.replace("[ ]", "[x]"), encoding="utf-8")
    assert stop("ann-1", "Ticked.", prompt_id="p2") is not None
    assert "no such file" in refused("plan", "complete", "--evidence", "none", code=2, **ANN)
    assert "p is completed" in run("plan", "complete", "--evidence", "log.txt", **ANN)
    assert stop("ann-1", "Done.", prompt_id="p3") is None
    assert "completed" in run("plan", "show")


def test_a_plan_that_a_person_starts_is_taken_by_the_session_that_binds_it(work, run, stop):
    (work / "p.md").write_text(PLAN, encoding="utf-8")
    assert "loopgraph plan bind p" in run("plan", "start", "p.md")
    assert stop("ann-1") is None
    run("plan", "bind", "p", **ANN)
    assert stop("ann-1") is not None


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("# x\n", 1, "no-plan"),
        ("## TODOs\n- [-] 1. x\n", 1, "neither open nor done"),
        (PLAN + "- [-] 3. x\n", 0, "p.md:4: warning"),
        (PLAN + "```\n- [ ] 3. x\n", 1, "p.md:4: error"),
    ],
)
def test_a_plan_is_checked_by_line(cli, work, text, code, said):
    (work / "p.md").write_text(text, encoding="utf-8")
    done = cli("plan", "check", "p.md", cwd=work)
    assert (done.code, done.err) == (code, "")
    assert said in done.out
    told = json.loads(cli("plan", "check", "p.md", "--json", cwd=work).out)
    assert told["schema"] == "loopgraph/plan-check/1"


def test_a_plan_in_its_own_worktree_is_counted_there(work, run):
    (work / "p.md").write_text(PLAN, encoding="utf-8")
    (work / "wt").mkdir()
    (work / "wt/p.md").write_text(PLAN.replace("[ ]", "[x]"), encoding="utf-8")
    run("plan", "start", "p.md", "--worktree", "wt")
    assert json.loads(run("plan", "show", "--json"))["plans"][0]["remaining"] == 0


def test_another_tools_plan_is_shown(work, run):
    (work / ".omo").mkdir()
    (work / "p.md").write_text(PLAN, encoding="utf-8")
    record = {"works": {"w": {"active_plan": "p.md", "status": "active", "session_ids": ["x"]}}}
    (work / ".omo/boulder.json").write_text(json.dumps(record))
    shown = run("plan", "show")
    assert "w (active, .omo/boulder.json)" in shown
    assert "2 of 2 rows open" in shown


# Runs, blocks and stops ----------------------------------------------------------------------


def test_the_brake_lets_everything_go_and_only_the_owner_lifts_it(work, run, refused, stop):
    run("loop", "init", "fix", "--prompt", "x", **ANN)
    assert stop("ann-1") is not None
    assert "Stopped" in run("stop", "--why", "lunch", **ANN)
    said = (work / ".longgraph/STOP").read_text("utf-8")
    assert said == f"who: an agent\nwhen: {NOW}\nwhy: lunch\nlifted by: loopgraph resume\n"
    assert stop("ann-1") is None
    assert "the owner's" in refused("resume", **ANN)
    assert "not the owner" in refused("resume", "--as", "owner", **ANN)
    run("resume")
    assert stop("ann-1", "Again.") is not None


def test_the_brake_works_although_the_bindings_are_broken(work, run, stop):
    (work / ".longgraph").mkdir()
    (work / ".longgraph/.bindings.json").write_text("{")
    run("stop", **ANN)
    assert (work / ".longgraph/STOP").exists()


def test_one_loop_is_stopped_and_goes_on(run, stop):
    run("loop", "init", "fix", "--prompt", "x", **ANN)
    run("stop", "fix")
    assert stop("ann-1") is None
    assert "stopped" in run("loop", "list")
    run("resume", "fix")
    assert stop("ann-1", "Again.") is not None


def test_a_loop_may_bear_the_name_of_a_folder(work, run):
    (work / "docs").mkdir()
    run("loop", "init", "docs", "--prompt", "x")
    assert "docs is stopped" in run("stop", "docs")


def test_a_block_by_command_lets_the_session_go(run, stop):
    run("loop", "init", "fix", "--prompt", "x", "--max", "0", **ANN)
    run("block", "--reason", "no key", "--until", "KEY is set", **ANN)
    assert stop("ann-1") is None


def test_a_session_is_bound_to_a_run_and_let_go_by_the_owner(cli, make):
    path = make("deliver", "Every order can be exported", "--host", "claude-code")
    root = path.parents[1]

    def said(*arguments: str, **extra: str):
        return cli(*arguments, cwd=root, LOOPGRAPH_NOW=NOW, **extra)

    assert said("bind", "--as", "executor", **ANN).code == 0
    bound = json.loads((root / ".longgraph/.bindings.json").read_text("utf-8"))
    assert bound["sessions"]["claude:ann-1"]["run"] == path.name
    assert said("bind", "--as", "supervisor", **ANN).code == 1
    assert said("unbind", **ANN).code == 1
    assert said("stop", path.name, "--as", "executor", **ANN).code == 0
    assert (path / "STOP").read_text("utf-8").startswith("who: executor\n")
    assert said("check", path.name).code == 0
    assert said("resume", path.name).code == 0
    (root / ".longgraph/loops").mkdir()
    (root / ".longgraph/loops/bad.md").symlink_to(path)
    assert said("stop", path.name, **ANN).code == 0
    assert said("resume", path.name).code == 0
    assert said("unbind", "--session", "ann-1").code == 0
    assert json.loads((root / ".longgraph/.bindings.json").read_text("utf-8"))["sessions"] == {}


@pytest.mark.parametrize(
    ("call", "file", "what"),
    [
        (("loop", "init", "x", "--prompt", "y"), ".longgraph/loops/x.md", "written"),
        (("loop", "cancel", "fix"), ".longgraph/loops/fix.md", "removed"),
        (("loop", "sync"), ".omx/ralph-loop.local.md", "written"),
        (("loop", "bind", "fix", "--session", "x"), ".longgraph/loops/fix.md", "written"),
        (("loop", "start", "plan it"), ".longgraph/plans/plan-it.md", "written"),
        (("plan", "start", "p.md"), ".longgraph/plans.json", "written"),
        (
            ("state", "set", "--goal", "g", "--task", "fix"),
            ".longgraph/state/ann-1.json",
            "written",
        ),
        (
            ("block", "--reason", "x", "--until", "y", "--session", "z"),
            ".longgraph/blocked/z.json",
            "written",
        ),
        (("stop",), ".longgraph/STOP", "written"),
    ],
)
def test_what_a_command_did_can_be_read_by_a_program(work, run, call, file, what):
    run("loop", "init", "fix", "--prompt", "Fix.", **ANN)
    (work / "p.md").write_text(PLAN, encoding="utf-8")
    told = json.loads(run(*call, "--json"))
    assert told["schema"] == "loopgraph/change/1"
    assert told["files"][file] == what
    assert told["says"]


def test_a_bound_session_means_its_own_run(cli, make):
    first = make("deliver", "Every order can be exported", "--host", "claude-code")
    second = make("deliver", "Every order can be imported", "--host", "claude-code")
    root = first.parents[1]
    assert cli("graph", cwd=root).code == 2
    assert cli("bind", second.name, "--as", "executor", cwd=root, **ANN).code == 0
    shown = cli("handoff", cwd=root, **ANN)
    assert second.name in shown.out
    assert first.name not in shown.out
