"""What a run is before any text of it: its aim, its nodes, its graph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopgraph.model import spec
from loopgraph.model.errors import UsageError
from tests.check import compiled


@pytest.mark.parametrize(
    ("outcome", "proof", "where"),
    [
        ("", "`pytest`", "north_star.outcome"),
        (" \n", "`pytest`", "north_star.outcome"),
        ("it works", "", "north_star.proof"),
        ("it works", " ", "north_star.proof"),
        ("it works", "none", "north_star.proof"),
        ("it works", "n/a", "north_star.proof"),
    ],
)
def test_a_north_star_without_an_outcome_or_a_proof_is_refused(outcome, proof, where):
    with pytest.raises(UsageError) as refused:
        spec.NorthStar(outcome=outcome, proof=proof)
    assert refused.value.where == where
    assert refused.value.fix


def test_an_outcome_may_be_a_word_that_is_no_proof():
    assert spec.NorthStar(outcome="None", proof="`pytest` passes").outcome == "None"


def test_a_run_is_asked_for_its_knobs_and_nodes_by_name():
    run = compiled.spec()
    assert run.knob("GAP_CAP") == run.knobs["GAP_CAP"].value == 12
    assert run.knob("YIELD_FLOOR") is None
    assert run.node("executor") == run.nodes[0]
    assert run.node("scout") is None


def test_the_graph_of_a_run_has_its_nodes_at_their_intervals():
    run = compiled.spec()
    graph = run.graph()
    assert [node.role for node in graph.nodes] == [node.role for node in run.nodes]
    assert [str(node.interval) for node in graph.nodes] == [node.interval for node in run.nodes]
    assert any(edge.name == "timer:executor" for edge in graph.edges) is run.timers


def test_a_run_without_a_readable_interval_fires_every_ten_minutes():
    run = compiled.spec()
    odd = replace(run, nodes=(replace(run.nodes[0], interval="often"),))
    assert [str(node.interval) for node in odd.graph().nodes] == ["10m"]
