"""git that never answers is no reason to hang."""

from __future__ import annotations

import os
import sys

import pytest

from loopgraph.disk import git
from loopgraph.model.errors import UnreadableError
from tests.conftest import git as run_git


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders there")
@pytest.mark.parametrize("place", [".gitignore", ".git/index", ".git/config"])
def test_a_pipe_in_the_place_of_a_file_that_git_reads_ends_with_an_error(
    tmp_path, monkeypatch, place
):
    monkeypatch.setattr(git, "PATIENCE", 0.5)
    run_git(tmp_path, "init", "-q")
    (tmp_path / place).unlink(missing_ok=True)
    os.mkfifo(tmp_path / place)
    with pytest.raises(UnreadableError, match="no answer"):
        git.look(tmp_path)
