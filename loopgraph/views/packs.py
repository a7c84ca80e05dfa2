"""Packs on the screen: which there are, what one says, and whether a file is one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, Final, NamedTuple

from loopgraph.author.packs import EXECUTOR_BYTES, SUPERVISOR_BYTES, Pack
from loopgraph.model.spec import Emphasis, Origin
from loopgraph.plain.quoting import inline

_WIDTH: Final = 79
_SHOWN: Final = 4
"""How many places a warning names before it only counts."""


class Entry(NamedTuple):
    """A pack that was found, or why it cannot be used."""

    name: str
    origin: Origin
    where: str
    pack: Pack | None
    problem: str = ""


def listing(entries: Iterable[Entry]) -> str:
    """Every pack with where it is from and what its goal is."""
    return "".join(_entry(entry) for entry in entries)


def _entry(entry: Entry) -> str:
    head = f"{inline(entry.name)} ({inline(entry.where)})\n"
    if entry.pack is None:
        return head + _wrap(f"not usable: {inline(entry.problem)}")
    return head + _wrap(entry.pack.outcome or f"Your goal. Item: {entry.pack.text.item}")


def _wrap(text: str, first: str = "    ", rest: str = "    ") -> str:
    filled = textwrap.fill(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled + "\n"


def listing_data(entries: Iterable[Entry]) -> dict[str, Any]:
    """The same as plain data, schema `loopgraph/presets/1`."""
    return {
        "schema": "loopgraph/presets/1",
        "presets": [
            {
                "name": entry.name,
                "origin": entry.origin,
                "where": entry.where,
                "problem": entry.problem,
                "version": entry.pack.text.version if entry.pack else "",
                "outcome": entry.pack.outcome if entry.pack else "",
                "item": entry.pack.text.item if entry.pack else "",
            }
            for entry in entries
        ],
    }


def whole(pack: Pack, where: str) -> str:
    """All that a pack says, part by part."""
    text = pack.text
    kinds = (("discovery-driven", text.discovery_driven), ("metric-driven", text.metric_driven))
    parts = [
        f"{text.name} ({inline(where)}), version {text.version}, slug {text.slug}\n",
        _part("North Star", (pack.outcome or "(your goal)", f"Proof: {pack.proof or '(yours)'}")),
        _part(f"Supervisor ({_required(pack)}) checks", text.audits),
        *(_question(pack, at) for at in range(len(pack.questions))),
        _part(", ".join(["Item", *(kind for kind, holds in kinds if holds)]), (text.item,)),
        _part("Plan", text.plan),
        _part(
            "Milestones",
            (f"{row.id} {row.outcome} Exit: {row.exit_checks}" for row in pack.milestones),
        ),
        _part("Guards", text.guards),
        _part("Knobs", (f"{name}={found.value}" for name, found in pack.knobs.items())),
        *(_part(f"In {one.name}", getattr(text.emphasis, one.name)) for one in fields(Emphasis)),
    ]
    return "".join(parts)


def _required(pack: Pack) -> str:
    return "required" if pack.text.supervisor_required else "recommended"


def _question(pack: Pack, at: int) -> str:
    question = pack.questions[at]
    options = (f"{option.value}: {option.text}" for option in question.options)
    label = [f"In the summary: {question.label}"] if question.label != question.key else []
    return _part(f"Asks ({question.key}): {question.text}", (*options, *label))


def _part(title: str, lines: Iterable[str]) -> str:
    rows = "".join(_wrap(line, "  - ") for line in lines)
    return f"\n{title}\n{rows}" if rows else ""


def verdict(pack: Pack, where: str, untranslated: tuple[str, ...]) -> str:
    """What `presets check` says about a pack that is whole."""
    executor, supervisor = pack.weigh()
    said = (
        f"{inline(where)}: a whole pack, version {pack.text.version}\n"
        f"  adds {executor:,} of at most {EXECUTOR_BYTES:,} bytes to executor.md, "
        f"{supervisor:,} of {SUPERVISOR_BYTES:,} to supervisor.md\n"
    )
    if not untranslated:
        return said
    named = ", ".join(untranslated[:_SHOWN])
    more = len(untranslated) - _SHOWN
    rest = f" and {more} more" if more > 0 else ""
    return said + _wrap(f"warning: no zh in {named}{rest}; English stands in for it", "  ", "  ")
