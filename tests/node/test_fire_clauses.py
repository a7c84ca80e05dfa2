"""The hot start, part by part: what is told, what is left out, and what counts as work."""

from __future__ import annotations

import pytest

from loopgraph.edges.beside import Beside, Stopped
from loopgraph.edges.stops import Stop
from loopgraph.node import call as parts
from loopgraph.node import (
    directives,
    fire,
    gaps,
    gates,
    lane,
    owner,
    promotion,
    results,
    rounds,
    slices,
    standing,
    sweep,
)
from loopgraph.node.directives import Packet
from loopgraph.node.owner import Question
from loopgraph.node.results import Result
from loopgraph.node.rounds import Said
from loopgraph.views import next as view
from tests.node.desk import NOW, Desk

NOTHING = Beside()
PLAN = Packet("plan", None, "R0", "name the unit", "pytest -q", "none")
CARD = Question("Go?", "the path needs it", ("wait", "go"))
GAP = gaps.Row("P2", None, "docs/a.md", "look", "no page")
SAID = Said("build", ("src/a.py",), "ok", ("log",), "+3/-1", "build more")
LATER = "2026-01-02T09:00:00+00:00"


@pytest.fixture
def desk():
    return Desk(name="deliver")


def started(desk, role="executor", beside=NOTHING, **more):
    return fire.hot_start(desk.run, beside, role, **more)


def of(desk, kind, role="executor", **more):
    return [part for part in started(desk, role, **more).parts if part.kind == kind]


def kinds(desk, role="executor", **more):
    return [part.kind for part in started(desk, role, **more).parts]


def stands(desk, status, gate="open"):
    desk.edit("ledger.md", f"Run status: `{desk.ledger.status}`", f"Run status: `{status}`")
    desk.edit("ledger.md", f"Milestone gate: `{desk.ledger.gate}`", f"Milestone gate: `{gate}`")
    return desk


# Stops and problems -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stop", "says"),
    [
        (Stop("owner", NOW, "lunch"), f"x/STOP (owner, {NOW}): lunch: end your timer and stop"),
        (Stop("", NOW, ""), f"x/STOP ({NOW}): end your timer and stop"),
        (Stop("me", "", "why"), "x/STOP (me): why: end your timer and stop"),
        (Stop("", "", ""), "x/STOP: end your timer and stop"),
    ],
)
def test_a_stop_says_what_is_known_of_it(desk, stop, says):
    for role in ("executor", "supervisor", "scout"):
        found = started(desk, role, Beside(stops=(Stopped("x/STOP", stop),)))
        assert found.parts[0].says == says
        assert not found.work


@pytest.mark.parametrize(
    ("file", "named", "says", "way"),
    [
        (".longgraph/STOP", "", "it holds every run here until you lift it", ""),
        (".longgraph/{slug}/STOP", "", "it holds this run until you lift it", " {slug}"),
        ("x/STOP", "r", "it holds this run until you lift it", " r"),
    ],
)
def test_the_owner_is_told_how_a_stop_is_lifted(desk, file, named, says, way):
    slug = desk.run.record.spec.slug
    stops = (Stopped(file.format(slug=slug), Stop("", "", "")),)
    found = started(desk, "owner", Beside(stops=stops), named=named)
    (part,) = [one for one in found.parts if one.kind == "stop"]
    assert part.says == f"{file.format(slug=slug)}: {says}"
    assert part.commands == (f"loopgraph resume{way.format(slug=slug)} --as owner",)
    assert found.work


def test_the_owner_is_told_how_a_stalled_run_goes_on_and_of_no_timer(desk):
    stands(desk, "stalled")
    found = started(desk, "owner")
    (part,) = found.parts
    assert part.says.startswith("the run is stalled until you resume it: ")
    slug = desk.run.record.spec.slug
    assert part.commands == (f"loopgraph resume {slug} --why WHAT_CHANGED --as owner",)
    assert found.work
    stands(desk, "closed")
    found = started(desk, "owner")
    assert [part.says for part in found.parts] == ["the run is closed"]
    assert not found.work


def test_a_card_with_its_answer_is_something_to_do_for_the_owner(desk):
    assert not started(desk, "owner").work
    desk.do(owner.ask, CARD)
    assert started(desk, "owner").work
    assert "nothing to do now" not in view.text("r", started(desk, "owner"))


def test_an_owner_who_judges_is_told_each_thing_once_and_of_no_timer():
    desk = Desk(name="deliver", supervisor="no")
    desk.do(owner.ask, CARD)
    assert len(of(desk, "card", "owner")) == 1
    stopped = Beside(stops=(Stopped("x/STOP", Stop("", "", "")),))
    assert len(of(desk, "stop", "owner", beside=stopped)) == 1
    for status in ("stalled", "closed"):
        stands(desk, status)
        told = [part.says for part in started(desk, "owner").parts]
        assert len([said for said in told if "the run is" in said]) == 1
        assert not any("timer" in said for said in told)


def test_before_any_round_nothing_is_to_be_audited(desk):
    desk.edit("directives.md", "Audited through: R0", "Audited through: none")
    assert not of(desk, "audit", "supervisor")


def test_no_snapshots_are_compared_once_the_run_is_closed(desk):
    recorded(desk, 3)
    there = Beside(snapshots=frozenset({"R1.start", "R3"}))
    ways = of(desk, "audit", "supervisor", beside=there)[0].commands
    assert "loopgraph diff R1.start R3" in ways
    stands(desk, "closed")
    ways = [way for part in of(desk, "audit", "supervisor", beside=there) for way in part.commands]
    assert ways
    assert not any(" diff " in way for way in ways)


