"""The contract that runs of every age are read by: a change of it is a new version."""

from __future__ import annotations

import pytest

from loopgraph.model import contract


def test_a_file_opens_with_the_name_and_version_of_its_contract():
    line = contract.contract_line("ledger")
    assert line == "Runtime contract: `longgraph.loop-graph.ledger/v6`"


def test_each_file_of_a_run_is_a_prompt_or_live():
    assert set(contract.ARTIFACTS) == {*contract.PROMPTS, *contract.LIVE}
    assert all(file == f"{name}.md" for file, name in contract.ARTIFACTS.items())


def test_the_part_for_nodes_without_the_program_is_no_section_that_a_run_must_have():
    assert contract.BY_HAND_SECTION in contract.OPS_FROZEN
    assert contract.BY_HAND_SECTION not in contract.OPS_SECTIONS
    assert set(contract.OPS_FROZEN) - {contract.BY_HAND_SECTION} < set(contract.OPS_SECTIONS)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (contract.EXECUTOR_LIMIT, (200, 12_000)), (contract.SUPERVISOR_LIMIT, (160, 10_000)),
        (contract.CLOSED_ROWS, 12), (contract.SLICE_LINES, 6), (contract.OUTCOME_SHOWN, 1200),
    ],
)  # fmt: skip
def test_the_sizes_are_those_of_the_contract(value, expected):
    assert value == expected
