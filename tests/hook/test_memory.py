"""What the hook remembers: counts by session, in few files that are the user's alone."""

from __future__ import annotations

import os

import pytest

from loopgraph.hook import memory


def test_the_oldest_sessions_make_room(tmp_path):
    folder = tmp_path / memory.SESSIONS
    folder.mkdir()
    for number in range(memory.KEPT + 20):
        path = folder / f"old-{number:03}.json"
        path.write_text("{}", "utf-8")
        os.utime(path, (1000 + number, 1000 + number))
    new = memory.Memory(str(tmp_path), "new")
    new.set(held=1)
    assert new.save()
    left = sorted(path.name for path in folder.glob("*.json"))
    assert len(left) == memory.KEPT
    assert left[0] == "new.json"
    assert left[1] == "old-021.json"


def test_what_is_remembered_is_read_again_and_is_the_users_alone(tmp_path):
    first = memory.Memory(str(tmp_path), "claude:S/1")
    with first.lock():
        first.load()
        assert not first.broken
        first.set(held=3, key="é\ud800", fire=["r", "1"], answered=1.5)
        assert first.save()
    again = memory.Memory(str(tmp_path), "S/1")
    again.load()
    assert (again.number("held"), again.word("key"), again.moment("answered")) == (
        3,
        "é\ud800",
        1.5,
    )
    assert again.words("fire") == ["r", "1"]
    (path,) = (tmp_path / memory.SESSIONS).glob("*.json")
    if os.name != "nt":
        assert path.stat().st_mode & 0o077 == 0
        assert path.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("folder", [None, "\0", "/dev/null/x"])
def test_without_a_folder_nothing_is_remembered_and_nothing_breaks(folder):
    found = memory.Memory(folder, "s")
    found.load()
    assert found.number("held") == 0
    assert not found.save()
    with pytest.raises((OSError, ValueError)):
        found.lock()


def test_a_draft_that_a_crash_left_alone_is_what_is_remembered(tmp_path):
    first = memory.Memory(str(tmp_path), "s")
    with first.lock():
        first.set(held=3)
        assert first.save()
    path = tmp_path / memory.SESSIONS / "s.json"
    path.rename(f"{path}.draft")
    again = memory.Memory(str(tmp_path), "s")
    again.load()
    assert (again.number("held"), again.broken) == (3, False)
    again.set(held=4)
    assert again.save()
    assert [entry.name for entry in path.parent.glob("s*")] == ["s.json"]


def test_a_draft_that_is_half_written_is_not(tmp_path):
    first = memory.Memory(str(tmp_path), "s")
    with first.lock():
        first.set(held=3)
        assert first.save()
    (tmp_path / memory.SESSIONS / "s.json.draft").write_text('{"held":', "utf-8")
    again = memory.Memory(str(tmp_path), "s")
    again.load()
    assert again.number("held") == 3
    assert again.save()
