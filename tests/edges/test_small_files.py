"""The small files beside a ledger: archives, answers, stops, bindings, work records, acts."""

from __future__ import annotations

import json

import pytest

from loopgraph.edges import (
    answers,
    archives,
    beside,
    bindings,
    contract_id,
    document,
    places,
    plans,
    stops,
)  # fmt: skip
from loopgraph.edges.answers import Answer
from loopgraph.edges.bindings import Binding, Block
from loopgraph.edges.stops import Stop


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("rounds.md", 1), ("rounds-2.md", 2), ("rounds-10.md", 10), ("rounds-1.md", 0),
        ("rounds-0.md", 0), ("rounds-02.md", 0), ("rounds-.md", 0), ("rounds-x.md", 0),
        ("rounds-２.md", 0), ("rounds.txt", 0), ("rounds-2.txt", 0), ("2.md", 0), ("gaps.md", 0),
    ],
)  # fmt: skip
def test_the_files_of_an_archive_are_counted_from_one(name, number):
    assert archives.number("rounds", name) == number
    if number:
        assert archives.file_name("rounds", number) == name


def test_an_archive_begins_with_its_project_and_the_columns_of_its_rows():
    assert archives.head("rounds", " my \n shop ") == "# my shop: archived rounds\n\n"
    assert archives.head("gates", "shop") == (
        "# shop: archived gates\n\n| Gate | Status | Evidence / next action |\n|---|---|---|\n"
    )


@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("- D-003 2026-01-02", True), ("| D-003 | x |", True), ("D-003 said", True),
        ("- D-0031 x", False), ("see D-003 x", False), ("- D-003", False),
        ("### Round 3 — x", False),
    ],
)  # fmt: skip
def test_an_archive_holds_an_entry_whose_id_begins_a_line(line, held):
    assert archives.holds(f"# head\n\n{line}\n", "D-003") is held


@pytest.mark.parametrize("line", ["- R3 2026 | x", "### Round 3 — 2026-01-02"])
def test_a_round_is_held_as_a_line_or_as_a_block(line):
    assert archives.holds(line, "R3")
    assert not archives.holds(line, "R33")


GIVEN = Answer(7, "OB-001", "B", "owner", 4, "Do it · later\nif you must")
CARDS = "## owner-blocked\n\n| ID |\n|---|\n\n{}\n\n## Corrections\n"


def test_an_answer_is_read_back_as_it_was_written():
    line = answers.write(GIVEN)
    assert line.startswith("- OB-001 · B · owner · after R4 · ")
    assert answers.read(document.parse(CARDS.format(line))) == (GIVEN._replace(line=6),)


@pytest.mark.parametrize(
    "line",
    ["- OB-001 · B · owner · after R4", "- D-001 · B · owner · after R4 · x", "OB-001 · B",
     "- OB-001 · B · owner · after noon · x", "* OB-001 · B · owner · after R4 · x"],
)  # fmt: skip
def test_a_line_that_is_no_answer_is_passed_over(line):
    assert answers.read(document.parse(CARDS.format(line))) == ()


def test_without_the_section_there_is_no_answer():
    assert answers.read(document.parse("# a\n\n## Corrections\n")) == ()


@pytest.mark.parametrize(
    ("who", "counts"),
    [
        (("owner", "relayed"), 0), (("relayed", "owner"), 1), (("relayed", "relayed"), 1),
        (("owner", "owner"), 1), (("by hand", "relayed"), 0), (("owner", "by hand"), 1),
    ],
)  # fmt: skip
def test_a_relayed_answer_counts_only_while_there_is_no_other(who, counts):
    given = [GIVEN._replace(by=by, line=at) for at, by in enumerate(who)]
    other = GIVEN._replace(id="OB-002")
    assert answers.standing([*given, other]) == (given[counts], other)


def test_a_stop_is_read_back_and_says_how_it_is_lifted():
    stop = Stop("owner", "2026-01-02", "wait: the store\nis down")
    text = stops.write(stop, "loopgraph resume")
    assert text.endswith("\nlifted by: loopgraph resume\n")
    assert stops.read(text) == stop
    assert stops.write(Stop("", "", ""), "x") == "lifted by: x\n"


def test_any_text_is_a_stop_and_of_two_lines_of_a_name_the_first_counts():
    assert stops.read("") == Stop("", "", "")
    assert stops.read("please wait\nWHO : me\nwho: you\n why:a:b") == Stop("me", "", "a:b")


ENTRY = Binding("2026-run", "executor", "2026-01-02", 3, "open", "adopt")


def test_a_binding_is_read_back_and_what_stands_beside_it_is_kept():
    before = json.dumps({"sessions": {"s": {"run": "old", "goal": "x", "note": 1}, "t": 2}, "k": 3})
    after = bindings.with_session(before, "s", ENTRY)
    assert bindings.read(after) == {"s": ENTRY}
    found = json.loads(after)
    assert (found["k"], found["version"], found["sessions"]["t"]) == (3, 1, 2)
    assert found["sessions"]["s"]["note"] == 1
    assert list(found["sessions"]) == ["t", "s"]


def test_a_binding_without_a_goal_takes_that_of_the_one_before_away():
    first = bindings.with_session(None, "s", ENTRY)
    bare = ENTRY._replace(round=None, gate=None, goal=None)
    assert bindings.read(bindings.with_session(first, "s", bare)) == {"s": bare}


@pytest.mark.parametrize(
    "entry",
    [None, 3, {}, {"run": "a"}, {"role": "executor"}, {"run": 3, "role": "executor"},
     {"run": "a", "role": "owner"}],
)  # fmt: skip
def test_an_entry_that_is_no_binding_is_passed_over(entry):
    assert bindings.read(json.dumps({"sessions": {"s": entry}})) == {}


def test_a_round_that_is_no_number_is_unknown():
    for odd in (True, "3", 3.5, None):
        entry = {"run": "a", "role": "scout", "at": 3, "round": odd, "gate": "", "goal": []}
        read = bindings.read(json.dumps({"sessions": {"s": entry}}))
        assert read == {"s": Binding("a", "scout", "")}


def test_a_session_is_found_and_taken_out_however_its_id_is_written():
    text = bindings.with_session(None, "codex:1", ENTRY)
    text = bindings.with_session(text, "2", ENTRY._replace(run="other"))
    bound = bindings.read(text)
    assert bindings.of(bound, "1", "codex") == ENTRY
    assert bindings.of(bound, "1", "claude") is None
    assert set(bindings.read(bindings.without_session(text, "1", "codex"))) == {"2"}
    assert set(bindings.read(bindings.without_session(text, "1", "claude"))) == {"codex:1", "2"}
    assert set(bindings.read(bindings.without_session(text, "2", "claude"))) == {"codex:1"}


def test_a_block_is_read_back():
    said = Block("s", "no key", "the key is there", "2026-01-02")
    text = bindings.write_block(said)
    assert bindings.block(text) == said
    assert json.loads(text)["version"] == 1
    assert bindings.block("{}") == Block("", "", "", "")


def test_fields_of_a_work_are_set_and_the_rest_stays():
    first = plans.with_work(None, "w", {"active_plan": "p.md", "mode": "ship", "status": None})
    assert json.loads(first) == {
        "version": 1,
        "works": {"w": {"active_plan": "p.md", "mode": "ship"}},
    }
    second = plans.with_work(first, "w", {"mode": None, "status": "paused"})
    (work,) = plans.read(second)
    assert (work.id, work.plan, work.mode, work.status) == ("w", "p.md", "", "paused")
    odd = json.dumps({"version": 1, "works": {"w": 3}, "k": 4})
    third = json.loads(plans.with_work(odd, "w", {"active_plan": "q.md"}))
    assert third == {"version": 1, "works": {"w": {"active_plan": "q.md"}}, "k": 4}


def test_works_of_another_tool_are_read_and_what_is_none_is_nothing():
    assert [work.plan for work in plans.of_boulder('{"active_plan": "p.md"}')] == ["p.md"]
    assert plans.of_boulder("no json") == ()
    assert plans.read(None) == ()


LINES = (
    '{"node": "executor", "time": "1", "command": ["--as", "round", "record"]}',
    "no json", "[]", '{"node": 3, "time": "9"}', '{"node": "owner", "time": 9}',
    '{"node": "executor", "time": "2", "command": ["gap", 7]}',
    '{"node": "owner", "time": "3", "command": "stop"}',
    '{"node": "owner", "time": "4", "command": ["--json"]}',
)  # fmt: skip


def test_the_last_act_of_each_writer_and_of_each_command_is_known():
    found = beside.acts(LINES)
    assert found.by == {"executor": "2", "owner": "4"}
    assert found.of == {"round": "1", "gap": "2", "": "4"}
    assert beside.acts(()) == ({}, {})


HEAD = "Runtime contract: `longgraph.loop-graph.ledger/v6`"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (HEAD, ("ledger", "v6")), (f"\ufeff{HEAD}  \r\nmore", ("ledger", "v6")),
        (HEAD.replace("v6", "v5"), ("ledger", "v5")), (f"\n{HEAD}", None), (HEAD[:-1], None),
        (HEAD.replace("v6", "v5.1"), ("ledger", "v5.1")), (HEAD.replace("v6", "../../v6"), None),
        (HEAD.replace("v6", "v6 "), None), (HEAD.replace("v6", "v" * 21), None),
        (HEAD.replace("v6", "v６"), None),
        (f"# {HEAD}", None), ("", None), (HEAD.replace("/v6", ""), ("ledger", "")),
    ],
)  # fmt: skip
def test_a_file_names_its_contract_in_its_first_line(source, found):
    assert contract_id.contract_id(source) == found


def test_a_run_is_ours_by_its_record_or_by_our_version_in_a_file():
    old = {"ledger.md": HEAD.replace("v6", "v4")}
    assert contract_id.versions({**old, "ops.md": HEAD, "executor.md": HEAD}) == ("v6", "v4")
    assert contract_id.is_ours({"ops.md": HEAD})
    assert contract_id.is_ours({**old, "run.yaml": ""})
    assert contract_id.is_ours(old, {"run.yaml": ""})
    assert not contract_id.is_ours(old)
    assert not contract_id.is_ours({"other.md": HEAD})


def test_each_file_of_a_session_has_its_place():
    assert places.stop("2026-run") == ".longgraph/2026-run/STOP"
    assert places.stop(None) == places.stop("") == ".longgraph/STOP"
    assert places.blocked("codex:ab-1") == ".longgraph/blocked/ab-1.json"
    assert places.plan_ledger("w") == ".longgraph/plans/w.ledger.jsonl"
    assert places.PROJECT.loop("t") == ".longgraph/loops/t.md"
    assert places.PROJECT.evidence("codex:ab-1") == ".longgraph/state/ab-1.json"
