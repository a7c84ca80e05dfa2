"""What a command did to a run, for programs: the answer of `--json`, and its schema."""

from __future__ import annotations

from typing import Any, Final

from loopgraph.edges import record
from loopgraph.edges.change import Change
from loopgraph.model.finding import LEVELS, Finding

SCHEMA: Final = "loopgraph/act/1"


def data(run: str, change: Change, settled: tuple[str, ...], warning: str) -> dict[str, Any]:
    """The answer: which files changed, what moved to the archive, what is to be known."""
    return {
        "schema": SCHEMA,
        "run": run,
        "files": sorted((*change.live, *(f"evidence/{name}" for name in change.evidence))),
        "moved": [{"id": move.id, "archive": move.archive} for move in change.moves],
        "says": list(change.says),
        "findings": [finding._asdict() for finding in change.findings],
        "settled": list(settled),
        "warning": warning,
    }


def schema() -> dict[str, Any]:
    """The published schema of `data`."""
    text: dict[str, Any] = {"type": "string"}
    texts: dict[str, Any] = {"type": "array", "items": text}
    moved = {"id": text, "archive": text}
    finding = {
        **dict.fromkeys(Finding._fields, text),
        "line": {"type": "integer", "minimum": 0},
        "column": {"type": "integer", "minimum": 1},
        "level": {"enum": list(LEVELS)},
    }
    fields = {
        "schema": {"const": SCHEMA},
        "run": {**text, "description": "The run's name."},
        "files": {**texts, "description": "Changed or made, relative to the run."},
        "moved": {"type": "array", "items": _closed(moved)},
        "says": {**texts, "description": "What a person would read."},
        "findings": {"type": "array", "items": _closed(finding)},
        "settled": {**texts, "description": "What an interrupted command had left."},
        "warning": {**text, "description": "Why it is not in acts.jsonl; empty where it is."},
    }
    return {
        "$schema": record.DIALECT,
        "title": "What a command did to a run",
        **_closed(fields),
    }


def _closed(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
