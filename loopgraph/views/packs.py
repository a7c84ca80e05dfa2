"""Packs on the screen: which there are, what one says, and whether a file is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, Final, NamedTuple

from loopgraph.author.packs import EXECUTOR_BYTES, SUPERVISOR_BYTES, Pack
from loopgraph.model import columns
from loopgraph.model.messages import N_, _
from loopgraph.model.spec import Emphasis, Milestone, Origin
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
    head = _("{name} ({where})\n", name=inline(entry.name), where=_place(entry.where))
    if entry.pack is None:
        return head + _wrap(_("not usable: {problem}", problem=inline(entry.problem)))
    yours = _("Your goal. Item: {item}", item=entry.pack.text.item)
    return head + _wrap(entry.pack.outcome or yours)


_BUILT_IN: Final = N_("built-in")


def _place(where: str) -> str:
    return _(where) if where == _BUILT_IN else inline(where)


def _wrap(text: str, first: str = "    ", rest: str = "    ") -> str:
    return columns.hang(" ".join(text.split()), _WIDTH, first, rest, cut=False) + "\n"


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
    kinds = (
        (_("discovery-driven"), text.discovery_driven),
        (_("metric-driven"), text.metric_driven),
    )
    parts = [
        _(
            "{name} ({where}), version {version}, slug {slug}\n",
            name=text.name,
            where=_place(where),
            version=text.version,
            slug=text.slug,
        ),
        _part(
            "North Star",
            (pack.outcome or _("(your goal)"), f"Proof: {pack.proof or _('(yours)')}"),
        ),
        _part(_("Supervisor ({needed}) checks", needed=_required(pack)), text.audits),
        *(_question(pack, at) for at in range(len(pack.questions))),
        _part(_(", ").join([_("Item"), *(kind for kind, holds in kinds if holds)]), (text.item,)),
        _part(_("Plan"), text.plan),
        _part(_("Milestones"), map(_milestone, pack.milestones)),
        _part(_("Guards"), text.guards),
        _part(_("Knobs"), (f"{name}={found.value}" for name, found in pack.knobs.items())),
        *(
            _part(_("In {file}", file=one.name), getattr(text.emphasis, one.name))
            for one in fields(Emphasis)
        ),
    ]
    return "".join(parts)


def _milestone(row: Milestone) -> str:
    return _(
        "{id} {outcome} Exit: {checks}", id=row.id, outcome=row.outcome, checks=row.exit_checks
    )


def _required(pack: Pack) -> str:
    return _("required") if pack.text.supervisor_required else _("recommended")


def _question(pack: Pack, at: int) -> str:
    question = pack.questions[at]
    options = (f"{option.value}: {option.text}" for option in question.options)
    label = []
    if question.label != question.key:
        label = [_("In the summary: {label}", label=question.label)]
    title = _("Asks ({key}): {question}", key=question.key, question=question.text)
    return _part(title, (*options, *label))


def _part(title: str, lines: Iterable[str]) -> str:
    rows = "".join(_wrap(line, "  - ") for line in lines)
    return f"\n{title}\n{rows}" if rows else ""


def verdict(pack: Pack, where: str, untranslated: tuple[str, ...]) -> str:
    """What `presets check` says about a pack that is whole."""
    executor, supervisor = pack.weigh()
    said = _(
        "{where}: a whole pack, version {version}\n"
        "  adds {executor} of at most {executor_cap} bytes to executor.md, "
        "{supervisor} of {supervisor_cap} to supervisor.md\n",
        where=inline(where),
        version=pack.text.version,
        executor=f"{executor:,}",
        executor_cap=f"{EXECUTOR_BYTES:,}",
        supervisor=f"{supervisor:,}",
        supervisor_cap=f"{SUPERVISOR_BYTES:,}",
    )
    if not untranslated:
        return said
    named, more = ", ".join(untranslated[:_SHOWN]), len(untranslated) - _SHOWN
    rest = _(" and {count} more", count=more) if more > 0 else ""
    warning = _("warning: no zh in {names}{rest}; English stands in for it", names=named, rest=rest)
    return said + _wrap(warning, "  ", "  ")
