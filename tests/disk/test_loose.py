"""An object that we write is the one that git would have written, whole and under its name."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from loopgraph.disk import floor, git, loose, planting
from loopgraph.disk.loose import Loose
from loopgraph.disk.planting import Entry
from tests.conftest import git as run_git
from tests.disk import ground

BLOBS = (b"", b"x\n", b"\0\xff" * 40_000, os.urandom(3000), b"blob 3\0abc")


@pytest.fixture(params=["sha1", "sha256"])
def repo(request, tmp_path):
    return ground.started(tmp_path / "work", f"--object-format={request.param}")


def algorithm(repo):
    return run_git(repo, "rev-parse", "--show-object-format").strip()


def objects(repo):
    return repo / ".git/objects"


def show(repo, kind, id_):
    return subprocess.run(
        ["git", "cat-file", kind, id_], cwd=repo, check=True, capture_output=True
    ).stdout


def test_git_reads_what_was_written_and_finds_no_fault(repo):
    with Loose(objects(repo), algorithm(repo)) as written:
        blobs = {written.add(data): data for data in BLOBS}
        rows = {f"f{at}": Entry("100644", id_) for at, id_ in enumerate(blobs)}
        tree = written.add(planting.written(rows), "tree")
        said = f"object {tree}\ntype tree\ntag R1\ntagger a <a@b> 1767323045 +0000\n\nR1\n".encode()
        tag = written.add(said, "tag")
    assert {id_: show(repo, "blob", id_) for id_ in blobs} == blobs
    assert show(repo, "tag", tag) == said
    assert run_git(repo, "ls-tree", "--name-only", tag).split() == sorted(rows)
    run_git(repo, "update-ref", "refs/loopgraph/x", tag)
    assert run_git(repo, "fsck", "--strict") == ""
    run_git(repo, "gc", "-q", "--prune=now")
    assert show(repo, "tag", tag) == said


def test_its_id_is_the_one_that_git_gives(repo):
    for data in BLOBS:
        told = subprocess.run(
            ["git", "hash-object", "--stdin"], cwd=repo, input=data, check=True, capture_output=True
        ).stdout
        assert git.named(data, algorithm(repo)) == told.decode().strip()


def place_of(repo, id_):
    return objects(repo) / id_[:2] / id_[2:]


def add(repo, data=b"again\n"):
    with Loose(objects(repo), algorithm(repo)) as written:
        return place_of(repo, written.add(data))


def test_what_is_there_is_not_written_again_and_counts_as_new(repo):
    place = add(repo)
    os.utime(place, (1, 1))
    before = place.stat()
    assert add(repo) == place
    assert place.stat().st_ino == before.st_ino
    assert place.stat().st_mtime > before.st_mtime


def test_an_empty_file_that_a_power_cut_left_is_replaced(repo):
    place = add(repo)
    place.chmod(0o644)
    place.write_bytes(b"")
    add(repo)
    assert show(repo, "blob", place.parent.name + place.name) == b"again\n"


@pytest.fixture
def as_windows(monkeypatch):
    """A system that neither removes nor replaces a file that nobody may write."""

    def guarded(real):
        def call(*places):
            last = places[-1]
            if os.path.exists(last) and not os.stat(last).st_mode & stat.S_IWUSR:  # noqa: PTH110, PTH116
                raise PermissionError(13, "Access is denied", last)
            return real(*places)

        return call

    monkeypatch.setattr(os, "unlink", guarded(os.unlink))
    monkeypatch.setattr(os, "replace", guarded(os.replace))


def test_where_a_file_that_nobody_may_write_stays_no_draft_is_left(repo, monkeypatch, as_windows):
    def fails(*_):
        raise PermissionError(13, "Access is denied")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(PermissionError):
        add(repo)
    assert not list(objects(repo).rglob("tmp_obj_*"))


def test_where_a_file_that_nobody_may_write_stays_an_empty_object_is_replaced(repo, as_windows):
    place = add(repo)
    place.chmod(0o644)
    place.write_bytes(b"")
    place.chmod(0o444)
    add(repo)
    assert show(repo, "blob", place.parent.name + place.name) == b"again\n"


def test_the_name_of_an_object_is_made_durable_after_it_is_given(repo, monkeypatch):
    synced = {}

    def noting(folder):
        synced[Path(folder)] = {one.name for one in Path(folder).iterdir()}

    monkeypatch.setattr(floor, "sync_folder", noting)
    place = add(repo, os.urandom(9))
    assert place.name in synced[place.parent]
    assert place.parent.name in synced[objects(repo)]
    add(repo)
    synced.clear()
    add(repo)
    assert synced == {}


def test_many_at_once_are_all_there(repo, monkeypatch):
    monkeypatch.setattr(loose, "_MANY", 3)
    with Loose(objects(repo), algorithm(repo)) as written:
        ids = [written.add(b"%d\n" % number) for number in range(9)]
    assert [show(repo, "blob", id_) for id_ in ids] == [b"%d\n" % number for number in range(9)]


def test_what_cannot_be_written_leaves_nothing(repo):
    place = place_of(repo, git.named(b"again\n", algorithm(repo)))
    place.parent.write_text("a file in the place of a folder", "utf-8")
    with pytest.raises(OSError, match=place.parent.name):
        add(repo)
    assert not list(objects(repo).rglob("tmp_obj_*"))


@pytest.mark.skipif(os.name == "nt", reason="rights")
@pytest.mark.parametrize(("rights", "file"), [(0o2775, 0o444), (0o2770, 0o440), (0o755, 0o400)])
def test_where_others_may_write_they_can_read_what_came_new(repo, rights, file):
    objects(repo).chmod(rights)
    there = {one.name for one in objects(repo).iterdir()}
    texts = (b"%d\n" % number for number in range(99))
    new = next(one for one in texts if git.named(one, algorithm(repo))[:2] not in there)
    old = os.umask(0o077)
    try:
        place = add(repo, new)
    finally:
        os.umask(old)
    shared = bool(rights & 0o020)
    assert stat.S_IMODE(place.stat().st_mode) == file
    assert stat.S_IMODE(place.parent.stat().st_mode) == (rights if shared else 0o700)
