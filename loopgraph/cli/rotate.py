"""`loopgraph rotate`."""

from __future__ import annotations

from loopgraph.cli.keeping import RunHere, RunOption, keep
from loopgraph.cli.options import As, Json, Workspace


def rotate(
    where: RunHere = None,
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Move what your own edge has settled to the archive."""
    from loopgraph.node import rotate as node

    keep(
        node.rotate,
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )
