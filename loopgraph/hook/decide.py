"""The decision: back to work, or let go; valves first, then the source, then the counts."""

from __future__ import annotations

from loopgraph.hook import progress, valves
from loopgraph.hook.sources import Claim, LetGo
from loopgraph.plain import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from loopgraph.hook.clock import Clock
    from loopgraph.hook.guard import Stop
    from loopgraph.hook.memory import Memory
    from loopgraph.hook.world import World

ALL = 1000
"""Blocks of a session in all; `endless` in the record lifts it."""
STALLED = 2
"""Stops without any progress after which a session is let go."""
TREE_ONLY = 10
"""Blocks in a row that a moving tree alone may bring: it may be another session's work."""
UNCAPPED = 8
"""The cap that hosts without one are taken to have."""
_REPEATS = 3
"""So many calls for one Stop are taken for installations side by side."""
_WINDOW = 30.0
"""Seconds within which they come."""
_DIGITS = 9
"""No cap that somebody sets has so many."""


class Decision:
    """What becomes of a Stop."""

    __slots__ = ("block", "reason", "said", "shown", "source", "why", "work")

    def __init__(self, *, block: bool, why: str, said: str) -> None:
        self.block = block
        self.why, self.said = why, said
        """A word and a sentence for the log."""
        self.reason = ""
        """What the session is told when it goes back."""
        self.shown = False
        """Whether the person is to see the sentence."""
        self.source = self.work = ""


class Case:
    """A Stop, and everything by which it is judged."""

    __slots__ = ("clock", "dry", "memory", "stop", "world")

    def __init__(
        self, stop: Stop, world: World, memory: Memory, clock: Clock, *, dry: bool = False
    ) -> None:
        self.stop, self.world, self.memory, self.clock = stop, world, memory, clock
        self.dry = dry
        """Whether nothing may be written."""


def decide(case: Case) -> Decision:
    """Judge a Stop."""
    stop, memory = case.stop, case.memory
    stopped = valves.owner_stop(case.world)
    if stopped:
        return _go(LetGo("owner-stop", f"the owner stopped this workspace: {stopped}"), None)
    claim = _claimed(case)
    if claim is None:
        return _go(LetGo("no-claim", "no loop, plan or run of this session is open"), None)
    case.world.note(f"claimed by the {claim.source} {claim.work}")
    again = _again(case)
    if again and memory.word("answer") == "go":
        return _go(LetGo("repeat", "this Stop was let go a moment ago"), claim)
    over = claim.ended or _said(case) or claim.let_go or _seen(case, claim)
    if over is None and claim.strict and stop.active:
        over = LetGo("reentry", "a hook sent the session back since the last prompt")
    if over is not None:
        return _let_go(case, claim, over)
    if again:
        if not case.dry:
            memory.set(repeats=memory.number("repeats") + 1)
            memory.save()
        return _block(claim, "another installation counted this Stop", claim.reason())
    return _counted(case, claim)


def _claimed(case: Case) -> Claim | None:
    """The first source that claims the session; one that has nothing here is not even loaded."""
    stop, world = case.stop, case.world
    found: Claim | None = None
    if world.any((places.LOOPS, places.SEED_LOOP, places.PLUGIN_LOOP), home=places.GLOBAL_FOLDER):
        from loopgraph.hook.sources import loop  # noqa: PLC0415

        found = loop.claim(stop, world)
    if found is None and world.any((places.BOULDER, places.PLANS)):
        from loopgraph.hook.sources import plan  # noqa: PLC0415

        found = plan.claim(stop, world)
    if world.any((places.BINDINGS,)):
        from loopgraph.hook.sources import run  # noqa: PLC0415

        bound = run.claim(stop, world, case.memory)
        found = bound if found is None else _beside(found, bound)
    return found


def _beside(claim: Claim, bound: Claim | None) -> Claim:
    """A claim of a session that is an executor, too: its run may be stopped, or wait."""
    if bound is not None:
        claim.cards = bound.cards
        claim.ended = claim.ended or bound.ended
        if bound.cards and bound.let_go is not None and bound.let_go.why == "waits":
            claim.let_go = claim.let_go or bound.let_go
    return claim


def _said(case: Case) -> LetGo | None:
    """Whether the session says that only somebody outside can help."""
    stop, memory = case.stop, case.memory
    if valves.marker(stop):
        return LetGo("blocked", "the answer says that it is blocked outside")
    at = valves.block_record(stop, case.world)
    if not at or (memory.word("blocked") == at and memory.word("blocked_turn") != stop.turn):
        return None
    over = LetGo("blocked", f"a report by command of {at} says that it is blocked outside")
    over.remember = {"blocked": at, "blocked_turn": stop.turn}
    return over


def _seen(case: Case, claim: Claim) -> LetGo | None:
    """Whether a person, the host or the context ends the turn."""
    stop, memory = case.stop, case.memory
    before = memory.words("cards")
    if memory.word("work") == _work(claim) and any(card not in before for card in claim.cards):
        over = LetGo("waits", "a decision card was asked since the last block")
        over.remember = {"cards": claim.cards}
        return over
    if valves.pressure(stop):
        return LetGo("pressure", "the transcript says that the context is full")
    if valves.in_flight(stop):
        return LetGo("in-flight", "the host wakes the session when a background task ends")
    if valves.host_error(stop):
        return LetGo("host-error", "the answer is an error of the host")
    return None


# Counting ------------------------------------------------------------------------------------


