"""Which commands of a workspace this user has approved, in the user's own configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from loopgraph.disk import config, floor
from loopgraph.edges import jsonfile
from loopgraph.model.errors import UsageError
from loopgraph.model.messages import _

_NAME: Final = "trusted.json"
_ROOTS: Final = "roots"


def _place(environ: Mapping[str, str]) -> Path:
    return config.folder(environ) / _NAME


def _read(place: Path) -> jsonfile.Object:
    source = floor.read(str(place)).decode("utf-8", "replace") if place.exists() else None
    return jsonfile.read(source, str(place))


def approved(root: Path, environ: Mapping[str, str]) -> frozenset[str]:
    """The commands that may be run in this root, word for word."""
    roots = jsonfile.section(_read(_place(environ)), _ROOTS, str(_place(environ)))
    found = roots.get(str(root.resolve()))
    return frozenset(one for one in found if isinstance(one, str)) if found else frozenset()


def approve(root: Path, commands: Iterable[str], environ: Mapping[str, str]) -> None:
    """Approve commands for a root; what was approved before stays so."""
    place = _place(environ)
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with floor.Lock(str(place.with_suffix(".lock"))):
            found = {"version": jsonfile.VERSION, **_read(place)}
            roots = jsonfile.section(found, _ROOTS, str(place))
            key = str(root.resolve())
            before = roots.get(key)
            known = before if isinstance(before, list) else []
            roots[key] = [*known, *(one for one in dict.fromkeys(commands) if one not in known)]
            floor.replace(str(place), jsonfile.write(found).encode("utf-8"), mode=0o600)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        fix = _("Make the folder writable, or name another by LOOPGRAPH_CONFIG.")
        raise UsageError(_("cannot write: {why}", why=why), where=str(place), fix=fix) from None
