"""Breaches planted in fresh runs: each makes exactly the one finding that its case names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from loopgraph.check import run_rules
from loopgraph.check.rules import RULES
from loopgraph.edges import record
from loopgraph.edges import run as edge
from loopgraph.model.contract import ARTIFACTS
from tests.check.compiled import files, refrozen, run

HERE = Path(__file__).parents[1] / "cases" / "breaches"
KEYS = {"rule", "run", "file", "old", "new", "besides", "gone", "text", "end", "at", "seen"}


def cases() -> list[Any]:
    found = []
    for path in sorted(HERE.glob("*.yaml")):
        listed = record.load_yaml(path.read_text(encoding="utf-8"), path.name)
        assert isinstance(listed, list)
        found += listed
    return found


CASES = cases()


def broken(case: Mapping[str, Any], whole: Mapping[str, str]) -> dict[str, str]:
    """The run with the case's breach in it, its hashes anew where a frozen file was touched."""
    name = case["file"]
    for change in case.get("besides", ()):
        also = change.get("file", name)
        assert change["old"] in whole[also]
        whole = {**whole, also: whole[also].replace(change["old"], change["new"], 1)}
    if case.get("gone"):
        return {other: text for other, text in whole.items() if other != name}
    if "text" in case:
        assert name not in whole
        return {**whole, name: case["text"]}
    if "end" in case:
        return anew(case, {**whole, name: whole[name] + case["end"]})
    assert whole[name].count(case["old"]) >= 1, f"{case['old']!r} is not in {name}"
    return anew(case, {**whole, name: whole[name].replace(case["old"], case["new"], 1)})


def anew(case: Mapping[str, Any], found: dict[str, str]) -> dict[str, str]:
    about_hashes = case["rule"] == "LG115" or case["file"] not in ARTIFACTS
    return found if about_hashes else refrozen(found)


def line(case: Mapping[str, Any], text: str) -> int:
    """The line that the case names: the last one that holds its text."""
    if case["at"] == 0:
        return 0
    return max(n for n, row in enumerate(text.splitlines(), 1) if case["at"] in row)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rule']} {case['file']}")
def test_a_breach_makes_its_finding_and_no_other(case):
    assert set(case) <= KEYS
    answers = dict(case.get("run", {}))
    whole = files(answers.pop("pack", "deliver"), **answers)
    found = broken(case, whole)
    seen = case.get("seen", case["file"])
    told = {(f.rule, f.file, f.line) for f in run_rules.findings(run(found))}
    assert told == {(case["rule"], seen, line(case, found.get(seen, "")))}


def test_every_rule_has_a_breach():
    # Of other people's runs, and of what one text put for another can't say.
    elsewhere = {"LG106", "LG107", "LG108", "LG109", "LG506"}
    assert {rule.id for rule in RULES} - {case["rule"] for case in CASES} == elsewhere


def test_no_breach_is_planted_twice():
    told = Counter(str(sorted(case.items(), key=str)) for case in CASES)
    assert not [case for case, times in told.items() if times > 1]


@pytest.mark.parametrize(
    ("name", "rule", "limit"),
    [
        ("ledger.md", "LG107", 200),
        ("directives.md", "LG107", 200),
        ("ops.md", "LG107", 200),
        ("executor.md", "LG108", 200),
        ("supervisor.md", "LG108", 160),
    ],
)
def test_a_file_with_a_line_too_many_is_told_at_that_line(name, rule, limit):
    whole = files()
    rest = limit - whole[name].count("\n")
    full = refrozen({**whole, name: whole[name] + "\n" * rest})
    assert run_rules.findings(run(full)) == ()
    over = refrozen({**whole, name: whole[name] + "\n" * (rest + 1)})
    assert [(f.rule, f.file, f.line) for f in run_rules.findings(run(over))] == [
        (rule, name, limit + 1)
    ]


@pytest.mark.parametrize(
    ("name", "rule", "limit"),
    [("ledger.md", "LG107", 24_576), ("executor.md", "LG108", 12_000)],
)
def test_a_file_with_a_byte_too_many_is_told(name, rule, limit):
    whole = files()
    rest = limit - len(whole[name].encode())
    full = refrozen({**whole, name: whole[name] + "-" * (rest - 1) + "\n"})
    assert run_rules.findings(run(full)) == ()
    over = refrozen({**whole, name: whole[name] + "-" * rest + "\n"})
    assert [(f.rule, f.file, f.line) for f in run_rules.findings(run(over))] == [(rule, name, 0)]


@pytest.mark.parametrize("field", ["outcome", "proof"])
def test_a_north_star_without_a_part_is_told_at_its_line(field):
    whole = files()
    spec = record.read(whole["run.yaml"]).spec
    old = f"  {field}: {getattr(spec.north_star, field)}\n"
    text = whole["run.yaml"].replace(old, f"  {field}: ''\n", 1)
    assert text != whole["run.yaml"]
    told = run_rules.findings(run({**whole, "run.yaml": text}))
    assert [(f.rule, f.line) for f in told] == [
        ("LG506", text.splitlines().index(f"  {field}: ''") + 1)
    ]


@pytest.mark.parametrize("name", sorted(files()))
def test_a_file_that_is_no_text_is_told_and_nothing_else(name):
    whole = dict(files())
    del whole[name]
    told = run_rules.findings(edge.read(whole, {name: "not UTF-8 at byte 7"}))
    assert [(f.rule, f.file, f.line) for f in told] == [("LG109", name, 0)]
