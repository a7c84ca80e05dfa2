"""`loopgraph gate`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="Gates: the scoreboard, and runs of them.")


@app.command("set")
def set_(  # noqa: PLR0913  the command's own options
    gate: Annotated[str, typer.Argument(metavar="GATE", help="Its row, by name or id.")],
    *,
    status: Annotated[str, text("--status", "open, in-progress, closed, owner-blocked.")],
    evidence: Annotated[str, text("--evidence", "What shows it, or the next action.")],
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Set a row of the Gate scoreboard, or add it."""
    from loopgraph.node import gates

    keep(
        lambda found, call: gates.change(found, call, gate, status=status, evidence=evidence),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
