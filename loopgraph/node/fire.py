"""The hot start of a fire: what a node has to do now, in its order, each with its command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from loopgraph.edges import answers
from loopgraph.edges.beside import Beside
from loopgraph.edges.directives import PACKET, Correction
from loopgraph.edges.fields import Card
from loopgraph.edges.ledger import Gap, Ledger
from loopgraph.edges.run import Run
from loopgraph.model.graph import Writer
from loopgraph.model.spec import Milestone
from loopgraph.node import checkpoint, lane, promotion, results, rounds
from loopgraph.node.call import DIRECTIVES, LEDGER, knob, writer
from loopgraph.node.results import Result
from loopgraph.plain import header, law, text, when
from loopgraph.plain.places import FOLDER

Kind = Literal[
    "stop", "end", "problem", "fold", "answer", "round", "red", "milestone", "converge", "work",
    "item", "context", "lane", "audit", "rotate", "judge", "judged", "checkpoint", "card", "cap",
    "ready", "ops", "sweep",
]  # fmt: skip

_NEAR: Final = 0.85
"""From this part of its cap on a file or a section is nearly full."""
_LINE: Final = 80
"""Characters of an item that a command names whole."""


class Part(NamedTuple):
    """One thing to know or to do."""

    kind: Kind
    id: str
    """`D-004`, `GAP-012`; empty where it has none."""
    says: str
    details: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    more: str = ""
    """The command that shows what is left out here; empty where nothing can be."""


class Fire(NamedTuple):
    """What a node finds when it wakes."""

    role: Writer
    status: str | None
    gate: str | None
    milestone: str | None
    round: int | None
    due: bool | None
    """Whether a convergence round comes first, as the Stop hook sees it."""
    item: law.Item | None
    """The legal next item, as the Stop hook sees it."""
    work: bool
    """Whether this node has something to do now."""
    parts: tuple[Part, ...]


class Words(NamedTuple):
    """How the commands in the parts are written."""

    role: str
    run: str
    """` --run NAME` where this call had to name the run; else empty."""

    def __call__(self, said: str) -> str:
        """A command of this node."""
        return f"loopgraph {said}{self.run} --as {self.role}"

    def show(self, id_: str) -> str:
        """The command that shows an entry word for word."""
        return f"loopgraph show {id_}{self.run}"


def hot_start(  # noqa: PLR0913  what is known beside the run
    run: Run,
    beside: Beside,
    role: Writer,
    *,
    named: str = "",
    gathered: tuple[Result, ...] = (),
    begun: int | None = None,
    told: tuple[str, ...] = (),
) -> Fire:
    """What this node has to do now; the caller has seen that there is a ledger.

    `named`: the run, where its commands have to name it. `gathered`: the results of gates.
    `begun`: the newest round when the fire that goes on now began; None where nobody knows.
    `told`: what was found of the rounds that are to be audited, as they were recorded.
    """
    board = law.Board(run.files.get(LEDGER, ""))
    planned = law.planned(run.files.get("executor.md", ""), board.milestone)
    lane_ = board.lane(planned)
    say = Words(role, f" --run {named}" if named else "")
    found = run.ledger()
    assert found is not None  # noqa: S101  the caller has seen it
    at = _At(run, found, beside, say, board, lane_, gathered, begun, told)
    parts = tuple(_PARTS[role](at))
    kinds = {part.kind for part in parts}
    stopped = bool(kinds & {"stop", "end"})
    work = not stopped and bool(kinds & _WORK)
    if role == "owner":  # nothing wakes the owner: whatever waits is told
        work = any(part.commands for part in parts)
    return Fire(
        role,
        board.status,
        board.gate,
        found.milestone,
        board.round,
        board.due if found.convergence else None,
        board.legal(planned),
        work or (not beside.stops and "fold" in kinds),
        parts,
    )


_WORK: Final = {
    "fold", "round", "red", "converge", "work", "item", "milestone", "audit", "judge", "rotate",
    "checkpoint", "ready",
}  # fmt: skip


class _At(NamedTuple):
    """All that the parts are made from."""

    run: Run
    found: Ledger
    beside: Beside
    say: Words
    board: law.Board
    lane: list[law.Item]
    """What is legal, the next item first."""
    gathered: tuple[Result, ...]
    begun: int | None
    told: tuple[str, ...]

    @property
    def item(self) -> law.Item | None:
        """The legal next item."""
        return self.lane[0] if self.lane else None


# What every node sees --------------------------------------------------------------------------


def _stops(at: _At) -> Iterator[Part]:
    for one in at.beside.stops:
        by = ", ".join(filter(None, (one.said.who, one.said.when)))
        why = f": {one.said.why}" if one.said.why else ""
        said = f"{one.file}{f' ({by})' if by else ''}{why}"
        if at.say.role != "owner":
            yield Part("stop", "", f"{said}: end your timer and stop")
            continue
        everything = one.file == f"{FOLDER}/STOP"
        lift = f"loopgraph resume{'' if everything else _slug(at)} --as owner"
        held = "every run here" if everything else "this run"
        yield Part("stop", "", f"{said}: it holds {held} until you lift it", (), (lift,))
    for said in at.beside.problems:
        yield Part("problem", "", said)


def _end(at: _At) -> Iterator[Part]:
    ends = {
        "closed": "the run is closed: end your timer",
        "stalled": "the run is stalled until the owner resumes it: end your timer",
    }
    status = at.board.status or ""
    if at.say.role == "owner":
        ends["closed"] = "the run is closed"
    if status == "stalled" and at.say.role == "owner":
        said = f"the run is stalled until you resume it: {_note(at.found, 'Run status')}"
        way = f"loopgraph resume{_slug(at)} --why WHAT_CHANGED --as owner"
        yield Part("end", "", said, (), (way,))
    elif status in ends:
        yield Part("end", "", ends[status])
    elif at.found.status is None:
        line = at.found.line("Run status")
        place = f"{LEDGER}:{line}" if line else LEDGER
        yield Part("problem", "", f"{place} says no known Run status", (), ("loopgraph check",))


def _slug(at: _At) -> str:
    """This run as a command of the owner names it, a blank before it."""
    named = at.say.run.removeprefix(" --run")
    return named or (f" {at.run.record.spec.slug}" if at.run.record else "")


def _answers(at: _At) -> Iterator[Part]:
    documents = [at.run.document(name) for name in (LEDGER, DIRECTIVES)]
    given = answers.standing(one for found in documents if found for one in answers.read(found))
    for name in (LEDGER, DIRECTIVES):
        document = at.run.document(name)
        if document is None:
            continue
        for one in (one for one in answers.read(document) if one in given):
            by = _BY.get(one.by, one.by)
            said = f"{one.id} was answered {one.letter} after R{one.after}, {by}: {one.text}"
            yield Part("answer", one.id, said, (), (), at.say.show(one.id))
        for card in _carded(at, name):
            if letter := card.chosen():
                id_ = card.id or f"line {card.line}"
                said = f"{id_} was answered {letter} in its row, by hand: {card.options()[letter]}"
                mine = writer(at.run, _EDGES[name]) == at.say.role
                takes = (at.say(f"owner answer {id_} --from-row"),) if mine and card.id else ()
                yield Part("answer", card.id or "", said, (), takes, f"{name}:{card.line}")


_EDGES: Final = {LEDGER: "ledger", DIRECTIVES: "directives"}
_BY: Final = {
    answers.OWNER: "by the owner",
    answers.RELAYED: "relayed, so not yet the owner's",
    answers.HAND: "by hand in its row",
}


def _carded(at: _At, file: str) -> tuple[Card, ...]:
    queue = at.run.directives()
    return at.found.cards if file == LEDGER else queue.cards if queue else ()


def _cards(at: _At) -> Iterator[Part]:
    for file in (LEDGER, DIRECTIVES):
        for card in _carded(at, file):
            if card.chosen():
                continue
            said = f"{card.id or f'line {card.line}'} waits for the owner: {card.decision or '?'}"
            more = at.say.show(card.id) if card.id else f"{file}:{card.line}"
            yield Part("card", card.id or "", said, (), (), more)


# The executor ----------------------------------------------------------------------------------


def _executor(at: _At) -> Iterator[Part]:
    yield from _stops(at)
    yield from _end(at)
    if at.beside.stops:
        return
    folds = () if at.board.status in _OVER else tuple(_folds(at))
    yield from folds
    yield from _answers(at)
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
    yield from _cards(at)
    yield from _full(at, _executor_sizes(at))
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


def _red(at: _At) -> Iterator[Part]:
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
        again = _observe(id_) if observed else f"gate run {id_}"
        yield Part("red", id_, said, (), (at.say(again),))


_OVER: Final = ("closed", "stalled")
"""Where a run is over, or held: nothing is folded there."""


def _spent(at: _At) -> str:
    """That this fire has recorded as many rounds as it may; empty while it goes on."""
    cap, now = at.run.knob("FIRE_ROUND_CAP"), at.found.round
    if at.begun is None or now is None or not isinstance(cap, int) or rounds.under_way(at.found):
        return ""
    count = now - at.begun
    return f"{cap} of {cap} rounds of this fire: end it" if count >= cap > 0 else ""


def _folds(at: _At) -> Iterator[Part]:
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


def _rounds(at: _At) -> Iterator[Part]:
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


def _milestone(at: _At) -> Iterator[Part]:
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


def _ready(at: _At, name: str, *, asked: bool, last: bool) -> Iterator[Part]:
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


def _closed_paths(at: _At) -> list[str]:
    surface = at.found.promotion.surface if at.found.promotion else None
    paths = law.write_set(surface.text) if surface else []
    prompt = at.run.files.get("executor.md", "")
    return [
        path for path in (*paths, *law.planned(prompt, at.board.milestone)) if law.is_path(path)
    ]


def _work(at: _At, *, waiting: bool) -> Iterator[Part]:
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


def _owed(at: _At) -> Iterator[Part]:
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


def _taken_up(at: _At, id_: str) -> bool:
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


def _slice(at: _At) -> Part:
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


def _surveys(at: _At) -> bool:
    """Whether this is the run's first round, and it is there to find work."""
    item = at.found.slice.item.text if at.found.slice and at.found.slice.item else ""
    pack = at.run.record.spec.pack.survey if at.run.record else ""
    if at.found.round != 0 or not item:
        return False
    said = item.casefold().startswith(_SURVEY) or item == pack
    return said or at.found.discovery is not None


