"""What git tracks, read from its index without git."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.hook import progress
from tests.conftest import git
from tests.hook.replay import index

NAMES = ["a", "a.b", "dir/a", "dir/ab", "dir/sub/c.py", "é 完", "x" * 200, "y/" * 60 + "z"]


@pytest.mark.parametrize("version", ["2", "3", "4"])
@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_every_form_of_the_index_is_read(tmp_path, version, algorithm):
    git(tmp_path, "init", "-q", f"--object-format={algorithm}")
    for name in NAMES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, "utf-8")
    git(tmp_path, "add", "-A")
    if version == "3":
        git(tmp_path, "add", "--intent-to-add", "-f", "--", "a")
        git(tmp_path, "update-index", "--skip-worktree", "a")
    git(tmp_path, "update-index", "--index-version", version)
    listed = git(tmp_path, "ls-files", "-z").split("\0")[:-1]
    data = (tmp_path / ".git/index").read_bytes()
    assert progress.tracked(data, 2000) == listed
    assert progress.tracked(data, 3) == listed[:3]


def moved(root, own):
    world: Any = SimpleNamespace(root=str(root), git="")
    return progress.tree(world, None, own)


def test_a_file_that_gets_another_name_has_moved(tmp_path):
    (tmp_path / "a.py").write_text("x")
    before = moved(tmp_path, [])
    assert moved(tmp_path, []) == before
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert moved(tmp_path, []) != before


@pytest.mark.parametrize("said", ["{0}/plan.md", "{0}/./plan.md", "{0}//plan.md"])
def test_the_plan_itself_is_no_work_however_its_path_is_written(tmp_path, said):
    (tmp_path / "plan.md").write_text("x")
    own = [said.format(tmp_path)]
    before = moved(tmp_path, own)
    (tmp_path / "plan.md").write_text("xx")
    assert moved(tmp_path, own) == before
    assert moved(tmp_path, []) != before


@given(st.binary() | st.binary().map(lambda data: index(["a", "b/c"])[: len(data)] + data))
def test_any_bytes_are_an_index_of_some_paths(data):
    assert isinstance(progress.tracked(data, 100), list)


def test_a_cut_index_gives_what_is_whole(tmp_path):
    data = index([f"file-{number:03}" for number in range(50)])
    for length in range(0, len(data), 7):
        names = progress.tracked(data[:length], 2000)
        assert names == [f"file-{number:03}" for number in range(len(names))]
