"""A snapshot holds the bytes as they lie there, and nothing of git's own or the owner's changes."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from loopgraph.disk import remembered, runs, snapshot_files, snapshots, stores
from loopgraph.model.errors import UnreadableError
from tests.conftest import git
from tests.disk import ground
from tests.disk.ground import ENVIRON, STATES, content, fingerprint, run_in, snapshot, write

POSIX = pytest.mark.skipif(os.name == "nt", reason="names that Windows cannot have")
pytestmark = POSIX


@pytest.fixture(params=[remembered.FEW, 2], ids=["in known", "in our index, too"])
def kept(request, monkeypatch):
    """Where it is kept what the last snapshot saw; a large repository comes to have both."""
    monkeypatch.setattr(remembered, "FEW", request.param)


@pytest.fixture(params=STATES)
def repo(request, tmp_path, kept):
    return STATES[request.param](tmp_path / "work 仓库")


def on_disk(folder: Path) -> dict[str, tuple[str, bytes]]:
    """What lies in a working tree, as a tree would say it."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name.split("/")[0] in (".git", ".longgraph", "lib"):
            continue
        if path.is_symlink():
            found[name] = ("120000", os.fsencode(path.readlink()))
        elif path.is_file():
            runs_ = path.stat().st_mode & 0o100
            found[name] = ("100755" if runs_ else "100644", path.read_bytes())
    return found


def product(folder: Path, tree: str) -> dict[str, tuple[str, bytes]]:
    return {
        path: what
        for path, what in content(folder, tree).items()
        if not path.startswith(".longgraph/")
    }


def test_nothing_of_git_and_no_file_changes(repo):
    run = run_in(repo)
    before = fingerprint(repo)
    for name in ("R1.start", "R1"):
        snapshot(run, name)
    assert fingerprint(repo) == before
    assert not (repo.parent / "ran").exists()


def test_the_tree_holds_the_bytes_as_they_lie_there(repo):
    run = run_in(repo)
    for _ in range(2):
        taken = snapshot(run)
        found = {
            path: what
            for path, what in product(repo, taken.trees["."]).items()
            if what[0] != "160000"
        }
        expected = on_disk(repo)
        if not (repo / "src").exists() and "src/b.py" in found:  # sparse: it is in the index
            expected |= {name: ("100644", f"{name}\n".encode() * 3) for name in
                         ("src/b.py", "src/c.py")}  # fmt: skip
        assert found == expected


