"""What `install` and `uninstall` share: which client and scope, the steps in order, the answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from loopgraph.model.messages import _

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.disk.installed import Done, Target
    from loopgraph.hosts.hooks import Hooked, Scope
    from loopgraph.views.install import Answer, File


class Ask(NamedTuple):
    """What was asked for."""

    client: str | None
    scope: Scope
    workspace: str | None
    dry: bool
    skill: bool


class _Setting(NamedTuple):
    """Where that is, on this machine."""

    client: Hooked
    scope: Scope
    root: Path
    state: Path
    target: Target


def scope(*, project: bool, user: bool) -> Scope:
    """The scope that two switches name."""
    from loopgraph.model.errors import UsageError

    if project and user:
        raise UsageError(_("both --project and --user"), fix=_("Say one of them."))
    return "user" if user else "project"


def tell(answer: Answer, *, json: bool) -> None:
    """Print what was done."""
    from loopgraph.cli.options import print_json
    from loopgraph.views import install as view

    if json:
        print_json(view.data(answer))
    else:
        typer.echo(view.text(answer), nl=False)


def install(ask: Ask, environ: Mapping[str, str]) -> Answer:
    """Register the hook, and lay the skill beside it."""
    from loopgraph.disk import alive, clients, installed
    from loopgraph.edges import hookfile
    from loopgraph.model.errors import RefusedError, UnreadableError
    from loopgraph.views.install import Answer

    here = _setting(ask, environ)
    command = hookfile.command(here.target.handler)
    problem = alive.problem(here.client.name, command, environ)
    if problem:
        raise RefusedError(
            _("the hook would not answer: {problem}", problem=problem),
            where=command,
            fix=_(
                "It runs without your own site-packages and PYTHONPATH: install loopgraph into "
                "an environment (pipx install loopgraph, uv tool install loopgraph)."
            ),
        )
    own = installed.real(here.target.file)
    for other in clients.seen(here.client, here.root, environ):
        if installed.real(other.file) != own:
            raise RefusedError(
                _("{client} runs the hook from here already", client=here.client.title),
                where=other.file,
                fix=_undo(here, other.file, environ),
            )
    try:
        done = installed.install(here.target, here.state, dry=ask.dry)
    except UnreadableError as error:
        paste = " ".join(hookfile.snippet(here.target.handler, here.target.shape).split())
        fix = _("Mend it and run this again, or add by hand: {snippet}", snippet=paste)
        raise UnreadableError(
            error.what, where=error.where, fix=f"{error.fix} {fix}".strip()
        ) from None
    files = [_file("hook", done)]
    if ask.skill:
        files.append(_file("skill", _install_skill(here, ask, environ)))
    return Answer(
        here.client.name,
        here.scope,
        tuple(files),
        command=command,
        steps=tuple(
            _(step, root=str(clients.checkout(here.client, here.root)), file=here.target.file)
            for step in here.client.steps[here.scope]
        ),
        offer=_PERMISSIONS if here.client.name == "claude-code" else "",
        dry=ask.dry,
    )


_PERMISSIONS = '{"permissions": {"allow": ["Bash(loopgraph *)", "Edit(.longgraph/**)"]}}'


def uninstall(ask: Ask, environ: Mapping[str, str]) -> Answer:
    """Take the hook and the skill out again."""
    from loopgraph.disk import clients, installed
    from loopgraph.views.install import Answer

    here = _setting(ask, environ)
    place = clients.skill(here.client, here.scope, here.root, environ)
    # The skill first: it may lie in a folder that was made for the hook.
    gone = installed.uninstall_skill(place, _user(here), here.state, dry=ask.dry)
    files = [_file("hook", installed.uninstall(here.target, here.state, dry=ask.dry))]
    files.append(_file("skill", gone))
    own = installed.real(here.target.file)
    notes = [
        _(
            "It runs from here as well: {file}. {undo}",
            file=other.file,
            undo=_undo(here, other.file, environ),
        )
        for other in clients.seen(here.client, here.root, environ)
        if installed.real(other.file) != own
    ]
    return Answer(here.client.name, here.scope, tuple(files), notes=tuple(notes), dry=ask.dry)


def plugin(folder: str, ask: Ask) -> Answer:
    """Write a plugin that holds both."""
    raise NotImplementedError(folder, ask)


def _setting(ask: Ask, environ: Mapping[str, str]) -> _Setting:
    from loopgraph.cli.options import root as root_of
    from loopgraph.disk import clients
    from loopgraph.disk.installed import Target
    from loopgraph.hosts import hooks
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.plain import places

    client = hooks.BY_NAME.get(ask.client or "")
    if client is None:
        what = _("no such client") if ask.client else _("which client?")
        raise UsageError(what, where=ask.client or "", fix=nearest(ask.client or "", hooks.BY_NAME))
    root = root_of(ask.workspace)
    state = places.state_folder(environ, sys.platform)
    if state is None:
        raise UsageError(_("no home folder is known"), fix=_("Set HOME, or LOOPGRAPH_STATE."))
    command = hooks.command(sys.executable, windows=os.name == "nt", host=client.name)
    target = Target(
        client.name,
        ask.scope,
        str(root) if ask.scope == "project" else "",
        clients.file(client, ask.scope, root, environ),
        client.shape,
        client.handler(command),
    )
    return _Setting(client, ask.scope, root, Path(state).absolute(), target)


def _undo(here: _Setting, file: str, environ: Mapping[str, str]) -> str:
    """How a hook that stands elsewhere is taken out."""
    from loopgraph.disk import clients

    for other in ("project", "user"):
        if file == clients.file(here.client, other, here.root, environ):
            return _(
                "To take it out: {command}",
                command=f"loopgraph uninstall {here.client.name} --{other}",
            )
    return _("Take it out there first.")


def _user(here: _Setting) -> str:
    """For whom a skill was installed."""
    return f"{here.client.name} {here.target.root or 'user'}"


def _install_skill(here: _Setting, ask: Ask, environ: Mapping[str, str]) -> Done:
    from loopgraph import resources
    from loopgraph.disk import clients, installed

    place = clients.skill(here.client, here.scope, here.root, environ)
    data = (resources.data("templates") / "skill" / "SKILL.md").read_bytes()
    return installed.install_skill(place, data, _user(here), here.state, dry=ask.dry)


def _file(what: str, done: Done) -> File:
    from loopgraph.views.install import File

    return File(what, done.file, done.outcome, done.real)
