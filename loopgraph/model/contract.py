"""The public contract of a run: file names, contract ids, the sections of each file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

VERSION: Final = "v6"
NAMESPACE: Final = "longgraph.loop-graph"

ARTIFACTS: Final[Mapping[str, str]] = {
    "executor.md": "executor",
    "supervisor.md": "supervisor",
    "ledger.md": "ledger",
    "directives.md": "directives",
    "ops.md": "ops",
    "scout.md": "scout",
    "findings.md": "findings",
}
"""The files that open with a contract id, and the artifact name in it."""

PROMPTS: Final = ("executor.md", "supervisor.md", "scout.md")
"""Frozen whole after compile."""

LIVE: Final = ("ledger.md", "directives.md", "ops.md", "findings.md")
"""Written during the run; each within FILE_LINE_CAP and FILE_BYTE_CAP."""

LEDGER_SECTIONS: Final = (
    "Status header",
    "Current slice",
    "Starting snapshot",
    "Gate scoreboard",
    "Pending promotion",
    "owner-blocked",
    "Debt & gap register",
    "Rounds log",
)
METRIC_SECTION: Final = "Metric snapshot"
"""A ledger section of metric-driven runs only."""

DIRECTIVES_SECTIONS: Final = ("Supervisor state", "STANDING", "owner-blocked", "Corrections")

BY_HAND_SECTION: Final = "By hand"
"""The forms for a node without the program; runs of earlier versions have none."""

OPS_FROZEN: Final = (
    "Gates",
    "Credentials policy",
    "Data policy",
    "Production globs",
    "Spend budget",
    BY_HAND_SECTION,
)
"""Sections of ops.md that nobody changes after compile."""

OPS_SECTIONS: Final = (
    "Context index",
    *(title for title in OPS_FROZEN if title != BY_HAND_SECTION),
    "Build and test",
    "Standards",
)
DISCOVERY_SECTIONS: Final = ("Detectors", "Rotation areas", "Refill quota")
"""Further ops.md sections of discovery-driven runs."""
FANOUT_SECTION: Final = "Fan-out tier"
TIMERS_SECTION: Final = "Timers"

ARCHIVES: Final = (
    "rounds.md",
    "directives.md",
    "gaps.md",
    "decisions.md",
    "standing.md",
    "gates.md",
)

EXECUTOR_LIMIT: Final = (200, 12_000)
SUPERVISOR_LIMIT: Final = (160, 10_000)
"""Lines and bytes of a prompt."""

CLOSED_ROWS: Final = 12
"""Closed rows that the Gate scoreboard keeps."""
SLICE_LINES: Final = 6
"""Of the Current slice, at most."""

OUTCOME_SHOWN: Final = 1200
"""How many characters of an outcome executor.md carries; the whole is in run.yaml and ops.md."""


def contract_line(artifact: str) -> str:
    """The first line of a file of the run."""
    return f"Runtime contract: `{NAMESPACE}.{artifact}/{VERSION}`"
