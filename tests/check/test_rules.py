"""Rules prove themselves by their own examples, and no text makes one of them fail."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loopgraph.check import example, rules, run_rules
from loopgraph.check.rules import RULES
from loopgraph.edges import run as edge
from loopgraph.model import contract
from loopgraph.views.rules import ROOMS
from tests.check.compiled import files, run

EACH = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


@EACH
def test_the_bad_example_breaks_the_rule_once(rule):
    (finding,) = rule.check(example.read(rule.bad))
    assert finding.rule == rule.id
    assert finding.fix == rule.fix
    source = rule.bad.get(finding.file)
    assert finding.line == 0 or (source and finding.line <= len(source.split("\n")))


@EACH
def test_the_good_example_keeps_the_rule(rule):
    assert list(rule.check(example.read(rule.good))) == []


@EACH
def test_an_example_with_a_record_has_a_readable_one_unless_it_is_about_that(rule):
    for shown in (rule.bad, rule.good):
        problem = example.read(shown).record_problem
        assert not problem or (rule.id in ("LG117", "LG506") and shown is rule.bad), problem


@EACH
def test_a_rule_says_why_it_exists_and_what_to_do_in_whole_sentences(rule):
    for sentence in (rule.why, rule.fix, *([rule.fixable] if rule.fixable else [])):
        assert re.fullmatch(r"[A-Z`][^\n]*[^.\s]\.", sentence), sentence
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)


def test_the_table_is_the_folder_in_the_order_of_the_ids():
    names = sorted(path.stem for path in Path(rules.__file__).parent.glob("lg*.py"))
    table = [f"{rule.id.lower()}_{rule.name.replace('-', '_')}" for rule in RULES]
    assert table == names


def test_ids_and_names_are_unique_and_every_id_stands_in_a_room():
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(re.fullmatch(r"LG[1-9]\d\d", rule.id) and rule.id[2] in ROOMS for rule in RULES)


NAMES = (*contract.ARTIFACTS, "run.yaml", "notes.md")
PIECES = st.sampled_from(
    [
        *(
            "## Gates\n",
            "## Context index\n",
            "## Spend budget\n",
            "## Rounds log\n",
            "## Timers\n",
        ),
        *("## Status header\n", "## Corrections\n", "## STANDING\n", "## Detectors\n", "\n", " "),
        *("| ID | Gate |\n|---|---|\n", "| G-1 |", "| C-01 | a | b |\n", "|", "\\|", "```\n", "`"),
        *("<!--", "-->", "<<<<<<<", "{{ spec", "{%", "loopgraph ", ".longgraph/", "/home/x", "../"),
        *("D-001 · 2026-01-02 · stop\n", "- R1 2026 | x | net +1/-1 |", "GAP-001", "OB-", "S-9"),
        *("\0", "\u202e", "\ufeff", "\r", "\r\n", "−", "：", "999999999999999999", "-----BEGIN "),
        *("Runtime contract: `longgraph.loop-graph.ops/v6`\n", "Round: ", "Highest ids: ", "eyJ"),
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=40).map("".join)


@given(st.dictionaries(st.sampled_from(NAMES), TEXTS))
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_no_text_makes_a_rule_fail(texts):
    run_rules.findings(edge.read(texts))


WHOLE = files("converge", host="grok", scout="Look for slow queries.")


@given(st.sampled_from(sorted(WHOLE)), st.floats(0, 1), st.integers(0, 200), TEXTS, st.booleans())
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_no_edit_of_a_whole_run_makes_a_rule_fail(name, where, length, text, crlf):
    source = WHOLE[name].replace("\n", "\r\n") if crlf else WHOLE[name]
    at = int(where * len(source))
    run_rules.findings(run({**WHOLE, name: source[:at] + text + source[at + length :]}))


@given(st.dictionaries(st.sampled_from(NAMES), st.text(max_size=20)))
def test_no_reason_that_a_file_is_unreadable_makes_a_rule_fail(others):
    run_rules.findings(edge.read({}, others))


def test_line_ends_of_another_system_change_no_finding():
    whole = {name: text.replace("\n", "\r\n") for name, text in WHOLE.items()}
    assert run_rules.findings(run(whole)) == ()


SLOW: tuple[tuple[str, str], ...] = (
    ("ledger.md", "# a\n"),
    ("ledger.md", "## Rounds log\n"),
    ("ledger.md", "- R1 2026-01-02 | x | changed: a | verify: b | net +1/-1 | next: c\n"),
    ("ledger.md", "> "),
    ("ledger.md", "`a``"),
    ("ops.md", "| C-01 | a | b | c |\n"),
    ("ops.md", "|"),
    ("ops.md", "<!-- "),
    ("ops.md", "<<<<<<< \n"),
    ("ops.md", "\0"),
    ("executor.md", "{{ spec `"),
    ("executor.md", "/a "),
    ("executor.md", "loopgraph x "),
    ("executor.md", "../"),
    ("directives.md", "D-001 · 2026-01-02 · stop\nContext: x\n"),
    ("directives.md", "- S-001 · SCOPE · x\n"),
    ("run.yaml", "a: [\n"),
    ("run.yaml", "- "),
)


@pytest.mark.parametrize(("name", "piece"), SLOW)
def test_the_work_grows_with_the_text_and_no_faster(name, piece):
    """Counted in calls, not in time: four times the text makes about four times the calls."""
    head = "" if name == "run.yaml" else WHOLE[name]

    def work(times: int) -> int:
        texts = {**WHOLE, name: head + "\n" + piece * times}
        return calls(lambda: run_rules.findings(edge.read(texts)))

    least = work(0)
    assert work(4000) - least < 6 * max(work(1000) - least, 200)


def calls(action: Callable[[], Any]) -> int:
    """How many functions are called, those written in C included."""
    made = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return made
