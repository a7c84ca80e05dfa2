"""Findings are said in the reader's language, whichever way a rule is broken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from loopgraph.check import example, rules, run_rules
from loopgraph.check.rules import RULES
from loopgraph.disk import catalogue
from loopgraph.edges import directives
from loopgraph.model import contract, messages
from loopgraph.model.finding import Finding
from loopgraph.plain import header
from tests.check.compiled import files, run
from tests.check.test_breaches import CASES, broken

NAMES = (
    *(*contract.LEDGER_SECTIONS, contract.METRIC_SECTION, *contract.DIRECTIVES_SECTIONS),
    *(*contract.OPS_SECTIONS, *contract.DISCOVERY_SECTIONS, contract.FANOUT_SECTION),
    *(*header.FIELDS, *header.SLICE, *directives.PACKET, "Highest ids", "Audited through"),
    *(*header.GAP_COLUMNS, *header.CARD_COLUMNS, "Spend budget", "Use when"),
    "Runtime contract",
)
"""What is called the same in every language: headings, fields and columns."""


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    messages.use(None)


def english(text: str) -> list[str]:
    """Two English words in a row that are no name and in no quotation: not our own words."""
    text = re.sub(r"`[^`]*`|'[^']*'|“[^”]*”", "·", text)
    for name in sorted(NAMES, key=len, reverse=True):
        text = text.replace(name, "·")
    return re.findall(r"[A-Za-z]{2,}(?:, | )[a-z]{2,}", text)


def assert_chinese(findings: Iterable[Finding]) -> None:
    for text in (text for finding in findings for text in (finding.message, finding.fix)):
        assert re.search(r"[\u4e00-\u9fff]", text), text
        assert english(text) == [], text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_what_the_bad_example_breaks_is_said_in_chinese(rule):
    catalogue.speak("zh")
    told = tuple(rule.check(example.read(rule.bad)))
    assert len(told) == 1
    assert_chinese(told)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rule']}-{case['file']}")
def test_what_breaks_in_a_whole_run_is_said_in_chinese(case):
    answers = dict(case.get("run", {}))
    found = broken(case, files(answers.pop("pack", "deliver"), **answers))
    catalogue.speak("zh")
    told = run_rules.findings(run(found))
    assert told
    assert_chinese(told)


@pytest.mark.parametrize(
    "path", sorted(Path(rules.__file__).parent.glob("lg*.py")), ids=lambda path: path.stem[:5]
)
def test_no_sentence_of_a_rule_is_outside_the_catalogue(path):
    """A way to break a rule that no example takes is said by a text of the catalogue, too."""
    assert sentences(path) == []


def sentences(path: Path, *, but: tuple[str, ...] = ()) -> list[str]:
    """The English sentences in a module's functions that no catalogue has."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = [
        text
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name not in but
        for statement in function.body[ast.get_docstring(function) is not None :]
        for text in outside(statement)
    ]
    return [text for text in said if english(text)]


def outside(node: ast.AST) -> Iterator[str]:
    """The texts of a statement that are in no call of `_` or `N_` and tell no reader of code."""
    match node:
        case ast.Call(func=ast.Name(id="_" | "N_")) | ast.Expr(value=ast.Constant()):
            return
        case ast.Constant(value=str(text)):
            yield text
    for child in ast.iter_child_nodes(node):
        yield from outside(child)


def test_a_sentence_in_english_would_be_found():
    (statement,) = ast.parse('yield RULE.at(name, 0, f"{name} is missing here")').body
    assert english(next(text for text in outside(statement))) == ["is missing"]
