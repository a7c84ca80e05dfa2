"""STANDING: what is always in force; only the owner grants, words anew, and lifts."""

from __future__ import annotations

from loopgraph.edges.change import Change
from loopgraph.edges.directives import Standing
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import directives
from loopgraph.node import draft as drafts
from loopgraph.node.call import DIRECTIVES, Call
from loopgraph.node.draft import Used
from loopgraph.plain import header, quoting

TITLE = "STANDING"


def add(run: Run, call: Call, kind: str, text: str) -> Change:
    """Grant something, or draw a border, until it is lifted."""
    parts.owners(call, "standing add", "STANDING")
    queue = parts.directives(run)
    parts.choice(kind, states.STANDING_KINDS, _("the kind"))
    cap = parts.knob(run, "STANDING_CAP")
    if len(queue.standing) >= cap:
        ids = ", ".join(one.id for one in queue.standing)
        raise RefusedError(
            _("{value} entries stand; STANDING_CAP is {cap}", value=len(queue.standing), cap=cap),
            fix=_("Retire or replace one: {ids}", ids=ids),
        )
    highest = directives.ids(queue)
    used = [Used(one.number, one.line) for one in queue.standing]
    number = drafts.next_id("S", DIRECTIVES, highest.get("S", 0), used)
    id_ = drafts.name("S", number)
    draft = drafts.begin(run).add(DIRECTIVES, TITLE, [_line(id_, kind, text)])
    draft = directives.with_ids(draft, {**highest, "S": number})
    return draft.say(_("{id} is in force.", id=id_)).change()


def _line(id_: str, kind: str, text: str) -> str:
    said = quoting.inline(directives.OWNER + parts.said(text, _("the text")))
    return f"- {id_} · {kind} · {said}"


def replace(run: Run, call: Call, id_: str, text: str) -> Change:
    """Word an entry anew; the old words go to the archive."""
    parts.owners(call, "standing replace", "STANDING")
    entry = _entry(run, id_)
    kind = entry.kind or parts.choice(entry.said, states.STANDING_KINDS, _("the kind"))
    lines = (entry.line, entry.line)
    new = [_line(entry.id, kind, text)]
    draft = drafts.begin(run).away(entry.id, DIRECTIVES, "standing", lines, instead=new)
    return draft.say(_("{id} is replaced.", id=entry.id)).change()


def retire(run: Run, call: Call, id_: str) -> Change:
    """Lift an entry; it goes to the archive."""
    parts.owners(call, "standing retire", "STANDING")
    entry = _entry(run, id_)
    lines = (entry.line, entry.line)
    draft = drafts.begin(run).away(entry.id, DIRECTIVES, "standing", lines)
    return draft.say(_("{id} is no longer in force.", id=entry.id)).change()


def _entry(run: Run, id_: str) -> Standing:
    found = parts.directives(run).standing
    meant = [one for one in found if header.same_id(id_, [one.id])]
    if len(meant) > 1:
        raise drafts.twice(meant[1].id, DIRECTIVES, meant[1].line)
    if meant:
        return meant[0]
    known = [one.id for one in found]
    fix = nearest(id_, known) if known else _("Nothing stands.")
    raise UsageError(_("no such standing entry"), where=id_, fix=fix)
