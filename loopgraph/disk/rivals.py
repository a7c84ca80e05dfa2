"""Other tools' hooks in the user's own settings, where the Stop hook itself never looks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from loopgraph.disk import clients, floor
from loopgraph.edges import jsonfile
from loopgraph.hosts.hooks import BY_NAME, Hooked
from loopgraph.hosts.marks import MARKS
from loopgraph.model.errors import UnreadableError
from loopgraph.plain import rivals

_LIMIT: Final = 4 * 1024 * 1024
_MANY: Final = 1000
_FILES: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "claude-code": (
        ("settings.json",),
        (".claude/settings.json", ".claude/settings.local.json"),
    ),
    "codex": (("hooks.json", "config.toml"), (".codex/hooks.json", ".codex/config.toml")),
}
"""For the clients that such tools are for: the user's files in its folder, and a project's."""


def found(
    client: Hooked, environ: Mapping[str, str], root: Path | None = None
) -> tuple[tuple[str, str], ...]:
    """Each tool whose own hook a client runs, with the file that says so.

    Without a root only the user's own settings and plugins.
    """
    if client.name not in _FILES:
        return ()
    home = clients.home(client, environ)
    user, project = _FILES[client.name]
    files = [home / name for name in user]
    files += [root / name for name in project] if root else []
    seen: dict[str, str] = {}
    for path in files:
        data = floor.peek(os.path.realpath(path), _LIMIT) or b""
        text = data.decode("utf-8", "replace")
        for tool, signs in rivals.SIGNS.items():
            if rivals.names(text, signs):
                seen.setdefault(tool, str(path))
    for place in _cached(home / "plugins" / "cache"):
        for tool, signs in rivals.SIGNS.items():
            if any(sign in place.name for sign in signs):
                seen.setdefault(tool, str(place))
    return tuple(seen.items())


def _cached(folder: Path) -> Iterator[Path]:
    try:
        markets = list(folder.iterdir())[:_MANY]
        for market in markets:
            if market.is_dir():
                yield from list(market.iterdir())[:_MANY]
    except OSError:
        return


def note(state: Path, environ: Mapping[str, str]) -> None:
    """Keep for the hook what the user's own settings say; nothing is written without a change."""
    known = {
        MARKS[name].prefix: [tool for tool, _file in found(BY_NAME[name], environ)]
        for name in _FILES
    }
    place = state / rivals.FILE
    try:
        before = jsonfile.read(_source(place), str(place))
    except UnreadableError:
        before = {}
    after = {**before, **known}
    if after == before or (not before and not any(known.values())):
        return
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        floor.replace(str(place), jsonfile.write(after).encode("utf-8"), mode=0o600)
    except OSError:
        return  # the hook then decides by what it may look at itself


def _source(place: Path) -> str | None:
    data = floor.peek(str(place), _LIMIT)
    return None if data is None else data.decode("utf-8", "replace")
