"""`loopgraph standing`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="Standing entries: the owner's.")


@app.command()
def add(  # noqa: PLR0913  the command's own options
    kind: Annotated[str, typer.Argument(metavar="KIND", help="AUTHORITY, PRE-AUTH, SCOPE.")],
    entry: Annotated[str, typer.Argument(metavar="TEXT", help="What is in force.")],
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Grant something, or draw a border."""
    from loopgraph.node import standing

    keep(
        lambda found, call: standing.add(found, call, kind, entry),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def replace(  # noqa: PLR0913  the command's own options
    id_: Annotated[str, typer.Argument(metavar="S-nnn", help="The entry.")],
    entry: Annotated[str, typer.Argument(metavar="TEXT", help="What is in force.")],
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Word an entry anew."""
    from loopgraph.node import standing

    keep(
        lambda found, call: standing.replace(found, call, id_, entry),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def retire(
    id_: Annotated[str, typer.Argument(metavar="S-nnn", help="The entry.")],
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Lift an entry."""
    from loopgraph.node import standing

    keep(
        lambda found, call: standing.retire(found, call, id_),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
