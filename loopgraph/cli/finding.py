"""`loopgraph finding`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="Findings of the scout.")


@app.command()
def add(  # noqa: PLR0913  the command's own options
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What was found.")],
    *,
    place: Annotated[str, text("--where", "Path and line.")],
    reproduce: Annotated[str, text("--reproduce", "How to see it.")],
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Write a lead down."""
    from loopgraph.node import findings

    keep(
        lambda found, call: findings.add(found, call, where=place, what=what, reproduce=reproduce),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
