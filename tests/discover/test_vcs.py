"""Repositories of a workspace, and the one walk that says which files there are."""

from __future__ import annotations

import os

import pytest

from loopgraph.discover import vcs
from tests.conftest import git

POSIX = pytest.mark.skipif(os.name == "nt", reason="links and names that Windows cannot have")


def write(root, *paths, text="x"):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def commit(folder):
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "start")


def test_with_git_the_files_are_the_tracked_and_the_fresh_ones_but_no_ignored_or_gone(tmp_path):
    write(tmp_path, "a.py", "b.py", "gone.py", ".gitignore", text="*.log\n")
    commit(tmp_path)
    write(tmp_path, "new.py", "noise.log", ".longgraph/2026-01-01-a/ledger.md")
    (tmp_path / "gone.py").unlink()
    seen = vcs.see(tmp_path)
    assert seen.paths == (
        ".gitignore",
        ".longgraph/2026-01-01-a/ledger.md",
        "a.py",
        "b.py",
        "new.py",
    )


def test_runs_never_count_as_dirty(tmp_path):
    write(tmp_path, "a.py", ".longgraph/.gitignore")
    commit(tmp_path)
    write(tmp_path, ".longgraph/2026-01-01-a/ledger.md", "a.py", text="y")
    (only,) = vcs.see(tmp_path).repositories
    assert [(change.path, change.status) for change in only.dirty] == [("a.py", ".M")]
    assert only.dirty_count == 1


def test_a_dirty_path_has_the_blob_of_what_lies_there_now(tmp_path):
    write(tmp_path, "a.py", "b.py")
    commit(tmp_path)
    write(tmp_path, "a.py", text="changed\n")
    (tmp_path / "b.py").unlink()
    (only,) = vcs.see(tmp_path).repositories
    assert [change.blob for change in only.dirty] == [
        git(tmp_path, "hash-object", "a.py").strip(),
        "",
    ]


def test_past_five_hundred_the_count_and_the_digest_still_bind(tmp_path):
    write(tmp_path, "a.py")
    commit(tmp_path)
    write(tmp_path, *(f"new/{n:03}.txt" for n in range(503)))
    (first,) = vcs.see(tmp_path).repositories
    assert (len(first.dirty), first.dirty_count) == (500, 503)
    (tmp_path / "new/502.txt").rename(tmp_path / "new/999.txt")
    (second,) = vcs.see(tmp_path).repositories
    assert second.dirty == first.dirty
    assert second.dirty_digest != first.dirty_digest


def test_the_digest_also_binds_content(tmp_path):
    write(tmp_path, "a.py")
    commit(tmp_path)
    write(tmp_path, "a.py", text="one")
    first = vcs.see(tmp_path).repositories
    write(tmp_path, "a.py", text="two")
    assert vcs.see(tmp_path).repositories[0].dirty_digest != first[0].dirty_digest


def test_several_repositories_below_a_workspace_without_git(tmp_path):
    for name in ("api", "web"):
        write(tmp_path, f"{name}/main.py")
        commit(tmp_path / name)
    write(tmp_path, "notes.md", "node_modules/x/index.js", ".hidden/x.py")
    seen = vcs.see(tmp_path)
    assert [each.path for each in seen.repositories] == ["api", "web"]
    assert seen.paths == ("api/main.py", "notes.md", "web/main.py")


def test_a_repository_inside_another_is_listed_and_keeps_its_files(tmp_path):
    write(tmp_path, "main.py")
    commit(tmp_path)
    write(tmp_path, "tools/own/tool.py")
    commit(tmp_path / "tools/own")
    seen = vcs.see(tmp_path)
    assert [each.path for each in seen.repositories] == [".", "tools/own"]
    assert seen.paths == ("main.py",)
    assert [change.path for change in seen.repositories[0].dirty] == ["tools/own/"]


