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
