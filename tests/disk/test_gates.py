"""A gate runs only what its user has approved, ends in time, and keeps what it said."""

import json
import shlex

import fastjsonschema
import pytest

from loopgraph.disk import evidence, gates, process, runs, trust
from loopgraph.disk.apply import Act, apply
from loopgraph.model.errors import RefusedError
from loopgraph.node import gate_runs
from loopgraph.node.call import Call
from loopgraph.views.schemas import SCHEMAS
from tests.check import compiled
from tests.conftest import NOW, git
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
    assert (kept["command"], kept["exit"], kept["output"]) == (command(run), 0, ["7"])


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
    ended = process.run(("no-such-program-here",), tmp_path, limit=1, kept=9)
    assert not ended.started
    assert "no such file" in ended.output


@pytest.mark.parametrize("gate", ["no-such-program-here -q", "no-such-program-here && true"])
def test_a_gate_that_cannot_start_leaves_evidence_and_the_ways_forward(make, cli, tmp_path, gate):
    run = make("deliver", "goal", "--set", f"gate={gate}")
    config = {"LOOPGRAPH_CONFIG": str(tmp_path / "config")}
    cli("trust", cwd=run, **config)
    said = cli("gate", "run", "G-1", "--as", "executor", cwd=run, **config)
    assert said.code == 2
    assert said.out.startswith("G-1 failed: could not start")
    add = said.out.partition("or: loopgraph ")[2].strip()
    (result,) = evidence.results(run)
    assert not result.passed
    assert result.evidence.startswith("could not start")
    told = cli(*shlex.split(add), "--as", "executor", cwd=run)
    assert told.code == 0, told.err
    assert "G-1 cannot start" in (run / "ledger.md").read_text("utf-8")


def test_what_failed_says_its_last_lines_and_where_the_rest_is(make, cli, tmp_path):
    gate = """python3 -c "print('\\n'.join(map(str, range(9)))); raise SystemExit(3)\""""
    run = make("deliver", "goal", "--set", f"gate={gate}")
    config = {"LOOPGRAPH_CONFIG": str(tmp_path / "config")}
    cli("trust", cwd=run, **config)
    said = cli("gate", "run", "G-1", "--as", "executor", cwd=run, **config)
    assert said.code == 1
    lines = said.out.rstrip("\n").split("\n")
    assert lines[0].startswith("G-1 failed: exit 3 after")
    assert lines[1:6] == ["  4", "  5", "  6", "  7", "  8"]
    place = lines[6].removeprefix("The rest of it: ")
    text = (run / place).read_text("utf-8")
    assert json.loads(text)["output"] == [str(number) for number in range(9)]
    assert '\n    "8"\n' in text  # a line of output is a line of the file


def test_a_gate_that_leaves_files_says_so_until_they_are_ignored(repository, cli, tmp_path):
    gate = "sh -c 'mkdir -p build/lib a.egg-info; touch build/x build/lib/y a.egg-info/P .coverage'"
    assert cli("new", "deliver", "goal", "--yes", "--set", f"gate={gate}", cwd=repository).code == 0
    config = {"LOOPGRAPH_CONFIG": str(tmp_path / "config")}
    cli("trust", cwd=repository, **config)
    call = ("gate", "run", "G-1", "--as", "executor")
    said = cli(*call, cwd=repository, **config)
    assert "it left 4 new files: .coverage, a.egg-info/…, build/… (ignore or remove" in said.out
    (run,) = (repository / ".longgraph").glob("2*")
    (file,) = (run / "evidence/gates").iterdir()
    left = json.loads(file.read_text("utf-8"))["left"]
    assert left == [".coverage", "a.egg-info/P", "build/lib/y", "build/x"]
    assert "it left" not in cli(*call, cwd=repository, **config).out  # they were there before
    for name in left:
        (repository / name).unlink()
    (repository / ".gitignore").write_text("build/\n*.egg-info\n.coverage\n")
    assert "it left" not in cli(*call, cwd=repository, **config).out


def test_what_a_gate_left_is_named_in_few_words():
    assert gate_runs.left([]) == ""
    assert gate_runs.left(["a.txt"]).startswith("it left a new file: a.txt (")
    many = [f"{name}/x" for name in "abcdef"]
    assert gate_runs.left(many).startswith("it left 6 new files: a/…, b/…, c/…, d/…, … (")


