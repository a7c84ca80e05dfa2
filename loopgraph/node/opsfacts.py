"""Facts of ops.md, each replaced in place when it changes."""

from __future__ import annotations

from typing import Final, NamedTuple

from loopgraph.edges import edit
from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node.call import OPS, Call
from loopgraph.node.draft import Draft
from loopgraph.plain import quoting

SECTIONS: Final = ("Build and test", "Standards", "Refill quota", "Detectors")
"""Where facts may be set."""
_BASELINE: Final = 3


_COLUMNS: Final = ("Detector", "Command", "Blind spot", "Baseline")


class Detector(NamedTuple):
    """What a detector that ops.md does not have yet is."""

    command: str = ""
    blind_spot: str = ""


def change(  # noqa: PLR0913  what a fact is made of
    run: Run,
    call: Call,
    fact: str,
    said: str,
    *,
    section: str = SECTIONS[0],
    detector: Detector | None = None,
) -> Change:
    """Set `- fact: text` in a section; under Detectors it is the baseline of one, or a new one."""
    parts.writes(run, call, "ops", "ops set")
    for given, where in ((section, f"--section {section}"), (fact, fact)):
        _not_frozen(given, where)
    parts.choice(section, SECTIONS, "--section")
    name, text = parts.said(fact, _("the fact")), parts.said(said, _("the text"))
    draft = drafts.begin(run)
    if section == "Detectors":
        return _detector(run, draft, name, text, detector or Detector())
    if detector and any(detector):
        raise UsageError(
            _("only a detector has them"),
            where="--command, --blind-spot",
            fix=_("Say --section Detectors, too."),
        )
    if ":" in name or "：" in name:
        raise UsageError(_("a fact's name has no colon"), where=name)
    label = quoting.inline(name)
    document = draft.document(OPS)
    part = edit.section(document, OPS, section)
    new = edit.set_entry(document, part, (label,), label, quoting.inline(text))
    return draft.put(OPS, new).say(f"{name}: {text}").change()


def _not_frozen(given: str, where: str) -> None:
    """Refuse a frozen section, and a fact of its name, which would speak against it."""
    said = " ".join(given.split()).strip("*_`# ").casefold()
    for title in contract.OPS_FROZEN:
        if said == title.casefold():
            raise RefusedError(
                _("{section} was frozen when the run was compiled", section=title),
                where=where,
                fix=_("Only a new run has other ones: loopgraph new --from RUN"),
            )


def _detector(run: Run, draft: Draft, name: str, text: str, new: Detector) -> Change:
    """Set the baseline of a detector; with its command and its blind spot it may be a new one."""
    rows = parts.ops(run).detectors or ()
    row = next((row for row in rows if row.name == name), None)
    if row is None and not any(new):
        known = [row.name for row in rows if row.name]
        nearby = nearest(name, known) if known else ""
        raise UsageError(
            _("no such detector"),
            where=name,
            fix=nearby or _("A new one comes with --command and --blind-spot."),
        )
    draft = draft.say(f"{name}: {text}")
    if row is None:
        command = quoting.code(parts.said(new.command, "--command"))
        blind = parts.said(new.blind_spot, "--blind-spot")
        return draft.row(OPS, SECTIONS[-1], _COLUMNS, (name, command, blind, text)).change()
    told = {_BASELINE: text}
    if new.command:
        told[1] = quoting.code(parts.said(new.command, "--command"))
    if new.blind_spot:
        told[2] = parts.said(new.blind_spot, "--blind-spot")
    return draft.cells(OPS, row.line, told).change()
