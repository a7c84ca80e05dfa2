"""What an executor finds when it wakes: what stands in its way, and its next item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.edges.directives import PACKET, Correction
from loopgraph.edges.ledger import Gap, Ledger
from loopgraph.edges.run import Run
from loopgraph.node import fire_parts, lane, promotion, results, rounds
from loopgraph.node.call import DIRECTIVES, LEDGER, knob
from loopgraph.node.fire_parts import At, Part, Size
from loopgraph.plain import header, law, text

_LINE: Final = 80
"""Characters of an item that a command names whole."""
# The executor ----------------------------------------------------------------------------------


def executor(at: At) -> Iterator[Part]:
    """All that an executor finds, in its order."""
    yield from fire_parts.stops(at)
    yield from fire_parts.end(at)
    if at.beside.stops:
        return
    folds = () if at.board.status in _OVER else tuple(_folds(at))
    yield from folds
    yield from fire_parts.answered(at)
    if at.board.status == "exit-ready" and not folds:
        yield Part("end", "", "the run is exit-ready and waits to be judged: end the fire")
    if at.board.status == law.ACTIVE:
        spent = "" if folds else _spent(at)
        if spent:
            yield Part("end", "", spent)
        else:
            yield from _red(at)
            yield from _rounds(at)
            handed = tuple(_milestone(at))
            yield from handed
            yield from _work(at, waiting=bool(folds) or any(part.commands for part in handed))
            yield from _sweep(at)
    yield from fire_parts.cards(at)
    yield from fire_parts.full(at, _executor_sizes(at))
    if at.found.round == 0 and at.board.status == law.ACTIVE:
        says = "first fire: read policies and budget of ops.md, then run every unmetered gate;"
        ways = [at.say("gate run --all")]
        if rounds.under_way(at.found):
            says += " what failed before the first edit is written on the Baseline line"
            says += f" of {LEDGER}, by hand"
        else:
            says += " what fails is the Baseline"
            ways.append(at.say("round start --baseline WHAT_FAILED"))
        yield Part("ops", "", says, (), tuple(ways))


def gates(run: Run) -> tuple[str, ...]:
    """The gates of ops.md, by id."""
    ops = run.ops()
    return tuple(row.id for row in (ops.gates or () if ops else ()) if row.id)


def _red(at: At) -> Iterator[Part]:
    """Each gate whose newest result failed, whoever ran it.

    What failed before the first edit is the Baseline's; it is red again once its row was closed.
    """
    first = at.found.round == 0 and not rounds.under_way(at.found)
    if first:
        return
    before = promotion.red_before(at.run)
    closed = {
        written
        for row in at.found.scoreboard
        if row.status == "closed"
        for kind, _n, written in header.ids(row.gate or "")
        if kind == "G"
    }
    known = {gate.id: gate for gate in at.run.record.spec.gates} if at.run.record else {}
    for id_ in gates(at.run):
        result = results.last(at.gathered, id_)
        if result is None or result.passed or (id_ in before and id_ not in closed):
            continue
        said = f"failed {result.time} by {result.node}: {result.evidence}"
        observed = id_ in known and not known[id_].command
        again = fire_parts.observe(id_) if observed else f"gate run {id_}"
        yield Part("red", id_, said, (), (at.say(again),))


_OVER: Final = ("closed", "stalled")
"""Where a run is over, or held: nothing is folded there."""


def _spent(at: At) -> str:
    """That this fire has recorded as many rounds as it may; empty while it goes on."""
    cap, now = at.run.knob("FIRE_ROUND_CAP"), at.found.round
    if at.begun is None or now is None or not isinstance(cap, int) or rounds.under_way(at.found):
        return ""
    count = now - at.begun
    return f"{cap} of {cap} rounds of this fire: end it" if count >= cap > 0 else ""


def _folds(at: At) -> Iterator[Part]:
    queue = at.run.directives()
    waiting = sorted(queue.waiting(at.found.folded), key=_number) if queue else []
    for place, packet in enumerate(waiting):
        word = packet.verdict or packet.said or "no verdict"
        about = f" {packet.boundary}" if packet.boundary else ""
        command = at.say(f"directive fold {packet.id} --effect WHAT_IT_CHANGED")
        yield Part(
            "fold",
            packet.id,
            f"{word}{about} ({DIRECTIVES}:{packet.line})",
            _packet(at.run, packet),
            (command,) if not place else (),
            at.say.show(packet.id),
        )


def _number(packet: Correction) -> int:
    return packet.number


def _packet(run: Run, packet: Correction) -> tuple[str, ...]:
    """Its fields; of a packet in another form its lines."""
    if packet.fields:
        return tuple(
            f"{name}: {packet.fields[name].text}" for name in PACKET if name in packet.fields
        )
    document = run.document(DIRECTIVES)
    lines = document.lines[packet.line - 1 : packet.end] if document else ()
    return tuple(said for line in lines if (said := text.bare(line).strip()))


def _rounds(at: At) -> Iterator[Part]:
    newest = at.found.rounds[-1] if at.found.rounds else None
    mends = "round start --repair"
    if newest and rounds.under_way(at.found):
        tag = "a convergence round, " if newest.converge else ""
        said = f"R{newest.number} is under way, {tag}{newest.item or 'its item unknown'}"
        flag = " --converge" if newest.converge else ""
        claims = "" if at.beside.snapshots else _CLAIMS
        record = f"round record --result SAID{claims} --evidence POINTER --next ITEM{flag}"
        yield Part("round", "", said, (), (at.say(record),))
        mends = f"{record.removesuffix(' --converge')} --repair"
        newest = at.found.rounds[-2] if len(at.found.rounds) > 1 else None
    if newest and (newest.verify or "").startswith(rounds.FAILED):
        said = f"the verify of R{newest.number} was red: {newest.verify}"
        yield Part("red", "", said, (), (at.say(mends),))


_CLAIMS: Final = " --changed PATH --net +A/-B"
"""What a node says where nothing measures it."""


def _milestone(at: At) -> Iterator[Part]:
    name = at.found.milestone or "the milestone"
    last = lane.last(at.run, at.found)
    if at.board.gate == "passed":
        way = "" if last is None else "finish exit-ready --why PROOF" if last else "milestone next"
        ways = (at.say(way),) if way else ()
        yield Part("milestone", at.found.milestone or "", "its gate is passed", (), ways)
        return
    asked = bool(at.found.promotion and not at.found.promotion.empty)
    if at.board.gate == law.PENDING:
        said = f"{name} is under audit: write on nothing of its surface, nor of the next milestone"
        closed = tuple(dict.fromkeys(_closed_paths(at)))
        yield Part("audit", at.found.milestone or "", said, (", ".join(closed),) if closed else ())
        asked = True
    yield from _ready(at, name, asked=asked, last=bool(last))


def _ready(at: At, name: str, *, asked: bool, last: bool) -> Iterator[Part]:
    """What is closed, and so may be asked for: the milestone, and the end of the run."""
    rows = at.found.scoreboard
    every = bool(rows) and all(row.status == "closed" for row in rows)
    exits = lane.exit_rows(at.found, at.found.milestone)
    ways: list[str] = []
    if not asked and (every or (exits and all(row.status == "closed" for row in exits))):
        ways.append(at.say(f"promote request {name} --surface PATHS --evidence POINTER"))
    if every and last:
        ways.append(at.say("finish exit-ready --why PROOF"))
    if ways:
        says = "every row of the Gate scoreboard" if every else f"the exit-check row of {name}"
        yield Part("ready", "", f"{says} is closed", (), tuple(ways))


def _closed_paths(at: At) -> list[str]:
    surface = at.found.promotion.surface if at.found.promotion else None
    paths = law.write_set(surface.text) if surface else []
    prompt = at.run.files.get("executor.md", "")
    return [
        path for path in (*paths, *law.planned(prompt, at.board.milestone)) if law.is_path(path)
    ]


def _work(at: At, *, waiting: bool) -> Iterator[Part]:
    folded = rounds.folded_since(at.found)
    owed = lane.owed(at.found)
    sent_back = law.correction(lane.open_item(at.found))
    if not sent_back and (folded or not at.board.due):
        yield from _owed(at)
    if at.board.due:
        yield Part(
            "converge",
            "",
            f"a convergence round is due and comes first{_tracker(at.found)}: remove and simplify"
            " only, net at or below zero",
            (),
            (at.say("round start --item WHAT_GOES --converge"),),
        )
        if not folded and not sent_back:
            yield from _owed(at)
    if at.item is None:
        yield from _owed(at) if sent_back else ()
        if not (at.board.due or waiting or owed):
            yield Part("end", "", "no legal item: the fire ends, the run goes on")
        return
    row = next((gap for gap in at.found.gaps if gap.id == at.item.id), None) if at.item.id else None
    yield _row(at, row) if row else _slice(at)
    yield from _context(at, row)
    yield from _owed(at) if sent_back else ()
    if at.item.id:
        yield from _lane(at)


def _owed(at: At) -> Iterator[Part]:
    """What folded corrections ask for, until a round names them."""
    repair = " --repair" if at.board.due else ""
    audit = "; off the surface under audit" if at.board.gate == law.PENDING else ""
    for id_, row in lane.owed(at.found):
        said = (row.gate or "").partition(":")[2].strip() or row.gate or ""
        ways = (
            at.say(f"round start --item {_word(id_, f'{id_}: {said}')}{repair}"),
            at.say(f"gate set {id_} --status closed --evidence POINTER"),
        )
        more = at.say.show(id_)
        yield Part("work", id_, f"{said} ({row.evidence or '?'}{audit})", (), ways, more)
    for row in lane.exit_rows(at.found, at.found.milestone):
        id_ = law.correction(row.evidence or "")
        if id_ and row.status != "closed" and not _taken_up(at, id_):
            item = (row.evidence or "").partition(":")[2].strip()
            start = at.say(f"round start --item {_word(id_, f'{id_}: {item}')}{repair}")
            yield Part("work", id_, f"{item} ({row.gate})", (), (start,), at.say.show(id_))


def _taken_up(at: At, id_: str) -> bool:
    """Whether the slice, or a round that passed, is about what a redo found missing."""
    told = [f"{one.item} {one.verify}" for one in at.found.rounds if not one.failed]
    return any(
        kind == "D" and header.same_id(id_, [written])
        for said in (lane.open_item(at.found), *told)
        for kind, _n, written in header.ids(said)
    )


def _tracker(found: Ledger) -> str:
    if found.convergence is None:
        return ""
    _, k, every, m, cap, _due = found.convergence
    return f" ({_known(k)} of {_known(every)} rounds, net {_known(m)} of {_known(cap)})"


def _known(number: int | None) -> str:
    return "?" if number is None else str(number)


def _slice(at: At) -> Part:
    assert at.item is not None  # noqa: S101  asked for by _work alone
    found = at.found.slice
    fields = (
        () if found is None else (found.write_set, found.context, found.verify, found.done_when)
    )
    names = header.SLICE[1:]
    details = tuple(
        f"{name}: {field.text}"
        for name, field in zip(names, fields, strict=False)
        if field and field.text != law.LATER
    )
    commands_ = [at.say("round start")] if _starts(at) else []
    if at.board.due and law.correction(at.item.text) and rounds.folded_since(at.found):
        commands_ = [] if rounds.under_way(at.found) else [at.say("round start --repair")]
    if _surveys(at):
        wanted = min(_SURVEYED, knob(at.run, "GAP_CAP"))
        details = (*details, f"Registered: {len(at.found.gaps)} of {wanted} debt rows")
        if len(at.found.gaps) < wanted:
            add = "gap add LINE --priority P2 --write-set PATHS --verify COMMAND"
            commands_.append(at.say(add))
    if found is None or found.write_set is None or found.write_set.text == law.LATER:
        cut = "slice set --write-set PATHS --verify COMMAND --done-when WHAT"
        commands_.insert(0, at.say(cut))
    place = f"{LEDGER}:{found.line}" if found else LEDGER
    return Part("item", "", at.item.text, details, tuple(commands_), place)


_SURVEYED: Final = 5
"""So many rows the first round registers where too few are known."""
_SURVEY: Final = ("survey", "摸底")


def _surveys(at: At) -> bool:
    """Whether this is the run's first round, and it is there to find work."""
    item = at.found.slice.item.text if at.found.slice and at.found.slice.item else ""
    pack = at.run.record.spec.pack.survey if at.run.record else ""
    if at.found.round != 0 or not item:
        return False
    said = item.casefold().startswith(_SURVEY) or item == pack
    return said or at.found.discovery is not None


