"""What a round changed is measured, wherever the workspace lies and whatever a node claims."""

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopgraph.disk import measures, restoring, runs, snapshots, stores
from loopgraph.disk.apply import Act, apply
from loopgraph.model.errors import UnreadableError
from loopgraph.node import rounds
from loopgraph.node.call import Call
from tests.conftest import PROJECT, git
from tests.disk import ground
from tests.disk.ground import ENVIRON, NOW, run_in, write
from tests.node.desk import EXECUTOR

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names that Windows cannot have")

CALL = Call(EXECUTOR, NOW)
ACT = Act(NOW, "executor", "", ())


def start(run, **more):
    found = measures.start(run, ENVIRON, NOW)
    measure = found and found.measure
    apply(run, lambda read: rounds.start(read, CALL, item="a", measured=measure, **more), ACT)
    measures.keep(run, found, NOW)


def record(run, *changed, net=None, evidence=(), **more):
    found = measures.end(run, ENVIRON, NOW)
    said = rounds.Said("a slice", changed, "12 passed", evidence, net, "more", **more)
    measure = found and found.measure
    done = apply(run, lambda read: rounds.record(read, CALL, said, measure), ACT)
    measures.keep(run, found, NOW)
    return done.change


def ledger_of(run) -> Any:
    return runs.load(run).ledger()


def last(run):
    return ledger_of(run).rounds[-1]


def rules(change):
    return [one.rule for one in change.findings]


@pytest.fixture
def repo(tmp_path):
    return ground.started(tmp_path / "work")


def test_a_claim_that_differs_is_recorded_beside_the_measure_and_found(repo):
    run = run_in(repo)
    start(run)
    write(repo / "src/new.py", "line\n" * 250)
    change = record(run, "src/new.py", net="+10/-0")
    assert last(run).net == (250, 0)
    assert last(run).claimed == (10, 0)
    assert "net +250/-0 (claimed +10/-0)" in (run / "ledger.md").read_text("utf-8")
    assert rules(change) == ["claim"]
    assert ledger_of(run).convergence.m == 250


def test_what_nobody_claims_is_measured(repo):
    run = run_in(repo)
    start(run)
    write(repo / "src/b.py", "other\n")
    (repo / "src/c.py").unlink()
    write(repo / "docs/page.md", "prose\n" * 9)
    write(repo / "tests/test_x.py", "x\n" * 9)
    change = record(run)
    assert last(run).changed == "docs/page.md, src/b.py, src/c.py, tests/test_x.py"
    assert last(run).net == (1, 6)
    assert "claimed" not in (run / "ledger.md").read_text("utf-8")
    assert rules(change) == []


@pytest.mark.parametrize(
    ("claims", "says"),
    [
        (("src/b.py",), ""),
        (("src/",), ""),
        (("src/*.py",), ""),
        (("./src/b.py", "src/b.py"), ""),
        (("src/c.py",), "src/c.py did not change; src/b.py changed without being named"),
        (("src/b.py", "a.txt"), "a.txt did not change"),
    ],
)
def test_claimed_paths_are_held_against_the_measured_ones(repo, claims, says):
    run = run_in(repo)
    start(run)
    write(repo / "src/b.py", "other\n")
    change = record(run, *claims)
    assert [one.message for one in change.findings] == ([says] if says else [])
    assert last(run).changed == "src/b.py"


def test_two_rounds_that_changed_nothing_stall(repo):
    run = run_in(repo)
    start(run)
    assert rules(record(run, evidence=("a pointer",))) == []
    assert rules(record(run, evidence=("another pointer",))) == ["stall"]


def test_rounds_that_change_scoreboard_and_evidence_are_no_stall(repo):
    run = run_in(repo)
    start(run)
    for number in range(3):
        write(run / f"evidence/survey-{number}.txt", f"{number}\n")
        ledger = run / "ledger.md"
        text = ledger.read_text("utf-8")
        ledger.write_text(text.replace("| open |", "| in-progress |", 1), "utf-8")
        assert rules(record(run)) == []
        assert last(run).changed == "none"


def test_a_round_without_a_start_is_measured_from_the_end_of_the_one_before(repo):
    run = run_in(repo)
    record(run, "src/b.py", net="+1/-0")
    assert "(claimed)" in (run / "ledger.md").read_text("utf-8")  # there was nothing to go by
    write(repo / "src/b.py", "x\n" * 5)
    record(run)
    assert last(run).net == (5, 3)


