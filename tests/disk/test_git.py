"""What git says of a repository, with nothing that the repository configured being run."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from loopgraph.disk import git
from tests.conftest import PROJECT
from tests.conftest import git as run

POSIX = pytest.mark.skipif(os.name == "nt", reason="names that Windows cannot have")


@pytest.fixture
def repo(tmp_path):
    """A repository with one commit of three files."""
    folder = tmp_path / "repo"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main")
    for name in ("a.txt", "b.txt", "sub/c.txt"):
        write(folder / name, f"{name}\n")
    run(folder, "add", "-A")
    run(folder, "commit", "-q", "-m", "start")
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


def look(folder: Path) -> git.Look:
    found = git.look(folder)
    assert found is not None
    return found


def changes(folder: Path) -> dict[str, str]:
    return {change.path: change.status for change in look(folder).changes}


# ── values, not errors ──────────────────────────────────────────────────────────────────


def test_a_clean_repository_has_a_branch_a_head_and_no_changes(repo):
    found = look(repo)
    assert (found.branch, found.changes, found.algorithm) == ("main", (), "sha1")
    assert found.head == run(repo, "rev-parse", "HEAD").strip()
    assert found.tracked == ("a.txt", "b.txt", "sub/c.txt")


def test_no_repository_is_none(tmp_path):
    assert git.look(tmp_path) is None


def test_no_git_on_path_is_none(repo, tmp_path):
    assert git.look(repo, {"PATH": str(tmp_path)}) is None


@pytest.mark.unprivileged
def test_a_folder_on_path_that_is_closed_to_us_is_passed_over(repo, tmp_path):
    closed = tmp_path / "closed"
    (closed / "bin").mkdir(parents=True)
    closed.chmod(0)
    try:
        path = f"{closed / 'bin'}{os.pathsep}{os.environ['PATH']}"
        assert git.executable({"PATH": path}) == git.executable({"PATH": os.environ["PATH"]})
    finally:
        closed.chmod(0o700)


def test_a_broken_repository_is_none(repo):
    (repo / ".git/HEAD").write_text("garbage", "utf-8")
    assert git.look(repo) is None


def test_an_unborn_branch_has_a_name_and_no_head(tmp_path):
    run(tmp_path, "init", "-q", "-b", "later")
    write(tmp_path / "new.txt", "x")
    found = look(tmp_path)
    assert (found.branch, found.head) == ("later", "")
    assert found.changes == (git.Changed("new.txt", "??"),)


def test_a_detached_head_has_a_commit_and_no_branch(repo):
    run(repo, "checkout", "-q", "--detach")
    found = look(repo)
    assert found.branch == ""
    assert len(found.head) == 40


def test_a_repository_of_sha256_names_its_blobs_so(tmp_path):
    run(tmp_path, "init", "-q", "--object-format=sha256")
    write(tmp_path / "a.txt", "hello\n")
    found = look(tmp_path)
    assert found.algorithm == "sha256"
    told = run(tmp_path, "hash-object", "--no-filters", "a.txt").strip()
    assert git.blob(tmp_path / "a.txt", found.algorithm) == told


def test_origin_is_the_url_of_that_remote(repo):
    assert look(repo).origin == ""
    run(repo, "remote", "add", "upstream", "https://example.invalid/other.git")
    run(repo, "remote", "add", "origin", "https://example.invalid/team/shop.git")
    assert look(repo).origin == "https://example.invalid/team/shop.git"


# ── kinds of change ─────────────────────────────────────────────────────────────────────


def test_every_kind_of_change_has_its_two_letters(repo):
    write(repo / "a.txt", "changed\n")
    (repo / "sub/c.txt").unlink()
    write(repo / "staged.txt", "x")
    write(repo / "both.txt", "x")
    run(repo, "add", "staged.txt", "both.txt")
    write(repo / "both.txt", "y")
    write(repo / "new/deep/file.txt", "x")
    assert changes(repo) == {
        "a.txt": ".M",
        "sub/c.txt": ".D",
        "staged.txt": "A.",
        "both.txt": "AM",
        "new/deep/file.txt": "??",
    }


def test_a_file_that_only_the_index_forgot_is_listed_as_both(repo):
    run(repo, "rm", "-q", "--cached", "b.txt")
    assert look(repo).changes == (git.Changed("b.txt", "??"), git.Changed("b.txt", "D."))


def test_a_rename_is_its_old_path_deleted_and_its_new_one_added(repo):
    run(repo, "mv", "a.txt", "moved.txt")
    assert changes(repo) == {"a.txt": "D.", "moved.txt": "A."}


def test_a_conflict_is_listed(repo):
    run(repo, "checkout", "-q", "-b", "other")
    write(repo / "a.txt", "theirs\n")
    run(repo, "commit", "-q", "-am", "theirs")
    run(repo, "checkout", "-q", "main")
    write(repo / "a.txt", "ours\n")
    run(repo, "commit", "-q", "-am", "ours")
    with pytest.raises(subprocess.CalledProcessError):
        run(repo, "merge", "other")
    assert changes(repo) == {"a.txt": "UU"}
    assert look(repo).tracked == ("a.txt", "b.txt", "sub/c.txt")


def test_an_ignored_file_is_no_change(repo):
    write(repo / ".git/info/exclude", "*.log\n")
    write(repo / "noise.log", "x")
    assert changes(repo) == {}


def test_the_owners_own_ignore_file_counts(repo, tmp_path):
    home = tmp_path / "home"
    write(home / ".gitconfig", "[core]\n\texcludesFile = ~/ignored\n")
    write(home / "ignored", "*.swp\n")
    write(repo / "x.swp", "x")
    found = git.look(repo, {"PATH": os.environ["PATH"], "HOME": str(home)})
    assert found is not None
    assert found.changes == ()


@POSIX
@pytest.mark.parametrize(
    "name",
    [
        "with blank.txt", " leading", "trailing ", 'quo"te', "it's", "new\nline", "tab\there",
        "back\\slash", "仓库/文件.txt", "émoji 🎉", "-dash", "--version", ":(top)magic", "*.txt",
        "? q", "1 .M N...", "# branch.head x",
    ],
)  # fmt: skip
def test_an_odd_name_arrives_as_it_is(repo, name):
    write(repo / name, "x")
    assert changes(repo) == {name: "??"}
    run(repo, "add", "-A")
    run(repo, "commit", "-q", "-m", "odd")
    assert name in look(repo).tracked
    write(repo / name, "y")
    assert changes(repo) == {name: ".M"}


@POSIX
def test_a_name_that_is_no_utf8_keeps_its_bytes(repo):
    Path(os.fsdecode(os.fsencode(repo) + b"/caf\xe9")).write_bytes(b"x")
    (change,) = look(repo).changes
    assert os.fsencode(change.path) == b"caf\xe9"
    assert git.blob(repo / change.path) == sha1(b"x")


# ── where one looks from ────────────────────────────────────────────────────────────────


def test_from_a_folder_inside_paths_are_relative_to_it_and_others_are_left_out(repo):
    write(repo / "sub/new.txt", "x")
    write(repo / "a.txt", "changed")
    found = look(repo / "sub")
    assert found.changes == (git.Changed("new.txt", "??"),)
    assert found.tracked == ("c.txt",)
    assert found.branch == "main"


def test_a_worktree_is_its_own_top(repo, tmp_path):
    place = tmp_path / "wörk tree"
    run(repo, "worktree", "add", "-q", "-b", "side", str(place))
    write(place / "a.txt", "changed")
    assert git.top(place / "sub") == place
    assert look(place).branch == "side"
    assert changes(place) == {"a.txt": ".M"}
    assert changes(repo) == {}


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "library"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "trunk")
    write(folder / "lib.txt", "x\n")
    run(folder, "add", "-A")
    run(folder, "commit", "-q", "-m", "lib")
    return folder


def with_submodule(repo: Path, library: Path) -> Path:
    allowed = ("-c", "protocol.file.allow=always")
    run(repo, *allowed, "submodule", "--quiet", "add", str(library), "vendor/lib")
    run(repo, "commit", "-q", "-m", "add lib")
    return repo / "vendor/lib"


def test_a_submodule_is_one_path_outside_and_its_own_top_inside(repo, library):
    inner = with_submodule(repo, library)
    assert git.top(inner) == inner
    assert "vendor/lib" in look(repo).tracked
    assert look(inner).tracked == ("lib.txt",)
    write(inner / "lib.txt", "changed\n")
    assert changes(inner) == {"lib.txt": ".M"}
    assert changes(repo) == {}


def test_a_submodule_at_another_commit_is_a_change_outside(repo, library):
    inner = with_submodule(repo, library)
    write(inner / "more.txt", "x")
    run(inner, "add", "-A")
    run(inner, "commit", "-q", "-m", "more")
    assert changes(repo) == {"vendor/lib": ".M"}


def test_an_untracked_repository_is_one_path_with_a_slash(repo, library):
    shutil.copytree(library, repo / "inner")
    assert changes(repo) == {"inner/": "??"}


def test_variables_of_a_running_git_hook_are_not_obeyed(repo, library):
    environ = {**os.environ, "GIT_DIR": str(library / ".git"), "GIT_INDEX_FILE": "elsewhere"}
    found = git.look(repo, environ)
    assert found == look(repo)


def test_a_configured_work_tree_elsewhere_is_not_followed(repo, tmp_path):
    other = tmp_path / "other"
    write(other / "secret.txt", "x")
    run(repo, "config", "core.worktree", str(other))
    found = look(repo)
    assert found.changes == ()
    assert found.tracked == ("a.txt", "b.txt", "sub/c.txt")


# ── blobs ───────────────────────────────────────────────────────────────────────────────


def sha1(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@pytest.mark.parametrize("data", [b"", b"x", b"a\r\nb\r\n", bytes(range(256)), "仓库".encode()])
def test_a_blob_id_is_gits_own_without_filters(repo, data):
    (repo / "x.bin").write_bytes(data)
    run(repo, "config", "core.autocrlf", "true")
    assert git.blob(repo / "x.bin") == run(repo, "hash-object", "--no-filters", "x.bin").strip()


@POSIX
def test_a_links_blob_is_its_target_and_is_not_followed(repo):
    (repo / "link").symlink_to("/etc/hostname")
    assert git.blob(repo / "link") == sha1(b"/etc/hostname")


@POSIX
def test_what_has_no_content_has_no_blob(repo):
    os.mkfifo(repo / "pipe")
    assert git.blob(repo / "pipe") == ""
    assert git.blob(repo / "sub") == ""
    assert git.blob(repo / "gone") == ""


def test_a_file_over_the_limit_has_no_blob(repo):
    with (repo / "large").open("wb") as file:
        file.truncate(git.BLOB_LIMIT + 1)
    assert git.blob(repo / "large") == ""


# ── a hostile repository ────────────────────────────────────────────────────────────────

NAMES = ("plain", "with blank", "dotted.name", "equals=sign", 'quo"te', "UPPER", "process")


class Trap:
    """A program that leaves a mark when anything starts it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.marks = folder / "marks"
        self.program = folder / "trap.sh"
        self.program.write_text(f'#!/bin/sh\necho "$0 $@" >>"{self.marks}"\nexit 0\n', "utf-8")
        self.program.chmod(0o755)

    def sprung(self) -> str:
        return self.marks.read_text("utf-8") if self.marks.exists() else ""


