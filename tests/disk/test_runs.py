"""Creating a run directory: whole or not at all, whatever lies in its place."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import sys

import pytest

from loopgraph.disk import floor, runs
from loopgraph.model.errors import RefusedError, UsageError

FILES = {"executor.md": "one\n", "ledger.md": "two\n", "run.yaml": "three\n"}
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="no such files there")


def make(root, name="2026-01-02-x"):
    return runs.create(root, name, lambda _: FILES)


def left(root):
    home = root / ".longgraph"
    return sorted(entry.name for entry in home.iterdir()) if home.is_dir() else None


def test_the_files_know_the_name_that_was_free(tmp_path):
    (tmp_path / ".longgraph" / "2026-01-02-X").mkdir(parents=True)
    made = runs.create(tmp_path, "2026-01-02-x", lambda name: {"run.yaml": name})
    assert (made / "run.yaml").read_text() == made.name == "2026-01-02-x-2"


def test_a_refusal_while_the_files_are_made_leaves_nothing(tmp_path):
    def refuse(_):
        raise RefusedError("too long")

    with pytest.raises(RefusedError):
        runs.create(tmp_path, "2026-01-02-x", refuse)
    assert left(tmp_path) is None


def test_a_write_that_fails_leaves_nothing_of_a_new_folder(tmp_path):
    with pytest.raises(UsageError, match="cannot write"):
        runs.create(tmp_path, "2026-01-02-x", lambda _: {"no/such/folder": ""})
    assert left(tmp_path) is None


def test_a_write_that_fails_leaves_the_runs_of_others_and_their_housekeeping(tmp_path):
    make(tmp_path)
    before = left(tmp_path)
    with pytest.raises(UsageError, match="cannot write"):
        runs.create(tmp_path, "2026-01-02-y", lambda _: {"no/such/folder": ""})
    assert left(tmp_path) == before


def test_a_folder_made_in_vain_is_not_taken_from_somebody_who_has_filled_it(tmp_path):
    home = tmp_path / ".longgraph"

    def other(name):
        make(tmp_path, "2026-01-02-other")
        return {f"{name}/no": ""}

    with pytest.raises(UsageError, match="cannot write"):
        runs.create(tmp_path, "2026-01-02-x", other)
    assert {".gitattributes", ".gitignore", "2026-01-02-other"} <= set(left(tmp_path))
    assert home.is_dir()


@pytest.mark.parametrize("kind", ["file", "link", "folder"])
def test_what_stands_in_the_place_of_a_draft_does_not_stop_anybody(tmp_path, kind):
    home = tmp_path / ".longgraph"
    home.mkdir()
    aside = tmp_path / "aside"
    aside.mkdir()
    (aside / "kept").touch()
    draft = home / ".new-2026-01-02-x"
    match kind:
        case "file":
            draft.touch()
        case "link":
            draft.symlink_to(aside, target_is_directory=True)
        case "folder":
            draft.mkdir()
    assert make(tmp_path).name == "2026-01-02-x"
    assert (aside / "kept").exists()


def test_a_file_in_the_place_of_the_folder_is_named_and_kept(tmp_path):
    (tmp_path / ".longgraph").write_text("mine")
    with pytest.raises(UsageError, match="it is no folder"):
        make(tmp_path)
    assert (tmp_path / ".longgraph").read_text() == "mine"


@posix_only
def test_a_pipe_in_the_place_of_the_folder_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / ".longgraph")
    with pytest.raises(UsageError, match="it is no folder"):
        make(tmp_path)


def test_a_link_in_the_place_of_the_folder_is_not_followed(tmp_path):
    (tmp_path / "aside").mkdir()
    (tmp_path / ".longgraph").symlink_to(tmp_path / "aside", target_is_directory=True)
    with pytest.raises(UsageError, match="symbolic link"):
        make(tmp_path)
    assert list((tmp_path / "aside").iterdir()) == []


def test_the_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / ".longgraph" / ".lock").mkdir(parents=True)
    with pytest.raises(UsageError) as caught:
        make(tmp_path)
    assert caught.value.where.endswith(".lock")


def test_compiling_into_a_folder_spares_one_that_is_named_like_a_draft(tmp_path):
    mine = tmp_path / ".new-out"
    mine.mkdir()
    (mine / "kept").touch()
    runs.write_files(tmp_path / "out", FILES)
    assert (mine / "kept").exists()
    assert (tmp_path / "out" / "run.yaml").read_text() == "three\n"


def test_compiling_into_a_run_is_refused_at_any_depth(tmp_path):
    run = make(tmp_path)
    for place in (run / "again", run / "archive" / "again"):
        with pytest.raises(RefusedError, match="it lies in a run"):
            runs.write_files(place, FILES)
    assert not (run / "again").exists()


@pytest.mark.parametrize("place", ["no/out", "file/out", f"{'x' * 300}"])
def test_a_place_that_cannot_be_is_refused_in_one_line(tmp_path, place):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot write"):
        runs.write_files(tmp_path / place, FILES)


def test_a_link_that_leads_nowhere_is_not_written_through(tmp_path):
    (tmp_path / "out").symlink_to(tmp_path / "nowhere")
    with pytest.raises(RefusedError, match="it exists already"):
        runs.write_files(tmp_path / "out", FILES)
    assert not (tmp_path / "nowhere").exists()


@posix_only
def test_a_lock_on_a_file_that_was_taken_away_locks_nothing_and_is_taken_anew(tmp_path):
    path = tmp_path / ".lock"
    with floor.Lock(str(path)):
        path.unlink()
        with floor.Lock(str(path), wait=0.0):
            assert path.exists()


def _contend(root, number):
    refuses = number % 3 == 0
    for _ in range(12):
        try:
            runs.create(root, "2026-01-02-x", lambda _: {"no/such": ""} if refuses else dict(FILES))
        except UsageError:
            assert refuses


def test_calls_at_once_each_get_a_whole_run_though_others_fail(tmp_path):
    context = multiprocessing.get_context("spawn")
    callers = [context.Process(target=_contend, args=(tmp_path, number)) for number in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert [caller.exitcode for caller in callers] == [0] * 6
    made = runs.all_runs(tmp_path)
    assert len(made) == 4 * 12
    for run in made:
        assert {name: (run / name).read_text() for name in FILES} == FILES
    assert not [name for name in left(tmp_path) if name.startswith(".new-")]


STATES = ("active", "exit-ready", "stalled", "closed", None)


def only(runs_):
    return next(iter(runs_)) if len(runs_) == 1 else None


def expected(found):
    """The rule in other words; `found` is name to (status, held by a STOP of its own)."""
    if len(found) == 1:
        return only(found)
    living = {name: one for name, one in found.items() if one[0] != "closed"}
    if not living:
        living = found
    free = {name: one for name, one in living.items() if not one[1]} or living
    active = {name: one for name, one in free.items() if one[0] == "active"}
    return only(living) or only(free) or only(active)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_run_that_is_meant_follows_from_what_is_closed_stopped_and_active(tmp_path, count):
    kinds = [*itertools.product(STATES, (False, True))]
    seen = set()
    for at, states in enumerate(itertools.combinations_with_replacement(kinds, count)):
        root = tmp_path / str(at)
        found = {f"2026-01-0{day}-x": state for day, state in enumerate(states, 1)}
        for name, (status, stopped) in found.items():
            folder = root / ".longgraph" / name
            folder.mkdir(parents=True)
            header = f"Run status: `{status}`" if status else "nothing"
            (folder / "ledger.md").write_text(f"## Status header\n\n{header}\n", "utf-8")
            if stopped:
                (folder / "STOP").touch()
        wanted = expected(found)
        seen.add(wanted is None)
        if wanted:
            assert runs.find(None, root).name == wanted, found
            continue
        with pytest.raises(UsageError, match="could be meant") as caught:
            runs.find(None, root)
        assert "loopgraph status NAME" in caught.value.fix
        likely = [name for name, one in found.items() if one[0] != "closed"] or [*found]
        named = [name for name in found if name in caught.value.fix]
        assert set(named) <= set(likely)
        assert len(named) > 1
    assert seen == ({False} if count == 1 else {False, True})