def test_what_changed_between_two_rounds_is_nobodys(repo):
    run = run_in(repo)
    start(run)
    record(run)
    write(repo / "src/b.py", "the owner's\n")
    start(run)
    write(repo / "src/c.py", "the round's\n")
    record(run)
    assert last(run).changed == "src/c.py"


def test_the_audit_surface_is_held_by_what_was_measured(repo):
    run = run_in(repo)
    ledger = run / "ledger.md"
    text = ledger.read_text("utf-8").replace("`open`", "`pending-audit`", 1)
    head = text.index("## Pending promotion")
    end = text.index("\n## ", head + 1)
    pending = "## Pending promotion\n\n- Boundary: M-1\n- Audit surface: src/b.py\n"
    ledger.write_text(text[:head] + pending + text[end:], "utf-8")
    start(run)
    write(repo / "src/b.py", "x\n")
    with pytest.raises(Exception, match="under audit"):
        record(run, "docs/a.md")


def test_every_repository_adds_up(tmp_path):
    repo = ground.with_module(tmp_path / "work")
    ground.started(repo / "inner")
    run = run_in(repo)
    start(run)
    write(repo / "src/b.py", "x\n" * 4)
    write(repo / "lib/src/b.py", "x\n" * 10)
    write(repo / "inner/src/new.py", "x\n" * 100)
    record(run)
    assert last(run).changed == "inner/src/new.py, lib/src/b.py, src/b.py"
    assert last(run).net == (114, 6)


def test_a_folder_of_several_repositories_is_measured(tmp_path):
    root = tmp_path / "work"
    ground.started(root / "one")
    ground.started(root / "two")
    write(root / "notes.txt", "x\n")
    run = run_in(root)
    start(run)
    write(root / "one/src/b.py", "x\n" * 4)
    write(root / "notes.txt", "y\n")
    record(run, net="+4/-3")
    assert last(run).changed == "notes.txt, one/src/b.py"
    assert "net +4/-3 (claimed)" in (run / "ledger.md").read_text("utf-8")
    assert [one.repository for one in snapshots.listed(root, run, ENVIRON)] == [
        *("one", "two", "one", "two")
    ]


def test_outside_git_the_paths_are_measured_and_the_lines_claimed(tmp_path):
    root = tmp_path / "work"
    write(root / "a.py", "x\n")
    write(root / ".env", "x\n")
    run = run_in(root)
    start(run)
    write(root / "a.py", "y\n")
    write(root / "b.py", "y\n")
    change = record(run, "a.py", net="+2/-1")
    assert last(run).changed == "a.py, b.py"
    assert "net +2/-1 (claimed)" in (run / "ledger.md").read_text("utf-8")
    assert rules(change) == ["claim"]
    kept = json.loads((run / "evidence/snapshots/R1.json").read_text("utf-8"))
    assert set(kept["files"]) == {"a.py", "b.py"}
    assert [one["path"] for one in kept["left_out"]] == [".env"]


def test_switched_off_nothing_is_measured_and_nothing_written(repo):
    run = run_in(repo)
    write(repo / ".loopgraph.toml", 'snapshots = "off"\n')
    start(run)
    write(repo / "src/b.py", "x\n")
    record(run, "src/b.py", net="+1/-3")
    assert "net +1/-3 (claimed)" in (run / "ledger.md").read_text("utf-8")
    assert not (run / "evidence/snapshots").exists()
    assert snapshots.listed(repo, run, ENVIRON) == ()


def test_a_file_that_no_snapshot_holds_may_be_claimed(repo):
    run = run_in(repo)
    start(run)
    write(repo / "server.pem", "x\n")
    change = record(run, "server.pem")
    assert last(run).changed == "server.pem"
    assert rules(change) == []


def test_an_attribute_hides_no_lines(repo):
    run = run_in(repo)
    write(repo / ".gitattributes", "*.py -diff binary\n")
    start(run)
    write(repo / "src/new.py", "x\n" * 30)
    write(repo / "src/image.bin", b"\0\1\2" * 30)
    record(run)
    assert last(run).net == (30, 0)


@pytest.mark.parametrize(
    "name", ["new\nline.py", "a | b.py", "ghp_" + "a" * 36, "x" * 230, "仓 库.py"]
)
def test_whatever_a_path_is_called_the_round_is_recorded(repo, name):
    run = run_in(repo)
    start(run)
    write(repo / "src" / name, "x\n")
    record(run)
    assert last(run).net == (1, 0)
    assert ledger_of(run).round == 1


