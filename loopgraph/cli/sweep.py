"""`loopgraph sweep`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunHere, RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="Sweeps of a discovery-driven run.")


@app.command()
def record(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    area: Annotated[str, text("--area", "The area, by name or number.")],
    detector: Annotated[str, text("--detector", "The detector, by name or number.")],
    new: Annotated[int, typer.Option("--new", metavar="N", help="New qualifying candidates.")],
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Record one detector's run over the current area."""
    from loopgraph.node import sweep

    keep(
        lambda found, call: sweep.record(found, call, area=area, detector=detector, new=new),
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )
