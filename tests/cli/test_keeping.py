"""The commands that keep a run, as processes: which run, who speaks, exit codes, answers."""

import json
from typing import Any

import pytest
import typer

from loopgraph.cli import build, main

ROUND = ("round", "record", "--result", "ok", "--changed", "a.py", "--net", "+1/-0", "--next", "b")
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "ann-1"}


def test_the_only_active_run_is_meant_and_every_way_to_name_one_works(cli, make):
    old, new = make("deliver", "First"), make("deliver", "Second")
    place = new.parents[1]
    assert cli("round", "start", cwd=place).code == 2  # both are active
    assert cli("finish", "closed", old.name, "--why", "enough", cwd=place).code == 0
    assert cli(*ROUND, cwd=place).code == 0
    for more, extra in (
        ((), {"LOOPGRAPH_RUN": new.name}),
        (("--run", new.name), {}),
        ((str(new),), {}),
    ):
        assert cli(*ROUND, *more, cwd=place, **extra).code == 0
    assert "Round: 4 " in (new / "ledger.md").read_text("utf-8")


@pytest.mark.parametrize("state", ["stalled", "exit-ready"])
def test_a_run_that_stands_still_is_meant_beside_one_that_is_closed(cli, make, state):
    old, new = make("deliver", "First"), make("deliver", "Second")
    at = {"cwd": new.parents[1]}
    assert cli("finish", "closed", "--run", old.name, "--why", "enough", **at).code == 0
    ledger = new / "ledger.md"
    ledger.write_text(ledger.read_text("utf-8").replace("`active`", f"`{state}`"), "utf-8")
    for words in (("status",), ("status", "--json"), ("next", "--as", "executor"), ("rounds",)):
        assert cli(*words, **at) == cli(*words, "--run", new.name, **at)
    assert cli("status", **at).code == cli("status", new.name, **at).code
    assert new.name in cli("status", **at).out
    assert cli("status", **at).code == {"stalled": 4, "exit-ready": 0}[state]


def test_the_new_run_is_meant_once_the_one_before_is_held_as_the_warning_says(cli, make):
    old, new = make("deliver", "First"), make("deliver", "Second")
    at = {"cwd": new.parents[1]}
    refused = cli("status", **at)
    assert refused.code == 2
    assert "Name one, as in loopgraph status NAME: " in refused.err
    assert cli("stop", old.name, **at).code == 0
    shown = cli("status", **at)
    assert (shown.code, old.name in shown.out, new.name in shown.out) == (0, False, True)
    assert cli(*ROUND, **at).code == 0
    assert "Round: 1 " in (new / "ledger.md").read_text("utf-8")


def test_a_session_that_is_bound_to_a_run_that_is_gone_means_the_one_that_is_there(cli, make):
    old, new = make("deliver", "First"), make("deliver", "Second")
    at = {"cwd": new.parents[1], **AGENT}
    assert cli("bind", old.name, "--as", "executor", **at).code == 0
    assert old.name in cli("status", **at).out
    old.rename(new.parents[2] / "aside")
    assert new.name in cli("status", **at).out


def named_twice():
    """Every command that takes a run in its place and as --run, with the options it asks for."""
    program: Any = typer.main.get_command(build())
    inside = {
        (*((name,) if inner is not command else ()), inner.name): inner
        for name, command in program.commands.items()
        for inner in getattr(command, "commands", {name: command}).values()
    }
    for words, command in inside.items():
        options = [one for one in command.params if one.param_type_name == "option"]
        flags = {flag for one in options for flag in one.opts}
        if "--run" in flags and any(one.metavar == "[RUN]" for one in command.params):
            asked = [word for one in options if one.required for word in (one.opts[0], "1")]
            yield (*words, *asked), "--json" in flags


NAMED_TWICE = list(named_twice())


def test_the_commands_that_take_a_run_in_two_ways_are_found():
    words = {" ".join(words) for words, _json in NAMED_TWICE}
    assert {"status", "next", "audit", "unbind", "gap list", "audited --through 1"} <= words


@pytest.mark.parametrize(("words", "json_too"), NAMED_TWICE)
def test_a_call_that_names_two_runs_is_refused_with_both(words, json_too, capsys, monkeypatch):
    monkeypatch.setattr("os.environ", {})
    said = "two runs are named: one, and two with --run"
    assert main([*words, "one", "--run", "two"]) == 2
    assert said in capsys.readouterr().err
    if json_too:
        assert main([*words, "--json", "--run=two", "one"]) == 2
        assert said in json.loads(capsys.readouterr().out)["error"]["what"]


