"""`loopgraph directive`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunHere, RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="The directives queue.")


@app.command()
def add(  # noqa: PLR0913  the command's own options
    verdict: Annotated[
        str,
        typer.Argument(
            metavar="VERDICT", help="plan or stop; accept and redo are said by `promote`."
        ),
    ],
    *,
    action: Annotated[str, text("--action", "The one outcome to reach.")],
    verify: Annotated[str, text("--verify", "One command or observation.")],
    context: Annotated[str | None, text("--context", "Ids of ops.md, places, rounds.")] = None,
    stop: Annotated[str | None, text("--stop", "What to leave alone, why, until when.")] = None,
    milestone: Annotated[
        str | None, text("--milestone", "The milestone or debt row it is about.")
    ] = None,
    from_: Annotated[str | None, text("--from", "owner: the owner writes it.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Append a correction, after what is folded has moved to the archive."""
    from loopgraph.node import directives

    keep(
        lambda found, call: directives.add(
            found,
            call,
            directives.Packet(
                verdict, milestone, context or "none", action, verify, stop or "none"
            ),
            from_=from_,
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def fold(  # noqa: PLR0913  the command's own options
    id_: Annotated[str, typer.Argument(metavar="D-nnn", help="The directive.")],
    *,
    effect: Annotated[str, text("--effect", "What it changed.")],
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Advance the watermark by the next directive."""
    from loopgraph.node import directives

    keep(
        lambda found, call: directives.fold(found, call, id_, effect=effect),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def rotate(
    where: RunHere = None,
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Move what is folded to the archive."""
    from loopgraph.node import directives

    keep(
        directives.turned,
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )
