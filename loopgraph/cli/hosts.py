"""`loopgraph hosts`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.options import Json

app = typer.Typer(no_args_is_help=True, help="Show where nodes can run.")


@app.command("list")
def list_(*, as_json: Json = False) -> None:
    """List every host that a run can be compiled for."""
    from loopgraph.views import hosts as view

    if as_json:
        _print(view.data())
        return
    typer.echo(view.listing(), nl=False)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A host's name, as in `list`.")],
    *,
    as_json: Json = False,
) -> None:
    """Show what is known of one host, and on which version it was checked."""
    from loopgraph.views import hosts as view

    host = view.named(name)
    if as_json:
        _print(view.data({name: host}))
        return
    typer.echo(view.shown(host), nl=False)


def _print(value: object) -> None:
    import json

    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