@pytest.fixture
def trap(tmp_path):
    return Trap(tmp_path / "trap")


def poison(repo: Path, trap: Trap) -> None:
    """Name the trap wherever a configuration, an attribute or a hook can name a program."""
    it = str(trap.program)
    settings = {
        "core.fsmonitor": it, "core.pager": it, "pager.status": it, "pager.config": it,
        "core.editor": it, "core.sshCommand": it, "core.gitProxy": it, "core.askPass": it,
        "core.alternateRefsCommand": it, "core.untrackedCache": "true",
        "diff.external": it, "diff.evil.command": it, "diff.evil.textconv": it,
        "diff.evil.cachetextconv": "true", "merge.evil.driver": it,
        "gpg.program": it, "log.showSignature": "true", "credential.helper": f"!{it}",
        "alias.status": f"!{it}", "alias.config": f"!{it}", "alias.ls-files": f"!{it}",
        "interactive.diffFilter": it, "sequence.editor": it, "trace2.eventTarget": str(trap.marks),
        "uploadpack.packObjectsHook": it, "protocol.ext.allow": "always",
        "status.submoduleSummary": "true", "status.renames": "copies", "diff.renames": "copies",
        "submodule.recurse": "true", "column.ui": "always", "color.ui": "always",
    }  # fmt: skip
    for key, value in settings.items():
        run(repo, "config", key, value)
    hooks = repo / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in (
        "post-index-change", "fsmonitor-watchman", "query-watchman", "post-checkout",
        "reference-transaction", "pre-auto-gc", "pre-commit", "update",
    ):  # fmt: skip
        (hooks / name).symlink_to(it)
    filters = "".join(
        f'[filter "{escaped}"]\n\tclean = {it} clean\n\tsmudge = {it} smudge\n'
        f"\tprocess = {it} process\n\trequired = true\n"
        for escaped in (name.replace('"', '\\"') for name in NAMES)
    )
    with (repo / ".git/config").open("a", encoding="utf-8") as file:
        file.write(filters)
    lines = [f"{number}.txt filter={name}" for number, name in enumerate(NAMES) if " " not in name]
    write(repo / ".gitattributes", "\n".join([*lines, "*.txt diff=evil merge=evil", ""]))


