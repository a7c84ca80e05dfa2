"""Loops, plans and evidence on the screen: exact output."""

from __future__ import annotations

from loopgraph.edges import loops, state
from loopgraph.edges.loops import Settings
from loopgraph.node import plans as node
from loopgraph.plain.works import Work
from loopgraph.views import loops as view
from loopgraph.views import plans as plan_view

BOUND = loops.write(Settings(session="ann-1", started_at="2026-01-02T03:04:05+00:00"), "Fix it.")
ENDLESS = "---\niteration: 7\nmax_iterations: 0\n---\nGo \x1b[31mon.\n"


def test_loops_are_listed_in_columns_and_the_active_one_has_a_star():
    found = [
        loops.read("fix", "p/fix.md", BOUND),
        loops.read("endless", "p/endless.md", ENDLESS),
        loops.read("bad", "p/bad.md", "x"),
        loops.read("claude", ".claude/ralph-loop.local.md", ENDLESS, foreign=True),
    ]
    assert view.listing(found, "fix") == (
        "* fix      bound    1 of 50        ann-1\n"
        "  endless  unbound  7 of no limit  no session\n"
        "  bad      broken   -              no front matter\n"
        "  claude   unbound  7 of no limit  no session (.claude/ralph-loop.local.md)\n"
    )
    assert view.listing([], None).startswith("No loop here.")


def test_a_loop_is_shown_with_its_evidence_and_its_prompt():
    evidence = state.read('{"goal": "g", "last_verified": ["`a` passes", "b.py"]}', "s.json")
    assert view.one(loops.read("fix", "p/fix.md", BOUND), evidence, "s.json") == (
        "File: p/fix.md\n"
        "State: bound\n"
        "Iteration: 1 of 50\n"
        "Promise: DONE\n"
        "Session: ann-1\n"
        "Started: 2026-01-02T03:04:05+00:00\n"
        "\n"
        "Evidence: s.json\n"
        "  goal: g\n"
        "  current_phase: nothing\n"
        "  last_verified:\n"
        "  - `a` passes\n"
        "  - b.py\n"
        "  next_actions: nothing\n"
        "  changed_files: nothing\n"
        "  artifacts: nothing\n"
        "  blocked_reason: nothing\n"
        "\n"
        "Fix it.\n"
    )


def test_no_escape_of_a_prompt_reaches_the_terminal():
    shown = view.one(loops.read("x", "x.md", ENDLESS), None, "")
    assert "\x1b" not in shown
    assert "Go <U+001B>[31mon." in shown
    assert "Promise: none: it does not end by itself\n" in shown


def test_of_a_broken_loop_the_file_and_the_reason_are_shown():
    assert view.one(loops.read("x", "x.md", "?"), None, "") == (
        "File: x.md\nState: broken: no front matter\n"
    )


def work(**fields):
    return Work("w", {"active_plan": "p.md", "status": "active", **fields})


def test_a_plan_is_shown_with_how_far_it_is():
    found = node.checklist("## TODOs\n- [ ] 1. first\n- [x] 2. b\n- [~] 3. c\n")
    full = work(session_ids=["claude:a"], mode="ship", worktree_path="../wt", updated_at="now")
    assert plan_view.listing([plan_view.Shown(full, "plans.json", found)]) == (
        "w (active, plans.json)\n"
        "  Plan: p.md\n"
        "  Rows: 1 of 2 rows open, 1 with another mark\n"
        "  Next: 1. first\n"
        "  Mode: ship\n"
        "  Worktree: ../wt\n"
        "  Sessions: claude:a\n"
        "  Updated: now\n"
    )


def test_a_plan_without_rows_is_never_called_done():
    empty = plan_view.Shown(work(), "r", node.checklist("# x"))
    assert "Rows: no-plan: no row counts\n" in plan_view.listing([empty])
    assert plan_view.check("p.md", node.checklist("# x")) == (
        "p.md: error: no-plan: no row counts in it\np.md: no-plan: no row counts\n"
    )
    other = plan_view.check("p.md", node.checklist("## TODOs\n- [-] 1. a\n"))
    assert "p.md: error: no-plan: no row is open or done\n" in other
    gone = plan_view.Shown(work(status="odd"), "r", None, "the plan is not there")
    assert plan_view.listing([gone]).splitlines()[:3] == [
        "w (no known status, r)",
        "  Plan: p.md",
        "  Rows: the plan is not there",
    ]


def test_a_ticked_plan_waits_for_its_final_gate():
    ticked = node.checklist("- [x] a\n")
    assert plan_view.check("p.md", ticked) == ("p.md: 0 of 1 rows open; the final gate is next\n")
    shown = plan_view.listing([plan_view.Shown(work(), "r", ticked)])
    assert "  Next: the final gate\n" in shown
    done = plan_view.listing([plan_view.Shown(work(status="completed"), "r", ticked)])
    assert "Next" not in done
