"""Directives: add a packet, rotate what is folded, fold the next one, note an audit."""

from __future__ import annotations

import re
from typing import NamedTuple

from loopgraph.edges import edit, packets
from loopgraph.edges.change import Change
from loopgraph.edges.directives import Correction, Directives
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node import finish, gates, lane, rotate, rounds
from loopgraph.node.call import DIRECTIVES, LEDGER, Call
from loopgraph.node.draft import Draft, Used
from loopgraph.plain import header, law, quoting

CORRECTIONS = "Corrections"
_BOUNDARY = re.compile(r"(?:M-?|GAP-)[0-9]{1,6}")
_TIPS = re.compile(r"[\w./@:, +-]{1,300}")
_TIPS_LONG = 300
OWNER = "owner: "
"""How text begins that the owner has said."""


class Packet(NamedTuple):
    """What a correction says."""

    verdict: str
    boundary: str | None
    context: str
    action: str
    verify: str
    stop: str


# Add -------------------------------------------------------------------------------------------


def add(
    run: Run,
    call: Call,
    packet: Packet,
    *,
    from_: str | None = None,
    folders: frozenset[str] = frozenset(),
) -> Change:
    """Rotate what is folded, then append a correction.

    `folders` are those of its words that are folders of the workspace.
    """
    if from_ is not None:
        parts.choice(from_, ("owner",), "--from")
        parts.owners(call, "directive add --from owner", _("in the owner's name"))
    parts.writes(run, call, "directives", "directive add")
    if packet.verdict in ("accept", "redo"):
        raise UsageError(
            _("{verdict} judges a promotion", verdict=packet.verdict),
            where=packet.verdict,
            fix=_("Say: loopgraph promote {verdict} M-n", verdict=packet.verdict),
        )
    parts.choice(packet.verdict, states.VERDICTS, _("the verdict"))
    draft, id_ = appended(drafts.begin(run), call, packet)
    _open(run, packet, folders)
    return draft.say(_("{id} waits to be folded.", id=id_)).change()


def appended(draft: Draft, call: Call, packet: Packet) -> tuple[Draft, str]:
    """Rotate, judge the packet by its laws, append it; its id."""
    draft = rotate.answers(rotate.folded(draft), DIRECTIVES, before=1 << 30)
    found = draft.directives
    _judge(draft.run, packet)
    cap = parts.knob(draft.run, "OPEN_DIRECTIVE_CAP")
    waiting = found.waiting(draft.ledger.folded)
    if len(waiting) >= cap:
        names = ", ".join(one.id for one in waiting)
        raise RefusedError(
            _("{count} corrections wait; OPEN_DIRECTIVE_CAP is {cap}", count=len(waiting), cap=cap),
            fix=_(
                "The executor folds {names}; until then merge yours into the next one.", names=names
            ),
        )
    used = [Used(one.number, one.line) for one in found.corrections]
    highest = ids(found)
    number = drafts.next_id("D", DIRECTIVES, highest.get("D", 0), used)
    id_ = drafts.name("D", number)
    lines = [f"{id_} · {call.day} · {packet.verdict}{_about(packet)}"]
    lines += [f"{name}: {quoting.inline(said)}" for name, said in _fields(call, packet).items()]
    lead = [""] if draft.directives.corrections else []
    draft = draft.add(DIRECTIVES, CORRECTIONS, [*lead, *lines])
    return with_ids(draft, {**highest, "D": number}), id_


def _about(packet: Packet) -> str:
    return f" · {packet.boundary}" if packet.boundary else ""


def _fields(call: Call, packet: Packet) -> dict[str, str]:
    by = OWNER if call.by_owner else ""
    return {
        "Context": parts.said(packet.context, "--context"),
        "Action": by + parts.said(packet.action, "--action"),
        "Verify": parts.said(packet.verify, "--verify"),
        "Stop": parts.said(packet.stop, "--stop"),
    }


def _judge(run: Run, packet: Packet) -> None:
    """The laws of a packet, as `check` knows them."""
    known = [one.id for one in run.record.spec.milestones] if run.record else []
    about = packet.boundary
    if about is not None and not _BOUNDARY.fullmatch(about):
        raise UsageError(
            _("no milestone and no debt row"), where=about, fix=_("Say M-1 or GAP-001.")
        )
    if about and about.startswith("M") and known and not header.same_id(about, known):
        raise UsageError(
            _("no such milestone"),
            where=about,
            fix=_("The run has {known}.", known=", ".join(known)),
        )
    if header.is_none(packet.action) or packets.only_forbids(packet.action):
        raise RefusedError(
            _("a correction that only forbids leaves the executor without a lawful next item"),
            where="--action",
            fix=_("Say what to do instead."),
        )
    ops = run.ops()
    rows = {row.id for row in ops.context or ()} if ops else set()
    for kind, _number, written in header.ids(packet.context):
        if kind == "C" and ops and ops.context is not None and written not in rows:
            raise UsageError(_("no such row in the context index"), where=f"--context {written}")


