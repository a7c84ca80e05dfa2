"""`loopgraph directive`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.keeping import RunHere, RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace, environ

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.edges.change import Change
    from loopgraph.edges.run import Run
    from loopgraph.node.call import Call

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
    from loopgraph.cli.keeping import find
    from loopgraph.disk import evidence, runs
    from loopgraph.edges import packets
    from loopgraph.node import directives

    packet = directives.Packet(
        verdict, milestone, context or "none", action, verify, stop or "none"
    )
    root = runs.root_of(find(run, workspace))
    folders = evidence.folders(root, packets.words(f"{packet.stop} {packet.action}"))
    keep(
        lambda found, call: directives.add(found, call, packet, from_=from_, folders=folders),
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
    keep_snapshots: Annotated[
        bool,
        typer.Option("--keep-snapshots", help="Where it closes the run: leave its snapshots."),
    ] = False,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Advance the watermark by the next directive, and do what its verdict says.

    The accept of the last milestone closes a run that is exit-ready; the snapshots of its rounds
    go with it.
    """
    from loopgraph.disk import snapshots
    from loopgraph.node import directives

    closed: list[bool] = []

    def command(found: Run, call: Call) -> Change:
        change = directives.fold(found, call, id_, effect=effect)
        ledgers = (found.ledger(), found._replace(files={**found.files, **change.live}).ledger())
        closed[:] = [ledger is not None and ledger.status == "closed" for ledger in ledgers]
        return change

    def drop(path: Path) -> None:
        if closed == [False, True]:
            snapshots.remove_all(path, environ())

    keep(
        command,
        run=run,
        said=said,
        workspace=workspace,
        json=json,
        after=None if keep_snapshots else drop,
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
