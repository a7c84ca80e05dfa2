"""Rounds: begin one, and record one that was implemented and verified."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.edges import answers, edit, ledger
from loopgraph.edges.change import Change
from loopgraph.edges.ledger import Convergence, Gap, Ledger, Net, Round
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.errors import BusyError, RefusedError, UsageError
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node import lane, rotate
from loopgraph.node import measure as measures
from loopgraph.node.call import DIRECTIVES, LEDGER, Call
from loopgraph.node.draft import Draft
from loopgraph.node.measure import Measure
from loopgraph.plain import header, jsontext, law, quoting

LOG: Final = "Rounds log"
SLICE: Final = "Current slice"
SNAPSHOT: Final = "Starting snapshot"
FAILED: Final = ledger.FAILED
_SHORT: Final = 200
"""Characters of a result that a row of the scoreboard repeats."""
_FIX: Final = N_("Only remove and simplify, net at or below zero, and record it with --converge.")


class Said(NamedTuple):
    """What the executor says about a round."""

    item: str | None
    changed: tuple[str, ...]
    result: str
    evidence: tuple[str, ...]
    net: str | None
    next: str | None
    converge: bool = False
    failed: bool = False
    repair: bool = False
    """It did nothing but repair a red gate or carry out a folded directive."""
    force: bool = False
    why: str = ""


# Start -----------------------------------------------------------------------------------------


def start(  # noqa: PLR0913  what a round begins with
    run: Run,
    call: Call,
    *,
    item: str | None = None,
    converge: bool = False,
    repair: bool = False,
    baseline: str | None = None,
    measured: Measure | None = None,
) -> Change:
    """Begin the next round: its item stands in the log as a short block until it is recorded."""
    parts.writes(run, call, "ledger", "round start")
    found = parts.ledger(run)
    _active(found)
    number = _number(found)
    _fits(measured, number)
    recorded(found)
    if not (converge or _may_wait(found, repair=repair)):
        _law(run, found, converge=False, net=Net(0, 0))
    what = parts.said(item if item is not None else lane.open_item(found), "--item")
    draft = rotate.taken(drafts.begin(run), LEDGER)
    draft = rotate.rounds(draft, keep=parts.knob(run, "KEEP_ROUNDS") - 1)
    tag = " CONVERGE" if converge else ""
    block = [f"### Round {number} — {call.day}{tag}", "", f"- **Item**: {_block_item(what)}"]
    lines = ["", *block] if draft.ledger.rounds else block
    draft = draft.add(LEDGER, LOG, lines)
    if baseline is not None:
        said = quoting.inline(parts.said(baseline, "--baseline"))
        draft = draft.entry(LEDGER, SNAPSHOT, ("Baseline",), "Baseline", said)
    begins = _("R{number} begins: {what}", number=number, what=what)
    change = draft.say(begins, *_notices(draft)).change()
    return change._replace(evidence=_noted(measured, {}))


def _block_item(what: str) -> str:
    """An item in a block: a pipe would make its line look like that of a recorded round."""
    said = quoting.inline(what).replace("|", quoting.shown("|"))
    marked = said.startswith(("CONVERGE", "*", "_", "`"))  # no tag, and no emphasis of ours
    return quoting.shown(said[0]) + said[1:] if marked else said


def under_way(found: Ledger) -> bool:
    """Whether the newest round of the log has begun and is not recorded yet."""
    newest = found.rounds[-1] if found.rounds else None
    return bool(newest and newest.block and found.round is not None and newest.number > found.round)


def recorded(found: Ledger) -> None:
    """Refuse what comes behind a round while one has begun and is not recorded."""
    if under_way(found):
        raise RefusedError(
            _("R{number} is under way already", number=found.rounds[-1].number),
            where=f"{LEDGER}:{found.rounds[-1].line}",
            fix=_("Record it: loopgraph round record"),
        )


# Record ----------------------------------------------------------------------------------------


def record(run: Run, call: Call, said: Said, measured: Measure | None = None) -> Change:
    """Record one closed round: log, header, tracker, slice; what is too old is rotated.

    What was measured counts; what the node said stands beside it where it differs.
    """
    parts.writes(run, call, "ledger", "round record")
    found = parts.ledger(run)
    _active(found)
    number = _number(found)
    _fits(measured, number)
    begun = found.rounds[-1] if under_way(found) else None
    item = said.item if said.item is not None else (begun.item if begun else None)
    item = parts.said(item or lane.open_item(found), "--item")
    did = _did(said, measured)
    net = did.net
    forced = _judge(run, found, said, did)
    tracker = parts.known(found.convergence, found, "Convergence tracker")
    closes = said.converge and not said.failed
    line = _line(number, call, item, said, did)
    draft = drafts.begin(run)
    draft = _logged(draft, begun, line)
    draft = draft.status("Round", str(number))
    draft = draft.status("Last round net lines", f"+{net.added}/-{net.removed}")
    draft = draft.status("Convergence tracker", _tracker(run, tracker, net, reset=closes))
    draft = _advanced(draft, item, said)
    draft = draft if said.failed else _carried_out(draft, item, said, number)
    draft = rotate.rounds(draft, keep=parts.knob(run, "KEEP_ROUNDS"))
    draft = rotate.answers(draft, LEDGER, before=number - 1)
    while draft.over(LEDGER) and len(draft.ledger.rounds) > 1:
        draft = rotate.rounds(draft, keep=len(draft.ledger.rounds) - 1)
    stall = _stalled(found, said, measured) if did.measured else _stall(found, said, net)
    findings = (forced, *did.findings, _astray(found, item, said, did), stall)
    told = [finding for finding in findings if finding]
    for finding in told:
        draft = draft.find(finding._replace(line=draft.ledger.rounds[-1].line))
    now = draft.ledger.convergence
    due = _("; the next round converges") if now and now.due else ""
    recorded = _("R{number} recorded{due}.", number=number, due=due)
    kept = {
        "claimed": {"changed": list(said.changed), "net": said.net},
        "found": [{"rule": one.rule, "message": one.message} for one in told],
    }
    change = draft.say(*_notices(draft)).change()
    return change._replace(says=(recorded, *change.says), evidence=_noted(measured, kept))


def _fits(measured: Measure | None, number: int) -> None:
    if measured is not None and measured.number != number:
        raise BusyError(
            _("R{number} was recorded by somebody else meanwhile", number=measured.number),
            fix=_("Look at the ledger, and run the command again."),
        )


def _noted(measured: Measure | None, more: Mapping[str, object]) -> dict[str, str]:
    """What evidence/ keeps of a snapshot, as a file."""
    if measured is None:
        return {}
    text = jsontext.dumps({**measured.note, **more}, indent=2)
    return {f"{measures.FOLDER}/{measured.note['name']}.json": f"{text}\n"}


class _Did(NamedTuple):
    """What a round did: as it was measured, else as it was said."""

    changed: tuple[str, ...]
    net: Net
    claimed: str
    """What stands behind the net lines of its own line."""
    measured: bool
    findings: tuple[Finding, ...] = ()


def _did(said: Said, measured: Measure | None) -> _Did:
    if measured is None or measured.changed is None:
        return _Did(said.changed, _net(said), " (claimed)", measured=False)
    own = tuple(measures.shown(one.path) for one in measured.changed)
    unseen = tuple(path for path in said.changed if path in measured.left_out)
    changed = tuple(dict.fromkeys((*own, *unseen)))
    findings: tuple[Finding, ...] = ()
    if said.changed and (differs := measures.differing(said.changed, measured)):
        findings = (_claim(differs),)
    if measured.net is None:
        return _Did(changed, _net(said), " (claimed)", measured=True, findings=findings)
    claim = _net(said) if said.net is not None else measured.net
    if claim == measured.net:
        return _Did(changed, claim, "", measured=True, findings=findings)
    was, found = (f"+{net.added}/-{net.removed}" for net in (claim, measured.net))
    says = _("net {was} was claimed, {found} is measured", was=was, found=found)
    findings = (*findings, _claim(says))
    return _Did(changed, measured.net, f" (claimed {was})", measured=True, findings=findings)


def _astray(found: Ledger, item: str, said: Said, did: _Did) -> Finding | None:
    """What was changed outside the slice's write set; a repair and a convergence have none."""
    slice_ = found.slice
    if said.converge or said.repair or slice_ is None or slice_.item is None:
        return None
    declared = law.write_set(slice_.write_set.text if slice_.write_set else "")
    told = declared and all(map(law.is_path, declared))  # prose says nothing to a machine
    if not told or not lane.is_same(slice_.item.text, item):
        return None
    outside = [path for path in did.changed if law.disjoint([path], declared)]
    if not outside:
        return None
    says = _("{paths} is outside the slice's write set", paths=_listed(outside))
    fix = _("Undo it, or add it to the next write set: loopgraph slice set --write-set PATHS")
    return Finding("write-set", LEDGER, 0, says, fix=fix, level="warning")


