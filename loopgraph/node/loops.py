"""Loops by command: start, bind, list, end. A hook counts them; nothing else does."""

from __future__ import annotations

from typing import Final, NamedTuple

from loopgraph.edges import loops as edge
from loopgraph.edges import state as evidence
from loopgraph.edges.loops import Index, Loop, Settings
from loopgraph.edges.places import FOREIGN, PROJECT, Change, Files, Layout
from loopgraph.model import evidence as law
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError, nearest
from loopgraph.model.languages import Language
from loopgraph.model.messages import _
from loopgraph.node import credentials, stops, wording
from loopgraph.node.speaker import Session, Speaker
from loopgraph.plain import loopfile, paths, places

_NAME_LIMIT: Final = 60
_GOAL_LIMIT: Final = 300
_ROOM: Final = 16 * 1024
"""Bytes of a loop file for what stands beside the prompt."""
_PASSED: Final = 9000
"""So many bytes of a prompt does every host pass on whole."""


class Call(NamedTuple):
    """What every command of a loop is told beside its own arguments."""

    layout: Layout
    speaker: Speaker
    now: str
    """RFC 3339."""

    @property
    def flags(self) -> str:
        """What the commands of this scope carry."""
        return "" if self.layout == PROJECT else " --global"


class Registry(NamedTuple):
    """Every loop of a scope."""

    loops: tuple[Loop, ...]
    others: tuple[Loop, ...]
    """Those in other tools' files."""
    known: Index
    """What the index said before."""

    @property
    def active(self) -> str | None:
        """The active task: the one that was activated, else the only one."""
        names = [loop.task for loop in self.loops]
        if self.known.active in names:
            return self.known.active
        return names[0] if len(names) == 1 else None


def wanted(layout: Layout) -> tuple[str, ...]:
    """The files that these commands read."""
    others = (*FOREIGN.values(), places.STOP) if layout == PROJECT else (layout.single,)
    return (f"{layout.loops}/*.md", layout.registry, *others, f"{layout.state}/*.json")


def read(files: Files, layout: Layout) -> Registry:
    """Every loop of a scope; a broken index is refused, a broken loop is told."""
    return Registry(
        edge.in_folder(files, layout),
        edge.of_others(files, layout),
        edge.read_index(files.get(layout.registry), layout.registry),
    )


# Starting -------------------------------------------------------------------------------------


def init(  # noqa: PLR0913  what a loop is made of
    files: Files,
    call: Call,
    *,
    task: str,
    prompt: str,
    settings: Settings,
    lang: Language,
    hook: bool = True,
) -> Change:
    """A new loop at its first iteration, with an empty evidence state beside it."""
    registry = read(files, call.layout)
    accept_name(task)
    _is_free(task, registry)
    _accept_settings(prompt, settings)
    if settings.session:
        _only_loop(registry, settings.session, but=task)
    if settings.strict:
        settings = settings._replace(promise=None)
    hints = wording.Hints(
        task,
        settings.promise,
        settings.strict,
        settings.auto_chunk,
        settings.max_output_chars,
        hook,
        call.flags,
    )
    path = call.layout.loop(task)
    body = wording.body(prompt, hints, lang)
    source = edge.write(settings._replace(started_at=call.now), body)
    state = call.layout.evidence(settings.session or task)
    size = len(body.encode("utf-8", "surrogateescape"))
    changes: dict[str, str | None] = {}
    if state in files:
        changes[_set_aside(files, state)] = files[state]
    changes |= {state: evidence.empty(_goal(prompt)), path: source}
    says = (*stops.note(files), *_told(call, task, settings, size=size, hook=hook))
    return _change(files, call, registry, changes, says)


