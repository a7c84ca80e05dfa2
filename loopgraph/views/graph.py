"""The graph behind a run, drawn as text, Mermaid, dot or plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from loopgraph.model.graph import Edge, Graph, Node
from loopgraph.model.messages import N_, _


def text(graph: Graph) -> str:
    """Nodes and edges, one line each."""
    lines = [_("nodes")]
    lines += [
        f"  {node.role:<11} {node.prompt:<14} "
        + _("every {interval}", interval=f"{node.interval!s:<4} ")
        + _(
            "{tier} model; ends its timer when: {stop}",
            tier=_(_TIERS[node.tier]),
            stop=_(node.stop),
        )
        for node in graph.nodes
    ]
    lines.append(_("edges"))
    lines += [
        f"  {edge.name:<16} {edge.kind:<7} {edge.writer} → {_readers(edge)}   {edge.file}"
        + (_("  hot") if edge.hot else "")
        + (_("  watermark: {field}", field=edge.watermark) if edge.watermark else "")
        for edge in graph.edges
    ]
    return "\n".join(lines) + "\n"


_TIERS: Final = {"fast": N_("fast"), "strong": N_("strong")}


def _readers(edge: Edge) -> str:
    others = [role for role in edge.readers if role != edge.writer]
    return ", ".join(others or edge.readers)


def _arrows(graph: Graph) -> list[tuple[str, str, Edge]]:
    """Writer to file, file to each reader that is not its writer."""
    arrows: list[tuple[str, str, Edge]] = []
    for edge in graph.edges:
        arrows.append((edge.writer, edge.name, edge))
        arrows += [(edge.name, role, edge) for role in edge.readers if role != edge.writer]
    return arrows


def _identifier(name: str) -> str:
    return name.replace(":", "_")


def _every(node: Node) -> str:
    return _("every {interval}", interval=node.interval)


def mermaid(graph: Graph) -> str:
    """A Mermaid flowchart: nodes as boxes, edges as cylinders, the owner as a person."""
    lines = ["flowchart LR"]
    lines += [f'  {node.role}["{node.role}<br/>{_every(node)}"]' for node in graph.nodes]
    if any(edge.writer == "owner" for edge in graph.edges):
        lines.append("  owner((owner))")
    lines += [f'  {_identifier(edge.name)}[("{edge.file}")]' for edge in graph.edges]
    lines += [
        f"  {_identifier(start)} {'==>' if edge.kind == 'signal' else '-->'} {_identifier(end)}"
        for start, end, edge in _arrows(graph)
    ]
    return "\n".join(lines) + "\n"


def dot(graph: Graph) -> str:
    """A Graphviz digraph."""
    lines = ["digraph run {", "  rankdir=LR;"]
    lines += [
        f'  "{node.role}" [shape=box, label="{node.role}\\n{_every(node)}"];'
        for node in graph.nodes
    ]
    lines += [f'  "{edge.name}" [shape=cylinder, label="{edge.file}"];' for edge in graph.edges]
    lines += [
        f'  "{start}" -> "{end}"{" [style=bold]" if edge.kind == "signal" else ""};'
        for start, end, edge in _arrows(graph)
    ]
    return "\n".join([*lines, "}"]) + "\n"


def data(graph: Graph) -> dict[str, object]:
    """The graph as plain data, schema `loopgraph/graph/1`."""
    return {
        "schema": "loopgraph/graph/1",
        "nodes": [{**node._asdict(), "interval": str(node.interval)} for node in graph.nodes],
        "edges": [edge._asdict() for edge in graph.edges],
    }


FORMATS: Final[Mapping[str, Callable[[Graph], str]]] = {
    "text": text,
    "mermaid": mermaid,
    "dot": dot,
}
