"""A plan in the real clients: a session is sent back until its work is done, and let go in time."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.hosts.conftest import ALL, CLAUDES
from tests.hosts.desk import Desk

PLAN = """# Launch

## TODOs

- [ ] 1. Write the page
- [ ] 2. Check the links
- [ ] 3. Tell the others
"""
BEGIN = {"run": "loopgraph plan start plans/launch.md"}
IDLE = {"say": "I am still thinking about it.", "again": True}


@pytest.fixture
def planned(desk):
    """The desk, with a plan on it."""
    desk.write("plans/launch.md", PLAN)
    return desk


@pytest.fixture
def beside(desk, client):
    """Another client in the same folder, of another person."""
    base = desk.base / "beside"
    base.mkdir()
    with Desk(client("codex"), desk.workspace, base) as one:
        one.install()
        yield one


def tick(number: int) -> dict[str, str]:
    """The agent ticks a row."""
    return {"run": f"sed -i.old 's/- \\[ \\] {number}\\./- [x] {number}./' plans/launch.md"}


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_session_that_stops_early_is_sent_back_until_its_plan_is_complete(planned):
    turn = planned.turn(
        "Work through plans/launch.md.",
        BEGIN,
        {"say": "The plan is read; I stop here."},
        tick(1),
        {"say": "The first row is done."},
        tick(2),
        tick(3),
        {"say": "All rows are done."},
        {"run": "mkdir notes && echo 'both links answered' > notes/proof.md"},
        {"run": "loopgraph plan complete launch --evidence notes/proof.md"},
        {"say": "ORCHESTRATION COMPLETE"},
    )
    assert turn.whole, turn
    assert turn.answer == "ORCHESTRATION COMPLETE"
    one, two, gate = turn.reasons
    assert "3 of 3 rows are open" in one
    assert "Next open row: `1. Write the page`" in one
    assert "2 of 3 rows are open" in two
    assert "Next open row: `2. Check the links`" in two
    assert "0 of 3 rows are open" in gate
    assert "final gate pending" in gate
    assert planned.log() == ["block", "block", "block", "go no-claim"], turn
    (work,) = json.loads(planned.read(".longgraph/plans.json"))["works"].values()
    assert work["status"] == "completed"


@pytest.mark.parametrize("desk", ["codex"], indirect=True)
def test_a_plan_of_another_tool_sends_its_session_back_once(planned):
    work = {"active_plan": "plans/launch.md", "plan_name": "launch", "status": "active"}
    record = {"schema_version": 2, "active_work_id": "w", "works": {"w": work}}
    planned.write(".omo/boulder.json", json.dumps(record | {"session_ids": []}))
    bind = (
        "python3 - <<'E'\nimport json, os\nat = '.omo/boulder.json'\nall = json.load(open(at))\n"
        "all['works']['w']['session_ids'] = ['codex:' + os.environ['CODEX_THREAD_ID']]\n"
        "json.dump(all, open(at, 'w'))\nE"
    )
    turn = planned.turn("Go.", {"run": bind}, {"say": "Early."}, tick(1), {"say": "One is done."})
    assert turn.whole, turn
    assert turn.answer == "One is done."
    (reason,) = turn.reasons
    assert "3 of 3 rows are open" in reason
    assert planned.log() == ["block", "go reentry"], turn


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_session_that_gets_nowhere_is_let_go_as_stalled(planned):
    turn = planned.turn("Go.", BEGIN, IDLE)
    assert turn.whole, turn
    assert planned.log() == ["block", "block", "go stalled"], turn
    assert (len(turn.reasons), len(turn.asked)) == (2, 4)
    assert turn.answer == IDLE["say"], turn
    last = planned.decisions()[-1]
    assert (last["session"], last["said"]) == (turn.session, "nothing has moved in 2 turns")


@pytest.mark.parametrize(
    ("desk", "cap"),
    [("claude", ""), ("claude", "4"), ("claude-node20", ""), ("claude-node20", "4"), ("codex", "")],
    indirect=["desk"],
)
def test_the_hook_lets_go_before_the_client_overrides_it(planned, cap):
    """Claude Code's own cap ends the turn with an empty result and a complaint; Codex has none."""
    settings = planned.home / ".config/loopgraph/hook.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"stalled_after": 50}', "utf-8")
    if cap:
        planned.more["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] = cap
    blocks = int(cap or 8) - 1
    turn = planned.turn("Go.", BEGIN, IDLE)
    assert turn.whole, turn
    assert planned.log() == [*["block"] * blocks, "go limit"], turn
    assert (len(turn.reasons), len(turn.asked)) == (blocks, blocks + 2)
    assert turn.answer == IDLE["say"], turn
    assert "in a row" in planned.decisions()[-1]["said"]


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_of_two_sessions_in_a_folder_only_the_bound_one_is_held(planned):
    bound = planned.turn("Go.", BEGIN, {"say": "Early."}, tick(1), IDLE)
    other = planned.turn("What is in this folder?", {"run": "ls"}, {"say": "A plan."})
    assert len(bound.reasons) == 3, bound
    assert (other.whole, other.reasons) == (True, []), other
    assert other.session != bound.session
    again = planned.turn("Go on.", {"say": "Early."}, tick(2), IDLE, resume=bound.session)
    after = planned.turn("And now?", {"say": "The same plan."}, resume=other.session)
    assert len(again.reasons) == 3, again
    assert (after.whole, after.reasons) == (True, []), after
    free = [one["answer"] for one in planned.decisions() if one["session"] == other.session]
    assert free == ["go", "go"]


@pytest.mark.parametrize("folder", ["docs/deep", "/"])
@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_an_agent_that_has_changed_its_folder_is_still_found(planned, folder):
    planned.write("docs/deep/page.md", "# A page\n")
    turn = planned.turn("Go.", BEGIN, {"run": f"cd {folder} && pwd"}, {"say": "Early."}, IDLE)
    assert (turn.whole, len(turn.reasons)) == (True, 2), turn
    assert "3 of 3 rows are open" in turn.reasons[0]
    # Claude Code's hook goes along, but for a folder outside; Codex begins each command anew.
    goes = not planned.client.is_codex and folder != "/"
    place = planned.workspace / folder if goes else planned.workspace
    assert {one["cwd"] for one in planned.decisions()} == {str(place.resolve())}


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_session_that_was_started_in_a_folder_below_is_held_as_well(planned):
    """Claude Code reads settings of that very folder and of the user alone; Codex looks upwards.

    Codex's sandbox closes everything above, and lays an empty `.git` there: the state is below.
    """
    below = planned.write("docs/deep/launch.md", PLAN).parent
    if not planned.client.is_codex:
        planned.must("uninstall", planned.host)
        planned.install("--user")
    begin = {"run": "loopgraph plan start launch.md"}
    turn = planned.turn("Go.", begin, {"say": "Early."}, IDLE, cwd=below)
    assert (turn.whole, len(turn.reasons)) == (True, 2), turn
    assert "3 of 3 rows are open" in turn.reasons[0]
    assert {one["cwd"] for one in planned.decisions()} == {str(below.resolve())}


@pytest.mark.parametrize("desk", CLAUDES, indirect=True)
def test_a_session_with_work_in_the_background_is_let_go_until_that_wakes_it(planned):
    sleep = {"use": "Bash", "with": {"command": "sleep 2", "run_in_background": True}}
    turn = planned.turn("Go.", BEGIN, sleep, {"say": "It runs."}, {"say": "It ended."}, IDLE)
    assert planned.log()[:2] == ["go in-flight", "block"], turn
    assert "It runs." not in turn.reasons[0]
    assert "3 of 3 rows are open" in turn.reasons[0]


@pytest.mark.parametrize("desk", ["claude"], indirect=True)
def test_two_clients_in_a_folder_go_on_with_their_own_plans_at_the_same_time(planned, beside):
    planned.write("plans/other.md", PLAN.replace("Write the page", "Write the letter"))
    other = {"run": "loopgraph plan start plans/other.md"}
    with ThreadPoolExecutor(2) as pool:
        calls = (
            pool.submit(planned.turn, "Go.", BEGIN, IDLE),
            pool.submit(beside.turn, "Go.", other, IDLE),
        )
        one, two = (call.result() for call in calls)
    assert "Next open row: `1. Write the page`" in one.reasons[0], one
    assert "Next open row: `1. Write the letter`" in two.reasons[0], two
    assert planned.log()[-1] == beside.log()[-1] == "go stalled"


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_resumed_session_keeps_its_plan(planned):
    first = planned.turn("Go.", BEGIN, {"say": "<loopgraph-blocked>\nThe network is down."})
    assert (first.whole, first.reasons, planned.log()) == (True, [], ["go blocked"]), first
    second = planned.turn("It is up again.", {"say": "Fine."}, tick(1), IDLE, resume=first.session)
    assert second.session == first.session
    assert "3 of 3 rows are open" in second.reasons[0], second


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_turn_in_which_the_context_was_made_smaller_is_held_as_before(planned):
    options = ("-c", "model_auto_compact_token_limit=50000") if planned.client.is_codex else ()
    planned.more["CLAUDE_CODE_AUTO_COMPACT_WINDOW"] = "200000"
    full = {"run": "ls", "tokens": 185_000}
    turn = planned.turn("Go.", BEGIN, full, {"say": "Early."}, tick(1), IDLE, options=options)
    assert (turn.whole, turn.compacted) == (True, True), turn
    assert "3 of 3 rows are open" in turn.reasons[0], turn
    assert "2 of 3 rows are open" in turn.reasons[1], turn


@pytest.mark.parametrize("desk", CLAUDES, indirect=True)
def test_a_session_that_was_compacted_by_hand_keeps_its_plan(planned):
    first = planned.turn("Go.", BEGIN, {"say": "<loopgraph-blocked>\nThe network is down."})
    assert planned.turn("/compact", resume=first.session).compacted
    turn = planned.turn("It is up again.", {"say": "Fine."}, tick(1), IDLE, resume=first.session)
    assert turn.session == first.session
    assert "3 of 3 rows are open" in turn.reasons[0], turn
