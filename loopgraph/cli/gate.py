"""`loopgraph gate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, speaker, text
from loopgraph.cli.options import As, Json, Workspace, environ, print_json
from loopgraph.model.messages import _

if TYPE_CHECKING:  # the name is for types alone
    from pathlib import Path

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
    from loopgraph.cli.keeping import find
    from loopgraph.disk import last_results
    from loopgraph.node import fire_work, gates

    path = find(run, workspace)
    keep(
        lambda found, call: gates.change(
            found,
            call,
            gate,
            status=status,
            evidence=evidence,
            gathered=last_results.newest(path, fire_work.gates(found)),
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command("run")
def run_(  # noqa: PLR0913  the command's own options
    gate: Annotated[
        str | None, typer.Argument(metavar="[G-nn]", help="A gate of ops.md that is a command.")
    ] = None,
    *,
    result: Annotated[
        list[str] | None, text("--result", "CHECK=pass or CHECK=fail, of what you observed.")
    ] = None,
    evidence: Annotated[str | None, text("--evidence", "What shows the observation.")] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="SECONDS", help="How long it may take.")
    ] = 1800,
    all_: Annotated[
        bool, typer.Option("--all", help="Run every gate that costs only time, one after another.")
    ] = False,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Run a gate, or note an observation, and keep the result; without a gate list them all."""
    from loopgraph.cli import clock
    from loopgraph.cli.keeping import find
    from loopgraph.disk import gates
    from loopgraph.model.errors import RefusedError, UsageError
    from loopgraph.plain.quoting import visible

    if sum((gate is not None, bool(result), all_)) > 1:
        raise UsageError(
            _("which gate?"),
            where="gate run",
            fix=_("Name one, or say --all, or --result CHECK=pass."),
        )
    path = find(run, workspace)
    if result:
        for one in result:
            keep(
                gates.observation(path, one, evidence or ""),
                run=run,
                said=said,
                workspace=workspace,
                json=json,
            )
        return
    if gate is None and not all_:
        _list(path, json=json)
        return
    speaking = speaker(said, path)
    timed = not clock.stands_still(environ())
    worst = 0
    for name in [gate] if gate is not None else _unmetered(path):
        try:
            ran = gates.ran(path, name, speaking, environ(), limit=limit, timed=timed)
        except RefusedError as error:
            if gate is not None:
                raise
            typer.echo(visible(f"loopgraph: {error}"), err=True)
            worst = 1
            continue
        keep(ran.store, run=run, said=said, workspace=workspace, json=json)
        worst = max(worst, ran.code if gate is not None else int(ran.code != 0))
    if worst:
        raise typer.Exit(worst)


def _list(path: Path, *, json: bool) -> None:
    from loopgraph.disk import evidence, runs
    from loopgraph.views import gates as view

    found = view.listed(runs.load(path), evidence.results(path))
    if json:
        print_json(view.data(found))
    else:
        typer.echo(view.text(found), nl=False)


def _unmetered(path: Path) -> list[str]:
    """The gates that may all be run; the others are named on stderr."""
    from loopgraph.disk import evidence, runs
    from loopgraph.plain.quoting import visible
    from loopgraph.views import gates as view

    found = view.listed(runs.load(path), evidence.results(path)).gates
    for one in found:
        if one.metered or not one.command:
            why = _("metered") if one.metered else _("observed")
            typer.echo(visible(f"loopgraph: {_('{id} is not run', id=one.id)}: {why}"), err=True)
    return [one.id for one in found if one.command and not one.metered]