def test_a_submodule_is_a_repository_of_its_own(tmp_path):
    write(tmp_path, "library/lib.py", "top/main.py")
    commit(tmp_path / "library")
    commit(tmp_path / "top")
    allowed = ("-c", "protocol.file.allow=always")
    git(tmp_path / "top", *allowed, "submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    seen = vcs.see(tmp_path / "top")
    assert [each.path for each in seen.repositories] == [".", "lib"]
    assert "lib/lib.py" not in seen.paths


def test_from_a_folder_inside_a_repository_only_that_folder_counts(tmp_path):
    write(tmp_path, "api/a.py", "web/b.js")
    commit(tmp_path)
    write(tmp_path, "api/a.py", "web/b.js", text="changed")
    seen = vcs.see(tmp_path / "api")
    assert seen.paths == ("a.py",)
    assert [(each.path, each.dirty_count) for each in seen.repositories] == [(".", 1)]


def test_without_git_a_walk_finds_the_same_files(tmp_path):
    write(tmp_path, "src/a.py", "tests/test_a.py", "README.md", ".github/workflows/ci.yml")
    plain = vcs.see(tmp_path, {"PATH": ""})
    commit(tmp_path)
    assert plain.paths == vcs.see(tmp_path).paths
    assert plain.repositories == ()


@POSIX
def test_a_walk_follows_no_link_and_survives_what_cannot_be_read(tmp_path):
    write(tmp_path, "real/a.py")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    assert vcs.see(tmp_path, {"PATH": ""}).paths == ("real/a.py",)


@POSIX
def test_a_name_that_is_no_utf8_is_shown_among_the_dirty_and_left_out_of_the_files(tmp_path):
    write(tmp_path, "a.py")
    commit(tmp_path)
    write(tmp_path, os.fsdecode(b"caf\xe9.py"))
    seen = vcs.see(tmp_path)
    assert seen.paths == ("a.py",)
    assert seen.repositories[0].dirty[0].path == "caf\\xe9.py"


@POSIX
def test_names_with_blanks_quotes_line_ends_and_cjk_are_kept(tmp_path):
    names = ("a b.py", "it's.py", "new\nline.py", "仓库.py", "🎉.py")
    write(tmp_path, *names)
    commit(tmp_path)
    assert set(vcs.see(tmp_path).paths) == set(names)


def test_origin_comes_from_the_roots_own_repository_else_the_first_below(tmp_path):
    for name in ("b", "a"):
        write(tmp_path, f"{name}/x.py")
        commit(tmp_path / name)
        git(tmp_path / name, "remote", "add", "origin", f"https://h.example/team/{name}.git")
    assert vcs.see(tmp_path).origin == "https://h.example/team/a.git"
    assert vcs.see(tmp_path / "b").origin == "https://h.example/team/b.git"


# ── submodules, worktrees, and repositories in repositories ─────────────────────────────

ALLOWED = ("-c", "protocol.file.allow=always")


def with_submodule(folder, library, place):
    git(folder, *ALLOWED, "submodule", "--quiet", "add", str(library), place)
    git(folder, "commit", "-q", "-m", f"add {place}")


def test_a_submodule_of_a_submodule_is_a_repository_too(tmp_path):
    for name in ("inner", "middle", "top"):
        write(tmp_path / name, f"{name}.py")
        commit(tmp_path / name)
    with_submodule(tmp_path / "middle", tmp_path / "inner", "libs/inner one")
    with_submodule(tmp_path / "top", tmp_path / "middle", "middle")
    git(tmp_path / "top", *ALLOWED, "submodule", "--quiet", "update", "--init", "--recursive")
    write(tmp_path / "top/middle/libs/inner one", "inner.py", text="changed")
    seen = vcs.see(tmp_path / "top")
    assert [(each.path, each.dirty_count) for each in seen.repositories] == [
        (".", 0), ("middle", 0), ("middle/libs/inner one", 1),
    ]  # fmt: skip


def test_a_submodule_is_known_by_the_index_and_not_by_what_a_file_says(tmp_path):
    for name in ("library", "top"):
        write(tmp_path / name, f"{name}.py")
        commit(tmp_path / name)
    with_submodule(tmp_path / "top", tmp_path / "library", "lib")
    (tmp_path / "top/.gitmodules").write_text("nonsense", "utf-8")
    assert [each.path for each in vcs.see(tmp_path / "top").repositories] == [".", "lib"]


def test_a_submodule_that_nobody_fetched_is_no_repository(tmp_path):
    for name in ("library", "top"):
        write(tmp_path / name, f"{name}.py")
        commit(tmp_path / name)
    with_submodule(tmp_path / "top", tmp_path / "library", "lib")
    git(tmp_path, "clone", "-q", str(tmp_path / "top"), "copy")
    assert [each.path for each in vcs.see(tmp_path / "copy").repositories] == ["."]


@POSIX
def test_a_submodule_whose_place_links_elsewhere_is_not_followed(tmp_path):
    for name in ("library", "top", "elsewhere"):
        write(tmp_path / name, f"{name}.py")
        commit(tmp_path / name)
    with_submodule(tmp_path / "top", tmp_path / "library", "lib")
    (tmp_path / "top/lib").rename(tmp_path / "gone")
    (tmp_path / "top/lib").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert [each.path for each in vcs.see(tmp_path / "top").repositories] == ["."]


def test_a_worktree_is_its_own_workspace_and_no_part_of_the_others(tmp_path):
    write(tmp_path / "top", "a.py")
    commit(tmp_path / "top")
    git(tmp_path / "top", "worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    write(tmp_path / "tree", "b.py")
    (side,) = vcs.see(tmp_path / "tree").repositories
    assert (side.path, side.branch, [c.path for c in side.dirty]) == (".", "side", ["b.py"])
    (main,) = vcs.see(tmp_path / "top").repositories
    assert (main.branch, main.dirty) == ("main", ())


def test_repositories_below_a_workspace_each_have_their_own_branch_and_changes(tmp_path):
    for name in ("api", "deep/er/web"):
        write(tmp_path / name, "main.py")
        commit(tmp_path / name)
    git(tmp_path / "api", "checkout", "-q", "--detach")
    write(tmp_path / "deep/er/web", "main.py", text="changed")
    assert [(r.path, r.branch, r.dirty_count) for r in vcs.see(tmp_path).repositories] == [
        ("api", "", 0), ("deep/er/web", "main", 1),
    ]  # fmt: skip


def test_an_unborn_branch_has_a_name_and_no_commit(tmp_path):
    git(tmp_path, "init", "-q", "-b", "later")
    write(tmp_path, "a.py")
    (only,) = vcs.see(tmp_path).repositories
    assert (only.branch, only.head, only.dirty_count) == ("later", "", 1)
