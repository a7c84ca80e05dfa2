"""The published JSON Schemas: of what people write, and of what tools read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from loopgraph.author import packs
from loopgraph.edges import record
from loopgraph.model.finding import LEVELS, Finding
from loopgraph.views import (
    acts,
    audit,
    doctor,
    gates,
    history,
    install,
    next,  # noqa: A004
    runs,
    snapshots,
    status,
)
from loopgraph.views.facts import SCHEMA as FACTS
from loopgraph.views.findings import SCHEMA as FINDINGS


def findings() -> dict[str, Any]:
    """What `loopgraph check --format json` prints."""
    text, count = {"type": "string"}, {"type": "integer", "minimum": 0}
    fields: dict[str, dict[str, Any]] = {
        "rule": {"type": "string", "description": "The id of the broken rule, such as LG101."},
        "file": {"type": "string", "description": "Relative to the root, forward slashes."},
        "line": {**count, "description": "From 1; 0 where the whole file is meant."},
        "message": text,
        "fix": {"type": "string", "description": "What to do; may be empty."},
        "column": {"type": "integer", "minimum": 1},
        "level": {"enum": list(LEVELS)},
    }
    return {
        "$schema": record.DIALECT,
        "title": "Findings of loopgraph check",
        "type": "object",
        "properties": {
            "schema": {"const": FINDINGS},
            "errors": count,
            "warnings": count,
            "findings": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": fields,
                    "required": list(Finding._fields),
                    "additionalProperties": False,
                },
            },
        },
        "required": ["schema", "errors", "warnings", "findings"],
        "additionalProperties": False,
    }


def facts() -> dict[str, Any]:
    """What `loopgraph discover --json` prints."""
    known = record.schema()["$defs"]
    wanted = [name for name in known if f"#/$defs/{name}" in str(_reached(known, "Facts"))]
    found = known["Facts"]["properties"]
    text = {"type": "string"}
    host = {
        "type": "object",
        "description": "The host that is calling; of this machine, so no fact of the workspace.",
        "properties": {
            "name": text,
            "how": {"enum": ["environment", "process", "PATH"]},
            "evidence": text,
        },
        "required": ["name", "how", "evidence"],
        "additionalProperties": False,
    }
    properties = {
        "schema": {"const": FACTS},
        **found,
        "host": {"anyOf": [host, {"type": "null"}]},
    }
    return {
        "$schema": record.DIALECT,
        "title": "Facts of loopgraph discover",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "$defs": {
            name: {
                **known[name],
                "required": list(known[name]["properties"]),
                "additionalProperties": False,
            }
            for name in wanted
        },
    }


def _reached(known: Mapping[str, Any], name: str) -> list[Any]:
    """A definition, and those that it refers to."""
    return [
        known[name],
        *(known[other] for other in known if f"$defs/{other}'" in str(known[name])),
    ]


SCHEMAS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "pack": packs.schema,
    "run": record.schema,
    "findings": findings,
    "facts": facts,
    "doctor": doctor.schema,
    "act": acts.schema,
    "gates": gates.schema,
    "audit": audit.schema,
    "status": status.schema,
    "next": next.schema,
    "show": history.show_schema,
    "rounds": history.rounds_schema,
    "decisions": history.decisions_schema,
    "runs": runs.schema,
    "install": install.schema,
    "snapshots": snapshots.list_schema,
    "snapshot": snapshots.note_schema,
    "diff": snapshots.diff_schema,
}
"""Every schema by the name that `loopgraph schema` knows."""