def _told(call: Call, task: str, settings: Settings, *, size: int, hook: bool) -> tuple[str, ...]:
    path = call.layout.loop(task)
    lines = [_("{path} written", path=path)]
    bind = f"loopgraph loop bind {task}{call.flags}"
    if not hook:
        lines.append(
            _("No hook holds it. Paste into the session: Read {path} and follow it.", path=path)
        )
    elif settings.session:
        lines.append(_("Session {session} goes on until it ends.", session=settings.session))
    else:
        lines.append(_("It holds nobody yet. Paste into the session that is to do it:"))
        lines.append(_("Run `{bind}`, then follow what it prints.", bind=bind))
    if size > _PASSED and hook:
        lines.append(
            _(
                "The prompt has {size} bytes, and hosts cut it at 10,000: name files in it.",
                size=size,
            )
        )
    if settings.max_iterations <= 0 and hook:
        lines.append(_("It has no limit of its own: without progress the hook lets it go."))
    return tuple(lines)


def accept_name(task: str) -> None:
    """Refuse what is no name of a file on every system."""
    legal = all(char.isalnum() or char in "-_." for char in task)
    if not task or not legal or task[0] in ".-" or paths.inside(task) is None:
        raise UsageError(
            _("{task} is no name for a task", task=repr(task)),
            where="loop",
            fix=_("Use letters, digits, hyphens, and no blank."),
        )
    if len(task) > _NAME_LIMIT:
        raise UsageError(
            _("a task's name has at most {name_limit} characters", name_limit=_NAME_LIMIT),
            where="loop",
        )
    if task in FOREIGN:
        raise UsageError(
            _("that name means another tool's loop"), where=task, fix=_("Choose another.")
        )


def _is_free(task: str, registry: Registry) -> None:
    # Case-insensitive file systems hold twins that differ only in case.
    taken = next((loop for loop in registry.loops if loop.task.casefold() == task.casefold()), None)
    if taken:
        raise RefusedError(
            _("there is such a loop"),
            where=taken.path,
            fix=_("Choose another name, or end it: loopgraph loop cancel {task}", task=taken.task),
        )


def _accept_settings(prompt: str, settings: Settings) -> None:
    if not prompt.strip():
        raise UsageError(
            _("the prompt says nothing"), where="--prompt", fix=_("Say what is to be done.")
        )
    credentials.refuse(prompt, "--prompt")
    if len(prompt.encode("utf-8", "surrogateescape")) > loopfile.LIMIT - _ROOM:
        raise UsageError(
            _("larger than {value} KiB", value=(loopfile.LIMIT - _ROOM) >> 10),
            where="--prompt",
            fix=_("Name files in it; do not put them in."),
        )
    promise = settings.promise
    if promise is not None and (
        not promise.strip() or "promise>" in promise or not promise.isprintable()
    ):
        raise UsageError(
            _("a promise is one line of text"),
            where="--promise",
            fix=_("Choose a word such as DONE; `none` for no promise at all."),
        )
    if settings.max_output_chars < 1:
        raise UsageError(_("at least 1"), where=f"--max-chars {settings.max_output_chars}")


def _goal(prompt: str) -> str:
    first = next(line.strip() for line in prompt.splitlines() if line.strip())
    return first if len(first) <= _GOAL_LIMIT else first[: _GOAL_LIMIT - 1] + "…"


def _set_aside(files: Files, path: str) -> str:
    """A free name for an earlier state of the same session: nothing that was written is lost."""
    stem = path.removesuffix(".json")
    number = 1
    while f"{stem}.{number}.json" in files:
        number += 1
    return f"{stem}.{number}.json"


# Who runs which loop --------------------------------------------------------------------------


def bind(files: Files, call: Call, *, task: str | None, session: Session | None) -> Change:
    """Bind a session to a loop: from now on its Stop hook counts."""
    registry = read(files, call.layout)
    loop = _named(registry, task, call)
    if session is None:
        raise UsageError(
            _("nobody says which session"),
            where="loop bind",
            fix=_(
                "Say --session ID, or let the session run: loopgraph loop bind {task}",
                task=loop.task,
            ),
        )
    _readable(loop)
    _own(loop, call.speaker)
    _only_loop(registry, session.id, but=loop.task)
    changes: dict[str, str | None] = {
        loop.path: edge.with_session(files[loop.path], session.id, bare=loop.task == "claude"),
        **_state_follows(files, call, loop, session.id),
    }
    bound = _("Session {id} is bound to {task}. Its task:", id=session.id, task=loop.task)
    says = (*stops.note(files), bound, "", loop.prompt)
    return _change(files, call, registry, changes, says)


def _state_follows(files: Files, call: Call, loop: Loop, session: str) -> dict[str, str | None]:
    """The evidence state goes with the loop to the session that now runs it."""
    old = evidence_path(files, call.layout, loop)
    new = call.layout.evidence(session)
    if old == new or old not in files:
        return {} if new in files else {new: evidence.empty(_goal(loop.prompt))}
    moved: dict[str, str | None] = {new: files[old], old: None}
    if new in files:
        moved[_set_aside(files, new)] = files[new]
    return moved


def evidence_path(files: Files, layout: Layout, loop: Loop) -> str:
    """Where a loop's evidence state is: its session's, else the one under its own name."""
    own = layout.evidence(loop.session) if loop.session else ""
    return own if own in files else layout.evidence(loop.task)


def _only_loop(registry: Registry, session: str, *, but: str) -> None:
    """A session runs one loop, so that nobody has to guess which one a Stop is about."""
    for loop in registry.loops:
        same = places.bare_id(loop.session) == places.bare_id(session)
        if loop.task != but and same and not loop.problem:
            raise RefusedError(
                _("session {session} runs {task}", session=session, task=loop.task),
                where=loop.path,
                fix=_("End that first: loopgraph loop done {task}", task=loop.task),
            )


def _own(loop: Loop, speaker: Speaker) -> None:
    """An agent touches no loop of another session."""
    if not (speaker.agent and loop.session):
        return
    if not any(session.is_named(loop.session) for session in speaker.sessions):
        raise RefusedError(
            _("it belongs to another session"),
            where=loop.path,
            fix=_("Leave it to that session, or to the owner."),
        )


def _readable(loop: Loop) -> None:
    if loop.problem:
        raise RefusedError(
            _("it cannot be read: {problem}", problem=loop.problem),
            where=loop.path,
            fix=_("Mend it, or remove it: loopgraph loop cancel {task}", task=loop.task),
        )


def _named(registry: Registry, task: str | None, call: Call) -> Loop:
    """The loop that was named, else the session's own, else the active one."""
    every = {loop.task: loop for loop in (*registry.others, *registry.loops)}
    if task is not None:
        if task in every:
            return every[task]
        fix = nearest(task, every) if every else _("There is no loop here yet.")
        raise UsageError(_("no such loop"), where=task, fix=fix)
    for session in call.speaker.sessions:
        own = [loop for loop in every.values() if session.is_named(loop.session)]
        if own:
            return own[-1]
    if registry.active is not None:
        return every[registry.active]
    what = (
        _("{count} loops here, and none was named", count=len(every))
        if every
        else _("no loop here")
    )
    fix = (
        _("Name one: {every}", every=", ".join(every))
        if every
        else _("Make one with: loopgraph loop init")
    )
    raise UsageError(what, where=call.layout.loops, fix=fix)


def named(files: Files, call: Call, task: str | None) -> Loop:
    """The loop that a question is about."""
    return _named(read(files, call.layout), task, call)


def activate(files: Files, call: Call, *, task: str) -> Change:
    """Make a task the active one of its scope."""
    registry = read(files, call.layout)
    loop = _named(registry, task, call)
    if loop.foreign:
        raise UsageError(_("another tool's loop is not activated here"), where=loop.path)
    chosen = registry._replace(known=registry.known._replace(active=task))
    return _change(files, call, chosen, {}, (_("{task} is the active task.", task=task),))


def sync(files: Files, call: Call) -> Change:
    """Make the index anew from the loop files, and the active task's copy for other tools."""
    layout = call.layout
    registry = Registry(
        edge.in_folder(files, layout), edge.of_others(files, layout), _index_or_none(files, layout)
    )
    changes, copied = _copy(files, layout, registry.active)
    says = [
        _("{registry}: {value} loops", registry=layout.registry, value=len(registry.loops)),
        *copied,
    ]
    says += [f"{loop.path}: {loop.problem}" for loop in registry.loops if loop.problem]
    return _change(files, call, registry, changes, tuple(says))


