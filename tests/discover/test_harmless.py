"""Discovery only looks: it starts git and nothing else, and leaves no trace of itself."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from loopgraph import discover
from loopgraph.disk import git as asked
from tests.conftest import PROJECT, git
from tests.disk.test_git import Trap, make_dirty, poison

POSIX = pytest.mark.skipif(os.name == "nt", reason="links and scripts that Windows lacks")
PATIENCE = 120


def audited(workspace: Path, scope: str = ".") -> dict[str, list[str]]:
    """What a process of its own started, wrote and called to discover this workspace."""
    done = subprocess.run(
        [sys.executable, "-B", str(Path(__file__).with_name("audited.py")), str(workspace), scope],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT), "HOME": str(workspace.parent)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=PATIENCE,
    )  # fmt: skip
    said: dict[str, list[str]] = json.loads(done.stdout)
    return said


def furnished(folder: Path) -> Path:
    """A repository that holds a manifest of every kind that discovery reads."""
    files = {
        "package.json": '{"name": "a", "scripts": {"test": "jest"}, "workspaces": ["packages/*"]}',
        "packages/api/package.json": '{"scripts": {"test": "jest"}}', "pnpm-lock.yaml": "",
        "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n", "tox.ini": "[tox]\n",
        "Makefile": "test:\n\ttouch made\n", "justfile": "test:\n  touch made\n",
        "Cargo.toml": "[package]\nname = 'a'\n", "src/lib.rs": "#[test]\n", "go.mod": "module a\n",
        "pom.xml": "", "mvnw": "#!/bin/sh\ntouch made\n", "gradlew": "#!/bin/sh\ntouch made\n",
        "composer.json": '{"scripts": {"test": "phpunit"}}', "mix.exs": "", "deno.json": "{}",
        "CMakeLists.txt": "enable_testing()\n", ".pre-commit-config.yaml": "repos: []\n",
        "noxfile.py": "raise SystemExit('this was run')\n", "setup.py": "raise SystemExit('run')\n",
        "conftest.py": "raise SystemExit('run')\n", "tests/test_a.py": "import pytest\n",
        ".github/workflows/ci.yml": "jobs:\n  a:\n    steps:\n      - run: scripts/test\n",
        "scripts/test": "#!/bin/sh\ntouch made\n", "README.md": "# A\n",
    }  # fmt: skip
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", newline="\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "start")
    return folder


@pytest.mark.parametrize("scope", [".", "packages/api"])
def test_nothing_is_started_but_git_and_nothing_is_written_or_called(tmp_path, scope):
    said = audited(furnished(tmp_path), scope)
    program = asked.executable(os.environ)
    assert said["started"] != []
    assert set(said["started"]) == {program}
    assert (said["written"], said["called"]) == ([], [])


def test_the_audit_would_see_another_program_and_a_written_file(tmp_path):
    """Else the test above would prove nothing."""
    script = (
        "import subprocess, sys; from pathlib import Path\n"
        "from loopgraph import discover\n"
        "import tests.discover.audited as audited\n"
        "def trick(root, **_):\n"
        "    subprocess.run([sys.executable, '-c', 'pass'], check=True, stdin=subprocess.DEVNULL)\n"
        "    Path(root, 'made').write_text('x')\n"
        "discover.workspace = trick\n"
        "audited.main(sys.argv[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=PATIENCE,
    )  # fmt: skip
    said = json.loads(done.stdout)
    assert sys.executable in said["started"]
    assert any("made" in each for each in said["written"])


def state(folder: Path) -> dict[str, tuple[int, int, int, str]]:
    """Every path, the git folder's too: kind, time, inode and content."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_mode, path.lstat().st_mtime_ns, path.lstat().st_ino,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        )
        for path in sorted(folder.rglob("*"))
    }  # fmt: skip


def test_no_byte_no_time_and_no_index_is_changed(cli, tmp_path):
    folder = furnished(tmp_path / "shop")
    (folder / "README.md").write_text("changed", "utf-8")
    (folder / "new.txt").write_text("x", "utf-8")
    for path in (folder / "Makefile", folder / "go.mod"):
        os.utime(path, (1_700_000_000, 1_700_000_000))  # git would like to refresh its index
    before = state(folder)
    for arguments in (("discover",), ("discover", "--json"), ("discover", "--scope", "tests")):
        assert cli(*arguments, cwd=folder).code == 0
    assert state(folder) == before
    status = git(folder, "--no-optional-locks", "status", "--porcelain=v2")
    assert {line.split(" ")[-1] for line in status.splitlines()} == {"README.md", "new.txt"}


