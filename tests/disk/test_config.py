"""Where a user's own files are looked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from loopgraph.disk import config

HOME = str(Path(sys.prefix).absolute())
"""Some absolute path of this system."""
ELSEWHERE = str(Path(HOME) / "elsewhere")


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, ".config/loopgraph"),
        ("darwin", {}, "Library/Application Support/loopgraph"),
        ("win32", {}, "AppData/Roaming/loopgraph"),
        ("win32", {"APPDATA": ELSEWHERE}, "elsewhere/loopgraph"),
        ("linux", {"APPDATA": ELSEWHERE}, ".config/loopgraph"),
        ("linux", {"XDG_CONFIG_HOME": ELSEWHERE}, "elsewhere/loopgraph"),
        ("darwin", {"XDG_CONFIG_HOME": ELSEWHERE}, "elsewhere/loopgraph"),
        ("linux", {"XDG_CONFIG_HOME": "relative"}, ".config/loopgraph"),
        ("linux", {"XDG_CONFIG_HOME": ""}, ".config/loopgraph"),
        ("linux", {"XDG_CONFIG_HOME": HOME, "LOOPGRAPH_CONFIG": ELSEWHERE}, "elsewhere"),
        ("linux", {"LOOPGRAPH_CONFIG": ""}, ".config/loopgraph"),
    ],
)
def test_the_configuration_folder_is_where_its_system_keeps_such_things(platform, environ, folder):
    found = config.folder({"HOME": HOME, **environ}, platform=platform)
    assert found == Path(HOME, folder)


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, ".cache/loopgraph"),
        ("darwin", {}, "Library/Caches/loopgraph"),
        ("win32", {}, "AppData/Local/loopgraph/Cache"),
        ("win32", {"LOCALAPPDATA": ELSEWHERE}, "elsewhere/loopgraph/Cache"),
        ("linux", {"XDG_CACHE_HOME": ELSEWHERE}, "elsewhere/loopgraph"),
        ("win32", {"LOOPGRAPH_CACHE": ELSEWHERE}, "elsewhere"),
    ],
)
def test_the_cache_folder_is_where_its_system_keeps_such_things(platform, environ, folder):
    found = config.cache_folder({"HOME": HOME, **environ}, platform=platform)
    assert found == Path(HOME, folder)


def test_without_home_the_profile_of_windows_stands_in():
    assert config.folder({"USERPROFILE": HOME}, platform="linux") == Path(HOME, ".config/loopgraph")


def test_a_folder_named_relatively_is_made_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert config.folder({"LOOPGRAPH_CONFIG": "mine"}) == tmp_path / "mine"


def test_a_home_that_is_no_place_holds_no_cache(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert config.template_cache({"HOME": "relative"}) is None
    assert list(tmp_path.iterdir()) == []
