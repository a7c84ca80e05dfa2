"""Plans on the screen: which are worked on, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from loopgraph.model.messages import N_, _
from loopgraph.node import plans
from loopgraph.plain.plan import Checklist
from loopgraph.plain.quoting import visible
from loopgraph.plain.works import Work

SCHEMA: Final = "loopgraph/plans/1"
CHECK_SCHEMA: Final = "loopgraph/plan-check/1"


class Shown(NamedTuple):
    """A work with its checklist, as far as it can be read."""

    work: Work
    record: str
    """The file that it stands in."""
    found: Checklist | None
    problem: str = ""


def listing(shown: Iterable[Shown]) -> str:
    """Each plan in a few lines."""
    said = "".join(_one(entry) for entry in shown)
    return said or _("No plan is worked on here. Start one with: loopgraph plan start PLAN\n")


def _one(entry: Shown) -> str:
    work, found = entry.work, entry.found
    facts = {
        N_("Plan"): work.plan,
        N_("Rows"): _rows(found) if found else entry.problem,
        N_("Next"): (found.next or _("the final gate")) if found and work.goes_on() else "",
        N_("Mode"): work.mode,
        N_("Worktree"): work.worktree,
        N_("Sessions"): ", ".join(work.sessions) or _("none"),
        N_("Updated"): work.updated or work.began or "",
        N_("Evidence"): work.evidence,
    }
    lines = "".join(
        "  " + _("{label}: {value}", label=_(name), value=visible(value)) + "\n"
        for name, value in facts.items()
        if value
    )
    status = work.status or _("no known status")
    return f"{visible(work.id or work.name)} ({status}, {entry.record})\n{lines}"


def _rows(found: Checklist) -> str:
    return plans.counts(found) if found.rows else _("no-plan: no row counts")


def listing_data(shown: Iterable[Shown]) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "schema": SCHEMA,
        "plans": [
            {
                "id": entry.work.id,
                "record": entry.record,
                "active_plan": entry.work.plan,
                "status": entry.work.status,
                "session_ids": entry.work.sessions,
                "mode": entry.work.mode or None,
                "worktree_path": entry.work.worktree or None,
                "problem": entry.problem or None,
                **(numbers(entry.found) if entry.found else {}),
            }
            for entry in shown
        ],
    }


def numbers(found: Checklist) -> dict[str, Any]:
    """The counts of a checklist."""
    return {
        "completed": found.completed,
        "remaining": found.remaining,
        "total": found.total,
        "others": found.others,
        "next": found.next,
    }


def check(plan: str, found: Checklist) -> str:
    """The counts of a plan, and each problem with its line."""
    lines = [
        f"{plan}{f':{line}' if line else ''}: {level}: {visible(what)}\n"
        for level, line, what in plans.problems(found)
    ]
    told = _("next: {row}", row=visible(found.next)) if found.next else _("the final gate is next")
    tail = _("; ") + told if found.total else ""
    return "".join(lines) + f"{plan}: {_rows(found)}{tail}\n"


def check_data(plan: str, found: Checklist) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "schema": CHECK_SCHEMA,
        "plan": plan,
        **numbers(found),
        "structured": found.structured,
        "problems": [
            {"level": level, "line": line, "message": what}
            for level, line, what in plans.problems(found)
        ],
    }