def _index_or_none(files: Files, layout: Layout) -> Index:
    try:
        return edge.read_index(files.get(layout.registry), layout.registry)
    except UnreadableError:
        return Index(None, {})


def _copy(
    files: Files, layout: Layout, active: str | None
) -> tuple[dict[str, str | None], list[str]]:
    there = layout.single in files
    if there and not edge.read("", layout.single, files[layout.single]).copy_of:
        return {}, [_("{single} is a loop of its own: left as it is.", single=layout.single)]
    source = files.get(layout.loop(active)) if active else None
    if source is None or edge.read("", "", source).problem:
        return ({layout.single: None} if there else {}), []
    return {layout.single: edge.copy(source, active or "")}, [f"{layout.single}: {active}"]


# Ending ---------------------------------------------------------------------------------------


def done(files: Files, call: Call, *, task: str | None, anyway: bool = False) -> Change:
    """End a loop whose work is done; without evidence only where somebody says anyway."""
    registry = read(files, call.layout)
    loop = _named(registry, task, call)
    _own(loop, call.speaker)
    place = evidence_path(files, call.layout, loop)
    changes: dict[str, str | None] = {loop.path: None}
    if not loop.foreign or place in files:
        found = evidence.read(files.get(place), place)
        missing = lacks(found)
        if missing and not anyway:
            raise RefusedError(
                missing, where=place, fix=_("Write it with: loopgraph state set; or say --anyway.")
            )
        changes[place] = evidence.changed(files.get(place), place, {"current_phase": "done"})
    return _change(
        files,
        call,
        registry,
        changes,
        (_("{task} is done: {path} removed.", task=loop.task, path=loop.path),),
    )


def lacks(found: evidence.Evidence) -> str:
    """What an evidence state lacks before its task may be called done; empty where nothing."""
    if not found.last_verified:
        return _("last_verified says nothing")
    if pointless := law.unpointed(found.last_verified):
        return _("last_verified points at nothing that shows it: {first}", first=pointless[0])
    if not found.next_actions:
        return _("next_actions is empty")
    vague = [(action, why) for action in found.next_actions if (why := law.vague(action))]
    return f"next_actions: {vague[0][0]!r}: {vague[0][1]}" if vague else ""


def cancel(files: Files, call: Call, *, task: str | None) -> Change:
    """End a loop at once, done or not; nothing brings it back."""
    registry = read(files, call.layout)
    loop = _named(registry, task, call)
    _own(loop, call.speaker)
    changes: dict[str, str | None] = {loop.path: None}
    place = evidence_path(files, call.layout, loop)
    if place in files:
        changes[place] = evidence.changed(files[place], place, {"current_phase": "cancelled"})
    says = (_("{task} is cancelled: {path} removed.", task=loop.task, path=loop.path),)
    return _change(files, call, registry, changes, says)


def switch(files: Files, call: Call, *, task: str, active: bool) -> Change:
    """Set or lift the owner's stop of one loop."""
    registry = read(files, call.layout)
    loop = _named(registry, task, call)
    _readable(loop)
    changes: dict[str, str | None] = {loop.path: edge.with_active(files[loop.path], active=active)}
    says = (
        _("{task} goes on.", task=loop.task)
        if active
        else _("{task} is stopped: {path}", task=loop.task, path=loop.path)
    )
    return _change(files, call, registry, changes, (says,))


def _change(
    files: Files,
    call: Call,
    registry: Registry,
    changes: dict[str, str | None],
    says: tuple[str, ...],
) -> Change:
    """These changes, and the index that follows from them; a copy goes with its loop."""
    layout = call.layout
    after = {path: text for path, text in {**files, **changes}.items() if text is not None}
    single = after.get(layout.single)
    of = edge.read("", "", single).copy_of if single else ""
    if of and layout.loop(of) not in after:
        # First of all: a copy that outlived its loop would go on holding the session.
        changes = {layout.single: None, **changes}
    left = registry._replace(loops=edge.in_folder(after, layout))
    index = edge.write_index(registry.known, left.loops, left.active, call.now)
    if index != files.get(layout.registry) and (left.loops or layout.registry in files):
        changes = {**changes, layout.registry: index}
    return Change(changes, says)
