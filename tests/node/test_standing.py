"""STANDING, facts of ops.md, the context index and findings: entries that stay until replaced."""

from __future__ import annotations

import pytest

from loopgraph.model import contract, states
from loopgraph.node import call as parts
from loopgraph.node import context, findings, opsfacts, standing
from tests.node.desk import Desk

LEAD = {"where": "src/a.py:3", "what": "slow", "reproduce": "run it"}


@pytest.fixture
def desk():
    return Desk(name="deliver", scout="Look for slow queries.")


# STANDING ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", states.STANDING_KINDS)
def test_what_the_owner_grants_is_attributed_and_numbered(desk, kind):
    change = desk.do(standing.add, kind, " docs only ", by="owner")
    assert change.says == ("S-002 is in force.",)
    assert f"- S-002 · {kind} · owner: docs only\n" in desk.files["directives.md"]
    assert "Highest ids: D none | S-002 | OB none" in desk.files["directives.md"]
    assert desk.found() == ()


def test_an_entry_is_of_a_known_kind_and_says_something(desk):
    told = desk.refuse(standing.add, "SCOP", "x", by="owner")
    assert (told.where, told.fix) == ("the kind SCOP", "Did you mean SCOPE?")
    assert desk.refuse(standing.add, "SCOPE", " ", by="owner").where == "the text"
    assert desk.refuse(standing.replace, "S-001", " ", by="owner").where == "the text"


def test_as_many_entries_stand_as_the_cap_says(desk):
    cap = parts.knob(desk.run, "STANDING_CAP")
    while len(desk.directives.standing) < cap:
        desk.do(standing.add, "SCOPE", "docs", by="owner")
    told = desk.refuse(standing.add, "SCOPE", "docs", by="owner")
    assert told.what == f"{cap} entries stand; STANDING_CAP is {cap}"
    assert told.fix.startswith("Retire or replace one: S-001, S-002, ")
    desk.do(standing.retire, "S-002", by="owner")
    desk.do(standing.add, "SCOPE", "docs", by="owner")
    assert desk.directives.standing[-1].id == f"S-{cap + 1:03}"


def test_an_id_that_was_used_again_by_hand_is_refused(desk):
    desk.do(standing.add, "SCOPE", "docs", by="owner")
    desk.edit("directives.md", "- S-002 ·", "- S-001 ·")
    told = desk.refuse(standing.add, "SCOPE", "x", by="owner")
    assert told.what == "S-001 is used twice"
    assert told.where == f"directives.md:{desk.directives.standing[1].line}"


def test_an_entry_is_worded_anew_in_its_place_and_keeps_its_kind(desk):
    desk.do(standing.add, "SCOPE", "docs only", by="owner")
    desk.do(standing.add, "PRE-AUTH", "merge", by="owner")
    change = desk.do(standing.replace, "S-2", "docs and tests", by="owner")
    assert change.says == ("S-002 is replaced.",)
    assert change.moves[0].id == "S-002"
    assert desk.archive == {"standing": "- S-002 · SCOPE · owner: docs only\n"}
    assert [(one.id, one.kind, one.text) for one in desk.directives.standing[1:]] == [
        ("S-002", "SCOPE", "owner: docs and tests"), ("S-003", "PRE-AUTH", "owner: merge"),
    ]  # fmt: skip


def test_an_entry_whose_kind_nobody_knows_is_not_worded_anew(desk):
    desk.edit("directives.md", "- S-001 · AUTHORITY ·", "- S-001 · SCOP ·")
    told = desk.refuse(standing.replace, "S-001", "x", by="owner")
    assert told.fix == "Did you mean SCOPE?"


def test_what_is_lifted_goes_word_for_word(desk):
    desk.do(standing.add, "SCOPE", "docs only", by="owner")
    change = desk.do(standing.retire, "S-002", by="owner")
    assert change.says == ("S-002 is no longer in force.",)
    assert desk.archive == {"standing": "- S-002 · SCOPE · owner: docs only\n"}
    desk.do(standing.retire, "S-001", by="owner")
    told = desk.refuse(standing.retire, "S-001", by="owner")
    assert (told.where, told.what, told.fix) == (
        "S-001", "no such standing entry", "Nothing stands.",
    )  # fmt: skip


# Facts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("section", contract.OPS_FROZEN)
def test_a_section_that_was_frozen_has_no_new_fact(desk, section):
    told = desk.refuse(opsfacts.change, "a", "b", section=section)
    assert told.what == f"{section} was frozen when the run was compiled"
    assert told.where == f"--section {section}"


def test_a_fact_stands_in_its_section_and_is_replaced_in_place(desk):
    change = desk.do(opsfacts.change, "Seed | 种", "make seed", section="Standards")
    assert change.says == ("Seed | 种: make seed",)
    standards = desk.files["ops.md"].partition("## Standards")[2].partition("\n## ")[0]
    assert "make seed" in standards
    desk.do(opsfacts.change, "Seed | 种", "make seeds", section="Standards")
    assert desk.files["ops.md"].count("make seed") == 1
    desk.do(opsfacts.change, "Tests", "elsewhere")
    assert "- Tests: elsewhere\n" in desk.files["ops.md"]


@pytest.mark.parametrize(
    ("fact", "said", "named", "where"),
    [
        ("a:b", "c", {}, "a:b"), ("a：b", "c", {}, "a：b"), (" ", "c", {}, "the fact"),
        ("a", " ", {}, "the text"), ("a", "b", {"section": "Standard"}, "--section Standard"),
        ("a", "b", {"detector": opsfacts.Detector("x")}, "--command, --blind-spot"),
        ("a", "b", {"detector": opsfacts.Detector("", "x")}, "--command, --blind-spot"),
    ],
)  # fmt: skip
def test_a_fact_has_a_name_a_text_and_a_section(desk, fact, said, named, where):
    assert desk.refuse(opsfacts.change, fact, said, **named).where == where