def _claim(says: str) -> Finding:
    fix = _("The round's line says what was measured.")
    return Finding("claim", LEDGER, 0, says, fix=fix, level="warning")


def _active(found: Ledger) -> None:
    status = parts.known(found.status, found, "Run status")
    if status != "active":
        ways = {
            "exit-ready": _("A redo makes it active again."),
            "stalled": _("The owner takes it up again: loopgraph resume RUN --why TEXT"),
        }
        raise RefusedError(
            _("the run is {status}", status=status),
            where=lane.place(found, "Run status"),
            fix=ways.get(status, ""),
        )


def _number(found: Ledger) -> int:
    """The next round's number, from the header; refused where the log does not fit it."""
    last = parts.known(found.round, found, "Round")
    seen: set[int] = set()
    for entry in found.rounds:
        ahead = entry.number > last and not (entry is found.rounds[-1] and entry.block)
        if entry.number in seen or ahead:
            says = (
                _("R{number} is used twice", number=entry.number)
                if entry.number in seen
                else (
                    _("the log has R{number}, but Round is {last}", number=entry.number, last=last)
                )
            )
            raise RefusedError(
                says,
                where=f"{LEDGER}:{entry.line}",
                fix=_("Set Round to the newest number, each once."),
            )
        seen.add(entry.number)
    return last + 1


