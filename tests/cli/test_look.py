"""The commands that only look, as processes: answers, exit codes, and nothing touched."""

from __future__ import annotations

import json
import subprocess
import sys

import fastjsonschema
import pytest

from loopgraph.views.schemas import SCHEMAS
from tests.hook.replay import snapshot

EXECUTOR = ("--as", "executor")
ROUND = ("round", "record", "--result", "ok", "--changed", "a.py", "--net", "+1/-0", *EXECUTOR)
CARD = ("owner", "ask", "Drop it?", "--why", "twice", "--option", "keep it", "--option", "drop it")
LOOKS = {
    "status": ("status",),
    "next": ("next", "--as", "executor"),
    "show": ("show", "S-001"),
    "rounds": ("rounds", "--all"),
    "decisions": ("decisions",),
    "runs": ("runs",),
}


def test_each_answer_is_as_its_schema_says_and_nothing_is_touched(cli, make):
    run = make("deliver", "Go on")
    assert cli(*ROUND, "--next", "b", cwd=run).code == 0
    before = snapshot(run.parents[1])
    for name, call in LOOKS.items():
        done = cli(*call, "--json", cwd=run)
        assert (done.code, done.err) == (0, ""), name
        fastjsonschema.compile(SCHEMAS[name]())(json.loads(done.out))
        assert cli(*call, cwd=run).out
    assert snapshot(run.parents[1]) == before


def test_the_exit_code_of_status_follows_the_run(cli, make):
    run = make("deliver", "Go on")
    assert cli("status", cwd=run).code == 0
    assert cli(*CARD, "--as", "executor", cwd=run).code == 0
    done = cli("status", "--json", cwd=run)
    assert (done.code, json.loads(done.out)["waits"]) == (3, "card")
    assert cli("owner", "answer", "OB-001", "A", cwd=run).code == 0
    assert cli("status", cwd=run).code == 0
    assert cli("stop", run.name, "--why", "lunch", cwd=run).code == 0
    done = cli("status", cwd=run)
    assert done.code == 3
    assert f".longgraph/{run.name}/STOP (owner," in done.out
    assert "stop: " in cli("next", "--as", "executor", cwd=run).out
    assert cli("resume", run.name, cwd=run).code == 0
    assert cli("finish", "stalled", "--why", "no way", cwd=run).code == 0
    assert cli("status", run.name, cwd=run).code == 4
    assert cli("finish", "closed", "--why", "enough", "--run", run.name, cwd=run).code == 0
    assert cli("status", run.name, cwd=run).code == 5
    (run / "ledger.md").unlink()
    done = cli("status", run.name, "--json", cwd=run)
    assert done.code == 2
    assert json.loads(done.out)["error"]["where"].endswith("ledger.md")


def test_next_takes_the_node_from_the_call_the_environment_or_the_binding(cli, make):
    run = make("deliver", "Go on")
    agent = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "ann-1"}
    assert cli("next", cwd=run).code == 2
    assert ": supervisor" in cli("next", cwd=run, LOOPGRAPH_NODE="supervisor").out
    assert cli("bind", run.name, "--as", "supervisor", cwd=run, **agent).code == 0
    assert ": supervisor" in cli("next", cwd=run, **agent).out
    refused = cli("next", "--as", "executor", cwd=run, **agent)
    assert (refused.code, refused.out) == (1, "")
    assert cli("next", "--as", "executer", cwd=run).code == 2


def test_the_commands_that_next_names_are_commands(cli, make):
    run = make("deliver", "Go on")
    for role in ("executor", "supervisor", "owner"):
        parts = json.loads(cli("next", run.name, "--as", role, "--json", cwd=run).out)["parts"]
        for command in [command for part in parts for command in part["commands"]]:
            words = command.split()
            assert words[0] == "loopgraph"
            assert words[-4:] == ["--run", run.name, "--as", role]
            done = cli(*words[1:3], "--help", cwd=run)
            assert done.code == 0, command
            for option in [word for word in words if word.startswith("--")]:
                assert option in done.out, command


def test_show_finds_what_was_moved_word_for_word(cli, make):
    run = make("deliver", "Go on")
    odd = "中文 | `a` − \\ <U+0041> b"
    for number in range(7):
        item = f"{odd} {number}"
        converge = ("--converge", "--evidence", "log") if number == 5 else ()
        net = ("--net", "+0/-1") if converge else ()
        assert cli(*ROUND, "--item", item, "--next", "b", *converge, *net, cwd=run).code == 0
    archived = (run / "archive/rounds.md").read_text("utf-8")
    line = next(one for one in archived.splitlines() if one.startswith("- R1 "))
    found = json.loads(cli("show", "r1", "--json", cwd=run).out)
    (entry,) = found["entries"]
    assert (entry["file"], entry["live"], entry["text"]) == (
        "archive/rounds.md",
        False,
        f"{line}\n",
    )
    assert found["id"] == "R1"
    listed = json.loads(cli("rounds", "--all", "--json", cwd=run).out)["rounds"]
    assert [one["number"] for one in listed] == [1, 2, 3, 4, 5, 6, 7]
    assert [one["item"] for one in listed] == [f"{odd} {number}" for number in range(7)]
    assert [one["live"] for one in listed] == [False, False, *[True] * 5]
    assert [one["converge"] for one in listed].index(True) == 5
    assert len(json.loads(cli("rounds", "--json", cwd=run).out)["rounds"]) == 5
    since = cli("rounds", "--since", "R2", "--last", "3", cwd=run).out
    assert [one.split()[0] for one in since.splitlines()] == ["R5", "R6", "R7"]


