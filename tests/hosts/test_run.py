"""A compiled run in the real clients: two sessions, two nodes, and only files between them."""

from __future__ import annotations

import re

import pytest

from tests.hosts.conftest import ALL

ANSWERS = """\
goal: Limit the rate of each client of the public API
milestones:
- outcome: The limit is read from the configuration
  exit_checks: G-1
  audit_surface: bookshelf/limits.py
  write_set: bookshelf/limits.py
- outcome: A client over its limit is refused
  exit_checks: G-1
  audit_surface: bookshelf/catalog.py
  write_set: bookshelf/catalog.py
gate: python3 -c pass
"""
LIMITS = "bookshelf/limits.py"


def says(words: str) -> dict[str, str]:
    """The agent runs one of our commands."""
    return {"run": f"loopgraph {words}"}


def node(said: str, role: str) -> str:
    """The line of the handoff for a node, as it is pasted into a session."""
    found = re.findall(rf"^(?:/loop|Read) .*/{role}\.md.*$", said, re.MULTILINE)
    return str(found[0])


def cut(item: str) -> dict[str, str]:
    """The executor cuts its slice."""
    return says(
        f'slice set --as executor --item "{item}" --write-set {LIMITS} '
        '--verify "python3 -c pass" --done-when "the gate passes"'
    )


def close(item: str, line: str, follows: str) -> list[dict[str, str]]:
    """The executor does its slice, and records the round."""
    return [
        {"run": f"echo '{line}' >> {LIMITS}"},
        says(
            f'round record --as executor --item "{item}" --changed {LIMITS} --net +1/-0 '
            f'--result "the gate passes" --evidence "python3 -c pass" --next "{follows}"'
        ),
    ]


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_an_executor_is_held_to_its_slice_and_a_supervisor_never(desk):
    answers = desk.base / "answers.yaml"
    answers.write_text(ANSWERS, "utf-8")
    told = desk.must("new", "deliver", "--answers", str(answers), "--yes", "--host", desk.host)
    (run,) = desk.workspace.glob(".longgraph/2*")

    first = desk.turn(
        node(told, "executor"),
        {"run": f"cat .longgraph/{run.name}/executor.md"},
        says(f"bind {run.name} --as executor"),
        says("next --as executor"),
        says('round start --as executor --baseline "nothing fails"'),
        cut("Read the limit"),
        *close("Read the limit", "LIMIT = 100", "Show the limit"),
        {"say": "One round is done; shall I go on?"},
        says("next --as executor"),
        # A row that may be worked on while the milestone is audited: not even that holds it then.
        says(
            'gap add --as executor --priority P2 --write-set docs/limits.md --verify "read it" '
            '"Say the limit in the docs"'
        ),
        cut("Show the limit"),
        *close("Show the limit", "print(LIMIT)", "Wait for the audit"),
        says('gate set M-1 --as executor --status closed --evidence "R1 and R2"'),
        says(f'promote request M-1 --as executor --surface "{LIMITS}, G-1" --evidence "R1 and R2"'),
        {"say": "The milestone waits for its audit."},
    )
    assert first.whole, first
    (reason,) = first.reasons
    assert f"The run {run.name} is active" in reason
    assert "Next item: Show the limit" in reason
    assert "verify" not in reason  # the slice is not cut yet
    assert f"loopgraph next {run.name} --as executor" in reason
    assert len(reason.splitlines()) <= 12
    assert desk.log() == ["block", "go seam"], first

    second = desk.turn(
        node(told, "supervisor"),
        {"run": f"cat .longgraph/{run.name}/supervisor.md"},
        says(f"bind {run.name} --as supervisor"),
        says("next --as supervisor"),
        {"run": f"cat {LIMITS}"},
        says(
            'directive add plan --as supervisor --action "Say the limit in the docs" '
            '--verify "python3 -c pass"'
        ),
        says("audited --through R2 --as supervisor"),
        {"say": "One correction is written; the audit goes on at my next tick."},
    )
    assert (second.whole, second.reasons) == (True, []), second
    assert second.session != first.session
    assert desk.log()[-1] == "go no-claim"
    assert "D-001" in desk.read(f".longgraph/{run.name}/directives.md")

    third = desk.turn(
        node(told, "executor"),
        says("next --as executor"),
        says('directive fold D-001 --as executor --effect "a docs slice is cut"'),
        {"say": "Folded."},
        says('block --reason "the docs are locked" --until "their owner opens them"'),
        {"say": "Only their owner can open the docs."},
        resume=first.session,
    )
    assert (third.whole, third.session) == (True, first.session), third
    assert "D-001" in third.heard[1], third
    assert "Last directive folded: D-001" in desk.read(f".longgraph/{run.name}/ledger.md")
    (reason,) = third.reasons
    assert "Next item: GAP-001" in reason
    assert desk.log()[-2:] == ["block", "go blocked"]