def _net(said: Said) -> Net:
    if said.net is None:
        if said.changed:
            raise UsageError(
                _("how many lines?"),
                where="--net",
                fix=_("Say --net +ADDED/-REMOVED of production lines."),
            )
        return Net(0, 0)
    found = header.net(said.net)
    if found is None:
        raise UsageError(_("no net lines"), where=f"--net {said.net}", fix=_("Write it as +12/-3."))
    return Net(*found)


def _judge(run: Run, found: Ledger, said: Said, did: _Did) -> Finding | None:
    """Hold the round against the laws; what --force lets through comes back as a finding."""
    if said.force and not said.why.strip():
        raise UsageError(_("why?"), where="--force", fix=_("Say --why TEXT."))
    try:
        where = "what changed" if did.measured else "--changed"
        lane.off_audit(run, found, list(did.changed), where=where)
        if said.converge and not said.failed:
            _law(run, found, converge=True, net=did.net, evidence=bool(said.evidence))
        elif not (said.converge or _may_wait(found, repair=said.repair)):
            _law(run, found, converge=False, net=did.net)
    except RefusedError as error:
        if not said.force:
            raise
        return Finding(
            "forced", LEDGER, 0, f"{error.what}; forced: {said.why.strip()}", level="warning"
        )
    return None


def _may_wait(found: Ledger, *, repair: bool) -> bool:
    """Whether this round may come before a due convergence round: it repairs, or folds."""
    if not repair:
        return False
    recorded = found.rounds[:-1] if under_way(found) else found.rounds
    red = bool(recorded) and recorded[-1].failed
    if not red and not folded_since(found):
        raise RefusedError(
            _("nothing is red: the last round passed, and nothing was folded since"),
            where="--repair",
            fix=_("Leave it out."),
        )
    return True


def folded_since(found: Ledger) -> bool:
    """Whether a directive was folded after the last recorded round."""
    return found.round is not None and found.folded_after() == found.round


def _law(run: Run, found: Ledger, *, converge: bool, net: Net, evidence: bool = False) -> None:
    if converge:
        if net.added > net.removed:
            raise RefusedError(
                _(
                    "a convergence round adds no lines, and this one has +{added}/-{removed}",
                    added=net.added,
                    removed=net.removed,
                ),
                where="--converge",
                fix=_("Take more out.")
                if _is_due(run, found)
                else _("Take more out, or record it without --converge."),
            )
        if not net.removed and not evidence:
            raise RefusedError(
                _("a convergence round that removed nothing shows what it searched"),
                where="--converge",
                fix=_("Say --evidence POINTER."),
            )
        return
    if _is_due(run, found):
        raise RefusedError(
            _("a convergence round is due"),
            where=lane.place(found, "Convergence tracker"),
            fix=_(_FIX),
        )