def _open(run: Run, packet: Packet, folders: frozenset[str]) -> None:
    """Refuse a packet that closes a folder as a whole."""
    known = packets.folders(run) | folders
    for option, said in (("--stop", packet.stop), ("--action", packet.action)):
        if option == "--action" and packet.verdict != "stop":
            continue
        folder = "" if header.is_none(said) else packets.closed_folder(said, known)
        if folder:
            raise RefusedError(
                _("it closes {folder} as a whole", folder=folder),
                where=option,
                fix=_("Name files, or list what stays allowed, with a reason and an end."),
            )


def ids(found: Directives) -> dict[str, int]:
    """Highest ids of the queue; refused where its line is absent."""
    if found.state is None or found.state.highest is None:
        line = found.state.line if found.state else 0
        raise UnreadableError(
            _("the Supervisor state does not say Highest ids"),
            where=f"{DIRECTIVES}:{line}" if line else DIRECTIVES,
            fix=_("Write `Highest ids: D-nnn | S-nnn | OB-nnn`, or none."),
        )
    return dict(found.state.highest)


_HIGHEST = re.compile(r"(highest ids\W*?[:：][ *_]*)([^·]*)", re.IGNORECASE)


def with_ids(draft: Draft, numbers: dict[str, int]) -> Draft:
    """Write Highest ids into the Supervisor state."""
    state = draft.directives.state
    line = state.highest_line if state else 0
    document = draft.document(DIRECTIVES)
    old = document.lines[line - 1].rstrip("\r\n")
    said = drafts.highest_ids(DIRECTIVES, numbers)
    new = _HIGHEST.sub(
        lambda at: f"{at[1]}{said}{' ' if ' ·' in old[at.end(2) - 1 :] else ''}", old, 1
    )
    return draft.put(DIRECTIVES, edit.replace_line(document, line, new))


def turned(run: Run, call: Call) -> Change:
    """Rotate the packets that are folded, and the answers that were read."""
    parts.writes(run, call, "directives", "directive rotate")
    draft = rotate.answers(rotate.folded(drafts.begin(run)), DIRECTIVES, before=1 << 30)
    gone = ", ".join(move.id for move in draft.moves)
    return draft.say(
        _("Moved to the archive: {gone}.", gone=gone) if gone else _("Nothing to rotate.")
    ).change()


# Fold ------------------------------------------------------------------------------------------


def fold(run: Run, call: Call, id_: str, *, effect: str) -> Change:
    """Advance the watermark by one directive, and do what its verdict says to gate and run."""
    parts.writes(run, call, "ledger", "directive fold")
    found, queue = parts.ledger(run), parts.directives(run)
    watermark = parts.known(found.folded, found, "Last directive folded")
    drafts.once("D", DIRECTIVES, (Used(one.number, one.line) for one in queue.corrections))
    packet = _next(
        queue,
        watermark,
        id_,
        highest=ids(queue).get("D", 0),
        where=lane.place(found, "Last directive folded"),
    )
    told = parts.said(effect, "--effect")
    draft = drafts.begin(run)
    at = f"after R{found.round} " if found.round is not None else ""
    draft = draft.status("Last directive folded", f"{packet.id} {at}({quoting.inline(told)})")
    draft = draft.say(_("{id} folded: {said}.", id=packet.id, said=packet.said or _("no verdict")))
    if found.status != "closed":
        draft = _FOLDS[packet.verdict](draft, call, packet) if packet.verdict in _FOLDS else draft
    return draft.change()