def test_what_cannot_be_read_beside_the_run_is_a_problem_and_stops_nobody(desk):
    found = started(desk, beside=Beside(problems=("x.json: no JSON", "y")))
    assert [part.says for part in found.parts[:2]] == ["x.json: no JSON", "y"]
    assert found.work


def test_a_fold_is_no_work_while_a_stop_holds_the_run(desk):
    desk.do(directives.add, PLAN, by="supervisor")
    stopped = Beside(stops=(Stopped("x/STOP", Stop("", "", "")),))
    assert not started(desk, beside=stopped).work
    assert started(desk).work


@pytest.mark.parametrize(("line", "place"), [("Run status: resting\n", True), ("", False)])
def test_a_status_that_nobody_knows_is_named_with_its_place(desk, line, place):
    at = desk.ledger.line("Run status")
    desk.edit("ledger.md", "Run status: `active`\n", line)
    (part,) = of(desk, "problem")
    where = f"ledger.md:{at}" if place else "ledger.md"
    assert part.says == f"{where} says no known Run status"
    assert part.commands == ("loopgraph check",)


# What a fire knows of the run -------------------------------------------------------------------


def test_a_fire_says_where_the_run_stands(desk):
    desk.do(rounds.record, SAID)
    found = started(desk)
    assert (found.role, found.status, found.gate) == ("executor", "active", "open")
    assert (found.milestone, found.round, found.due) == ("M-1", 1, False)
    assert found.item
    assert found.item.text == "build more"
    text = desk.files["ledger.md"]
    line = next(one for one in text.split("\n") if one.startswith("Convergence tracker"))
    desk.edit("ledger.md", f"{line}\n", "")
    assert started(desk).due is None


def test_commands_name_the_node_and_the_run_where_it_has_to_be_named(desk):
    assert of(desk, "item")[0].commands == ("loopgraph round start --as executor",)
    assert of(desk, "item", named="r-1")[0].commands == (
        "loopgraph round start --run r-1 --as executor",
    )
    desk.do(owner.ask, CARD)
    (card,) = of(desk, "card", named="r-1")
    assert card.more == "loopgraph show OB-001 --run r-1"
    assert of(desk, "card")[0].more == "loopgraph show OB-001"


# Answers and cards ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "relayed", "says"),
    [
        ("owner", False, "OB-001 was answered B after R0, by the owner: Go?: go"),
        ("executor", True,
         "OB-001 was answered B after R0, relayed, so not yet the owner's: Go?: go"),
    ],
)  # fmt: skip
def test_an_answer_says_who_gave_it(desk, by, relayed, says):
    desk.do(owner.ask, CARD)
    desk.do(owner.answer, "OB-001", "B", by=by, relayed=relayed)
    (part,) = of(desk, "answer")
    assert (part.id, part.says) == ("OB-001", says)
    assert part.more == "loopgraph show OB-001"
    assert bool(of(desk, "card")) == relayed


def test_the_owners_answer_is_told_and_the_relayed_one_before_it_is_not(desk):
    desk.do(owner.ask, CARD)
    desk.do(owner.answer, "OB-001", "A", relayed=True)
    desk.do(owner.answer, "OB-001", "B", by="owner")
    (part,) = of(desk, "answer")
    assert "answered B" in part.says


def test_a_card_without_an_id_is_named_by_its_line(desk):
    desk.do(owner.ask, CARD)
    line = desk.ledger.cards[0].line
    desk.edit("ledger.md", "| OB-001 | Go? |", "|  | Go? |")
    (part,) = of(desk, "card")
    assert (part.id, part.says) == ("", f"line {line} waits for the owner: Go?")
    assert part.more == f"ledger.md:{line}"
    (part,) = of(desk, "card", "owner")
    assert part.commands == ("loopgraph owner answer OB-nnn LETTER --as owner",)
    desk.edit("ledger.md", "| the path needs it |", "| the path needs it owner: A |")
    (part,) = of(desk, "answer")
    assert part.says == f"line {line} was answered A in its row, by hand: wait"
    assert part.commands == ()
    assert part.more == f"ledger.md:{line}"
    assert not of(desk, "card", "owner")


def test_the_owner_sees_the_cards_of_both_files(desk):
    desk.do(owner.ask, CARD)
    desk.do(owner.ask, CARD._replace(decision="Drop?"), by="supervisor")
    found = of(desk, "card", "owner")
    assert [(part.id, part.says) for part in found] == [("OB-001", "Go?"), ("OB-002", "Drop?")]
    assert found[1].commands == ("loopgraph owner answer OB-002 LETTER --as owner",)


def test_where_a_supervisor_judges_the_owner_has_nothing_to_judge(desk):
    desk.ask()
    assert not of(desk, "judge", "owner")
    assert of(desk, "judge", "supervisor")


# The end of a fire ------------------------------------------------------------------------------


def recorded(desk, number):
    for at in range(number):
        desk.do(rounds.record, SAID._replace(item=f"a {at}", net="+0/-1", converge=True))


