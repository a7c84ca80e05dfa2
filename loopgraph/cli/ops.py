"""`loopgraph ops`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="Facts of ops.md.")


@app.command("set")
def set_(  # noqa: PLR0913  the command's own options
    fact: Annotated[str, typer.Argument(metavar="FACT", help="Its name, or a detector's.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What is true.")],
    *,
    section: Annotated[
        str | None, text("--section", "Build and test, Standards, Refill quota, Detectors.")
    ] = None,
    command: Annotated[str, text("--command", "Of a new detector: what it runs.")] = "",
    blind_spot: Annotated[str, text("--blind-spot", "Of a new detector: what it misses.")] = "",
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Set a fact in place; under Detectors, the baseline of one or a new one."""
    from loopgraph.node import opsfacts

    keep(
        lambda found, call: opsfacts.change(
            found,
            call,
            fact,
            value,
            section=section or opsfacts.SECTIONS[0],
            detector=opsfacts.Detector(command, blind_spot),
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