def _is_due(run: Run, found: Ledger) -> bool:
    tracker = parts.known(found.convergence, found, "Convergence tracker")
    return tracker.due is True or _due(run, tracker)


def _due(run: Run, tracker: Convergence) -> bool:
    return states.convergence_due(
        rounds=tracker.k or 0,
        every=parts.knob(run, "CONVERGE_EVERY"),
        net=tracker.m or 0,
        cap=parts.knob(run, "NET_LINE_CAP"),
    )


def _tracker(run: Run, before: Convergence, net: Net, *, reset: bool) -> str:
    found = parts.ledger(run)
    every, cap = parts.knob(run, "CONVERGE_EVERY"), parts.knob(run, "NET_LINE_CAP")
    k = 0 if reset else parts.known(before.k, found, "Convergence tracker") + 1
    m = (
        0
        if reset
        else parts.known(before.m, found, "Convergence tracker") + net.added - net.removed
    )
    due = states.convergence_due(rounds=k, every=every, net=m, cap=cap)
    return ledger.tracker(k, m, every=every, cap=cap, due=due)


def _line(number: int, call: Call, item: str, said: Said, did: _Did) -> str:
    changed = _listed([parts.said(path, "--changed") for path in did.changed])
    verify = parts.said(said.result, "--result")
    if said.failed:
        verify = f"{FAILED}: {verify}"
    elif verify.startswith(FAILED):
        raise UsageError(_("a failed verify is recorded with --fail"), where=f"--result {verify}")
    pointers = ", ".join(parts.said(pointer, "--evidence") for pointer in said.evidence)
    verify += f"; evidence: {pointers}" if pointers else ""
    verify += f"{ledger.FORCED}{said.why.strip()}" if said.force else ""
    follows = said.next if said.next is not None else (item if said.failed else "")
    tag = " CONVERGE" if said.converge and not said.failed else ""
    pieces = (
        f"- R{number} {call.day}{tag}",
        ledger.piece(item),
        f"changed: {quoting.cell(changed)}",
        f"verify: {quoting.cell(verify)}",
        f"net +{did.net.added}/-{did.net.removed}{did.claimed}",
        f"next: {quoting.cell(parts.said(follows, '--next'))}",
    )
    return " | ".join(pieces)


def _listed(paths: list[str]) -> str:
    """Paths as a round names them; of very many the first, and how many more there are."""
    shown = list(paths)
    while len(shown) > 1 and len(", ".join(shown)) > parts.LONGEST:
        shown.pop()
    more = len(paths) - len(shown)
    return (", ".join(shown) + (f", and {more} more" if more else "")) or "none"


def _logged(draft: Draft, begun: Round | None, line: str) -> Draft:
    """Put the line in the log, in the place of the round's block where it was begun."""
    if begun is None:
        return draft.add(LEDGER, LOG, [line])
    document = draft.document(LEDGER)
    lines = [text.strip() for text in document.lines[begun.line - 1 : begun.end] if text.strip()]
    ours = len(lines) == 2 and lines[1].startswith("- **Item**:")  # noqa: PLR2004  heading and item
    if not ours:  # somebody has written into it
        return draft.away(
            f"R{begun.number}", LEDGER, "rounds", (begun.line, begun.end), instead=[line]
        )
    first = begun.line
    while len(draft.ledger.rounds) > 1 and not document.lines[first - 2].strip():
        first -= 1
    return draft.put(LEDGER, edit.splice(document, first, begun.end, [line]))


def _advanced(draft: Draft, item: str, said: Said) -> Draft:
    """The slice and the next item after the round."""
    follows = _worded(draft.ledger, (said.next if said.next is not None else item).strip())
    draft = draft.status("Next unclosed work item", quoting.inline(follows))
    found = draft.ledger.slice
    if said.failed or (found and found.item and follows == found.item.text):
        return draft
    return cut(draft, follows)


def _carried_out(draft: Draft, item: str, said: Said, number: int) -> Draft:
    """A round that names a folded correction carries it out: its row is closed."""
    told = " ".join((item, *said.evidence))
    named = {written for letters, _n, written in header.ids(told) if letters == "D"}
    for id_, row in lane.owed(draft.ledger):
        if header.same_id(id_, list(named)):
            result = said.result.strip()
            short = result if len(result) <= _SHORT else f"{result[: _SHORT - 1]}…"
            draft = draft.cells(LEDGER, row.line, {1: "closed", 2: f"R{number}: {short}"})
    return rotate.closed_rows(draft)


