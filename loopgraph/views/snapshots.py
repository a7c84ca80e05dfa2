"""Snapshots for programs: the list of a run, what differs between two, and what evidence keeps."""

from __future__ import annotations

from typing import Any, Final

from loopgraph.edges import record
from loopgraph.node import measure

LIST: Final = "loopgraph/snapshots/1"
DIFF: Final = "loopgraph/diff/1"

_TEXT: Final[dict[str, Any]] = {"type": "string"}
_COUNT: Final[dict[str, Any]] = {"type": "integer", "minimum": 0}
_ID: Final[dict[str, Any]] = {"type": "string", "pattern": "^[0-9a-f]{40}([0-9a-f]{24})?$"}
_LINES: Final[dict[str, Any]] = {
    "path": {**_TEXT, "description": "Relative to the workspace."},
    "added": {"anyOf": [_COUNT, {"type": "null"}], "description": "null: cannot be counted."},
    "removed": {"anyOf": [_COUNT, {"type": "null"}]},
}


def list_schema() -> dict[str, Any]:
    """What `loopgraph snapshots list --json` prints."""
    one = {
        "name": {**_TEXT, "description": "R3, R3.start, R5.before-restore."},
        "round": _COUNT,
        "repository": {**_TEXT, "description": "Relative to the workspace; `.` for its own."},
        "id": {**_ID, "description": "A tag object that points to the tree."},
        "tree": _ID,
        "time": {**_TEXT, "description": "RFC 3339 with offset."},
        "head": {**_TEXT, "description": "The commit then; empty on an unborn branch."},
        "ref": {**_TEXT, "description": "Empty where it is kept below .longgraph/.objects."},
        "branch": {**_TEXT, "description": "The one checked out then; empty where not known."},
    }
    fields = {"schema": {"const": LIST}, "snapshots": {"type": "array", "items": _closed(one)}}
    return {"$schema": record.DIALECT, "title": "Snapshots of a run", **_closed(fields)}


def diff_schema() -> dict[str, Any]:
    """What `loopgraph diff --json` prints."""
    fields = {
        "schema": {"const": DIFF},
        "from": _TEXT,
        "to": {**_TEXT, "description": "`now` for the workspace as it is."},
        "changed": {"type": "array", "items": _closed(_LINES)},
        "text": {**_TEXT, "description": "As git shows it, control characters made visible."},
        "left_out": {
            "type": "array",
            "items": _TEXT,
            "description": "Paths that no snapshot holds: whether they differ is not told.",
        },
    }
    return {"$schema": record.DIALECT, "title": "What differs", **_closed(fields)}


def note_schema() -> dict[str, Any]:
    """What a file of evidence/snapshots/ holds."""
    repository = {
        "path": _TEXT,
        "head": _TEXT,
        "tree": _ID,
        "kept": {"enum": ["refs", ".longgraph/.objects"]},
    }
    left_out = {"path": _TEXT, "why": _TEXT}
    net = {"type": "array", "items": _COUNT, "minItems": 2, "maxItems": 2}
    claimed = {
        "changed": {"type": "array", "items": _TEXT},
        "net": {"anyOf": [_TEXT, {"type": "null"}]},
    }
    finding = {"rule": _TEXT, "message": _TEXT}
    always = {
        "schema": {"const": measure.SCHEMA},
        "name": _TEXT,
        "round": _COUNT,
        "time": _TEXT,
        "repositories": {"type": "array", "items": _closed(repository)},
        "left_out": {"type": "array", "items": _closed(left_out)},
    }
    more = {
        "files": {"type": "object", "additionalProperties": _TEXT},
        "entries": {"type": "object", "additionalProperties": _TEXT},
        "base": {**_TEXT, "description": "The snapshot that it was measured from."},
        "changed": {"type": "array", "items": _closed(_LINES)},
        "more": {**_COUNT, "description": "How many paths more changed than are listed."},
        "net": {"anyOf": [net, {"type": "null"}]},
        "idle": {"type": "boolean"},
        "claimed": _closed(claimed),
        "found": {
            "type": "array",
            "items": _closed(finding),
            "description": "What was found of the round as it was recorded.",
        },
    }
    return {
        "$schema": record.DIALECT,
        "title": "What a snapshot was of",
        **_closed(always | more),
        "required": list(always),
    }


def _closed(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
