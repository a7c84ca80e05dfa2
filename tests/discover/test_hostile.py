"""A workspace that means harm: discovery finds what it can, and neither fails nor follows."""

from __future__ import annotations

import os
import sys

import pytest

from loopgraph import discover
from loopgraph.model.errors import LoopgraphError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such files there")

KNOWN = ["pyproject.toml", "package.json", "Makefile", "README.md", "AGENTS.md", "setup.cfg"]


@pytest.mark.parametrize("name", KNOWN)
def test_a_link_to_itself_is_passed_over(tmp_path, name):
    (tmp_path / name).symlink_to(name)
    assert discover.workspace(tmp_path).instructions == ()


@pytest.mark.parametrize("name", KNOWN)
def test_a_pipe_or_a_device_is_not_read(tmp_path, name):
    os.mkfifo(tmp_path / name)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / name).symlink_to("/dev/zero")
    assert discover.workspace(tmp_path).gates == ()


@pytest.mark.parametrize("scope", ["x" * 300, "x" * 5_000, "a\0b", "../..", "/etc"])
def test_a_scope_that_cannot_be_is_refused_in_one_line(tmp_path, scope):
    with pytest.raises(LoopgraphError) as caught:
        discover.workspace(tmp_path, scope=scope)
    assert caught.value.exit_code == 2


def test_half_a_character_in_a_name_is_shown_as_none(tmp_path):
    text = '{"name": "a\\ud83d", "description": "\\ud83d\\ude00 \\\\ud83d"}'
    (tmp_path / "package.json").write_text(text)
    assert discover.workspace(tmp_path).project.value == "a\ufffd"
