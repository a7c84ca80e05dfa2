"""What `install` and `uninstall` share: which client and scope, the steps in order, the answer."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

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
    from loopgraph.disk import clients, installed
    from loopgraph.edges import hookfile
    from loopgraph.model.errors import RefusedError, UnreadableError
    from loopgraph.views.install import Answer

    here = _setting(ask, environ)
    _owner(ask, "`install`", here.root)
    command = hookfile.command(here.target.handler)
    _answers(here.client.name, command, environ)
    own = installed.real(here.target.file)
    for other in clients.seen(here.client, here.root, environ):
        if installed.real(other.file) != own:
            raise RefusedError(
                _("{client} runs the hook from here already", client=here.client.title),
                where=other.file,
                fix=_undo(here, other.file, environ),
            )
    if ask.skill:  # what refuses the one refuses both: nothing is done by halves
        _install_skill(here, ask._replace(dry=True), environ)
    try:
        done = installed.install(here.target, here.state, dry=ask.dry)
    except UnreadableError as error:
        paste = hookfile.snippet(here.target.handler, here.target.shape)
        fix = _("Mend it and run this again, or add by hand: {snippet}", snippet=paste)
        raise UnreadableError(
            error.what, where=error.where, fix=f"{error.fix} {fix}".strip()
        ) from None
    if not ask.dry:
        note_rivals(environ)
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
        notes=(*_beside(here, environ), *_rivals(here, environ), *_stopped(here)),
        offer=_PERMISSIONS if here.client.name == "claude-code" else "",
        dry=ask.dry,
    )


def _answers(host: str, command: str, environ: Mapping[str, str]) -> None:
    """Refuse a command line that does not answer: it would be silent for ever."""
    from loopgraph.disk import alive, programs
    from loopgraph.hosts import hooks
    from loopgraph.model.errors import RefusedError

    if hooks.passing(programs.interpreter()):
        raise RefusedError(
            _("this Python lies in a cache, and will be gone one day"),
            where=programs.interpreter(),
            fix=_("Install loopgraph to stay: uv tool install loopgraph, or pipx install it."),
        )
    problem = alive.problem(host, command, environ)
    if problem:
        raise RefusedError(
            _("the hook would not answer: {problem}", problem=problem),
            where=command,
            fix=_(
                "It runs without your own site-packages and PYTHONPATH: install loopgraph into "
                "an environment (pipx install loopgraph, uv tool install loopgraph)."
            ),
        )


_PERMISSIONS = '{"permissions": {"allow": ["Bash(loopgraph *)", "Edit(.longgraph/**)"]}}'


def uninstall(ask: Ask, environ: Mapping[str, str]) -> Answer:
    """Take the hook and the skill out again."""
    from loopgraph.disk import clients, installed
    from loopgraph.edges import hookfile
    from loopgraph.model.errors import UnreadableError
    from loopgraph.views.install import Answer

    here = _setting(ask, environ)
    _owner(ask, "`uninstall`", here.root)
    place = clients.skill(here.client, here.scope, here.root, environ)
    try:
        text = installed.text(here.target.file) or ""
        last = hookfile.is_last(text, here.client.shape, here.target.file)
        installed.uninstall(here.target, here.state, dry=True)
    except UnreadableError as error:
        raise UnreadableError(
            error.what,
            where=error.where,
            fix=_("Mend it and run this again, or take out by hand what runs: loopgraph hook stop"),
        ) from None
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
    if here.client.name == "codex" and not last:
        notes.append(_("The hooks behind it have moved up: Codex asks you to trust them anew."))
    return Answer(here.client.name, here.scope, tuple(files), notes=tuple(notes), dry=ask.dry)


def plugin(folder: str, ask: Ask, environ: Mapping[str, str]) -> Answer:
    """Write a plugin that holds both; where it goes is the owner's to say."""
    from loopgraph import __version__
    from loopgraph.cli.options import here as cwd
    from loopgraph.cli.options import root as root_of
    from loopgraph.disk import plugin as disk
    from loopgraph.disk import programs
    from loopgraph.edges import plugin as edge
    from loopgraph.hosts import hooks
    from loopgraph.model.errors import UsageError
    from loopgraph.views.install import Answer

    if ask.client or ask.scope != "project":
        raise UsageError(
            _("a plugin is for every client that takes it"), fix=_("Say --as-plugin DIR alone.")
        )
    _owner(ask, "`install`", root_of(ask.workspace))
    place = Path(os.path.abspath(cwd() / folder))  # noqa: PTH100  links in it stay as they are
    command = hooks.command(programs.interpreter(), windows=os.name == "nt")
    _answers("claude-code", command, environ)
    files = edge.files(
        hooks.BY_NAME["codex"].handler(command),
        skill=_skill().decode("utf-8"),
        version=__version__,
        python=programs.interpreter(),
        folder=str(place),
    )
    done = disk.write(place, files, dry=ask.dry)
    steps = (
        _("Claude Code: claude plugin marketplace add {folder}", folder=shlex.quote(str(place))),
        _("Then: claude plugin install loopgraph@loopgraph --scope project"),
        _("Codex: codex plugin marketplace add {folder}", folder=shlex.quote(str(place))),
        _("Then: codex plugin add loopgraph@loopgraph, and trust its hook at the next start"),
    )
    shown = tuple(_file("plugin", one) for one in done)
    notes = _registered(root_of(ask.workspace), environ)
    return Answer("", "", shown, command=command, steps=steps, notes=notes, dry=ask.dry)