def test_show_says_where_an_id_is_live_archived_and_named(cli, make):
    run = make("deliver", "Go on")
    assert cli("standing", "add", "SCOPE", "leave docs alone", cwd=run).code == 0
    text = (run / "directives.md").read_text("utf-8")
    id_ = next(line.split()[1] for line in text.splitlines() if "leave docs alone" in line)
    assert cli("standing", "replace", id_, "leave docs/api alone", cwd=run).code == 0
    found = json.loads(cli("show", id_, "--json", cwd=run).out)["entries"]
    assert [(one["file"], one["live"]) for one in found] == [
        ("archive/standing.md", False), ("directives.md", True),
    ]  # fmt: skip
    shown = cli("decisions", "--json", cwd=run)
    own = [one for one in json.loads(shown.out)["standing"] if one["id"] == id_]
    assert [(one["in_force"], one["text"]) for one in own] == [
        (False, "owner: leave docs alone"), (True, "owner: leave docs/api alone"),
    ]  # fmt: skip
    assert cli("show", "M-2", cwd=run).out.startswith("executor.md:")
    assert cli("show", "G-1", cwd=run).code == 0
    assert "| C-01 |" in cli("show", "C-1", cwd=run).out


@pytest.mark.parametrize(
    ("id_", "code", "says"),
    [("S-099", 1, "The nearest: S-00"), ("R12", 1, "none of this kind"),
     ("D-004", 1, "none of this kind"), ("x", 2, "Ids are"), ("D-", 2, "no id")],
)  # fmt: skip
def test_an_id_that_stands_nowhere_is_told_with_the_nearest(cli, make, id_, code, says):
    run = make("deliver", "Go on")
    done = cli("show", id_, cwd=run)
    assert (done.code, done.out) == (code, "")
    assert says in done.err


def test_decisions_say_who_answered_and_whether_it_was_relayed(cli, make):
    run = make("deliver", "Go on")
    for more in ((), ("--relay",)):
        assert cli(*CARD, *more, "--as", "executor", cwd=run).code == 0
    agent = {"CLAUDECODE": "1"}
    call = ("owner", "answer", "--as", "executor", "--relayed")
    for id_ in ("OB-001", "OB-002"):
        assert cli(*call, id_, "B", cwd=run, **agent).code == 0
    first, second = json.loads(cli("decisions", "--json", cwd=run).out)["cards"]
    assert (first["id"], first["open"], second["id"], second["open"]) == (
        "OB-001", True, "OB-002", False,
    )  # fmt: skip
    assert [one["relayed"] for one in first["answers"] + second["answers"]] == [True, True]
    assert first["options"] == {"A": "keep it", "B": "drop it"}
    assert cli("owner", "answer", "OB-001", "A", cwd=run).code == 0
    assert cli("rotate", cwd=run).code == 0
    first, _second = json.loads(cli("decisions", "--json", cwd=run).out)["cards"]
    assert (first["open"], first["file"]) == (False, "archive/decisions.md")
    assert [(one["letter"], one["relayed"]) for one in first["answers"]] == [
        ("B", True), ("A", False),
    ]  # fmt: skip


def test_runs_lists_every_run_and_a_broken_one_hides_no_other(cli, make):
    old, new = make("deliver", "First"), make("converge")
    place = old.parents[1]
    (old / "ledger.md").write_bytes(b"\xff\xfe")
    (old / "run.yaml").write_bytes(b"{")
    found = {one["run"]: one for one in json.loads(cli("runs", "--json", cwd=place).out)["runs"]}
    assert found[old.name]["problem"]
    assert found[old.name]["status"] is None
    assert found[new.name]["pack"] == "converge"
    assert (found[new.name]["status"], found[new.name]["round"]) == ("active", 0)
    lines = cli("runs", cwd=place).out.splitlines()
    assert [line.split()[0] for line in lines] == sorted([old.name, new.name])


def test_runs_says_which_a_stop_holds(cli, make):
    first, second = make("deliver", "First"), make("deliver", "Second")
    place = first.parents[1]

    def stopped():
        listed = json.loads(cli("runs", "--json", cwd=place).out)["runs"]
        assert [one["status"] for one in listed] == ["active", "active"]
        said = {
            line.split()[0]: "stopped" in line for line in cli("runs", cwd=place).out.splitlines()
        }
        assert said == {one["run"]: one["stopped"] for one in listed}
        return [run.name for run in (first, second) if said[run.name]]

    assert stopped() == []
    assert cli("stop", first.name, cwd=place).code == 0
    assert stopped() == [first.name]
    assert cli("stop", cwd=place).code == 0
    assert stopped() == [first.name, second.name]
    assert cli("resume", cwd=place).code == 0
    assert stopped() == [first.name]


