"""Look back and bring back: the commands that a person and a node have for snapshots."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import fastjsonschema
import pytest

from loopgraph.disk import restoring, runs, snapshots
from loopgraph.model.errors import UsageError
from loopgraph.views.schemas import SCHEMAS
from tests.conftest import git
from tests.disk import ground
from tests.disk.ground import ENVIRON

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links")

ROUND = ("round", "record", "--result", "ok", "--next", "more", "--as", "executor")


@pytest.fixture
def say(cli, repository):
    def said(*arguments, code=0, **extra):
        done = cli(*arguments, cwd=repository, **extra)
        assert done.code == code, done
        return done

    return said


@pytest.fixture
def run(make, say, repository):
    """One round: a new file, a changed one, an owner-dirty one changed, and one that goes."""
    (repository / "bookshelf/api.py").write_text("the owner's\n", "utf-8")
    made = make("deliver", "go", "--host", "shell")
    say("round", "start", "--as", "executor")
    (repository / "bookshelf/new.py").write_text("x\n" * 250, "utf-8")
    (repository / "bookshelf/api.py").write_text("the owner's\nand a node's\n", "utf-8")
    (repository / "bookshelf/shelf.py").unlink()
    (repository / "bookshelf/tool").write_text("#!/bin/sh\n", "utf-8")
    (repository / "bookshelf/tool").chmod(0o755)
    (repository / "bookshelf/link").symlink_to("tool")
    say(*ROUND)
    return made


def test_the_diff_of_two_snapshots_is_stat_and_patch_without_codes(say, run, repository):
    (repository / "bookshelf/new.py").write_text("red \x1b[31m\n", "utf-8")
    shown = say("diff", "R1.start", "R1").out
    assert "bookshelf/new.py   | 250 +++" in shown
    assert "deleted file mode 100644" in shown
    assert ".longgraph" not in shown
    now = say("diff", "R1").out
    assert "\x1b" not in now
    assert "red <U+001B>[31m" in now
    one = say("diff", "R1.start", "R1", "--", "bookshelf/api.py").out
    assert "and a node's" in one
    assert "new.py" not in one
    assert say("diff", "R1", "R1").out == ""
    said = say("diff", "R1", "R2", code=2).err
    assert "R2: no such snapshot. Did you mean R1?" in said or "Known:" in said


def test_answers_for_programs_are_as_their_schemas_say(say, run):
    listed = json.loads(say("snapshots", "list", "--json").out)
    fastjsonschema.compile(SCHEMAS["snapshots"]())(listed)
    assert [one["name"] for one in listed["snapshots"]] == ["R1.start", "R1"]
    shown = json.loads(say("diff", "R1.start", "R1", "--json").out)
    fastjsonschema.compile(SCHEMAS["diff"]())(shown)
    assert {one["path"]: one["added"] for one in shown["changed"]}["bookshelf/new.py"] == 250
    accepts = fastjsonschema.compile(SCHEMAS["snapshot"]())
    notes = sorted((run / "evidence/snapshots").glob("*.json"))
    assert len(notes) == 2
    for place in notes:
        accepts(json.loads(place.read_text("utf-8")))


def test_restore_brings_bytes_rights_and_links_back(say, run, repository):
    before = snapshot_of(repository)
    for name in ("new.py", "tool", "link"):
        (repository / "bookshelf" / name).unlink()
    (repository / "bookshelf/tool").write_text("else", "utf-8")
    (repository / "bookshelf/shelf.py").write_text("back", "utf-8")
    (repository / "bookshelf/later").mkdir()
    (repository / "bookshelf/later/deep.py").write_text("x", "utf-8")
    say("restore", "R1", "--as", "owner", "--", "bookshelf")
    assert snapshot_of(repository) == before
    assert not (repository / "bookshelf/later").exists()
    say("restore", "R1.before-restore", "--as", "owner", "--", "bookshelf")
    assert (repository / "bookshelf/shelf.py").read_text("utf-8") == "back"
    assert (repository / "bookshelf/later/deep.py").exists()
    acts = (run / "evidence/acts.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["command"][0] for line in acts[-2:]] == ["restore", "restore"]


def snapshot_of(repository: Path) -> dict[str, tuple[int, str]]:
    return {
        path.name: (path.lstat().st_mode, str(path.readlink()) if path.is_symlink()
                    else path.read_text("utf-8"))
        for path in (repository / "bookshelf").iterdir()
        if not path.is_dir()
    }  # fmt: skip


def test_a_node_restores_what_its_rounds_changed_and_nothing_else(say, run, repository):
    place = repository / "bookshelf/new.py"
    place.write_text("spoilt\n", "utf-8")
    (repository / "README.md").write_text("the owner goes on\n", "utf-8")
    node = ("restore", "R1.start", "--as", "executor", "--")
    assert "changes of the owner's" in say(*node, "bookshelf/api.py", code=1).err
    assert "no round of this run changed it" in say(*node, "README.md", code=1).err
    assert "changes of the owner's" in say(*node, "bookshelf", code=1).err
    same = ("restore", "R1", "--as", "executor", "--", "./bookshelf/api.py")
    assert "changes of the owner's" in say(*same, code=1).err  # and nothing differs
    supervisor = say("restore", "R1", "--as", "supervisor", "--", "bookshelf/new.py", code=1)
    assert "the executor or owner's" in supervisor.err
    agent = say("restore", "R1", "--", "README.md", code=1, CLAUDECODE="1")
    assert "changed it" in agent.err
    assert place.read_text("utf-8") == "spoilt\n"
    say("restore", "R1", "--as", "executor", "--", "bookshelf/new.py")
    assert place.read_text("utf-8") == "x\n" * 250


@pytest.mark.parametrize(
    ("path", "code", "says"),
    [
        ("../outside", 2, "not a path of this workspace"),
        ("/etc/passwd", 2, "not a path of this workspace"),
        (".git/config", 2, "not a path of this workspace"),
        (".longgraph", 1, "kept by its commands"),
        (".", 1, "kept by its commands"),
        ("no/such", 2, "neither R1 nor the workspace"),
        (".env", 1, "no snapshot holds .env"),
        ("out/ignored.log", 1, "git ignores it"),
    ],
)
def test_what_cannot_be_brought_back_is_refused_before_anything_is_written(
    say, run, path, code, says
):
    repository = run.parents[1]
    (repository / ".env").write_text("x", "utf-8")
    (repository / "out").mkdir()
    (repository / "out/.gitignore").write_text("*.log\n", "utf-8")
    (repository / "out/ignored.log").write_text("x", "utf-8")
    (repository / "bookshelf/new.py").write_text("spoilt\n", "utf-8")
    done = say("restore", "R1", "--as", "owner", "--", "bookshelf/new.py", path, code=code)
    assert says in done.err
    assert (repository / "bookshelf/new.py").read_text("utf-8") == "spoilt\n"
    assert "before-restore" not in say("snapshots", "list").out


def test_a_link_in_the_place_of_a_folder_is_not_written_through(say, run, repository, tmp_path):
    outside = tmp_path / "outside"
    (repository / "bookshelf").rename(outside)
    (repository / "bookshelf").symlink_to(outside)
    kept = {path.name: path.lstat().st_mtime_ns for path in outside.iterdir()}
    done = say("restore", "R1.start", "--as", "owner", "--", "bookshelf/shelf.py", code=1)
    assert "bookshelf is no folder" in done.err
    assert {path.name: path.lstat().st_mtime_ns for path in outside.iterdir()} == kept


def test_prune_is_the_owners_and_frees_the_refs(say, run, repository):
    assert "owner's" in say("snapshots", "prune", "--as", "executor", code=1).err
    say("snapshots", "prune", "--before", "R1")
    assert git(repository, "for-each-ref", "refs/loopgraph")
    say("snapshots", "prune")
    assert not git(repository, "for-each-ref", "refs/loopgraph")
    assert say("snapshots", "list").out.startswith("No snapshot is kept. ")


@pytest.mark.parametrize("keeps", [True, False])
def test_the_end_of_a_run_takes_its_snapshots_along(say, run, repository, keeps):
    more = ["--keep-snapshots"] if keeps else []
    say("finish", "closed", "--why", "enough", "--as", "owner", *more)
    assert bool(git(repository, "for-each-ref", "refs/loopgraph")) is keeps


def test_two_restores_at_once_lose_no_byte(cli, run, repository):
    names = [f"bookshelf/n{number}.py" for number in range(12)]
    for name in names:
        (repository / name).write_text(f"later {name}\n", "utf-8")
    (repository / "bookshelf/new.py").write_text("spoilt\n", "utf-8")
    at_once = [
        subprocess.Popen(
            [sys.executable, "-m", "loopgraph", "restore", "R1", "--as", "owner", "--", *paths],
            cwd=repository, env=cli.environ({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for paths in (names[:6], names[6:], ["bookshelf/new.py"])
    ]  # fmt: skip
    for process in at_once:
        _out, said = process.communicate(timeout=120)
        assert (process.returncode, said) == (0, b"")
    assert (repository / "bookshelf/new.py").read_text("utf-8") == "x\n" * 250
    listed = cli("snapshots", "list", "--json", cwd=repository).out
    kept = [one for one in json.loads(listed)["snapshots"] if "before" in one["name"]]
    assert [one["name"] for one in kept] == [
        f"R1.before-restore{more}" for more in ("", "-2", "-3")
    ]
    for name in (*names, "bookshelf/new.py"):
        holding = [one["tree"] for one in kept if name in paths_of(repository, one["tree"])]
        held = {git(repository, "show", f"{tree}:{name}") for tree in holding}
        assert ("spoilt\n" if name.endswith("new.py") else f"later {name}\n") in held
    assert not list((repository / ".longgraph").glob(".new-*"))
    assert ".objects" not in git(repository, "status", "--porcelain", "-uall")


def paths_of(repository: Path, tree: str) -> list[str]:
    return git(repository, "ls-tree", "-r", "--name-only", tree).splitlines()


def test_a_restore_that_must_stop_says_where_the_bytes_before_are(run, repository):
    looked = restoring.look(run, runs.load(run), ENVIRON)
    (repository / "bookshelf/new.py").unlink()
    then, now = (restoring.side(run, looked, name, ENVIRON) for name in ("R1.start", "R1"))
    steps = restoring.steps(looked, then, now, ("bookshelf/shelf.py",))
    (repository / "bookshelf/shelf.py").mkdir()  # it came in between
    with pytest.raises(UsageError) as stopped, restoring.saying("R1.before-restore"):
        restoring.carry_out(repository, steps)
    assert "What was there before is in R1.before-restore." in str(stopped.value)
    assert "cannot write" in str(stopped.value)


def test_whoever_audits_is_told_what_was_found_of_each_round(say, run):
    say(*ROUND, "--net", "+10/-0", "--changed", "a.py")
    say(*ROUND)
    told = [
        "  R2 claim: a.py did not change",
        "  R2 claim: net +10/-0 was claimed, +0/-0 is measured",
        "  R3 stall: two rounds in a row changed nothing",
    ]
    out = say("next", "--as", "supervisor").out.splitlines()
    assert out[2:6] == ["audit: audited through R0 of R3", *told]
    assert not set(told) & set(say("next", "--as", "executor").out.splitlines())
    say("audited", "--through", "R2", "--tips", "main", "--as", "supervisor")
    out = say("next", "--as", "supervisor").out.splitlines()
    assert out[2:4] == ["audit: audited through R2 of R3", told[2]]


def test_a_diff_names_what_no_snapshot_holds(say, run, repository):
    (repository / "bookshelf/prod.env").write_text("A=1\n", "utf-8")
    (repository / "bookshelf/example.env").write_text("A=\n", "utf-8")
    done = say("diff", "R1")
    assert "example.env" in done.out
    assert "prod.env" not in done.out
    assert "no snapshot holds bookshelf/prod.env (1 such paths)" in done.err
    assert json.loads(say("diff", "R1", "--json").out)["left_out"] == ["bookshelf/prod.env"]
    assert say("diff", "R1", "--", "README.md").err == ""


ODD_NOTES = (
    '{"name": "R1", "found": [1, {}, {"rule": "stall", "message": 3}, {"rule": "\\ud800"}]}',
    '{"name": "R1", "found": [{"rule": "\\ud800", "message": "\\u001b[2J\\n"}, null]}',
    '{"name": "R1.start", "repositories": [1, null, "x", {}], "changed": {}, "left_out": 3}',
    '{"name": "R1.start", "repositories": [{"path": "\\ud800", "tree": []}], "left_out": [1]}',
    '{"name": "R1.start", "repositories": [{"path": ".", "tree": "--output=out\\u0000"}]}',
    '{"name": "R1.start", "repositories": [{"path": "a\\u0000b"}], "time": "0001-01-01"}',
    '{"name": "R1.start"}',
    "[]",
    '"R1"',
)


@pytest.mark.parametrize("text", ODD_NOTES)
def test_an_odd_note_of_a_snapshot_is_passed_over(say, run, repository, text):
    for name in ("R1.start", "R1"):
        odd = text.replace("R1.start", name).replace("{", '{"base": "run.yaml", ', 1)
        (run / f"evidence/snapshots/{name}.json").write_text(odd, "utf-8")
    (repository / "bookshelf/new.py").write_text("spoilt\n", "utf-8")
    assert "R1.start" in say("snapshots", "list").out
    assert "new.py" in say("diff", "R1.start", "R1").out
    say("restore", "R1", "--as", "executor", "--", "bookshelf/new.py")
    say("round", "start", "--as", "executor")
    say(*ROUND)
    say("audit", "--format", "json")
    assert "\x1b" not in say("next", "--as", "supervisor").out
    assert not (repository / "out").exists()


def test_a_path_that_no_repository_holds_is_refused_with_what_one_can_name(cli, tmp_path):
    root = tmp_path / "above"
    ground.started(root / "inner")
    ground.write(root / "note.txt", "x\n")
    made = ground.run_in(root)
    note = snapshots.said("R1", 1, ground.snapshot(made), ground.NOW)
    ground.write(made / "evidence/snapshots/R1.json", note)
    ground.write(root / "inner/a.txt", "later\n")
    words = ("restore", "R1", "--run", made.name, "--as", "owner", "--")
    done = cli(*words, "note.txt", cwd=root)
    assert (done.code, "no repository holds note.txt" in done.err) == (1, True), done.err
    assert "inner" in done.err
    assert cli(*words, "inner/a.txt", cwd=root).code == 0
    assert (root / "inner/a.txt").read_text("utf-8") == "a.txt\n" * 3


@pytest.mark.unprivileged
def test_what_only_reads_makes_nothing_where_it_may_not_write(cli, run, repository):
    asked = (("audit", "--json"), ("snapshots", "list", "--json"), ("snapshots", "list"))
    before = [cli(*words, cwd=repository) for words in asked]
    shutil.rmtree(repository / ".git/loopgraph")  # as in a copy that took no snapshot
    here = names_in(repository)
    folders = [repository, *(path for path in repository.rglob("*") if path.is_dir())]
    for closed in (False, True):
        for folder in folders if closed else ():
            folder.chmod(0o500)
        try:
            assert [cli(*words, cwd=repository) for words in asked] == before
        finally:
            for folder in folders:
                folder.chmod(0o700)
        assert names_in(repository) == here
    assert "R1.start" in before[2].out


def names_in(folder: Path) -> list[str]:
    return sorted(path.as_posix() for path in folder.rglob("*"))


def test_nothing_to_bring_back_is_no_failure(say, run):
    said = say("restore", "R1", "--as", "owner", "--", "bookshelf")
    assert "These paths are as in R1 already." in said.out
    assert "before-restore" not in say("snapshots", "list").out


def test_a_snapshot_that_is_not_there_says_why(run, say, repository):
    assert "R1 " in say("snapshots", "list").out
    assert "Known: " in say("diff", "R9", code=2).err
    say("snapshots", "prune")
    gone = "It was taken, and is gone: loopgraph snapshots prune takes them away."
    assert say("diff", "R1", code=2).err == f"loopgraph: R1: no such snapshot. {gone}\n"
    assert say("snapshots", "list").out == f"No snapshot is kept. {gone}\n"
    assert json.loads(say("snapshots", "list", "--json").out)["snapshots"] == []
    say("finish", "closed", "--why", "enough")
    ended = "The end of the run took it away: finish closed --keep-snapshots leaves them."
    assert ended in say("diff", "R1", code=2).err
    assert say("snapshots", "list").out == f"No snapshot is kept. {ended}\n"


def test_a_workspace_that_takes_no_snapshots_says_so(make, say, repository):
    made = make("deliver", "go", "--host", "shell")
    assert say("snapshots", "list").out == "No snapshot is kept.\n"
    (repository / ".loopgraph.toml").write_text('snapshots = "off"\n', "utf-8")
    say(*ROUND, "--changed", "a.py", "--net", "+1/-0", "--run", made.name)
    off = 'This workspace says snapshots = "off": no round takes one.'
    assert off in say("diff", "R1", code=2).err
    assert say("snapshots", "list").out == f"No snapshot is kept. {off}\n"
