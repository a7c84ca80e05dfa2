"""A run in a real repository, and what `loopgraph audit` says of its history."""

from __future__ import annotations

import json
import re

import pytest

from tests.conftest import NOW, git


@pytest.fixture
def run(cli, make):
    """A committed run with three rounds, a commit each."""
    made = make("deliver", "Export every order.", "--host", "shell")
    commit(made, "new")
    for number in (1, 2, 3):
        record(cli, made, number)
        commit(made, f"round {number}")
    return made


def record(cli, run, number, *more):
    done = cli(
        *("round", "record", "--item", f"item {number}", "--changed", "a.py", "--net", "+3/-1"),
        *("--result", "ok", "--next", "more", "--as", "executor", *more),
        cwd=run, LOOPGRAPH_NOW=NOW,
    )  # fmt: skip
    assert done.code == 0, done.err


def commit(run, message):
    git(run, "add", "-A", ".")
    git(run, "commit", "-q", "-m", message)
    return git(run, "rev-parse", "HEAD").strip()


def edit(run, name, pattern, new):
    text = (run / name).read_bytes().decode()
    changed, count = re.subn(pattern, new, text, count=1, flags=re.MULTILINE)
    assert count == 1
    (run / name).write_bytes(changed.encode())


def breaches(cli, run, *more):
    done = cli("audit", "--json", *more, cwd=run)
    found = json.loads(done.out)
    assert done.code == (1 if found["errors"] else 0)
    return [(one["rule"], one["state"], one["file"], one["line"]) for one in found["breaches"]]


def test_a_lawful_history_is_silent(cli, run):
    done = cli("audit", cwd=run)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_change_by_hand_before_the_first_commit_is_told(cli, make):
    run = make("deliver", "Export every order.", "--host", "shell")
    record(cli, run, 1)
    cli("snapshots", "prune", "--as", "owner", cwd=run)
    assert breaches(cli, run) == []
    edit(run, "ledger.md", "item 1", "item one")
    assert breaches(cli, run) == [("LG615", "working tree", "ledger.md", 0)]
    first = commit(run, "all at once")
    assert breaches(cli, run) == [("LG615", first, "ledger.md", 0)]


def test_other_line_ends_change_no_word(cli, run):
    words = ("--context", "R3", "--action", "go on", "--verify", "look", "--stop", "none")
    done = cli("directive", "add", "plan", *words, "--as", "supervisor", cwd=run)
    assert done.code == 0, done.err
    commit(run, "a correction")
    for name in ("ledger.md", "directives.md", "ops.md", "executor.md", "run.yaml"):
        (run / name).write_bytes((run / name).read_bytes().replace(b"\n", b"\r\n"))
    assert breaches(cli, run) == []


def test_a_round_on_other_line_ends_is_no_change_by_hand(cli, run):
    (run / "ledger.md").write_bytes((run / "ledger.md").read_bytes().replace(b"\n", b"\r\n"))
    commit(run, "line ends")
    for number in (4, 5):
        record(cli, run, number)
        assert breaches(cli, run) == []
        commit(run, f"round {number}")
    edit(run, "ledger.md", "item 4", "item four")
    by_hand = commit(run, "a round that was worded anew")
    assert [one[:3] for one in breaches(cli, run)] == [("LG607", by_hand, "ledger.md")]


def test_a_run_that_git_no_longer_keeps_is_audited_as_it_lies_there(cli, run):
    git(run, "rm", "-rq", "--cached", ".")
    git(run, "commit", "-q", "-m", "no longer kept")
    record(cli, run, 4)
    assert breaches(cli, run) == []
    edit(run, "ledger.md", r"^- R2 .*\n", "")
    assert [one[:3] for one in breaches(cli, run)] == [("LG606", "working tree", "ledger.md")]


def test_a_round_that_was_worded_anew_on_its_way_to_the_archive_is_told(cli, run):
    edit(run, "ledger.md", "item 1", "item one")
    for number in (4, 5, 6):
        record(cli, run, number, *(("--force", "--why", "the owner waits") * (number > 5)))
    cli("snapshots", "prune", "--as", "owner", cwd=run)
    both = commit(run, "reworded, and archived")
    assert [one[:3] for one in breaches(cli, run)] == [("LG607", both, "ledger.md")]


def test_an_id_that_came_and_went_between_two_commits_is_reused_all_the_same(cli, run):
    row = ("--priority", "P2", "--write-set", "docs/a.md", "--verify", "look")
    for words in (("add", "one", *row), ("close", "GAP-001", "--evidence", "seen")):
        assert cli("gap", *words, "--as", "executor", cwd=run).code == 0
    commit(run, "came and went")
    edit(run, "ledger.md", "^## Rounds log", "| GAP-001 | P2 | M-1 | b.md | look | two |\n\n\\g<0>")
    reused = commit(run, "again")
    assert [one[:3] for one in breaches(cli, run)] == [("LG611", reused, "ledger.md")]


def test_what_a_merge_has_lost_of_both_its_parents_is_told_once(cli, run):
    git(run, "branch", "other")
    record(cli, run, 4)
    commit(run, "round 4")
    git(run, "checkout", "-q", "other")
    git(run, "commit", "-q", "--allow-empty", "-m", "meanwhile")
    git(run, "merge", "-q", "--no-ff", "--no-commit", "main")
    edit(run, "ledger.md", "^- R2 .*\n", "")
    lost = commit(run, "merge")
    assert [one[:3] for one in breaches(cli, run)] == [("LG606", lost, "ledger.md")]


def test_two_breaches_are_found_each_with_its_commit(cli, run):
    edit(run, "ledger.md", "^Milestone gate: .*", "Milestone gate: `passed`")
    skipped = commit(run, "skip")
    record(cli, run, 4)
    commit(run, "round 4")
    edit(run, "ledger.md", r"^- R2 .*\n", "")
    lost = commit(run, "lost")
    record(cli, run, 5)
    (gate, entry) = breaches(cli, run)
    assert gate[:3] == ("LG602", skipped, "ledger.md")
    assert entry[:3] == ("LG606", lost, "ledger.md")
    assert breaches(cli, run, "--since", skipped) == [entry]
