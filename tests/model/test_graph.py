"""The laws of the graph."""

import pytest

from loopgraph.model.errors import RefusedError
from loopgraph.model.graph import Edge, Graph, build
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
