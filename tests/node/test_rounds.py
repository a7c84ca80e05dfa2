"""Rounds are begun and recorded, and nothing but what they say changes."""

import pytest

from loopgraph.model.errors import RefusedError, UnreadableError, UsageError
from loopgraph.node import call as parts
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


def test_a_repair_that_has_begun_is_recorded_as_one(due):
    due.do(rounds.record, said(converge=True, failed=True, net="+0/-3"))
    red = due.ledger.round
    due.do(rounds.start, item="mend it", repair=True)
    record(due, repair=True)
    assert due.ledger.round == red + 1
    assert not due.ledger.rounds[-1].block
    due.do(rounds.start, item="fold twins", converge=True)
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


# Limits -----------------------------------------------------------------------------------------


def test_a_value_has_as_many_characters_as_are_allowed_and_no_more(desk):
    record(desk, "x" * parts.LONGEST)
    with pytest.raises(UsageError) as error:
        record(desk, "x" * (parts.LONGEST + 1))
    assert error.value.what == "601 characters; 600 are allowed"
    assert error.value.where == "--item"
    assert "evidence/" in error.value.fix


@pytest.mark.parametrize(
    ("named", "where"),
    [
        ({"item": " "}, "--item"), ({"changed": (" ",)}, "--changed"), ({"follows": ""}, "--next"),
        ({"net": "lots"}, "--net lots"), ({"net": None}, "--net"),
    ],
)  # fmt: skip
def test_a_round_says_everything_that_its_line_needs(desk, named, where):
    with pytest.raises(UsageError) as error:
        record(desk, **named)
    assert error.value.where == where


@pytest.mark.parametrize(
    ("field", "value", "where"),
    [
        ("result", "", "--result"), ("evidence", (" ",), "--evidence"),
        ("result", "failed: 2 of 9", "--result failed: 2 of 9"),
    ],
)  # fmt: skip
def test_a_round_says_how_its_verify_went(desk, field, value, where):
    with pytest.raises(UsageError) as error:
        desk.do(rounds.record, said()._replace(**{field: value}))
    assert error.value.where == where


def test_without_a_next_item_a_round_that_passed_is_not_recorded(desk):
    with pytest.raises(UsageError) as error:
        desk.do(rounds.record, said(follows=None))
    assert error.value.where == "--next"
    desk.do(rounds.record, said("again", follows=None, failed=True))
    assert desk.ledger.rounds[-1].next == "again"


def test_without_any_item_there_is_no_round(desk):
    desk.do(slices.change, {"Item": "none"})
    for act in (lambda: record(desk, None), lambda: desk.do(rounds.start)):
        with pytest.raises(UsageError) as error:
            act()
        assert error.value.where == "--item"


def test_many_paths_are_named_as_far_as_the_line_has_room(desk):
    paths = tuple(f"src/{'x' * (91 - 2 * (n > 0))}/{n}.py" for n in range(8))
    assert len(", ".join(paths[:6])) == parts.LONGEST
    record(desk, changed=paths)
    assert desk.ledger.rounds[-1].changed == f"{', '.join(paths[:6])}, and 2 more"
    record(desk, changed=paths[:6])
    assert desk.ledger.rounds[-1].changed == ", ".join(paths[:6])
    record(desk, changed=("y" * 590, "z" * 590))
    assert desk.ledger.rounds[-1].changed == f"{'y' * 590}, and 1 more"
    record(desk, changed=(), net=None)
    assert desk.ledger.rounds[-1].changed == "none"


def test_the_limits_stand_in_the_tracker_and_the_last_round_before_them_is_free(desk):
    for number in range(4):
        record(desk, net="+100/-0")
        assert desk.ledger.convergence[1:] == (number + 1, 5, 100 * (number + 1), 400, False)
    assert "the next round converges" not in desk.last.says[0]
    record(desk, net="+0/-50")
    assert desk.ledger.convergence[1:] == (5, 5, 350, 400, True)
    assert desk.last.says[0] == "R5 recorded; the next round converges."


