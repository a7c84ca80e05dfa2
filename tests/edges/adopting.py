"""Plans after which the files of a run are brought to the canonical form."""

from __future__ import annotations

from loopgraph.edges import adoption, adoption_directives, adoption_ledger
from loopgraph.plain import header

LEDGER = adoption_ledger.Plan(
    bodies={"Debt & gap register": adoption.head(header.GAP_COLUMNS)},
    milestones=("M-1", "M-2", "M-3"),
    slice={"Context": "none", "Verify": "make test", "Done when": "it passes"},
    every=5,
    cap=400,
    keep=5,
    discovers=False,
    past="",
)
DIRECTIVES = adoption_directives.Plan(
    bodies={"Supervisor state": ["Last tick: none"]}, folded=3, audits=True, past=""
)
