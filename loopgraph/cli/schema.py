"""`loopgraph schema`."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from loopgraph.cli.options import print_json

SCHEMAS: Final = {
    "pack": "loopgraph.author.packs",
    "run": "loopgraph.edges.record",
}
"""What has a published JSON Schema, and the module whose `schema()` makes it."""


def schema(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"{' or '.join(SCHEMAS)}.")],
) -> None:
    """Print the JSON Schema of a file that people or tools write."""
    from importlib import import_module

    from loopgraph.model.errors import UsageError, nearest

    if name not in SCHEMAS:
        raise UsageError("no such schema", where=name, fix=nearest(name, SCHEMAS))
    print_json(import_module(SCHEMAS[name]).schema())
