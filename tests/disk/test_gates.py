"""A gate runs only what its user has approved, ends in time, and keeps what it said."""

import json

import pytest

from loopgraph.disk import evidence, gates, process, runs, trust
from loopgraph.disk.apply import Act, apply
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.node import gate_runs
from loopgraph.node.call import Call
from tests.check import compiled
from tests.conftest import NOW
from tests.node.desk import EXECUTOR, SCOUT, SUPERVISOR


@pytest.fixture
def run(tmp_path):
    def files(_):
        return compiled.files("deliver", gate="python3 -c 'print(7)'")

    return runs.create(tmp_path, "2026-01-02-deliver", files)


@pytest.fixture
def environ(tmp_path):
    return {"LOOPGRAPH_CONFIG": str(tmp_path / "config")}


def command(run):
    return gate_runs.commands(runs.load(run))[0]


def test_what_nobody_approved_is_refused_with_the_way(run, environ):
    with pytest.raises(RefusedError, match="not approved") as error:
        gates.ran(run, "G-1", EXECUTOR, environ, limit=9)
    assert "loopgraph trust" in error.value.fix


def test_approval_is_by_root_and_words(run, environ, tmp_path):
    trust.approve(tmp_path, [command(run)], environ)
    assert command(run) in trust.approved(tmp_path, environ)
    assert trust.approved(tmp_path / "other", environ) == frozenset()


def test_a_result_says_who_what_and_on_which_tree(run, environ, tmp_path):
    trust.approve(tmp_path, [command(run)], environ)
    ran = gates.ran(run, "G-1", SUPERVISOR, environ, limit=60)
    apply(
        run, lambda found: ran.store(found, Call(SUPERVISOR, NOW)), Act(NOW, "supervisor", "", ())
    )
    (result,) = evidence.results(run)
    assert ran.code == 0
    assert (result.check, result.node, result.passed) == ("G-1", "supervisor", True)
    (file,) = (run / "evidence/gates").iterdir()
    kept = json.loads(file.read_text("utf-8"))
    assert (kept["command"], kept["exit"], kept["output"]) == (command(run), 0, "7\n")


def test_under_a_pinned_clock_the_same_gate_leaves_the_same_bytes(make, cli, tmp_path):
    run = make("deliver", "goal", "--set", "gate=sh -c 'sleep 0.1'")
    config = {"LOOPGRAPH_CONFIG": str(tmp_path / "config")}
    assert cli("trust", cwd=run, **config).code == 0
    kept = []
    for pinned in (NOW, NOW, ""):
        said = cli(
            "gate", "run", "G-1", "--as", "supervisor", cwd=run, LOOPGRAPH_NOW=pinned, **config
        )
        assert said.code == 0, said.err
        kept.append(json.loads(max((run / "evidence/gates").iterdir()).read_text("utf-8")))
    assert kept[0] == kept[1]
    assert kept[0]["seconds"] == 0
    assert kept[2]["seconds"] >= 0.1


def test_a_gate_that_was_changed_by_hand_does_not_run(run, environ, tmp_path):
    place = run / "ops.md"
    place.write_text(place.read_text("utf-8").replace("print(7)", "print(8)"), "utf-8")
    trust.approve(tmp_path, [command(run)], environ)
    with pytest.raises(RefusedError, match="not the gate"):
        gates.ran(run, "G-1", EXECUTOR, environ, limit=9)


def test_a_scout_runs_no_gates(run, environ):
    with pytest.raises(RefusedError):
        gates.ran(run, "G-1", SCOUT, environ, limit=9)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("python -m pytest", ("python", "-m", "pytest")),
        ("pytest 'a b'", ("pytest", "a b")),
        ("a && b", ("sh", "-c", "a && b")),
        ("A=1 pytest", ("sh", "-c", "A=1 pytest")),
        ("pytest *.py", ("sh", "-c", "pytest *.py")),
    ],
)
def test_a_shell_starts_only_what_needs_one(said, words):
    assert gate_runs.words(said, "posix") == words


def test_a_program_ends_with_its_time_and_its_children(tmp_path):
    ended = process.run(("sh", "-c", "sleep 60 & echo begun; wait"), tmp_path, limit=0.5, kept=99)
    assert (ended.code, ended.output) == (None, "begun\n")
    assert ended.seconds < 30


def test_what_cannot_be_started_is_named(tmp_path):
    with pytest.raises(UsageError, match="cannot be started"):
        process.run(("no-such-program-here",), tmp_path, limit=1, kept=9)


def test_an_output_keeps_no_credential_and_no_terminal_code():
    said = gate_runs.clean("one\n\x1b[31mred\ntoken ghp_" + "a" * 36 + "\n")
    assert "ghp_" not in said
    assert "\x1b" not in said
    assert said.startswith("one\n")


def test_the_tree_changes_with_the_workspace_and_not_with_the_run(repository):
    before = evidence.tree(repository)
    (repository / ".longgraph/x").mkdir(parents=True)
    (repository / ".longgraph/x/ledger.md").write_text("x")
    assert evidence.tree(repository) == before
    (repository / "new.py").write_text("x")
    assert evidence.tree(repository) != before
