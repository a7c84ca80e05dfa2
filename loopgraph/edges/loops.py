"""A loop on disk: front matter and prompt as typed values, and the index made from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from loopgraph.edges import jsonfile
from loopgraph.edges.places import FOREIGN, Files, Layout
from loopgraph.plain import loopfile


class Settings(NamedTuple):
    """What a new loop says above its prompt; that it asks nobody and reports last is fixed."""

    max_iterations: int = 50
    """At or below 0: no limit of its own."""
    promise: str | None = "DONE"
    """None: it never ends by itself."""
    session: str = ""
    started_at: str = ""
    """RFC 3339."""
    auto_chunk: bool = True
    max_output_chars: int = 800
    strict: bool = False
    """Answers have a fixed form."""
    goal: str = ""
    """What becomes of the host's own goal: `adopt`, `artifact-only`; empty for none."""


class Loop(NamedTuple):
    """What a loop file says; with a problem, only its name and place are known."""

    task: str
    path: str
    foreign: bool
    """Another tool's file."""
    problem: str = ""
    """Why it cannot be read; empty where it can."""
    iteration: int = 0
    max_iterations: int = 0
    promise: str | None = None
    session: str = ""
    started_at: str = ""
    active: bool = True
    strict: bool = False
    prompt: str = ""
    copy_of: str = ""
    """The task that this file is a copy of; empty for a file that counts."""

    @property
    def state(self) -> str:
        """In a word: broken, stopped, bound, unbound."""
        if self.problem:
            return "broken"
        if not self.active:
            return "stopped"
        return "bound" if self.session else "unbound"


def read(task: str, path: str, source: str, *, foreign: bool = False) -> Loop:
    """Read a loop file; one that is broken is told, not refused."""
    try:
        found = loopfile.Loop(source)
    except loopfile.CorruptError as error:
        return Loop(task, path, foreign, problem=str(error))
    return Loop(
        task,
        path,
        foreign,
        iteration=found.iteration,
        max_iterations=found.max_iterations,
        promise=found.promise,
        session=found.session.strip(),
        started_at=found.values.get("started_at") or "",
        active=found.active,
        strict=found.strict,
        prompt=found.prompt,
        copy_of=found.copy_of,
    )


def write(settings: Settings, prompt: str) -> str:
    """A new loop file, at its first iteration."""
    promise = "null" if settings.promise is None else loopfile.quoted(settings.promise)
    entries = [
        ("iteration", "1"),
        ("max_iterations", str(settings.max_iterations)),
        ("completion_promise", promise),
        ("session_id", loopfile.quoted(settings.session)),
        ("started_at", loopfile.quoted(settings.started_at)),
        ("auto_chunk", "true" if settings.auto_chunk else "false"),
        ("max_output_chars", str(settings.max_output_chars)),
        ("non_interactive", "true"),
        ("reporting", "final_only"),
    ]
    entries += [("output", "strict")] if settings.strict else []
    entries += [("goal", settings.goal)] if settings.goal else []
    head = "".join(f"{key}: {value}\n" for key, value in entries)
    return f"---\n{head}---\n{prompt}\n"


def with_session(source: str, session: str, *, bare: bool = False) -> str:
    """The file bound to a session; every other byte as it was.

    `bare` leaves the quotes out where they may be: Claude Code's plugin compares them too.
    """
    plain = bare and session.replace("-", "").isalnum() and session.isascii()
    value = session if plain else loopfile.quoted(session)
    return loopfile.Loop(source).with_value("session_id", value)


def with_active(source: str, *, active: bool) -> str:
    """The file with the owner's stop set or lifted; every other byte as it was."""
    return loopfile.Loop(source).with_value("active", "true" if active else "false")


def copy(source: str, task: str) -> str:
    """The same loop as the one file that other tools read, marked as a copy."""
    return loopfile.Loop(source).with_value("task", loopfile.quoted(task))


def in_folder(files: Files, layout: Layout) -> tuple[Loop, ...]:
    """Every task's loop, by name."""
    start = f"{layout.loops}/"
    named = (
        (path.removeprefix(start).removesuffix(".md"), path)
        for path in sorted(files)
        if path.startswith(start) and path.endswith(".md")
    )
    return tuple(read(task, path, files[path]) for task, path in named if task and "/" not in task)


def of_others(files: Files, layout: Layout) -> tuple[Loop, ...]:
    """Loops in other tools' single files; marked copies are passed over."""
    found = []
    for name, path in FOREIGN.items():
        place = path if path in files else layout.single if name == "omx" else ""
        if place in files:
            loop = read(name, place, files[place], foreign=True)
            found += [] if loop.copy_of else [loop]
    return tuple(found)


class Index(NamedTuple):
    """What the index says beyond the files it is made from."""

    active: str | None
    found: jsonfile.Object
    """All of it, other people's keys included."""


def read_index(source: str | None, where: str) -> Index:
    """Read an index; one that is no JSON is refused."""
    found = jsonfile.read(source, where)
    return Index(jsonfile.text(found, "active") or None, found)


def write_index(before: Index, loops: Iterable[Loop], active: str | None, now: str) -> str:
    """The index of these loops; what did not change keeps its moment, unknown keys stay."""
    old = before.found.get("tasks")
    tasks: jsonfile.Object = {}
    for loop in loops:
        entry = old.get(loop.task) if isinstance(old, dict) else None
        kept = entry if isinstance(entry, dict) else {}
        said = {
            "file": loop.path.rpartition("/")[2],
            "session_id": loop.session,
            "state": loop.state,
            "created_at": loop.started_at or kept.get("created_at", now),
        }
        same = all(kept.get(key) == value for key, value in said.items())
        moment = kept.get("updated_at", now) if same else now
        tasks[loop.task] = {**kept, **said, "updated_at": moment}
    head = {"version": jsonfile.VERSION, **before.found}
    return jsonfile.write({**head, "active": active, "tasks": tasks})
