"""Rule: an id, why it exists, what breaks it, and the function that finds that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding, Level
from loopgraph.model.messages import _


class Rule(NamedTuple):
    """One law of a run; its examples are its documentation and its tests."""

    id: str
    """`LG101`: the hundreds are the room (1 files, 2 ledger, 3 directives, 4 ops, 5 graph)."""
    name: str
    """A few words with hyphens, such as `run-status`."""
    why: str
    """One sentence that ends in a full stop: what goes wrong where the rule is broken."""
    fix: str
    """One sentence: what to do about a finding."""
    bad: Mapping[str, str]
    """File name to text: the smallest run that breaks this rule once."""
    good: Mapping[str, str]
    """The same, mended."""
    check: Callable[[Run], Iterable[Finding]]
    """Yields findings; made with `Rule.at` so that id, fix and level are the rule's own."""
    level: Level = "error"
    fixable: str = ""
    """Why `--fix` can't mend it, or empty where it can: then `node/mend.py` has it."""

    def at(
        self, file: str, line: int, message: str, *, column: int = 1, level: Level | None = None
    ) -> Finding:
        """A finding of this rule at a place; at another level only where `why` says so."""
        return Finding(self.id, file, line, message, _(self.fix), column, level or self.level)
