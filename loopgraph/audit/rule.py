"""Rule of a history: an id, why it exists, and two states of which the second breaks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from loopgraph.audit.history import Step
from loopgraph.model.finding import Finding, Level
from loopgraph.model.messages import _


class Rule(NamedTuple):
    """One law of a run's history."""

    id: str
    """`LG601`: the sixth room."""
    name: str
    """A few words with hyphens, such as `run-status`."""
    why: str
    """One sentence that ends in a full stop: what goes wrong where the rule is broken."""
    fix: str
    """One sentence: what to do about a finding."""
    before: Mapping[str, str]
    """File name to text: a state of a small run."""
    bad: Mapping[str, str]
    """The files of the next state, which breaks this rule once."""
    good: Mapping[str, str]
    """The same, as it should be."""
    level: Level = "error"
    fixable: str = ""
    """Why a command can't mend it; empty, since no history is ever mended."""


class Breach(NamedTuple):
    """What is wrong, and in which state it was first seen."""

    step: Step
    finding: Finding


def at(rule: Rule, step: Step, file: str, line: int, message: str) -> Breach:
    """A breach of a rule at a place of a state."""
    return Breach(step, Finding(rule.id, file, line, message, _(rule.fix), 1, rule.level))
