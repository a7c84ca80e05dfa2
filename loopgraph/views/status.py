"""Where one run stands: a value made from what its files say, and its JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from loopgraph.edges import answers, fields
from loopgraph.edges.beside import Beside
from loopgraph.edges.ledger import Convergence, Ledger, Net
from loopgraph.edges.run import Run
from loopgraph.model import contract, states
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_
from loopgraph.plain import header, law
from loopgraph.views import shape

SCHEMA: Final = "loopgraph/status/1"

ACTIVE, UNKNOWN, OWNER, STALLED, FINISHED = 0, 2, 3, 4, 5

EXIT_CODES: Final[tuple[tuple[int, str], ...]] = (
    (ACTIVE, N_("active, or exit-ready with a supervisor who judges it")),
    (UNKNOWN, N_("unreadable, or its Run status is no known word")),
    (OWNER, N_("waits for the owner: a card, a STOP file, a judgement without a supervisor")),
    (STALLED, N_("stalled, and nothing waits for the owner")),
    (FINISHED, N_("finished: the run is closed, whatever else waits")),
)
"""The exit codes of `status`: closed goes first, then what waits for the owner, then stalled."""

_LAST: Final = 5
"""Rounds that are shown."""


class Card(NamedTuple):
    """A decision that waits for the owner."""

    id: str | None
    file: str
    line: int
    decision: str | None
    why: str | None
    options: Mapping[str, str]
    """By letter; A is the recommended one."""
    relayed: str | None
    """The letter of an answer that a node has passed on, and that only the owner may confirm."""
    answer: str
    """The command that answers it; LETTER is to be chosen."""


class Converging(NamedTuple):
    """The Convergence tracker."""

    rounds: int | None
    every: int | None
    net: int | None
    cap: int | None
    due: bool | None


class Slice(NamedTuple):
    """The item that is worked on."""

    item: str | None
    write_set: str | None
    context: str | None
    verify: str | None
    done_when: str | None


class Legal(NamedTuple):
    """What the executor may work on next, as the Stop hook sees it."""

    id: str | None
    """Of a debt row; None for the current slice."""
    text: str
    verify: str | None


class Row(NamedTuple):
    """A row of the Gate scoreboard that is not closed."""

    gate: str | None
    status: str | None
    evidence: str | None


class Directive(NamedTuple):
    """A correction that is not folded yet."""

    id: str
    line: int
    date: str | None
    verdict: str | None
    boundary: str | None


class Recorded(NamedTuple):
    """A round of the log."""

    number: int
    date: str | None
    converge: bool
    under_way: bool
    item: str | None
    verify: str | None
    added: int | None
    removed: int | None


class File(NamedTuple):
    """A live file against its caps."""

    name: str
    lines: int
    bytes: int
    line_cap: int | None
    byte_cap: int | None


class Timer(NamedTuple):
    """A node's timer, as far as somebody noted it."""

    node: str
    interval: str | None
    id: str | None
    last: str | None
    """When the node ran its last command."""
    next: str | None


class Stop(NamedTuple):
    """A STOP file."""

    file: str
    who: str | None
    when: str | None
    why: str | None


class Session(NamedTuple):
    """A session that is bound to the run."""

    id: str
    node: str
    since: str | None
    blocked: str | None
    """Why it says that only somebody outside can help."""


class Plan(NamedTuple):
    """A plan that is worked on in the workspace."""

    id: str
    plan: str
    open: int | None
    total: int | None
    sessions: tuple[str, ...]


class Loop(NamedTuple):
    """A loop that holds a session of the workspace."""

    task: str
    iteration: int
    most: int | None
    session: str


class Status(NamedTuple):
    """One run. None is unknown, never zero."""

    run: str
    exit: int
    waits: str | None
    """What waits for the owner: `card`, `stop`, `closing`, `audit`; None where nothing does."""
    status: states.RunStatus | None
    status_said: str | None
    """The field as it is written, with its note."""
    gate: states.GateState | None
    milestone: str | None
    milestone_said: str | None
    round: int | None
    net: Net | None
    pack: str | None
    created: str | None
    convergence: Converging | None
    discovery: str | None
    slice: Slice | None
    legal: Legal | None
    open_gates: tuple[Row, ...] | None
    gates: int | None
    """Rows in all."""
    gaps: Mapping[str, int] | None
    """Live debt rows by priority; `?` for those without one."""
    cards: tuple[Card, ...]
    answered: tuple[str, ...]
    """Cards whose answers still stand in the live files."""
    folded: str | None
    """The watermark: `D-003`, `none`."""
    directives: tuple[Directive, ...] | None
    directive_cap: int | None
    audited: int | None
    rounds: tuple[Recorded, ...] | None
    files: tuple[File, ...]
    timers: tuple[Timer, ...]
    stops: tuple[Stop, ...]
    sessions: tuple[Session, ...]
    plans: tuple[Plan, ...]
    loops: tuple[Loop, ...]
    errors: int | None
    warnings: int | None
    problems: tuple[str, ...]
    """What beside the run cannot be read."""


