"""`loopgraph timer`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="The Timers table of ops.md.")


@app.command("set")
def set_(  # noqa: PLR0913  the command's own options
    timer: Annotated[str, typer.Argument(metavar="ID", help="The timer's id.")],
    *,
    node: Annotated[str | None, text("--node", "Whose, for the owner.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Write down your own timer."""
    from loopgraph.node import timers

    keep(
        lambda found, call: timers.change(found, call, timer, node=node),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
