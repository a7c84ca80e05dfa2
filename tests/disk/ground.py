"""Repositories in every state that a snapshot may meet, and what must not change in them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from loopgraph.disk import runs, snapshots
from tests.check import compiled
from tests.conftest import git

NOW = "2026-01-02T03:04:05+00:00"
ENVIRON = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def started(folder: Path, *words: str) -> Path:
    """A repository with one commit of three files."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", *words)
    for name in ("a.txt", "src/b.py", "src/c.py"):
        write(folder / name, f"{name}\n" * 3)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "start")
    return folder


def run_in(root: Path) -> Path:
    """A run in a workspace."""
    return runs.create(root, "2026-01-02-deliver", lambda _: compiled.files("deliver"))


def snapshot(run: Path, name: str = "R1") -> snapshots.Taken:
    """Take a snapshot and name it."""
    taken = snapshots.take(run, runs.load(run), ENVIRON)
    snapshots.keep(run, name, taken, NOW)
    return taken


def content(folder: Path, tree: str) -> dict[str, tuple[str, bytes]]:
    """What a tree of a repository holds: path to mode and bytes."""
    told = subprocess.run(
        ["git", "ls-tree", "-r", "-z", tree], cwd=folder, check=True, capture_output=True
    ).stdout
    found = {}
    for record in told.split(b"\0")[:-1]:
        head, _, path = record.partition(b"\t")
        mode, kind, id_ = head.decode().split()
        data = b""
        if kind == "blob":
            data = subprocess.run(
                ["git", "cat-file", "blob", id_], cwd=folder, check=True, capture_output=True
            ).stdout
        found[os.fsdecode(path)] = (mode, data)
    return found


def fingerprint(folder: Path) -> dict[str, bytes | str]:
    """Every file of a working tree and of its git folder, but for objects and what is ours."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        parts = name.split("/")
        ours = ".git" in parts and ("loopgraph" in parts or "objects" in parts)
        if ours or ".longgraph" in parts:
            continue
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file():
            info = path.stat()
            # git itself touches its files when it reads them; nobody touches the owner's.
            when = 0 if ".git" in parts else info.st_mtime_ns
            found[name] = path.read_bytes() + f"\0{info.st_mode:o} {when}".encode()
        elif path.is_dir():
            found[name] = "a folder"
    return found


# States ----------------------------------------------------------------------------------------


def plain(folder: Path) -> Path:
    return started(folder)


def dirty_index(folder: Path) -> Path:
    started(folder)
    write(folder / "a.txt", "staged\n")
    write(folder / "new.txt", "staged and changed\n")
    git(folder, "add", "-A")
    write(folder / "new.txt", "changed\n")
    git(folder, "rm", "-q", "--cached", "src/c.py")
    (folder / "src/b.py").unlink()
    write(folder / "later.txt", "x")
    git(folder, "add", "-N", "later.txt")
    return folder


def unborn(folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "-q", "-b", "later")
    write(folder / "a.txt", "x\n")
    return folder


def detached(folder: Path) -> Path:
    started(folder)
    git(folder, "checkout", "-q", "--detach")
    return folder


def worktree(folder: Path) -> Path:
    main = started(folder.with_name("main"))
    git(main, "worktree", "add", "-q", str(folder), "-b", "side")
    return folder


def merging(folder: Path) -> Path:
    started(folder)
    git(folder, "checkout", "-q", "-b", "other")
    write(folder / "a.txt", "theirs\n")
    git(folder, "commit", "-q", "-am", "theirs")
    git(folder, "checkout", "-q", "main")
    write(folder / "a.txt", "ours\n")
    git(folder, "commit", "-q", "-am", "ours")
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "merge", "-q", "other"],
        cwd=folder, check=False, capture_output=True,
    )  # fmt: skip
    assert (folder / ".git/MERGE_HEAD").exists()
    return folder


def stashed(folder: Path) -> Path:
    started(folder)
    write(folder / "a.txt", "put away\n")
    git(folder, "stash", "-q")
    return folder


def filtered(folder: Path) -> Path:
    """Programs everywhere: each would leave a file `ran` beside the repository."""
    started(folder)
    trap = f"touch '{folder.parent}/ran'; cat"
    write(folder / ".gitattributes", "*.py filter=trap\n*.txt text eol=crlf diff=trap ident\n")
    for key, value in (
        *(("filter.trap.clean", trap), ("filter.trap.smudge", trap), ("filter.trap.process", trap)),
        *(("filter.trap.required", "true"), ("diff.trap.textconv", trap), ("diff.external", trap)),
        *(("core.fsmonitor", trap), ("core.autocrlf", "true"), ("core.pager", trap)),
    ):
        git(folder, "config", key, value)
    for hook in ("post-index-change", "reference-transaction", "pre-commit", "post-commit"):
        place = write(folder / f".git/hooks/{hook}", f"#!/bin/sh\ntouch '{folder.parent}/ran'\n")
        place.chmod(0o755)
    write(folder / "a.txt", "one\r\ntwo\r\n")
    write(folder / "src/b.py", "x = 1\n")
    return folder


def sparse(folder: Path) -> Path:
    started(folder)
    git(folder, "sparse-checkout", "set", "--no-cone", "/a.txt")
    assert not (folder / "src").exists()
    return folder


def sha256(folder: Path) -> Path:
    return started(folder, "--object-format=sha256")


def split_index(folder: Path) -> Path:
    started(folder)
    git(folder, "config", "core.splitIndex", "true")
    git(folder, "config", "index.version", "4")
    git(folder, "update-index", "--split-index")
    return folder


def with_module(folder: Path) -> Path:
    lib = started(folder.with_name("lib"))
    started(folder)
    git(folder, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(lib), "lib")
    git(folder, "commit", "-q", "-m", "lib")
    return folder


def odd_names(folder: Path) -> Path:
    started(folder)
    for name in ODD:
        write(folder / name, f"{name}\n")
    (folder / "link").symlink_to("src/b.py")
    (folder / "nowhere").symlink_to("/no/such/place")
    (folder / "out").symlink_to("..")
    write(folder / "tool.sh", "#!/bin/sh\n").chmod(0o755)
    return folder


ODD_FOLDERS = ("a", "a\r", "a\nb", "b", "a\r/b\n", "a/\r", "HEAD\r", " ")
"""What git is asked for line by line: one that is cut at its end or parted would be another."""
ODD = (
    *("new\nline.txt", 'quo"te.txt', "仓库.txt", "-rf", "--", "blank end ", "back\\slash", "git~2"),
    *("tab\t.txt", "*.txt", "[a].txt", "a:b", "\x01", "carriage\r", "'", "é.txt", ":(top)x"),
    *(f"{folder}/x" for folder in ODD_FOLDERS),
)

STATES: dict[str, Callable[[Path], Path]] = {
    "plain": plain,
    "a dirty index": dirty_index,
    "an unborn branch": unborn,
    "a detached head": detached,
    "a worktree": worktree,
    "a merge in progress": merging,
    "a stash": stashed,
    "filters and hooks": filtered,
    "a sparse checkout": sparse,
    "ids of sha256": sha256,
    "a split index": split_index,
    "a submodule": with_module,
    "odd names": odd_names,
}