@pytest.mark.parametrize(
    ("done", "begun", "says"),
    [
        (8, 0, "8 of 8 rounds of this fire: end it"), (9, 0, "8 of 8 rounds of this fire: end it"),
        (8, 1, ""), (7, 0, ""), (8, None, ""),
    ],
)  # fmt: skip
def test_a_fire_has_as_many_rounds_as_its_cap(desk, done, begun, says):
    recorded(desk, done)
    ends = of(desk, "end", begun=begun)
    assert [part.says for part in ends] == ([says] if says else [])
    assert bool(of(desk, "item", begun=begun)) == (not says)


def test_a_round_under_way_is_recorded_before_a_fire_ends(desk):
    recorded(desk, 8)
    desk.do(rounds.start, item="one more")
    assert not of(desk, "end", begun=0)
    assert of(desk, "round", begun=0)


def test_a_run_that_is_ready_waits_to_be_judged_once_nothing_is_to_fold(desk):
    stands(desk, "exit-ready")
    (part,) = of(desk, "end")
    assert "waits to be judged" in part.says
    desk = Desk(name="deliver")
    desk.do(directives.add, PLAN, by="supervisor")
    stands(desk, "exit-ready")
    assert not of(desk, "end")
    assert of(desk, "fold")


def test_where_nothing_is_legal_the_fire_ends_and_the_run_goes_on(desk):
    desk.do(slices.change, {"Item": "none"})
    for gap in desk.ledger.gaps:
        desk.do(gaps.close, gap.id, evidence="seen")
    (part,) = of(desk, "end")
    assert part.says == "no legal item: the fire ends, the run goes on"
    assert not started(desk).work
    desk.do(directives.add, PLAN, by="supervisor")
    assert not of(desk, "end")
    desk.do(directives.fold, "D-001", effect="x")
    assert not of(desk, "end")
    assert of(desk, "work")
    assert started(desk).work


def test_a_milestone_that_can_be_asked_for_is_work_without_any_item(desk):
    desk.do(slices.change, {"Item": "none"})
    for gap in desk.ledger.gaps:
        desk.do(gaps.close, gap.id, evidence="seen")
    assert of(desk, "end")
    for row in lane.exit_rows(desk.ledger, desk.ledger.milestone):
        desk.do(gates.change, row.gate, status="closed", evidence="green")
    assert of(desk, "ready")
    assert not of(desk, "end")
    assert started(desk).work
    desk.ask()
    assert of(desk, "end")
    assert not started(desk).work


def test_where_a_convergence_round_is_due_there_is_work_without_any_item(desk):
    desk.do(slices.change, {"Item": "none"})
    for gap in desk.ledger.gaps:
        desk.do(gaps.close, gap.id, evidence="seen")
    desk.edit("ledger.md", "next round converges: no", "next round converges: yes")
    assert not of(desk, "end")
    (part,) = of(desk, "converge")
    assert part.says == (
        "a convergence round is due and comes first (0 of 5 rounds, net 0 of 400): "
        "remove and simplify only, net at or below zero"
    )
    desk.edit("ledger.md", "rounds since last 5: **0**", "rounds since last 5: many")
    assert "(? of 5 rounds, net 0 of 400)" in of(desk, "converge")[0].says


# The first fire ---------------------------------------------------------------------------------


def test_while_the_first_round_is_under_way_no_other_is_offered_for_the_baseline(desk):
    desk.do(rounds.start)
    (part,) = of(desk, "ops")
    assert part.commands == ("loopgraph gate run --all --as executor",)
    assert part.says.endswith("is written on the Baseline line of ledger.md, by hand")


def test_only_the_first_fire_of_a_run_that_goes_on_is_sent_to_ops(desk):
    (part,) = of(desk, "ops")
    assert part.commands == (
        "loopgraph gate run --all --as executor",
        "loopgraph round start --baseline WHAT_FAILED --as executor",
    )
    stands(desk, "stalled")
    assert not of(desk, "ops")
    stands(desk, "active")
    desk.do(rounds.record, SAID)
    assert not of(desk, "ops")


@pytest.mark.parametrize(
    ("item", "surveys"),
    [
        ("Survey: look around", True), ("摸底：看一看", True), ("build a survey", False),
        ("PACK", True), ("none", False),
    ],
)  # fmt: skip
def test_a_first_round_that_looks_around_registers_what_it_finds(desk, item, surveys):
    item = desk.run.record.spec.pack.survey if item == "PACK" else item
    desk.edit("ledger.md", f"- Item: {desk.ledger.slice.item.text}", f"- Item: {item}")
    found = of(desk, "item")
    assert any("Registered:" in one for part in found for one in part.details) == surveys
    desk.do(rounds.record, SAID._replace(item="x", next=item))
    assert not any("Registered:" in one for part in of(desk, "item") for one in part.details)


def test_a_discovery_driven_run_surveys_whatever_its_first_item_says():
    desk = Desk(name="converge")
    desk.do(slices.change, {"Item": "anything"})
    (part,) = of(desk, "item")
    assert "Registered: 3 of 5 debt rows" in part.details


# Folds ------------------------------------------------------------------------------------------


def test_corrections_are_told_in_the_order_in_which_they_are_folded(desk):
    for action in ("one", "two", "three"):
        desk.do(directives.add, PLAN._replace(action=action, boundary="M-1"), by="supervisor")
    text = desk.files["directives.md"]
    first, second = text.index("D-001 ·"), text.index("D-002 ·")
    third = text.index("D-003 ·")
    moved = f"{text[:first]}{text[second:third]}{text[first:second]}{text[third:]}"
    desk.files["directives.md"] = moved
    found = of(desk, "fold")
    assert [part.id for part in found] == ["D-001", "D-002", "D-003"]
    line = desk.directives.corrections[1].line
    assert found[0].says == f"plan M-1 (directives.md:{line})"
    assert [bool(part.commands) for part in found] == [True, False, False]
    assert found[2].more == "loopgraph show D-003"


