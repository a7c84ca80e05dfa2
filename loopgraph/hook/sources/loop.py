"""The source `loop`: a file whose prompt is given again until a promise or a number is met."""

from __future__ import annotations

import os

from loopgraph.disk import floor
from loopgraph.hook import rivals, valves
from loopgraph.hook.sources import Claim, LetGo
from loopgraph.plain import answer, loopfile, places, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from loopgraph.hook.guard import Stop
    from loopgraph.hook.world import World

_MANY = 200
"""So many loops of one folder are looked at."""
_ENCODING = ("utf-8", "surrogateescape")
"""Bytes that are no text stay what they are."""


class _File:
    """A loop file that is this session's."""

    __slots__ = ("loop", "owner", "path", "why")

    def __init__(self, path: str, owner: str) -> None:
        self.path, self.owner = path, owner
        """`own`, or the tool that wrote it."""
        self.loop: loopfile.Loop | None = None
        self.why = ""

    def read(self, world: World) -> bool:
        """Read it; False where there is no such file. Why it says nothing stands in `why`."""
        data = world.read(self.path, loopfile.LIMIT)
        if data is None:
            return False
        self.loop, self.why = None, ""
        try:
            self.loop = loopfile.Loop(data.decode(*_ENCODING))
        except loopfile.CorruptError as error:
            self.why = str(error)
        return True


def claim(stop: Stop, world: World) -> Claim | None:
    """The loop of a session, with everything that ends it."""
    files = _mine(stop, world)
    whole = [(file, file.loop) for file in files if file.loop is not None]
    loops = [(file, loop) for file, loop in whole if not loop.copy_of]
    if loops:
        first, loop = min(loops, key=_rank)
        # A loop and the copy of it that `sync` writes are one: they count and end together.
        twins = [file for file, other in whole if other.prompt == loop.prompt]
        return _claim(stop, world, loop, [first, *(file for file in twins if file is not first)])
    broken = [file for file in files if file.loop is None]
    if not broken:
        for file in files:
            world.note(f"{file.path}: a copy, and its task has ended")
        return None
    found = Claim("loop", broken[0].path)
    said = f"the loop file is corrupt ({broken[0].why}): {broken[0].path}"
    found.ended = LetGo("corrupt", said, shown=True, act=_setter_aside(broken, world))
    return found


def _rank(found: tuple[_File, loopfile.Loop]) -> tuple[bool, float, str]:
    """Of several loops the one that is on, and of those the newest."""
    file, loop = found
    return not loop.active, -when.instant(loop.values.get("started_at")), file.path


def _claim(stop: Stop, world: World, loop: loopfile.Loop, files: list[_File]) -> Claim:
    found = Claim("loop", files[0].path)
    found.reason = lambda: loop.prompt.encode(*_ENCODING).decode("utf-8", "replace")
    found.counted = loop.max_iterations <= loopfile.ENDLESS
    found.endless = loop.endless
    name = places.file_name(stop.session)
    found.watched = [
        f"{world.root}/{places.STATES}/{name}.json",
        f"{world.root}/{places.SEED_STATES}/long-term-task/{name}.json",
        f"{world.home}/{places.GLOBAL_FOLDER}/state/long-term-task/{name}.json",
    ]
    found.act = lambda: _count(files, loop.iteration, world)
    found.ended = _ended(stop, loop, world)
    if found.ended is None:
        return found
    if found.ended.why == "corrupt":
        found.ended.act = _setter_aside(files, world)
    elif found.ended.why != "owner-stop":
        found.ended.act = _remover(files, world)
    return found


def _ended(stop: Stop, loop: loopfile.Loop, world: World) -> LetGo | None:
    """Why a loop is over, None while it goes on."""
    if not loop.active:
        return LetGo("owner-stop", "the loop is switched off")
    if loop.promise is not None and not loop.strict:
        said = stop.message
        if said is None:
            world.note("the payload has no message: the transcript is asked")
            said = valves.last_answer(stop.transcript)
        if said is None:
            why = "neither the payload nor the transcript holds an answer: the loop ends"
            return LetGo("corrupt", why, shown=True)
        if answer.promised(said, loop.promise):
            return LetGo("promise", "the promise is said: the loop is over")
    if 0 < loop.max_iterations <= loop.iteration:
        why = f"the loop has reached its limit of {loop.max_iterations} iterations"
        return LetGo("iterations", why, shown=True)
    return None


