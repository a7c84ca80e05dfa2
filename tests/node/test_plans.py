"""Plans by command: texts in, texts out."""

from __future__ import annotations

import json

import pytest

from loopgraph.edges import plans as edge
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError
from loopgraph.node import plans
from loopgraph.node.plans import Started
from tests.node.said import ANN, BOB, LATER, NOW, PERSON, after, agent

RECORD = ".longgraph/plans.json"
OPEN = "## TODOs\n- [ ] 1. first\n- [x] 2. second\n"
TICKED = OPEN.replace("[ ]", "[x]")


def started(files=None, plan="p.md", text=OPEN, *, session=ANN, now=NOW, **more):
    change = plans.start(
        files or {}, Started(plan, **more), plans.checklist(text), session=session, now=now
    )
    return after(files or {}, change)


def work(files, name="p"):
    return json.loads(files[RECORD])["works"][name]


def completed(files, *, who=PERSON, text=TICKED, evidence=None, name=None):
    return plans.complete(
        files,
        who,
        work=name,
        found=plans.checklist(text),
        evidence={"log.txt": 3} if evidence is None else evidence,
        now=LATER,
    )


def test_a_plan_that_is_started_is_a_work_record_that_the_hook_reads():
    files = started(mode="make-pr", worktree="../wt")
    assert work(files) == {
        "work_id": "p",
        "active_plan": "p.md",
        "plan_name": "p",
        "status": "active",
        "session_ids": ["claude:ann-1"],
        "started_at": NOW,
        "updated_at": NOW,
        "mode": "make-pr",
        "worktree_path": "../wt",
    }
    (found,) = edge.read(files[RECORD])
    assert (found.plan, found.goes_on(), found.sessions) == ("p.md", True, ["claude:ann-1"])


def test_starting_it_again_keeps_what_was_said_and_adds_the_session():
    files = started(mode="ship", endless=True)
    again = started(files, session=BOB, now=LATER)
    assert work(again) == {
        **work(files), "session_ids": ["claude:ann-1", "codex:bob-2"], "updated_at": LATER,
    }  # fmt: skip


def test_with_a_session_it_is_told_what_is_next():
    change = plans.start({}, Started("p.md"), plans.checklist(OPEN), session=ANN, now=NOW)
    assert change.says == (
        "p: 1 of 2 rows open of p.md",
        "Session ann-1 goes on until it is completed.",
        "Next: 1. first. Evidence: .longgraph/plans/p.ledger.jsonl",
    )


def test_without_a_session_it_is_told_how_one_takes_it():
    change = plans.start({}, Started("p.md"), plans.checklist(OPEN), session=None, now=NOW)
    assert any("loopgraph plan bind p" in line for line in change.says)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# x",
        "## TODOs\n",
        "```\n- [ ] a\n```",
        "<!--\n- [ ] a\n-->",
        "## TODOs\n### QA\n- [ ] 1. a",
    ],
)
def test_a_plan_without_a_row_is_not_started(text):
    with pytest.raises(RefusedError, match="no row of it counts"):
        started(text=text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (OPEN, []),
        ("# x", [("error", 0)]),
        ("## TODOs\n- [-] 1. left out\n", [("error", 0), ("warning", 2)]),
        (OPEN + "- [~] 3. half\n- [>] 4. moved", [("warning", 4), ("warning", 5)]),
        (OPEN + "```\n- [ ] 9. x\n", [("error", 4)]),
    ],
)
def test_what_is_wrong_with_a_plan_is_named_with_its_line(text, said):
    found = plans.problems(plans.checklist(text))
    assert [(level, line) for level, line, _ in found] == said