# The value -------------------------------------------------------------------------------------


def summarise(
    run: Run,
    name: str,
    beside: Beside,
    findings: Sequence[Finding] | None = None,
    *,
    named: str = "",
) -> Status:
    """What a run says; the caller has seen that its ledger is there.

    `named`: how a command names it, where that is not its name.
    """
    ledger, queue = run.ledger(), run.directives()
    board = law.Board(run.files.get("ledger.md", ""))
    prompt = run.files.get("executor.md", "")
    cards = tuple(_cards(run, named or name))
    waits = _waits(run, ledger, beside, cards)
    spec = run.record.spec if run.record else None
    rounds = tuple(_rounds(ledger)) if ledger and _has(run, "Rounds log") else None
    return Status(
        run=name,
        exit=_exit(ledger, waits),
        waits=waits,
        status=ledger.status if ledger else None,
        status_said=_field(ledger, "Run status"),
        gate=ledger.gate if ledger else None,
        milestone=ledger.milestone if ledger else None,
        milestone_said=_field(ledger, "Current milestone"),
        round=ledger.round if ledger else None,
        net=ledger.net if ledger else None,
        pack=spec.pack.name if spec else None,
        created=spec.created if spec else None,
        convergence=_converging(ledger.convergence, due=board.due) if ledger else None,
        discovery=_field(ledger, "Discovery tracker"),
        slice=_slice(ledger),
        legal=legal(board, prompt),
        open_gates=_open_gates(ledger) if ledger and _has(run, "Gate scoreboard") else None,
        gates=len(ledger.scoreboard) if ledger and _has(run, "Gate scoreboard") else None,
        gaps=_gaps(ledger) if ledger and _has(run, "Debt & gap register") else None,
        cards=cards,
        answered=tuple(one.id for one in _answers(run)),
        folded=_folded(ledger),
        directives=tuple(
            Directive(one.id, one.line, one.date, one.verdict, one.boundary)
            for one in queue.waiting(ledger.folded if ledger else None)
        )
        if queue
        else None,
        directive_cap=_count(run.knob("OPEN_DIRECTIVE_CAP")),
        audited=queue.state.audited if queue and queue.state else None,
        rounds=rounds[-_LAST:] if rounds is not None else None,
        files=tuple(_files(run)),
        timers=tuple(_timers(run, beside)),
        stops=tuple(
            Stop(one.file, one.said.who or None, one.said.when or None, one.said.why or None)
            for one in beside.stops
        ),
        sessions=tuple(_sessions(beside)),
        plans=tuple(Plan(p.id, p.plan, p.open, p.total, p.sessions) for p in beside.plans),
        loops=tuple(Loop(one.task, one.iteration, one.most, one.session) for one in beside.loops),
        errors=_level(findings, "error"),
        warnings=_level(findings, "warning"),
        problems=beside.problems,
    )


def _exit(ledger: Ledger | None, waits: str | None) -> int:
    """Closed first, then what waits for the owner, then stalled."""
    status = ledger.status if ledger else None
    if status == "closed":
        return FINISHED
    if waits:
        return OWNER
    if status == "stalled":
        return STALLED
    return UNKNOWN if status is None else ACTIVE


def _waits(run: Run, ledger: Ledger | None, beside: Beside, cards: tuple[Card, ...]) -> str | None:
    """What only the owner can move on; a run without a supervisor has the owner for its judge."""
    if ledger is None or ledger.status == "closed":
        return None
    if cards:
        return "card"
    if beside.stops:
        return "stop"
    return _judges(run, ledger)


def _judges(run: Run, ledger: Ledger) -> str | None:
    """What waits for the owner as the judge; what the executor has only to fold does not."""
    queue = run.directives()
    if run.record is None or run.record.spec.node("supervisor") is not None:
        return None
    if queue and queue.judged(ledger.folded, ledger.milestone):
        return None
    asked = ledger.promotion and not ledger.promotion.empty
    if ledger.gate == law.PENDING or (asked and ledger.gate != "passed"):
        return "audit"
    return "closing" if ledger.status == "exit-ready" else None


def legal(board: law.Board, prompt: str) -> Legal | None:
    """The item that the Stop hook would hold an executor's session on."""
    item = board.legal(law.planned(prompt, board.milestone))
    return None if item is None else Legal(item.id or None, item.text, item.verify or None)