def _starts(at: At) -> bool:
    """Whether a round on the next item may begin now: none is under way, none has to converge."""
    return not (rounds.under_way(at.found) or at.board.due)


def _row(at: At, row: Gap) -> Part:
    details = (f"Write set: {row.write_set or '?'}", f"Verify: {row.verify or '?'}")
    told = f"{row.priority or '?'} {row.text or '?'}"
    start = at.say(f"round start --item {_quoted(row)}")
    ways = (start,) if _starts(at) else ()
    return Part("item", row.id or "", told, details, ways, at.say.show(row.id or ""))


def _quoted(row: Gap) -> str:
    """A debt row as one word of a command line."""
    return _word(str(row.id), f"{row.id} {row.text or ''}".strip())


def _word(id_: str, said: str) -> str:
    """An item as one word of a command line; what a shell could read otherwise is left out."""
    plain = all(char.isalnum() or char in " .,:;/_-()+" for char in said) and len(said) <= _LINE
    return f"'{said}'" if plain else id_


def _context(at: At, row: Gap | None) -> Iterator[Part]:
    """The rows of the context index that the slice cites."""
    cited = at.found.slice.context if at.found.slice and row is None else None
    ops = at.run.ops()
    if cited is None or ops is None:
        return
    rows = {one.id: one for one in ops.context or () if one.id}
    for id_ in cited.ids:
        one = next((rows[name] for name in rows if header.same_id(id_, [name])), None)
        if one is not None:
            said = f"{one.use_when or '?'}: read {one.read or '?'}; verify {one.verify or '?'}"
            yield Part("context", id_, said, (), (), at.say.show(id_))


