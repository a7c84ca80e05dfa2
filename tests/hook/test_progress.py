"""What git tracks, read from its index without git."""

from __future__ import annotations

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


@given(st.binary() | st.binary().map(lambda data: index(["a", "b/c"])[: len(data)] + data))
def test_any_bytes_are_an_index_of_some_paths(data):
    assert isinstance(progress.tracked(data, 100), list)


def test_a_cut_index_gives_what_is_whole(tmp_path):
    data = index([f"file-{number:03}" for number in range(50)])
    for length in range(0, len(data), 7):
        names = progress.tracked(data[:length], 2000)
        assert names == [f"file-{number:03}" for number in range(len(names))]
