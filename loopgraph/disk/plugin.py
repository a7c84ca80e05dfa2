"""Write a plugin into a folder of its own; a folder that holds something else is refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from loopgraph.disk import floor
from loopgraph.disk.installed import Done
from loopgraph.edges import plugin
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.model.messages import _


def write(folder: Path, files: Mapping[str, str], *, dry: bool = False) -> tuple[Done, ...]:
    """Write every file whole, the manifest last: without it no client takes the folder."""
    _own(folder)
    done = []
    for name, text in files.items():
        place, data = folder / name, text.encode("utf-8")
        before = floor.peek(str(place))
        if before == data:
            done.append(Done(str(place), "same"))
            continue
        done.append(Done(str(place), "added" if before is None else "replaced"))
        if not dry:
            _put(place, data)
    return tuple(done)


def _own(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(_("no folder"), where=str(folder), fix=_("Name another one."))
    manifest = floor.peek(str(folder / plugin.MANIFEST)) or b""
    # A kill may have left files without their manifest.
    begun = {Path(name).parts[0] for name in (plugin.HOOKS, plugin.SKILL, plugin.README)}
    begun.add(Path(plugin.MANIFEST).parts[0])
    strangers = [entry.name for entry in folder.iterdir() if entry.name not in begun]
    if plugin.is_ours(manifest.decode("utf-8", "replace")) or (not manifest and not strangers):
        return
    raise RefusedError(
        _("it holds something else"), where=str(folder), fix=_("Name an empty or a new folder.")
    )


def _put(place: Path, data: bytes) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        floor.replace(str(place), data)
    except OSError as error:
        raise UsageError(
            _("cannot write: {reason}", reason=(error.strerror or str(error)).lower()),
            where=str(place),
            fix=_("Make it writable, or name another folder."),
        ) from None
