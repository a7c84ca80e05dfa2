"""The opening position: what a fresh ledger asks of the first round."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from loopgraph.author import opening, wording
from loopgraph.discover.gaps import find
from loopgraph.discover.languages import Layout
from loopgraph.discover.tree import Tree
from loopgraph.model.facts import Facts, Found, GapKind, GapSeed
from loopgraph.model.languages import LANGUAGES, Language
from loopgraph.model.spec import RunSpec
from tests.author.test_prompts import PACKS, pack, spec

EMPTY = Facts(project=Found("new", ""))
NO_GATE = GapSeed(
    "P1", "tests", "a new command runs the tests", "No test gate", "no-test-gate", observed=True
)
KINDS = get_args(GapKind)


def without_gates(name: str, lang: Language = "en") -> RunSpec:
    return replace(spec(name, lang), gates=(), facts=replace(EMPTY, gaps=(NO_GATE,)))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", PACKS)
def test_the_first_survey_says_what_this_kind_of_goal_is_cut_into(
    name: str, lang: Language
) -> None:
    said = pack(name, lang).text.survey
    first = opening.opening(spec(name, lang)).slice
    assert first.item == said if said else not first.item.isspace()
    bare = replace(spec(name, lang), pack=replace(pack(name, lang).text, survey=""))
    if not bare.pack.discovery_driven:
        assert opening.opening(bare).slice.item == wording.say("slice.survey", lang)


@pytest.mark.parametrize("name", ["deliver", "research"])
def test_a_survey_is_verified_by_what_it_wrote(name: str) -> None:
    first = opening.opening(spec(name)).slice
    assert first.verify == wording.say("slice.survey.verify", "en")
    assert first.write_set == wording.say("survey.write", "en")


def test_a_run_without_any_gate_says_so_in_one_row() -> None:
    rows = opening.opening(without_gates("deliver")).gaps
    assert [row.line for row in rows] == [wording.say("gap.no-gate", "en")]
    with_another = replace(
        without_gates("deliver"),
        facts=replace(EMPTY, gaps=(NO_GATE, GapSeed("P2", "src", "pytest", "five marks"))),
    )
    assert [row.line for row in opening.opening(with_another).gaps][1:] == ["five marks"]


@pytest.mark.parametrize(("source", "rows"), [("owner", 0), ("tox.ini:3", 1)])
def test_a_run_whose_owner_named_the_command_lacks_no_test_gate(source: str, rows: int) -> None:
    gate = replace(spec("deliver").gates[0], source=source)
    made = replace(without_gates("deliver"), gates=(gate,))
    assert len(opening.opening(made).gaps) == rows


def test_discovery_names_the_kind_that_the_opening_looks_for() -> None:
    rows = find(Tree((), lambda _: None), Layout((), (), (), (), ()), (), ())
    assert rows[0].kind == "no-test-gate"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_debt_row_speaks_the_language_of_its_run(kind: GapKind, lang: Language) -> None:
    seed = GapSeed("P2", "src", "English", "English", kind, "src/shop", 7, observed=True)
    if kind == "detector":  # its command shows it
        seed = replace(seed, verify="vulture src", observed=False)
    made = replace(spec("deliver", lang), facts=replace(EMPTY, gaps=(seed,)))
    (row,) = opening.opening(made).gaps
    assert row.line == wording.gap(kind, lang, about="src/shop", count=7)
    assert row.verify == ("vulture src" if kind == "detector" else wording.gap_verify(kind, lang))
    assert "{" not in row.line + row.verify


def test_a_row_of_an_older_record_stays_as_it_stands() -> None:
    old = GapSeed("P2", "src", "pytest", "five marks")
    made = replace(spec("deliver", "zh"), facts=replace(EMPTY, gaps=(old,)))
    assert [row.line for row in opening.opening(made).gaps] == ["five marks"]


@pytest.mark.parametrize("supervisor", ["yes", "no"])
def test_each_row_says_when_it_closes(supervisor: str) -> None:
    rows = opening.opening(spec("deliver", supervisor=supervisor)).rows
    assert [row.status for row in rows] == ["open"] * len(rows)
    assert all("close" in row.next for row in rows)
    judge = "supervisor" if supervisor == "yes" else "owner"
    assert f"the {judge}" in rows[0].next


def test_a_kind_without_ids_is_named() -> None:
    assert opening.opening(spec("deliver")).highest_gap == "GAP none"
    assert opening.opening(without_gates("deliver")).highest_gap == "GAP-001"
