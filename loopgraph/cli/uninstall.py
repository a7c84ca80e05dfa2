"""`loopgraph uninstall`."""

from __future__ import annotations

from loopgraph.cli.install import Client, DryRun, Project, User
from loopgraph.cli.options import Json, Workspace, environ


def uninstall(  # noqa: PLR0913  the command's own options
    client: Client = None,
    *,
    project: Project = False,
    user: User = False,
    dry_run: DryRun = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take the Stop hook and the skill out of a client, and leave every other byte as it is."""
    from loopgraph.cli import installing

    scope = installing.scope(project=project, user=user)
    ask = installing.Ask(client, scope, workspace, dry=dry_run, skill=True)
    installing.tell(installing.uninstall(ask, environ()), json=json)