def test_a_correction_in_another_form_is_told_by_its_lines(desk):
    desk.files["directives.md"] += "\nD-001 · 2026-01-02\n\nLook at the limit again,\n  please.\n"
    (part,) = of(desk, "fold")
    assert part.says.startswith("no verdict (directives.md:")
    assert part.details == ("D-001 · 2026-01-02", "Look at the limit again,", "please.")


def test_a_verdict_that_nobody_knows_is_told_as_it_is_written(desk):
    desk.do(directives.add, PLAN, by="supervisor")
    desk.edit("directives.md", "· plan", "· consider")
    assert of(desk, "fold")[0].says.startswith("consider (")


# Rounds -----------------------------------------------------------------------------------------


def test_a_convergence_round_under_way_is_recorded_as_one(desk):
    desk.do(rounds.start, item="less", converge=True)
    (part,) = of(desk, "round")
    assert part.says == "R1 is under way, a convergence round, less"
    (way,) = part.commands
    assert way == (
        "loopgraph round record --result SAID --changed PATH --net +A/-B --evidence POINTER "
        "--next ITEM --converge --as executor"
    )
    assert "round start" not in " ".join(of(desk, "item")[0].commands)


@pytest.mark.parametrize("failed", [True, False])
def test_a_red_verify_of_the_newest_recorded_round_is_told_until_one_passes(desk, failed):
    desk.do(rounds.record, SAID._replace(failed=True, next=None))
    assert of(desk, "red")[0].says == "the verify of R1 was red: failed: ok; evidence: log"
    assert of(desk, "red")[0].commands == ("loopgraph round start --repair --as executor",)
    desk.do(rounds.record, SAID._replace(failed=failed))
    assert bool(of(desk, "red")) == failed


def test_a_first_round_under_way_has_none_before_it(desk):
    desk.do(rounds.start, item="one")
    assert not of(desk, "red")


# What comes next --------------------------------------------------------------------------------


def test_a_slice_is_told_by_the_fields_that_somebody_has_cut(desk):
    desk.do(rounds.record, SAID)
    (part,) = of(desk, "item")
    assert part.details == ("Context: none",)
    assert part.commands == (
        "loopgraph slice set --write-set PATHS --verify COMMAND --done-when WHAT --as executor",
        "loopgraph round start --as executor",
    )
    assert part.more == f"ledger.md:{desk.ledger.slice.line}"
    desk.do(slices.change, {"Write set": "src/a.py", "Verify": "pytest", "Context": "C-02"})
    (part,) = of(desk, "item")
    assert part.details == ("Write set: src/a.py", "Context: C-02", "Verify: pytest")
    assert part.commands == ("loopgraph round start --as executor",)
    (context,) = of(desk, "context")
    assert context.id == "C-02"
    assert context.says == (
        "when a gate is changed or fails to start: read pyproject.toml:9; verify pytest -q"
    )
    assert context.more == "loopgraph show C-02"


def test_a_cited_row_that_is_not_there_is_left_out(desk):
    desk.edit("ops.md", "| C-02 |", "| C-2 |")
    desk.edit("ops.md", "| C-03 |", "| C-33 |")
    assert [part.id for part in of(desk, "context")] == ["C-01", "C-02", "C-04"]
    del desk.files["ops.md"]
    assert of(desk, "context") == []


def test_a_debt_row_is_told_with_its_write_set_and_begun_by_its_words(desk):
    desk.do(slices.change, {"Item": "none"})
    (part,) = of(desk, "item")
    assert (part.id, part.says) == ("GAP-001", "P2 no test reads totals")
    assert part.details == ("Write set: src/orders/totals", "Verify: pytest -q")
    assert part.commands == (
        "loopgraph round start --item 'GAP-001 no test reads totals' --as executor",
    )
    assert part.more == "loopgraph show GAP-001"
    assert [one.id for one in of(desk, "lane")] == ["GAP-002", "GAP-003"]
    assert of(desk, "lane")[0].says == "P2 no test reads export"
    assert of(desk, "context") == []
    desk.do(rounds.start, item="GAP-001 no test reads totals")
    assert of(desk, "item")[0].commands == ()


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("no page", "'GAP-004 no page'"), ("it's", "GAP-004"), ("a $x", "GAP-004"),
        ("x" * 72, f"'GAP-004 {'x' * 72}'"), ("x" * 73, "GAP-004"),
        ("a.b, c:d; e/f_g-(h)+i", "'GAP-004 a.b, c:d; e/f_g-(h)+i'"),
    ],
)  # fmt: skip
def test_an_item_is_named_whole_where_a_shell_reads_it_as_it_stands(desk, line, word):
    desk.do(slices.change, {"Item": "none"})
    for gap in desk.ledger.gaps:
        desk.do(gaps.close, gap.id, evidence="seen")
    desk.do(gaps.add, GAP._replace(line=line))
    assert of(desk, "item")[0].commands == (f"loopgraph round start --item {word} --as executor",)


# Corrections that are folded --------------------------------------------------------------------


