"""`loopgraph handoff`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, RunName, Workspace, environ, print_json
from loopgraph.cli.options import run as run_of
from loopgraph.model.graph import Role
from loopgraph.model.messages import _
from loopgraph.model.spec import RunSpec


def handoff(  # noqa: PLR0913
    run: RunName = None,
    *,
    host: Annotated[
        str | None, typer.Option("--host", metavar="NAME", help="Only the nodes of this host.")
    ] = None,
    shell: Annotated[
        Literal["posix", "powershell"] | None,
        typer.Option("--shell", help="Quote command lines for this shell."),
    ] = None,
    client: Annotated[
        str, typer.Option("--client", metavar="FILE", help="The client's executable.")
    ] = "",
    with_automation: Annotated[
        bool, typer.Option("--with-automation", help="Also name the host's own automations.")
    ] = False,
    named: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Print what to paste where, how it goes on, and how to stop and steer it."""
    from dataclasses import replace
    from shutil import which

    from loopgraph.author import handoff as author
    from loopgraph.disk import config, runs
    from loopgraph.model.errors import UnreadableError, UsageError
    from loopgraph.views import hosts as view

    if host is not None:
        view.named(host)
    if client and not which(client):
        raise UsageError(_("no such executable"), where=f"--client {client}")
    path = run_of(named or run, workspace).resolve()
    found = runs.load(path)
    if found.record is None:
        raise UnreadableError(
            found.record_problem or _("no run.yaml, so nothing says where its nodes run"),
            where=str(path),
            fix=_("Compile the run anew."),
        )
    spec = found.record.spec
    _at_home(path, spec.slug)
    spec = replace(spec, shell=shell or spec.shell)
    root = str(runs.root_of(path))
    parts = author.parts(
        spec,
        root=root,
        clients=located(spec, client),
        only_host=host,
        with_automation=with_automation,
    )
    if json:
        print_json(author.data(spec, parts, root=root))
        return
    cache = config.template_cache(environ())
    typer.echo(author.text(spec, parts, root=root, cache_folder=cache), nl=False)


def _at_home(path: Path, slug: str) -> None:
    """Refuse a run that is not where its own prompts say: the line would point at nothing."""
    from loopgraph.disk.roots import FOLDER
    from loopgraph.model.errors import RefusedError

    if (path.parent.name, path.name) != (FOLDER, slug):
        raise RefusedError(
            _(
                "its prompts say that it is {folder}/{slug} of a workspace",
                folder=FOLDER,
                slug=slug,
            ),
            where=str(path),
            fix=_("Put the folder there."),
        )


def located(spec: RunSpec, client: str = "") -> dict[Role, str]:
    """The executable of each node that is a process per tick, absolute; absent if not found.

    `client` is the owner's own choice, a path or a name, and comes first; then the name that
    the run was compiled with, then those the host knows.
    """
    from shutil import which

    from loopgraph.hosts import HOSTS
    from loopgraph.plain import paths

    found: dict[Role, str] = {}
    for node in spec.nodes:
        names = HOSTS[node.host].per_tick(node.role) if node.host in HOSTS else ()
        if not names:
            continue
        chosen = client or paths.name(node.client)
        tried = (chosen,) if chosen else names
        path = next(filter(None, map(which, tried)), None)
        if path:
            found[node.role] = str(Path(path).absolute())
    return found
