"""Rounds are begun and recorded, and nothing but what they say changes."""

import pytest

from loopgraph.model.errors import RefusedError, UnreadableError, UsageError
from loopgraph.node import directives, gaps, rounds, slices
from loopgraph.node.rounds import Said
from tests.node.desk import OWNER, PERSON, STRANGER, Desk

LINE = "- R1 2026-01-02 | a | changed: b | verify: c | net +1/-0 | next: d"
GAP = gaps.Row("P2", None, "src/orders/stock.py", "pytest -q tests/stock", "no test reads stock")


@pytest.fixture
def desk():
    return Desk(name="deliver")


def said(item="a slice", *, changed=("src/a.py",), net="+10/-2", follows="the next one", **more):
    return Said(item, changed, "12 passed", ("evidence/r.txt",), net, follows, **more)


def record(desk, *values, by="executor", **named):
    return desk.do(rounds.record, said(*values, **named), by=by)


def test_a_round_is_one_line_and_the_header_counts_it(desk):
    record(desk)
    found = desk.ledger
    assert desk.files["ledger.md"].splitlines()[-1] == (
        "- R1 2026-01-02 | a slice | changed: src/a.py | "
        "verify: 12 passed; evidence: evidence/r.txt | net +10/-2 (claimed) | next: the next one"
    )
    assert (found.round, found.net, found.next_item) == (1, (10, 2), "the next one")
    assert (found.convergence.k, found.convergence.m, found.convergence.due) == (1, 8, False)
    assert desk.found() == ()


@pytest.mark.parametrize(
    ("write_set", "outside"),
    [
        ("`src/a.py`", "src/b.py, docs/x.md"),
        ("src/, `docs/*.md`", ""),
        ("src/", "docs/x.md"),
        ("none yet", ""),
        ("the files that the item names", ""),
        ("src, docs/x.md", ""),
    ],
)
def test_what_lies_outside_the_write_set_is_said(desk, write_set, outside):
    desk.do(slices.change, {"Item": "a slice", "Write set": write_set})
    record(desk, changed=("src/a.py", "src/b.py", "docs/x.md"))
    told = [one.message for one in desk.last.findings if one.rule == "write-set"]
    assert told == ([f"{outside} is outside the slice's write set"] if outside else [])


def test_a_repair_and_a_convergence_round_have_no_write_set(desk):
    desk.do(slices.change, {"Item": "a slice", "Write set": "src/a.py"})
    record(desk, changed=("src/b.py",), net="+0/-2", converge=True)
    assert [one for one in desk.last.findings if one.rule == "write-set"] == []


def test_what_was_done_is_said_before_what_comes_next(desk):
    record(desk)
    assert desk.last.says == ("R1 recorded.", "The slice is not cut yet: loopgraph slice set")


def test_a_next_item_that_names_no_live_debt_row_is_said(desk):
    record(desk, follows="GAP-999")
    assert "No live debt row: GAP-999. See: loopgraph gap list" in desk.last.says


def test_recording_changes_header_slice_and_log_and_no_other_byte(desk):
    before = desk.files["ledger.md"]
    record(desk)
    after = desk.files["ledger.md"]
    old, new = before.splitlines(), after.splitlines()
    names = (
        "Current milestone",
        "Next unclosed",
        "Convergence tracker",
        "- Item",
        "- Write set",
        "- Context",
        "- Verify",
        "- Done when",
    )
    changed = [line for line, other in zip(old, new, strict=False) if line != other]
    assert all(line.startswith(names) for line in changed), changed
    assert len(changed) == 8
    assert new[len(old) :] == ["", new[-1]]
    assert desk.files["directives.md"] == Desk(name="deliver").files["directives.md"]


@pytest.mark.parametrize(
    "item",
    [
        "a | pipe",
        "net +9/-9",
        "changed: x",
        "CONVERGE all",
        "**bold**",
        "中文｜管",
        "− minus",
        "`code`",
        "trailing \\",
        "next: b | verify: c",
        "- R9 2026-01-01 | x",
        "two\nlines",
        "<!-- no -->",
    ],
)
def test_whatever_a_value_says_it_comes_back_and_becomes_no_structure(desk, item):
    record(desk, item, follows=item)
    found = desk.ledger
    assert (found.rounds[-1].item, found.rounds[-1].next) == (item, item)
    assert (found.rounds[-1].net, found.rounds[-1].converge) == ((10, 2), False)
    assert found.slice.item.text == item
    assert len(found.rounds) == 1
    assert desk.found() == ()


