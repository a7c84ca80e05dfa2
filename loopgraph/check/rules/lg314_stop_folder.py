"""LG314: a Stop that covers a whole folder says what stays allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.fields import Field
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding


def check(run: Run) -> Iterator[Finding]:
    """Find packets that close a folder, a trailing slash or a glob over one."""
    found = run.directives()
    folders = _folders(run)
    for packet in found.corrections if found else ():
        names = ("Stop", "Action") if packet.verdict == "stop" else ("Stop",)
        for field in (packet.fields.get(name) for name in names):
            target = _target(field, folders) if field and not field.empty else ""
            if field and target and not _ALLOWS.search(field.text):
                says = f"{packet.id} closes {target} and does not say what stays allowed"
                yield RULE.at(live.DIRECTIVES, field.line, says)
                break


_ALLOWS: Final = re.compile(
    r"\b(?:allow\w*|except\w*|but|besides|may still|stays?|remains?|still|only)\b"
    r"|允许|除|仍|可以|只",
    re.IGNORECASE,
)
_EVERYTHING: Final = re.compile(r"\beverything (?:in|under|below) (\S+)", re.IGNORECASE)


def _folders(run: Run) -> frozenset[str]:
    """What discovery knows to be a folder."""
    if run.record is None:
        return frozenset()
    facts = run.record.spec.facts
    return frozenset(path.strip("/") for path in (*facts.sources, *facts.tests))


def _target(field: Field, folders: frozenset[str]) -> str:
    """The folder that a field names as a whole; empty where it names none."""
    if everything := _EVERYTHING.search(field.text):
        return everything[1].strip("`,;.")
    for word in field.text.split():
        path = word.strip("`'\"()[],;:，；。").removesuffix(".")
        if "://" not in path and _whole(path, folders, marked="`" in word):
            return path
    return ""


def _whole(path: str, folders: frozenset[str], *, marked: bool) -> bool:
    parts = path.split("/")
    if len(parts) > 1 and not parts[-1]:
        return True
    if "**" in parts or (len(parts) > 1 and parts[-1] in ("*", "*.*")):
        return True
    return path.strip("/") in folders and (marked or len(parts) > 1)


RULE = Rule(
    id="LG314",
    name="stop-folder",
    why="A closed folder takes every lawful item in it away, and the run stands still.",
    fix="Name the files, or list what stays allowed in the folder, with a reason and an end.",
    bad=live.directives("Corrections", live.PACKET.replace("Stop: none", "Stop: src/ until D-002")),
    good=live.directives(
        "Corrections", live.PACKET.replace("Stop: none", "Stop: src/limits.py until D-002")
    ),
    check=check,
    fixable="What should stay allowed is the supervisor's to say.",
)