def _next(queue: Directives, watermark: int, id_: str, *, highest: int, where: str) -> Correction:
    if watermark > max([highest, *(one.number for one in queue.corrections)], default=0):
        raise RefusedError(
            _(
                "D-{watermark} is folded, but the queue goes to D-{highest}",
                watermark=f"{watermark:03}",
                highest=f"{highest:03}",
            ),
            where=where,
            fix=_("Set the watermark back to what was folded."),
        )
    wanted = [one for one in queue.corrections if header.same_id(id_, [one.id])]
    waiting = sorted(queue.waiting(watermark), key=lambda one: one.number)
    if len(wanted) > 1:
        raise RefusedError(_("{id} is used twice", id=id_), where=f"{DIRECTIVES}:{wanted[1].line}")
    number = header.number(id_.rpartition("-")[2])
    if number is not None and number <= watermark:
        raise RefusedError(_("{id} is folded already", id=id_), where=where)
    if not wanted:
        known = [one.id for one in waiting]
        raise UsageError(
            _("no such directive waits"),
            where=id_,
            fix=nearest(id_, known) if known else _("None waits."),
        )
    if wanted[0] is not waiting[0]:
        raise RefusedError(
            _("{id} comes first", id=waiting[0].id),
            where=f"{DIRECTIVES}:{waiting[0].line}",
            fix=_("Fold in order."),
        )
    return wanted[0]


def _accepted(draft: Draft, call: Call, packet: Correction) -> Draft:
    """The gate is passed; the last milestone's accept closes a run that is exit-ready."""
    found = draft.ledger
    gate = parts.known(found.gate, found, "Milestone gate")
    asked = found.promotion.boundary if found.promotion else None
    boundary = header.milestone(asked.text) if asked and not asked.empty else found.milestone
    here = lane.is_same(packet.boundary, found.milestone)
    if gate != "n/a" and not (here and lane.is_same(packet.boundary, boundary)):
        raise RefusedError(
            _(
                "{id} accepts {boundary}; {milestone} is asked for",
                id=packet.id,
                boundary=packet.boundary or _("nothing"),
                milestone=found.milestone,
            ),
            where=f"{DIRECTIVES}:{packet.line}",
            fix=_("The supervisor accepts the boundary that waits."),
        )
    if gate != "n/a":
        draft = gated(draft, "passed", f"{found.milestone} by {packet.id}")
    if not (here and lane.last(draft.run, found)):
        return draft
    told = found.promotion.evidence if found.promotion else None
    proof = f"; {told.text}" if told and not told.empty else ""
    line = f"{found.milestone} accepted {call.day} by {packet.id}, R{found.round}{proof}"
    draft = draft.add(LEDGER, rounds.SNAPSHOT, [f"- {quoting.inline(line)}"])
    return finish.met(asked_for(draft), packet.id)


def _reopened(draft: Draft, call: Call, packet: Correction) -> Draft:
    """Gate, rows and run are open again, and what is missing is the next item."""
    found = draft.ledger
    about = packet.boundary or ""
    if found.milestone and not lane.is_same(about, found.milestone):
        return _owed(draft, call, packet)  # a lane verdict never moves the gate
    if found.gate in ("pending-audit", "passed"):
        draft = gated(draft, "open", f"redo by {packet.id}")
    if found.status == "exit-ready":
        draft = draft.status("Run status", f"`active` (redo by {packet.id})")
    draft = asked_for(draft)
    action, verify = (_field(packet, name) for name in ("Action", "Verify"))
    said = shortened(f"{packet.id}: {action}") if action else packet.id
    exits = lane.exit_rows(found, about)
    proofs = [row for row in lane.proof_rows(found) if row.status == "closed"]
    for line in {row.line for row in (*exits, *proofs)}:
        draft = draft.cells(LEDGER, line, {1: "open", 2: said})
    return _sliced(draft, packet, said, verify)


def _sliced(draft: Draft, packet: Correction, item: str, verify: str) -> Draft:
    """The Current slice is what a packet asks for, in its milestone's planned write set."""
    found = draft.ledger
    milestones = draft.run.record.spec.milestones if draft.run.record else ()
    planned = next((m.write_set for m in milestones if lane.is_same(m.id, found.milestone)), "")
    cited = [w for kind, _n, w in header.ids(_field(packet, "Context")) if kind == "C"]
    values = {
        "Item": item,
        "Write set": planned,
        "Context": ", ".join(cited) or "none",
        "Verify": verify or law.LATER,
        "Done when": "the verify passes, and so do the exit checks",
    }
    draft = draft.status("Next unclosed work item", quoting.inline(item))
    for name, said in values.items():
        if said:
            draft = draft.entry(LEDGER, rounds.SLICE, header.SLICE, name, quoting.inline(said))
    return draft


