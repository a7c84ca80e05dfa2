"""What `loopgraph doctor` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from loopgraph.edges import record
from loopgraph.model import columns
from loopgraph.model.machine import Line
from loopgraph.model.messages import N_, _
from loopgraph.plain.quoting import visible

SCHEMA: Final = "loopgraph/doctor/1"

_WIDTH: Final = 80
_MARKS: Final = {"ok": N_("ok"), "note": N_("note"), "todo": N_("to do")}


def well(lines: Sequence[Line]) -> bool:
    """Whether nothing needs doing."""
    return all(line.level != "todo" for line in lines)


def text(lines: Sequence[Line]) -> str:
    """One thing a line, folded to 80 columns; a path is never cut. What to do stands below it."""
    marks = {level: _(mark) for level, mark in _MARKS.items()}
    wide = max(columns.width(mark) for mark in marks.values()) + 2
    shown = []
    for line in lines:
        mark = columns.pad(marks[line.level], wide)
        shown.append(columns.hang(visible(line.says), _WIDTH, mark, " " * wide, cut=False))
        if line.fix:
            shown.append(columns.hang(visible(line.fix), _WIDTH, " " * wide, cut=False))
    count = sum(line.level == "todo" for line in lines)
    end = _("All is well.") if not count else _("To do: {count}", count=count)
    return "\n".join([*shown, "", end, ""])


def data(lines: Sequence[Line]) -> dict[str, object]:
    """The same as plain data."""
    return {
        "schema": SCHEMA,
        "well": well(lines),
        "lines": [line._asdict() for line in lines],
    }


def schema() -> dict[str, Any]:
    """What `loopgraph doctor --json` prints."""
    said = {"type": "string"}
    fields: dict[str, dict[str, Any]] = {
        "level": {"enum": list(_MARKS), "description": "todo makes the exit code 1."},
        "topic": said,
        "says": said,
        "fix": {**said, "description": "What to do; may be empty."},
    }
    return {
        "$schema": record.DIALECT,
        "title": "What loopgraph doctor found",
        "type": "object",
        "properties": {
            "schema": {"const": SCHEMA},
            "well": {"type": "boolean"},
            "lines": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": fields,
                    "required": list(Line._fields),
                    "additionalProperties": False,
                },
            },
        },
        "required": ["schema", "well", "lines"],
        "additionalProperties": False,
    }