def test_what_a_fold_asks_for_comes_before_the_item_and_is_closed_by_a_command(desk):
    desk.do(directives.add, PLAN, by="supervisor")
    desk.do(directives.fold, "D-001", effect="x")
    (part,) = of(desk, "work")
    assert part.says == "name the unit (folded after R0; verify: pytest -q)"
    assert part.commands == (
        "loopgraph round start --item 'D-001: name the unit' --as executor",
        "loopgraph gate set D-001 --status closed --evidence POINTER --as executor",
    )
    assert part.more == "loopgraph show D-001"
    found = kinds(desk)
    assert found.index("work") < found.index("item")


def test_under_audit_what_a_fold_asks_for_stays_off_the_surface(desk):
    desk.do(directives.add, PLAN, by="supervisor")
    desk.do(directives.fold, "D-001", effect="x")
    desk.ask(surface="src/orders/totals")
    assert of(desk, "work")[0].says.endswith("; off the surface under audit)")


def due(desk):
    desk.edit("ledger.md", "next round converges: no", "next round converges: yes")
    return desk


@pytest.mark.parametrize("fresh", [True, False])
def test_where_a_convergence_round_is_due_only_what_was_just_folded_comes_before_it(desk, fresh):
    desk.do(directives.add, PLAN, by="supervisor")
    desk.do(directives.fold, "D-001", effect="x")
    if not fresh:
        desk.do(rounds.record, SAID)
    found = kinds(due(desk))
    assert (found.index("work") < found.index("converge")) == fresh
    assert found.count("work") == 1
    assert of(desk, "work")[0].commands[0].endswith(" --repair --as executor")


def redone(desk, *more):
    """The milestone was sent back, and that is folded."""
    desk.ask()
    desk.do(promotion.redo, "M-1", missing="prove it", verify="pytest", by="supervisor")
    desk.do(directives.fold, "D-001", effect="x")
    for packet in more:
        desk.do(directives.add, packet, by="supervisor")
        desk.do(directives.fold, desk.directives.corrections[-1].id, effect="x")
    return desk


@pytest.mark.parametrize("flag", [True, False])
def test_what_was_sent_back_comes_first_and_a_plan_is_told_once_behind_it(desk, flag):
    redone(desk, PLAN)
    if flag:
        due(desk)
    found = kinds(desk)
    assert found.count("work") == 1
    assert found.index("item") < found.index("work")
    assert of(desk, "work")[0].id == "D-002"


def test_where_the_sent_back_item_waits_for_the_owner_the_plan_is_told(desk):
    redone(desk, PLAN)
    desk.do(owner.ask, CARD._replace(decision="prove what of D-001?"))
    for gap in desk.ledger.gaps:
        desk.do(gaps.close, gap.id, evidence="seen")
    assert not of(desk, "item")
    assert [part.id for part in of(desk, "work")] == ["D-002"]
    assert not of(desk, "end")


def test_what_a_redo_misses_is_told_until_a_round_that_passed_has_taken_it_up(desk):
    redone(desk)
    assert not of(desk, "work")
    desk.do(rounds.record, SAID)
    (part,) = of(desk, "work")
    assert part.commands == ("loopgraph round start --item 'D-001: prove it' --as executor",)
    assert part.more == "loopgraph show D-001"
    assert of(due(desk), "work")[0].commands[0].endswith(" --repair --as executor")
    desk.edit("ledger.md", "next round converges: yes", "next round converges: no")
    desk.do(rounds.record, SAID._replace(item="D-001: prove it", failed=True))
    assert of(desk, "work")
    desk.do(rounds.record, SAID._replace(evidence=("D-1 log",)))
    assert not of(desk, "work")


# The milestone ----------------------------------------------------------------------------------


def test_behind_a_gate_that_is_passed_comes_the_next_milestone_or_the_end(desk):
    stands(desk, "active", "passed")
    (part,) = of(desk, "milestone")
    assert (part.id, part.says) == ("M-1", "its gate is passed")
    assert part.commands == ("loopgraph milestone next --as executor",)
    old = desk.ledger.fields["Current milestone"].text
    desk.edit("ledger.md", f"Current milestone: {old} |", "Current milestone: M-4 |")
    assert of(desk, "milestone")[0].commands == (
        "loopgraph finish exit-ready --why PROOF --as executor",
    )
    desk.edit("ledger.md", "Current milestone: M-4 |", "Current milestone: M-9 |")
    assert of(desk, "milestone")[0].commands == ()


def test_under_audit_the_paths_are_named_that_nobody_writes_on(desk):
    desk.ask(surface="src/orders/totals, src/orders/totals, the docs, docs/a.md")
    (part,) = of(desk, "audit")
    assert part.says == (
        "M-1 is under audit: write on nothing of its surface, nor of the next milestone"
    )
    assert part.details == ("src/orders/totals, docs/a.md",)
    desk.edit("ledger.md", "src/orders/totals, src/orders/totals, the docs, docs/a.md", "G-1")
    assert of(desk, "audit")[0].details == ()


def test_what_is_closed_may_be_asked_for(desk):
    assert not of(desk, "ready")
    desk.do(gates.change, "M-1", status="closed", evidence="seen")
    (part,) = of(desk, "ready")
    assert part.says == "the exit-check row of M-1 is closed"
    assert part.commands == (
        "loopgraph promote request M-1 --surface PATHS --evidence POINTER --as executor",
    )
    for row in desk.ledger.scoreboard:
        desk.do(gates.change, row.gate, status="closed", evidence="seen")
    (part,) = of(desk, "ready")
    assert part.says == "every row of the Gate scoreboard is closed"
    assert len(part.commands) == 1  # M-1 is not the last milestone
    desk.do(promotion.request, "M-1", surface="src/a.py", evidence="log")
    assert not of(desk, "ready")