def test_the_oldest_round_moves_word_for_word(desk):
    for number in range(5):
        record(desk, f"slice {number}", net="+1/-0")
        if desk.ledger.convergence.due:
            break
    first = desk.files["ledger.md"].splitlines(keepends=True)
    line = next(line for line in first if line.startswith("- R1 "))
    record(desk, "less", net="+0/-4", converge=True)
    assert desk.archive["rounds"] == line
    assert line not in desk.files["ledger.md"]
    assert [entry.number for entry in desk.ledger.rounds] == [2, 3, 4, 5, 6]


@pytest.fixture
def due(desk):
    record(desk, net="+500/-0")
    assert desk.ledger.convergence.due
    return desk


def test_a_round_that_does_not_converge_is_refused_when_one_is_due(due):
    with pytest.raises(RefusedError, match="a convergence round is due") as error:
        record(due)
    assert "--converge" in error.value.fix
    assert error.value.where.startswith("ledger.md:")


def test_nor_may_it_begin(due):
    with pytest.raises(RefusedError, match="a convergence round is due"):
        due.do(rounds.start)
    due.do(rounds.start, converge=True)


def test_a_convergence_round_takes_out_more_than_it_adds(due):
    with pytest.raises(RefusedError, match="adds no lines"):
        record(due, net="+5/-4", converge=True)
    record(due, net="+5/-5", converge=True)
    found = due.ledger
    assert (found.convergence.k, found.convergence.m, found.convergence.due) == (0, 0, False)
    assert found.rounds[-1].converge
    assert due.found() == ()


def test_a_search_that_found_nothing_converges_with_evidence_alone(due):
    nothing = Said("search", (), "none found", (), None, "on", converge=True)
    with pytest.raises(RefusedError, match="shows what it searched"):
        due.do(rounds.record, nothing)
    due.do(rounds.record, nothing._replace(evidence=("evidence/search.txt",)))
    assert due.ledger.convergence.k == 0


def test_force_records_it_with_a_finding(due):
    with pytest.raises(UsageError, match="why"):
        record(due, force=True)
    change = record(due, force=True, why="the owner waits")
    assert [one.rule for one in change.findings] == ["forced"]
    assert "forced: the owner waits" in due.ledger.rounds[-1].verify
    assert due.ledger.convergence.due


def test_a_repair_comes_first_only_where_something_is_red(due):
    with pytest.raises(RefusedError, match="nothing is red"):
        record(due, repair=True)
    due.do(rounds.record, said(converge=True, failed=True, net="+0/-3"))
    assert not due.ledger.rounds[-1].converge
    record(due, repair=True)
    assert due.ledger.convergence.due


def test_a_fold_comes_first_too(due):
    due.do(
        directives.add,
        directives.Packet("plan", None, "none", "mend it", "pytest", "none"),
        by="supervisor",
    )
    due.do(directives.fold, "D-001", effect="mended")
    record(due, repair=True)
    with pytest.raises(RefusedError, match="nothing is red"):
        record(due, repair=True)


def test_a_failed_round_leaves_its_item_open(desk):
    before = desk.ledger.slice.item.text
    desk.do(rounds.record, Said(None, ("a.py",), "2 failed", (), "+3/-0", None, failed=True))
    found = desk.ledger
    assert found.rounds[-1].verify == "failed: 2 failed"
    assert found.slice.item.text == found.next_item == before
    assert desk.found() == ()


def test_a_debt_row_brings_its_write_set_and_verify_into_the_slice(desk):
    desk.do(gaps.add, GAP)
    id_ = desk.ledger.gaps[-1].id
    record(desk, follows=f"{id_} read stock (C-01)")
    now = desk.ledger.slice
    assert (now.write_set.text, now.verify.text, now.context.text) == (
        GAP.write_set,
        GAP.verify,
        "C-01",
    )


def test_a_round_that_was_begun_is_recorded_in_its_place(desk):
    record(desk)
    desk.do(rounds.start, item="the second", baseline="two tests fail")
    assert rounds.under_way(desk.ledger)
    assert "- Baseline: two tests fail" in desk.files["ledger.md"]
    assert desk.found() == ()
    with pytest.raises(RefusedError, match="R2 is under way"):
        desk.do(rounds.start)
    record(desk, None)
    assert [entry.item for entry in desk.ledger.rounds] == ["a slice", "the second"]
    assert "###" not in desk.files["ledger.md"]
    assert desk.archive == {}


