"""LG407: a gate that costs only time is batched, never rationed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loopgraph.check import example
from loopgraph.check.ops_of import NAME, ops_of
from loopgraph.check.rule import Rule
from loopgraph.check.rules.lg405_gate_cost import kind
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_TIME: Final = ("seconds", "minutes")
_PLAIN: Final = tuple(f"{cost} {batched}" for cost in _TIME for batched in ("yes", "no"))
"""What a compile writes; only other words are looked through."""

_RATION: Final = (
    r"\b(?:at most|no more than|up to|max|maximum|limit|limited|quota|ration|rationed|only)\b"
    r"|\b(?:once|twice|\d+ ?(?:x|×|times|runs?)?) (?:a|an|per|each|every) \w|最多|至多|不超过|限"
)


def check(run: Run) -> Iterator[Finding]:
    """Find gates of seconds or minutes whose number of runs is limited."""
    found = ops_of(run)
    for row in (found and found.gates) or ():
        said = f"{row.cost} {row.batched}"
        if said in _PLAIN or kind(row) not in _TIME:
            continue
        if re.search(_RATION, said, re.IGNORECASE):
            says = _("{name} costs only time, yet is rationed", name=row.id or _("a gate"))
            yield RULE.at(NAME, row.line, says)


RULE = Rule(
    id="LG407",
    name="rationed-gate",
    why="A cap on runs that cost nothing but time puts whole areas out of reach unseen.",
    fix=N_("Say `yes` under Batched: it is run once for several items, as often as needed."),
    bad=example.gates("| G-1 | suite | `pytest` | none | minutes: at most 3 a day | no | owner |"),
    good=example.gates("| G-1 | suite | `pytest` | none | minutes | yes | owner |"),
    check=check,
    fixable="Gates are frozen; the row comes back from version control or a new compile.",
)
