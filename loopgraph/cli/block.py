"""`loopgraph block`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.loop import scope
from loopgraph.cli.options import Json, SessionId, Workspace, print_change
from loopgraph.model.messages import _

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.edges.places import Change, Files


def block(  # noqa: PLR0913  the command's own options
    *,
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="What is missing, and from whom.")
    ] = "",
    until: Annotated[
        str, typer.Option("--until", metavar="TEXT", help="What can be seen once it is there.")
    ] = "",
    lift: Annotated[bool, typer.Option("--lift", help="Take the block away.")] = False,
    session: SessionId = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Say that only somebody outside can help: the session is let go until its next prompt."""
    from loopgraph.disk import places
    from loopgraph.model.errors import UsageError
    from loopgraph.node import block as node
    from loopgraph.node import speaker

    base, call = scope(workspace, everywhere=False)
    chosen = speaker.session(session, call.speaker, where="block")
    if chosen is None:
        raise UsageError(_("nobody says which session"), where="block", fix=_("Say --session ID."))

    def command(files: Files) -> Change:
        if lift:
            return node.lift(files, call.layout, chosen)
        return node.block(files, call.layout, chosen, reason=reason, until=until, now=call.now)

    wanted = node.wanted(call.layout, chosen)
    print_change(places.apply(base, wanted, command, lock=call.layout.lock), json=json)