@POSIX
def test_a_repository_whose_configuration_names_programs_runs_none(cli, tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    for number in range(7):
        (folder / f"{number}.txt").write_text(f"text {number}\n", "utf-8")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "start")
    trap = Trap(tmp_path / "trap")
    poison(folder, trap)
    make_dirty(folder)
    for name in ("git", "python", "node", "make", "uv"):
        (folder / name).symlink_to(trap.program)
    done = cli("discover", "--json", cwd=folder)
    assert done.code == 0
    assert trap.sprung() == ""
    dirty = {change["path"] for change in json.loads(done.out)["repositories"][0]["dirty"]}
    assert {"1.txt", "3.txt", "5.txt", ".gitattributes"} <= dirty


# ── a dirty tree ────────────────────────────────────────────────────────────────────────


def change_everything(folder: Path) -> dict[str, str]:
    """Twelve kinds of change; what each path's two letters are."""
    names = [
        "modified", "staged", "staged then modified", "deleted", "staged deletion", "renamed",
        "mode", "kept by the index only", "to a link", "conflict", "moved and changed",
    ]  # fmt: skip
    for name in names:
        (folder / f"{name}.txt").write_text(f"{name}\n" * 20, "utf-8")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "start")

    git(folder, "checkout", "-q", "-b", "other")
    (folder / "conflict.txt").write_text("theirs\n", "utf-8")
    git(folder, "commit", "-q", "-am", "theirs")
    git(folder, "checkout", "-q", "main")
    (folder / "conflict.txt").write_text("ours\n", "utf-8")
    git(folder, "commit", "-q", "-am", "ours")
    with pytest.raises(subprocess.CalledProcessError):
        git(folder, "merge", "other")

    (folder / "modified.txt").write_text("x", "utf-8")
    (folder / "staged.txt").write_text("x", "utf-8")
    (folder / "staged then modified.txt").write_text("x", "utf-8")
    git(folder, "add", "staged.txt", "staged then modified.txt")
    (folder / "staged then modified.txt").write_text("y", "utf-8")
    (folder / "deleted.txt").unlink()
    git(folder, "rm", "-q", "staged deletion.txt")
    git(folder, "mv", "renamed.txt", "new name.txt")
    git(folder, "mv", "moved and changed.txt", 'it\'s "moved"\nhere.txt')
    (folder / 'it\'s "moved"\nhere.txt').write_text("x", "utf-8")
    (folder / "mode.txt").chmod(0o755)
    git(folder, "rm", "-q", "--cached", "kept by the index only.txt")
    (folder / "to a link.txt").unlink()
    (folder / "to a link.txt").symlink_to("modified.txt")
    (folder / "added.txt").write_text("x", "utf-8")
    git(folder, "add", "added.txt")
    (folder / "untracked 文件.txt").write_text("x", "utf-8")
    (folder / "folder\nof mine").mkdir()
    (folder / "folder\nof mine" / 'a "b".txt').write_text("x", "utf-8")
    return {
        "modified.txt": ".M", "staged.txt": "M.", "staged then modified.txt": "MM",
        "deleted.txt": ".D", "staged deletion.txt": "D.", "renamed.txt": "D.",
        "new name.txt": "A.", "moved and changed.txt": "D.", 'it\'s "moved"\nhere.txt': "AM",
        "mode.txt": ".M", "to a link.txt": ".T", "conflict.txt": "UU", "added.txt": "A.",
        "untracked 文件.txt": "??", 'folder\nof mine/a "b".txt': "??",
    }  # fmt: skip


@POSIX
def test_twelve_kinds_of_change_and_odd_names_are_listed_each_exactly(tmp_path):
    expected = change_everything(tmp_path)
    (only,) = discover.workspace(tmp_path).repositories
    forgotten = "kept by the index only.txt"
    listed = [(change.path, change.status) for change in only.dirty]
    assert sorted(listed) == sorted([*expected.items(), (forgotten, "??"), (forgotten, "D.")])
    assert only.dirty_count == len(listed)
    assert {change.owner for change in only.dirty} == {"owner"}
    for change in only.dirty:
        assert change.blob == blob(tmp_path / change.path)


def blob(path: Path) -> str:
    """The id that git gives to what lies there now."""
    if not os.path.lexists(path):
        return ""
    content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@POSIX
def test_the_list_of_a_dirty_tree_is_that_of_git_itself(tmp_path):
    change_everything(tmp_path)
    said = git(tmp_path, "status", "--porcelain", "--no-renames", "--untracked-files=all", "-z")
    by_git = {entry[3:] for entry in said.split("\0") if entry}
    (only,) = discover.workspace(tmp_path).repositories
    assert {change.path for change in only.dirty} == by_git
