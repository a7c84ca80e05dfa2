"""The graph: nodes that share no context, edges that carry all their state, and their laws."""

from __future__ import annotations

from typing import Literal, NamedTuple

from loopgraph.model.errors import RefusedError
from loopgraph.model.intervals import Interval
from loopgraph.model.messages import N_, _
from loopgraph.model.value import named_value

Role = Literal["executor", "supervisor", "scout"]
Writer = Literal["executor", "supervisor", "scout", "owner"]
EdgeKind = Literal["state", "signal"]


class Node(NamedTuple):
    """One agent with a prompt, one timer and a context of its own."""

    role: Role
    prompt: str
    """Its prompt file, inside the run directory."""
    tier: Literal["fast", "strong"]
    """The class of model it is meant for."""
    interval: Interval
    wakes: tuple[Role, ...]
    """Whom its timer wakes: itself and nobody else."""
    authority: str
    stop: str
    """The condition under which it ends its own timer."""


class Edge(NamedTuple):
    """One durable carrier of state between nodes."""

    name: str
    kind: EdgeKind
    writer: Writer
    readers: tuple[Role, ...]
    hot: bool
    """Read every round, therefore capped."""
    file: str
    archive: str = ""
    watermark: str = ""
    """For a signal: the field in which its reader records how far it has consumed."""


@named_value
class Graph:
    """The nodes and edges of one run; refuses to exist where a law is broken."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        for law in (_one_timer, _one_writer, _signals, _hot_is_capped):
            law(self)

    def node(self, role: Role) -> Node | None:
        """The node of that role, where the run has one."""
        return next((node for node in self.nodes if node.role == role), None)


def _refuse(what: str, where: str) -> RefusedError:
    return RefusedError(what, where=f"graph: {where}")


def _one_timer(graph: Graph) -> None:
    roles = [node.role for node in graph.nodes]
    if len(set(roles)) != len(roles):
        raise _refuse(_("two nodes have the same role"), ", ".join(roles))
    for node in graph.nodes:
        if node.wakes != (node.role,):
            raise _refuse(_("a node wakes itself and nobody else"), node.role)


def _one_writer(graph: Graph) -> None:
    names = [edge.name for edge in graph.edges]
    if len(set(names)) != len(names):
        raise _refuse(_("an edge has exactly one writer"), ", ".join(sorted(names)))
    roles = {node.role for node in graph.nodes}
    for edge in graph.edges:
        if edge.writer != "owner" and edge.writer not in roles:
            raise _refuse(
                _("its writer {writer} is no node of this run", writer=edge.writer), edge.name
            )
        if stray := [role for role in edge.readers if role not in roles]:
            raise _refuse(
                _("its reader {reader} is no node of this run", reader=stray[0]), edge.name
            )


def _signals(graph: Graph) -> None:
    for edge in graph.edges:
        if edge.kind == "signal" and (
            len(edge.readers) != 1 or not edge.archive or not edge.watermark
        ):
            raise _refuse(_("a signal has one reader, an archive and a watermark"), edge.name)


def _hot_is_capped(graph: Graph) -> None:
    for edge in graph.edges:
        if edge.hot and edge.name not in ("ledger", "directives"):
            raise _refuse(_("only ledger and directives are hot"), edge.name)


def build(
    *,
    executor: Interval,
    supervisor: Interval | None,
    scout: Interval | None = None,
    timers: bool = False,
) -> Graph:
    """The graph of a run: an executor, and a supervisor and a scout where they were chosen.

    Without a supervisor the owner writes the directives. With `timers` each node owns its
    cell of the Timers table in ops.md.
    """
    nodes = [
        Node(
            "executor",
            "executor.md",
            "fast",
            executor,
            ("executor",),
            "edits and verifies inside the root; never accepts its own milestone",
            N_("Run status is closed or stalled, or a STOP file is there"),
        )
    ]
    if supervisor is not None:
        nodes.append(
            Node(
                "supervisor",
                "supervisor.md",
                "strong",
                supervisor,
                ("supervisor",),
                "audits, corrects through directives, decides what is not the owner's",
                N_("Run status is closed and audited, or a STOP file is there"),
            )
        )
    if scout is not None:
        nodes.append(
            Node(
                "scout",
                "scout.md",
                "fast",
                scout,
                ("scout",),
                "reads only; writes findings",
                N_("Run status is closed or stalled, or a STOP file is there"),
            )
        )
    readers = tuple(node.role for node in nodes)
    judge: Writer = "supervisor" if supervisor is not None else "owner"
    edges = [
        Edge(
            "ledger",
            "state",
            "executor",
            readers,
            hot=True,
            file="ledger.md",
            archive="archive/rounds.md",
        ),
        Edge(
            "directives",
            "signal",
            judge,
            ("executor",),
            hot=True,
            file="directives.md",
            archive="archive/directives.md",
            watermark="Last directive folded",
        ),
        Edge("ops", "state", "executor", readers, hot=False, file="ops.md"),
    ]
    if scout is not None:
        edges.append(
            Edge("findings", "state", "scout", ("executor",), hot=False, file="findings.md")
        )
    if timers:
        edges += [
            Edge(f"timer:{node.role}", "state", node.role, (node.role,), hot=False, file="ops.md")
            for node in nodes
        ]
    return Graph(nodes=tuple(nodes), edges=tuple(edges))