def test_a_workspace_without_runs_says_how_to_make_one(cli, tmp_path):
    done = cli("runs", cwd=tmp_path)
    assert (done.code, done.out) == (0, "No run here. Make one with: loopgraph new\n")
    assert cli("status", cwd=tmp_path).code == 2


HOSTILE = {
    "bytes": b"\xff\x00\x1b[31m",
    "empty": b"",
    "escape": "## Status header\n\nRun status: `active` \x1b]0;x\x07\u202e\n- R1 \x1b[2J".encode(),
    "conflict": b"<<<<<<< a\n## Status header\nRound: 1\n=======\n## Status header\n>>>>>>> b\n",
    "long": b"| OB-001 | " + b"x" * 300_000 + b" |\n",
    "huge": b"x" * (8 * 1024 * 1024 + 1),
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("name", ["ledger.md", "directives.md", "ops.md", "run.yaml"])
def test_a_hostile_file_gives_no_traceback_and_no_control_character(cli, make, kind, name):
    run = make("deliver", "Go on")
    (run / name).write_bytes(HOSTILE[kind])
    (run / "archive/rounds.md").write_bytes(HOSTILE[kind])
    (run / "evidence/acts.jsonl").write_bytes(HOSTILE[kind])
    (run.parent / ".bindings.json").write_bytes(b'{"version": 1, "sessions": [')
    for call in (*LOOKS.values(), ("show", "R1"), ("next", "--as", "owner")):
        done = cli(*call, cwd=run)
        assert done.code in (0, 1, 2, 3), call
        for stream in (done.out, done.err):
            assert not set(stream) & {"\x1b", "\x07", "\x00", "\u202e"}, call
        if call[0] == "next" and done.code == 0:
            assert done.out.count("\n") <= 60


def test_links_and_folders_in_the_place_of_files_are_named(cli, make, tmp_path):
    run = make("deliver", "Go on")
    (run / "ops.md").unlink()
    (run / "ops.md").symlink_to(tmp_path)
    (run / "archive").rmdir()
    (run / "archive").symlink_to(tmp_path)
    assert cli("status", cwd=run).code == 0
    done = cli("show", "S-001", cwd=run)
    assert done.code == 0
    assert "ops.md: a symbolic link is not followed here" in done.err


HEAVY = ("dataclasses", "inspect", "json", "msgspec", "shlex", "typer", "yaml")


@pytest.mark.parametrize("command", ["status", "next"])
def test_what_a_plain_look_can_do_without_is_not_loaded(make, command):
    run = make("deliver", "go", "--host", "shell")
    words = ["--as", "executor"] if command == "next" else []
    script = (
        "import os, sys; from loopgraph.cli import quick\n"
        f"code = quick.read([{command!r}, {str(run)!r}, *{words!r}])()\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout
    assert done.stderr == "[]\n"


def test_the_quick_way_and_the_library_give_the_same_answers(cli, make):
    run = make("deliver", "Go on")
    assert cli("status", cwd=run).code == 0
    script = (
        "import sys; from loopgraph import cli; sys.argv[1:] and cli.quick\n"
        "if sys.argv[1] == 'slow': cli.quick.read = lambda _: None\n"
        "raise SystemExit(cli.main(sys.argv[2:]))"
    )
    environ = cli.environ({})

    def said(way, call):
        words = [sys.executable, "-c", f"from loopgraph.cli import quick; {script}", way, *call]
        done = subprocess.run(words, cwd=run, env=environ, capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr

    for call in (
        ("status",), ("status", run.name), ("status", "--run", run.name, "--json"),
        ("status", f"--run={run.name}", "x"), ("status", "nowhere"), ("next",),
        ("next", "--as", "supervisor"), ("next", run.name, "--as=executor", "--json"),
        ("next", "--as"), ("status", "a", "b"), ("status", "--odd"), ("next", "--as", "nobody"),
        ("status", "--workspace", str(run.parents[1])), ("status", "--help"),
    ):  # fmt: skip
        assert said("quick", call) == said("slow", call), call


def test_status_and_next_open_no_archive(cli, make):
    run = make("deliver", "Go on")
    (run / "archive/rounds.md").write_text("- R1 2026-01-02 | x\n" * 10_000, "utf-8")
    (run / "archive/rounds-2.md").write_text("# x\n", "utf-8")
    script = (
        "import sys; from loopgraph.cli import main\n"
        "seen = []\n"
        "sys.addaudithook(lambda name, args: name == 'open' and seen.append(str(args[0])))\n"
        "code = main(sys.argv[1:])\n"
        "assert any('ledger.md' in path for path in seen)\n"
        "assert not [path for path in seen if '/archive/' in path], seen"
    )
    environ = cli.environ({})
    for call in (("status",), ("next", "--as", "executor"), ("runs",)):
        words = [sys.executable, "-c", script, *call]
        done = subprocess.run(words, cwd=run, env=environ, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