def test_a_scoreboard_without_rows_makes_nothing_ready(desk):
    lines = desk.files["ledger.md"].split("\n")
    names = tuple(f"| {row.gate} |" for row in desk.ledger.scoreboard)
    desk.files["ledger.md"] = "\n".join(line for line in lines if not line.startswith(names))
    assert desk.ledger.scoreboard == ()
    assert not of(desk, "ready")


# The judge --------------------------------------------------------------------------------------


def test_a_run_that_is_over_is_audited_to_its_end(desk):
    desk.do(rounds.record, SAID)
    stands(desk, "closed")
    assert of(desk, "audit", "supervisor")[0].says == (
        "the run is closed: audit its last rounds, then end your timer"
    )
    assert not of(desk, "end", "supervisor")
    desk.edit("directives.md", "Audited through: R0", "Audited through: R1")
    (part,) = of(desk, "end", "supervisor")
    assert part.says == "the run is closed and audited: end your timer"
    assert not of(desk, "audit", "supervisor")
    desk.edit("directives.md", "Audited through: R1", "Audited through: none")
    assert of(desk, "audit", "supervisor")


@pytest.mark.parametrize(
    ("audited", "says", "first"),
    [
        ("R0", "audited through R0 of R3", "rounds --since R1"),
        ("R2", "audited through R2 of R3", "rounds --since R3"),
        ("none", "no round up to R3 is noted as audited", "rounds --all"),
        ("R3", "", ""),
    ],
)
def test_the_judge_audits_what_is_newer_than_its_last_audit(desk, audited, says, first):
    recorded(desk, 3)
    desk.edit("directives.md", "Audited through: R0", f"Audited through: {audited}")
    found = of(desk, "audit", "supervisor", named="r")
    assert [part.says for part in found] == ([says] if says else [])
    for part in found:
        assert part.commands == (
            f"loopgraph {first} --run r",
            "loopgraph audited --through R3 --run r --as supervisor",
        )
        assert part.more == "loopgraph rounds --all --run r"


def test_a_log_whose_count_nobody_can_read_is_audited_all_the_same(desk):
    desk.edit("ledger.md", "Round: 0 |", "Round: many |")
    (part,) = of(desk, "audit", "supervisor")
    assert part.says == "audited through R0 of an unknown round"
    assert part.commands[-1] == "loopgraph audited --through R? --as supervisor"


@pytest.mark.parametrize(
    ("there", "diff"),
    [({"R2", "R3"}, "diff R2 R3"), ({"R3"}, ""), ({"R2"}, ""), ({"R1.start", "R3"}, "")],
)
def test_two_snapshots_around_what_is_audited_can_be_compared(desk, there, diff):
    recorded(desk, 3)
    desk.edit("directives.md", "Audited through: R0", "Audited through: R2")
    (part,) = of(desk, "audit", "supervisor", beside=Beside(snapshots=frozenset(there)), named="r")
    named = [way for way in part.commands if " diff " in way]
    assert named == ([f"loopgraph {diff} --run r"] if diff else [])


def test_what_waits_to_be_folded_is_told_to_the_judge_but_for_the_verdict(desk):
    desk.ask()
    desk.do(promotion.redo, "M-1", missing="prove it", verify="pytest", by="supervisor")
    assert not of(desk, "lane", "supervisor")
    desk.do(directives.add, PLAN, by="supervisor")
    (part,) = of(desk, "lane", "supervisor")
    assert (part.says, part.more) == ("not folded yet: D-002", "loopgraph show D-002")
    (part,) = of(desk, "judged", "supervisor")
    assert part.says == "D-001 redo, not folded yet"
    assert part.more == "loopgraph show D-001"


@pytest.mark.parametrize(
    ("status", "gate", "asked", "says"),
    [
        ("active", "open", False, ""), ("active", "pending-audit", True, "M-1 waits for its audit"),
        ("active", "n/a", True, "M-1 waits for its audit"), ("active", "passed", True, ""),
        ("exit-ready", "passed", False,
         "the run is exit-ready: run the whole proof, then judge it"),
        ("exit-ready", "n/a", True, "M-1 waits for its audit"),
        ("stalled", "open", False, "the run is stalled: `stalled` (no path)"),
        ("closed", "pending-audit", True, ""),
    ],
)  # fmt: skip
def test_what_waits_for_a_verdict(desk, status, gate, asked, says):
    if asked:
        desk.edit("ledger.md", "- Boundary: none", f"- Boundary: M-1 (asked {NOW} at R0)")
    stands(desk, status, gate)
    if status == "stalled":
        desk.edit("ledger.md", "Run status: `stalled`", "Run status: `stalled` (no path)")
    assert [part.says for part in of(desk, "judge", "supervisor")] == ([says] if says else [])


@pytest.mark.parametrize(
    ("boundary", "id_"),
    [(f"M-2 (asked {NOW} at R0)", "M-2"), ("the lot", "M-1"), ("none", "M-1")],
)
def test_what_is_judged_is_the_boundary_that_is_asked_for(desk, boundary, id_):
    desk.edit("ledger.md", "- Boundary: none", f"- Boundary: {boundary}")
    (part,) = of(stands(desk, "active", "pending-audit"), "judge", "supervisor")
    assert (part.id, part.says) == (id_, f"{id_} waits for its audit")


