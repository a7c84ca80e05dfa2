"""A run on bad ground: read-only, full, linked, too large. A clear line, and nothing lost."""

import os
import sys

import pytest

from loopgraph.cli import main
from loopgraph.disk import runs
from tests.forty_rounds import forked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")

NOW = "2026-01-02T03:04:05+00:00"
ADD = (
    "gap",
    "add",
    "new",
    "--priority",
    "P2",
    "--write-set",
    "x",
    "--verify",
    "y",
    "--as",
    "executor",
)
RECORD = ("round", "record", "--item", "a", "--changed", "a", "--net", "+0/-1", "--result", "b",
          "--next", "c", "--as", "executor")  # fmt: skip


@pytest.fixture
def say(tmp_path):
    workspace, home = tmp_path / "work", tmp_path / "home"
    workspace.mkdir()
    home.mkdir()
    return forked(workspace, home)


@pytest.fixture
def run(say, tmp_path):
    said = say("new", "deliver", "Go", "--yes", "--host", "shell", now=NOW)
    assert said.code == 0, said
    (found,) = runs.all_runs(tmp_path / "work")
    return found


def files(run):
    return {path.name: path.read_bytes() for path in run.glob("*.md")}


def refused(said, *words):
    assert said.code == 2, said
    assert said.err.count("\n") == 1
    assert all(word in said.err for word in words), said.err


@pytest.mark.unprivileged
def test_a_folder_that_is_read_only_is_named(say, run):
    before = files(run)
    run.chmod(0o500)
    try:
        refused(say(*ADD, now=NOW), "cannot write", run.name)
    finally:
        run.chmod(0o700)
    assert files(run) == before


@pytest.mark.parametrize("limit", [0, 100, 2000])
@pytest.mark.parametrize("command", [ADD, RECORD], ids=["gap add", "round record"])
def test_a_full_disk_is_named_and_loses_nothing(say, run, limit, command):
    resource = pytest.importorskip("resource")
    for number in range(5):
        assert say(*RECORD, *(["--converge"] if number == 4 else []), now=NOW).code == 0
    before = files(run)
    whole = resource.getrlimit(resource.RLIMIT_FSIZE)
    child = os.fork()
    if child == 0:  # the limit is for one command alone
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, whole[1]))
        os.environ.update({"LOOPGRAPH_NOW": NOW, "HOME": str(run)})
        os.chdir(run)
        os._exit(main(list(command)))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code == 2
    assert files(run) == before
    assert say(*command, now=NOW).code == 0


def test_a_link_in_the_place_of_a_file_is_named(say, run, tmp_path):
    text = (run / "ledger.md").read_bytes()
    (tmp_path / "elsewhere.md").write_bytes(text)
    (run / "ledger.md").unlink()
    (run / "ledger.md").symlink_to(tmp_path / "elsewhere.md")
    refused(say(*ADD, now=NOW), "symbolic link", "ledger.md")
    assert (tmp_path / "elsewhere.md").read_bytes() == text


@pytest.mark.parametrize("name", ["archive", "evidence"])
def test_a_link_in_the_place_of_a_folder_is_named(say, run, tmp_path, name):
    (run / name).rename(tmp_path / "elsewhere")
    (run / name).symlink_to(tmp_path / "elsewhere")
    before = files(run)
    refused(say(*RECORD, now=NOW), "symbolic link", name)
    assert files(run) == before
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_over_eight_mebibytes_is_named(say, run):
    with (run / "ledger.md").open("ab") as file:
        file.truncate(8 * 1024 * 1024 + 1)
    refused(say(*ADD, now=NOW), "larger than 8 MiB", "ledger.md")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (b"## Rounds log", b"<<<<<<< ours\n## Rounds log", "merge conflict"),
        (b"## Debt & gap register", b"## Something else", "no section"),
        (b"| ID | Priority | Milestone |", b"| ID | Priority |", "no table with the columns"),
        (b"# ", b"\xff\xfe# ", "not UTF-8"),
        (b"## Current slice", b"## Status header\n\n## Current slice", "second section"),
    ],
)
def test_what_cannot_be_parsed_is_never_overwritten(say, run, old, new, named):
    text = (run / "ledger.md").read_bytes().replace(old, new, 1)
    (run / "ledger.md").write_bytes(text)
    refused(say(*ADD, now=NOW), named, "ledger.md")
    assert (run / "ledger.md").read_bytes() == text


def test_another_markdown_file_in_its_place_is_refused(say, run):
    (run / "ledger.md").write_text("# Notes\n\nNothing here.\n")
    refused(say(*ADD, now=NOW), "no section “Status header”", "ledger.md")
    assert (run / "ledger.md").read_text() == "# Notes\n\nNothing here.\n"


def test_a_truncated_ledger_is_refused_or_takes_the_command_whole(say, run):
    whole = (run / "ledger.md").read_bytes()
    for size in range(0, len(whole), 211):
        (run / "ledger.md").write_bytes(whole[:size])
        said = say(*ADD, now=NOW)
        if said.code:
            refused(said)
            assert (run / "ledger.md").read_bytes() == whole[:size]
        (run / "ledger.md").write_bytes(whole)