def make_dirty(repo: Path) -> None:
    """Content and time stamps differ: git has to look into the files."""
    for number in range(len(NAMES)):
        path = repo / f"{number}.txt"
        if number % 2:
            path.write_text(f"changed {number}\n", "utf-8")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))


@pytest.fixture
def many(repo):
    """The repository with a tracked file for each filter."""
    for number in range(len(NAMES)):
        write(repo / f"{number}.txt", f"text {number}\n")
    run(repo, "add", "-A")
    run(repo, "commit", "-q", "-m", "many")
    return repo


@POSIX
def test_the_trap_springs_for_a_plain_git_status(many, trap):
    """Else the tests below would prove nothing."""
    poison(many, trap)
    make_dirty(many)
    run(many, "config", "--unset", "alias.status")
    subprocess.run(
        ["git", "status", "--porcelain"],
        cwd=many, check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
    )  # fmt: skip
    said = trap.sprung()
    assert "clean" in said or "process" in said
    assert said.count("\n") > 1


@POSIX
def test_nothing_that_a_repository_configured_is_run(many, trap):
    poison(many, trap)
    make_dirty(many)
    found = look(many)
    git.look(many / "sub")
    assert trap.sprung() == ""
    assert {c.path for c in found.changes} == {".gitattributes", "1.txt", "3.txt", "5.txt"}