def test_a_plan_that_waits_for_approval_is_not_begun_by_an_agent():
    text = f"{plans.APPROVAL}\n\n{OPEN}"
    assert plans.needs_approval(text)
    assert not plans.needs_approval(OPEN + "x " + plans.APPROVAL)

    def begun(files, approved=""):
        return plans.start(
            files,
            Started("p.md", approved=approved),
            plans.checklist(text),
            session=ANN,
            now=NOW,
            unapproved=True,
        )

    with pytest.raises(RefusedError, match="only on the owner's approval"):
        begun({})
    files = after({}, begun({}, "yes, do it"))
    assert work(files)["approved"] == "yes, do it"
    assert work(after(files, begun(files)))["approved"] == "yes, do it"


def test_a_plan_that_the_hook_would_not_read_is_refused():
    with pytest.raises(UnreadableError, match="larger than 4 MiB"):
        plans.checklist("- [ ] x\n" * (1 << 19) + "y")


def test_two_plans_of_the_same_name_have_two_records():
    files = started(started(), "other/p.md")
    assert set(json.loads(files[RECORD])["works"]) == {"p", "p-2"}


def test_the_session_is_asked_about_its_newest_plan():
    files = started(started(), "q.md", now=LATER)
    assert plans.named(files, None, agent(ANN)).id == "q"
    with pytest.raises(UsageError, match="2 plans go on"):
        plans.named(files, None, PERSON)
    assert plans.named(files, "p.md", PERSON).id == "p"


def test_a_plan_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(UsageError) as told:
        plans.named(started(plan="launch.md"), "lunch", PERSON)
    assert told.value.fix == "Did you mean launch?"
    with pytest.raises(UsageError, match="no plan goes on here"):
        plans.named({}, None, agent(ANN))


def test_binding_adds_the_session_once():
    files = started(session=None)
    bound = after(files, plans.bind(files, agent(BOB), work=None, session=BOB, now=LATER))
    assert work(bound)["session_ids"] == ["codex:bob-2"]
    again = after(bound, plans.bind(bound, agent(BOB), work=None, session=BOB, now=LATER))
    assert again == bound


def test_binding_needs_a_session_and_a_plan_that_goes_on():
    with pytest.raises(UsageError, match="nobody says which session"):
        plans.bind(started(), PERSON, work="p", session=None, now=NOW)
    over = after({}, completed(started()))
    with pytest.raises(RefusedError, match="it is completed"):
        plans.bind(over, PERSON, work="p", session=BOB, now=NOW)


def test_a_ticked_plan_is_completed_with_its_evidence():
    change = completed(started(), who=agent(ANN))
    done = work(after({}, change))
    assert (done["status"], done["evidence"]) == ("completed", "log.txt")
    assert done["completed_at"] == LATER


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"text": OPEN}, "1 of 2 rows open"),
        ({"text": TICKED + "- [-] 3. left out\n"}, "1 with another mark"),
        ({"text": "# nothing"}, "no row that counts"),
        ({"evidence": {"log.txt": 0}}, "an empty file shows nothing"),
        ({"evidence": {}}, "an empty file shows nothing"),
        ({"evidence": {"p.md": 9}}, "no evidence of itself"),
        ({"who": agent(BOB)}, "another session"),
    ],
)
def test_a_plan_is_not_completed_without_cause(more, why):
    with pytest.raises(RefusedError, match=why):
        completed(started(), **{"name": "p", **more})


def test_a_refused_completion_names_the_file_or_the_row():
    with pytest.raises(RefusedError) as told:
        completed(started(), evidence={"log.txt": 3, "empty.log": 0})
    assert told.value.where == "empty.log"
    with pytest.raises(RefusedError) as told:
        completed(started(), text=TICKED + "- [-] 3. left out\n")
    assert told.value.fix == "First of them: 3. left out"


def test_a_completed_plan_stays_completed_until_a_row_is_open_again():
    files = after({}, completed(started()))
    with pytest.raises(RefusedError, match="completed already"):
        completed(files, name="p")
    with pytest.raises(RefusedError, match="every row is ticked"):
        started(files, text=TICKED)
    again = started(files, text=OPEN)
    assert work(again, "p")["status"] == "completed"
    assert work(again, "p-2")["status"] == "active"