def test_without_what_is_asked_for_the_milestone_that_is_under_way_is_judged(desk):
    desk.edit("ledger.md", "- Boundary: none\n", "")
    (part,) = of(stands(desk, "active", "pending-audit"), "judge", "supervisor")
    assert part.id == "M-1"
    assert [line.partition(":")[0] for line in part.details[:3]] == [
        "Audit surface", "Evidence", "Context",
    ]  # fmt: skip


def test_a_stalled_run_is_put_before_the_owner(desk):
    stands(desk, "stalled")
    (part,) = of(desk, "judge", "supervisor")
    assert part.commands == ("loopgraph owner ask QUESTION --why DIAGNOSIS --as supervisor",)


def test_an_audit_names_what_is_asked_for_and_how_each_check_is_run(desk):
    desk.ask(surface="src/a.py, G-2", evidence="R1")
    (part,) = of(desk, "judge", "supervisor")
    assert part.details[:4] == (
        f"Boundary: M-1 (asked {NOW} at R0)", "Audit surface: src/a.py, G-2", "Evidence: R1",
        "Context: none",
    )  # fmt: skip
    assert "Gate of the surface G-2: no result: lint" in part.details
    assert part.details[4].startswith("Exit check M-1.1: no result: ")
    assert "loopgraph gate run G-2 --as supervisor" in part.commands
    way = 'loopgraph gate run --result "M-1.1=pass|fail" --evidence POINTER --as supervisor'
    assert way in part.commands
    assert part.commands[-1] == (
        "loopgraph promote redo M-1 --missing WHAT --verify COMMAND --as supervisor"
    )
    assert part.more == "loopgraph show M-1"


def judged(desk, *given):
    return of(desk, "judge", "supervisor", gathered=given)[0]


def green(desk, time=LATER, *, passed=True, node="supervisor"):
    milestone = desk.run.record.spec.milestones[0]
    return [
        Result(check.id, node, time, passed=passed, tree="t", evidence="seen")
        for check in promotion.wanted(desk.run, milestone)
    ]


@pytest.mark.parametrize(
    ("time", "passed", "node", "said", "accept"),
    [
        (NOW, True, "supervisor", f"passed {NOW}: ", True),
        (LATER, True, "owner", f"passed {LATER}: ", True),
        (LATER, False, "supervisor", f"failed {LATER}: ", False),
        ("2026-01-02T03:04:04+00:00", True, "supervisor",
         "passed 2026-01-02T03:04:04+00:00, before the request: ", True),
        (LATER, True, "executor", "no result: ", True),
    ],
)  # fmt: skip
def test_each_check_is_told_with_the_judges_own_newest_result(time, passed, node, said, accept):
    desk = Desk(name="deliver")
    desk.ask()
    part = judged(desk, *green(desk, time, passed=passed, node=node))
    checks = [line for line in part.details if line.startswith("Exit check ")]
    assert all(f": {said}" in line for line in checks)
    assert any("promote accept M-1" in way for way in part.commands) == accept
    fresh_pass = time >= NOW and passed and node != "executor"
    assert any("gate run" in way for way in part.commands) != fresh_pass


def test_where_nobody_asked_a_result_of_any_time_is_fresh():
    desk = Desk(name="deliver")
    desk.edit("ledger.md", "- Boundary: none", "- Boundary: M-1")
    stands(desk, "active", "pending-audit")
    part = judged(desk, *green(desk, "2020-01-01T00:00:00Z"))
    assert not any("before the request" in line for line in part.details)


def test_an_accept_of_a_run_that_is_ready_closes_it(desk):
    desk.ask()
    assert not any("an accept closes it" in line for line in judged(desk).details)
    stands(desk, "exit-ready", "pending-audit")
    assert "The run is exit-ready, so run the whole proof: an accept closes it" in (
        judged(desk).details
    )


@pytest.mark.parametrize(
    ("audited", "done", "seen", "due"),
    [
        ("R1", "", LATER, True), ("R1", NOW, LATER, True), ("R1", LATER, LATER, False),
        ("R1", LATER, NOW, False), ("R0", "", LATER, False), ("none", "", LATER, False),
        ("R1", "", "", False),
    ],
)  # fmt: skip
def test_a_checkpoint_is_due_when_an_audit_is_newer_than_the_last_one(audited, done, seen, due):
    desk = Desk(name="deliver")
    desk.do(rounds.record, SAID)
    desk.edit("directives.md", "Audited through: R0", f"Audited through: {audited}")
    acts = {name: time for name, time in (("checkpoint", done), ("audited", seen)) if time}
    found = of(desk, "checkpoint", "supervisor", beside=Beside(done=acts))
    assert [part.says for part in found] == (
        ["audited through R1 since the last checkpoint"] if due else []
    )
    desk.do(standing.retire, "S-001", by="owner")
    assert not of(desk, "checkpoint", "supervisor", beside=Beside(done=acts))


@pytest.mark.parametrize(("status", "gate"), [("closed", "open"), ("active", "passed")])
def test_no_checkpoint_behind_the_end_or_while_a_milestone_is_passed(desk, status, gate):
    desk.do(rounds.record, SAID)
    desk.edit("directives.md", "Audited through: R0", "Audited through: R1")
    stands(desk, status, gate)
    assert not of(desk, "checkpoint", "supervisor", beside=Beside(done={"audited": LATER}))