@POSIX
def test_filters_that_an_included_file_configures_are_not_run_either(many, trap, tmp_path):
    write(tmp_path / "more", f'[filter "plain"]\n\tclean = {trap.program}\n')
    run(many, "config", "include.path", str(tmp_path / "more"))
    write(many / ".gitattributes", "*.txt filter=plain\n")
    make_dirty(many)
    look(many)
    assert trap.sprung() == ""


@POSIX
def test_filters_of_a_worktrees_own_configuration_are_not_run_either(many, trap):
    run(many, "config", "extensions.worktreeConfig", "true")
    write(many / ".git/config.worktree", f'[filter "plain"]\n\tclean = {trap.program}\n')
    write(many / ".gitattributes", "*.txt filter=plain\n")
    make_dirty(many)
    look(many)
    assert trap.sprung() == ""


@POSIX
def test_the_owners_own_filters_are_not_run_either(many, trap, tmp_path):
    write(tmp_path / ".gitconfig", f'[filter "lfs"]\n\tclean = {trap.program}\n\trequired = true\n')
    write(many / ".gitattributes", "*.txt filter=lfs\n")
    make_dirty(many)
    assert git.look(many, {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}) is not None
    assert trap.sprung() == ""


@POSIX
def test_a_submodules_configuration_is_not_run(repo, library, trap):
    write(library / "0.txt", "text\n")
    run(library, "add", "-A")
    run(library, "commit", "-q", "-m", "zero")
    inner = with_submodule(repo, library)
    gitdir = repo / ".git/modules/vendor/lib"
    with (gitdir / "config").open("a", encoding="utf-8") as file:
        file.write(
            f'[core]\n\tfsmonitor = {trap.program}\n[filter "f"]\n\tclean = {trap.program}\n'
        )
    write(inner / ".gitattributes", "*.txt filter=f\n")
    os.utime(inner / "0.txt", (1, 1))
    assert changes(repo) == {}
    assert changes(inner) == {".gitattributes": "??"}
    assert trap.sprung() == ""