def test_one_line_above_the_cap_makes_a_convergence_round_due(desk):
    record(desk, net="+400/-0")
    assert not desk.ledger.convergence.due
    record(desk, net="+1/-0")
    assert desk.ledger.convergence.due


def test_what_the_tracker_says_counts_though_its_numbers_say_less(desk):
    desk.edit("ledger.md", "next round converges: no", "next round converges: yes")
    with pytest.raises(RefusedError, match="a convergence round is due"):
        record(desk)


@pytest.mark.parametrize(("k", "m"), [("**5**", "**+0**"), ("**0**", "**+401**")])
def test_what_its_numbers_say_counts_though_the_flag_says_less(desk, k, m):
    desk.edit("ledger.md", "rounds since last 5: **0**", f"rounds since last 5: {k}")
    desk.edit("ledger.md", "net lines since last +400: **+0**", f"net lines since last +400: {m}")
    with pytest.raises(RefusedError, match="a convergence round is due"):
        desk.do(rounds.start)


@pytest.mark.parametrize("name", ["rounds since last 5", "net lines since last +400"])
def test_a_tracker_whose_numbers_are_gone_is_refused_with_its_line(desk, name):
    number = "**0**" if name.startswith("rounds") else "**+0**"
    desk.edit("ledger.md", f"{name}: {number}", f"{name}: many")
    with pytest.raises(UnreadableError) as error:
        record(desk)
    assert error.value.where == f"ledger.md:{desk.ledger.line('Convergence tracker')}"
    record(desk, net="+0/-2", converge=True)
    assert desk.ledger.convergence[1:] == (0, 5, 0, 400, False)


# The log ----------------------------------------------------------------------------------------


def log_of(desk, *lines, round_):
    desk.files["ledger.md"] += "\n" + "\n".join(lines) + "\n"
    desk.edit("ledger.md", "Round: 0 |", f"Round: {round_} |")


def test_a_number_that_stands_twice_or_is_ahead_is_refused_with_its_line(desk):
    log_of(desk, LINE, LINE, round_=1)
    with pytest.raises(RefusedError) as error:
        record(desk)
    assert error.value.what == "R1 is used twice"
    assert error.value.where == f"ledger.md:{desk.ledger.rounds[1].line}"
    other = Desk(name="deliver")
    log_of(other, LINE, LINE.replace("R1", "R2"), round_=1)
    with pytest.raises(RefusedError) as error:
        record(other)
    assert error.value.what == "the log has R2, but Round is 1"


def test_a_block_ahead_of_the_count_is_under_way_only_where_it_is_the_newest(desk):
    block = "### Round 1\n\n- **Item**: a"
    log_of(desk, block, LINE.replace("R1", "R2"), round_=0)
    with pytest.raises(RefusedError, match="the log has R1, but Round is 0"):
        record(desk)


def test_a_round_under_way_takes_the_place_of_the_oldest(desk):
    for number in range(4):
        record(desk, f"slice {number}", net="+0/-1")
    desk.do(rounds.start, item="five")
    assert [one.number for one in desk.ledger.rounds] == [1, 2, 3, 4, 5]
    assert desk.archive == {}
    record(desk, None, net="+0/-1")
    desk.do(rounds.start, item="less", converge=True)
    assert [one.number for one in desk.ledger.rounds] == [2, 3, 4, 5, 6]
    assert desk.ledger.rounds[-1].converge
    assert "- R1 " in desk.archive["rounds"]


def test_a_round_that_begins_is_told_with_what_waits_to_be_folded(desk):
    packet = directives.Packet("plan", None, "none", "mend it", "pytest", "none")
    for _ in range(2):
        desk.do(directives.add, packet, by="supervisor")
    change = desk.do(rounds.start, item="one")
    assert change.says == ("R1 begins: one", "To fold, in this order: D-001, D-002")


