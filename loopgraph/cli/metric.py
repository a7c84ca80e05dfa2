"""`loopgraph metric`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="The Metric snapshot of a metric-driven run.")


@app.command("set")
def set_(  # noqa: PLR0913  the command's own options
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="Its name.")],
    *,
    now: Annotated[str, text("--now", "The value.")],
    evidence: Annotated[str, text("--evidence", "How it was measured.")],
    baseline: Annotated[str | None, text("--baseline", "Of a new metric.")] = None,
    target: Annotated[str | None, text("--target", "Of a new metric.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Write down what was measured."""
    from loopgraph.node import metrics

    keep(
        lambda found, call: metrics.change(
            found, call, metric, now=now, evidence=evidence, baseline=baseline, target=target
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
