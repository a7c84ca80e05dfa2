"""What a round really changed, beside what a node says of it."""

from __future__ import annotations

import pytest

from loopgraph.edges.ledger import Net
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.node import measure, restoring
from loopgraph.node.call import Call
from loopgraph.node.measure import Lines, Measure
from tests.check import compiled
from tests.node.desk import EXECUTOR, NOW, OWNER, PERSON, STRANGER, SUPERVISOR, Desk


@pytest.fixture
def desk():
    return Desk(name="deliver")


def test_the_net_lines_are_those_of_production_code(desk):
    changed = (Lines("src/a.py", 5, 2), Lines("src/b.py", 1, 4), Lines("tests/a.py", 90, 1))
    assert measure.net(desk.run, changed) == Net(6, 6)
    assert measure.net(desk.run, ()) == Net(0, 0)


@pytest.mark.parametrize("odd", [Lines("src/x", None, 1), Lines("src/x", 1, None)])
def test_what_cannot_be_counted_leaves_the_net_lines_unknown(desk, odd):
    assert measure.net(desk.run, (Lines("src/a.py", 5, 2), odd)) is None
    assert measure.net(desk.run, (odd._replace(path="docs/x.md"),)) == Net(0, 0)


def test_without_a_record_the_globs_stand_in_ops(desk):
    bare = desk.run._replace(record=None)
    desk.edit(
        "ops.md", "## Production globs\n", "## Production globs\n\n`lib/` and `` or `a/*.py`\n"
    )
    assert measure.production_globs(desk.run._replace(record=None))[:2] == ("lib/", "a/*.py")
    assert measure.production_globs(desk.run) == desk.run.record.spec.production
    assert measure.production_globs(bare._replace(files={})) == ()


def test_the_data_policy_names_paths_by_their_form(desk):
    desk.edit("ops.md", "## Data policy\n", "## Data policy\n\n`data/`, `a.db`, `*`, `customers`\n")
    assert measure.data_globs(desk.run)[:3] == ("data/", "a.db", "*")
    assert "customers" not in measure.data_globs(desk.run)


def test_a_round_is_no_idle_one_where_a_part_that_counts_changed(desk):
    before = measure.entries(desk.run, "e")
    assert set(before) == {
        "findings", "evidence", "Gate scoreboard", "Debt & gap register", "Metric snapshot",
    }  # fmt: skip
    assert measure.entries(desk.run, "e") == before
    changed = {
        name for name, said in measure.entries(desk.run, "f").items() if said != before[name]
    }
    assert changed == {"evidence"}
    desk.edit("ledger.md", "| GAP-003 |", "| GAP-004 |")
    after = measure.entries(desk.run, "e")
    assert {name for name in before if before[name] != after[name]} == {"Debt & gap register"}
    assert all(len(said) == 16 for said in after.values())


def measured(*paths, left_out=()):
    return Measure(1, tuple(Lines(path, 1, 0) for path in paths), Net(1, 0), left_out)


@pytest.mark.parametrize(
    ("claimed", "changed", "said"),
    [
        (("src/a.py",), ("src/a.py",), ""),
        (("`./src/a.py` ",), ("src/a.py",), ""),
        (("src/",), ("src/a.py", "src/b.py"), ""),
        (("big.bin",), (), ""),
        (("none",), (), ""),
        (("none",), ("a",), "a changed without being named"),
        (("src/b.py",), (), "src/b.py did not change"),
        ((), ("src/a.py",), "src/a.py changed without being named"),
        (("b",), ("a",), "b did not change; a changed without being named"),
        (("a", "b", "c"), (), "a, b, c did not change"),
        (("a", "b", "c", "d"), (), "a, b, c and 1 more did not change"),
    ],
)
def test_a_node_is_held_to_the_paths_that_it_names(claimed, changed, said):
    assert measure.differing(claimed, measured(*changed, left_out=("big.bin",))) == said


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("src/a.py", "src/a.py"), ("a\udcff", "a\\xff"), ("仓库", "仓库"),
        ("x" * 5000, "a path that evidence/ names"),
        ("AKIA" + "IOSFODNN7EXAMPLE", "a path that evidence/ names"),
    ],
)  # fmt: skip
def test_a_path_is_shown_as_text_and_never_a_credential(path, shown):
    assert measure.shown(path) == shown


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        ("src/a.py", "src/a.py"),
        ("./src//a.py/", "src/a.py"),
        ("", "."),
        (".", "."),
        ("a.git", "a.git"),
    ],
)
def test_a_path_to_restore_has_one_plain_form(path, plain):
    assert restoring.inside(path) == plain


@pytest.mark.parametrize(
    "path", ["/a", "../a", "a/..", "a/.git/config", ".GIT", "c:/a", "c:\\a", "a\0b"]
)
def test_a_path_outside_or_of_git_is_refused(path):
    with pytest.raises(UsageError, match="not a path of this workspace"):
        restoring.inside(path)


def may(run, by, *paths, own=("src/a.py",)):
    restoring.may(run, Call(by, NOW), paths, own)


def test_the_executor_restores_what_its_rounds_changed_and_the_owner_anything(desk):
    may(desk.run, EXECUTOR, "src/a.py")
    may(desk.run, OWNER, "src/b.py", "notes.md")
    may(desk.run, PERSON, "src/b.py")
    with pytest.raises(RefusedError, match="not the supervisor's"):
        may(desk.run, SUPERVISOR, "src/a.py")
    for by in (EXECUTOR, STRANGER):
        may(desk.run, by, "src/a.py")
        with pytest.raises(RefusedError, match=r"src/b\.py: no round of this run changed it"):
            may(desk.run, by, "src/a.py", "src/b.py")


def test_what_was_the_owners_at_the_start_stays_the_owners(desk):
    assert restoring.dirty_paths(desk.run) == ("notes.md",)
    with pytest.raises(RefusedError, match=r"notes\.md: it had changes of the owner's"):
        may(desk.run, EXECUTOR, "notes.md", own=("notes.md",))


def test_where_not_all_of_it_is_known_the_executor_restores_nothing(desk):
    bare = desk.run._replace(record=None)
    assert restoring.dirty_paths(bare) is None
    with pytest.raises(RefusedError, match="not every path that was the owner's"):
        may(bare, EXECUTOR, "src/a.py")
    may(bare, OWNER, "src/a.py")


@pytest.mark.parametrize(
    ("path", "owners"),
    [("notes.md", True), ("data/a", True), ("data", False), ("notes.md.bak", False), ("x", False)],
)
def test_a_path_is_the_owners_by_itself_or_in_a_folder(path, owners):
    assert restoring.is_owners(path, ("notes.md", "data/")) is owners
    assert compiled.FACTS.repositories[0].dirty[0].path == "notes.md"
