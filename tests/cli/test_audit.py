"""`loopgraph audit` as a person and a program meet it."""

from __future__ import annotations

import json

import fastjsonschema
import pytest

from loopgraph.views.schemas import SCHEMAS
from tests.audit import lives
from tests.audit.exported import SLUG, export
from tests.conftest import git

FRAMES = [life.files for life in lives.stages(70, 1)][:10]
EDITED = {**FRAMES[-1], "executor.md": FRAMES[-1]["executor.md"] + "\nPush.\n"}
BY_HAND = {
    **FRAMES[-1],
    "ops.md": FRAMES[-1]["ops.md"].replace("(40 files)", "(41 files)"),
}


@pytest.fixture
def root(tmp_path):
    return tmp_path / "it's a 仓库"


def test_a_clean_history_prints_nothing_and_ends_with_0(cli, root):
    export(FRAMES, root)
    done = cli("audit", cwd=root)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_breach_is_a_line_with_commit_place_rule_and_what_to_do(cli, root):
    _, commits = export([*FRAMES, EDITED], root)
    done = cli("audit", cwd=root)
    first, second = done.out.splitlines()
    place = f".longgraph/{SLUG}/executor.md:1"
    assert first == f"{commits[-1][:10]} {place} LG609 executor.md was changed after the compile"
    assert second.startswith("    Restore")
    assert (done.code, done.err) == (1, "")


def test_a_warning_counts_only_where_somebody_asks_for_it(cli, root):
    export([*FRAMES, BY_HAND], root)
    done = cli("audit", cwd=root)
    assert "LG615 (warning) no act explains" in done.out
    assert done.code == 0
    assert cli("audit", "--strict", cwd=root).code == 1


def test_json_is_as_its_schema_says(cli, root):
    _, commits = export([*FRAMES, EDITED], root)
    done = cli("audit", "--json", cwd=root)
    found = json.loads(done.out)
    fastjsonschema.compile(SCHEMAS["audit"]())(found)
    assert (found["schema"], found["errors"], done.code) == ("loopgraph/audit/1", 1, 1)
    assert found["breaches"][0]["commit"] == commits[-1]
    assert cli("audit", "--format", "json", cwd=root).out == done.out


def test_sarif_names_the_rules_of_a_history(cli, root):
    export([*FRAMES, EDITED], root)
    log = json.loads(cli("audit", "--format", "sarif", cwd=root).out)["runs"][0]
    (result,) = log["results"]
    assert log["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "LG609"
    assert "first seen in" in result["message"]["text"]


def test_github_shows_each_beside_its_file(cli, root):
    export([*FRAMES, EDITED], root)
    out = cli("audit", "--format", "github", cwd=root).out
    assert out.startswith(f"::error file=.longgraph/{SLUG}/executor.md,line=1,")


def test_since_leaves_out_what_was_there_by_then(cli, root):
    _, commits = export([*FRAMES, EDITED, {**EDITED, "run.yaml": "x"}], root)
    assert cli("audit", "--since", commits[-2], cwd=root).out.count(" LG6") == 1
    assert cli("audit", "--since", "HEAD", cwd=root).code == 0
    for odd in ("no-such", "--all", "HEAD:./x", ""):
        done = cli("audit", f"--since={odd}", cwd=root)
        assert done.code == (2 if odd else 1), odd
        assert done.err.count("\n") == (1 if odd else 0)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--format", "xml"), "no such format"),
        (("--explain", "LG699"), "no such rule"),
        (("no-such-run",), "no such run"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_2(cli, root, words, says):
    export(FRAMES, root)
    done = cli("audit", *words, cwd=root)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err


def test_explain_shows_before_bad_and_good(cli, tmp_path):
    out = cli("audit", "--explain", "lg602", cwd=tmp_path).out
    assert out.startswith("LG602 gate-skipped (error)")
    assert out.index("Before:") < out.index("Bad:") < out.index("Good:")


def test_where_no_run_is_there_is_nothing_to_audit(cli, tmp_path):
    (tmp_path / ".longgraph" / "2026-01-02-empty").mkdir(parents=True)
    done = cli("audit", ".longgraph/2026-01-02-empty", cwd=tmp_path)
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_without_git_the_run_is_audited_as_it_lies_there(cli, root):
    run, _ = export(FRAMES, root)
    git(root, "checkout", "-q", "--orphan", "none")
    done = cli("audit", str(run), cwd=root)
    assert (done.code, done.out) == (0, "")
    assert "never committed" in done.err
    assert cli("audit", str(run), cwd=root, PATH="").err.startswith("loopgraph: no git here")


def test_text_in_a_run_cannot_steer_a_terminal(cli, root):
    odd = {**FRAMES[-1], "archive/gaps.md": "\x1b]0;owned\x07\n"}
    export([*FRAMES, odd, FRAMES[-1]], root)
    out = cli("audit", cwd=root).out
    assert "owned" in out
    assert "\x1b" not in out