def _starts(at: _At) -> bool:
    """Whether a round on the next item may begin now: none is under way, none has to converge."""
    return not (rounds.under_way(at.found) or at.board.due)


def _row(at: _At, row: Gap) -> Part:
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


def _context(at: _At, row: Gap | None) -> Iterator[Part]:
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


def _lane(at: _At) -> Iterator[Part]:
    """Further rows that are legal beside this one."""
    priority = {gap.id: gap.priority for gap in at.found.gaps}
    for item in at.lane[1:]:
        said = f"{priority.get(item.id) or '?'} {item.text}"
        yield Part("lane", item.id, said, (), (), at.say.show(item.id))


def _sweep(at: _At) -> Iterator[Part]:
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


# The judge -------------------------------------------------------------------------------------


def _judge(at: _At) -> Iterator[Part]:
    yield from _stops(at)
    if at.beside.stops:
        return
    yield from _judging(at)
    yield from _cards(at)
    yield from _full(at, _judge_sizes(at))


def _judging(at: _At) -> Iterator[Part]:
    queue = at.run.directives()
    state = queue.state if queue else None
    audited = state.audited if state else None
    yield from _closed(at, audited)
    yield from _audit(at, audited)
    given = queue.judged(at.found.folded, at.found.milestone) if queue else None
    over = at.board.status == "closed"
    if given:
        says = f"{given.id} {given.verdict}, not folded yet"
        yield Part("judged", "", says, (), (), at.say.show(given.id))
    elif not over:
        yield from _verdict(at)
    yield from _answers(at)
    if queue and (folded := [one.id for one in queue.corrections if _is_folded(at, one)]):
        said = f"folded, to rotate: {', '.join(folded)}"
        yield Part("rotate", "", said, (), (at.say("directive rotate"),))
    waiting = queue.waiting(at.found.folded) if queue else ()
    if open_ := [one for one in waiting if given is None or one.id != given.id]:
        said = f"not folded yet: {', '.join(one.id for one in open_)}"
        yield Part("lane", "", said, (), (), at.say.show(open_[0].id))
    if not over and at.board.gate != "passed":
        yield from _checkpoint(at, audited)


