"""`loopgraph state`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.loop import Global, scope
from loopgraph.cli.options import Json, SessionId, Workspace, print_change, print_json
from loopgraph.model.messages import _

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.edges.places import Change, Files
    from loopgraph.node.loops import Call
    from loopgraph.node.speaker import Session

app = typer.Typer(
    no_args_is_help=True,
    help="The evidence of a long task: what is verified, and what is next.",
)

Task = Annotated[
    str | None, typer.Option("--task", metavar="TASK", help="A loop, if not the session's own.")
]


def _many(name: str, help_: str) -> object:
    return typer.Option(f"--{name}", metavar="TEXT", help=f"{help_} May be given several times.")


@app.command("set")
def set_(  # noqa: PLR0913  the fields of a state
    *,
    goal: Annotated[str | None, typer.Option("--goal", metavar="TEXT", help="The task.")] = None,
    phase: Annotated[
        str | None, typer.Option("--phase", metavar="TEXT", help="Where the work stands.")
    ] = None,
    verified: Annotated[
        list[str] | None, _many("verified", "A fact, and what shows it: a file, command or id.")
    ] = None,
    next_: Annotated[
        list[str] | None, _many("next", "An action, and the file, command or person it is about.")
    ] = None,
    changed: Annotated[list[str] | None, _many("changed", "A file that was changed.")] = None,
    artifact: Annotated[list[str] | None, _many("artifact", "A file that shows something.")] = None,
    blocked: Annotated[
        str | None, typer.Option("--blocked", metavar="TEXT", help="Why it cannot go on.")
    ] = None,
    clear: Annotated[
        list[str] | None, typer.Option("--clear", metavar="FIELD", help="Empty a field.")
    ] = None,
    task: Task = None,
    session: SessionId = None,
    everywhere: Global = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Set fields; what was in them before goes, the other fields stay."""
    from loopgraph.disk import places
    from loopgraph.node import evidence

    given: dict[str, str | list[str] | None] = {
        "goal": goal,
        "current_phase": phase,
        "last_verified": verified,
        "next_actions": next_,
        "changed_files": changed,
        "artifacts": artifact,
        "blocked_reason": blocked,
    }
    values: dict[str, str | tuple[str, ...]] = {
        name: value if isinstance(value, str) else tuple(value)
        for name, value in given.items()
        if value is not None and value != []
    }
    for field in clear or []:
        values[_field(field)] = "" if isinstance(given[_field(field)], str) else ()
    base, call, chosen = _who(session, workspace, everywhere=everywhere)

    def command(files: Files) -> Change:
        return evidence.change(files, call, session=chosen, task=task, values=values)

    wanted = evidence.wanted(call, chosen)
    print_change(places.apply(base, wanted, command, lock=call.layout.lock), json=json)


@app.command()
def show(
    *,
    task: Task = None,
    session: SessionId = None,
    everywhere: Global = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Show the evidence of this session's task."""
    from loopgraph.disk import places
    from loopgraph.edges import state
    from loopgraph.node import evidence
    from loopgraph.views import loops as view

    base, call, chosen = _who(session, workspace, everywhere=everywhere)
    files = places.load(base, evidence.wanted(call, chosen))
    place = evidence.shown(files, call, session=chosen, task=task)
    found = state.read(files[place], place)
    if json:
        print_json(view.state_data(found, place))
    else:
        typer.echo(view.state(found, place), nl=False)


def _who(
    session: str | None, workspace: str | None, *, everywhere: bool
) -> tuple[Path, Call, Session | None]:
    from loopgraph.node import speaker as node

    base, call = scope(workspace, everywhere=everywhere)
    return base, call, node.session(session, call.speaker, where="state")


def _field(name: str) -> str:
    from loopgraph.edges.state import ALIASES, FIELDS
    from loopgraph.model.errors import UsageError, nearest

    field = ALIASES.get(name, name)
    if field not in FIELDS:
        raise UsageError(_("no such field"), where=f"--clear {name}", fix=nearest(name, FIELDS))
    return field
