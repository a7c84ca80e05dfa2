"""Whether another tool's own hook is registered here: then its records are its business alone."""

from __future__ import annotations

import os

from loopgraph.plain import rivals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from loopgraph.hook.world import World

_SETTINGS = {
    "claude": (".claude/settings.json", ".claude/settings.local.json"),
    "codex": (".codex/hooks.json", ".codex/config.toml"),
}
_LIMIT = 1024 * 1024
_MANY = 1000


def registered(tool: str, world: World, host: str) -> bool:
    """Whether that tool's hook runs for this host as well."""
    known = world.record(f"{world.state}/{rivals.FILE}").get(host) if world.state else None
    if isinstance(known, list) and tool in known:
        return True
    if _installed(f"{world.home}/.{host}/plugins/cache", rivals.SIGNS[tool]):
        return True
    for base in [*world.bases, world.root]:
        for name in _SETTINGS.get(host, ()):
            data = world.read(f"{base}/{name}", _LIMIT)
            said = (data or b"").decode("utf-8", "replace")
            if rivals.names(said, rivals.SIGNS[tool]):
                return True
    return False


def _installed(cache: str, signs: tuple[str, ...]) -> bool:
    """Whether a host's folder of plugins has one with such a name; settings of a user stay closed.

    It may be switched off there, but silence is the safer mistake.
    """
    names = [name for market in _listed(cache) for name in _listed(f"{cache}/{market}")]
    return any(sign in name for name in names for sign in signs)


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)[:_MANY]
    except OSError:
        return []