def _verdict(at: _At) -> Iterator[Part]:
    """What waits for a verdict: a milestone, else the end of the run."""
    asked = at.found.promotion and not at.found.promotion.empty
    if at.board.gate == law.PENDING or (asked and at.board.gate != "passed"):
        yield _promotion(at)
    elif at.board.status == "exit-ready":
        said = "the run is exit-ready: run the whole proof, then judge it"
        yield Part("judge", "", said, (), (at.say("finish closed --why REASON"),))
    if at.board.status == "stalled" and at.say.role != "owner":
        said = f"the run is stalled: {_note(at.found, 'Run status')}"
        yield Part("judge", "", said, (), (at.say("owner ask QUESTION --why DIAGNOSIS"),))


def _closed(at: _At, audited: int | None) -> Iterator[Part]:
    if at.board.status != "closed" or at.say.role == "owner":
        return
    last = at.found.round
    if audited is None or last is None or audited < last:
        yield Part("audit", "", "the run is closed: audit its last rounds, then end your timer")
    else:
        yield Part("end", "", "the run is closed and audited: end your timer")


def _audit(at: _At, audited: int | None) -> Iterator[Part]:
    last = at.found.round
    if last == 0:
        return
    if last is None or audited is None or audited < last:
        said = f"audited through R{audited} of {_named(last)}"
        if audited is None:
            said = f"no round up to {_named(last)} is noted as audited"
        number = "R?" if last is None else f"R{last}"
        listed = f"rounds --since R{(audited or 0) + 1}" if audited is not None else "rounds --all"
        ways = [f"loopgraph {listed}{at.say.run}"]
        first = f"R{audited}" if audited else "R1.start"
        kept = at.board.status != "closed"  # its snapshots go when it is closed
        if kept and {first, number} <= at.beside.snapshots:
            ways.append(f"loopgraph diff {first} {number}{at.say.run}")
        ways.append(at.say(f"audited --through {number}"))
        yield Part("audit", "", said, at.told, tuple(ways), f"loopgraph rounds --all{at.say.run}")


