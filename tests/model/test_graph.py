"""The laws of the graph."""

import pytest

from loopgraph.model.errors import RefusedError
from loopgraph.model.graph import Edge, Graph, Node, build
from loopgraph.model.intervals import Interval

TEN, THIRTY = Interval(10), Interval(30)


def whole(**changes):
    graph = build(executor=TEN, supervisor=THIRTY, scout=THIRTY, timers=True)
    return Graph(**{"nodes": graph.nodes, "edges": graph.edges, **changes})


def test_a_full_graph_keeps_its_own_laws():
    assert {node.role for node in whole().nodes} == {"executor", "supervisor", "scout"}


def test_without_a_supervisor_the_owner_writes_the_directives():
    graph = build(executor=TEN, supervisor=None)
    assert [edge.writer for edge in graph.edges if edge.name == "directives"] == ["owner"]


def first(graph, **changes):
    return (graph.nodes[0]._replace(**changes), *graph.nodes[1:])


def test_a_node_that_wakes_another_is_refused():
    with pytest.raises(RefusedError, match="wakes itself and nobody else"):
        whole(nodes=first(whole(), wakes=("supervisor",)))


def test_two_nodes_of_one_role_are_refused():
    with pytest.raises(RefusedError, match="same role"):
        whole(nodes=first(whole(), role="supervisor", wakes=("supervisor",)))


@pytest.mark.parametrize(
    ("edge", "law"),
    [
        (
            Edge("ledger", "state", "executor", ("executor",), hot=False, file="ledger.md"),
            "exactly one writer",
        ),
        (
            Edge("notes", "state", "executor", ("executor",), hot=True, file="notes.md"),
            "only ledger and directives are hot",
        ),
        (
            Edge(
                "signal",
                "signal",
                "executor",
                ("supervisor", "scout"),
                hot=False,
                file="s.md",
                archive="a",
                watermark="w",
            ),
            "one reader",
        ),
        (
            Edge(
                "signal",
                "signal",
                "executor",
                ("supervisor",),
                hot=False,
                file="s.md",
                watermark="w",
            ),
            "an archive",
        ),
    ],
)
def test_an_edge_that_breaks_a_law_is_refused(edge, law):
    with pytest.raises(RefusedError, match=law):
        whole(edges=(*whole().edges, edge))


def test_an_edge_of_a_node_that_is_not_there_is_refused():
    graph = build(executor=TEN, supervisor=None)
    stray = Edge("audit", "state", "supervisor", ("executor",), hot=False, file="audit.md")
    with pytest.raises(RefusedError, match="no node of this run"):
        Graph(nodes=graph.nodes, edges=(*graph.edges, stray))


def test_the_reader_of_an_edge_is_a_node_of_the_run():
    graph = build(executor=TEN, supervisor=None)
    stray = Edge("notes", "state", "owner", ("executor", "scout"), hot=False, file="notes.md")
    with pytest.raises(RefusedError, match="graph: notes: its reader scout is no node"):
        Graph(nodes=graph.nodes, edges=(*graph.edges, stray))


def test_a_signal_without_a_watermark_is_refused():
    signal = Edge("s", "signal", "executor", ("scout",), hot=False, file="s.md", archive="a")
    with pytest.raises(RefusedError, match="a watermark"):
        whole(edges=(*whole().edges, signal))
    kept = signal._replace(watermark="w")
    assert kept in whole(edges=(*whole().edges, kept)).edges


def shown(edges):
    return [
        (e.name, e.kind, e.writer, e.readers, e.hot, e.file, e.archive, e.watermark) for e in edges
    ]


LEDGER = ("ledger", "state", "executor")
DIRECTIVES = (
    ("executor",),
    True,
    "directives.md",
    "archive/directives.md",
    "Last directive folded",
)


def test_a_lone_executor_has_a_ledger_that_it_alone_reads_and_signals_of_the_owner():
    graph = build(executor=TEN, supervisor=None)
    assert shown(graph.edges) == [
        (*LEDGER, ("executor",), True, "ledger.md", "archive/rounds.md", ""),
        ("directives", "signal", "owner", *DIRECTIVES),
        ("ops", "state", "executor", ("executor",), False, "ops.md", "", ""),
    ]


def test_a_whole_run_has_an_edge_for_each_carrier_and_each_timer():
    everyone = ("executor", "supervisor", "scout")
    assert shown(whole().edges) == [
        (*LEDGER, everyone, True, "ledger.md", "archive/rounds.md", ""),
        ("directives", "signal", "supervisor", *DIRECTIVES),
        ("ops", "state", "executor", everyone, False, "ops.md", "", ""),
        ("findings", "state", "scout", ("executor",), False, "findings.md", "", ""),
        *((f"timer:{one}", "state", one, (one,), False, "ops.md", "", "") for one in everyone),
    ]


def test_a_node_has_a_prompt_a_timer_and_a_tier_of_its_own():
    nodes = [(n.role, n.prompt, n.tier, n.interval, n.wakes) for n in whole().nodes]
    assert nodes == [
        ("executor", "executor.md", "fast", TEN, ("executor",)),
        ("supervisor", "supervisor.md", "strong", THIRTY, ("supervisor",)),
        ("scout", "scout.md", "fast", THIRTY, ("scout",)),
    ]


def test_a_node_is_found_by_its_role():
    graph = build(executor=TEN, supervisor=None)
    assert isinstance(graph.node("executor"), Node)
    assert graph.node("scout") is None
