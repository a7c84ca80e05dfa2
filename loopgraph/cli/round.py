"""`loopgraph round`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunHere, RunOption, measured, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(
    no_args_is_help=True, help="Rounds: begin one, and record it when it is verified."
)


@app.command()
def start(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    item: Annotated[
        str | None, text("--item", "The work item; that of the slice if left out.")
    ] = None,
    converge: Annotated[
        bool, typer.Option("--converge", help="It only removes and simplifies.")
    ] = False,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="It only repairs a red gate, or carries out a folded directive."
        ),
    ] = False,
    baseline: Annotated[
        str | None, text("--baseline", "What failed before the first edit, for Starting snapshot.")
    ] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Begin the next round: its item stands in the log until it is recorded."""
    from loopgraph.cli.keeping import find, speaker
    from loopgraph.disk import beside, measures
    from loopgraph.node import rounds, stops

    path = find(run or where, workspace)
    if stopped := beside.holding(path):  # before any snapshot is taken
        stops.refuse(stopped, speaker(said, path), path.name)
    measured(
        lambda found, call, measure: rounds.start(
            found,
            call,
            item=item,
            converge=converge,
            repair=repair,
            baseline=baseline,
            measured=measure,
        ),
        measures.start,
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def record(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    result: Annotated[str, text("--result", "What the verify said.")],
    item: Annotated[
        str | None, text("--item", "The work item; that of the slice if left out.")
    ] = None,
    changed: Annotated[
        list[str] | None, text("--changed", "A path that was changed; may be given several times.")
    ] = None,
    evidence: Annotated[
        list[str] | None, text("--evidence", "Where that can be seen; may be given several times.")
    ] = None,
    net: Annotated[str | None, text("--net", "Production lines, as +ADDED/-REMOVED.")] = None,
    next_: Annotated[
        str | None, text("--next", "The next item, with ids of ops.md or of a debt row.")
    ] = None,
    converge: Annotated[
        bool, typer.Option("--converge", help="It only removed and simplified.")
    ] = False,
    failed: Annotated[
        bool, typer.Option("--fail", help="The verify failed: the item stays open.")
    ] = False,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="It only repaired a red gate, or carried out a folded directive."
        ),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Record it against a law, with a finding.")
    ] = False,
    why: Annotated[str | None, text("--why", "Why --force.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Record one closed round, with what shows it."""
    from loopgraph.disk import measures
    from loopgraph.node import rounds

    measured(
        lambda found, call, measure: rounds.record(
            found,
            call,
            rounds.Said(
                item,
                tuple(changed or ()),
                result,
                tuple(evidence or ()),
                net,
                next_,
                converge=converge,
                failed=failed,
                repair=repair,
                force=force,
                why=why or "",
            ),
            measure,
        ),
        measures.end,
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )
