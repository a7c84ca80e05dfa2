"""Look at what stands beside a run: each file alone, so that a broken one hides no other."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from loopgraph.disk import floor, places, runs, snapshot_notes
from loopgraph.disk.roots import FOLDER
from loopgraph.edges import beside as edge
from loopgraph.edges import bindings, stops
from loopgraph.edges.beside import Acts, Beside, Loop, Plan, Stopped
from loopgraph.edges.bindings import Binding, Block
from loopgraph.model.errors import LoopgraphError
from loopgraph.node import measure
from loopgraph.plain import places as names
from loopgraph.plain.works import Work

_TAIL: Final = 32 * 1024
"""Bytes at the end of acts.jsonl that are looked at."""


def look(run: Path) -> Beside:
    """What stands beside this run; nothing is refused, nothing is changed."""
    root, acts = runs.root_of(run), _acts(run)
    if run.parent.name != FOLDER:
        return Beside(
            stops=_stops(run, None), acts=acts.by, done=acts.of, snapshots=_snapshots(run)
        )
    problems: list[str] = []
    bound = _bindings(root, run.name, problems)
    return Beside(
        _stops(run, root),
        bound,
        _blocks(root, bound, problems),
        _plans(root, problems),
        _loops(root, problems),
        acts.by,
        acts.of,
        _snapshots(run),
        tuple(problems),
    )


def is_stopped(run: Path) -> bool:
    """Whether a stop holds this run, or the workspace that it lies in."""
    return bool(holding(run))


def holding(run: Path) -> tuple[Stopped, ...]:
    """The stops that hold this run, that of the whole workspace first."""
    return _stops(run, runs.root_of(run) if run.parent.name == FOLDER else None)


def _snapshots(run: Path) -> frozenset[str]:
    folder = run / "evidence" / "snapshots"
    try:
        return frozenset(place.stem for place in folder.iterdir() if place.suffix == ".json")
    except OSError:
        return frozenset()


def told(run: Path, numbers: Iterable[int]) -> tuple[str, ...]:
    """What was found of these rounds as they were recorded, a line each."""
    found = ((number, snapshot_notes.newest(run, f"R{number}")) for number in numbers)
    return tuple(line for number, note in found for line in measure.told(number, note or {}))


def _stops(run: Path, root: Path | None) -> tuple[Stopped, ...]:
    found = [(run / names.RUN_STOP, f"{run.name}/{names.RUN_STOP}")]
    if root is not None:
        found = [(run / names.RUN_STOP, f"{FOLDER}/{run.name}/{names.RUN_STOP}")]
        found.insert(0, (root / names.STOP, names.STOP))
    return tuple(
        Stopped(shown, stops.read((floor.peek(str(place)) or b"").decode("utf-8", "replace")))
        for place, shown in found
        if os.path.lexists(place)
    )


def _load(root: Path, path: str, problems: list[str]) -> str | None:
    try:
        return places.load(root, (path,)).get(path)
    except LoopgraphError as error:
        problems.append(str(error))
        return None


def _bindings(root: Path, slug: str, problems: list[str]) -> dict[str, Binding]:
    source = _load(root, names.BINDINGS, problems)
    try:
        found = bindings.read(source)
    except LoopgraphError as error:
        problems.append(str(error))
        return {}
    return {session: one for session, one in found.items() if one.run == slug}


def _blocks(root: Path, bound: Iterable[str], problems: list[str]) -> tuple[Block, ...]:
    found: list[Block] = []
    for session in bound:
        path = f"{names.BLOCKED}/{names.file_name(names.bare_id(session))}.json"
        source = _load(root, path, problems)
        if source is None:
            continue
        try:
            found.append(bindings.block(source))
        except LoopgraphError as error:
            problems.append(str(error))
    return tuple(found)


def _plans(root: Path, problems: list[str]) -> tuple[Plan, ...]:
    if not any(os.path.lexists(root / name) for name in (names.PLANS, names.BOULDER)):
        return ()
    from loopgraph.edges import plans  # noqa: PLC0415  most workspaces have none

    works: list[Work] = []
    try:
        works += plans.read(_load(root, names.PLANS, problems))
    except LoopgraphError as error:
        problems.append(str(error))
    works += plans.of_boulder(_load(root, names.BOULDER, problems) or "")
    return tuple(_plan(root, work, problems) for work in works if work.goes_on())


def _plan(root: Path, work: Work, problems: list[str]) -> Plan:
    from loopgraph.plain import plan as grammar  # noqa: PLC0415

    sessions = tuple(work.sessions)
    try:
        text = plan_text(root, work)
    except LoopgraphError as error:
        problems.append(str(error))
        text = None
    data = None if text is None else text.encode("utf-8", "surrogateescape")
    if data is None or len(data) > grammar.LIMIT:
        return Plan(work.id or work.name, work.plan, sessions, None, None, None, None)
    found = grammar.read(data)
    return Plan(
        work.id or work.name,
        work.plan,
        sessions,
        found.remaining,
        found.total,
        found.others,
        found.next,
    )


def plan_text(root: Path, work: Work) -> str | None:
    """The text of a plan: in the work's own worktree where it is there, else in the workspace."""
    for base in (*([root / work.worktree] if work.worktree else []), root):
        if base.is_dir() and (text := places.load(base, (work.plan,)).get(work.plan)) is not None:
            return text
    return None


def _loops(root: Path, problems: list[str]) -> tuple[Loop, ...]:
    if not (root / names.LOOPS).is_dir():
        return ()
    from loopgraph.edges import loops  # noqa: PLC0415  most workspaces have none
    from loopgraph.edges.places import PROJECT  # noqa: PLC0415

    try:
        files = places.load(root, (f"{PROJECT.loops}/*.md",))
        found = loops.in_folder(files, PROJECT)
    except LoopgraphError as error:
        problems.append(str(error))
        return ()
    problems += [f"{one.path}: {one.problem}" for one in found if one.problem]
    return tuple(
        Loop(
            one.task,
            one.session,
            one.iteration,
            one.max_iterations if one.max_iterations > 0 else None,
        )
        for one in found
        if one.state == "bound"
    )


def _acts(run: Path) -> Acts:
    found = floor.tail(str(run / "evidence" / "acts.jsonl"), _TAIL)
    if found is None:
        return Acts({}, {})
    data, whole = found
    lines = data.decode("utf-8", "replace").split("\n")
    return edge.acts(lines if whole else lines[1:])
