"""What an audit found, for people and for programs: each breach with the state that shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from loopgraph.audit.replay import Report
from loopgraph.audit.rule import Breach
from loopgraph.plain import quoting

SCHEMA: Final = "loopgraph/audit/1"
_SHORT: Final = 10
"""Characters of a commit's id that people are shown."""


def as_text(run: str, report: Report) -> str:
    """One line each, `commit file:line LG601 message`, and below it what to do."""
    return "".join(
        f"{label(one)} {_shown(f'{run}/{one.finding.file}')}:{max(one.finding.line, 1)} "
        f"{one.finding.rule} {'' if one.finding.level == 'error' else '(warning) '}"
        f"{_shown(one.finding.message)}\n    {_shown(one.finding.fix)}\n"
        for one in report.breaches
    )


def label(breach: Breach) -> str:
    """A state as people are shown it."""
    step = breach.step
    if step.kind == "snapshot" and step.commit:
        return f"{step.label} (in {step.commit[:_SHORT]})"
    return step.label[:_SHORT] if step.kind == "commit" else step.label


def as_json(run: str, report: Report) -> str:
    """One object; a line of 0 means the whole file."""
    import json  # noqa: PLC0415  text, the usual form, does without

    levels = [one.finding.level for one in report.breaches]
    answer: dict[str, Any] = {
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
    return json.dumps(answer, ensure_ascii=False, indent=2) + "\n"


FORMATS: Final[Mapping[str, Callable[[str, Report], str]]] = {"text": as_text, "json": as_json}


def _shown(text: str) -> str:
    """A text that cannot steer a terminal."""
    return text if text.isprintable() else quoting.visible(text)