@pytest.mark.parametrize("item", ["a | b", "CONVERGE now", "**bold**", "`x`", "- R9 | x", "none"])
def test_an_item_that_was_begun_is_recorded_as_it_was_given(desk, item):
    desk.do(rounds.start, item=item)
    assert desk.ledger.rounds[-1].item == item
    assert desk.found() == ()
    record(desk, None)
    assert desk.ledger.rounds[-1].item == item
    assert desk.found() == ()


def test_what_somebody_wrote_into_the_block_goes_to_the_archive(desk):
    desk.do(rounds.start, item="one")
    desk.edit("ledger.md", "- **Item**: one\n", "- **Item**: one\n- **Open**: a lead\n")
    record(desk, None)
    assert "a lead" in desk.archive["rounds"]
    assert "a lead" not in desk.files["ledger.md"]


def test_two_rounds_that_changed_nothing_are_a_stall(desk):
    idle = Said("look", (), "nothing", (), None, "look again")
    assert desk.do(rounds.record, idle).findings == ()
    assert [one.rule for one in desk.do(rounds.record, idle).findings] == ["stall"]


@pytest.mark.parametrize(("speaker", "named"), [("supervisor", "executor"), ("scout", "executor")])
def test_another_node_is_refused_with_edge_and_writer(desk, speaker, named):
    with pytest.raises(RefusedError) as error:
        record(desk, by=speaker)
    assert "edge ledger" in error.value.what
    assert named in error.value.what


@pytest.mark.parametrize("speaker", [OWNER, PERSON, STRANGER])
def test_owner_person_and_an_unnamed_agent_may_record(desk, speaker):
    record(desk, by=speaker)
    assert desk.ledger.round == 1


@pytest.mark.parametrize(
    ("old", "new", "what", "where"),
    [
        ("Round: 0", "Round: many", "does not say Round", "ledger.md:9"),
        ("Run status: `active`", "Run status: `closed` (done)", "the run is closed", "ledger.md:"),
        ("## Rounds log\n", f"## Rounds log\n\n{LINE}\n", "the log has R1", "ledger.md:"),
        ("## Gate scoreboard", "<<<<<<< ours\n## Gate scoreboard", "merge conflict", "ledger.md:"),
        (
            "## Rounds log\n",
            "## Status header\n\n## Rounds log\n",
            "a second section",
            "ledger.md:",
        ),
        ("## Rounds log\n", "", "no section", "ledger.md"),
    ],
)
def test_what_cannot_be_parsed_is_refused_with_its_line(desk, old, new, what, where):
    desk.edit("ledger.md", old, new)
    before = dict(desk.files)
    with pytest.raises((RefusedError, UnreadableError)) as error:
        record(desk)
    assert what in error.value.what
    assert error.value.where.startswith(where)
    assert desk.files == before


def test_a_ledger_with_carriage_returns_keeps_them():
    desk = Desk(
        {name: text.replace("\n", "\r\n") for name, text in Desk(name="deliver").files.items()}
    )
    record(desk)
    assert desk.files["ledger.md"].count("\n") == desk.files["ledger.md"].count("\r\n")
    assert desk.ledger.round == 1


def test_unknown_text_around_stays(desk):
    desk.edit(
        "ledger.md",
        "## Rounds log\n",
        "### My own\n\nwords \u200b and \f feeds\n\n## Rounds log\n\n<!-- keep -->\n",
    )
    record(desk)
    for kept in ("### My own\n\nwords \u200b and \f feeds\n", "<!-- keep -->\n"):
        assert kept in desk.files["ledger.md"]


def test_a_secret_is_refused_and_not_repeated(desk):
    token = "ghp_" + "a" * 36
    with pytest.raises(RefusedError) as error:
        record(desk, f"use {token}")
    assert token not in str(error.value)


def test_a_file_at_its_cap_takes_the_round_and_rotates_more(desk):
    long = "x" * 590
    for number in range(12):
        converge = desk.ledger.convergence.due
        record(
            desk,
            f"{number} {long}",
            changed=(long, long),
            follows=long,
            net="+0/-1",
            converge=converge,
        )
        desk.caps_hold()
    assert desk.ledger.round == 12
