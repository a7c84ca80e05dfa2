"""What may follow what, and when a convergence round is due."""

from __future__ import annotations

import pytest

from loopgraph.model import states


def test_every_state_has_a_row_and_leads_to_known_states():
    for table, known in (
        (states.RUN, states.RUN_STATUSES),
        (states.MILESTONE_GATE, states.GATE_STATES),
    ):
        assert set(table) == set(known)
        assert {after for row in table.values() for after in row} <= set(known)


@pytest.mark.parametrize(
    ("table", "ends"), [(states.RUN, {"closed"}), (states.MILESTONE_GATE, {"n/a"})]
)
def test_only_a_closed_run_and_a_gate_that_is_none_lead_nowhere(table, ends):
    assert {state for state, after in table.items() if not after} == ends


def test_a_gate_is_passed_by_an_audit_alone():
    leads = {state for state, after in states.MILESTONE_GATE.items() if "passed" in after}
    assert leads == {"pending-audit"}


@pytest.mark.parametrize(
    ("rounds", "net", "due"),
    [(4, 0, False), (5, 0, True), (6, 0, True), (0, 400, False), (0, 401, True), (0, -500, False)],
)
def test_a_convergence_round_is_due_at_its_round_or_past_its_net_lines(rounds, net, due):
    assert states.convergence_due(rounds=rounds, every=5, net=net, cap=400) is due
