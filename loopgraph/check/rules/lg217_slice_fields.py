"""LG217: the Current slice says what is to be done and how it is proved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.fields import Field
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find fields that are absent or empty, in one finding."""
    found = live.asked_ledger(run)
    if found is None or found.slice is None:
        return
    fields = zip(header.SLICE, found.slice[2:], strict=True)
    missing = [name for name, field in fields if not isinstance(field, Field) or not field.text]
    if missing:
        says = _("the Current slice does not say {fields}", fields=live.lacking(missing))
        yield RULE.at(live.LEDGER, found.slice.line, says)


_SLICE: Final = """\
- Item: a client over its limit gets 429
- Write set: src/limits/
- Context: C-01
- Verify: pytest tests/limits
- Done when: the test passes through the real app"""

RULE = Rule(
    id="LG217",
    name="slice-fields",
    why="The next fire starts cold from these five lines, and guesses whatever they leave out.",
    fix=N_("Add the missing fields, each on a line of its own."),
    bad=live.ledger("Current slice", _SLICE.replace("- Verify: pytest tests/limits\n", "")),
    good=live.ledger("Current slice", _SLICE),
    check=check,
    fixable="What the slice is about can't be told.",
)
