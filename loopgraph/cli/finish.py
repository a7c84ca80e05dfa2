"""`loopgraph finish`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from loopgraph.cli.keeping import RunHere, RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace, environ

app = typer.Typer(no_args_is_help=True, help="The end of a run.")


@app.command("exit-ready")
def exit_ready(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    why: Annotated[str, text("--why", "What shows it.")],
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Say that everything is done and the whole proof has passed."""
    from loopgraph.node import finish

    keep(
        lambda found, call: finish.exit_ready(found, call, why=why),
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def stalled(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    why: Annotated[str, text("--why", "The diagnosis.")],
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Say that the run cannot go on."""
    from loopgraph.node import finish

    keep(
        lambda found, call: finish.stalled(found, call, why=why),
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def closed(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    why: Annotated[str, text("--why", "The reason.")],
    keep_snapshots: Annotated[
        bool, typer.Option("--keep-snapshots", help="Leave the snapshots of its rounds.")
    ] = False,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """End the run for good; the snapshots of its rounds go with it."""
    from loopgraph.disk import snapshots
    from loopgraph.node import finish

    def drop(path: Path) -> None:
        snapshots.remove_all(path, environ())

    keep(
        lambda found, call: finish.closed(found, call, why=why),
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
        after=None if keep_snapshots else drop,
    )
