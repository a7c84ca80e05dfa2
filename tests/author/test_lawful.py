"""A record that somebody edited is refused before a word of a run is made of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopgraph.author import compiler, lawful
from loopgraph.check import live
from loopgraph.edges import run as edge
from loopgraph.model.errors import UnreadableError
from loopgraph.model.knobs import Set
from tests.check.compiled import PACKS, spec


def node(made, at=0, **changed):
    nodes = list(made.nodes)
    nodes[at] = replace(nodes[at], **changed)
    return replace(made, nodes=tuple(nodes))


def knob(made, name, value):
    return replace(made, knobs={**made.knobs, name: Set(value, "default")})


def without(made, name):
    return replace(made, knobs={key: found for key, found in made.knobs.items() if key != name})


BREACHES = {
    "a slug that climbs": (lambda s: replace(s, slug="../../x"), "slug"),
    "an absolute slug": (lambda s: replace(s, slug="/x"), "slug"),
    "an empty slug": (lambda s: replace(s, slug=""), "slug"),
    "a slug of two lines": (lambda s: replace(s, slug="a\nb"), "slug"),
    "a slug for a shell": (lambda s: replace(s, slug="$(id)"), "slug"),
    "a slug that is too long": (lambda s: replace(s, slug="x" * 300), "slug"),
    "no node": (lambda s: replace(s, nodes=()), "nodes"),
    "no executor": (lambda s: replace(s, nodes=s.nodes[1:]), "nodes"),
    "two executors": (lambda s: replace(s, nodes=(*s.nodes, s.nodes[0])), "nodes[2].role"),
    "a host nobody knows": (lambda s: node(s, host="curser"), "nodes[0].host"),
    "no interval": (lambda s: node(s, interval=""), "nodes[0].interval"),
    "an interval without end": (lambda s: node(s, 1, interval="9" * 99 + "m"), "nodes[1].interval"),
    "a cap of nothing": (lambda s: knob(s, "FILE_LINE_CAP", 0), "knobs.FILE_LINE_CAP"),
    "a cap that is no number": (lambda s: knob(s, "FILE_BYTE_CAP", "NaN"), "knobs.FILE_BYTE_CAP"),
    "a knob with a heading": (lambda s: knob(s, "GAP_CAP", "1\n# x"), "knobs.GAP_CAP"),
    "a knob nobody knows": (lambda s: knob(s, "EVIL", 1), "knobs.EVIL"),
    "a knob that is gone": (lambda s: without(s, "CONVERGE_EVERY"), "knobs.CONVERGE_EVERY"),
    "no milestone": (lambda s: replace(s, milestones=()), "milestones"),
    "a discovery without its floor": (
        lambda s: replace(s, pack=replace(s.pack, discovery_driven=True)), "knobs.YIELD_FLOOR",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("spoil", "key"), BREACHES.values(), ids=BREACHES)
def test_what_resolve_would_never_say_is_refused_by_its_key(spoil, key):
    with pytest.raises(UnreadableError) as caught:
        compiler.compile_run(spoil(spec("deliver")))
    assert caught.value.where == f"run.yaml: {key}"


@pytest.mark.parametrize("pack", PACKS)
def test_what_resolve_says_is_lawful(pack):
    lawful.demand(spec(pack))


def test_a_host_of_almost_that_name_is_offered():
    with pytest.raises(UnreadableError, match="curser") as caught:
        lawful.demand(node(spec("deliver"), host="curser"))
    assert caught.value.fix == "Did you mean cursor?"


def test_a_cap_below_zero_is_no_cap():
    files = compiler.compile_run(spec("deliver"))
    spoilt = files["run.yaml"].replace("GAP_CAP:\n    value: 12", "GAP_CAP:\n    value: -1")
    assert spoilt != files["run.yaml"]
    assert live.limit(edge.read({**files, "run.yaml": spoilt}), "GAP_CAP") is None
