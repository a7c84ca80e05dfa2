"""`loopgraph gate`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, speaker, text
from loopgraph.cli.options import As, Json, Workspace, environ
from loopgraph.model.messages import _

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
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Run a gate, or note an observation, and keep the result as evidence."""
    from loopgraph.cli import clock
    from loopgraph.cli.keeping import find
    from loopgraph.disk import gates
    from loopgraph.model.errors import UsageError

    if (gate is None) == (not result):
        raise UsageError(
            _("which gate?"), where="gate run", fix=_("Name one, or say --result CHECK=pass.")
        )
    path = find(run, workspace)
    if gate is None:
        for one in result or ():
            keep(
                gates.observation(path, one, evidence or ""),
                run=run,
                said=said,
                workspace=workspace,
                json=json,
            )
        return
    speaking = speaker(said, path)
    timed = not clock.stands_still(environ())
    ran = gates.ran(path, gate, speaking, environ(), limit=limit, timed=timed)
    keep(ran.store, run=run, said=said, workspace=workspace, json=json)
    if ran.code:
        raise typer.Exit(ran.code)
