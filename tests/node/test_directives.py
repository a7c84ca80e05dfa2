"""Corrections: what a packet may say, what it becomes in the file, and what folding it does."""

from __future__ import annotations

import pytest

from loopgraph.model import states
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError
from loopgraph.node import call as parts
from loopgraph.node import directives, gates, lane, slices
from loopgraph.node.directives import Packet
from tests.node.desk import EXECUTOR, OWNER, STRANGER, SUPERVISOR, Desk

PLAN = Packet("plan", None, "R0", "name the unit", "pytest -q", "none")


@pytest.fixture
def desk():
    return Desk(name="deliver")


def add(desk, by="supervisor", **changes):
    desk.do(directives.add, PLAN._replace(**changes), by=by)
    return desk.directives.corrections[-1].id


def fold(desk, id_="D-001", **more):
    return desk.do(directives.fold, id_, effect="taken up", **more)


def stands(desk, gate, status="active"):
    desk.edit("ledger.md", f"Run status: `{desk.ledger.status}`", f"Run status: `{status}`")
    desk.edit("ledger.md", f"Milestone gate: `{desk.ledger.gate}`", f"Milestone gate: `{gate}`")
    return desk


def given(desk, verdict, **changes):
    """A verdict as a file may have it, however it came there."""
    id_ = add(desk, **changes)
    desk.edit("directives.md", f"{id_} · 2026-01-02 · plan", f"{id_} · 2026-01-02 · {verdict}")
    return id_


# Add --------------------------------------------------------------------------------------------


def test_a_packet_is_an_entry_with_its_fields(desk):
    change = desk.do(directives.add, PLAN._replace(boundary="M-1"), by="supervisor")
    assert change.says == ("D-001 waits to be folded.",)
    packet = (
        "## Corrections\n\nD-001 · 2026-01-02 · plan · M-1\nContext: R0\nAction: name the unit\n"
        "Verify: pytest -q\nStop: none\n"
    )
    assert desk.files["directives.md"].endswith(packet)
    add(desk)
    assert desk.files["directives.md"].endswith(
        f"{packet}\nD-002 · 2026-01-02 · plan\nContext: R0\nAction: name the unit\n"
        "Verify: pytest -q\nStop: none\n"
    )
    assert "Highest ids: D-002 | S-001 | OB none" in desk.files["directives.md"]
    assert desk.found() == ()


@pytest.mark.parametrize("verdict", ["plan", "stop"])
def test_the_words_of_a_verdict_are_those_of_the_table(desk, verdict):
    add(desk, verdict=verdict)
    assert desk.directives.corrections[-1].verdict == verdict
    told = desk.refuse(directives.add, PLAN._replace(verdict=f"{verdict}s"), by="supervisor")
    assert told.where == f"the verdict {verdict}s"


@pytest.mark.parametrize(
    ("by", "from_", "action"),
    [
        (SUPERVISOR, None, "name the unit"), (OWNER, None, "owner: name the unit"),
        (OWNER, "owner", "owner: name the unit"),
    ],
)  # fmt: skip
def test_what_the_owner_says_is_attributed(desk, by, from_, action):
    desk.do(directives.add, PLAN, from_=from_, by=by)
    assert desk.directives.corrections[-1].fields["Action"].text == action


@pytest.mark.parametrize("by", [SUPERVISOR, EXECUTOR, STRANGER])
def test_nobody_speaks_in_the_owners_name(desk, by):
    told = desk.refuse(directives.add, PLAN, from_="owner", by=by)
    assert isinstance(told, RefusedError)
    assert "writes in the owner's name" in told.what


def test_a_packet_comes_from_the_owner_or_from_nobody_in_particular(desk):
    told = desk.refuse(directives.add, PLAN, from_="executor", by="owner")
    assert (told.where, told.what) == ("--from executor", "no such word")


@pytest.mark.parametrize("name", ["context", "action", "verify", "stop"])
def test_a_packet_lacks_nothing(desk, name):
    told = desk.refuse(directives.add, PLAN._replace(**{name: ""}), by="supervisor")
    assert told.where == f"--{name}"


