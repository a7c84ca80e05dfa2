"""Where the files that hold a session at work are, and what a command wants changed in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.plain import places

Files = Mapping[str, str]
"""Texts by path, relative to the base with forward slashes; what is absent is not in it.

Bytes that are no UTF-8 come in, and go out, as lone surrogates.
"""


class Change(NamedTuple):
    """What a command wants; nothing has been done yet."""

    files: Mapping[str, str | None]
    """The new text by path; None removes the file."""
    says: tuple[str, ...] = ()
    """Lines for whoever ran the command."""


class Layout(NamedTuple):
    """The loop files of one scope, relative to its base."""

    loops: str
    """Folder with one file a task."""
    registry: str
    single: str
    """The one file that other tools read: a copy of the active task."""
    state: str
    """Folder of evidence states."""
    lock: str

    def loop(self, task: str) -> str:
        """The file of a task."""
        return f"{self.loops}/{task}.md"

    def evidence(self, owner: str) -> str:
        """The evidence state of a session, or of a task that no session is bound to yet."""
        return f"{self.state}/{places.file_name(owner)}.json"


PROJECT: Final = Layout(
    places.LOOPS, places.LOOP_INDEX, places.SEED_LOOP, places.STATES, places.LOCK
)
"""Below a workspace."""
GLOBAL: Final = Layout(
    places.GLOBAL_LOOPS,
    places.GLOBAL_LOOP_INDEX,
    places.GLOBAL_LOOP,
    ".codex/.omx/state/long-term-task",
    ".codex/.omx/.lock",
)
"""Below the user's home."""

FOREIGN: Final[Mapping[str, str]] = {"omx": places.SEED_LOOP, "claude": places.PLUGIN_LOOP}
"""Loop files of other tools in a workspace, by the name they are asked for with."""


def stop(run: str | None) -> str:
    """The STOP file of a run, or of the whole workspace."""
    return f"{places.FOLDER}/{run}/{places.RUN_STOP}" if run else places.STOP


def blocked(session: str) -> str:
    """The file that says why a session cannot go on."""
    return f"{places.BLOCKED}/{places.file_name(session)}.json"


def plan_ledger(work: str) -> str:
    """The evidence ledger of a plan."""
    return f"{places.PLAN_LEDGERS}/{work}.ledger.jsonl"
