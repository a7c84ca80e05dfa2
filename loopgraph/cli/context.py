"""`loopgraph context`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunHere, RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="The context index of ops.md.")


@app.command()
def add(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    use_when: Annotated[str, text("--use-when", "When it helps.")],
    read: Annotated[str, text("--read", "What to read.")],
    verify: Annotated[str, text("--verify", "What shows that it still holds.")],
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Add a row: what to read when."""
    from loopgraph.node import context

    keep(
        lambda found, call: context.add(found, call, use_when=use_when, read=read, verify=verify),
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def replace(  # noqa: PLR0913  the command's own options
    id_: Annotated[str, typer.Argument(metavar="C-nn", help="The row.")],
    *,
    use_when: Annotated[str | None, text("--use-when", "When it helps.")] = None,
    read: Annotated[str | None, text("--read", "What to read.")] = None,
    verify: Annotated[str | None, text("--verify", "What shows that it still holds.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Replace cells of a row."""
    from loopgraph.node import context

    keep(
        lambda found, call: context.replace(
            found, call, id_, use_when=use_when, read=read, verify=verify
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