@pytest.mark.parametrize(
    ("boundary", "what"),
    [
        ("M-2", ""), ("M2", ""), ("M-02", ""), ("GAP-001", ""), ("GAP-999", ""), (None, ""),
        ("M-9", "no such milestone"), ("M2 and M-3", "no milestone and no debt row"),
        ("GAP001", "no milestone and no debt row"), ("D-001", "no milestone and no debt row"),
        ("", "no milestone and no debt row"), ("M-1234567", "no milestone and no debt row"),
    ],
)  # fmt: skip
def test_a_packet_is_about_a_milestone_of_the_run_or_a_debt_row(desk, boundary, what):
    packet = PLAN._replace(boundary=boundary)
    if not what:
        desk.do(directives.add, packet, by="supervisor")
        assert desk.directives.corrections[-1].boundary == boundary
        return
    told = desk.refuse(directives.add, packet, by="supervisor")
    assert isinstance(told, UsageError)
    assert (told.where, told.what) == (boundary, what)


def test_without_a_record_any_milestone_may_be_meant(desk):
    files = {name: text for name, text in desk.files.items() if name != "run.yaml"}
    Desk(files).do(directives.add, PLAN._replace(boundary="M-9"), by="supervisor")


@pytest.mark.parametrize(
    ("context", "may"), [("C-01", True), ("R1, C-99", False), ("C-1", False), ("GAP-99", True)]
)
def test_a_packet_cites_rows_of_the_context_index_that_are_there(desk, context, may):
    packet = PLAN._replace(context=context)
    if may:
        desk.do(directives.add, packet, by="supervisor")
    else:
        told = desk.refuse(directives.add, packet, by="supervisor")
        assert told.where == f"--context {context.rpartition(' ')[2]}"
        assert told.what == "no such row in the context index"
    desk.edit("ops.md", "## Context index\n", "## Pointers\n")
    desk.do(directives.add, packet, by="supervisor")
    del desk.files["ops.md"]
    desk.do(directives.add, packet, by="supervisor")


@pytest.mark.parametrize(
    ("verdict", "action", "stop", "where"),
    [
        ("plan", "src/orders/ is closed", "none", ""),
        ("stop", "src/orders/ is closed, test it", "none", "--action"),
        ("plan", "test it", "src/orders/", "--stop"),
        ("stop", "test it", "src/orders/", "--stop"),
        ("plan", "none", "none", "--action"),
        ("stop", "mend src/orders/totals.py", "none", ""),
    ],
)
def test_a_folder_is_closed_as_a_whole_by_nobody(desk, verdict, action, stop, where):
    packet = PLAN._replace(verdict=verdict, action=action, stop=stop)
    if not where:
        desk.do(directives.add, packet, by="supervisor")
        return
    told = desk.refuse(directives.add, packet, by="supervisor")
    assert isinstance(told, RefusedError)
    assert told.where == where


def test_as_many_corrections_wait_as_the_cap_says_and_folded_ones_do_not_count(desk):
    cap = parts.knob(desk.run, "OPEN_DIRECTIVE_CAP")
    for _ in range(cap):
        add(desk)
    told = desk.refuse(directives.add, PLAN, by="supervisor")
    assert told.what == f"{cap} corrections wait; OPEN_DIRECTIVE_CAP is {cap}"
    assert told.fix.startswith("The executor folds D-001, D-002, ")
    fold(desk)
    assert add(desk) == "D-009"


def test_an_id_that_was_used_again_by_hand_is_refused(desk):
    add(desk)
    text = desk.files["directives.md"]
    desk.files["directives.md"] = f"{text}\n{text[text.index('D-001 ·') :]}"
    told = desk.refuse(directives.add, PLAN, by="supervisor")
    assert told.what == "D-001 is used twice"
    told = desk.refuse(directives.fold, "D-001", effect="x")
    assert told.what == "D-001 is used twice"
    assert told.where == f"directives.md:{desk.directives.corrections[1].line}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" | Highest ids: D none | S-001 | OB none", ""),
        ("## Supervisor state", "## State"),
    ],
)
def test_without_highest_ids_no_correction_is_numbered(desk, old, new):
    desk.edit("directives.md", old, new)
    told = desk.refuse(directives.add, PLAN, by="supervisor")
    assert isinstance(told, UnreadableError)
    assert told.what == "the Supervisor state does not say Highest ids"
    heading = desk.directives.state
    assert told.where == (f"directives.md:{heading.line}" if heading else "directives.md")


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("Highest ids: D none | S-001 | OB none", "Highest ids: D-001 | S-001 | OB none"),
        ("**Highest ids**: D none | S-001 | OB none", "**Highest ids**: D-001 | S-001 | OB none"),
        (
            "highest ids： D none | S-001 | OB none · more",
            "highest ids： D-001 | S-001 | OB none · more",
        ),
    ],
)
def test_highest_ids_are_raised_where_they_stand(desk, line, after):
    desk.edit("directives.md", "Highest ids: D none | S-001 | OB none", line)
    add(desk)
    assert f"{after}\n" in desk.files["directives.md"]


