"""`loopgraph gap`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunHere, RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="Debt rows.")


@app.command()
def add(  # noqa: PLR0913  the command's own options
    line: Annotated[str, typer.Argument(metavar="LINE", help="What is missing, in one line.")],
    *,
    priority: Annotated[str, text("--priority", "P0, P1, P2, P3.")],
    write_set: Annotated[str, text("--write-set", "The paths it would change.")],
    verify: Annotated[str, text("--verify", "How it is shown.")],
    milestone: Annotated[str | None, text("--milestone", "The current one if left out.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Register a debt row."""
    from loopgraph.node import gaps

    keep(
        lambda found, call: gaps.add(
            found, call, gaps.Row(priority, milestone, write_set, verify, line)
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def close(  # noqa: PLR0913  the command's own options
    id_: Annotated[str, typer.Argument(metavar="GAP-nnn", help="The row.")],
    *,
    evidence: Annotated[str, text("--evidence", "What shows it.")],
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Close a row that is done."""
    from loopgraph.node import gaps

    keep(
        lambda found, call: gaps.close(found, call, id_, evidence=evidence),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def merge(  # noqa: PLR0913  the command's own options
    id_: Annotated[str, typer.Argument(metavar="GAP-nnn", help="The row that goes.")],
    *,
    into: Annotated[str, text("--into", "The row that stays.")],
    line: Annotated[str | None, text("--line", "What it says then.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Merge a row into another one."""
    from loopgraph.node import gaps

    keep(
        lambda found, call: gaps.merge(found, call, id_, into=into, line=line),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def park(
    id_: Annotated[
        str | None, typer.Argument(metavar="[GAP-nnn]", help="One of the lowest priority.")
    ] = None,
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Move the row of the lowest priority to the archive."""
    from loopgraph.node import gaps

    keep(
        lambda found, call: gaps.park(found, call, id_),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command("list")
def list_(
    where: RunHere = None,
    *,
    run: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Show the live rows, the most urgent first."""
    from loopgraph.cli.keeping import find
    from loopgraph.cli.options import print_json
    from loopgraph.disk import runs
    from loopgraph.node import gaps
    from loopgraph.plain.quoting import visible

    found = runs.load(find(run or where, workspace))
    if json:
        print_json(
            {"schema": "loopgraph/gaps/1", "gaps": [gap._asdict() for gap in gaps.rows(found)]}
        )
        return
    for line in gaps.listed(found):
        typer.echo(visible(line))
