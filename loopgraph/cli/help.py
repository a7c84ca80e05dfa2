"""`loopgraph help`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.model.messages import _


def help(  # noqa: A001  the command's name
    topic: Annotated[
        str | None, typer.Argument(metavar="[TOPIC]", help="exit-codes, knobs or answers.")
    ] = None,
) -> None:
    """Explain what several commands share: exit-codes, knobs, answers."""
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.views import topics

    if topic is None:
        typer.echo(topics.every(), nl=False)
        return
    if topic not in topics.TOPICS:
        raise UsageError(_("no such topic"), where=topic, fix=nearest(topic, topics.TOPICS))
    typer.echo(topics.TOPICS[topic](), nl=False)