# Fold -------------------------------------------------------------------------------------------


def test_a_fold_moves_the_watermark_and_says_its_effect(desk):
    add(desk)
    change = desk.do(directives.fold, "D-1", effect=" the unit | is named ")
    assert desk.ledger.folded == 1
    text = desk.ledger.fields["Last directive folded"].text
    assert text.startswith("D-001 after R0 (the unit ")
    assert change.says[0] == "D-001 folded: plan."
    assert desk.found() == ()


def test_a_fold_says_what_it_changed(desk):
    add(desk)
    assert desk.refuse(directives.fold, "D-001", effect=" ").where == "--effect"


def test_where_no_round_is_known_the_watermark_names_none(desk):
    add(desk)
    desk.edit("ledger.md", "Round: 0 |", "Round: many |")
    fold(desk)
    assert desk.ledger.fields["Last directive folded"].text == "D-001 (taken up)"


def test_a_packet_without_a_verdict_is_folded_and_changes_nothing_else(desk):
    add(desk)
    desk.edit("directives.md", "D-001 · 2026-01-02 · plan", "D-001 · 2026-01-02")
    board = desk.ledger.scoreboard
    assert fold(desk).says == ("D-001 folded: no verdict.",)
    assert desk.ledger.scoreboard == board


@pytest.mark.parametrize(
    ("watermark", "id_", "what", "where"),
    [
        ("D-002 (x)", "D-002", "D-002 is folded already", "ledger.md:"),
        ("D-002 (x)", "D-001", "D-001 is folded already", "ledger.md:"),
        ("D-001 (x)", "D-003", "D-002 comes first", "directives.md:"),
        ("none", "D-002", "D-001 comes first", "directives.md:"),
        ("none", "D-007", "no such directive waits", "D-007"),
        ("none", "GAP", "no such directive waits", "GAP"),
        ("D-004 (x)", "D-001", "D-004 is folded, but the queue goes to D-003", "ledger.md:"),
    ],
)
def test_corrections_are_folded_one_by_one_in_their_order(desk, watermark, id_, what, where):
    for _ in range(3):
        add(desk)
    desk.edit("ledger.md", "Last directive folded: none", f"Last directive folded: {watermark}")
    told = desk.refuse(directives.fold, id_, effect="x")
    assert told.what == what
    assert told.where.startswith(where)


def test_the_nearest_that_waits_is_offered(desk):
    assert desk.refuse(directives.fold, "D-001", effect="x").fix == "None waits."
    add(desk)
    assert "D-001" in desk.refuse(directives.fold, "D-002", effect="x").fix


def test_a_watermark_as_high_as_the_queue_ever_was_is_no_mistake(desk):
    add(desk)
    fold(desk)
    desk.do(directives.turned, by="supervisor")
    assert desk.directives.corrections == ()
    assert desk.refuse(directives.fold, "D-001", effect="x").what == "D-001 is folded already"


def test_a_queue_out_of_order_is_folded_by_its_numbers(desk):
    add(desk)
    add(desk)
    text = desk.files["directives.md"]
    first, second = text.index("D-001 ·"), text.index("D-002 ·")
    desk.files["directives.md"] = f"{text[:first]}{text[second:]}\n{text[first:second]}"
    assert desk.refuse(directives.fold, "D-002", effect="x").what == "D-001 comes first"
    fold(desk, "D-001")
    fold(desk, "D-002")