def _owed(draft: Draft, _call: Call, packet: Correction) -> Draft:
    """What a correction asks for is a row of the scoreboard until a round names it."""
    action, verify = (_field(packet, name) for name in ("Action", "Verify"))
    if not action or any(id_ == packet.id for id_, _row in lane.owed(draft.ledger)):
        return draft
    evidence = f"folded after R{draft.ledger.round}"
    evidence += f"; verify: {shortened(verify)}" if not header.is_none(verify) else ""
    cells = (shortened(f"{packet.id}: {action}"), "open", evidence)
    draft = draft.row(LEDGER, gates.TITLE, gates.COLUMNS, cells)
    return draft.say(
        _("{id} is a row of the Gate scoreboard until a round names it.", id=packet.id)
    )


def _field(packet: Correction, name: str) -> str:
    field = packet.fields.get(name)
    return field.text if field else ""


_LONG = 300
"""Characters of a packet's field that the ledger repeats."""


def shortened(said: str) -> str:
    """As much of a text as an item or a row of the ledger takes; its packet has the whole."""
    return said if len(said) <= _LONG else f"{said[: _LONG - 1]}…"


_FOLDS = {"accept": _accepted, "redo": _reopened, "plan": _owed}
"""What folding a packet does beside moving the watermark, by its verdict."""


def gated(draft: Draft, to: states.GateState, note: str) -> Draft:
    """Move the milestone gate, as far as the table allows it."""
    found = draft.ledger
    now: states.GateState = parts.known(found.gate, found, "Milestone gate")
    if to not in states.MILESTONE_GATE[now]:
        after = ", ".join(sorted(states.MILESTONE_GATE[now])) or _("nothing")
        raise RefusedError(
            _("the gate is {now} and cannot become {to}", now=now, to=to),
            where=lane.place(found, "Milestone gate"),
            fix=_("After {now} comes: {after}.", now=now, after=after),
        )
    return draft.status("Milestone gate", f"`{to}` ({note})")


_PENDING = ("Boundary", "Audit surface", "Evidence", "Context")


def asked_for(draft: Draft, *values: str) -> Draft:
    """Write Pending promotion; without values nothing is asked for."""
    for name, said in zip(_PENDING, values or ("none",) * 4, strict=True):
        draft = draft.entry(LEDGER, "Pending promotion", _PENDING, name, quoting.inline(said))
    return draft


# Audited ---------------------------------------------------------------------------------------


def number(said: str) -> int:
    """A round as it is said: `R9`, `9`."""
    found = header.number(said)
    if found is None:
        raise UsageError(_("no round"), where=f"--through {said}", fix=_("Say R9."))
    return found


def audited(
    run: Run, call: Call, *, through: int, tips: str | None = None, now: str | None = None
) -> Change:
    """Note how far the supervisor has audited; what is folded and read is rotated along with it.

    `now`: the tips as git says them, for where nobody names others.
    """
    parts.writes(run, call, "directives", "audited")
    found, queue = parts.ledger(run), parts.directives(run)
    last = parts.known(found.round, found, "Round")
    ids(queue)
    state = queue.state
    before = state.audited if state else None
    where = f"{DIRECTIVES}:{state.line if state else 0}"
    if through > last:
        raise RefusedError(_("the log goes to R{last}", last=last), where=f"--through R{through}")
    if before is not None and through < before:
        raise RefusedError(
            _("R{before} is audited already", before=before),
            where=where,
            fix=_("It only goes forward."),
        )
    names = ("Last tick", "Audited through", "Repo tips", "Highest ids")
    values = {"Last tick": call.now, "Audited through": f"R{through}"}
    if tips is not None:
        if not _TIPS.fullmatch(tips) or "ids" in tips.casefold():
            raise UsageError(
                _("no tips of repositories"), where=f"--tips {tips}", fix=_("BRANCH COMMIT, …")
            )
        values["Repo tips"] = tips
    elif now:
        kept = "".join(char for char in now if _TIPS.fullmatch(char))[:_TIPS_LONG]
        words = ("branch" if "ids" in word.casefold() else word for word in kept.split(" "))
        values["Repo tips"] = " ".join(words)
    draft = rotate.answers(rotate.folded(drafts.begin(run)), DIRECTIVES, before=1 << 30)
    for name, said in values.items():
        document = draft.document(DIRECTIVES)
        part = edit.section(document, DIRECTIVES, "Supervisor state")
        draft = draft.put(DIRECTIVES, edit.set_field(document, part, names, name, said))
    return draft.say(_("Audited through R{through}.", through=through)).change()