def test_git_finds_no_fault_and_a_clean_up_keeps_it(repo):
    run = run_in(repo)
    snapshot(run)
    told = subprocess.run(
        ["git", "fsck", "--strict", "--no-dangling"], cwd=repo, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    before = [one for one in snapshots.listed(repo, run, ENVIRON) if one.repository == "."]
    git(repo, "-c", "gc.auto=1", "gc", "-q", "--prune=now")
    (found,) = [one for one in snapshots.listed(repo, run, ENVIRON) if one.repository == "."]
    assert [found] == before
    assert content(repo, found.tree)
    assert "refs/loopgraph" not in git(repo, "log", "--all", "--format=%D")


def test_what_changes_between_two_snapshots_is_seen(tmp_path, kept):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    snapshot(run)
    steps: tuple[Callable[[], object], ...] = (
        lambda: write(repo / "a.txt", "changed\n"),
        lambda: write(repo / "a.txt", "CHANGED\n"),  # at once, and of the same size
        (repo / "a.txt").unlink,
        lambda: write(repo / "a.txt", "back\n"),
        lambda: (repo / "a.txt").chmod(0o755),
        lambda: write(repo / "new/deep.txt", "x"),
        lambda: git(repo, "add", "new/deep.txt"),
        lambda: write(repo / "new/other.txt", "untracked"),
        lambda: write(repo / ".gitignore", "new/\n*.log\n"),
        lambda: write(repo / "b.log", "x"),
        lambda: write(repo / ".gitignore", "*.log\n"),
        lambda: (repo / "src/c.py").rename(repo.parent / "c.py"),
        lambda: (repo.parent / "c.py").rename(repo / "src/c.py"),
        lambda: write(repo / ".gitignore", "new/\n*.log\n"),
        lambda: git(repo, "rm", "-q", "--cached", "new/deep.txt"),
        lambda: git(repo, "add", "-f", "b.log"),
        lambda: write(repo / "b.log", "y"),
        lambda: git(repo, "mv", "src", "moved"),
        lambda: write(repo / "src", "a file where a folder was\n"),
        (repo / "src").unlink,
        lambda: (repo / "src").symlink_to("moved"),
        lambda: git(repo, "commit", "-q", "-am", "all"),
        lambda: git(repo, "checkout", "-q", "-f", "HEAD~1"),
        lambda: git(repo, "clean", "-fdqx", "-e", ".longgraph"),
    )
    for number, step in enumerate(steps):
        step()
        expected = on_disk(repo)
        told = git(repo, "status", "--porcelain", "--ignored", "-z", "-uall").split("\0")
        for line in told:
            if line.startswith("!! "):
                expected.pop(line[3:], None)
        found = product(repo, snapshot(run).trees["."])
        assert found == expected, number


@pytest.mark.parametrize("changed", ground.ODD_FOLDERS)
def test_what_changes_in_a_folder_whose_name_is_no_line_is_seen(
    tmp_path, kept, monkeypatch, changed
):
    repo = ground.started(tmp_path / "work")
    for path in ("a/x", "a/twin", "b/x", "src/b/x", f"{changed}/x", f"{changed}/y"):
        write(repo / path, f"{path}\n")
    run = run_in(repo)
    # Let all of it be long ago: what is read again hides which folders were read.
    monkeypatch.setattr(snapshot_files, "_RACE", -60_000_000_000)
    snapshot(run)
    for step in (
        lambda: write(repo / changed / "x", "changed\n"),
        lambda: write(repo / changed / "new", "new\n"),
        lambda: git(repo, "add", f"{changed}/new"),
        (repo / changed / "x").unlink,
    ):
        step()
        assert product(repo, snapshot(run, "R2").trees["."]) == on_disk(repo)


def test_of_what_did_not_change_in_a_folder_whose_name_is_no_line_nothing_is_read(
    tmp_path, monkeypatch
):
    repo = ground.odd_names(tmp_path / "work")
    run = run_in(repo)
    monkeypatch.setattr(snapshot_files, "_RACE", -60_000_000_000)  # let all of it be long ago
    snapshot(run)
    write(repo / "a\r/b\n/x", "changed\n")
    monkeypatch.setattr(remembered, "nothing", None)  # who forgets what is known fails
    assert product(repo, snapshot(run, "R2").trees["."]) == on_disk(repo)


def test_a_name_that_is_no_line_is_not_asked_for(tmp_path):
    repo = ground.started(tmp_path / "work")
    store = stores.store(repo, ".", ENVIRON)
    assert store
    head = git(repo, "rev-parse", "HEAD").strip()
    found = store.objects_of(["HEAD:src\r", "HEAD\nHEAD", "HEAD"])
    assert [one and one.id for one in found] == [None, None, head]


def test_a_file_that_keeps_size_and_time_is_read_again_while_it_is_fresh(tmp_path, kept):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    place = write(repo / "a.txt", "one\n")
    snapshot(run)
    info = place.stat()
    place.write_text("two\n")
    os.utime(place, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert product(repo, snapshot(run).trees["."])["a.txt"][1] == b"two\n"


def test_what_did_not_change_is_not_read_again(tmp_path, monkeypatch, kept):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    old = time.time_ns() - 60_000_000_000
    for path in repo.rglob("*"):
        if ".git" not in path.parts and path.is_file():
            os.utime(path, ns=(old, old))
    # Its inode changed just now, as that of every file of this test: let that be long ago.
    monkeypatch.setattr(snapshot_files, "_RACE", -60_000_000_000)
    snapshot(run)
    read: list[str] = []
    real = snapshot_files._bytes  # noqa: SLF001  what reads a file

    def noting(full: str, *, link: bool) -> bytes | None:
        read.append(full)
        return real(full, link=link)

    monkeypatch.setattr(snapshot_files, "_bytes", noting)
    write(repo / "src/b.py", "new\n")
    taken = snapshots.take(run, runs.load(run), ENVIRON)
    assert [Path(path).name for path in read] == ["b.py"]
    assert product(repo, taken.trees["."])["src/b.py"][1] == b"new\n"


SECRET = "AKIA" + "ABCDEFGHIJKLMNOP"


def test_secrets_and_large_files_are_left_out_and_named(tmp_path, kept):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    token = f"token: {SECRET}\n".encode()
    write(repo / ".env", token)
    write(repo / "config/settings.py", b"KEY = 1\n" + token)
    write(repo / "notes.txt", token.decode().encode("utf-16"))
    write(repo / "deploy/server.pem", "x")
    write(repo / "id_rsa", "x")
    write(repo / ".env.example", "TOKEN=\n")
    write(repo / "id_rsa.pub", "ssh-rsa x\n")
    write(repo / "big.bin", os.urandom(1000) * 50_000)
    git(repo, "add", "-f", "config/settings.py")
    git(repo, "rm", "-q", "--cached", "config/settings.py")
    os.mkfifo(repo / "pipe")
    before = objects(repo)
    taken = snapshot(run)
    assert {one.path: one.why for one in taken.left_out} == {
        ".env": "its name is one that credentials have",
        "big.bin": "over 10 MiB",
        "config/settings.py": "it holds an AWS access key",
        "deploy/server.pem": "its name is one that credentials have",
        "id_rsa": "its name is one that credentials have",
        "notes.txt": "it holds an AWS access key",
    }
    found = product(repo, taken.trees["."])
    assert ".env.example" in found
    assert "id_rsa.pub" in found
    new = objects(repo) - before
    for id_ in new:
        kind = git(repo, "cat-file", "-t", id_).strip()
        said = subprocess.run(
            ["git", "cat-file", kind, id_], cwd=repo, check=True, capture_output=True
        ).stdout
        assert SECRET.encode() not in said.replace(b"\0", b"")
        assert len(said) < 1_000_000
    again = snapshot(run, "R2")
    assert again.left_out == taken.left_out
    write(repo / "config/settings.py", "KEY = 1\n")
    assert "config/settings.py" in product(repo, snapshot(run, "R3").trees["."])


def test_no_snapshot_floods_the_repository(tmp_path, monkeypatch):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    monkeypatch.setattr(snapshot_files, "ROOM", 200_000)
    for number in range(5):
        write(repo / f"data/{number}", os.urandom(90_000))
    taken = snapshot(run)
    assert {one.path for one in taken.left_out} <= {f"data/{number}" for number in range(1, 5)}
    assert {one.why for one in taken.left_out} == {"over 512 MiB of new files at once"}
    assert "data/0" in product(repo, taken.trees["."])


def objects(repo: Path) -> set[str]:
    told = git(repo, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    return set(told.split())


def test_paths_that_the_data_policy_names_are_left_out(tmp_path):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    write(repo / "data/customers.csv", "a\n")
    write(repo / "src/orders.sqlite", "a\n")
    ops = run / "ops.md"
    text = ops.read_text("utf-8")
    ops.write_text(
        text.replace("## Data policy\n", "## Data policy\n\nNever: `data/` and `*.sqlite`.\n"),
        "utf-8",
    )
    taken = snapshot(run)
    assert [one.path for one in taken.left_out] == ["data/customers.csv", "src/orders.sqlite"]
    assert {one.why for one in taken.left_out} == {"the data policy names it"}


@pytest.mark.parametrize(
    "name", ["git~1", "a/.GIT", ".git ", ".g\u200cit", "GIT~1/x", ".git::$DATA"]
)
def test_a_name_that_is_gits_own_elsewhere_is_left_out(tmp_path, name):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    write(repo / name, "x")
    assert [(one.path, one.why) for one in snapshot(run).left_out] in (
        [(name, "git takes no such name")],
        [],  # git itself lists no such name
    )
    assert "a.txt" in product(repo, snapshot(run).trees["."])


def test_the_run_is_in_the_tree_even_where_git_ignores_it(tmp_path):
    repo = ground.started(tmp_path / "work")
    write(repo / ".gitignore", ".longgraph/\n")
    run = run_in(repo)
    snapshot(run)
    write(run / "archive/rounds.md", "x\n")
    write(run / "evidence/fires/bulk.txt", "x\n")
    snapshot(run, "R2")
    found = {one.name: content(repo, one.tree) for one in snapshots.listed(repo, run, ENVIRON)}
    prefix = f".longgraph/{run.name}"
    assert found["R1"][f"{prefix}/ledger.md"][1] == (run / "ledger.md").read_bytes()
    assert f"{prefix}/archive/rounds.md" not in found["R1"]
    assert f"{prefix}/archive/rounds.md" in found["R2"]
    assert not [path for path in found["R2"] if "fires" in path or ".lock" in path]


def test_a_folder_in_the_place_of_a_file_is_no_file_that_is_left_out(tmp_path, kept):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    snapshot(run, "R1")
    (repo / "a.txt").unlink()
    write(repo / "a.txt/inner.py", "x\n")
    taken = snapshot(run, "R2")
    names = set(content(repo, taken.trees["."]))
    assert "a.txt/inner.py" in names
    assert "a.txt" not in names
    assert taken.left_out == ()


def test_a_link_in_the_place_of_a_folder_leads_nowhere(tmp_path, kept):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    outside = tmp_path / "outside"
    outside.mkdir()
    write(outside / "b.py", "not ours\n")
    for name in ("b.py", "c.py"):
        (repo / "src" / name).unlink()
    (repo / "src").rmdir()
    (repo / "src").symlink_to(outside)
    found = product(repo, snapshot(run).trees["."])
    assert found["src"] == ("120000", os.fsencode(outside))
    assert "src/b.py" not in found


def test_after_somebody_pruned_every_object_is_written_again(tmp_path, kept):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    write(repo / "new.txt", "untracked\n")
    snapshot(run)
    snapshots.remove(repo, run, ["R1"], ENVIRON)
    git(repo, "gc", "-q", "--prune=now")
    assert product(repo, snapshot(run, "R2").trees["."])["new.txt"][1] == b"untracked\n"


def test_where_objects_of_the_last_snapshot_are_gone_they_are_written_again(tmp_path, kept):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    write(repo / "deep/er/new.txt", "x\n")
    write(repo / "deep/er/other.txt", "x\n")
    tree = snapshot(run).trees["."]
    for gone in (tree, git(repo, "rev-parse", f"{tree}:deep/er").strip()):
        (repo / ".git/objects" / gone[:2] / gone[2:]).unlink()
        write(repo / "deep/er/new.txt", f"{gone}\n")
        found = snapshot(run, "R2").trees["."]
        assert product(repo, found) == on_disk(repo)


def test_a_module_that_is_staged_at_another_commit_is_seen(tmp_path, kept):
    repo = ground.with_module(tmp_path / "work")
    run = run_in(repo)
    before = product(repo, snapshot(run).trees["."])
    write(repo / "lib/a.txt", "later\n")
    git(repo / "lib", "commit", "-q", "-am", "later")
    assert product(repo, snapshot(run, "R2").trees["."]) == before
    git(repo, "add", "lib")
    snapshot(run, "R3")
    (found,) = [one for one in snapshots.listed(repo, run, ENVIRON)
                if (one.name, one.repository) == ("R3", ".")]  # fmt: skip
    head = git(repo / "lib", "rev-parse", "HEAD")
    assert git(repo, "rev-parse", f"{found.tree}:lib") == head


def test_an_empty_file_that_is_only_meant_to_be_added_has_its_object(tmp_path):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    write(repo / "later.txt", "")
    git(repo, "add", "-N", "later.txt")
    taken = snapshot(run)
    assert product(repo, taken.trees["."])["later.txt"] == ("100644", b"")
    assert git(repo, "fsck", "--strict", "--no-dangling") == ""


@pytest.mark.parametrize("name", ["index", "known", "index.lock", "lock"])
@pytest.mark.parametrize("text", [b"", b"garbage", b"{}", b'{"rules": 1}'])
def test_a_broken_file_of_ours_costs_time_and_nothing_else(tmp_path, name, text, kept):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    expected = snapshot(run).trees
    (folder,) = (repo / ".git/loopgraph").iterdir()
    (folder / name).write_bytes(text)
    assert snapshot(run, "R2").trees == expected


def staging(tmp_path, *, before):
    """An environment in which `new.py` is staged once, before git lists what is not tracked.

    With `before`, what is tracked was listed by then.
    """
    real, there = shutil.which("git"), tmp_path / "there"
    waits = f"until [ -e '{there}' ]; do sleep 0.01; done" if before else ":"
    program = write(
        tmp_path / "bin/git",
        f"""#!/bin/sh
case " $* " in
*" --others "*)
  if mkdir '{tmp_path}/once' 2>/dev/null; then {waits}; '{real}' add new.py; fi;;
*" --cached -t "*)
  '{real}' "$@"; code=$?; : >'{there}'; exit $code;;
esac
exec '{real}' "$@"
""",
    )
    program.chmod(0o755)
    return {**ENVIRON, "PATH": f"{program.parent}{os.pathsep}{ENVIRON['PATH']}"}


@pytest.mark.parametrize("others", ["the index is as it was", "what is staged is not"])
@pytest.mark.parametrize("when", ["new", "known as untracked"])
def test_a_file_that_is_staged_while_git_lists_the_files_is_in_the_snapshot(
    tmp_path, kept, others, when
):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    if when != "new":
        write(repo / "new.py", "x\n")
    snapshot(run)
    write(repo / "new.py", "x\n")
    is_other = others != "the index is as it was"
    if is_other:  # the same names: all that a list of them says is as it was
        write(repo / "a.txt", "staged\n")
        git(repo, "add", "a.txt")
    taken = snapshots.take(run, runs.load(run), staging(tmp_path, before=is_other))
    assert (tmp_path / "once").exists()
    assert git(repo, "ls-files", "new.py")
    assert product(repo, taken.trees["."])["new.py"] == ("100644", b"x\n")


def test_who_never_stops_writing_the_index_does_not_hold_a_snapshot_up(tmp_path):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    snapshot(run)
    real = shutil.which("git")
    program = write(
        tmp_path / "bin/git",
        f"""#!/bin/sh
case " $* " in
*" --others "*) date +%N >>a.txt; '{real}' add a.txt; echo x >>'{tmp_path}/asked';;
esac
exec '{real}' "$@"
""",
    )
    program.chmod(0o755)
    environ = {**ENVIRON, "PATH": f"{program.parent}{os.pathsep}{ENVIRON['PATH']}"}
    taken = snapshots.take(run, runs.load(run), environ)
    assert (tmp_path / "asked").read_text("utf-8").count("x") == 4
    assert product(repo, taken.trees["."]) == on_disk(repo)


def failing(tmp_path, word):
    """An environment in which git fails at one of its commands."""
    program = write(
        tmp_path / "bin/git",
        f'#!/bin/sh\ncase " $* " in *" {word} "*) exit 128;; esac\n'
        f"exec '{shutil.which('git')}' \"$@\"\n",
    )
    program.chmod(0o755)
    return {**ENVIRON, "PATH": f"{program.parent}{os.pathsep}{ENVIRON['PATH']}"}


def test_where_git_cannot_say_what_changed_every_file_is_read(tmp_path, monkeypatch):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    monkeypatch.setattr(remembered, "FEW", 0)
    snapshot(run)
    write(repo / "src/b.py", "new\n")
    taken = snapshots.take(run, runs.load(run), failing(tmp_path, "diff-files"))
    assert product(repo, taken.trees["."]) == on_disk(repo)


@pytest.mark.parametrize("word", ["cat-file", "ls-files"])
def test_a_git_that_fails_ends_the_command_in_one_line(tmp_path, word):
    repo = ground.started(tmp_path / "work")
    run = run_in(repo)
    snapshot(run)
    with pytest.raises(UnreadableError, match=r"git failed at cat-file|cannot list its files"):
        snapshots.take(run, runs.load(run), failing(tmp_path, word))


def test_a_part_of_a_repository_has_a_snapshot_of_that_part(tmp_path):
    repo = ground.started(tmp_path / "work")
    part = repo / "src"
    run = run_in(part)
    write(part / "new.py", "x\n")
    taken = snapshot(run)
    assert set(product(repo, taken.trees["."])) == {"b.py", "c.py", "new.py"}
    other = run_in(repo)
    snapshot(other)
    assert len(snapshots.listed(part, run, ENVIRON)) == 1
    assert len(snapshots.listed(repo, other, ENVIRON)) == 1


def test_every_repository_below_has_its_own(tmp_path, kept):
    repo = ground.with_module(tmp_path / "work")
    ground.started(repo / "tools/inner")
    run = run_in(repo)
    write(repo / "lib/more.py", "x\n")
    before = fingerprint(repo)
    taken = snapshot(run)
    assert set(taken.trees) == {".", "lib", "tools/inner"}
    assert product(repo, taken.trees["."])["lib"][0] == "160000"
    assert "more.py" in product(repo / "lib", taken.trees["lib"])
    assert fingerprint(repo) == before