@pytest.mark.parametrize(
    ("item", "written"),
    [
        ("a | b", "- **Item**: a <U+007C> b\n"), ("*x*", "- **Item**: <U+002A>x*\n"),
        ("_x_", "- **Item**: <U+005F>x_\n"), ("plain", "- **Item**: plain\n"),
    ],
)  # fmt: skip
def test_an_item_in_a_block_makes_no_structure(desk, item, written):
    desk.do(rounds.start, item=item)
    assert written in desk.files["ledger.md"]
    assert desk.ledger.rounds[-1].item == item


def test_a_block_is_parted_from_the_round_before_it_and_leaves_no_gap(desk):
    desk.do(rounds.start, item="one")
    assert desk.files["ledger.md"].endswith(
        "## Rounds log\n\n### Round 1 — 2026-01-02\n\n- **Item**: one\n"
    )
    record(desk, None)
    desk.do(rounds.start, item="two", converge=True)
    assert "\n\n### Round 2 — 2026-01-02 CONVERGE\n\n- **Item**: two\n" in desk.files["ledger.md"]
    record(desk, None, net="+0/-1", converge=True)
    log = desk.files["ledger.md"].partition("## Rounds log\n")[2]
    assert [line[:4] for line in log.split("\n")] == ["", "- R1", "- R2", ""]


def test_only_a_block_as_it_was_begun_leaves_nothing_to_keep(desk):
    desk.do(rounds.start, item="one")
    desk.edit("ledger.md", "- **Item**: one\n", "a lead\n")
    record(desk, "one")
    assert "a lead" in desk.archive["rounds"]


# What comes next --------------------------------------------------------------------------------


def test_an_item_that_goes_on_keeps_its_slice(desk):
    desk.do(slices.change, {"Item": "a slice", "Write set": "src/a.py", "Verify": "pytest -q"})
    record(desk, follows="a slice")
    now = desk.ledger.slice
    assert (now.write_set.text, now.verify.text) == ("src/a.py", "pytest -q")
    record(desk, follows="another")
    now = desk.ledger.slice
    assert (now.item.text, now.write_set.text, now.context.text, now.verify.text) == (
        "another", "none yet", "none", "none yet",
    )  # fmt: skip
    assert now.done_when.text == "none yet"


def test_a_slice_that_debt_rows_bring_is_cut_already(desk):
    record(desk, follows="GAP-002")
    assert desk.last.says == ("R1 recorded.",)
    record(desk, follows="none")
    assert desk.last.says == ("R2 recorded.",)
    record(desk, follows="GAP-002, GAP-009")
    assert desk.last.says[1:] == ("No live debt row: GAP-009. See: loopgraph gap list",)
    assert desk.ledger.slice.write_set.text == "src/orders/export"


def test_rows_without_a_write_set_bring_none(desk):
    desk.do(gaps.add, GAP._replace(write_set="none", verify="look"))
    record(desk, follows="GAP-004 and GAP-003")
    now = desk.ledger.slice
    assert (now.write_set.text, now.verify.text) == ("src/orders/stock", "look")
    record(desk, follows="GAP-004 alone")
    assert desk.ledger.slice.write_set.text == "none yet"


@pytest.mark.parametrize(
    ("item", "worded"),
    [
        ("GAP-001, GAP-002", True), ("GAP-001 and GAP-002", True), ("GAP-001、GAP-002", True),
        ("GAP-001 + GAP-002.", True), ("GAP-001 & GAP-002;", True), ("GAP-001 now", False),
        ("GAP-001, GAP-077", False), ("GAP-077", False),
    ],
)  # fmt: skip
def test_an_item_of_ids_alone_says_what_the_rows_are_about(desk, item, worded):
    record(desk, follows=item)
    assert (desk.ledger.slice.item.text != item) == worded
    if worded:
        assert desk.ledger.slice.item.text.startswith("GAP-001: no test reads totals")


def test_rows_that_say_very_much_are_said_as_far_as_there_is_room(desk):
    for letter in "xy":
        desk.do(gaps.add, GAP._replace(line=letter * 580))
    record(desk, follows="GAP-004 GAP-005")
    said_ = desk.ledger.slice.item.text
    assert said_ == f"GAP-004: {'x' * 580}; GAP-005:…"
    assert len(said_) == parts.LONGEST


