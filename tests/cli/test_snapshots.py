"""Look back and bring back: the commands that a person and a node have for snapshots."""

import json
import os
from pathlib import Path

import fastjsonschema
import pytest

from loopgraph.views.schemas import SCHEMAS
from tests.conftest import git

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
    assert say("snapshots", "list").out == ""


@pytest.mark.parametrize("keeps", [True, False])
def test_the_end_of_a_run_takes_its_snapshots_along(say, run, repository, keeps):
    more = ["--keep-snapshots"] if keeps else []
    say("finish", "closed", "--why", "enough", "--as", "owner", *more)
    assert bool(git(repository, "for-each-ref", "refs/loopgraph")) is keeps


def test_nothing_to_bring_back_is_no_failure(say, run):
    said = say("restore", "R1", "--as", "owner", "--", "bookshelf")
    assert "nothing else of these paths" in said.out
    assert "before-restore" not in say("snapshots", "list").out
