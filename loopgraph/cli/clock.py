"""The clock, read once: `--created`, then LOOPGRAPH_NOW, then the machine's own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from loopgraph.model.errors import UsageError
from loopgraph.model.messages import _


def now(created: str | None, environ: Mapping[str, str]) -> datetime:
    """The moment this run is made, with its offset, in whole seconds."""
    for source, text in (("--created", created), ("LOOPGRAPH_NOW", environ.get("LOOPGRAPH_NOW"))):
        if text:
            return _read(text, source)
    return datetime.now().astimezone().replace(microsecond=0)  # noqa: TID251


def stands_still(environ: Mapping[str, str]) -> bool:
    """Whether the moment is pinned: then nothing takes any time."""
    return bool(environ.get("LOOPGRAPH_NOW"))


def _read(text: str, source: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise UsageError(
            _("{text} is no moment with an offset", text=repr(text)),
            where=source,
            fix=_("Write it as 2026-01-02T03:04:05+00:00."),
        )
    return moment.replace(microsecond=0)
