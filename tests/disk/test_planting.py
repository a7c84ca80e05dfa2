"""A tree with changes is the tree of all that is there then, however it came to be."""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.disk import git, planting
from loopgraph.disk.planting import Entry
from tests.conftest import git as run_git
from tests.disk import ground

NAMES = st.sampled_from(["a", "b", "a-", "a.b", "a0", "é", "x y", "\udcff"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
MODES = st.sampled_from(["100644", "100755", "120000", "160000"])
IDS = st.integers(0, 5).map(lambda number: f"{number:040x}")
ENTRIES = st.builds(Entry, MODES, IDS)


def above(path):
    parts = path.split("/")
    return {"/".join(parts[:end]) for end in range(1, len(parts))}


def lawful(files):
    """The same without those that stand where another has a folder."""
    folders = {folder for path in files for folder in above(path)}
    return {path: entry for path, entry in files.items() if path not in folders}


FILES = st.dictionaries(PATHS, ENTRIES, max_size=8).map(lawful)


def flat(store, tree, prefix=""):
    """Every file of a tree."""
    found = {}
    for name, entry in planting.parse(store[tree], 20).items():
        if entry.mode == planting.TREE:
            found.update(flat(store, entry.id, f"{prefix}{name}/"))
        else:
            found[f"{prefix}{name}"] = entry
    return found


def planted(store, tree, changes):
    """A tree with changes, by folders that are read from a store and put into it."""
    old = {}
    for folder in planting.folders(changes) if tree else ():
        at = tree
        for name in folder.split("/") if folder else ():
            entry = planting.parse(store[at], 20).get(name)
            at = entry.id if entry and entry.mode == planting.TREE else ""
            if not at:
                break
        if at:
            old[folder] = store[at]
    found = planting.plant(changes, old, "sha1")
    assert found is not None
    store.update(found.made)
    assert all(store[git.named(data, "sha1", "tree")] == data for data in found.folders.values()
               if data)  # fmt: skip
    return found.tree


@given(states=st.lists(FILES, min_size=1, max_size=4))
def test_a_changed_tree_is_the_tree_of_what_is_there(states):
    store: dict[str, bytes] = {}
    tree = ""
    was: dict[str, Entry] = {}
    for files in states:
        changes = {path: None for path in was if path not in files}
        changes |= {path: entry for path, entry in files.items() if was.get(path) != entry}
        tree = planted(store, tree, changes)
        assert flat(store, tree) == files
        assert tree == planted({}, "", files)
        was = files


def test_where_a_folder_of_the_old_tree_is_gone_there_is_no_new_one():
    store: dict[str, bytes] = {}
    entry = Entry("100644", "1" * 40)
    tree = planted(store, "", {"a/b/c": entry, "d": entry})
    root = {"": store[tree]}
    assert planting.plant({"d": None}, root, "sha1")
    assert planting.plant({"a/x": entry}, root, "sha1") is None
    assert planting.plant({"a/b/c": None}, root, "sha1") is None


def test_what_does_not_change_is_not_written():
    store: dict[str, bytes] = {}
    entry = Entry("100644", "1" * 40)
    tree = planted(store, "", {"a/b": entry})
    old = {"": store[tree], "a": planting.written({"b": entry})}
    found = planting.plant({"a/b": entry}, old, "sha1")
    assert found
    assert (found.tree, found.made) == (tree, {})


@pytest.mark.skipif(os.name == "nt", reason="names that Windows cannot have")
def test_it_has_the_id_that_git_gives_it(tmp_path):
    repo = ground.odd_names(tmp_path / "work")
    for name in ("a/b", "a-b", "a.b", "a0", "z/a/b/c", "z-/a"):
        ground.write(repo / name, name)
    run_git(repo, "add", "-A")
    files = {}
    listed = subprocess.run(
        ["git", "ls-files", "-s", "-z"], cwd=repo, check=True, capture_output=True
    ).stdout
    for record in os.fsdecode(listed).split("\0")[:-1]:
        head, _, path = record.partition("\t")
        mode, id_, _stage = head.split()
        files[path] = Entry(mode, id_)
    assert planted({}, "", files) == run_git(repo, "write-tree").strip()
