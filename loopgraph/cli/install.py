"""`loopgraph install`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.options import Json, Workspace, environ

Client = Annotated[
    str | None,
    typer.Argument(metavar="CLIENT", help="claude-code, codex, grok, cursor, gemini or copilot."),
]
Project = Annotated[
    bool, typer.Option("--project", help="For this workspace; so it is without a scope.")
]
User = Annotated[bool, typer.Option("--user", help="For every project of yours.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done; change nothing.")]


def install(  # noqa: PLR0913  the command's own options
    client: Client = None,
    *,
    project: Project = False,
    user: User = False,
    no_skill: Annotated[bool, typer.Option("--no-skill", help="The hook alone.")] = False,
    as_plugin: Annotated[
        str,
        typer.Option("--as-plugin", metavar="DIR", help="Write a plugin instead, with both."),
    ] = "",
    dry_run: DryRun = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Register the Stop hook and the skill in a client; uninstall takes both out again."""
    from loopgraph.cli import installing

    scope = installing.scope(project=project, user=user)
    ask = installing.Ask(client, scope, workspace, dry=dry_run, skill=not no_skill)
    answer = (
        installing.plugin(as_plugin, ask, environ())
        if as_plugin
        else installing.install(ask, environ())
    )
    installing.tell(answer, json=json)