def _lane(at: At) -> Iterator[Part]:
    """Further rows that are legal beside this one."""
    priority = {gap.id: gap.priority for gap in at.found.gaps}
    for item in at.lane[1:]:
        said = f"{priority.get(item.id) or '?'} {item.text}"
        yield Part("lane", item.id, said, (), (), at.say.show(item.id))


def _sweep(at: At) -> Iterator[Part]:
    """Where the sweep of a discovery-driven run stands."""
    found = at.found.discovery
    ops = at.run.ops()
    if found is None:
        return
    areas, detectors = (ops.areas or (), ops.detectors or ()) if ops else ((), ())
    number = header.number(found.area or "") or 0
    area = areas[number - 1] if 0 < number <= len(areas) else found.area or "?"
    names = ", ".join(one.name or "?" for one in detectors) or "?"
    yields = f"{_known(found.previous)}, {_known(found.last)}"
    said = f"area {area} of {_known(found.areas)}; yields of the last two sweeps: {yields}"
    command = f"sweep record --area {number or 'A'} --detector D --new N"
    yield Part("sweep", "", said, (f"Detectors: {names}",), (at.say(command),))


def _executor_sizes(at: At) -> list[Size]:
    found = at.found
    return [
        Size("debt rows", len(found.gaps), "GAP_CAP", "gap park"),
        Size("cards", len(found.cards), "OWNER_CAP", ""),
        Size("metric rows", len(found.metrics), "METRIC_CAP", ""),
        *fire_parts.file_sizes(at, LEDGER, "rotate"),
        *fire_parts.file_sizes(at, "ops.md", "context replace"),
    ]
