"""The states of a run as git holds them: merges, other names, other places, and nothing run."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from loopgraph.audit import replay
from loopgraph.disk import git as ask
from loopgraph.disk import history
from loopgraph.model.errors import UnreadableError
from tests.audit import lives
from tests.audit.exported import SLUG, export
from tests.conftest import git

FRAMES = [life.files for life in lives.stages(70, 1)][:12]


@pytest.fixture
def run(tmp_path):
    """A run of twelve commits."""
    return export(FRAMES, tmp_path / "仓库 it's")[0]


def states(run, environ=None):
    asked = ask.ask(run, environ)
    with history.Blobs(asked) as blobs:
        found = history.read(run, blobs, asked)
        return found, replay.replay(found, blobs)


def write(run, files):
    for name, text in files.items():
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).write_bytes(text.encode())


def commit(run, message="more"):
    git(run, "add", "-A", ".")
    git(run, "commit", "-q", "--allow-empty", "-m", message)
    return git(run, "rev-parse", "HEAD").strip()


def rules(report):
    return [(one.step.label, one.finding.rule) for one in report.breaches]


def edited(run, name, old, new):
    text = (run / name).read_bytes().decode()
    assert old in text
    (run / name).write_bytes(text.replace(old, new, 1).encode())


def test_each_commit_of_the_run_is_a_state_and_a_clean_tree_is_none(run):
    (run.parent.parent / "code.py").write_text("x = 1\n")
    commit(run.parent.parent, "code alone")
    found, report = states(run)
    assert [step.kind for step in found.steps] == ["commit"] * len(FRAMES)
    assert [step.parents for step in found.steps] == [(), *((n,) for n in range(len(FRAMES) - 1))]
    assert report == ((), ())


def test_what_is_not_committed_is_the_last_state(run):
    edited(run, "executor.md", "\n", "\nPush.\n")
    found, report = states(run)
    assert rules(report) == [("working tree", "LG609")]
    assert found.steps[-1].parents == (len(FRAMES) - 1,)


def test_a_merge_that_has_what_one_side_has_is_silent(run):
    git(run, "checkout", "-q", "-b", "side", "HEAD~4")
    (run.parent.parent / "code.py").write_text("x = 1\n")
    commit(run.parent.parent, "code alone")
    git(run, "merge", "-q", "--no-ff", "-m", "merge", "main")
    assert states(run)[1] == ((), ())


def test_a_breach_on_a_branch_is_told_where_it_was_made_and_not_where_it_was_merged(run):
    git(run, "checkout", "-q", "-b", "side")
    edited(run, "executor.md", "\n", "\nPush.\n")
    made = commit(run)
    git(run, "checkout", "-q", "main")
    (run.parent.parent / "code.py").write_text("x = 1\n")
    commit(run.parent.parent, "code alone")
    git(run, "merge", "-q", "--no-ff", "-m", "merge", "side")
    assert rules(states(run)[1]) == [(made, "LG609")]


def test_an_entry_that_a_merge_drops_is_told_at_the_merge(run):
    git(run, "checkout", "-q", "-b", "side")
    life = lives.Life(5, FRAMES[-1])
    while not life.gap():
        life.gap_away()
    write(run, life.files)
    commit(run)
    git(run, "checkout", "-q", "main")
    write(run, {"ops.md": FRAMES[-1]["ops.md"].replace("(40 files)", "(41 files)")})
    commit(run)
    git(run, "merge", "-q", "--no-commit", "-s", "ours", "side")
    write(run, {"ops.md": FRAMES[-1]["ops.md"].replace("(40 files)", "(42 files)")})
    merged = commit(run)
    assert (merged, "LG606") in rules(states(run)[1])


def test_a_run_keeps_its_history_under_another_name(run):
    new = run.with_name("2026-01-02-renamed")
    git(run.parent, "mv", run.name, new.name)
    commit(new.parent)
    edited(new, "executor.md", "\n", "\nPush.\n")
    made = commit(new)
    found, report = states(new)
    assert len(found.steps) == len(FRAMES) + 2
    assert rules(report) == [(made, "LG609")]


def test_another_run_beside_it_is_none_of_its_states(run):
    other = run.with_name("2026-01-03-other")
    shutil.copytree(run, other)
    commit(run.parent)
    edited(other, "executor.md", "\n", "\nPush.\n")
    made = commit(run.parent)
    assert states(run)[1] == ((), ())
    assert rules(states(other)[1]) == [(made, "LG609")]


def test_a_copy_elsewhere_has_no_history_of_commits_and_this_is_said(run):
    copy = run.parent.parent / "examples" / "small"
    shutil.copytree(run, copy)
    commit(run.parent.parent)
    edited(copy, "executor.md", "\n", "\nPush.\n")
    commit(run.parent.parent)
    found, report = states(copy)
    assert [step.kind for step in found.steps] == ["tree"]
    assert report.breaches == ()
    assert "a copy" in report.notes[0]


def test_a_run_that_nobody_committed_is_audited_as_it_lies_there_and_this_is_said(tmp_path):
    git(tmp_path, "init", "-q")
    life = lives.stages(70, 1)[40]
    run = tmp_path / ".longgraph" / SLUG
    write(run, life.files)
    found, report = states(run)
    assert report.breaches == ()
    assert "never committed" in report.notes[0]
    assert [step.kind for step in found.steps] == ["tree"]


def test_without_git_what_lies_there_is_audited_and_this_is_said(tmp_path):
    run = tmp_path / ".longgraph" / SLUG
    write(run, lives.stages(70, 1)[40].files)
    report = states(run, {"PATH": ""})[1]
    assert report.breaches == ()
    assert "no git" in report.notes[0]


def test_a_shallow_clone_is_audited_from_where_it_begins_and_this_is_said(run, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "5", f"file://{run.parent.parent}", str(clone))
    found, report = states(clone / ".longgraph" / SLUG)
    assert len(found.steps) == 5
    assert report.breaches == ()
    assert "shallow" in report.notes[0]


def test_a_worktree_has_the_same_history(run, tmp_path):
    git(run, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
    assert len(states(tmp_path / "tree" / ".longgraph" / SLUG)[0].steps) == len(FRAMES)


def test_blobs_are_read_by_one_process_and_each_once(run, monkeypatch):
    started = []
    start = ask._Git._start  # noqa: SLF001

    def noting(self, extra, off, *words, **named):
        started.append(words[0] if words[0] != "--literal-pathspecs" else words[1])
        return start(self, extra, off, *words, **named)

    monkeypatch.setattr(ask._Git, "_start", noting)  # noqa: SLF001
    states(run)
    assert started.count("cat-file") == 1
    assert started.count("log") == 1


@pytest.mark.parametrize(
    "setting",
    [
        ("log.showSignature", "true"),
        ("log.showRoot", "false"),
        ("log.follow", "true"),
        ("log.mailmap", "true"),
        ("diff.relative", "true"),
        ("diff.noprefix", "true"),
        ("diff.renames", "copies"),
        ("log.diffMerges", "off"),
        ("core.quotePath", "true"),
        ("color.ui", "always"),
        ("i18n.logOutputEncoding", "utf-16"),
        ("format.pretty", "oneline"),
        ("log.date", "human"),
        ("diff.orderFile", "no-such-file"),
        ("core.pager", "false"),
    ],
)
def test_what_a_repository_configures_changes_no_state(run, setting):
    before = states(run)[0]
    git(run, "config", *setting)
    assert states(run)[0] == before


def test_nothing_that_a_repository_configures_is_run(run, tmp_path):
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(trap.stat().st_mode | stat.S_IXUSR)
    for name in ("gpg.program", "diff.external", "core.fsmonitor", "core.pager", "core.sshCommand"):
        git(run, "config", name, str(trap))
    git(run, "config", "log.showSignature", "true")
    git(run, "config", "diff.x.textconv", str(trap))
    (run.parent / ".gitattributes").write_text("* -text diff=x\n")
    commit(run)
    (tmp_path / "sprung").unlink()  # that was git itself, asked by somebody who trusts it
    states(run)
    assert not (tmp_path / "sprung").exists()


def test_a_link_in_the_place_of_a_file_is_no_file(run):
    (run / "directives.md").unlink()
    (run / "directives.md").symlink_to("/etc/hostname")
    commit(run)
    found, _ = states(run)
    assert "directives.md" not in found.steps[-1].files


def test_a_path_of_odd_letters_is_read_as_it_is(run):
    odd = run / "archive" / "rounds-2.md\nX"
    odd.write_text("x")
    (run / "archive" / "ö 文.md").write_text("x")
    commit(run)
    assert states(run)[1] == ((), ())


def loose(run, id_):
    return run.parent.parent / ".git" / "objects" / id_[:2] / id_[2:]


def test_a_history_that_git_cannot_show_is_refused_and_not_taken_for_none(run):
    loose(run, git(run, "rev-parse", "HEAD~5").strip()).unlink()
    with pytest.raises(UnreadableError):
        states(run)


def test_a_file_that_git_lacks_is_taken_for_unchanged_and_this_is_said(run):
    loose(run, git(run, "rev-parse", "HEAD~5:./ledger.md").strip()).unlink()
    loose(run, git(run, "rev-parse", "HEAD:./executor.md").strip()).unlink()
    (run / "executor.md").unlink()
    git(run, "update-index", "--assume-unchanged", "executor.md")
    report = states(run)[1]
    assert [one for one in report.breaches if one.step.kind == "commit"] == []
    assert "cannot be read" in report.notes[-1]


def test_replacements_and_grafts_of_a_repository_show_no_other_history(run):
    first = git(run, "rev-list", "--max-parents=0", "HEAD").strip()
    git(run, "replace", "--graft", "HEAD~3", first)
    assert len(states(run)[0].steps) == len(FRAMES)


@pytest.mark.skipif(os.name == "nt", reason="a folder of another form")
def test_a_snapshot_stands_between_the_commit_it_was_made_on_and_the_next(cli, make):
    made = make("deliver", "Export every order.", "--host", "shell")
    commit(made)
    round_ = ("round", "record", "--result", "ok", "--evidence", "e", "--next", "n")
    for number in (1, 2):
        done = cli(*round_, "--item", f"i{number}", "--as", "executor", cwd=made)
        assert done.code == 0, done.err
    last = commit(made)
    kinds = [(step.kind, step.label, step.commit == last) for step in states(made)[0].steps[1:]]
    assert kinds == [
        ("snapshot", "R1", True),
        ("snapshot", "R2", True),
        ("commit", last, True),
    ]
    assert isinstance(made, Path)


@pytest.mark.skipif(os.name == "nt", reason="a folder of another form")
def test_a_snapshot_stands_before_the_branch_whose_log_has_what_was_done_by_then(cli, make):
    made = make("deliver", "Export every order.", "--host", "shell")
    commit(made)

    def do(*words):
        done = cli(*words, "--as", "executor", cwd=made)
        assert done.code == 0, done.err

    git(made, "checkout", "-q", "-b", "side")
    do("ops", "set", "A trap", "seen on the side")
    aside = commit(made)
    git(made, "checkout", "-q", "main")
    do("round", "record", "--result", "ok", "--evidence", "e", "--next", "n", "--item", "i")
    ahead = commit(made)
    git(made, "merge", "-q", "-s", "ours", "-m", "the side is given up", "side")
    found, report = states(made)
    labels = [step.label for step in found.steps]
    before = {step.label: [labels[one] for one in step.parents] for step in found.steps}
    assert before["R1"] == before[aside] == [labels[0]]
    assert before[ahead] == ["R1"]
    assert report == ((), ())


def record(cli, made, number):
    words = ("round", "record", "--result", "ok", "--evidence", "e", "--next", "n")
    done = cli(*words, "--item", f"i{number}", "--as", "executor", cwd=made)
    assert done.code == 0, done.err


@pytest.mark.skipif(os.name == "nt", reason="a folder of another form")
def test_what_was_done_on_a_branch_that_is_not_merged_is_not_missing_here(cli, make):
    made = make("deliver", "Export every order.", "--host", "shell")

    record(cli, made, 1)
    commit(made)
    git(made, "checkout", "-q", "-b", "topic")
    record(cli, made, 2)
    commit(made)
    git(made, "checkout", "-q", "main")
    found, report = states(made)
    assert [step.kind for step in found.steps] == ["snapshot", "commit"]
    assert report.breaches == ()
    assert "1 snapshots are of a branch that is not merged here" in report.notes
    write(made.parent.parent, {"code.py": "x = 1\n"})
    commit(made.parent.parent, "main goes on")
    edited(made, "ledger.md", "i1", "I1")
    changed = commit(made)
    assert rules(states(made)[1]) == [(changed, "LG607")]
    git(made, "checkout", "-q", "topic")
    assert states(made)[1] == ((), ())
    git(made, "reset", "-q", "--hard", "HEAD~1")  # now it is nowhere
    assert ("working tree", "LG616") in rules(states(made)[1])


@pytest.mark.skipif(os.name == "nt", reason="a folder of another form")
def test_a_round_of_this_branch_is_missing_here_even_where_another_branch_has_it(cli, make):
    made = make("deliver", "Export every order.", "--host", "shell")

    record(cli, made, 1)
    commit(made)
    record(cli, made, 2)
    git(made, "checkout", "-q", "-b", "kept")
    commit(made)
    git(made, "checkout", "-q", "main")
    assert ("working tree", "LG616") in rules(states(made)[1])
    git(made, "checkout", "-q", "kept")
    assert states(made)[1] == ((), ())