def test_what_others_wrote_in_the_record_is_kept():
    theirs = {"version": 1, "mine": {"a": [1.5, None]}, "works": {"x": {"odd": True}, "y": 3}}
    files = started({RECORD: json.dumps(theirs)})
    found = json.loads(files[RECORD])
    assert found["mine"] == theirs["mine"]
    assert found["works"]["x"] == {"odd": True}
    assert found["works"]["y"] == 3


@pytest.mark.parametrize("broken", ["{", "[]", '{"works": []}', '{"version": 2}', "NaN", "\x00"])
def test_a_record_that_cannot_be_read_is_never_written_over(broken):
    with pytest.raises(UnreadableError):
        started({RECORD: broken})


def recorded(**fields):
    return {RECORD: json.dumps({"version": 1, "works": fields})}


def entry(plan, status="active", sessions=(), updated=NOW):
    return {
        "active_plan": plan, "plan_name": plan.removesuffix(".md"), "status": status,
        "session_ids": list(sessions), "updated_at": updated,
    }  # fmt: skip


def test_a_plan_is_meant_by_its_id_its_path_or_its_name_and_the_newest_of_several():
    files = recorded(a=entry("x/p.md"), b=entry("x/p.md"), c=entry("q.md"))
    assert plans.named(files, "a", PERSON).id == "a"
    assert plans.named(files, "x/p.md", PERSON).id == "b"
    assert plans.named(files, "q", PERSON).id == "c"


def test_where_one_plan_goes_on_it_is_meant_by_itself():
    files = recorded(a=entry("p.md", "completed"), b=entry("q.md", "paused"))
    assert plans.named(files, None, PERSON).id == "b"
    with pytest.raises(UsageError) as told:
        plans.named(recorded(a=entry("p.md"), b=entry("q.md")), None, PERSON)
    assert told.value.fix == "Name one: a, b"
    with pytest.raises(UsageError) as told:
        plans.named(recorded(a=entry("p.md", "completed")), None, PERSON)
    assert (told.value.what, told.value.fix) == (
        "no plan goes on here", "Start one with: loopgraph plan start PLAN",
    )  # fmt: skip
    with pytest.raises(UsageError) as told:
        plans.named({}, "p", PERSON)
    assert told.value.fix == "Start one with: loopgraph plan start PLAN"


def test_a_sessions_own_plan_is_the_one_that_goes_on_before_the_newest():
    mine = ("claude:ann-1",)
    files = recorded(
        a=entry("p.md", "completed", mine, LATER), b=entry("q.md", "active", mine),
        c=entry("r.md", "active", ("codex:bob-2",), LATER),
    )  # fmt: skip
    assert plans.named(files, None, agent(ANN)).id == "b"
    assert plans.named(files, None, agent(BOB)).id == "c"
    both = recorded(a=entry("p.md", "active", mine, LATER), b=entry("q.md", "active", mine))
    assert plans.named(both, None, agent(ANN)).id == "a"


@pytest.mark.parametrize(
    ("plan", "name"),
    [
        ("p.md", "p"), ("x/Move The Tables.md", "move-the-tables"), ("计划.md", "计划"),
        ("x/?!.md", "plan"), (f"{'a' * 50}.md", "a" * 40), (f"{'a' * 39} b.md", "a" * 39),
        ("README", "readme"),
    ],
)  # fmt: skip
def test_a_work_has_a_short_name_of_its_plan(plan, name):
    assert list(json.loads(started(plan=plan)[RECORD])["works"]) == [name]


def test_a_third_plan_of_the_same_name_has_a_third_record():
    files = started(started(started(), "a/p.md"), "b/p.md")
    assert list(json.loads(files[RECORD])["works"]) == ["p", "p-2", "p-3"]
    assert work(files, "p-3")["plan_name"] == "p"


