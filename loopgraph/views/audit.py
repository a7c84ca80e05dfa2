"""What an audit found, for people and for programs: each breach with the state that shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from loopgraph.audit.replay import Report
from loopgraph.audit.rule import Breach
from loopgraph.audit.rules import RULES
from loopgraph.edges import record
from loopgraph.model.finding import LEVELS, Finding
from loopgraph.model.messages import N_, _
from loopgraph.views import findings

SCHEMA: Final = "loopgraph/audit/1"
_TREE: Final = N_("working tree")
"""What the newest state is called."""
_SHORT: Final = 10
"""Characters of a commit's id that people are shown."""


def as_text(run: str, report: Report) -> str:
    """One line each, `commit file:line LG601 message`, and below it what to do."""
    return "".join(
        f"{findings.shown(label(one))} "
        f"{findings.shown(f'{run}/{one.finding.file}')}:{max(one.finding.line, 1)} "
        f"{one.finding.rule} {'' if one.finding.level == 'error' else _('(warning) ')}"
        f"{findings.shown(one.finding.message)}\n    {findings.shown(one.finding.fix)}\n"
        for one in report.breaches
    )


def label(breach: Breach) -> str:
    """A state as people are shown it."""
    step = breach.step
    if step.kind == "commit":
        return step.label[:_SHORT]
    if step.kind == "tree":
        return _(_TREE)
    within = _(" (in {commit})", commit=step.commit[:_SHORT]) if step.commit else ""
    return _("snapshot {name}{within}", name=step.label, within=within)


def as_json(run: str, report: Report) -> str:
    """One object; a line of 0 means the whole file."""
    levels = [one.finding.level for one in report.breaches]
    return findings.dumped(
        {
            "schema": SCHEMA,
            "run": run,
            "errors": levels.count("error"),
            "warnings": levels.count("warning"),
            "notes": list(report.notes),
            "breaches": [
                {
                    "state": one.step.label,
                    "kind": one.step.kind,
                    "commit": one.step.commit,
                    "time": one.step.time,
                    **one.finding._asdict(),
                }
                for one in report.breaches
            ],
        }
    )


def as_sarif(run: str, report: Report) -> str:
    """A SARIF 2.1.0 log, for code scanning."""
    return findings.as_sarif(_found(run, report), RULES)


def as_github(run: str, report: Report) -> str:
    """Workflow commands: GitHub shows each beside its line in a pull request."""
    return findings.as_github(_found(run, report))


def _found(run: str, report: Report) -> Sequence[Finding]:
    """The breaches as findings of today's files, each with the state that shows it first."""
    return [
        one.finding._replace(
            file=f"{run}/{one.finding.file}",
            message=_(
                "{message}, first seen in {state}",
                message=one.finding.message,
                state=label(one),
            ),
        )
        for one in report.breaches
    ]


FORMATS: Final[Mapping[str, Callable[[str, Report], str]]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}
"""Every format by the name that `--format` knows."""


def schema() -> dict[str, Any]:
    """The published schema of `as_json`."""
    text, count = {"type": "string"}, {"type": "integer", "minimum": 0}
    fields: dict[str, dict[str, Any]] = {
        "state": {**text, "description": "A commit's id, a snapshot's name, or `working tree`."},
        "kind": {"enum": ["commit", "snapshot", "tree"]},
        "commit": {**text, "description": "The commit that has it first; empty where none has."},
        "time": {**text, "description": "RFC 3339; empty where nobody knows it."},
        "rule": {**text, "description": "The id of the broken rule, such as LG601."},
        "file": {**text, "description": "Relative to the run, forward slashes."},
        "line": {**count, "description": "Of that state; 0 where the whole file is meant."},
        "message": text,
        "fix": {**text, "description": "What to do."},
        "column": {"type": "integer", "minimum": 1},
        "level": {"enum": list(LEVELS)},
    }
    return {
        "$schema": record.DIALECT,
        "title": "Breaches of loopgraph audit",
        **_closed(
            {
                "schema": {"const": SCHEMA},
                "run": {**text, "description": "The run's folder, as it was found from here."},
                "errors": count,
                "warnings": count,
                "notes": {"type": "array", "items": text},
                "breaches": {"type": "array", "items": _closed(fields)},
            }
        ),
    }


def _closed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }
