"""`loopgraph slice`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunHere, RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="The Current slice of the ledger.")


@app.command("set")
def set_(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    item: Annotated[str | None, text("--item", "What is done.")] = None,
    write_set: Annotated[str | None, text("--write-set", "The paths it may change.")] = None,
    context: Annotated[str | None, text("--context", "Ids of ops.md.")] = None,
    verify: Annotated[str | None, text("--verify", "One narrow command.")] = None,
    done_when: Annotated[str | None, text("--done-when", "What is true then.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Set fields of the slice; the others stay."""
    from loopgraph.node import slices

    keep(
        lambda found, call: slices.change(
            found,
            call,
            dict(zip(slices.OPTIONS, (item, write_set, context, verify, done_when), strict=True)),
        ),
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )
