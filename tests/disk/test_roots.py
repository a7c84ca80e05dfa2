"""Where a workspace begins."""

import pytest

from loopgraph.disk.roots import find
from loopgraph.model.errors import UsageError


@pytest.fixture
def tree(tmp_path):
    for folder in ("home/work/repo/.git", "home/work/repo/src/deep", "home/work/other"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path / "home"


def at(tree, *, cwd, home=None, named=None, **environ):
    return (
        find(named, tree / cwd, {"HOME": str(home or tree), **environ}).relative_to(tree).as_posix()
    )


def test_the_git_top_is_the_root(tree):
    assert at(tree, cwd="work/repo/src/deep") == "work/repo"


def test_a_folder_without_git_is_its_own_root(tree):
    assert at(tree, cwd="work/other") == "work/other"


def test_runs_above_the_git_top_are_found(tree):
    (tree / "work/.longgraph").mkdir()
    assert at(tree, cwd="work/repo/src") == "work"


def test_the_nearest_runs_win(tree):
    (tree / "work/.longgraph").mkdir()
    (tree / "work/repo/.longgraph").mkdir()
    assert at(tree, cwd="work/repo/src") == "work/repo"


def test_runs_in_home_itself_are_passed_over(tree):
    (tree / ".longgraph").mkdir()
    assert at(tree, cwd="work/repo/src") == "work/repo"


def test_a_home_that_only_windows_names_is_passed_over_too(tree):
    (tree / ".longgraph").mkdir()
    found = find(None, tree / "work/other", {"USERPROFILE": str(tree)})
    assert found == tree / "work/other"


def test_a_worktree_is_its_own_root(tree):
    (tree / "work/.longgraph").mkdir()
    (tree / "work/repo/trees/one").mkdir(parents=True)
    (tree / "work/repo/trees/one/.git").write_text("gitdir: elsewhere\n")
    assert at(tree, cwd="work/repo/trees/one") == "work/repo/trees/one"


def test_a_named_workspace_wins_over_the_environment(tree):
    assert at(tree, cwd="work/repo", named="../other", LOOPGRAPH_DIR=str(tree)) == "work/other"
    assert at(tree, cwd="work/repo", LOOPGRAPH_DIR=str(tree / "work/other")) == "work/other"


@pytest.mark.parametrize(
    ("named", "environ", "source"),
    [("nowhere", {}, "--workspace"), (None, {"LOOPGRAPH_DIR": "nowhere"}, "LOOPGRAPH_DIR")],
)
def test_a_named_folder_that_is_not_there_is_refused(tree, named, environ, source):
    with pytest.raises(UsageError) as refused:
        find(named, tree, environ)
    assert refused.value.where.startswith(source)