def _counted(case: Case, claim: Claim) -> Decision:
    """Block, where the counts allow it and can be written; else let go."""
    memory = case.memory
    said = "the loop's own number counts"
    if case.stop.dialect.CAP is not None:
        said += f", and this host's cap of {_cap(case)} blocks in a row"
    if claim.counted:
        over, said = _limits(case, claim)
        if over is not None:
            return _let_go(case, claim, over)
    reason = claim.reason()  # before anything is written: a fault in it must not count
    if not case.dry:
        memory.set(**_answered(case, "block"), work=_work(claim), cards=claim.cards)
        memory.set(**claim.remember)
        saved = memory.save()
        acted = claim.act is None or claim.act()
        if not (acted and (saved or not claim.counted)):
            case.world.complaints.append("the count cannot be written: one block a prompt is all")
            if case.stop.active:
                return _go(LetGo("no-count", "the count cannot be written"), claim)
    return _block(claim, said, reason)


def _limits(case: Case, claim: Claim) -> tuple[LetGo | None, str]:
    """Why the counts let go, and else what they say; the memory takes in the new ones."""
    stop, world, memory = case.stop, case.world, case.memory
    same = memory.word("work") == _work(claim)
    prompt = bool(stop.turn) and stop.turn != memory.word("turn")
    marks = progress.marks(claim.watched, world.git)
    tree = progress.tree(world, claim.write_set, claim.own)
    ticked = claim.ticked > memory.number("ticked") or marks != memory.word("marks")
    moved = tree != memory.word("tree")
    held, stalls, quiet = (memory.number(name) for name in ("held", "stalls", "quiet"))
    total = memory.number("total")
    if not same or prompt or ticked:
        held = stalls = quiet = 0
    elif moved:
        held = stalls = 0
    else:
        stalls += 1
    moving = "rows or records" if ticked else "files" if moved else "nothing"
    world.note(f"moved since the last block: {moving if same else 'unknown, it is the first'}")
    cap = max(1, _cap(case) - 1)
    why = ""
    # A strict work is sent back once a prompt, whatever moved: the host's flag is its limit.
    if stalls >= _stalled_after(world) and not claim.strict:
        why, said = "stalled", f"nothing has moved in {stalls} turns"
    elif quiet >= TREE_ONLY and moved:
        why, said = "stalled", f"files have moved for {quiet} turns, but no row and no record"
    elif held >= cap:
        why, said = "limit", f"{held} blocks in a row without progress"
    elif total >= ALL and not claim.endless:
        why, said = "limit", f"{total} blocks in this session"
    if why:
        return LetGo(why, said, shown=True), ""
    best = max(claim.ticked, memory.number("ticked")) if same else claim.ticked
    memory.set(held=held + 1, stalls=stalls, quiet=quiet + 1, total=total + 1)
    memory.set(ticked=best, marks=marks, tree=tree)
    return None, f"block {held + 1} of {cap} without progress, {total + 1} in all"


def _stalled_after(world: World) -> int:
    """Stops without progress that are one too many; the owner's settings may say another number."""
    said = world.setting("stalled_after")
    return said if type(said) is int and said > 0 else STALLED


def _cap(case: Case) -> int:
    """How many blocks in a row the host allows."""
    cap = case.stop.dialect.CAP
    variable = getattr(case.stop.dialect, "CAP_VARIABLE", "")
    said = case.world.environ.get(variable, "").strip() if variable else ""
    digits = said.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < _DIGITS:
        cap = int(said) if int(said) > 0 else None
    return UNCAPPED if cap is None else cap


# One Stop, several installations -------------------------------------------------------------


def _key(stop: Stop) -> str:
    """What two installations see alike of one Stop."""
    message = "-" if stop.message is None else "+" + stop.message
    said = f"{stop.session}\n{stop.turn}\n{stop.active}\n{message}"
    return places.digest(said.encode("utf-8", "surrogatepass"))


def _again(case: Case) -> bool:
    """Whether another process has just answered this very Stop.

    The same words alone don't say so: a session may say them twice. But the hook of its next Stop
    begins after this one's answer, and that of another installation before it.
    """
    memory, clock = case.memory, case.clock
    answered = memory.moment("answered")
    return (
        clock.started < answered <= clock.now() < answered + _WINDOW
        and memory.number("repeats") < _REPEATS
        and memory.word("key") == _key(case.stop)
    )


def _answered(case: Case, answer: str) -> dict[str, object]:
    """What the next call wants to know of this one."""
    return {
        "session": case.stop.session, "turn": case.stop.turn, "key": _key(case.stop),
        "answer": answer, "answered": case.clock.now(), "repeats": 0,
    }  # fmt: skip


# Decisions -----------------------------------------------------------------------------------


def _work(claim: Claim) -> str:
    return f"{claim.source}:{claim.work}"


def _let_go(case: Case, claim: Claim, over: LetGo) -> Decision:
    """Let go, do what is to be done, and remember it as far as that is possible."""
    if not case.dry:
        if over.act is not None:
            over.act()
        case.memory.set(**_answered(case, "go"), **over.remember)
        case.memory.save()
    return _go(over, claim)


def _go(over: LetGo, claim: Claim | None) -> Decision:
    found = Decision(block=False, why=over.why, said=over.said)
    found.shown = over.shown
    if claim is not None:
        found.source, found.work = claim.source, claim.work
    return found


def _block(claim: Claim, said: str, reason: str) -> Decision:
    found = Decision(block=True, why="block", said=f"{claim.source}: {said}")
    found.source, found.work, found.reason = claim.source, claim.work, reason
    return found
