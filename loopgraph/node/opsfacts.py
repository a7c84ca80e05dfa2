"""Facts of ops.md, each replaced in place when it changes."""

from __future__ import annotations

from typing import Final

from loopgraph.edges import edit
from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node.call import OPS, Call
from loopgraph.plain import quoting

SECTIONS: Final = ("Build and test", "Standards", "Refill quota", "Detectors")
"""Where facts may be set."""
_BASELINE: Final = 3


def change(run: Run, call: Call, fact: str, said: str, *, section: str = SECTIONS[0]) -> Change:
    """Set `- fact: text` in a section; under Detectors it is the baseline of one."""
    parts.writes(run, call, "ops", "ops set")
    if section in contract.OPS_FROZEN:
        raise RefusedError(
            _("{section} was frozen when the run was compiled", section=section),
            where=f"--section {section}",
            fix=_("Only a new run has other ones: loopgraph new --from RUN"),
        )
    parts.choice(section, SECTIONS, "--section")
    name, text = parts.said(fact, _("the fact")), parts.said(said, _("the text"))
    draft = drafts.begin(run)
    if section == "Detectors":
        row = next((row for row in parts.ops(run).detectors or () if row.name == name), None)
        if row is None:
            known = [row.name for row in parts.ops(run).detectors or () if row.name]
            fix = nearest(name, known) if known else _("ops.md has no detectors.")
            raise UsageError(_("no such detector"), where=name, fix=fix)
        return draft.cells(OPS, row.line, {_BASELINE: text}).say(f"{name}: {text}").change()
    if ":" in name or "：" in name:
        raise UsageError(_("a fact's name has no colon"), where=name)
    label = quoting.inline(name)
    document = draft.document(OPS)
    part = edit.section(document, OPS, section)
    new = edit.set_entry(document, part, (label,), label, quoting.inline(text))
    return draft.put(OPS, new).say(f"{name}: {text}").change()
