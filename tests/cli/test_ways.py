"""A refusal of the command line names the way on, of the very command that was meant."""

from __future__ import annotations

import pytest
import typer

from loopgraph.cli import build
from tests.conftest import git

GAP = ("gap", "add")
REST = ("--priority", "P2", "--write-set", "none", "--verify", "none", "--as", "executor")


@pytest.mark.parametrize(
    ("words", "way"),
    [
        (("gap", "close", "GAP-001"), "See: loopgraph gap close --help"),
        (("gap", "nothing"), "See: loopgraph gap --help"),
        (("round", "record", "--nothing"), "See: loopgraph round record --help"),
        (("status", "--nothing"), "See: loopgraph status --help"),
        (("nothing",), "See: loopgraph --help"),
        (("--nothing",), "See: loopgraph --help"),
        ((*GAP, "--nothing", *REST), "See: loopgraph gap add --help"),
        ((*GAP, "--stdin alone is not read", *REST), 'loopgraph gap add … -- "TEXT"'),
        ((*GAP, "-- it is text", *REST), 'loopgraph gap add … -- "TEXT"'),
    ],
)
def test_a_usage_error_names_the_help_of_its_own_command(cli, tmp_path, words, way):
    done = cli(*words, cwd=tmp_path)
    assert done.code == 2
    assert done.err.rstrip("\n").endswith(way), done.err


def test_text_that_begins_with_a_hyphen_is_taken_behind_two(make, cli):
    run = make("deliver", "goal")
    done = cli(*GAP, *REST, "--", "--stdin alone is not read", cwd=run)
    assert done.code == 0, done.err
    assert "--stdin alone is not read" in (run / "ledger.md").read_text("utf-8")


def test_a_stalled_run_says_how_it_is_taken_up_again(make, cli):
    run = make("deliver", "goal")
    at = {"cwd": run}
    assert cli("resume", run.name, **at).err.startswith(f"loopgraph: {run.name}: it is not stopped")
    assert cli("finish", "stalled", "--why", "no key", "--as", "executor", **at).code == 0
    done = cli("resume", run.name, **at)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"loopgraph: {run.name}: it is stalled. loopgraph resume {run.name} --why WHY\n"
    )
    assert cli("stop", run.name, **at).code == 0
    done = cli("resume", run.name, **at)
    assert done.code == 0
    assert done.out.endswith(f"it is stalled: loopgraph resume {run.name} --why WHY\n")
    assert cli("resume", run.name, "--why", "the key is there", **at).code == 0
    assert "`active`" in (run / "ledger.md").read_text("utf-8")


def test_a_bare_resume_says_which_run_is_stalled(make, cli):
    run = make("deliver", "goal")
    at = {"cwd": run.parents[1]}
    assert cli("resume", **at).err.startswith("loopgraph: .longgraph: it is not stopped")
    assert cli("finish", "stalled", "--why", "no key", "--as", "executor", **at).code == 0
    done = cli("resume", **at)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"loopgraph: {run.name}: it is stalled. loopgraph resume {run.name} --why WHY\n"
    )
    assert cli("stop", **at).code == 0
    assert cli("resume", **at).out.endswith(
        f"it is stalled: loopgraph resume {run.name} --why WHY\n"
    )
    assert cli("resume", "--why", "the key is there", **at).code == 0
    assert "`active`" in (run / "ledger.md").read_text("utf-8")


RECORD = ("round", "record", "--result", "ok", "--changed", "a.py", "--net", "+1/-0")


def test_rounds_that_are_not_there_are_told_by_those_that_are(make, cli):
    run = make("deliver", "goal")
    assert cli("rounds", "--since", "R9", cwd=run).out == "No round is recorded.\n"
    for _again in range(2):
        assert cli(*RECORD, "--next", "more", "--as", "executor", cwd=run).code == 0
    done = cli("rounds", "--since", "R99", cwd=run)
    assert (done.code, done.out) == (0, "No such round is recorded: there are R1 to R2.\n")
    assert cli("rounds", "--since", "R2", cwd=run).out.startswith("R2 ")


@pytest.mark.parametrize("more", [(), ("--fix",)])
def test_check_knows_no_other_nodes_than_the_other_commands(make, cli, more):
    run = make("deliver", "goal")
    done, other = (cli(*words, "--as", "foo", cwd=run) for words in (("check", *more), ("next",)))
    assert (done.code, done.out, done.err) == (2, "", other.err)
    assert "foo" in done.err


@pytest.mark.parametrize("words", [("start",), ("record", "--result", "ok", "--next", "more")])
def test_a_mistake_in_the_settings_is_refused_before_a_round_is_written(make, cli, words):
    run = make("deliver", "goal")
    (run.parents[1] / ".loopgraph.toml").write_text('snapshot = "off"\n', "utf-8")
    before = (run / "ledger.md").read_bytes()
    done = cli("round", *words, "--as", "executor", cwd=run)
    assert (done.code, done.out, done.err) == (2, "", cli("status", cwd=run).err)
    assert "unknown key 'snapshot'" in done.err
    assert (run / "ledger.md").read_bytes() == before