def test_a_name_that_is_no_text_is_recorded_as_it_can_be_shown(repo):
    run = run_in(repo)
    start(run)
    place = os.fsencode(repo) + b"/src/\xff.py"
    with open(place, "wb") as file:  # noqa: PTH123  bytes that no Path of text has
        file.write(b"x\n")
    record(run)
    assert last(run).net == (1, 0)
    assert last(run).changed == r"src/\xff.py"
    assert json.loads((run / "evidence/snapshots/R1.json").read_text("utf-8"))["changed"] == [
        {"path": "src/\udcff.py", "added": 1, "removed": 0}
    ]


def test_a_snapshot_whose_command_was_killed_gets_its_name_from_the_next(repo):
    run = run_in(repo)
    start(run)
    write(repo / "src/b.py", "x\n")
    found: Any = measures.end(run, ENVIRON, NOW)
    said = rounds.Said("a", (), "ok", (), None, "more")
    apply(run, lambda read: rounds.record(read, CALL, said, found.measure), ACT)
    assert [one.name for one in snapshots.listed(repo, run, ENVIRON)] == ["R1.start"]
    start(run)
    names = [one.name for one in snapshots.listed(repo, run, ENVIRON)]
    assert names == ["R1.start", "R1", "R2.start"]


def test_snapshots_come_in_the_order_of_their_rounds_with_time_and_commit(repo):
    run = run_in(repo)
    for number in range(11):
        converge = number % 4 == 3
        start(run, converge=converge)
        if not converge:
            write(repo / "src/b.py", f"{number}\n")
        record(run, evidence=("what was searched",), converge=converge)
    found = snapshots.listed(repo, run, ENVIRON)
    assert [one.name for one in found] == [
        name for number in range(1, 12) for name in (f"R{number}.start", f"R{number}")
    ]
    assert {one.time for one in found} == {NOW}
    assert {one.head for one in found} == {git(repo, "rev-parse", "HEAD").strip()}
    assert all(one.ref.startswith("refs/loopgraph/") for one in found)


CLOSED = """
import sys
sys.path.insert(0, {project!r})
from pathlib import Path
from tests.disk import test_measures as t
run = Path({run!r})
t.start(run)
t.write(run.parents[1] / "src/new.py", "x\\n" * 250)
print(t.rules(t.record(run, net="+10/-0")))
"""


def closed(repo, run):
    """Play a round while nothing below `.git` can be written; root gives its rights up for it."""
    words = [sys.executable, "-c", CLOSED.format(project=str(PROJECT), run=str(run))]
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            pytest.fail("root needs setpriv to give its rights up")
        words = [setpriv, "--bounding-set=-dac_override,-dac_read_search", *words]
    folders = [path for path in (repo / ".git").rglob("*") if path.is_dir()]
    for folder in (repo / ".git", *folders):
        folder.chmod(0o500)
    try:
        return subprocess.run(words, check=True, capture_output=True, text=True, env=ENVIRON)
    finally:
        for folder in (repo / ".git", *folders):
            folder.chmod(0o700)


def test_where_git_is_closed_the_round_is_measured_all_the_same(repo):
    run = run_in(repo)
    before = ground.fingerprint(repo / ".git")
    done = closed(repo, run)
    assert done.stdout == "['claim']\n"
    assert last(run).net == (250, 0)
    assert ground.fingerprint(repo / ".git").keys() == before.keys()
    assert not (repo / ".git/loopgraph").exists()
    assert [path.name for path in (repo / ".longgraph").iterdir() if path.name == ".objects"]
    kept = json.loads((run / "evidence/snapshots/R1.json").read_text("utf-8"))
    (one,) = kept["repositories"]
    assert one["kept"] == ".longgraph/.objects"
    assert ".objects" not in git(repo, "status", "--porcelain", "-uall")


@pytest.mark.skipif(
    os.name == "nt" or (os.geteuid() == 0 and not shutil.which("setpriv")), reason="no setpriv"
)
def test_a_name_that_cannot_be_given_keeps_no_round_from_being_measured(repo):
    run = run_in(repo)
    git(repo, "update-ref", "refs/loopgraph", "HEAD")  # no name can stand below it
    with pytest.raises(UnreadableError):
        start(run)
    write(repo / "src/new.py", "x\n" * 250)
    with pytest.raises(UnreadableError):
        record(run)
    assert last(run).net == (250, 0)


