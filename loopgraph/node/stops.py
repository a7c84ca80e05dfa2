"""Stop and resume: the owner's brake, for a whole workspace, a run or a loop."""

from __future__ import annotations

from collections.abc import Iterable

from loopgraph.edges import bindings as edge
from loopgraph.edges import places, stops
from loopgraph.edges.beside import Stopped
from loopgraph.edges.places import Change, Files
from loopgraph.edges.stops import Stop
from loopgraph.model import secrets
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.model.messages import N_, _
from loopgraph.node import speaker as node
from loopgraph.node.speaker import Speaker
from loopgraph.plain.places import BINDINGS, BLOCKED, FOLDER, bare_id, file_name

_EVERYTHING = N_("every run, plan and loop of this workspace")


def wanted(run: str | None) -> tuple[str, ...]:
    """The files that these commands read."""
    return (places.stop(run), places.stop(None), BINDINGS, f"{BLOCKED}/*.json")


def note(files: Files, run: str | None = None) -> tuple[str, ...]:
    """What whoever begins something is told first: that a stop holds it."""
    said: list[str] = []
    for path, lift in ((places.stop(None), "loopgraph resume"), (places.stop(run), "")):
        if path in files and not said:
            by = _since(stops.read(files[path]))
            said.append(
                _(
                    "{path} stops it{by}: {lift}",
                    path=path,
                    by=by,
                    lift=lift or f"loopgraph resume {run}",
                )
            )
    return tuple(said)


def refuse(stopped: Iterable[Stopped], speaker: Speaker, run: str) -> None:
    """Hold a node back while a stop is there; the owner, who may lift it, is not held."""
    first = next(iter(stopped), None)
    if first is None or speaker.role == "owner":
        return
    lift = "loopgraph resume" if first.file == places.stop(None) else f"loopgraph resume {run}"
    raise RefusedError(
        _("stopped{by}: while that stands no node goes on", by=_since(first.said)),
        where=first.file,
        fix=_("End your fire here; the owner lifts it: {lift}", lift=lift),
    )


def stop(files: Files, speaker: Speaker, *, run: str | None, why: str, now: str) -> Change:
    """Write the STOP file, whoever asks: letting go is always safe. An earlier one stays."""
    path = places.stop(run)
    what = run or _(_EVERYTHING)
    lift = f"loopgraph resume {run}" if run else "loopgraph resume"
    if path in files:
        earlier = stops.read(files[path])
        return Change(
            {},
            (
                _(
                    "Stopped already{value}: {what}. It is lifted by: {lift}",
                    value=_since(earlier),
                    what=what,
                    lift=lift,
                ),
            ),
        )
    says = [_("Stopped: {what}. {path} says so, {lift} lifts it.", what=what, path=path, lift=lift)]
    if any(secrets.find(why)):
        # The brake is pulled whatever else is said.
        why = ""
        says.append(_("The reason looked like a credential and was left out."))
    text = stops.write(Stop(speaker.name, now, why.strip()), lift)
    return Change({path: text}, tuple(says))


def _since(stopped: Stop) -> str:
    by = _(" by {who}", who=stopped.who) if stopped.who else ""
    return by + (f", {stopped.when}" if stopped.when else "")


def resume(files: Files, speaker: Speaker, *, run: str | None) -> Change:
    """Lift a stop, and the blocks of the sessions that it is about."""
    node.require(speaker, ("owner",), what="resume")
    path = places.stop(run)
    blocks = [
        place for place in files if place.startswith(f"{BLOCKED}/") and _is_of(files, place, run)
    ]
    if path not in files and not blocks:
        above = places.stop(None)
        fix = _("The whole workspace is: loopgraph resume") if run and above in files else ""
        raise UsageError(_("it is not stopped"), where=run or FOLDER, fix=fix)
    says = [_("Lifted: {path}", path=path)] if path in files else []
    says += [_("Lifted: {place}", place=place) for place in blocks]
    if run and places.stop(None) in files:
        says.append(
            _("{value} still stops the whole workspace: loopgraph resume", value=places.stop(None))
        )
    changes: dict[str, str | None] = {place: None for place in (path, *blocks) if place in files}
    return Change(changes, tuple(says))


def _is_of(files: Files, place: str, run: str | None) -> bool:
    """Whether a block is of a session that works on this run; without a run every one is."""
    if run is None:
        return True
    bound = edge.read(files.get(BINDINGS))
    return any(
        binding.run == run and place == f"{BLOCKED}/{file_name(bare_id(session))}.json"
        for session, binding in bound.items()
    )
