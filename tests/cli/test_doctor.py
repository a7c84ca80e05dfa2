"""`doctor`: what this machine lacks for a run, what to do, and nothing is changed by asking."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import fastjsonschema
import pytest

from loopgraph import __version__
from loopgraph.check import machine as check
from loopgraph.disk import machine as disk
from loopgraph.hosts import HOSTS
from loopgraph.model.columns import width
from loopgraph.views.schemas import SCHEMAS
from tests.cli.test_dry_run import everything

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fake clients are sh scripts")

SAYS = {
    "claude": "echo '2.1.332 (Claude Code)'",
    "codex": "echo 'codex-cli 0.171.0'",
    "git": "echo 'git version 2.39.5'",
    "loopgraph": f"echo 'loopgraph {__version__}'",
}


class Bench(NamedTuple):
    """A workspace, a folder of fake programs and a way to ask the doctor."""

    cli: object
    root: Path
    bin: Path

    def program(self, name: str, says: str, folder: Path | None = None) -> Path:
        place = (folder or self.bin) / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"#!/bin/sh\n{says}\n", encoding="utf-8")
        place.chmod(0o755)
        return place

    def ask(self, *arguments: str, path: str = "", **extra: str):
        found = path or str(self.bin)
        return self.cli(  # type: ignore[operator]
            "doctor", *arguments, cwd=self.root, PATH=found, LANG="C.UTF-8", **extra
        )

    def lines(self, topic: str, code: int, **extra: str) -> list[tuple[str, str, str]]:
        done = self.ask("--json", **extra)
        assert done.code == code, done.out
        answer = json.loads(done.out)
        fastjsonschema.compile(SCHEMAS["doctor"]())(answer)
        assert answer["well"] is (code == 0)
        return [
            (line["level"], line["says"], line["fix"])
            for line in answer["lines"]
            if line["topic"] == topic
        ]


def fits(line: str) -> bool:
    """Whether a line is no wider than a terminal; a path alone on its line is never cut."""
    return width(line) <= 80 or " " not in line.strip()


@pytest.fixture
def bench(cli, tmp_path):
    """A machine on which all is well."""
    made = Bench(cli, tmp_path / "work", tmp_path / "bin")
    (made.root / ".longgraph").mkdir(parents=True)
    for name, says in SAYS.items():
        made.program(name, says)
    return made


def test_all_is_well_on_a_good_machine_and_every_line_fits_80_columns(bench):
    done = bench.ask()
    assert done.code == 0, done.out
    assert done.out.endswith("\nAll is well.\n")
    assert f"claude 2.1.332 ({bench.bin}/claude): as checked" in " ".join(done.out.split())
    assert all(fits(line) for line in done.out.splitlines())
    assert "to do" not in done.out


def test_asking_changes_nothing(bench, cli):
    before = everything(bench.root), everything(cli.home)
    bench.ask()
    assert (everything(bench.root), everything(cli.home)) == before


@pytest.mark.parametrize(
    ("says", "level", "words"),
    [
        ("echo '2.1.331 (Claude Code)'", "todo", "older than 2.1.332"),
        ("echo '2.0 (Claude Code)'", "todo", "older than 2.1.332"),
        ("echo '2.1.332.7 (Claude Code)'", "ok", "as checked"),
        ("echo '2.1.1000 (Claude Code)'", "note", "newer than 2.1.332"),
        ("echo 3.0", "note", "newer than"),
        ("echo nothing of use", "todo", "says no version"),
        ("echo 2.1.332; exit 3", "todo", "it fails"),
    ],
)
def test_a_client_is_older_newer_or_as_checked(bench, says, level, words):
    assert HOSTS["claude-code"].CHECKED.version == "2.1.332"
    bench.program("claude", says)
    found = bench.lines("clients", int(level == "todo"))
    assert found[0][0] == level
    assert words in found[0][1]
    assert found[0][2] or level == "ok"


def test_a_client_that_never_answers_is_ended(bench, monkeypatch):
    monkeypatch.setattr(disk, "PATIENCE", 0.3)
    bench.program("claude", "sleep 60 & sleep 60")
    environ = {"PATH": f"{bench.bin}", "HOME": str(bench.bin)}
    bench.program("sleep", 'exec /bin/sleep "$@"')
    found = disk.look(bench.root, environ)
    assert found.clients[0].problem == "slow"
    assert any("did not say its version in time" in line.says for line in check.lines(found))


def test_no_client_at_all_is_something_to_do(bench):
    for name in ("claude", "codex"):
        (bench.bin / name).unlink()
    ((level, says, fix),) = bench.lines("clients", 1)
    assert (level, says.partition(":")[0]) == ("todo", "no client is on PATH")
    assert fix


def test_nothing_that_lies_in_the_workspace_is_started(bench):
    trap = bench.root / "ran"
    tools = bench.root / "tools"
    for name in SAYS:
        bench.program(name, f"/bin/touch '{trap}'; echo 9.9", tools)
    link = bench.bin.parent / "links"
    link.mkdir()
    (link / "gemini").symlink_to(tools / "claude")
    done = bench.ask("--json", path=os.pathsep.join((str(tools), str(link), str(bench.bin))))
    assert not trap.exists()
    assert done.code == 0
    said = " ".join(line["says"] for line in json.loads(done.out)["lines"])
    assert said.count("inside the workspace, so it was not started") == 5


def test_a_relative_folder_of_path_is_never_searched(bench):
    trap = bench.root / "ran"
    bench.program("claude", f"/bin/touch '{trap}'; echo 9.9", bench.root)
    found = bench.lines("PATH", 1, path=os.pathsep.join((".", "", str(bench.bin))))
    assert not trap.exists()
    assert found[0][0] == "todo"
    assert "'.', ''" in found[0][1]


def test_programs_are_asked_outside_of_the_workspace(bench):
    place = bench.bin.parent / "where"
    bench.program("claude", f"pwd > '{place}'; echo 2.1.332")
    assert bench.ask().code == 0
    assert place.read_text(encoding="utf-8") == "/\n"


def test_a_shim_is_named_with_what_it_costs(bench, tmp_path):
    (bench.bin / "loopgraph").unlink()
    shims = tmp_path / ".pyenv" / "shims"
    bench.program("loopgraph", SAYS["loopgraph"], shims)
    found = bench.lines("loopgraph", 1, path=os.pathsep.join((str(shims), str(bench.bin))))
    assert found[0][:2] == ("todo", f"{shims}/loopgraph is a shim of pyenv")
    assert "60 to 90 ms" in found[0][2]


def test_a_shim_is_known_by_its_first_lines_too(bench):
    exec_ = f'[ -n "" ] && asdf exec "loopgraph"\n{SAYS["loopgraph"]}'
    bench.program("loopgraph", exec_)
    assert "shim of asdf" in bench.lines("loopgraph", 1)[0][1]


def test_loopgraph_has_to_be_on_path_and_to_be_this_one(bench):
    bench.program("loopgraph", "echo loopgraph 0.0.9")
    assert f"this is {__version__}" in bench.lines("loopgraph", 1)[0][1]
    (bench.bin / "loopgraph").unlink()
    assert "not on PATH" in bench.lines("loopgraph", 1)[0][1]


def test_git_has_to_be_there_and_new_enough(bench):
    bench.program("git", "echo 'git version 2.30.9'")
    assert "older than 2.31" in bench.lines("git", 1)[0][1]
    bench.program("git", "echo 'git version 2.31.0.windows.1'")
    assert bench.lines("git", 0)[0][0] == "ok"
    (bench.bin / "git").unlink()
    assert bench.lines("git", 1)[0][1] == "git is not on PATH"


def test_file_names_have_to_be_utf_8(bench):
    odd = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ((level, says, fix),) = bench.lines("locale", 1, **odd)
    assert level == "todo"
    assert "LC_ALL=C" in says
    assert "UTF-8" in fix


def test_a_folder_that_cannot_be_written_is_named_with_its_variable(bench, tmp_path):
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    found = bench.lines("folders", 1, LOOPGRAPH_CACHE=str(file / "below"))
    assert [level for level, _, _ in found] == ["ok", "todo", "ok"]
    assert "LOOPGRAPH_CACHE" in found[1][2]


def test_runs_are_counted_and_a_stop_is_told(bench):
    cases = Path(__file__).parents[1] / "cases" / "foreign"
    for case in cases.iterdir():
        shutil.copytree(case, bench.root / ".longgraph" / f"2026-09-14-{case.name}")
    run = bench.root / ".longgraph" / "2026-09-14-price-parser"
    (run / "STOP").write_text("", encoding="utf-8")
    found = bench.lines("runs", 0)
    assert found[0][1].endswith("2 runs, 2 active")
    own = f".longgraph/{run.name}/STOP stops it: loopgraph resume {run.name}"
    assert [says for _, says, _ in bench.lines("stops", 0)] == [own]
    (bench.root / ".longgraph" / "STOP").write_text("", encoding="utf-8")
    whole = ".longgraph/STOP stops it: loopgraph resume"
    assert [says for _, says, _ in bench.lines("stops", 0)] == [whole, own]
    assert bench.ask().out.startswith(f"note   {whole}")


def test_a_workspace_outside_git_is_told_with_what_to_do(bench):
    shutil.rmtree(bench.root / ".git", ignore_errors=True)
    found = bench.lines("git", 0)
    assert [level for level, _, _ in found] == ["ok", "note"]
    assert found[1][1] == f"the workspace is in no git repository: {bench.root}"
    assert found[1][2].startswith("First git init: ")
    below = bench.root / ".git"
    below.mkdir()
    (below / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    assert [level for level, _, _ in bench.lines("git", 0)] == ["ok"]


def test_it_speaks_chinese(bench):
    done = bench.ask(LC_ALL="zh_CN.UTF-8")
    assert done.code == 0, done.out
    assert "一切正常" in done.out
    assert all(fits(line) for line in done.out.splitlines())