_BEHIND: Final = 24
"""Of so many rounds it is told what was found of them."""


def to_audit(run: Run) -> range:
    """The rounds that the judge has not audited yet; of very many, the last ones."""
    found, queue = run.ledger(), run.directives()
    last = (found.round if found else None) or 0
    audited = (queue.state.audited if queue and queue.state else None) or 0
    return range(max(audited, last - _BEHIND) + 1, last + 1)


def _named(number: int | None) -> str:
    return "an unknown round" if number is None else f"R{number}"


def _is_folded(at: _At, packet: Correction) -> bool:
    return at.found.folded is not None and packet.number <= at.found.folded


def _note(found: Ledger, name: str) -> str:
    field = found.fields.get(name)
    return field.text if field else "no reason is noted"


def _promotion(at: _At) -> Part:
    """What is asked for, and each exit check with the judge's own newest result."""
    found = at.found.promotion
    fields = () if found is None else (found.boundary, found.surface, found.evidence, found.context)
    names = ("Boundary", "Audit surface", "Evidence", "Context")
    details = [f"{name}: {field.text}" for name, field in zip(names, fields, strict=False) if field]
    boundary = header.milestone(found.boundary.text) if found and found.boundary else None
    id_ = boundary or at.found.milestone or "M-n"
    if at.board.status == "exit-ready":
        details.append("The run is exit-ready, so run the whole proof: an accept closes it")
    commands_: list[str] = []
    asked = _asked(at)
    green = True
    for check, result in _checks(at, id_):
        fresh = result is not None and when.instant(result.time) >= asked
        said = f"{'passed' if result.passed else 'failed'} {result.time}" if result else "no result"
        old = "" if fresh or result is None else ", before the request"
        kind = "Exit check" if check.exits else "Gate of the surface"
        details.append(f"{kind} {check.id}: {said}{old}: {check.says}")
        if not (fresh and result and result.passed):
            commands_.append(at.say(_gate_run(check)))
            green = green and not fresh
    for one in _vetoes(at, id_, asked):
        details.append(f"Gate {one.check}: failed {one.time}, so nothing is accepted over it")
        commands_.append(at.say(f"gate run {one.check}"))
        green = False
    if green:
        commands_.append(at.say(f"promote accept {id_}"))
    commands_.append(at.say(f"promote redo {id_} --missing WHAT --verify COMMAND"))
    return Part(
        "judge", id_, f"{id_} waits for its audit", tuple(details), tuple(commands_),
        at.say.show(id_),
    )  # fmt: skip


def _gate_run(check: results.Check) -> str:
    return f"gate run {check.id}" if check.id.startswith("G") else _observe(check.id)


def _observe(id_: str) -> str:
    """Quoted, so that no shell takes the line for a pipe, and neither word is taken for said."""
    return f'gate run --result "{id_}=pass|fail" --evidence POINTER'


def _asked(at: _At) -> float:
    field = at.found.promotion.boundary if at.found.promotion else None
    said = field.text if field else ""
    return when.instant(said.partition("asked ")[2].partition(" ")[0].rstrip(")"))