def _registered(root: Path, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Where the hook is already, for the clients that take a plugin: one place is enough."""
    from loopgraph.disk import clients
    from loopgraph.hosts import hooks

    return tuple(
        _(
            "{client} runs the hook from {file} already: take one of the two out",
            client=hooks.BY_NAME[name].title,
            file=one.file,
        )
        for name in ("claude-code", "codex")
        for one in clients.seen(hooks.BY_NAME[name], root, environ)
    )


def _owner(ask: Ask, what: str, root: Path) -> None:
    """What a user's client runs is the owner's to decide; anybody may look what would be done."""
    from loopgraph.cli.options import environ, speaker
    from loopgraph.model.errors import UnreadableError
    from loopgraph.node import speaker as node

    if ask.dry:
        return
    try:
        who = speaker(None, root)
    except UnreadableError:  # broken bindings must not keep a hook in
        who = node.read(None, environ())
    node.require(who, ("owner",), what=what)


def _setting(ask: Ask, environ: Mapping[str, str]) -> _Setting:
    from loopgraph.cli.options import root as root_of
    from loopgraph.disk import clients, programs
    from loopgraph.disk.installed import Target
    from loopgraph.hosts import hooks
    from loopgraph.model.errors import UsageError
    from loopgraph.plain import places

    client = hooks.BY_NAME.get(ask.client or "")
    if client is None:
        _refuse_client(ask.client or "")
    root = root_of(ask.workspace)
    state = places.state_folder(environ, sys.platform)
    if state is None:
        raise UsageError(_("no home folder is known"), fix=_("Set HOME, or LOOPGRAPH_STATE."))
    command = hooks.command(programs.interpreter(), windows=os.name == "nt", host=client.name)
    target = Target(
        client.name,
        ask.scope,
        str(root) if ask.scope == "project" else "",
        clients.file(client, ask.scope, root, environ),
        client.shape,
        client.handler(command),
    )
    return _Setting(client, ask.scope, root, Path(state).absolute(), target)


def _refuse_client(name: str) -> NoReturn:
    """Say that there is no such client, or that it is one without a hook of ours."""
    from loopgraph.hosts import clients, hooks
    from loopgraph.model.errors import UsageError, nearest

    hooked = {one.partition("-")[0] for one in hooks.BY_NAME}
    known = clients.BY_NAME.get(name)
    if known and hooked.isdisjoint(one.partition("-")[0] for one in known.names):
        raise UsageError(
            _("loopgraph has no Stop hook for this client"),
            where=name,
            fix=_("It has for: {names}", names=", ".join(hooks.BY_NAME)),
        )
    what = _("no such client") if name else _("which client?")
    raise UsageError(what, where=name, fix=nearest(name, hooks.BY_NAME))


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
    from loopgraph.disk import clients, installed

    place = clients.skill(here.client, here.scope, here.root, environ)
    return installed.install_skill(place, _skill(), _user(here), here.state, dry=ask.dry)


def _skill() -> bytes:
    from loopgraph import resources

    return (resources.data("templates") / "skill" / "SKILL.md").read_bytes()


def note_rivals(environ: Mapping[str, str]) -> None:
    """Tell the hook which tools of the user keep the same records: it cannot look there itself."""
    from loopgraph.disk import rivals
    from loopgraph.plain import places

    state = places.state_folder(environ, sys.platform)
    if state is not None:
        rivals.note(Path(state).absolute(), environ)


def _beside(here: _Setting, environ: Mapping[str, str]) -> tuple[str, ...]:
    """What else in the client's files decides whether the hook counts."""
    from loopgraph.check import machine
    from loopgraph.disk import clients

    said = []
    off = clients.switched_off(here.client, here.root, environ)
    if off:
        said.append(machine.off(here.client.title, off))
    other = clients.has_hooks_elsewhere(here.client, here.target.file)
    if other:
        said.append(
            _(
                "{file} registers hooks as well: both count, and {client} warns at each start",
                file=other,
                client=here.client.title,
            )
        )
    return tuple(said)


def _rivals(here: _Setting, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Whose hooks run beside ours."""
    from loopgraph.check import machine
    from loopgraph.disk import rivals

    found = rivals.found(here.client, environ, here.root)
    return tuple(machine.rival(here.client.title, *one) for one in found)


def _stopped(here: _Setting) -> tuple[str, ...]:
    """That a stop holds the workspace, if one does."""
    from loopgraph.disk import places
    from loopgraph.model.errors import UnreadableError
    from loopgraph.node import stops

    try:
        return stops.note(places.load(here.root, stops.wanted(None)[:1]))
    except UnreadableError:
        return ()


def _file(what: str, done: Done) -> File:
    from loopgraph.views.install import File

    return File(what, done.file, done.outcome, done.real)
