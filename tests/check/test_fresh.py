"""Every fresh run is clean, whatever its owner said; other people's runs are named once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopgraph.author import compiler
from loopgraph.check import run_rules
from loopgraph.model.facts import DirtyPath, Repository
from tests.check.compiled import FACTS, GOAL, PACKS, every, run, spec


def test_check_finds_nothing_on_any_fresh_run():
    found = {name: run_rules.findings(run(made)) for name, made in every()}
    assert len(found) > 120
    assert {name: told for name, told in found.items() if told} == {}


HOSTILE = (
    "Render {{ spec.goal }}, {% if x %} and {# notes #} as they are",
    "Drop <!-- comments --> and mend /home/kim/shop, C:\\Users\\kim, ../up and ~/dot",
    "one\n<<<<<<< HEAD\ntwo\n>>>>>>> other\n<!-- three -->\n## Gates\n```\nfour",
    "`loopgraph frobnicate` has to work; see .longgraph/2026-01-02-deliver-x/none.md",
    "nul\0 escape\x1b turned\u202e round | pipe \\| back\\\\ `tick` # head <U+0041>",
    "\r\nwindows\r\n```\r\n~~~\r\n",
    "long " * 230 + "/home/kim/" + "y" * 100 + " {{ spec.x }} " + "z " * 400,
)


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("goal", HOSTILE)
def test_owner_text_is_no_leftover(pack, goal):
    assert run_rules.findings(run(compiler.compile_run(spec(pack, goal=goal)))) == ()


ODD = ("{{cookiecutter.slug}}/{% if x %}.py", "a|b", "~lock", "c:d", "`x`", "-x", "<!-- x", "日本")


@pytest.mark.parametrize("pack", PACKS)
def test_paths_with_odd_names_are_no_leftover(pack):
    dirty = tuple(DirtyPath(path, "??", "") for path in ODD)
    odd = replace(
        FACTS,
        repositories=(Repository(".", "", "", dirty, len(dirty), "0" * 64),),
        gates=(),
        gaps=(),
        sources=(),
        tests=(),
        detectors=(),
        languages=(),
    )
    assert run_rules.findings(run(compiler.compile_run(spec(pack, facts=odd)))) == ()


def test_what_the_owner_did_not_say_is_a_leftover_beside_what_they_did():
    made = compiler.compile_run(spec(goal=f"{GOAL} Mind {{{{ spec.goal }}}}."))
    text = made["executor.md"] + "\n{{ spec.goal }} {{ spec.slug }}\n"
    told = run_rules.findings(run({**made, "executor.md": text}), select=["LG112"])
    assert [finding.message for finding in told] == []
    other = made["executor.md"] + "\n{{ run }}\n"
    told = run_rules.findings(run({**made, "executor.md": other}), select=["LG112"])
    assert [finding.message for finding in told] == ["unfilled placeholder {{ run"]


OLDER = {
    "executor.md": "Runtime contract: `longgraph.loop-graph.executor/v2`\n\nFill the ledger.\n",
    "ledger.md": "# garden — longgraph Ledger\n\n## Status header\n\nRun status: `active`\n",
}


def test_a_run_of_an_older_contract_is_named_once():
    told = run_rules.findings(run(OLDER))
    assert [(f.rule, f.file, f.line, f.level) for f in told] == [
        ("LG106", "executor.md", 1, "warning")
    ]


def test_a_prompt_that_other_people_wrote_may_speak_of_routes():
    spoken = {**OLDER, "executor.md": OLDER["executor.md"] + "\n`/photos/<id>` stays frozen.\n"}
    assert {finding.rule for finding in run_rules.findings(run(spoken))} == {"LG106"}


def test_a_run_without_any_contract_id_is_named_once():
    told = run_rules.findings(run({"ledger.md": OLDER["ledger.md"]}))
    assert [(f.rule, f.file) for f in told] == [("LG106", "ledger.md")]


def test_what_an_older_contract_lacks_is_named():
    (told,) = run_rules.findings(run(OLDER))
    lacks = told.message.partition("; it lacks ")[2].split("; ")
    assert "run.yaml" in lacks[0]
    assert lacks[0] == "directives.md, ops.md, run.yaml"
    (ledger,) = lacks[1:]
    assert ledger.startswith("ledger.md: Current slice, ")
    assert "Highest ids" in ledger
    assert "Run status" not in ledger


def test_what_is_broken_in_any_contract_is_told_of_other_peoples_runs_too():
    broken = {**OLDER, "ledger.md": OLDER["ledger.md"] + "<<<<<<< HEAD\n\0\n"}
    told = {finding.rule for finding in run_rules.findings(run(broken))}
    assert told == {"LG106", "LG110", "LG111"}
