"""The evidence state of a long task: what is verified, and what is next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.edges import jsonfile
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _

FIELDS: Final = (
    "goal",
    "current_phase",
    "last_verified",
    "next_actions",
    "changed_files",
    "artifacts",
    "blocked_reason",
)
ALIASES: Final[Mapping[str, str]] = {"task_description": "goal", "evidence": "artifacts"}
"""Other names of two fields; a file keeps the name that it has."""

LISTS: Final = ("last_verified", "next_actions", "changed_files", "artifacts")


class Evidence(NamedTuple):
    """What a session says about its task."""

    goal: str
    current_phase: str
    last_verified: tuple[str, ...]
    """Facts, each with what proves it."""
    next_actions: tuple[str, ...]
    """Each can be done, and names what it is about."""
    changed_files: tuple[str, ...]
    artifacts: tuple[str, ...]
    blocked_reason: str


def read(source: str | None, where: str) -> Evidence:
    """Read a state file; an absent one is empty. A text where a list belongs is one entry."""
    found = jsonfile.read(source, where)

    def texts(name: str) -> tuple[str, ...]:
        return _texts(found.get(_key(found, name)), f"{where}: {name}")

    return Evidence(
        "\n".join(texts("goal")),
        "\n".join(texts("current_phase")),
        texts("last_verified"),
        texts("next_actions"),
        texts("changed_files"),
        texts("artifacts"),
        "\n".join(texts("blocked_reason")),
    )


def _key(found: jsonfile.Object, name: str) -> str:
    """The name under which a field stands in a file, else its own."""
    if name in found:
        return name
    other = (alias for alias, means in ALIASES.items() if means == name and alias in found)
    return next(other, name)


def _texts(value: object, where: str) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    entries = value if isinstance(value, list) else [value]
    if any(isinstance(entry, list) for entry in entries):
        raise UnreadableError(_("neither text nor a list of texts"), where=where)
    said = [entry if isinstance(entry, str) else jsonfile.one_line(entry) for entry in entries]
    return tuple(entry for entry in said if entry.strip())


def changed(source: str | None, where: str, values: Mapping[str, str | tuple[str, ...]]) -> str:
    """The file with these fields set, by name; everything else in it stays."""
    found = jsonfile.read(source, where)
    for name, value in values.items():
        empty = None if name == "blocked_reason" else ""
        plain = list(value) if isinstance(value, tuple) else value or empty
        found[_key(found, name)] = plain
    return jsonfile.write(found)


def empty(goal: str) -> str:
    """A new state: everything is there, nothing is verified yet."""
    values: jsonfile.Object = {"version": jsonfile.VERSION, "goal": goal}
    values |= {"current_phase": "started"}
    values |= {name: [] for name in LISTS}
    return jsonfile.write({**values, "blocked_reason": None})
