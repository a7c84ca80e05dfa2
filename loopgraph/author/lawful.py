"""What a RunSpec from a file may not say: resolve never does, but anybody can edit a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from loopgraph.hosts import HOSTS
from loopgraph.model import intervals, knobs
from loopgraph.model.errors import UnreadableError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.model.spec import RunSpec

_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_NAME_LENGTH: Final = 128
_RECORD: Final = "run.yaml"


class Breach(NamedTuple):
    """What is wrong, and what to do."""

    key: str
    what: str
    fix: str = ""


def demand(spec: RunSpec) -> None:
    """Refuse a spec that names what isn't there, or would make a path or a graph of its own."""
    for law in _LAWS:
        for breach in law(spec):
            raise UnreadableError(breach.what, where=f"{_RECORD}: {breach.key}", fix=breach.fix)


def _name(spec: RunSpec) -> Iterator[Breach]:
    """The slug becomes a path in every prompt and in shell lines of the handoff."""
    if not spec.slug or len(spec.slug) > _NAME_LENGTH or not set(spec.slug) <= _NAME:
        yield Breach(
            "slug",
            _("{slug} is no name of a run", slug=repr(spec.slug[:_NAME_LENGTH])),
            _("Use a-z, 0-9 and hyphens."),
        )


def _nodes(spec: RunSpec) -> Iterator[Breach]:
    roles = [node.role for node in spec.nodes]
    if roles[:1] != ["executor"]:
        yield Breach("nodes", _("the first one is no executor"))
    for number, node in enumerate(spec.nodes):
        place = f"nodes[{number}]"
        if node.role in roles[:number]:
            yield Breach(f"{place}.role", _("there is another {role}", role=node.role))
        if node.host not in HOSTS:
            yield Breach(
                f"{place}.host",
                _("no host is called {host}", host=node.host),
                nearest(node.host, HOSTS),
            )
        if intervals.parse(node.interval) is None:
            yield Breach(
                f"{place}.interval",
                _("{text} is no interval", text=repr(node.interval)),
                _("Such as 10m."),
            )


def _knobs(spec: RunSpec) -> Iterator[Breach]:
    for name, found in spec.knobs.items():
        try:
            knobs.accept(name, found.value, knobs.Source.DEFAULT)
        except UsageError as error:
            yield Breach(f"knobs.{name}", error.what, error.fix)
    for knob in knobs.KNOBS:
        counts = knob.kind in ("count", "bytes")
        wanted = knob.default is not None or spec.pack.discovery_driven
        if counts and wanted and knob.name not in spec.knobs:
            yield Breach(
                f"knobs.{knob.name}",
                _("it is not set"),
                _("Allowed: {bounds}", bounds=knobs.allowed(knob)),
            )


def _milestones(spec: RunSpec) -> Iterator[Breach]:
    if not spec.milestones:
        yield Breach("milestones", _("there is none"), _("Name one at least."))


_LAWS: Final[tuple[Callable[[RunSpec], Iterator[Breach]], ...]] = (
    _name,
    _nodes,
    _knobs,
    _milestones,
)
