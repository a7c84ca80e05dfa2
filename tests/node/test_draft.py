"""A change on its way: the caps of each live file, ids that are never given twice, what is said."""

from __future__ import annotations

from typing import Any

import pytest

from loopgraph.model import contract
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError
from loopgraph.node import call as parts
from loopgraph.node import context, directives, draft, findings, gaps, opsfacts, standing
from loopgraph.node.directives import Packet
from loopgraph.node.draft import Used
from tests.node.desk import Desk

GAP = gaps.Row("P2", None, "docs/a.md", "look", "no page")
LEAD = {"where": "src/a.py:3", "what": "slow", "reproduce": "run it"}
PLAN = Packet("plan", None, "R0", "name the unit", "pytest -q", "none")


@pytest.fixture
def desk():
    return Desk(name="deliver", scout="Look for slow queries.")


# Caps -------------------------------------------------------------------------------------------

GROWS: dict[str, Any] = {
    "ledger.md": (gaps.add, (GAP,), {}, "executor", "loopgraph gap list"),
    "directives.md": (standing.add, ("SCOPE", "docs"), {}, "owner", "Merge packets, or retire"),
    "ops.md": (context.add, (), {"use_when": "a", "read": "b", "verify": "c"}, "executor",
               "Replace facts in place"),
    "findings.md": (findings.add, (), LEAD, "scout", "Take out what the ledger"),
}  # fmt: skip
"""A command that puts one line into each live file, and how to make room there."""


def filled(desk, name, *, lines=None, size=None):
    """Somebody has written into a file until it has so many lines, or bytes."""
    text = desk.files[name]
    if lines is not None:
        text += "\n" * (lines - text.count("\n"))
    if size is not None:
        text += "x" * (size - len(text.encode()) - 1) + "\n"
    desk.files[name] = text
    return desk


def test_every_live_file_has_a_way_to_make_room():
    assert set(GROWS) == set(contract.LIVE)


@pytest.mark.parametrize("name", GROWS)
@pytest.mark.parametrize(("below", "may"), [(1, True), (0, False)])
def test_a_file_has_as_many_lines_as_its_cap_and_no_more(desk, name, below, may):
    command, values, named, by, way = GROWS[name]
    cap = parts.knob(desk.run, "FILE_LINE_CAP")
    filled(desk, name, lines=cap - below)
    if may:
        desk.do(command, *values, by=by, **named)
        assert desk.files[name].count("\n") == cap
        return
    told = desk.refuse(command, *values, by=by, **named)
    assert (told.where, told.what) == (
        name, f"it would have {cap + 1} lines; FILE_LINE_CAP is {cap}",
    )  # fmt: skip
    assert way in told.fix


@pytest.mark.parametrize("name", GROWS)
def test_a_file_has_as_many_bytes_as_its_cap_and_no_more(desk, name):
    command, values, named, by, _ = GROWS[name]
    cap = parts.knob(desk.run, "FILE_BYTE_CAP")
    spare = Desk(desk.files)
    spare.do(command, *values, by=by, **named)
    grows = len(spare.files[name].encode()) - len(desk.files[name].encode())
    full = filled(Desk(desk.files), name, size=cap - grows)
    full.do(command, *values, by=by, **named)
    assert len(full.files[name].encode()) == cap
    told = filled(desk, name, size=cap - grows + 1).refuse(command, *values, by=by, **named)
    assert told.what == f"it would have {cap + 1} bytes; FILE_BYTE_CAP is {cap}"


def test_a_file_beyond_its_cap_may_shrink_and_stay_as_long_as_it_is(desk):
    cap = parts.knob(desk.run, "FILE_LINE_CAP")
    filled(desk, "ledger.md", lines=cap + 50)
    desk.do(gaps.close, "GAP-001", evidence="seen")
    desk.do(gaps.merge, "GAP-002", into="GAP-003")
    filled(desk, "ops.md", lines=cap + 50)
    desk.do(opsfacts.change, "Tests", "here")
    assert "FILE_LINE_CAP" in desk.refuse(gaps.add, GAP).what


def test_a_last_line_without_an_end_is_a_line_too(desk):
    cap = parts.knob(desk.run, "FILE_LINE_CAP")
    filled(desk, "ops.md", lines=cap)
    desk.files["ops.md"] += "x"
    begun = draft.begin(desk.run)
    assert begun.over("ops.md") == ""  # as it was
    assert begun._replace(before=begun.run._replace(files={})).over("ops.md") == (
        f"it would have {cap + 1} lines; FILE_LINE_CAP is {cap}"
    )
    desk.files["ops.md"] = desk.files["ops.md"].removesuffix("x")
    begun = draft.begin(desk.run)
    assert begun._replace(before=begun.run._replace(files={})).over("ops.md") == ""


def test_only_live_files_have_a_cap(desk):
    desk.files["executor.md"] = "x\n" * 9999
    assert draft.begin(desk.run)._replace(before=Desk().run).over("executor.md") == ""


def test_a_change_holds_what_changed_and_no_other_file(desk):
    assert desk.do(gaps.add, GAP).live.keys() == {"ledger.md"}
    change = desk.do(directives.add, PLAN, by="supervisor")
    assert change.live.keys() == {"directives.md"}
    assert change.findings == ()


# Ids --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("highest", "used", "number"),
    [(0, [], 1), (3, [], 4), (3, [1, 3], 4), (3, [3, 1, 2], 4)],
)
def test_the_next_id_is_one_above_the_highest_that_was_ever_given(highest, used, number):
    given = [Used(one, at) for at, one in enumerate(used, 1)]
    assert draft.next_id("GAP", "ledger.md", highest, given) == number


