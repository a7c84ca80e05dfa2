"""A command whose ledger is edited at its last moment, killed at every event while it goes on."""

import sys
from pathlib import Path

import pytest

from loopgraph.disk import apply as disk
from loopgraph.disk import floor
from loopgraph.edges.change import Change, Move
from loopgraph.model.errors import RefusedError
from tests.crash import driver
from tests.disk.second_tries import moves_nothing, refuses, writes_nothing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")

ACT = disk.Act("2026-01-02T03:04:05+00:00", "executor", "claude:1", ("gap", "close"))
ROUND = "- R1 2026-01-02 | one | changed: a | verify: ok | net +1/-0 | next: two\n"
GAP = "| GAP-001 | P2 | M-1 | x | look | one |\n"
LEDGER = f"# x: ledger\n\n{GAP}\n{ROUND}- R2 stays\n"
ARCHIVE = "# x: archived rounds\n\n- R0 older\n"
EDIT = "by hand\n"


def moves(run):
    live = run.files["ledger.md"].replace(ROUND, "").replace(GAP, "")
    return Change(
        live={"ledger.md": live},
        moves=(Move("R1", "ledger.md", "rounds", ROUND), Move("GAP-001", "ledger.md", "gaps", GAP)),
        evidence={"gates/a.json": "once"},
    )


def acting(folder, then):
    """An act whose first try meets a hand edit; the exit code of a refusal is 1."""
    replace, tries = floor.replace, iter([moves, then])

    def decide(run):
        return next(tries)(run)

    def slow(path, *given, **named):
        if named.get("unless") and EDIT not in (folder / "ledger.md").read_text("utf-8"):
            with (folder / "ledger.md").open("a", encoding="utf-8", newline="") as ledger:
                ledger.write(EDIT)
        return replace(path, *given, **named)

    def act():
        floor.replace = slow
        try:
            disk.apply(folder, decide, ACT)
        except RefusedError:
            return 1
        return 0

    return act


NO_MOVE = (refuses, moves_nothing, writes_nothing)
second_tries = pytest.mark.parametrize("killed", [*NO_MOVE, moves], indirect=True)


@pytest.fixture
def killed(request, tmp_path):
    """Every folder that the killed act left, with how it ended, and what the second try does."""
    left: list[tuple[Path, str]] = []
    said = "killed"
    while said == "killed":
        folder = (tmp_path / str(len(left) + 1)).resolve()
        (folder / "archive").mkdir(parents=True)
        (folder / "ledger.md").write_text(LEDGER, "utf-8", newline="")
        (folder / "archive/rounds.md").write_text(ARCHIVE, "utf-8", newline="")
        said = driver.kill(str(folder), acting(folder, request.param), len(left) + 1)
        left.append((folder, said))
    assert said == ("1" if request.param is refuses else "0")
    assert len(left) > 20
    return left, request.param


def places(folder):
    """How often each entry is live, and how often it is archived."""
    live = (folder / "ledger.md").read_text("utf-8")
    kept = "".join(place.read_text("utf-8") for place in folder.glob("archive/*.md"))
    return [(live.count(entry), kept.count(entry)) for entry in (ROUND, GAP)]


@second_tries
def test_each_kill_leaves_every_entry(killed):
    for folder, _said in killed[0]:
        assert all(live or archived for live, archived in places(folder)), folder.name


@second_tries
def test_the_next_command_leaves_each_entry_in_one_place_and_the_edit_where_it_is(killed):
    left, then = killed
    edited = False
    for folder, said in left:
        was = (folder / "ledger.md").read_text("utf-8")
        edited |= EDIT in was
        settled = disk.apply(folder, writes_nothing, ACT).settled
        found = places(folder)
        assert set(found) <= {(1, 0), (0, 1)}, folder.name
        assert (EDIT in (folder / "ledger.md").read_text("utf-8")) == (EDIT in was) == edited
        assert not (folder / disk.PENDING).exists()
        assert not list(folder.rglob("*.draft"))
        if said != "killed":
            assert settled == ()
            assert found == [(0, 1) if then is moves else (1, 0)] * 2
            kept = (folder / "archive/rounds.md").read_text("utf-8")
            assert kept == ARCHIVE + (ROUND if then is moves else "")


@pytest.mark.parametrize("killed", NO_MOVE, indirect=True)
def test_what_was_taken_back_is_live_from_then_on(killed):
    """Once the archive is without an entry again, no later kill lets it claim that entry."""
    back = False
    for folder, _said in killed[0]:
        (_, archived), _gap = places(folder)
        edited = EDIT in (folder / "ledger.md").read_text("utf-8")
        back |= edited and not archived
        disk.apply(folder, writes_nothing, ACT)
        assert not back or places(folder)[0] == (1, 0), folder.name
    assert back
