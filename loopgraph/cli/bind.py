"""`loopgraph bind`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import (
    Json,
    RunName,
    SessionId,
    Workspace,
    environ,
    print_change,
    speaker,
)
from loopgraph.cli.options import run as run_of
from loopgraph.model.messages import _

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.node.bind import Node


def bind(  # noqa: PLR0913  the command's own options
    run: RunName = None,
    *,
    role: Annotated[
        str | None, typer.Option("--as", metavar="NODE", help="executor, supervisor or scout.")
    ] = None,
    goal: Annotated[
        str,
        typer.Option(
            "--goal", metavar="HOW", help="A goal of the host is set: adopt, artifact-only."
        ),
    ] = "",
    session: SessionId = None,
    named: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Bind a session to a run as one of its nodes; an agent binds its own."""
    from loopgraph.cli import clock
    from loopgraph.cli.meant import native_goal
    from loopgraph.disk import places
    from loopgraph.node import bind as node
    from loopgraph.node import speaker as who
    from loopgraph.plain.places import LOCK

    path = run_of(named or run, workspace).resolve()
    place, found = home(path), _node(path)
    speaking = speaker(None, place)
    chosen = who.session(session, speaking, where="bind")
    how = who.goal(goal, native_goal(chosen))
    now = clock.now(None, environ()).isoformat()
    change = places.apply(
        place,
        node.wanted(found.run),
        lambda files: node.bind(
            files, speaking, found, said=role, session=chosen, goal=how, now=now
        ),
        lock=LOCK,
    )
    print_change(change, json=json)


def home(run: Path) -> Path:
    """The workspace of a run; one that lies elsewhere has no bindings and no stops."""
    from loopgraph.model.errors import UsageError
    from loopgraph.plain.places import FOLDER

    if run.parent.name != FOLDER:
        raise UsageError(
            _("it is in no {folder}/ of a workspace", folder=FOLDER),
            where=str(run),
            fix=_("Move it to its place."),
        )
    return run.parent.parent


def _node(path: Path) -> Node:
    from loopgraph.disk import runs
    from loopgraph.node.bind import Node

    run = runs.load(path)
    graph = run.record.spec.graph() if run.record else None
    ledger = run.ledger()
    return Node(
        path.name,
        tuple(one.role for one in graph.nodes) if graph else (),
        ledger.status if ledger else None,
        ledger.round if ledger else None,
        ledger.gate if ledger else None,
    )
