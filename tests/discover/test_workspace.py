"""Discovery of a real folder: it changes nothing and depends on nothing but the files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict

import pytest

from loopgraph import discover
from loopgraph.model.errors import LoopgraphError
from tests.conftest import PROJECT, committed, git

POSIX = pytest.mark.skipif(os.name == "nt", reason="links and permissions that Windows lacks")


def state(folder):
    """Every path with its kind, times and content, the git folder included."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


def dirty(folder):
    """Changes of several kinds, with time stamps that make git look twice."""
    (folder / "README.md").write_text("changed", "utf-8")
    (folder / "new 文件.txt").write_text("new", "utf-8")
    (folder / "CONTRIBUTING.md").unlink()
    for path in folder.glob("tests/*.py"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


def test_discovery_changes_no_byte_no_time_and_makes_no_file(repository):
    dirty(repository)
    before = state(repository)
    discover.workspace(repository)
    discover.workspace(repository, scope="tests")
    assert state(repository) == before


@POSIX
def test_a_read_only_workspace_is_no_obstacle(repository):
    before = discover.workspace(repository)
    folders = [repository, *(path for path in repository.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert discover.workspace(repository) == before
    finally:
        for folder in folders:
            folder.chmod(0o755)


def test_two_clones_of_other_names_give_the_same_facts_but_for_their_own_changes(tmp_path):
    one, two = committed(tmp_path / "one"), committed(tmp_path / "other place" / "two")
    assert discover.workspace(one) == discover.workspace(two)


def test_facts_hold_no_path_of_this_machine(repository):
    dirty(repository)
    said = json.dumps(asdict(discover.workspace(repository)), ensure_ascii=False)
    assert str(repository) not in said
    assert str(repository.parent) not in said
    assert os.path.expanduser("~") + "/" not in said  # noqa: PTH111


def test_locale_time_zone_and_hash_seed_change_nothing(repository):
    dirty(repository)
    settings = [
        {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "0"},
        {"LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"},
        {"LANG": "de_DE.UTF-8", "TZ": "America/Lima", "PYTHONHASHSEED": "4242"},
    ]
    script = (
        "import sys; from pathlib import Path; from loopgraph import discover\n"
        "sys.stdout.buffer.write(ascii(discover.workspace(Path(sys.argv[1]))).encode())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script, str(repository)],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT), **extra},
            stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=120,
        ).stdout
        for extra in settings
    }  # fmt: skip
    assert len(said) == 1


def test_earlier_runs_come_with_their_status(repository):
    runs = repository / ".longgraph"
    for name, text in {
        "2026-01-01-a": "# x\n\n## Status header\n\nRun status: `closed`\n",
        "2026-01-02-b": "# x\n",
    }.items():
        (runs / name).mkdir(parents=True)
        (runs / name / "ledger.md").write_text(text, "utf-8")
    (runs / ".gitignore").write_text("*\n", "utf-8")
    found = discover.workspace(repository)
    assert [(run.slug, run.status) for run in found.earlier] == [
        ("2026-01-01-a", "closed"), ("2026-01-02-b", ""),
    ]  # fmt: skip
    assert found.repositories[0].dirty == ()


@pytest.mark.parametrize(
    "scope", ["nowhere", "README.md", "..", "tests/../..", "tests/..", "/", "/etc"]
)
def test_a_scope_that_is_no_folder_inside_is_refused_by_name(repository, scope):
    with pytest.raises(LoopgraphError):
        discover.workspace(repository, scope=scope)


@pytest.mark.parametrize("scope", ["tests", "./tests", "tests/", "tests/."])
def test_a_scope_may_be_written_in_several_ways(repository, scope):
    assert discover.workspace(repository, scope=scope).sources == ()
    assert discover.workspace(repository, scope=scope).languages[0].files == 2


@POSIX
def test_a_file_that_links_out_of_the_workspace_is_not_read(repository, tmp_path):
    secret = tmp_path / "secret.toml"
    secret.write_text("[project]\nname = 'leaked'\n", "utf-8")
    (repository / "pyproject.toml").unlink()
    (repository / "pyproject.toml").symlink_to(secret)
    assert discover.workspace(repository).project.value != "leaked"


@POSIX
def test_a_file_that_links_inside_the_workspace_is_read(repository):
    (repository / "config").mkdir()
    (repository / "pyproject.toml").rename(repository / "config/python.toml")
    (repository / "pyproject.toml").symlink_to("config/python.toml")
    assert discover.workspace(repository).project.value == "bookshelf"


@POSIX
@pytest.mark.parametrize("kind", ["pipe", "folder", "huge", "binary"])
def test_a_file_that_is_none_is_passed_over(repository, kind):
    path = repository / "package.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "huge":
        path.write_bytes(b'{"name": "' + b"x" * (1 << 20) + b'"}')
    else:
        path.write_bytes(b'{"name": "\xff"}')
    assert discover.workspace(repository).project.value == "bookshelf"


def test_a_workspace_without_anything_has_facts_too(tmp_path):
    facts = discover.workspace(tmp_path)
    assert facts.project.value == "project"
    assert (facts.repositories, facts.gates, facts.sources) == ((), (), ())


# ── the command ─────────────────────────────────────────────────────────────────────────


def test_the_command_shows_each_fact_with_its_place(cli, repository):
    done = cli("discover", cwd=repository)
    assert done.code == 0
    assert "Project:\n  bookshelf  (pyproject.toml:6)\n" in done.out
    assert "  test: python -m pytest  (pyproject.toml:18, seconds)\n    narrow: " in done.out
    assert done.err == ""


def test_the_command_answers_as_json_with_its_schema(cli, repository):
    done = cli("discover", "--json", cwd=repository, CLAUDECODE="1")
    answer = json.loads(done.out)
    assert answer["schema"] == "loopgraph/facts/1"
    assert answer["project"] == {"value": "bookshelf", "file": "pyproject.toml", "line": 6}
    assert answer["host"] == {
        "name": "claude-code", "how": "environment", "evidence": "CLAUDECODE",
    }  # fmt: skip
    assert answer["repositories"][0]["head"] == git(repository, "rev-parse", "HEAD").strip()


def test_the_command_works_where_no_git_is(cli, repository):
    done = cli("discover", "--json", cwd=repository, PATH="")
    assert done.code == 0
    assert json.loads(done.out)["repositories"] == []


@POSIX
def test_names_with_terminal_escapes_are_shown_harmless(cli, repository):
    (repository / "evil\x1b[31m\nname.py").write_text("x", "utf-8")
    done = cli("discover", cwd=repository)
    assert "\x1b" not in done.out
    assert "evil<U+001B>[31m<U+000A>name.py" in done.out


def test_a_wrong_workspace_is_one_line(cli, repository):
    done = cli("discover", "--workspace", "nowhere", cwd=repository)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