# What a verdict does ----------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", states.VERDICTS)
def test_in_a_run_that_is_closed_a_fold_moves_the_watermark_alone(desk, verdict):
    given(desk, verdict, boundary="M-1")
    stands(desk, "pending-audit", "closed")
    before = desk.files["ledger.md"]
    fold(desk)
    changed = [
        (old, new)
        for old, new in zip(before.split("\n"), desk.files["ledger.md"].split("\n"), strict=True)
        if old != new
    ]
    assert [old for old, _ in changed] == ["Last directive folded: none"]


@pytest.mark.parametrize(
    ("boundary", "asked", "gate", "may"),
    [
        ("M-1", "M-1 (asked)", "pending-audit", True),
        ("M-2", "M-2 (asked)", "pending-audit", False),
        ("M-2", "M-1 (asked)", "pending-audit", False),
        ("M-1", "M-2 (asked)", "pending-audit", False),
        ("M-1", "none", "pending-audit", True),
        (None, "M-1 (asked)", "pending-audit", False),
        ("M-2", "M-2 (asked)", "n/a", True),
    ],
)
def test_only_an_accept_of_what_is_asked_for_passes_the_gate(desk, boundary, asked, gate, may):
    given(desk, "accept", boundary=boundary)
    desk.edit("ledger.md", "- Boundary: none", f"- Boundary: {asked}")
    stands(desk, gate)
    if may:
        fold(desk)
        assert desk.ledger.gate == ("passed" if gate != "n/a" else "n/a")
        if gate != "n/a":
            assert desk.ledger.fields["Milestone gate"].text == "`passed` (M-1 by D-001)"
        return
    told = desk.refuse(directives.fold, "D-001", effect="x")
    assert told.what == f"D-001 accepts {boundary or 'nothing'}; M-1 is asked for"
    assert told.where == f"directives.md:{desk.directives.corrections[0].line}"


@pytest.mark.parametrize("gate", ["open", "passed"])
def test_an_accept_of_what_nobody_asked_for_is_refused_by_the_table(desk, gate):
    given(desk, "accept", boundary="M-1")
    stands(desk, gate)
    told = desk.refuse(directives.fold, "D-001", effect="x")
    assert told.what == f"the gate is {gate} and cannot become passed"
    after = ", ".join(sorted(states.MILESTONE_GATE[gate]))
    assert told.fix == f"After {gate} comes: {after}."


@pytest.mark.parametrize(
    ("gate", "status", "after"),
    [
        ("pending-audit", "active", ("open", "active")),
        ("passed", "active", ("open", "active")),
        ("open", "active", ("open", "active")),
        ("n/a", "active", ("n/a", "active")),
        ("pending-audit", "exit-ready", ("open", "active")),
        ("open", "stalled", ("open", "stalled")),
    ],
)
def test_a_redo_opens_what_was_closed(desk, gate, status, after):
    given(desk, "redo", boundary="M-1", action="prove it", context="R0, C-02")
    desk.do(gates.change, "M-1", status="closed", evidence="seen")
    desk.edit("ledger.md", "- Boundary: none", "- Boundary: M-1 (asked)")
    stands(desk, gate, status)
    fold(desk)
    assert (desk.ledger.gate, desk.ledger.status) == after
    assert desk.ledger.promotion.empty
    assert desk.ledger.slice.context.text == "C-02"
    row = next(row for row in desk.ledger.scoreboard if row.gate == "M-1: exit checks")
    assert (row.status, row.evidence) == ("open", "D-001: prove it")


def test_a_redo_without_an_action_or_a_verify_is_known_by_its_id(desk):
    given(desk, "redo", boundary="M-1")
    text = desk.files["directives.md"]
    for field in ("Action: name the unit\n", "Verify: pytest -q\n", "Context: R0\n"):
        text = text.replace(field, "")
    desk.files["directives.md"] = text
    fold(stands(desk, "pending-audit"))
    now = desk.ledger.slice
    assert (now.item.text, now.verify.text, now.context.text) == ("D-001", "none yet", "none")


@pytest.mark.parametrize(("long", "shown"), [(293, "y" * 293), (294, "y" * 292 + "…")])
def test_an_item_repeats_of_a_packet_what_has_room(desk, long, shown):
    given(desk, "redo", boundary="M-1", action="y" * long)
    fold(stands(desk, "pending-audit"))
    assert desk.ledger.slice.item.text == f"D-001: {shown}"


