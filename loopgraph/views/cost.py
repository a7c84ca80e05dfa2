"""What reading a run costs: lines, bytes and estimated tokens of each hot file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.model.graph import Graph, Node
from loopgraph.model.messages import _

_ASCII_PER_TOKEN: Final = 4
"""Rule of thumb for English and code; any other character counts as one token."""
_DAY: Final = 24 * 60


class Size(NamedTuple):
    """One file that a node reads at the start of each fire."""

    file: str
    lines: int
    size: int
    """Bytes of UTF-8."""
    tokens: int


class NodeCost(NamedTuple):
    """What one node reads."""

    role: str
    interval: str
    files: tuple[Size, ...]
    per_fire: int
    """Tokens."""
    fires_per_day: int
    per_day: int
    """Tokens, if the node fires round the clock."""


def measure(files: Mapping[str, str], graph: Graph) -> tuple[NodeCost, ...]:
    """Each node's prompt and the hot files that it reads, by their present size."""
    return tuple(_node(node, files, graph) for node in graph.nodes)


def _node(node: Node, files: Mapping[str, str], graph: Graph) -> NodeCost:
    hot = [edge.file for edge in graph.edges if edge.hot]
    sizes = tuple(_size(name, files[name]) for name in (node.prompt, *hot) if name in files)
    per_fire = sum(size.tokens for size in sizes)
    fires = _DAY // node.interval.minutes
    return NodeCost(node.role, str(node.interval), sizes, per_fire, fires, per_fire * fires)


def _size(name: str, text: str) -> Size:
    others = sum(not char.isascii() for char in text)
    tokens = (len(text) - others + _ASCII_PER_TOKEN - 1) // _ASCII_PER_TOKEN + others
    return Size(name, text.count("\n"), len(text.encode("utf-8", "replace")), tokens)


def text(costs: tuple[NodeCost, ...]) -> str:
    """A table for the screen."""
    lines = []
    for cost in costs:
        lines.append(_("{role}, every {interval}", role=cost.role, interval=cost.interval))
        lines += [
            _(
                "  {file}{lines} lines{size} bytes{tokens} tokens",
                file=f"{size.file:<16}",
                lines=f"{size.lines:>5}",
                size=f"{size.size:>8}",
                tokens=f"{size.tokens:>8}",
            )
            for size in cost.files
        ]
        lines.append(
            _(
                "  a fire reads {tokens} tokens; {fires} fires a day read {daily}",
                tokens=f"{cost.per_fire:,}",
                fires=cost.fires_per_day,
                daily=f"{cost.per_day:,}",
            )
        )
    lines.append(_("Tokens are estimated: four ASCII characters or one other character each."))
    return "\n".join(lines) + "\n"


def data(costs: tuple[NodeCost, ...]) -> dict[str, object]:
    """The same as plain data, schema `loopgraph/cost/1`."""
    return {
        "schema": "loopgraph/cost/1",
        "nodes": [
            {**cost._asdict(), "files": [size._asdict() for size in cost.files]} for cost in costs
        ],
    }