# Caps -------------------------------------------------------------------------------------------


def carded(desk, by):
    for number in range(6):
        desk.do(owner.ask, CARD._replace(decision=f"question {number}?"), by=by)
    return desk


def test_what_is_full_is_told_to_the_node_that_can_make_room(desk):
    carded(desk, "executor")
    assert [part.says for part in of(desk, "cap")] == ["6 of 6 cards (OWNER_CAP)"]
    assert of(desk, "cap")[0].commands == ()
    assert not of(desk, "cap", "supervisor")
    other = carded(Desk(name="deliver"), "supervisor")
    for _ in range(8):
        other.do(directives.add, PLAN, by="supervisor")
    while len(other.directives.standing) < 12:
        other.do(standing.add, "SCOPE", "docs", by="owner")
    assert [part.says for part in of(other, "cap", "supervisor")] == [
        "8 of 8 open corrections (OPEN_DIRECTIVE_CAP)",
        "12 of 12 standing entries (STANDING_CAP)",
        "6 of 6 cards (OWNER_CAP)",
    ]


@pytest.mark.parametrize(("lines", "told"), [(169, False), (170, True), (200, True)])
@pytest.mark.parametrize(
    ("file", "role", "way"),
    [
        ("ledger.md", "executor", ("loopgraph rotate --as executor",)),
        ("ops.md", "executor", ("loopgraph context replace --as executor",)),
        ("directives.md", "supervisor", ("loopgraph directive rotate --as supervisor",)),
        ("findings.md", "scout", ()),
    ],
)
def test_a_file_is_nearly_full_from_a_part_of_its_lines_on(file, role, way, lines, told):
    desk = Desk(name="deliver", scout="Look for slow queries.")
    desk.files[file] += "\n" * (lines - desk.files[file].count("\n"))
    found = of(desk, "cap", role)
    assert [part.says for part in found] == (
        [f"{lines} of 200 lines of {file} (FILE_LINE_CAP)"] if told else []
    )
    assert all(part.commands == way for part in found)


def test_a_file_is_nearly_full_by_its_bytes_too(desk):
    desk.files["ops.md"] += "é" * ((21_000 - len(desk.files["ops.md"].encode())) // 2)
    (part,) = of(desk, "cap")
    size = len(desk.files["ops.md"].encode())
    assert part.says == f"{size} of 24576 bytes of ops.md (FILE_BYTE_CAP)"


def test_metrics_have_a_cap_too():
    desk = Desk(name="deliver")
    rows = "".join(f"| m{number} | 1 | 1 | 0 | x |\n" for number in range(11))
    table = f"| Metric | Baseline | Now | Target | Evidence |\n|---|---|---|---|---|\n{rows}"
    desk.edit(
        "ledger.md", "## owner-blocked\n", f"## Metric snapshot\n\n{table}\n## owner-blocked\n"
    )
    assert [part.says for part in of(desk, "cap")] == ["11 of 12 metric rows (METRIC_CAP)"]


# The scout, and sweeps --------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["active", "exit-ready", "stalled", "closed"])
def test_the_scout_looks_while_the_run_goes_on(status):
    desk = Desk(name="deliver", scout="Look for slow queries.")
    stands(desk, status)
    found = of(desk, "item", "scout")
    assert bool(found) == (status == "active")
    assert started(desk, "scout").work == (status == "active")
    for part in found:
        assert part.commands == ("loopgraph finding add LEAD --as scout",)


@pytest.mark.parametrize(
    ("area", "says", "command"),
    [
        ("1", "area src/orders of 2", "--area 1 "), ("2", "area src/reports of 2", "--area 2 "),
        ("3", "area 3 of 2", "--area 3 "), ("x", "area x of 2", "--area A "),
        ("0", "area 0 of 2", "--area A "),
    ],
)  # fmt: skip
def test_a_sweep_is_told_by_its_area_and_its_detectors(area, says, command):
    desk = Desk(name="converge")
    desk.edit("ledger.md", "Discovery tracker: area 1 of", f"Discovery tracker: area {area} of")
    (part,) = of(desk, "sweep")
    assert part.says == f"{says}; yields of the last two sweeps: ?, ?"
    assert part.details == ("Detectors: vulture",)
    assert part.commands == (f"loopgraph sweep record {command}--detector D --new N --as executor",)


def test_a_sweep_without_ops_is_told_as_far_as_the_ledger_says():
    desk = Desk(name="converge")
    desk.do(sweep.record, area="1", detector="vulture", new=4)
    desk.do(sweep.record, area="2", detector="vulture", new=0)
    del desk.files["ops.md"]
    (part,) = of(desk, "sweep")
    assert part.says == "area 1 of 2; yields of the last two sweeps: ?, 4"
    assert part.details == ("Detectors: ?",)


def test_a_run_without_its_other_files_is_told_what_can_be_known(desk):
    desk.files = {"ledger.md": desk.files["ledger.md"]}
    assert of(desk, "item")
    assert not of(desk, "audit", "supervisor")
    assert not of(desk, "cap", "supervisor")
    bare = desk.run._replace(record=None)
    assert fire.hot_start(bare, NOTHING, "executor").work
    assert parts.knob(bare, "GAP_CAP") == 12
    assert results.checks("M-1", "") == ()