@pytest.mark.parametrize(
    ("verify", "evidence"),
    [
        ("pytest -q", "folded after R0; verify: pytest -q"), ("none", "folded after R0"),
        ("y" * 301, f"folded after R0; verify: {'y' * 299}…"),
    ],
)  # fmt: skip
def test_a_plan_becomes_a_row_with_its_verify(desk, verify, evidence):
    add(desk, verify=verify)
    change = fold(desk)
    row = desk.ledger.scoreboard[-1]
    assert (row.gate, row.status, row.evidence) == ("D-001: name the unit", "open", evidence)
    assert change.says[1] == "D-001 is a row of the Gate scoreboard until a round names it."


def test_a_plan_that_has_its_row_already_gets_no_second_one(desk):
    add(desk)
    desk.do(gates.change, "D-001: by hand", status="open", evidence="x")
    fold(desk)
    assert [id_ for id_, _ in lane.owed(desk.ledger)] == ["D-001"]


def test_a_plan_without_an_action_is_no_row(desk):
    add(desk)
    desk.edit("directives.md", "Action: name the unit\n", "")
    fold(desk)
    assert lane.owed(desk.ledger) == []


def test_a_fold_that_follows_a_plan_by_hand_leaves_the_slice_alone(desk):
    desk.do(slices.change, {"Item": "mine", "Write set": "src/a.py"})
    add(desk)
    fold(desk)
    assert desk.ledger.slice.item.text == "mine"


# Rotation, audits -------------------------------------------------------------------------------


def test_what_is_rotated_is_named(desk):
    for _ in range(3):
        add(desk)
    assert desk.do(directives.turned, by="supervisor").says == ("Nothing to rotate.",)
    fold(desk, "D-001")
    fold(desk, "D-002")
    assert desk.do(directives.turned, by="supervisor").says == (
        "Moved to the archive: D-001, D-002.",
    )
    assert [one.id for one in desk.directives.corrections] == ["D-003"]


def test_an_audit_rotates_what_is_folded(desk):
    add(desk)
    fold(desk)
    desk.do(directives.audited, through=0, by="supervisor")
    assert "D-001 ·" in desk.archive["directives"]


@pytest.mark.parametrize(
    ("tips", "may"),
    [("a" * 300, True), ("a" * 301, False), ("main a1, dev b2", True), ("m`ain", False)],
)
def test_tips_have_a_form_and_a_length(desk, tips, may):
    if may:
        desk.do(directives.audited, through=0, tips=tips, by="supervisor")
        assert f"Repo tips: {tips} |" in desk.files["directives.md"]
        return
    told = desk.refuse(directives.audited, through=0, tips=tips, by="supervisor")
    assert told.where == f"--tips {tips}"


def test_very_long_tips_of_git_are_noted_as_far_as_there_is_room(desk):
    desk.do(directives.audited, through=0, now="b" * 400, by="supervisor")
    assert f"Repo tips: {'b' * 300} |" in desk.files["directives.md"]


def test_an_audit_without_any_tips_leaves_those_that_were_noted(desk):
    desk.do(directives.audited, through=0, tips="main a1", by="supervisor")
    desk.do(directives.audited, through=0, by="supervisor")
    desk.do(directives.audited, through=0, now="", by="supervisor")
    assert "Repo tips: main a1 |" in desk.files["directives.md"]


def test_an_audit_where_none_was_noted_may_begin_anywhere(desk):
    desk.edit("directives.md", "Audited through: R0", "Audited through: none")
    desk.do(directives.audited, through=0, by="supervisor")
    told = desk.refuse(directives.audited, through=1, by="supervisor")
    assert (told.where, told.what) == ("--through R1", "the log goes to R0")


def test_an_audit_goes_forward_from_where_it_stands(desk):
    desk.edit("ledger.md", "Round: 0 |", "Round: 5 |")
    desk.do(directives.audited, through=3, by="supervisor")
    told = desk.refuse(directives.audited, through=2, by="supervisor")
    assert told.what == "R3 is audited already"
    assert told.where == f"directives.md:{desk.directives.state.line}"