def test_an_empty_detector_is_none(desk):
    desk.do(opsfacts.change, "a", "b", detector=opsfacts.Detector())
    assert "- a: b\n" in desk.files["ops.md"]


def detectors(desk):
    return [(row.name, row.command, row.blind_spot) for row in desk.run.ops().detectors]


@pytest.fixture
def sweeping():
    return Desk(name="converge")


def test_a_detector_is_new_with_both_and_changed_by_either(sweeping):
    first = detectors(sweeping)
    new = opsfacts.Detector("knip --json", "types")
    change = sweeping.do(opsfacts.change, "knip", "12", section="Detectors", detector=new)
    assert change.says == ("knip: 12",)
    assert detectors(sweeping) == [*first, ("knip", "`knip --json`", "types")]
    assert "| knip | `knip --json` | types | 12 |" in sweeping.files["ops.md"]
    blind = opsfacts.Detector("", "types and styles")
    sweeping.do(opsfacts.change, "knip", "11", section="Detectors", detector=blind)
    assert "| knip | `knip --json` | types and styles | 11 |" in sweeping.files["ops.md"]
    assert detectors(sweeping)[:1] == first
    sweeping.do(opsfacts.change, "vulture", "5", section="Detectors")
    assert detectors(sweeping)[:1] == first


def test_a_detector_that_is_not_there_is_named_with_the_nearest(sweeping):
    told = sweeping.refuse(opsfacts.change, "vultur", "7", section="Detectors")
    assert (told.where, told.what) == ("vultur", "no such detector")
    assert told.fix == "Did you mean vulture?"
    kept = [line for line in sweeping.files["ops.md"].split("\n") if "| vulture" not in line]
    sweeping.files["ops.md"] = "\n".join(kept)
    told = sweeping.refuse(opsfacts.change, "vultur", "7", section="Detectors")
    assert told.fix == "A new one comes with --command and --blind-spot."


@pytest.mark.parametrize(
    ("detector", "where"),
    [(opsfacts.Detector("x", ""), "--blind-spot"), (opsfacts.Detector("", "y"), "--command"),
     (opsfacts.Detector("x", " "), "--blind-spot")],
)  # fmt: skip
def test_a_new_detector_lacks_nothing(sweeping, detector, where):
    told = sweeping.refuse(opsfacts.change, "knip", "1", section="Detectors", detector=detector)
    assert told.where == where


# The context index ------------------------------------------------------------------------------


def test_a_pointer_is_numbered_above_the_highest(desk):
    desk.edit("ops.md", "| C-02 |", "| C-11 |")
    change = desk.do(context.add, use_when=" reading ", read="docs/a.md", verify="look")
    assert change.says == ("C-12 added.",)
    assert "| C-12 | reading | docs/a.md | look |\n" in desk.files["ops.md"]


def test_only_rows_of_the_index_count_for_the_next_number(desk):
    desk.edit("ops.md", "| C-02 |", "| GAP-050 |")
    assert desk.do(context.add, use_when="a", read="b", verify="c").says == ("C-05 added.",)


@pytest.mark.parametrize(
    ("name", "option"), [("use_when", "--use-when"), ("read", "--read"), ("verify", "--verify")]
)
def test_a_pointer_lacks_nothing(desk, name, option):
    whole = {"use_when": "a", "read": "b", "verify": "c", name: " "}
    assert desk.refuse(context.add, **whole).where == option
    assert desk.refuse(context.replace, "C-01", **{name: " "}).where == option


@pytest.mark.parametrize("name", ["use_when", "read", "verify"])
def test_one_cell_of_a_pointer_is_replaced_and_the_others_stay(desk, name):
    before = desk.run.ops().context
    change = desk.do(context.replace, "C-1", **{name: "new"})
    assert change.says == ("C-01 replaced.",)
    after = desk.run.ops().context
    assert after[0] == before[0]._replace(**{name: "new"})
    assert after[1:] == before[1:]


def test_a_pointer_is_replaced_by_something(desk):
    told = desk.refuse(context.replace, "C-01")
    assert (told.where, told.what) == ("C-01", "nothing to replace")
    assert told.fix == "Say --use-when or --read or --verify."


# Findings ---------------------------------------------------------------------------------------


def test_a_lead_is_numbered_above_the_highest_that_stands_there(desk):
    for number in (1, 2):
        assert desk.do(findings.add, **LEAD, by="scout").says == (f"F-00{number} written down.",)
    row = "| F-002 | src/a.py:3 | slow | run it | 2026-01-02 |\n"
    desk.edit("findings.md", row, row.replace("F-002", "F-041"))
    assert desk.do(findings.add, **LEAD, by="scout").says == ("F-042 written down.",)


def test_as_many_leads_are_live_as_the_cap_says(desk):
    cap = parts.knob(desk.run, "GAP_CAP")
    for _ in range(cap):
        desk.do(findings.add, **LEAD, by="scout")
    told = desk.refuse(findings.add, **LEAD, by="scout")
    assert told.what == f"{cap} findings are live; GAP_CAP is {cap}"
    line = (
        desk.files["findings.md"]
        .split("\n")
        .index("| F-001 | src/a.py:3 | slow | run it | 2026-01-02 |")
    )
    assert told.where == f"findings.md:{line + 1}"


@pytest.mark.parametrize("name", LEAD)
def test_a_lead_has_a_place_and_a_way_to_see_it(desk, name):
    assert desk.refuse(findings.add, **{**LEAD, name: ""}, by="scout").where == f"--{name}"