def test_a_next_row_under_audit_is_refused_by_its_line(desk):
    desk.ask(surface="src/orders/export")
    with pytest.raises(RefusedError) as error:
        record(desk, changed=(), net=None, follows="GAP-003, GAP-002")
    assert error.value.what.startswith("src/orders/export is under audit")
    assert error.value.where == f"ledger.md:{desk.ledger.gaps[1].line}"
    record(desk, changed=(), net=None, follows="GAP-003")


# A stall ----------------------------------------------------------------------------------------

IDLE = Said("look", (), "nothing", (), None, "look again")
OTHERS = {
    "changed": IDLE._replace(changed=("a.py",), net="+0/-0"),
    "evidence": IDLE._replace(evidence=("log",)),
    "added": IDLE._replace(net="+1/-0"),
    "removed": IDLE._replace(net="+0/-1"),
    "converge": IDLE._replace(converge=True, evidence=("log",)),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("first", [True, False])
def test_a_round_that_did_anything_is_no_part_of_a_stall(desk, name, first):
    both = (OTHERS[name], IDLE) if first else (IDLE, OTHERS[name])
    for one in both:
        desk.do(rounds.record, one)
    assert [one.rule for one in desk.last.findings] == []


def test_a_round_that_was_begun_stalls_as_one_that_was_not(desk):
    desk.do(rounds.record, IDLE)
    desk.do(rounds.start, item="look")
    desk.do(rounds.record, IDLE)
    assert [one.rule for one in desk.last.findings] == ["stall"]
    assert desk.last.findings[0].line == desk.ledger.rounds[-1].line


def test_a_fold_between_them_is_no_stall(desk):
    desk.do(rounds.record, IDLE)
    packet = directives.Packet("plan", None, "none", "mend it", "pytest", "none")
    desk.do(directives.add, packet, by="supervisor")
    desk.do(directives.fold, "D-001", effect="x")
    desk.do(rounds.record, IDLE)
    assert desk.last.findings == ()


# Corrections carried out ------------------------------------------------------------------------


@pytest.mark.parametrize("long", [200, 201])
def test_a_row_repeats_of_a_result_what_has_room(desk, long):
    packet = directives.Packet("plan", None, "none", "mend it", "pytest", "none")
    desk.do(directives.add, packet, by="supervisor")
    desk.do(directives.fold, "D-001", effect="x")
    result = "y" * long
    desk.do(rounds.record, said("D-001: mend it")._replace(result=result))
    shown = result if long == 200 else f"{'y' * 199}…"
    row = desk.ledger.scoreboard[-1]
    assert (row.status, row.evidence) == ("closed", f"R1: {shown}")


def test_force_passes_a_law_over_and_no_mistake(desk):
    desk.ask(surface="src/a.py")
    change = record(desk, force=True, why=" the audit waits ")
    (finding,) = change.findings
    assert (finding.rule, finding.level) == ("forced", "warning")
    assert finding.message.endswith("; forced: the audit waits")
    assert desk.ledger.rounds[-1].verify.endswith("; forced: the audit waits")
    with pytest.raises(UsageError):
        record(desk, net="many", force=True, why="x")


@pytest.mark.parametrize(
    ("status", "way"),
    [
        ("exit-ready", "A redo makes it active again."),
        ("stalled", "The owner takes it up again: loopgraph resume RUN --why TEXT"),
        ("closed", ""),
    ],
)
def test_a_run_that_does_not_go_on_has_no_rounds(desk, status, way):
    desk.edit("ledger.md", "Run status: `active`", f"Run status: `{status}`")
    for act in (lambda: record(desk), lambda: desk.do(rounds.start)):
        with pytest.raises(RefusedError) as error:
            act()
        assert (error.value.what, error.value.fix) == (f"the run is {status}", way)
        assert error.value.where == f"ledger.md:{desk.ledger.line('Run status')}"