@pytest.mark.parametrize(
    ("highest", "used", "where", "what"),
    [
        (3, [1, 2, 1], "ledger.md:3", "GAP-001 is used twice"),
        (3, [1, 4], "ledger.md:2", "GAP-004 is in use, but Highest ids says GAP-003"),
        (0, [1], "ledger.md:1", "GAP-001 is in use, but Highest ids says no GAP"),
    ],
)
def test_ids_that_do_not_fit_are_refused_with_their_line(highest, used, where, what):
    given = [Used(one, at) for at, one in enumerate(used, 1)]
    with pytest.raises(RefusedError) as refused:
        draft.next_id("GAP", "ledger.md", highest, given)
    assert (refused.value.where, refused.value.what) == (where, what)


@pytest.mark.parametrize(
    ("file", "numbers", "said"),
    [
        ("ledger.md", {}, "GAP none | OB none"),
        ("ledger.md", {"OB": 2, "GAP": 12}, "GAP-012 | OB-002"),
        ("directives.md", {"D": 1, "S": 0, "OB": 1234}, "D-001 | S none | OB-1234"),
    ],
)
def test_highest_ids_names_every_kind_in_its_order(file, numbers, said):
    assert draft.highest_ids(file, numbers) == said


# Values -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("long", "may"), [(parts.LONGEST, True), (parts.LONGEST + 1, False)])
def test_a_value_has_a_length(long, may):
    if may:
        assert parts.said("x" * long, "--x") == "x" * long
        return
    with pytest.raises(UsageError) as refused:
        parts.said("x" * long, "--x")
    assert refused.value.what == f"{long} characters; {parts.LONGEST} are allowed"


def test_a_value_is_said_without_the_blanks_around_it_and_is_no_credential():
    assert parts.said(" a  b ", "--x") == "a  b"
    with pytest.raises(RefusedError) as refused:
        parts.said("use ghp_" + "a1" * 18, "--x")
    assert (refused.value.where, refused.value.what) == (
        "--x", "this looks like a GitHub token",
    )  # fmt: skip


@pytest.mark.parametrize("word", ["a", "b"])
def test_a_choice_is_one_of_its_words(word):
    assert parts.choice(word, iter(("a", "b")), "--x") == word
    with pytest.raises(UsageError) as refused:
        parts.choice("plann", iter(("plan", "redo")), "--x")
    assert (refused.value.where, refused.value.fix) == ("--x plann", "Did you mean plan?")


# What a command needs ---------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["<<<<<<< ours", ">>>>>>> theirs"])
@pytest.mark.parametrize("name", ["ledger.md", "directives.md", "ops.md"])
def test_a_file_with_a_merge_conflict_is_refused_by_its_line(desk, name, mark):
    line = desk.files[name].count("\n") + 1
    desk.files[name] += f"{mark}\n"
    read = {"ledger.md": parts.ledger, "directives.md": parts.directives, "ops.md": parts.ops}
    with pytest.raises(UnreadableError) as refused:
        read[name](desk.run)
    assert refused.value.where == f"{name}:{line}"
    assert refused.value.what == "a merge conflict is left in the file"


@pytest.mark.parametrize("mark", ["<<<<<<<", "=======", ">>>> quoted", "see <<<<<<< ours"])
def test_what_only_looks_like_a_mark_of_a_conflict_is_text(desk, mark):
    desk.files["ops.md"] += f"{mark}\n"
    assert parts.ops(desk.run)


@pytest.mark.parametrize(
    ("name", "title", "read"),
    [
        ("ledger.md", "Status header", parts.ledger),
        ("directives.md", "Corrections", parts.directives),
    ],
)
def test_a_file_without_its_part_or_with_a_second_one_is_another_file(desk, name, title, read):
    whole = desk.files[name]
    desk.files[name] = f"{whole}\n## {title}\n"
    with pytest.raises(UnreadableError) as refused:
        read(desk.run)
    assert refused.value.what == f"a second section “{title}”"
    assert refused.value.where == f"{name}:{whole.count(chr(10)) + 2}"
    desk.files[name] = whole.replace(f"## {title}\n", "")
    with pytest.raises(UnreadableError) as refused:
        read(desk.run)
    assert (refused.value.where, refused.value.what) == (name, f"no section “{title}”")


@pytest.mark.parametrize(("others", "what"), [({}, "no such file"), ({"ops.md": "x"}, "x")])
def test_a_file_that_is_not_there_is_named_with_the_reason(desk, others, what):
    del desk.files["ops.md"]
    with pytest.raises(UnreadableError) as refused:
        parts.ops(desk.run._replace(others=others))
    assert (refused.value.where, refused.value.what) == ("ops.md", what)


@pytest.mark.parametrize(
    ("problem", "others", "what"),
    [
        ("run.yaml:3: no number", {"run.yaml": "x"}, "run.yaml:3: no number"),
        ("", {"run.yaml": "larger than 8 MiB"}, "larger than 8 MiB"),
        ("", {}, "no such file"),
    ],
)
def test_a_record_that_is_needed_is_named_with_the_reason(desk, problem, others, what):
    run = desk.run._replace(record=None, record_problem=problem, others=others)
    with pytest.raises(UnreadableError) as refused:
        parts.spec(run)
    assert (refused.value.where, refused.value.what) == ("run.yaml", what)
    assert parts.spec(desk.run).milestones[0].id == "M-1"
