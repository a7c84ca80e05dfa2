"""`loopgraph rounds`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, RunName, Workspace, print_json
from loopgraph.model.messages import _


def rounds(  # noqa: PLR0913  the command's own options
    name: RunName = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Those of the archive, too.")] = False,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", min=1, help="Only the newest.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="ROUND", help="From this round on: R12.")
    ] = None,
    run: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """List the rounds, the oldest first."""
    from loopgraph.cli.meant import find, tell_problems
    from loopgraph.disk import archive
    from loopgraph.edges import history
    from loopgraph.model.errors import UsageError
    from loopgraph.views import history as view

    first = history.parse_id(since) if since else None
    if since and (first is None or first.letters != "R"):
        raise UsageError(_("no round"), where=f"--since {since}", fix=_("Say R12."))
    kept = ("rounds",) if everything or first else ()
    texts = archive.texts(find(run or name, workspace), live=("ledger.md",), archived=kept)
    every = view.rows(history.rounds(texts))
    found = tuple(row for row in every if first is None or row.number >= first.number)
    found = found[-last:] if last else found
    if json:
        print_json(view.rounds_data(found, texts.problems))
        return
    typer.echo(view.rounds(found, every), nl=False)
    tell_problems(texts.problems)
