"""Sections of a history are read one by one, and say what the whole text says."""

from __future__ import annotations

import pytest

from loopgraph.audit import facts
from loopgraph.edges import directives, document
from tests.audit import lives

STAGES = [life for seed in (1, 2, 3) for life in lives.stages(70, seed)]
ODD = (
    ("", ""),
    ("## Rounds log\n", "## Rounds log — last 5 only\n"),
    ("## Rounds log\n", "## Notes\n\n- R99 2026-01-02 | not one\n\n## Rounds log\n"),
    ("## Current slice", "# Another title\n\n## Current slice"),
    ("Run status:", "Milestone gate: `open`\nRun status:"),
    ("## Rounds log\n", "```\n## Rounds log\n```\n\n## Rounds log\n"),
    ("## Rounds log\n", "  ## Rounds log\n"),
    ("## Rounds log\n\n", "## Rounds log\n\n<!-- newest last -->\n"),
    ("| ID | Priority", "words above\n\n| ID | Priority"),
    ("\n", "\r\n"),
)


def plain(led):
    """Without the lines of its rounds: of one that is read alone they are its own."""
    return led._replace(rounds=tuple(one._replace(line=0, end=0) for one in led.rounds))


@pytest.mark.parametrize(("old", "new"), ODD)
def test_a_ledger_read_by_its_sections_says_what_the_whole_says(old, new):
    for life in STAGES[:: 1 if not old else 9]:
        text = life.files["ledger.md"].replace(old, new) if old else life.files["ledger.md"]
        assert plain(facts.led(text)) == plain(facts._whole(text))  # noqa: SLF001


@pytest.mark.parametrize(
    ("old", "new"), [*ODD[:1], ("## Corrections", "## Notes\n\n## Corrections")]
)
def test_directives_read_by_their_sections_say_what_the_whole_says(old, new):
    for life in STAGES:
        text = life.files["directives.md"].replace(old, new) if old else life.files["directives.md"]
        found, whole = facts.queue(text), directives.read(document.parse(text))
        assert [one.id for one in found.corrections] == [one.id for one in whole.corrections]
        assert [one.line for one in found.packets.values()] == [
            one.line for one in whole.corrections
        ]
        assert [one.line for one in found.standing.values()] == [one.line for one in whole.standing]
        assert found.state == whole.state
