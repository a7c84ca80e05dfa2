"""The published JSON Schemas: of what people write, and of what tools read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from loopgraph.author import packs
from loopgraph.edges import record
from loopgraph.model.finding import LEVELS, Finding
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


SCHEMAS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "pack": packs.schema,
    "run": record.schema,
    "findings": findings,
}
"""Every schema by the name that `loopgraph schema` knows."""
