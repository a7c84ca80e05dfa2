"""Who may bring back the bytes of a snapshot, and of which paths."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.model.messages import _
from loopgraph.node import speaker as who
from loopgraph.node.call import Call
from loopgraph.node.measure import shown


def inside(path: str) -> str:
    """A path of the workspace in its plain form; refused where it would leave it."""
    plain = path.replace("\\", "/") if "\\" in path and "/" not in path else path
    parts = [part for part in path.split("/") if part not in ("", ".")]
    outside = path.startswith("/") or plain[1:3] == ":/" or "\0" in path
    if outside or any(part == ".." or part.casefold() == ".git" for part in parts):
        raise UsageError(
            _("not a path of this workspace"), where=path, fix=_("Name it from the root on.")
        )
    return "/".join(parts) or "."


def may(
    run: Run, call: Call, paths: Iterable[str], own: Collection[str], named: Iterable[str] = ()
) -> None:
    """The owner may restore anything; the executor what its own rounds changed, and no more.

    `own` are the paths that its rounds really changed, `named` those that the call names, whether
    or not there is anything to restore.
    """
    who.require(call.speaker, ("executor", "owner"), what="`restore`")
    if call.speaker.role == "owner" or (call.speaker.role is None and not call.speaker.agent):
        return
    dirty = dirty_paths(run)
    if dirty is None:
        raise RefusedError(
            _("not every path that was the owner's at the start is known"),
            where="run.yaml",
            fix=_("Ask the owner to restore it."),
        )
    for path in (*named, *paths):
        if is_owners(path, dirty):
            raise RefusedError(
                _("it had changes of the owner's when the run began"),
                where=shown(path),
                fix=_("Only the owner restores it."),
            )
    for path in paths:
        if path not in own:
            raise RefusedError(
                _("no round of this run changed it"),
                where=shown(path),
                fix=_("Only the owner restores it."),
            )


def dirty_paths(run: Run) -> tuple[str, ...] | None:
    """What was the owner's unfinished work when the run began; None where not all is known."""
    if run.record is None:
        return None
    found: list[str] = []
    for repository in run.record.spec.facts.repositories:
        if repository.dirty_count > len(repository.dirty):
            return None
        below = "" if repository.path == "." else f"{repository.path}/"
        found += [f"{below}{one.path}" for one in repository.dirty]
    return tuple(found)


def is_owners(path: str, dirty: Iterable[str]) -> bool:
    """Whether a path is one of these, or lies in one that is a folder."""
    said = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return any(said == one or (one.endswith("/") and said.startswith(one)) for one in dirty)