def test_the_help_says_of_no_command_what_it_does_not(make, cli):
    run = make("deliver", "goal")
    said = next(
        line for line in cli("help", "exit-codes", cwd=run).out.split("\n") if "no:" in line
    )
    assert said.split()[0] == "1"
    assert "difference" not in said
    assert "a compiled file that was changed" in said
    assert cli("compile", run.name, "--check", cwd=run.parents[1]).code == 0
    prompt = run / "executor.md"
    prompt.write_text(prompt.read_text("utf-8") + "more\n", "utf-8")
    assert cli("compile", run.name, "--check", cwd=run.parents[1]).code == 1


def test_help_without_a_topic_lists_the_topics(cli, tmp_path):
    done = cli("help", cwd=tmp_path)
    assert done.code == 0
    lines = done.out.split("\n")
    assert [line.split()[2] for line in lines[:3]] == ["exit-codes", "knobs", "answers"]
    assert lines[-2] == "Each command explains itself: loopgraph COMMAND --help"


def test_an_answer_without_a_letter_or_with_too_much_is_refused(make, cli):
    run = make("deliver", "goal")
    ask = ("owner", "ask", "which?", "--why", "now", "--option", "one", "--option", "two")
    assert cli(*ask, "--as", "executor", cwd=run).code == 0
    bare = cli("owner", "answer", "OB-001", cwd=run)
    assert bare.code == 2
    assert "which letter?" in bare.err
    assert cli("owner", "answer", "OB-001", "A", "--from-row", cwd=run).code == 2
    empty = cli("owner", "answer", "OB-001", "--from-row", "--as", "executor", cwd=run)
    assert empty.code == 1
    assert "no answer stands in its row" in empty.err


@pytest.mark.parametrize("between", [False, True])
def test_a_run_whose_owner_only_writes_in_files_goes_on(make, cli, between):
    run = make("deliver", "goal")
    ask = ("owner", "ask", "which?", "--why", "now", "--option", "one", "--option", "two")
    assert cli(*ask, "--as", "executor", cwd=run).code == 0
    assert cli("status", cwd=run).code != 0
    git(run, "add", "-A", "-f", ".")
    git(run, "commit", "-q", "-m", "asked")
    ledger = run / "ledger.md"
    ledger.write_text(ledger.read_text("utf-8").replace("| now |", "| now owner: B |"), "utf-8")
    if between:
        git(run, "commit", "-q", "-a", "-m", "the owner")
    assert cli("status", cwd=run).code == 0
    assert "cards" not in cli("runs", cwd=run).out
    assert "OB-001 was answered B in its row" in cli("next", "--as", "executor", cwd=run).out
    assert "OB-001 answered in the row" in cli("decisions", cwd=run).out
    take = cli("owner", "answer", "OB-001", "--from-row", "--as", "executor", cwd=run)
    assert take.code == 0, take.err
    assert "- OB-001 · B · by hand" in ledger.read_text("utf-8")
    assert "B by hand, not proven, R0" in cli("decisions", cwd=run).out
    assert cli("check", cwd=run).code == 0
    git(run, "add", "-A", "-f", ".")
    git(run, "commit", "-q", "-m", "answered")
    audited = cli("audit", cwd=run)
    rules = [line.split()[2] for line in audited.out.split("\n") if line[:1] not in ("", " ")]
    assert set(rules) == {"LG615"}, audited.out
    assert between or "OB-001 was answered in its row by hand" in audited.out


def shown(command, path=()):
    """Every command of the program that has an argument for a run, by its words."""
    for name, sub in getattr(command, "commands", {}).items():
        yield from shown(sub, (*path, name))
    metavars = [one.metavar for one in command.params if one.param_type_name == "argument"]
    if "[RUN]" in metavars:
        yield " ".join(path), {word for one in command.params for word in one.opts}


def test_every_command_that_takes_a_run_takes_it_by_its_option_too():
    found = dict(shown(typer.main.get_command(build())))
    assert {"graph", "cost", "handoff", "status", "gap list", "trust"} <= found.keys()
    assert [name for name, options in found.items() if "--run" not in options] == []


def test_a_run_is_named_by_option_as_by_argument(make, cli):
    first = make("deliver", "First goal", "--host", "codex")
    make("deliver", "Second goal", "--host", "codex")
    for words in (("graph",), ("cost",), ("handoff",), ("audit",)):
        by_option = cli(*words, "--run", first.name, cwd=first.parents[1])
        assert by_option == cli(*words, first.name, cwd=first.parents[1])
        assert by_option.code == 0
