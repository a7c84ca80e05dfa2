"""`new` without a write, and what it says of itself: dry runs, JSON, answers files, assumptions."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from loopgraph.disk import runs
from tests.cli.test_new import GOAL, HOSTILE, PACKS
from tests.conftest import NOW


def everything(*folders: Path) -> dict[str, tuple[int, str]]:
    """Each file below the folders with its moment and its digest."""
    return {
        str(path): (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_a_dry_run_does_everything_but_write(cli, repository, extra):
    before = everything(repository, cli.home)
    dry = cli(
        "new", "deliver", GOAL, "--yes", "--created", NOW, "--dry-run", *extra, cwd=repository
    )
    assert (dry.code, dry.err) == (0, "")
    assert everything(repository, cli.home) == before
    assert not (repository / ".longgraph").exists()


def test_a_dry_run_lists_the_files_with_the_sizes_they_get(cli, repository):
    call = ("new", "deliver", GOAL, "--yes", "--created", NOW)
    dry = cli(*call, "--dry-run", cwd=repository)
    assert cli(*call, cwd=repository).code == 0
    (run,) = runs.all_runs(repository)
    listed = [line for line in dry.out.splitlines() if line.startswith("  .longgraph/")]
    there = {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()}
    assert len(listed) == len(there)
    for name, data in there.items():
        lines = data.count(b"\n")
        said = f"{run.name}/{name}: {lines} lines, {len(data)} bytes"
        assert f"  .longgraph/{said}" in listed
    again = cli(*call, "--dry-run", cwd=repository)
    assert f"{run.name}-2/" in again.out


def test_json_holds_run_answers_assumptions_and_handoff(cli, repository):
    done = cli("new", "deliver", GOAL, "--yes", "--set", "authority=B", "--json", cwd=repository)
    assert (done.code, done.err) == (0, "")
    said = json.loads(done.out)
    (run,) = runs.all_runs(repository)
    assert said["schema"] == "loopgraph/new/1"
    assert (said["run"], said["path"]) == (run.name, f".longgraph/{run.name}")
    assert said["written"]
    assert said["answers"]["authority"] == {"value": "B", "source": "command line"}
    assert said["answers"]["rollout"] == {"value": "direct", "source": "recommended"}
    assert {"preset", "gate", "host", "scope", "EXEC_INTERVAL"} <= {
        row["key"] for row in said["assumptions"]
    }
    assert all(row["source"] for row in said["assumptions"])
    assert said["handoff"]["schema"] == "loopgraph/handoff/1"
    assert {file["name"] for file in said["files"]} == {
        path.name for path in run.iterdir() if path.is_file()
    }


def test_json_never_prompts_and_fails_as_json(cli, repository):
    done = cli("new", "deliver", GOAL, "--json", cwd=repository)
    assert done.code == 2
    assert json.loads(done.out)["error"]["where"] == "authority"


@pytest.mark.parametrize("pack", PACKS)
def test_assumptions_are_few_lines_on_stderr_and_none_on_stdout(cli, repository, pack):
    goal = [PACKS[pack]] if PACKS[pack] else []
    done = cli("new", pack, *goal, "--yes", "--created", NOW, cwd=repository)
    lines = done.err.splitlines()
    assert 6 <= len(lines) <= 12
    assert all(line.startswith("loopgraph: ") and line.endswith(")") for line in lines)
    for label in ("preset", "may do unasked", "checked by", "runs in", "may change", "wakes up"):
        assert sum(line.startswith(f"loopgraph: {label}: ") for line in lines) == 1
    assert "loopgraph: " not in done.out
    quiet = cli("handoff", cwd=repository)
    assert quiet.out == done.out


@pytest.mark.parametrize("kind", HOSTILE)
def test_printed_answers_give_the_same_run_again(cli, repository, tmp_path, kind):
    given: dict[str, object] = {
        "goal": HOSTILE[kind],
        "authority": "B",
        "scope": "tests",
        "FIRE_ROUND_CAP": "5",
    }
    stage = dict.fromkeys(("outcome", "exit_checks", "audit_surface", "write_set"), "x: y")
    given |= {"milestones": [stage, stage]}
    first = tmp_path / "first.json"
    first.write_text(json.dumps(given))
    call = ("new", "deliver", "--created", NOW, "--json", "--yes", "--dry-run")
    printed = cli("new", "deliver", "--answers", str(first), "--print-answers", cwd=repository)
    assert printed.code == 0, printed.err
    second = tmp_path / "second.yaml"
    second.write_text(printed.out, encoding="utf-8")
    once, again = (
        json.loads(cli(*call, "--answers", str(file), cwd=repository).out)
        for file in (first, second)
    )
    assert once["files"] == again["files"]
    assert once["answers"] == again["answers"]
    assert once["answers"]["goal"]["value"] == HOSTILE[kind]


def test_an_answers_file_names_every_key_with_its_choices(cli, tmp_path):
    printed = cli("new", "--print-answers", cwd=tmp_path).out
    explained = cli("help", "answers", cwd=tmp_path).out
    for key in ("goal", "north_star.proof", "authority.bar", "gate", "production", "lang"):
        assert f"\n#{key}:" in printed
        assert f"\n{key} " in f"\n{explained}"
    assert "One of: A, B, C." in printed
    named = cli("new", "converge", "--print-answers", cwd=tmp_path).out
    assert "\n#surface:" in named
    assert "#   keep: Keep every public name" in named
    bare = "\n".join(line.removeprefix("#") for line in printed.splitlines() if line[1:2] != " ")
    (tmp_path / "all.yaml").write_text(bare)
    done = cli("new", "converge", "--answers", "all.yaml", "--yes", "--dry-run", cwd=tmp_path)
    assert done.code == 0, done.err


def test_words_of_an_answers_file_stay_as_they_were_written(cli, repository, tmp_path):
    file = tmp_path / "answers.yaml"
    file.write_text(
        "goal: Yes\nslug: 0012\nnorth_star:\n  proof: 1e3\nsupervisor: on\nFIRE_ROUND_CAP: 9\n"
    )
    done = cli(
        "new", "deliver", "--answers", str(file), "--yes", "--dry-run", "--json", cwd=repository
    )
    said = json.loads(done.out)
    given = {key: answer["value"] for key, answer in said["answers"].items()}
    assert (given["goal"], given["north_star.proof"], given["slug"]) == ("Yes", "1e3", "0012")
    assert given["supervisor"] == "yes"
    assert said["run"].endswith("-0012")


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("a.yaml", "goal: one two\nlang: de\n", "a.yaml:2: lang: 'de' is none of the choices"),
        ("a.yaml", "authority:\n  who: A\n", "a.yaml:2: authority.who: no such key"),
        ("a.yaml", "\nsupervisor: maybe\n", "a.yaml:2: supervisor: 'maybe' is none"),
        ("a.json", '{"goal": true}', "a.json:1: goal: one line of text is wanted here"),
    ],
)
def test_a_wrong_answer_is_named_with_its_file_and_line(cli, repository, name, text, where):
    (repository / name).write_text(text)
    done = cli("new", "deliver", "--answers", name, "--yes", cwd=repository)
    assert done.code == 2
    assert where in done.err
    assert not (repository / ".longgraph").exists()


def test_a_stop_and_what_cannot_be_read_are_told_before_the_run(cli, repository):
    (repository / ".longgraph").mkdir()
    (repository / ".longgraph" / "STOP").touch()
    (repository / "package.json").write_text("{broken")
    done = cli("new", "deliver", GOAL, "--yes", "--set", "authority=B", cwd=repository)
    assert done.code == 0
    first, *rest = done.err.splitlines()
    assert first == "loopgraph: .longgraph/STOP stops it: loopgraph resume"
    assert "loopgraph: package.json: cannot be read (line 1)" in rest
    chinese = cli("new", "deliver", GOAL, "--yes", "--lang", "zh", cwd=repository).err
    assert "无法读取（第 1 行）" in chinese
