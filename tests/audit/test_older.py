"""Runs of an older contract, kept by hand: read by their own law, and not drowned in findings."""

from __future__ import annotations

import pytest

from loopgraph.audit import replay
from tests.audit import lives

HEAD = "# shop — longgraph Ledger\n\n## Status header\n\n"
V1 = {
    "executor.md": "Runtime contract: `longgraph.loop-graph.executor/v1`\n\nWork.\n",
    "ledger.md": HEAD + "Current milestone: single goal (parser green) | Round: {round}\n"
    "Convergence tracker: rounds since last 5: **{k}** | net lines since last +400: **+4** | "
    "**next round converges: {flag}**\nMilestone gate: `n/a` (single goal)\n"
    "Run status: `{status}`\n\n## Gate scoreboard\n\n| Gate | Status | Evidence |\n|---|---|---|\n"
    "| Suite | in-progress | green as of Round {round} |\n\n## Debt & gap register\n\n"
    "| ID | Priority | One line |\n|---|---|---|\n{gaps}\n## Rounds log\n\n{rounds}",
}


def block(number):
    return (
        f"### Round {number} — 2026-07-19\n- **Item**: item {number}\n- **Gate**: 4 passed\n"
        f"- **Net lines**: +{number}/−0\n- **Next**: more\n\n"
    )


def line(number):
    return f"- R{number} 2026-07-20 | item {number} | gate: green | net +3/−1 | next: more\n"


def v1(number, *, rounds=None, status="active", gaps=""):
    said = "".join(map(block, range(1, number + 1))) if rounds is None else rounds
    values = {"round": number, "k": number % 5, "flag": "yes" if number % 5 == 0 else "no"}
    text = V1["ledger.md"].format(**values, status=status, gaps=gaps, rounds=said)
    return {**V1, "ledger.md": text}


def rules(*frames):
    report = replay.replay(*lives.history(list(frames)))
    return [(one.step.label, one.finding.rule) for one in report.breaches]


def test_a_life_by_hand_is_silent():
    assert rules(*(v1(number) for number in range(1, 12))) == []


def test_an_edited_prompt_and_reworded_rows_are_no_breach_of_a_law_it_never_had():
    frames = [v1(1, gaps="| GAP-001 | P2 | one |\n"), v1(2, gaps="| GAP-001 | P1 | resolved |\n")]
    frames[1]["executor.md"] += "More.\n"
    assert rules(*frames, v1(3)) == []


def test_blocks_that_become_lines_and_move_to_the_archive_in_other_words_are_not_lost():
    first = v1(3, rounds=line(1) + line(2) + block(3))
    later = v1(4, rounds=line(2) + line(3) + block(4))
    later["archive/rounds.md"] = "# Archive\n\n### Round 1 — older form\n\n- kept\n"
    assert rules(first, later) == []


def test_a_round_that_is_nowhere_any_more_is_told():
    assert rules(v1(3), v1(4, rounds=block(3) + block(4))) == [("1", "LG606")] * 2


def test_a_closed_run_that_goes_on_is_told():
    assert rules(v1(3, status="closed"), v1(4)) == [("1", "LG601")]


def test_a_watermark_that_goes_back_is_told():
    frames = []
    for folded in ("D-003", "D-002"):
        frame = v1(3)
        frame["ledger.md"] = frame["ledger.md"].replace(
            "Run status", f"Last directive folded: {folded}\nRun status"
        )
        frames.append(frame)
    assert rules(*frames) == [("1", "LG613")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "## ",
        "\n## Status header",
        "## Rounds log\n- R",
        "| ID |\n|---|\n",
        "\ufeff## x\r\n",
    ],
)
@pytest.mark.parametrize(
    "name", ["ledger.md", "directives.md", "ops.md", "run.yaml", "executor.md"]
)
def test_nothing_that_may_stand_in_a_file_is_a_crash(name, text):
    life = lives.stages(70, 1)[-1].files
    for frames in ([life, {**life, name: text}, life], [{name: text}, life], [{name: text}]):
        replay.replay(*lives.history(frames))


@pytest.mark.parametrize(
    "acts",
    ['{"node": 1}', "[1]", "null", '{"node":"x","command":"y"}', "{", "\ud800", '{"files": [1]}'],
)
def test_a_broken_line_in_the_log_of_acts_is_passed_over(acts):
    life = lives.stages(70, 1)[-1].files
    replay.replay(*lives.history([life, {**life, lives.ACTS: life[lives.ACTS] + acts + "\n"}]))


def test_a_run_that_is_adopted_is_held_to_our_law_from_there_on():
    ours = lives.Life(1)
    before = [v1(1), v1(2, gaps="| GAP-001 | P2 | one |\n")]
    frames = [*before, dict(ours.files)]
    for _ in range(5):
        assert ours.go()
        frames.append(dict(ours.files))
    assert rules(*frames) == []
    ours.files["executor.md"] += "Push.\n"
    assert rules(*frames, ours.files) == [(str(len(frames)), "LG609")]
