"""`loopgraph hook`, as its help shows it: calls of clients leave at the front door, before this."""

from __future__ import annotations

from typing import Annotated

import typer


def hook(
    what: Annotated[
        str, typer.Argument(metavar="stop|subagent-stop|explain|log", help="What a client reports.")
    ],
    *,
    host: Annotated[
        str, typer.Option("--host", metavar="NAME", help="The client, if the payload does not say.")
    ] = "",
) -> None:
    """Answer a client's Stop, read as JSON from stdin; `loopgraph install` registers it.

    explain tells each step of the decision and writes nothing; log shows the last decisions. It
    never fails: whatever goes wrong, the session may end its turn.
    """
    from loopgraph.hook.stop import main

    raise typer.Exit(main([what, *(["--host", host] if host else [])]))