# Which files are this session's --------------------------------------------------------------


def _mine(stop: Stop, world: World) -> list[_File]:
    """Every loop file that is bound to the session, ours first."""
    candidates = [
        *((path, "own") for path in _listed(f"{world.root}/{places.LOOPS}")),
        *((f"{base}/{places.SEED_LOOP}", "omx") for base in world.everywhere),
    ]
    if world.home:
        listed = _listed(f"{world.home}/{places.GLOBAL_LOOPS}")
        candidates += [(path, "omx") for path in listed]
        candidates.append((f"{world.home}/{places.GLOBAL_LOOP}", "omx"))
    candidates += [(f"{base}/{places.PLUGIN_LOOP}", "plugin") for base in world.everywhere]
    found: list[_File] = []
    rival: dict[str, bool] = {}
    for path, owner in candidates:
        file = _File(path, owner)
        if not os.path.lexists(path) or not file.read(world) or not _bound(file, stop, world):
            continue
        if owner != "own" and owner not in rival:
            rival[owner] = rivals.registered(owner, world, stop.dialect.PREFIX)
        if rival.get(owner):
            world.note(f"{path}: the hook of that tool is registered too, so it is left to it")
            continue
        found.append(file)
    return found


def _listed(folder: str) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".md"))
    except OSError:
        return []
    return [f"{folder}/{name}" for name in names[:_MANY] if name[0] != "."]


def _bound(file: _File, stop: Stop, world: World) -> bool:
    """Whether a file is the session's; nothing that is unbound becomes so by a Stop."""
    if file.loop is not None:
        session = file.loop.session
        if places.same_session(session, stop.session, stop.dialect.PREFIX):
            return True
        world.note(f"{file.path}: bound to {'another session' if session.strip() else 'nobody'}")
        return False
    said = _readable_session(file, world)
    if said is not None:
        return places.same_session(said, stop.session, stop.dialect.PREFIX)
    # Nobody can tell whose it was. It is no loop any more; a page among loops never was one.
    alone = os.path.basename(os.path.dirname(file.path)) not in ("loops", "ralph-loops")
    return alone or file.why != loopfile.NO_FRONT_MATTER


def _readable_session(file: _File, world: World) -> str | None:
    """The session in a corrupt file's front matter, None where none can be read."""
    data = world.read(file.path, loopfile.LIMIT) or b""
    for line in data.decode(*_ENCODING).split("\n")[:100]:
        key, colon, value = line.partition(":")
        if colon and key.strip() == "session_id":
            return value.strip().strip("\"'")
    return None


# What is written -----------------------------------------------------------------------------


def _lock(file: _File, world: World) -> floor.Lock:
    """The lock of the commands, where there is one: what they cancel is not written again."""
    everywhere = f"{world.home}/{places.GLOBAL_FOLDER}"
    path = f"{everywhere}/.lock" if file.path.startswith(everywhere) else ""
    return floor.Lock(path or f"{world.root}/{places.LOCK}", wait=2.0, create=False)


def _count(files: list[_File], before: int, world: World) -> bool:
    """Write the next number into the file and its copies; whether that was possible."""
    counted = [_counted(file, before + 1, world) for file in files]
    return any(counted)


def _counted(file: _File, number: int, world: World) -> bool:
    with _lock(file, world):
        # Read again: whoever cancelled it meanwhile must not find it back.
        if not file.read(world) or file.loop is None or not file.loop.active:
            return False
        text = file.loop.with_value("iteration", str(number))
        try:
            mode = os.stat(file.path).st_mode & 0o777
            floor.replace(file.path, text.encode(*_ENCODING), mode=mode)
        except OSError as error:
            world.complaints.append(f"{file.path}: {error.strerror}")
            return False
    return True


def _remover(files: list[_File], world: World) -> Callable[[], None]:
    def act() -> None:
        for file in files:
            with _lock(file, world):
                if not floor.remove(file.path):
                    world.complaints.append(f"{file.path}: cannot be removed")

    return act


def _setter_aside(files: list[_File], world: World) -> Callable[[], None]:
    def act() -> None:
        for file in files:
            if file.owner == "plugin":
                continue
            with _lock(file, world):
                try:
                    os.replace(file.path, f"{file.path}.corrupt")
                except OSError as error:
                    world.complaints.append(f"{file.path}: {error.strerror}")

    return act
