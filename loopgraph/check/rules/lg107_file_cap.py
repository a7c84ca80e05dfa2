"""LG107: a live file stays within the lines and bytes that a fire can afford to read."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find live files over FILE_LINE_CAP or FILE_BYTE_CAP."""
    lines_cap, bytes_cap = _number(run, "FILE_LINE_CAP"), _number(run, "FILE_BYTE_CAP")
    for name in contract.LIVE:
        source = run.files.get(name, "")
        lines = source.count("\n") + (not source.endswith("\n") and source != "")
        size = len(source.encode("utf-8", "surrogatepass"))
        if lines > lines_cap:
            says = _("{lines} lines, over FILE_LINE_CAP={cap}", lines=lines, cap=lines_cap)
            yield RULE.at(name, lines_cap + 1, says)
        elif size > bytes_cap:
            says = _("{size} bytes, over FILE_BYTE_CAP={cap}", size=size, cap=bytes_cap)
            yield RULE.at(name, 0, says)


def _number(run: Run, knob: str) -> int:
    found = run.knob(knob)
    return found if isinstance(found, int) else 1 << 62


_HEAD = contract.contract_line("ledger") + "\n"

RULE = Rule(
    id="LG107",
    name="file-cap",
    why="Hosts cut long files silently, so a node acts on a part and takes it for the whole.",
    fix=N_("Move settled entries to archive/ word for word, and merge or close the rest."),
    bad={"ledger.md": _HEAD + "- a settled fact\n" * 200},
    good={"ledger.md": _HEAD + "- a settled fact\n" * 199},
    check=check,
    fixable="Which entries are settled is the node's to judge.",
)