def _checks(at: _At, id_: str) -> Iterator[tuple[results.Check, Result | None]]:
    judge = writer(at.run, "directives")
    for one in _milestones(at, id_):
        for check in promotion.wanted(at.run, one):
            yield check, results.newest(at.gathered, check.id, (judge, "owner"))


def _vetoes(at: _At, id_: str, asked: float) -> Iterator[Result]:
    who = (writer(at.run, "directives"), "owner")
    for one in _milestones(at, id_):
        yield from promotion.vetoes(at.run, one, at.gathered, who=who, asked=asked)


def _milestones(at: _At, id_: str) -> Iterator[Milestone]:
    milestones = at.run.record.spec.milestones if at.run.record else ()
    yield from (one for one in milestones if header.same_id(id_, [one.id]))


def _checkpoint(at: _At, audited: int | None) -> Iterator[Part]:
    """Audited work that no commit holds yet, as far as acts.jsonl tells."""
    queue = at.run.directives()
    if not audited or queue is None or not checkpoint.granted(queue):
        return
    done, seen = at.beside.done.get("checkpoint", ""), at.beside.done.get("audited", "")
    if seen and when.instant(seen) > when.instant(done):
        said = f"audited through R{audited} since the last checkpoint"
        yield Part("checkpoint", "", said, (), (at.say("checkpoint"),))


# Caps ------------------------------------------------------------------------------------------


class _Size(NamedTuple):
    """How full something is."""

    what: str
    size: int
    cap: str
    """The knob."""
    way: str
    """The command that makes room."""


def _executor_sizes(at: _At) -> list[_Size]:
    found = at.found
    return [
        _Size("debt rows", len(found.gaps), "GAP_CAP", "gap park"),
        _Size("cards", len(found.cards), "OWNER_CAP", ""),
        _Size("metric rows", len(found.metrics), "METRIC_CAP", ""),
        *_file_sizes(at, LEDGER, "rotate"),
        *_file_sizes(at, "ops.md", "context replace"),
    ]


def _judge_sizes(at: _At) -> list[_Size]:
    queue = at.run.directives()
    if queue is None:
        return []
    waiting = len(queue.waiting(at.found.folded))
    return [
        _Size("open corrections", waiting, "OPEN_DIRECTIVE_CAP", ""),
        _Size("standing entries", len(queue.standing), "STANDING_CAP", ""),
        _Size("cards", len(queue.cards), "OWNER_CAP", ""),
        *_file_sizes(at, DIRECTIVES, "directive rotate"),
    ]


def _file_sizes(at: _At, name: str, way: str) -> list[_Size]:
    source = at.run.files.get(name, "")
    return [
        _Size(f"lines of {name}", source.count("\n"), "FILE_LINE_CAP", way),
        _Size(
            f"bytes of {name}",
            len(source.encode("utf-8", "surrogatepass")),
            "FILE_BYTE_CAP",
            way,
        ),
    ]


def _full(at: _At, sizes: list[_Size]) -> Iterator[Part]:
    for one in sizes:
        cap = at.run.knob(one.cap)
        if not isinstance(cap, int) or not one.size or one.size < cap * _NEAR:
            continue
        way = (at.say(one.way),) if one.way else ()
        yield Part("cap", "", f"{one.size} of {cap} {one.what} ({one.cap})", (), way)


# Others ----------------------------------------------------------------------------------------


def _scout(at: _At) -> Iterator[Part]:
    yield from _stops(at)
    yield from _end(at)
    if at.board.status == law.ACTIVE:
        say = at.say("finding add LEAD")
        yield Part("item", "", "look where scout.md says, and write leads down", (), (say,))
    yield from _full(at, _file_sizes(at, "findings.md", ""))


def _owner(at: _At) -> Iterator[Part]:
    yield from _stops(at)
    yield from _end(at)
    for file in (LEDGER, DIRECTIVES):
        for card in _carded(at, file):
            if card.chosen():
                continue
            details = tuple(f"{letter}: {said}" for letter, said in card.options().items())
            command = at.say(f"owner answer {card.id or 'OB-nnn'} LETTER")
            yield Part("card", card.id or "", card.decision or "?", details, (command,))
    if writer(at.run, "directives") == "owner" and not at.beside.stops:
        yield from _judging(at)
        yield from _full(at, _judge_sizes(at))


_PARTS: Final = {"executor": _executor, "supervisor": _judge, "scout": _scout, "owner": _owner}
