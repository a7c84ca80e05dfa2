"""Small state files on a real disk."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from loopgraph.disk import places
from loopgraph.edges.places import Change
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError

LOCK = ".longgraph/.lock"


def write(base, name, data=b"{}"):
    path = base / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def tree(base):
    return {
        path.relative_to(base).as_posix(): path.read_bytes()
        for path in base.rglob("*")
        if path.is_file()
    }


def test_files_are_found_by_name_and_by_ending(tmp_path):
    for name in ("a/x.md", "a/y.md", "a/.z.md", "a/n.json", "a/x.md.corrupt", "b.json"):
        write(tmp_path, name)
    found = places.load(tmp_path, ("a/*.md", "b.json", "none.json", "none/*.md"))
    assert sorted(found) == ["a/x.md", "a/y.md", "b.json"]


def test_markdown_may_hold_any_bytes_and_gets_them_back(tmp_path):
    data = b"a\r\n\xff\xfe\x00 b"
    write(tmp_path, "x.md", data)
    text = places.load(tmp_path, ("x.md",))["x.md"]
    places.apply(tmp_path, ("x.md",), lambda _: Change({"x.md": text + "!"}), lock=LOCK)
    assert (tmp_path / "x.md").read_bytes() == data + b"!"


@pytest.mark.parametrize("kind", ["link", "folder", "fifo", "bytes", "outside"])
def test_what_is_no_file_of_ours_is_refused_by_name(tmp_path, kind):
    base = tmp_path / "w"
    (base / "d").mkdir(parents=True)
    path = base / "d/x.json"
    if kind == "link":
        write(tmp_path, "real.json")
        path.symlink_to(tmp_path / "real.json")
    elif kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "bytes":
        path.write_bytes(b"\xff")
    else:
        (base / "d").rmdir()
        (tmp_path / "away").mkdir()
        (tmp_path / "away/x.json").write_text("{}")
        (base / "d").symlink_to(tmp_path / "away")
    with pytest.raises(UnreadableError):
        places.load(base, ("d/x.json",))
    with pytest.raises(UnreadableError):
        places.apply(base, ("d/x.json",), lambda _: Change({}), lock=LOCK)
    assert LOCK not in tree(base) or kind != "outside"


def test_a_refused_command_leaves_no_trace(tmp_path):
    def refuse(_):
        raise RefusedError("no")

    with pytest.raises(RefusedError):
        places.apply(tmp_path, ("x.json",), refuse, lock=LOCK)
    assert not list(tmp_path.iterdir())


def test_the_first_file_brings_the_housekeeping_and_no_draft_stays(tmp_path):
    change = Change({".longgraph/loops/a.md": "a", ".longgraph/x.json": "{}"})
    places.apply(tmp_path, (), lambda _: change, lock=LOCK)
    assert sorted(tree(tmp_path)) == [
        ".longgraph/.gitattributes",
        ".longgraph/.gitignore",
        ".longgraph/.lock",
        ".longgraph/loops/a.md",
        ".longgraph/x.json",
    ]
    assert b"/loops/\n" in tree(tmp_path)[".longgraph/.gitignore"]


def test_what_is_written_comes_before_what_is_removed(tmp_path):
    write(tmp_path, "old.json")
    seen = []

    def command(files):
        seen.append(dict(files))
        return Change({"old.json": None, "new.json": "{}"})

    places.apply(tmp_path, ("old.json",), command, lock=LOCK)
    assert seen[-1] == {"old.json": "{}"}
    assert "old.json" not in tree(tmp_path)
    assert tree(tmp_path)["new.json"] == b"{}"


def test_the_same_text_again_touches_nothing(tmp_path):
    write(tmp_path, "x.json")
    before = (tmp_path / "x.json").stat().st_ino
    places.apply(tmp_path, ("x.json",), lambda files: Change(dict(files)), lock=LOCK)
    assert (tmp_path / "x.json").stat().st_ino == before


@pytest.mark.unprivileged
def test_a_folder_that_cannot_be_written_is_told_in_a_line(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UsageError, match="cannot write"):
            places.apply(tmp_path, (), lambda _: Change({"x.json": "{}"}), lock=LOCK)
    finally:
        tmp_path.chmod(0o700)


def test_a_file_in_place_of_the_folder_is_told_in_a_line(tmp_path):
    (tmp_path / ".longgraph").write_text("")
    with pytest.raises((UsageError, UnreadableError)):
        places.apply(tmp_path, (), lambda _: Change({".longgraph/x": ""}), lock=LOCK)


COUNT = """
import sys
from pathlib import Path
from loopgraph.disk import places
from loopgraph.edges.places import Change

def command(files):
    return Change({"n.json": str(int(files.get("n.json", "0")) + 1)})

for _ in range(int(sys.argv[2])):
    places.apply(Path(sys.argv[1]), ("n.json",), command, lock=".longgraph/.lock")
"""


def test_processes_at_once_lose_nothing(tmp_path):
    running = [
        subprocess.Popen([sys.executable, "-c", COUNT, str(tmp_path), "10"]) for _ in range(4)
    ]
    assert [one.wait(120) for one in running] == [0] * 4
    assert (tmp_path / "n.json").read_text() == "40"