def _rows(found: Ledger, item: str) -> list[Gap]:
    """The debt rows that an item names, in its order."""
    named = [written for letters, _n, written in header.ids(item) if letters == "GAP"]
    rows = {gap.id: gap for gap in found.gaps}
    return [rows[id_] for id_ in dict.fromkeys(named) if id_ in rows]


def _worded(found: Ledger, item: str) -> str:
    """An item that is nothing but ids of debt rows says what they are about, too."""
    rows = _rows(found, item)
    rest = item
    for row in rows:
        rest = rest.replace(row.id or "", "")
    if not rows or rest.replace(" and ", " ").strip(" ,;、，+&.") or not all(r.text for r in rows):
        return item
    said = "; ".join(f"{row.id}: {row.text}" for row in rows)
    return said if len(said) <= parts.LONGEST else f"{said[: parts.LONGEST - 1]}…"


def cut(draft: Draft, item: str) -> Draft:
    """Begin a slice: debt rows bring their write sets along, and the first one its verify."""
    found = draft.ledger
    rows = _rows(found, item)
    context = ", ".join(w for letters, _, w in header.ids(item) if letters == "C") or "none"
    sets = [said for row in rows if (said := row.write_set) and not header.is_none(said)]
    write_set = ", ".join(dict.fromkeys(sets)) or law.LATER
    for row in rows:
        paths = law.write_set(row.write_set or "")
        lane.off_audit(draft.run, found, paths, where=f"{LEDGER}:{row.line}")
    verify = next((row.verify for row in rows if row.verify), law.LATER)
    values = (item, write_set, context, verify, law.LATER)
    for name, value in zip(header.SLICE, values, strict=True):
        draft = draft.entry(LEDGER, SLICE, header.SLICE, name, quoting.inline(value))
    live = {gap.number for gap in found.gaps}
    gone = [name for kind, number, name in header.ids(item) if kind == "GAP" and number not in live]
    if gone:
        says = _("No live debt row: {ids}. See: loopgraph gap list", ids=", ".join(gone))
        draft = draft.say(says)
    if write_set == law.LATER and not header.is_none(item):
        draft = draft.say(_("The slice is not cut yet: loopgraph slice set"))
    return draft


def _stall(found: Ledger, said: Said, net: Net) -> Finding | None:
    """Two rounds in a row that changed nothing; a fold alone is none."""
    idle = not (said.changed or said.evidence or said.converge or net.added or net.removed)
    recorded = found.rounds[:-1] if under_way(found) else found.rounds
    last = recorded[-1] if recorded else None
    if not idle or folded_since(found) or last is None:
        return None
    was_idle = header.is_none(last.changed or "") and not last.converge
    if not was_idle or (last.net and any(last.net)) or "evidence:" in (last.verify or ""):
        return None
    return _stall_found()


def _stalled(found: Ledger, said: Said, measured: Measure | None) -> Finding | None:
    """The same by measure: two rounds in a row that changed neither a file nor an entry."""
    searched = said.converge and said.evidence
    if measured is None or not measured.idle or searched or folded_since(found):
        return None
    return _stall_found() if measured.idle_before else None


def _stall_found() -> Finding:
    return Finding(
        "stall",
        LEDGER,
        0,
        _("two rounds in a row changed nothing"),
        fix=_("Say why: loopgraph finish stalled --why TEXT"),
        level="warning",
    )


def _notices(draft: Draft) -> tuple[str, ...]:
    """What the executor is to know now: answered cards, directives that wait."""
    return (*answered(draft.run), *waiting(draft.run))


def answered(run: Run) -> tuple[str, ...]:
    """The answers that stand below the cards of both files, a line each."""
    documents = [run.document(file) for file in (LEDGER, DIRECTIVES)]
    read = [answer for document in documents if document for answer in answers.read(document)]
    found = answers.standing(read)
    return tuple(
        _(
            "{id} was answered {letter} ({by}): {text}",
            id=one.id,
            letter=one.letter,
            by=one.by,
            text=" ".join(one.text.split()),
        )
        for one in found
    )


def waiting(run: Run) -> tuple[str, ...]:
    """The directives that are to be folded, as a line."""
    queue, found = run.directives(), run.ledger()
    ids = [packet.id for packet in queue.waiting(found.folded if found else None)] if queue else []
    return (_("To fold, in this order: {ids}", ids=", ".join(ids)),) if ids else ()
