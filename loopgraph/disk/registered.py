"""Which clients have our Stop hook, from where, and whether it would answer them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from loopgraph.disk import alive, clients, codex_trust, installed, programs, rivals
from loopgraph.disk.clients import Seen
from loopgraph.edges import hookfile
from loopgraph.hosts import hooks
from loopgraph.hosts.hooks import HOOKED, Hooked
from loopgraph.model.errors import LoopgraphError
from loopgraph.model.machine import HookHere, Trust
from loopgraph.plain import places

_SCOPES: Final[tuple[hooks.Scope, ...]] = ("project", "user")


def look(
    root: Path,
    environ: Mapping[str, str],
    find: Callable[[str], str],
    shim: Callable[[Path], str],
) -> tuple[HookHere, ...]:
    """Every client; `find` names a program that may be started, empty where there is none."""
    state = places.state_folder(environ, sys.platform)
    known = _known(Path(state)) if state else frozenset()
    return tuple(_one(client, root, environ, find, shim, known) for client in HOOKED)


def _known(state: Path) -> frozenset[str]:
    """Command lines that this user has installed: these may be started."""
    try:
        return frozenset(one.command for one in installed.records(state).values())
    except (LoopgraphError, OSError):
        return frozenset()


def _one(  # noqa: PLR0913, PLR0917  what surrounds a client
    client: Hooked,
    root: Path,
    environ: Mapping[str, str],
    find: Callable[[str], str],
    shim: Callable[[Path], str],
    known: frozenset[str],
) -> HookHere:
    seen = clients.seen(client, root, environ)
    program = find(client.executable)
    found = HookHere(
        client.name,
        client.title,
        bool(program),
        tuple(dict.fromkeys(one.file for one in seen)),
        _undo(client, seen, root, environ),
        tuple(_broken(client, root, environ)),
        off=clients.switched_off(client, root, environ),
        unverified="" if client.checked.how == "run" else client.checked.date,
        rivals=rivals.found(client, environ, root),
    )
    if not seen:
        return found
    # What Codex would say of its plugins is not asked: it would look for them in the network.
    asked = any(not one.plugin for one in seen)
    found = found._replace(trust=_trust(client, program if asked else "", root, environ))
    handlers = [one.handler for one in seen if one.handler]
    if not handlers:
        return found
    handler = handlers[0]
    python = clients.called(handler)
    gone = bool(python) and not Path(python).exists()
    return found._replace(
        command=hookfile.command(handler),
        python=python,
        gone=gone,
        shim=shim(Path(python)) if python and not gone else "",
        answers=None if gone else _answers(client, handler, environ, known),
    )


def _answers(
    client: Hooked, handler: hookfile.Handler, environ: Mapping[str, str], known: frozenset[str]
) -> str | None:
    """Run it once, if it is a line that this user has installed or would install now."""
    command = hookfile.command(handler)
    try:
        now = hooks.command(programs.interpreter(), windows=os.name == "nt", host=client.name)
    except LoopgraphError:
        now = ""
    if command not in known and command != now:
        return None
    return alive.problem(client.name, command, environ)


def _trust(client: Hooked, program: str, root: Path, environ: Mapping[str, str]) -> Trust:
    if client.name != "codex":
        return ""
    if not program:
        return "unknown"
    return codex_trust.ask(program, str(root), environ)


def _undo(client: Hooked, seen: tuple[Seen, ...], root: Path, environ: Mapping[str, str]) -> str:
    for scope in _SCOPES:
        if seen and seen[0].file == clients.file(client, scope, root, environ):
            return f"loopgraph uninstall {client.name} --{scope}"
    return ""


def _broken(client: Hooked, root: Path, environ: Mapping[str, str]) -> list[str]:
    """Why a client cannot read one of the two files that `install` writes."""
    said = []
    for scope in _SCOPES:
        file = clients.file(client, scope, root, environ)
        try:
            text = installed.text(file)
            if text is not None:
                hookfile.mine(text, client.shape, file)
        except LoopgraphError as error:
            said.append(f"{error.where}: {error.what}")
    return said
