"""`loopgraph schema`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.options import print_json
from loopgraph.model.messages import _


def schema(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="pack, run, findings, facts or doctor.")
    ],
) -> None:
    """Print the JSON Schema of a file that people write, or of an answer that tools read."""
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.views.schemas import SCHEMAS

    if name not in SCHEMAS:
        raise UsageError(_("no such schema"), where=name, fix=nearest(name, SCHEMAS))
    print_json(SCHEMAS[name]())
