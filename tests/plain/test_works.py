"""Which plan a session works on, by the records of plans."""

from __future__ import annotations

import pytest

from loopgraph.plain import works

PLAN = {"active_plan": "plans/a.md", "session_ids": ["codex:1"], "started_at": "2026-01-02"}


def test_a_work_says_only_what_its_record_says_in_the_right_form():
    (work,) = works.works(
        {
            "active_plan": "plans/a.md", "plan_name": "a", "status": "paused",
            "session_ids": ["codex:1", 2, "claude:3"], "worktree_path": " ../w ",
            "started_at": "2026-01-02", "updated_at": "2026-01-03", "mode": "ship",
            "endless": True, "reentry": "strict", "evidence": "out.txt",
        }
    )  # fmt: skip
    assert (work.id, work.plan, work.name, work.status) == ("", "plans/a.md", "a", "paused")
    assert (work.sessions, work.worktree) == (["codex:1", "claude:3"], "../w")
    assert (work.began, work.updated, work.mode) == ("2026-01-02", "2026-01-03", "ship")
    assert (work.endless, work.reentry, work.evidence) == (True, "strict", "out.txt")


def test_a_work_that_says_little_has_defaults():
    (work,) = works.works({"active_plan": "plans/a.md", "status": "odd", "endless": 1, "mode": 3})
    assert (work.name, work.status, work.sessions) == ("plans/a.md", None, [])
    assert (work.worktree, work.began, work.updated, work.mode) == ("", None, None, "")
    assert (work.endless, work.reentry, work.evidence) == (False, "", "")


@pytest.mark.parametrize(
    ("status", "goes_on"),
    [("active", True), ("paused", True), ("completed", False), ("abandoned", False), ("", False)],
)
def test_a_session_is_sent_back_to_a_work_that_is_active_or_paused(status, goes_on):
    (work,) = works.works({**PLAN, "status": status})
    assert work.goes_on() is goes_on


@pytest.mark.parametrize("record", [None, [], "x", {}, {"works": []}, {"active_plan": 3}])
def test_what_is_no_record_holds_no_work(record):
    assert works.works(record) == []


def test_a_work_without_a_plan_is_passed_over():
    listed = {"a": PLAN, "b": "plan", "c": {"active_plan": None}, "d": PLAN}
    assert [work.id for work in works.works({"works": listed})] == ["a", "d"]


def test_the_newest_work_of_a_session_is_chosen_and_of_equals_the_first():
    record = {
        "works": {
            "other": {**PLAN, "session_ids": ["codex:2"], "updated_at": "2026-02-01"},
            "old": PLAN,
            "new": {**PLAN, "updated_at": "2026-01-05"},
            "twin": {**PLAN, "updated_at": "2026-01-05"},
            "odd": {**PLAN, "started_at": "2026-01-09", "updated_at": "soon"},
        }
    }
    found = works.chosen(record, "1", "codex", boulder=False)
    assert found
    assert found.id == "new"
    assert works.chosen(record, "3", "codex", boulder=False) is None


def test_a_work_of_no_readable_moment_is_better_than_none():
    found = works.chosen({**PLAN, "started_at": None}, "1", "codex", boulder=False)
    assert found
    assert found.plan == "plans/a.md"


@pytest.mark.parametrize(
    ("written", "session", "host", "ours", "theirs"),
    [
        ("1", "1", "codex", True, False),
        ("1", "1", "opencode", True, True),
        ("codex:1", "1", "codex", True, True),
        ("codex:1", "codex:1", "codex", True, True),
        ("opencode:1", "1", "opencode", True, True),
        ("claude:1", "1", "codex", False, False),
        ("1", "codex:1", "codex", True, False),
        ("none", "none", "opencode", False, False),
        ("1", "", "opencode", False, False),
    ],
)
def test_a_bare_session_is_any_hosts_by_our_rule_and_opencodes_by_the_boulders(
    written, session, host, ours, theirs
):
    record = {**PLAN, "session_ids": [written]}
    assert (works.chosen(record, session, host, boulder=False) is not None) is ours
    assert (works.chosen(record, session, host, boulder=True) is not None) is theirs