def test_a_plan_that_goes_on_is_gone_on_with_though_every_row_is_ticked():
    files = started()
    assert work(started(files, text=TICKED, session=BOB))["session_ids"] == [
        "claude:ann-1", "codex:bob-2",
    ]  # fmt: skip
    done = after({}, completed(started()))
    assert work(started(done, text=TICKED + "- [-] 3. left\n"), "p-2")["status"] == "active"


def test_a_plan_that_is_begun_anew_needs_the_owners_word_again():
    done = after({}, completed(started()))
    with pytest.raises(RefusedError, match="only on the owner's approval"):
        plans.start(
            done, Started("p.md", approved=" "), plans.checklist(OPEN), session=ANN, now=NOW,
            unapproved=True,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, {}), ({"reentry": "strict"}, {"reentry": "strict"}),
        ({"goal": "adopt"}, {"goal": "adopt"}), ({"endless": True}, {"endless": True}),
        ({"approved": " go "}, {"approved": "go"}), ({"approved": " "}, {}),
    ],
)  # fmt: skip
def test_a_record_says_what_was_said_and_no_more(more, said):
    found = work(started(**more))
    assert {key: found[key] for key in said} == said
    assert set(found) - set(said) == {
        "work_id", "active_plan", "plan_name", "status", "session_ids", "started_at", "updated_at",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (OPEN, "1 of 2 rows open"), (TICKED, "0 of 2 rows open"),
        (f"{OPEN}- [-] 3. x\n", "1 of 2 rows open, 1 with another mark"),
    ],
)  # fmt: skip
def test_how_far_a_plan_is_is_said_in_a_few_words(text, counts):
    assert plans.counts(plans.checklist(text)) == counts


def test_with_every_row_ticked_the_final_gate_comes_next():
    change = plans.start({}, Started("p.md"), plans.checklist(TICKED), session=ANN, now=NOW)
    assert change.says[-1] == "Next: the final gate. Evidence: .longgraph/plans/p.ledger.jsonl"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("# x", "no-plan: no row counts in it"),
        ("## TODOs\n", "no-plan: no row counts below `## TODOs` or `## Final Verification Wave`"),
        ("## TODOs\n- [-] 1. x\n", "no-plan: no row is open or done"),
    ],
)
def test_a_plan_without_anything_to_do_says_where_rows_would_count(text, what):
    assert plans.problems(plans.checklist(text))[0] == ("error", 0, what)


def test_a_row_that_is_neither_open_nor_done_is_told_by_its_label():
    (told,) = plans.problems(plans.checklist(OPEN + "- [~] 3. half\n"))
    assert told == ("warning", 4, "neither open nor done: 3. half")


def test_a_plan_may_be_as_large_as_the_hook_reads():
    row = "- [ ] x\n"
    text = row + "y" * ((4 << 20) - len(row))
    assert plans.checklist(text).total == 1
    with pytest.raises(UnreadableError):
        plans.checklist(f"{text}y")


def test_a_plan_is_bound_in_any_state_that_goes_on_and_the_session_is_told():
    files = recorded(a=entry("p.md", "paused"))
    change = plans.bind(files, PERSON, work="a", session=ANN, now=LATER)
    assert change.says == ("Session ann-1 works on a: p.md",)
    assert work(after({}, change), "a")["updated_at"] == LATER
    with pytest.raises(RefusedError) as told:
        plans.bind(recorded(a=entry("p.md", "odd")), PERSON, work="a", session=ANN, now=NOW)
    assert (told.value.where, told.value.what) == ("a", "it is of no known status")
    assert told.value.fix == "Begin it anew: loopgraph plan start p.md"


def test_several_files_may_show_that_a_plan_is_done():
    change = completed(started(), evidence={"a.log": 1, "b.log": 2})
    assert work(after({}, change))["evidence"] == ["a.log", "b.log"]
    assert change.says == ("p is completed: a.log, b.log",)


def test_a_plan_whose_text_is_gone_is_not_completed():
    with pytest.raises(RefusedError, match="no row that counts"):
        plans.complete(started(), PERSON, work="p", found=None, evidence={"l": 1}, now=NOW)