def test_one_run_may_be_named_twice(cli, make):
    name, at = (run := make("deliver", "Go")).name, {"cwd": run.parents[1]}
    for words in (("status",), ("gap", "list"), ("rounds",)):
        once, twice = cli(*words, name, **at), cli(*words, name, "--run", name, **at)
        assert once == twice
        assert once.code == 0


def test_a_bound_session_has_its_role_and_no_other(cli, make):
    run = make("deliver", "Go")
    place = run.parents[1]
    assert cli("bind", run.name, "--as", "supervisor", cwd=place, **AGENT).code == 0
    said = cli(*ROUND, cwd=place, **AGENT)
    assert said.code == 1
    assert "edge ledger" in said.err
    assert "executor" in said.err
    assert cli("audited", "--through", "R0", cwd=place, **AGENT).code == 0
    assert cli(*ROUND, "--as", "executor", cwd=place, **AGENT).code == 1
    assert cli("owner", "answer", "OB-001", "A", "--as", "owner", cwd=place, **AGENT).code == 1
    acts = (run / "evidence/acts.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["node"] for line in acts] == ["supervisor"]
    assert json.loads(acts[0])["session"] == "claude:ann-1"


def test_a_refusal_is_one_line_or_one_object_and_its_code(cli, make):
    run = make("deliver", "Go")
    call = ("finish", "exit-ready", "--why", "done")
    said = cli(*call, cwd=run)
    assert (said.code, said.out, said.err.count("\n")) == (1, "", 1)
    answer = json.loads(cli(*call, "--json", cwd=run).out)
    assert answer["error"]["exit"] == 1
    assert answer["error"]["where"].startswith("ledger.md:")
    assert cli("finish", "closed", cwd=run).code == 2


def test_new_approves_for_a_person_and_never_for_an_agent(cli, make, repository):
    gate = ("--set", "gate=python3 -c pass")
    run = make("deliver", "Go", *gate)
    assert cli("gate", "run", "G-1", "--run", run.name, cwd=repository).code == 0
    other = cli(
        "new", "deliver", "Else", "--set", "gate=python3 -c 1", "--yes", cwd=repository, **AGENT
    )
    assert other.code == 0, other.err
    (theirs,) = [one for one in repository.glob(".longgraph/*-*") if one != run]
    said = cli("gate", "run", "G-1", "--run", theirs.name, cwd=repository)
    assert said.code == 1
    assert f"loopgraph trust {theirs.name}" in said.err
    assert cli("trust", theirs.name, cwd=repository, **AGENT).code == 1
    assert cli("trust", theirs.name, cwd=repository).code == 0
    assert cli("gate", "run", "G-1", "--run", theirs.name, cwd=repository).code == 0
    assert len(list(theirs.glob("evidence/gates/*.json"))) == 1


def test_a_stalled_run_is_taken_up_again_by_the_owner(cli, make):
    run = make("deliver", "Go")
    assert cli("finish", "stalled", "--why", "no path", cwd=run).code == 0
    assert cli("resume", run.name, "--why", "a path", cwd=run, **AGENT).code == 1
    assert cli("resume", run.name, "--why", "a path", cwd=run).code == 0
    assert "Run status: `active`" in (run / "ledger.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("stop", "code"),
    [
        ("lib until M-2", 1),
        ("lib/deep: it is under audit", 1),
        ("nowhere/deep until M-2", 0),
        ("lib/deep/one.py until M-2", 0),
        ("lib/deep but lib/deep/one.py stays allowed", 0),
    ],
)
def test_a_folder_of_the_workspace_is_not_closed_as_a_whole(cli, make, repository, stop, code):
    make("deliver", "do it", "--host", "shell")
    (repository / "lib/deep").mkdir(parents=True)
    (repository / "lib/deep/one.py").write_text("", "utf-8")
    words = ("--action", "test it", "--verify", "look", "--stop", stop, "--as", "supervisor")
    done = cli("directive", "add", "plan", *words, cwd=repository)
    assert (done.code, "as a whole" in done.err) == (code, code == 1), done.err
