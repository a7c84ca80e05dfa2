"""`loopgraph next`."""

from __future__ import annotations

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import As, Json, RunName, Workspace


def next(  # noqa: A001  the command's name
    name: RunName = None,
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Say what a node has to do now: a fire begins with it; at most 60 lines."""
    from loopgraph.cli import quick

    quick.next_(quick.Asked(run or name, workspace, said, json))