def _has(run: Run, title: str) -> bool:
    document = run.document("ledger.md")
    return bool(document and document.section(title))


def _field(ledger: Ledger | None, name: str) -> str | None:
    found = ledger.fields.get(name) if ledger else None
    return (found.text or None) if found else None


def _folded(ledger: Ledger | None) -> str | None:
    if ledger is None or ledger.folded is None:
        return None
    return f"D-{ledger.folded:03}" if ledger.folded else "none"


def _converging(found: Convergence | None, *, due: bool) -> Converging | None:
    if found is None:
        return None
    return Converging(found.k, found.every, found.m, found.cap, due or found.due)


def _slice(ledger: Ledger | None) -> Slice | None:
    found = ledger.slice if ledger else None
    if found is None:
        return None
    parts = (found.item, found.write_set, found.context, found.verify, found.done_when)
    return Slice(*(part.text or None if part else None for part in parts))


def _open_gates(ledger: Ledger) -> tuple[Row, ...]:
    return tuple(
        Row(row.gate, row.said, row.evidence) for row in ledger.scoreboard if row.status != "closed"
    )


def _gaps(ledger: Ledger) -> dict[str, int]:
    found = Counter(
        gap.priority if gap.priority in states.PRIORITIES else "?" for gap in ledger.gaps
    )
    return {name: found[name] for name in (*states.PRIORITIES, "?") if name != "?" or found["?"]}


def _cards(run: Run, name: str) -> Iterator[Card]:
    relayed = {one.id: one.letter for one in _answers(run)}
    for file, found in (("ledger.md", run.ledger()), ("directives.md", run.directives())):
        for card in [one for one in found.cards if not one.chosen()] if found else ():
            yield _card(card, file, name, relayed.get(card.id or ""))


def _card(card: fields.Card, file: str, name: str, relayed: str | None) -> Card:
    return Card(
        card.id,
        file,
        card.line,
        card.decision,
        card.why,
        card.options(),
        relayed,
        f"loopgraph owner answer {card.id or 'OB-nnn'} LETTER --run {name}",
    )


def _answers(run: Run) -> list[answers.Answer]:
    documents = [run.document(file) for file in ("ledger.md", "directives.md")]
    return [answer for document in documents if document for answer in answers.read(document)]


def _rounds(ledger: Ledger) -> Iterator[Recorded]:
    for one in ledger.rounds:
        net = one.net or Net(*(None, None))  # type: ignore[arg-type]
        ahead = one.block and ledger.round is not None and one.number > ledger.round
        yield Recorded(
            one.number, one.date, one.converge, ahead, one.item, one.verify, net.added, net.removed
        )


def _files(run: Run) -> Iterator[File]:
    for name in contract.LIVE:
        text = run.files.get(name)
        if text is None:
            continue
        lines = text.count("\n") + (not text.endswith("\n") and text != "")
        yield File(
            name,
            lines,
            len(text.encode("utf-8", "surrogatepass")),
            _count(run.knob("FILE_LINE_CAP")),
            _count(run.knob("FILE_BYTE_CAP")),
        )


def _count(value: int | str | None) -> int | None:
    return value if isinstance(value, int) else None


def _timers(run: Run, beside: Beside) -> Iterator[Timer]:
    ops = run.ops()
    noted = {row.node: row for row in (ops.timers or ())} if ops else {}
    intervals: dict[str, str | None] = {}
    if run.record:
        intervals = {node.role: node.interval for node in run.record.spec.nodes}
    else:
        intervals = {row.node: row.interval for row in noted.values() if row.node}
    for node, interval in intervals.items():
        row = noted.get(node)
        id_ = row.id if row and row.id and not header.is_none(row.id) else None
        yield Timer(node, interval, id_, beside.acts.get(node), None)


def _sessions(beside: Beside) -> Iterator[Session]:
    why = {block.session: block.reason for block in beside.blocks}
    for id_, one in beside.bindings.items():
        bare = id_.rpartition(":")[2]
        yield Session(id_, one.role, one.at or None, why.get(id_, why.get(bare)))


def _level(findings: Sequence[Finding] | None, level: Literal["error", "warning"]) -> int | None:
    if findings is None:
        return None
    return sum(finding.level == level for finding in findings)


# JSON ------------------------------------------------------------------------------------------


def data(status: Status) -> dict[str, Any]:
    """The value as plain data."""
    return {"schema": SCHEMA, **shape.plain(status)}


def schema() -> dict[str, Any]:
    """The published schema of `data`."""
    return shape.schema(Status, SCHEMA, "What loopgraph status says of a run; null is unknown")