@pytest.mark.unprivileged
def test_where_names_cannot_be_written_git_counts_as_closed(repo):
    run = run_in(repo)
    (repo / ".git/refs").chmod(0o500)
    try:
        start(run)
        write(repo / "src/new.py", "x\n" * 250)
        record(run)
    finally:
        (repo / ".git/refs").chmod(0o700)
    assert last(run).net == (250, 0)
    assert [one.name for one in snapshots.listed(repo, run, ENVIRON)] == ["R1.start", "R1"]


def test_what_was_kept_while_git_was_closed_is_found_once_it_is_open(repo, monkeypatch):
    run = run_in(repo)
    with monkeypatch.context() as closed:
        closed.setattr(stores, "_opens", lambda *_: False)
        start(run)
        write(repo / "src/new.py", "x\n" * 250)
        record(run)
        start(run)
    write(repo / "src/new.py", "x\n" * 200)
    record(run)
    assert last(run).net == (0, 50)
    found = snapshots.listed(repo, run, ENVIRON)
    assert [(one.name, bool(one.ref)) for one in found] == [
        *(("R1.start", False), ("R1", False), ("R2.start", False), ("R2", True)),
    ]
    assert git(repo, "fsck", "--strict", "--no-dangling") == ""
    looked = restoring.look(run, runs.load(run), ENVIRON)
    then, now = (restoring.side(run, looked, name, ENVIRON) for name in ("R1", "now"))
    restoring.carry_out(repo, restoring.steps(looked, then, now, ("src/new.py",)))
    assert (repo / "src/new.py").read_text("utf-8") == "x\n" * 250
    assert restoring.changed_by(run, looked, ENVIRON, [1]) == {"src/new.py": 1}
    assert snapshots.remove_all(run, ENVIRON) == 4
    assert not list((repo / ".longgraph/.objects").glob("*/objects/??/*"))
    assert git(repo, "fsck", "--strict", "--no-dangling") == ""


def test_snapshots_of_a_closed_repository_are_listed_and_swept(repo, monkeypatch):
    run = run_in(repo)
    monkeypatch.setattr(stores, "_opens", lambda *_: False)
    start(run)
    write(repo / "src/new.py", "x\n" * 250)
    record(run)
    found = snapshots.listed(repo, run, ENVIRON)
    assert [(one.name, one.ref) for one in found] == [("R1.start", ""), ("R1", "")]
    (objects,) = (repo / ".longgraph/.objects").glob("*/objects")
    held = [path for path in objects.rglob("*") if path.is_file()]
    assert snapshots.remove(repo, run, ["R1.start", "R1"], ENVIRON) == 2
    assert len([path for path in objects.rglob("*") if path.is_file()]) < len(held) / 3
    assert snapshots.listed(repo, run, ENVIRON) == ()


# Oracle ----------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a.py", "b.py", "src/a.py", "src/deep/x.py", "仓.py", "new\nline.py"])
LINES = st.lists(st.sampled_from(["one", "two", "three", "", "  x", "\r", "\x0c"]), max_size=12)
TREE = st.dictionaries(NAMES, LINES, max_size=5)


@settings(max_examples=25)
@given(old=TREE, new=TREE, ends=st.booleans())
def test_lines_are_those_that_plain_git_counts(tmp_path_factory, old, new, ends):
    repo = ground.started(tmp_path_factory.mktemp("oracle") / "work")
    for path in repo.rglob("*.*"):
        if ".git" not in path.parts:
            path.unlink()
    run = run_in(repo)
    lay(repo, old, ends=ends)
    git(repo, "add", "-A", "--", ".", ":!.longgraph")
    git(repo, "-c", "core.autocrlf=false", "commit", "-q", "--allow-empty", "-m", "old")
    start(run)
    for name in old:
        (repo / name).unlink()
    lay(repo, new, ends=True)
    git(repo, "add", "-A", "--", ".", ":!.longgraph")
    told = git(repo, "diff", "--numstat", "--no-renames", "-z", "HEAD", "--", ".", ":!.longgraph")
    expected = {}
    for entry in told.split("\0")[:-1]:
        added, removed, name = entry.split("\t")
        expected[name] = [int(added), int(removed)]
    record(run)
    kept = json.loads((run / "evidence/snapshots/R1.json").read_text("utf-8"))
    assert {one["path"]: [one["added"], one["removed"]] for one in kept["changed"]} == expected


def lay(repo, tree, *, ends):
    for name, lines in tree.items():
        write(repo / name, "\n".join(lines) + ("\n" if ends and lines else ""))
