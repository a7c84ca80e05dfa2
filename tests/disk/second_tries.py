"""What a command may decide when it is asked once more, after a hand edit."""

from __future__ import annotations

from loopgraph.edges.change import Change
from loopgraph.model.errors import RefusedError


def refuses(_):
    raise RefusedError("no")


def moves_nothing(run):
    return Change(live={"ledger.md": run.files["ledger.md"] + "more\n"})


def writes_nothing(_):
    return Change()
