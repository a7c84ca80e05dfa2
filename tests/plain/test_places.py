"""Places: the same roots and folders everywhere, and names that are safe for any session id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.disk import config, roots
from loopgraph.hook import dialects
from loopgraph.hook.guard import Stop
from loopgraph.hook.world import World
from loopgraph.plain import places

IDS = st.text(min_size=1) | st.sampled_from(["con", "A", "a", "..", "a/b", "x" * 300, "codex:a"])


@given(IDS, IDS)
def test_a_session_has_a_file_name_of_its_own_that_is_safe(one, other):
    first, second = places.file_name(one), places.file_name(other)
    assert re.fullmatch(r"[a-z0-9._-]{1,80}", first)
    if places.bare_id(one) != places.bare_id(other):
        assert first != second


@given(st.binary(), st.binary())
def test_a_digest_tells_two_texts_apart(one, other):
    assert (places.digest(one) == places.digest(other)) == (one == other)
    swapped = one + b"a" + other + b"b"
    assert places.digest(swapped) != places.digest(one + b"b" + other + b"a")


@pytest.mark.parametrize(
    "written", ["", " ", "null", "NULL", "None", "codex:", "claude:null", None]
)
def test_nobody_is_nobody(written):
    assert places.named_id(written) is None
    assert not places.same_session(written, "s", "codex")
    assert not places.same_session("s", written or "", "codex")


@pytest.mark.parametrize(
    ("written", "same"),
    [("s", True), ("codex:s", True), ("claude:s", False), ("S", False), ("opencode:s", False)],
)
def test_a_bare_id_is_any_hosts(written, same):
    assert places.same_session(written, "s", "codex") is same
    assert places.same_session(written, "codex:s", "codex") is same


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize(
    "environ",
    [
        {"HOME": "/home/a"}, {"USERPROFILE": "/home/a"}, {"HOME": "/h", "XDG_CONFIG_HOME": "/c"},
        {"HOME": "/h", "XDG_CONFIG_HOME": "c"}, {"HOME": "/h", "APPDATA": "/d"},
        {"HOME": "/h", "LOOPGRAPH_CONFIG": "/own"},
    ],
)  # fmt: skip
def test_the_configuration_is_where_the_commands_look_for_it(environ, platform):
    found = places.config_folder(environ, platform)
    assert found is not None
    assert Path(found) == config.folder(environ, platform=platform)


@pytest.mark.parametrize(
    ("tree", "start"),
    [
        ([".longgraph/", "a/b/"], "a/b"), (["a/.longgraph/", "a/.git/", "a/b/"], "a/b"),
        ([".longgraph/", "a/.git/", "a/b/"], "a/b"), ([".longgraph/", "a/.git", "a/b/"], "a/b"),
        (["a/.git/", "a/b/c/"], "a/b/c"), (["a/b/"], "a/b"),
        (["a/b/.git/", "a/b/.longgraph/"], "a/b"),
        (["home/.longgraph/", "home/x/"], "home/x"), (["home/.git/", "home/x/"], "home/x"),
        (["home/.longgraph/"], "home"), (["a/.longgraph", "a/b/"], "a/b"),
    ],
)  # fmt: skip
def test_the_hook_finds_the_root_that_the_commands_find(tree, start, tmp_path):
    for name in tree:
        path = tmp_path / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("gitdir: elsewhere\n", "utf-8")
    environ = {"HOME": str(tmp_path / "home"), "LOOPGRAPH_STATE": str(tmp_path / "state")}
    (tmp_path / "home").mkdir(exist_ok=True)
    stop = Stop(dialects.load("codex"), {"session": "s", "cwd": str(tmp_path / start)})
    world = World(stop, environ)
    assert Path(world.root) == roots.find(None, tmp_path / start, environ)


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"HOME": "/h"}, "linux", "/h/.local/state/loopgraph"),
        ({"HOME": "/h", "XDG_STATE_HOME": "/s"}, "linux", "/s/loopgraph"),
        ({"HOME": "/h", "XDG_STATE_HOME": "s"}, "linux", "/h/.local/state/loopgraph"),
        ({"USERPROFILE": "C:/u", "LOCALAPPDATA": "C:/l"}, "win32", "C:/l/loopgraph"),
        ({"USERPROFILE": "C:/u", "LOCALAPPDATA": "C:/l"}, "linux", "C:/u/.local/state/loopgraph"),
        ({"HOME": "/h", "XDG_STATE_HOME": "/s", "LOOPGRAPH_STATE": "/own"}, "linux", "/own"),
        ({}, "linux", None), ({"HOME": ""}, "win32", None),
    ],
)  # fmt: skip
def test_the_state_is_below_the_users_home_unless_something_else_is_said(environ, platform, folder):
    assert places.state_folder(environ, platform) == folder


@pytest.mark.parametrize(
    ("session", "begins"),
    [
        ("codex:ab-1_2", "ab-1_2"), ("x" * 80, "x" * 80), ("x" * 81, f"{'x' * 24}."),
        ("A/b", "a-b."), ("", "."), ("é", "-."),
    ],
)  # fmt: skip
def test_a_file_of_a_session_bears_its_id_as_far_as_that_is_a_name(session, begins):
    found = places.file_name(session)
    assert found.startswith(begins)
    assert len(found) == len(begins) + (32 if begins.endswith(".") else 0)
