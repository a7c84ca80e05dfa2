"""Owner text: words that came from a person or a workspace, and are therefore no leftovers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from loopgraph.check.places import Place
from loopgraph.edges.run import Run
from loopgraph.model.value import parts
from loopgraph.plain import quoting


def without(run: Run, places: Iterable[Place]) -> Iterator[Place]:
    """Pass on the places whose mark stands in no text of run.yaml."""
    known: str | None = None
    for place in places:
        if known is None:
            known = owner_text(run)
        if _as_written(place.mark) not in known:
            yield place


def owner_text(run: Run) -> str:
    """Every text of the record, one a line; empty without a record."""
    return "" if run.record is None else "\n".join(_strings(run.record.spec))


def _as_written(mark: str) -> str:
    """Characters of a file with pipes and escapes resolved: the owner's own, maybe cut short."""
    return quoting.unquote(mark.replace("\\|", "|")).rstrip("…")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value.replace("\r\n", "\n")
    elif isinstance(value, Mapping):
        yield from _strings(tuple(value.values()))
    elif isinstance(value, Iterable):
        for item in value:
            yield from _strings(item)
    else:
        for name in parts(type(value)):
            yield from _strings(getattr(value, name))
