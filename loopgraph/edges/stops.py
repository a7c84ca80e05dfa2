"""The owner's stop as a file: who stopped, when, and why. That it is there is what counts."""

from __future__ import annotations

from typing import NamedTuple

from loopgraph.plain import quoting


class Stop(NamedTuple):
    """What a STOP file says; empty where it does not say (a person may touch one)."""

    who: str
    when: str
    why: str


def read(source: str) -> Stop:
    """Read any text; nothing is refused."""
    said: dict[str, str] = {}
    for line in source.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            said.setdefault(name.strip().casefold(), quoting.unquote(value.strip()))
    return Stop(*(said.get(name, "") for name in Stop._fields))


def write(stop: Stop, lift: str) -> str:
    """The file, with the command that lifts it."""
    lines = [f"{name}: {quoting.visible(value)}" for name, value in stop._asdict().items() if value]
    return "\n".join([*lines, f"lifted by: {lift}"]) + "\n"
