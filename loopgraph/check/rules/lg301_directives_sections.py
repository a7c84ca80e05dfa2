"""LG301: the queue has every section that nodes and tools read."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find sections that are not there, in one finding."""
    found = live.asked_directives(run)
    if found is None:
        return
    wanted = contract.DIRECTIVES_SECTIONS
    missing = [title for title in wanted if found.document.section(title) is None]
    if missing:
        yield RULE.at(live.DIRECTIVES, 0, _("no section {titles}", titles=live.lacking(missing)))


_ALL = "\n\n".join(f"## {title}" for title in contract.DIRECTIVES_SECTIONS)

RULE = Rule(
    id="LG301",
    name="directives-sections",
    why="A correction outside its section is never folded, and an authority there binds nobody.",
    fix=N_("Put the headings back, empty where nothing is known."),
    bad={live.DIRECTIVES: example.prompt(_ALL.replace("## STANDING\n\n", ""), name="directives")},
    good={live.DIRECTIVES: example.prompt(_ALL, name="directives")},
    check=check,
    fixable="What the section said can't be guessed.",
)
