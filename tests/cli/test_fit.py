"""A goal that needs no graph is refused plainly, and the owner may go on."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("goal", ["Fix the typo in README.md", "让首页更好看一些"])
def test_a_goal_that_needs_no_graph_gets_advice_and_no_file(cli, repository, goal):
    done = cli("new", "deliver", goal, "--yes", cwd=repository)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("loopgraph: goal: ")
    assert "plain task" in done.err
    assert "--anyway" in done.err
    assert not (repository / ".longgraph").exists()
    assert cli("new", "deliver", goal, "--yes", "--anyway", cwd=repository).code == 0
