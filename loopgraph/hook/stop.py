"""`loopgraph hook …`: reads a payload, answers it, and never fails: a fault lets the turn end."""

from __future__ import annotations

import os
import sys

from loopgraph.hook import guard, journal
from loopgraph.hook.clock import Clock
from loopgraph.hook.guard import NoStop
from loopgraph.hook.memory import Memory
from loopgraph.hook.world import World
from loopgraph.plain import jsontext, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Never

    from loopgraph.hook.decide import Decision

USAGE = "loopgraph: hook stop | subagent-stop | explain | log; see: loopgraph hook --help"
_DRAINED = 256 * 1024 * 1024
"""A host that sends more than this may find the pipe closed."""


class Answer:
    """What a call prints."""

    __slots__ = ("err", "out", "trail")

    def __init__(self, out: str = "", err: str = "") -> None:
        self.out, self.err = out, err
        self.trail: list[str] = []


def main(arguments: list[str]) -> int:
    """Run the subcommand; 0, or 1 for one that nobody knows."""
    name = next((word for word in arguments if not word.startswith("-")), "")
    if not name and "--help" in arguments:
        _print(1, USAGE + "\n")
        return 0
    if name not in ("stop", "subagent-stop", "explain", "log"):
        _print(2, USAGE + "\n")
        return 1
    try:
        answer = _run(name, arguments)
    except BaseException as fault:  # noqa: BLE001  whatever it is, the turn may end
        answer = Answer("", f"loopgraph: hook {name}: {_plain(fault)}")
    if answer.err:
        _print(2, answer.err + "\n")
    if answer.out:
        _print(1, answer.out)
    return 0


def leave(code: int) -> Never:
    """End the process at once: the interpreter's long farewell would double the hook's own cost."""
    os._exit(code)


def _run(name: str, arguments: list[str]) -> Answer:
    environ = os.environ
    if name == "log":
        entries = journal.read(places.state_folder(environ, sys.platform))
        return Answer("".join(f"{journal.shown(entry)}\n" for entry in entries))
    clock = Clock(environ, fresh=True)
    data = _input()
    if name == "subagent-stop":
        return Answer()
    answer = respond(data, environ, clock, host=_host(arguments), dry=name == "explain")
    if name == "explain":
        return Answer("".join(f"{step}\n" for step in answer.trail), answer.err)
    return answer


def _host(arguments: list[str]) -> str:
    """The host that `--host` names, if it does."""
    for at, word in enumerate(arguments):
        if word == "--host":
            return "".join(arguments[at + 1 : at + 2])
        if word.startswith("--host="):
            return word.partition("=")[2]
    return ""


def respond(
    data: bytes, environ: Mapping[str, str], clock: Clock, *, host: str = "", dry: bool = False
) -> Answer:
    """The answer to a payload; nothing is written when `dry`."""
    stop = guard.read(data, host)
    if isinstance(stop, NoStop):
        answer = Answer("", f"loopgraph: hook: {stop.why}" if stop.loud else "")
        answer.trail = [f"let go: {stop.why}"]
        if stop.loud and not dry:
            folder = places.state_folder(environ, sys.platform)
            journal.write(
                folder, {"at": clock.text(), "answer": "go", "why": "guard", "said": stop.why}
            )
        return answer
    world = World(stop, environ)
    return _told(stop, world, clock, _judged(stop, world, clock, dry=dry), dry=dry)


def _judged(stop: guard.Stop, world: World, clock: Clock, *, dry: bool) -> Decision:
    """The decision; a fault on the way to it is one, too."""
    from loopgraph.hook import decide  # noqa: PLC0415  a payload that is no Stop needs none

    case = decide.Case(stop, world, Memory(world.state, stop.session), clock, dry=dry)
    try:
        if dry:
            case.memory.load()
            return decide.decide(case)
        try:
            lock = case.memory.lock()
        except OSError as error:
            world.complaints.append(f"the state folder cannot be used: {error.strerror or error}")
            return decide.decide(case)
        with lock:
            case.memory.load()
            if case.memory.broken:
                world.complaints.append("the memory of this session is broken: it begins anew")
            return decide.decide(case)
    except Exception as fault:  # noqa: BLE001  whatever it is, the turn may end
        world.complaints.insert(0, _plain(fault))
        return decide.Decision(block=False, why="fault", said=_plain(fault))


def _told(stop: guard.Stop, world: World, clock: Clock, decision: Decision, *, dry: bool) -> Answer:
    """What is printed and logged of a decision."""
    word = "block" if decision.block else "go"
    complaints = world.complaints
    if not dry:
        entry: dict[str, object] = {
            "at": clock.text(), "host": stop.dialect.NAME, "session": stop.session,
            "cwd": stop.cwd, "source": decision.source, "answer": word,
            "why": decision.why, "said": decision.said,
        }  # fmt: skip
        if complaints:
            entry["broken"] = complaints[:5]
        journal.write(world.state, entry)
    out: dict[str, object] = {}
    if decision.block:
        out = stop.dialect.block(decision.reason)
    elif decision.shown:
        out = stop.dialect.note(f"loopgraph let this session go: {decision.said}.")
    err = f"loopgraph: hook: {_line(complaints[0])}" if complaints else ""
    answer = Answer(jsontext.dumps(out) if out else "", err)
    answer.trail = [
        f"host: {stop.dialect.NAME} ({stop.dialect.CHECKED})",
        f"session: {stop.session}",
        f"root: {world.root}",
        *world.trail,
        *(f"broken: {complaint}" for complaint in complaints),
        f"{'block' if decision.block else 'let go'}: {decision.why}: {decision.said}",
    ]
    return answer


def _plain(fault: BaseException) -> str:
    return _line(f"{type(fault).__name__}: {fault}")


def _line(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)[:500]


def _input() -> bytes:
    """What stands on stdin, a little more than the guard takes; the rest is read and dropped."""
    parts: list[bytes] = []
    size = 0
    while part := os.read(0, 1 << 20):
        if size <= guard.LIMIT:
            parts.append(part)
        size += len(part)
        if size > _DRAINED:
            break
    return b"".join(parts)


def _print(handle: int, text: str) -> None:
    """Write to stdout or stderr; whoever closed it does not want to hear it."""
    view = memoryview(text.encode("utf-8", "replace"))
    try:
        while view:
            view = view[os.write(handle, view) :]
    except OSError:
        return
