"""Which files belong to a run, and which of them a rule looks at."""

from __future__ import annotations

from typing import Final

from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Level

RECORD: Final = "run.yaml"
HANDOFF: Final = "handoff.md"

PROMPTS: Final = contract.PROMPTS

AUTHORED: Final = tuple(contract.ARTIFACTS)
"""Everything that opens with a contract id."""

FROZEN: Final = (*contract.PROMPTS, "ops.md")
"""Files whose words are the compiler's; the others carry what nodes write."""

_ALWAYS: Final = ("executor.md", "ledger.md", "directives.md", "ops.md")
_BY_NODE: Final = (
    ("supervisor", ("supervisor.md",)),
    ("scout", ("scout.md", "findings.md")),
)


def wanted(run: Run) -> tuple[str, ...]:
    """The files that this run's graph asks for; without a record, those that every run has."""
    if run.record is None:
        return _ALWAYS
    roles = {node.role for node in run.record.spec.nodes}
    return (*_ALWAYS, *(name for role, names in _BY_NODE if role in roles for name in names))


def there(run: Run, name: str) -> bool:
    """Whether a file is there, readable or not."""
    return name in run.files or name in run.others


def level_in(name: str) -> Level:
    """How much a doubtful text weighs: it is an error where the compiler alone writes."""
    return "error" if name in FROZEN else "warning"