@POSIX
def test_a_missing_object_of_a_partial_clone_is_not_fetched(many, trap):
    for key, value in {
        "core.repositoryFormatVersion": "1", "extensions.partialClone": "evil",
        "remote.evil.promisor": "true", "remote.evil.url": str(many / ".git"),
        "remote.evil.uploadpack": str(trap.program), "protocol.file.allow": "always",
        "status.renames": "copies", "core.autocrlf": "true",
    }.items():  # fmt: skip
        run(many, "config", key, value)
    write(many / ".gitattributes", "*.txt text=auto\n")
    run(many, "mv", "a.txt", "moved.txt")
    for file in (many / ".git/objects").rglob("*"):
        if file.is_file() and run(many, "cat-file", "-t", file.parent.name + file.name) == "blob\n":
            file.chmod(0o644)
            file.unlink()
    make_dirty(many)
    look(many)
    assert trap.sprung() == ""


@POSIX
def test_a_git_in_the_current_folder_is_not_started(repo, trap, monkeypatch):
    shutil.copy(trap.program, repo / "git")
    monkeypatch.chdir(repo)
    for path in (f"{os.pathsep}{os.environ['PATH']}", f".{os.pathsep}{os.environ['PATH']}"):
        assert git.look(repo, {**os.environ, "PATH": path}) is not None
    assert trap.sprung() == ""


def test_looking_changes_no_byte_and_no_time(many):
    make_dirty(many)

    def state():
        return {
            path.relative_to(many).as_posix(): (path.lstat().st_mtime_ns, path.lstat().st_mode)
            + ((path.read_bytes(),) if path.is_file() else ())
            for path in sorted(many.rglob("*"))
        }

    before = state()
    look(many)
    look(many / "sub")
    assert state() == before


def test_the_locale_and_the_time_zone_change_nothing(many):
    make_dirty(many)
    write(many / "仓库.txt", "x")
    places = (
        {"LC_ALL": "C"},
        {"LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo"},
        {"LANG": "zh_CN.UTF-8"},
    )
    script = (
        "import sys; from pathlib import Path; from loopgraph.disk import git\n"
        "sys.stdout.buffer.write(repr(git.look(Path(sys.argv[1]))).encode('utf-8'))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-X", "utf8", "-c", script, str(many)],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT), **extra},
            stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=120,
        ).stdout
        for extra in places
    }  # fmt: skip
    assert len(said) == 1


# ── the reader of porcelain v2, on what git rarely prints ───────────────────────────────


def test_rename_records_are_read_where_a_git_prints_them():
    output = b"2 R. N... 100644 100644 100644 aaa bbb R100 new name\0old name\0? x\0"
    assert git.parse_status(output).changes == (
        git.Changed("new name", "R."),
        git.Changed("old name", "D."),
        git.Changed("x", "??"),
    )


def test_a_copy_leaves_its_source_alone():
    output = b"2 C. N... 100644 100644 100644 aaa bbb C100 copy\0source\0"
    assert git.parse_status(output).changes == (git.Changed("copy", "C."),)


def test_headers_that_nobody_knows_are_passed_over():
    output = b"# branch.oid abc\0# branch.head main\0# stash 3\0# new thing\0! ignored\0"
    assert git.parse_status(output) == git.Status("abc", "main", ())
