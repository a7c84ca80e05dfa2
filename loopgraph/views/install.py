"""What `loopgraph install` and `uninstall` say, for a person and for a program."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from loopgraph.edges import record
from loopgraph.model.messages import N_, _
from loopgraph.plain.quoting import visible

SCHEMA: Final = "loopgraph/install/1"

OUTCOMES: Final = {
    "added": N_("{file}: {what} added"),
    "replaced": N_("{file}: {what} put in place of an earlier one of loopgraph's"),
    "same": N_("{file}: {what} is there already"),
    "restored": N_("{file}: as it was before"),
    "taken": N_("{file}: {what} taken out; it was changed since, and the rest stays as it is"),
    "deleted": N_("{file}: removed; it was not there before"),
    "absent": N_("{file}: {what} is not there"),
    "kept": N_("{file}: left alone, since somebody else has written or changed it"),
    "needed": N_("{file}: stays, since another client has it"),
}
"""What was done to a file; without a change, what would be."""

_WHATS: Final = {"hook": N_("the hook"), "skill": N_("the skill"), "plugin": N_("the plugin")}


class File(NamedTuple):
    """One file, and what was done to it."""

    what: str
    """`hook`, `skill` or `plugin`."""
    file: str
    outcome: str
    real: str = ""
    """Where it really is, if it is a link."""


class Answer(NamedTuple):
    """What was done, or would be."""

    host: str
    """Empty for a plugin."""
    scope: str
    files: tuple[File, ...]
    command: str = ""
    """What the client runs; empty when it was taken out."""
    steps: tuple[str, ...] = ()
    """What the owner has to do, one sentence an entry."""
    notes: tuple[str, ...] = ()
    """What is beside the answer."""
    offer: str = ""
    """A snippet that the owner may paste; nothing writes it."""
    dry: bool = False


def text(answer: Answer) -> str:
    """One thing a line."""
    lines = [_("Nothing was changed; this would be done:")] if answer.dry else []
    for one in answer.files:
        said = _(OUTCOMES[one.outcome], file=one.file, what=_(_WHATS[one.what]))
        if one.real:
            said += " " + _("(a link to {real})", real=one.real)
        lines.append(said)
    if answer.command:
        lines.append(_("It runs: {command}", command=answer.command))
    lines.extend(answer.notes)
    if answer.steps:
        lines += ["", _("What is left to you:")]
        lines += [f"  {number}. {step}" for number, step in enumerate(answer.steps, 1)]
    if answer.offer:
        said = _(
            "So that the agent may call loopgraph unasked, you may add to {file}:",
            file=answer.files[0].file,
        )
        lines += ["", said, *(f"  {line}" for line in answer.offer.split("\n"))]
    return "".join(f"{visible(line)}\n" for line in lines)


def data(answer: Answer) -> dict[str, object]:
    """The same as plain data."""
    files = [one._asdict() for one in answer.files]
    return {
        "schema": SCHEMA,
        **answer._asdict(),
        "files": files,
        "steps": list(answer.steps),
        "notes": list(answer.notes),
    }


def schema() -> dict[str, Any]:
    """What `loopgraph install --json` and `uninstall --json` print."""
    said: dict[str, Any] = {"type": "string"}
    texts: dict[str, Any] = {"type": "array", "items": said}
    file = {
        "what": {"enum": list(_WHATS)},
        "file": said,
        "outcome": {"enum": list(OUTCOMES)},
        "real": {**said, "description": "Where it really is, if it is a link."},
    }
    fields = {
        "schema": {"const": SCHEMA},
        "host": {**said, "description": "Empty for a plugin."},
        "scope": {"enum": ["project", "user", ""]},
        "files": {"type": "array", "items": _closed(file)},
        "command": {**said, "description": "What the client runs at the end of a turn."},
        "steps": {**texts, "description": "What is left to the owner."},
        "notes": texts,
        "offer": {**said, "description": "A snippet for the owner to paste; may be empty."},
        "dry": {"type": "boolean", "description": "Nothing was changed."},
    }
    return {
        "$schema": record.DIALECT,
        "title": "What loopgraph install or uninstall did",
        **_closed(fields),
    }


def _closed(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