def test_gates_are_listed_with_their_last_result_and_all_of_them_run(make, cli, tmp_path):
    run = make("deliver", "goal", "--set", "gate=true")
    ops = run / "ops.md"
    row = next(line for line in ops.read_text("utf-8").split("\n") if line.startswith("| G-1"))
    config = {"LOOPGRAPH_CONFIG": str(tmp_path / "config")}
    said = cli("gate", "run", cwd=run, **config)
    assert (said.code, said.out) == (
        0,
        "G-1  true              never run\nG-2  python -m pytest  never run\n",
    )
    more = [row.replace("G-1", f"G-{n}") for n in (2, 3, 4)]
    more[0] = more[0].replace("`true`", "`false`")
    more[1] = more[1].replace("| minutes |", "| money: 1 USD |")
    more[2] = more[2].replace("`true`", "somebody looks")
    kept = [line for line in ops.read_text("utf-8").split("\n") if "| G-2" not in line]
    text = "\n".join(kept)
    ops.write_text(text.replace(row, "\n".join((row, *more))), "utf-8")
    (run / "run.yaml").unlink()  # no frozen gates to compare with
    cli("trust", cwd=run, **config)
    said = cli("gate", "run", "--all", "--as", "executor", cwd=run, **config)
    assert said.code == 1
    assert [line[:11] for line in said.out.split("\n") if line.startswith("G-")] == [
        "G-1 passed:", "G-2 failed:",
    ]  # fmt: skip
    assert said.err == ("loopgraph: G-3 is not run: metered\nloopgraph: G-4 is not run: observed\n")
    listed = cli("gate", "run", "--json", cwd=run, **config)
    found = json.loads(listed.out)
    fastjsonschema.compile(SCHEMAS["gates"]())(found)
    assert [gate["last"] and gate["last"]["passed"] for gate in found["gates"]] == [
        True, False, None, None,
    ]  # fmt: skip
    assert "G-2  false" in cli("gate", "run", cwd=run, **config).out
    for wrong in (("G-1", "--all"), ("--all", "--result", "M-1.1=pass")):
        assert cli("gate", "run", *wrong, "--as", "executor", cwd=run).code == 2


def test_an_older_result_whose_output_is_one_text_is_read(run):
    folder = run / "evidence/gates"
    folder.mkdir(parents=True)
    kept = {"check": "G-1", "node": "executor", "time": NOW, "tree": "x", "evidence": "exit 0"}
    (folder / "a.json").write_text(json.dumps({**kept, "passed": True, "output": "a\nb"}))
    assert evidence.results(run)[0].passed


def test_an_output_keeps_no_credential_and_no_terminal_code():
    said = gate_runs.clean("one\r\n\x1b[31mred\ntoken ghp_" + "a" * 36 + "\n")
    assert len(said) == 3
    assert "ghp_" not in said[2]
    assert "\x1b" not in said[1]
    assert said[0] == "one"


def test_the_tree_is_what_lies_there_and_neither_the_run_nor_a_commit(repository):
    run = repository / ".longgraph/x"
    run.mkdir(parents=True)
    (run / "ledger.md").write_text("a", "utf-8")
    clean = evidence.tree(repository)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "the run")
    assert evidence.tree(repository) == clean
    (repository / "new.py").write_text("x", "utf-8")
    (repository / "README.md").write_text("other", "utf-8")
    (repository / "pyproject.toml").unlink()
    edited = evidence.tree(repository)
    assert edited != clean
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "the work")
    assert evidence.tree(repository) == edited
    (repository / "new.py").chmod(0o755)
    assert evidence.tree(repository) != edited


def test_a_change_within_a_repository_below_is_another_tree(repository):
    inner = repository / "inner"
    inner.mkdir()
    git(inner, "init", "-q", "-b", "main")
    (inner / "a.py").write_text("x", "utf-8")
    git(inner, "add", "-A")
    git(inner, "commit", "-qm", "start")
    commit = git(inner, "rev-parse", "HEAD").strip()
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{commit},inner")
    git(repository, "commit", "-qm", "a submodule")
    clean = evidence.tree(repository), evidence.tree(repository.parent)
    assert (evidence.tree(repository), evidence.tree(repository.parent)) == clean
    (inner / "a.py").write_text("y", "utf-8")
    edited = evidence.tree(repository), evidence.tree(repository.parent)
    assert [one == other for one, other in zip(clean, edited, strict=True)] == [False, False]
    git(inner, "commit", "-qam", "the work")
    assert (evidence.tree(repository), evidence.tree(repository.parent)) == edited


def test_outside_git_another_content_is_another_tree(tmp_path):
    (tmp_path / "a.py").write_text("x", "utf-8")
    (tmp_path / ".longgraph").mkdir()
    clean = evidence.tree(tmp_path)
    (tmp_path / ".longgraph/ledger.md").write_text("x", "utf-8")
    assert evidence.tree(tmp_path) == clean
    (tmp_path / "a.py").write_text("y", "utf-8")
    assert evidence.tree(tmp_path) != clean


def test_a_gate_that_turns_red_is_told_at_once_and_its_row_is_not_closed(repository, cli, tmp_path):
    assert (
        cli("new", "deliver", "goal", "--yes", "--set", "gate=test -e ok", cwd=repository).code == 0
    )
    config = {"LOOPGRAPH_CONFIG": str(tmp_path / "config")}
    cli("trust", cwd=repository, **config)

    def say(*words, code=0):
        said = cli(*words, "--as", "executor", cwd=repository, **config)
        assert said.code == code, said
        return said

    (repository / "ok").touch()
    say("gate", "run", "G-1")
    say("round", "start", "--baseline", "all green")
    close = ("gate", "set", "G-1", "--status", "closed", "--evidence", "x")
    say(*close)
    assert "red G-1" not in say("next").out
    (repository / "ok").unlink()
    say("gate", "run", "G-1", code=1)
    told = say("next").out
    assert "red G-1: failed " in told
    assert "-> loopgraph gate run G-1 --as executor" in told
    assert "G-1 failed when it was run last" in say(*close, code=1).err
    (repository / "ok").touch()
    say("gate", "run", "G-1")
    assert "red G-1" not in say("next").out
    say(*close)
