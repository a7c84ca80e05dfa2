"""Whether another tool's own hook is registered here: then its records are its business alone."""

from __future__ import annotations

import os

from loopgraph.plain import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from loopgraph.hook.world import World

SIGNS = {
    "omo": ("ulw-execute-continuation", "start-work-continuation", "oh-my-openagent", "omo-codex"),
    "omx": ("ralph-loop", "oh-my-codex", ".omx/"),
    "plugin": ("ralph-loop", "ralph-wiggum"),
}
"""What the command or the name of each tool's hook contains."""

_SETTINGS = {
    "claude": (".claude/settings.json", ".claude/settings.local.json"),
    "codex": (".codex/hooks.json", ".codex/config.toml"),
}
_LIMIT = 1024 * 1024
_MANY = 1000
RIVALS = "rivals.json"
"""In the state folder: `{HOST: [TOOL…]}`, what was found where a hook may not look."""


def registered(tool: str, world: World, host: str) -> bool:
    """Whether that tool's hook runs for this host as well."""
    known = world.record(f"{world.state}/{RIVALS}").get(host) if world.state else None
    if isinstance(known, list) and tool in known:
        return True
    if _installed(f"{world.home}/.{host}/plugins/cache", SIGNS[tool]):
        return True
    for base in [*world.bases, world.root]:
        for name in _SETTINGS.get(host, ()):
            data = world.read(f"{base}/{name}", _LIMIT)
            if data is not None and _names(data.decode("utf-8", "replace"), SIGNS[tool]):
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


def _names(text: str, signs: tuple[str, ...]) -> bool:
    """Whether a file of settings registers a hook or a plugin with such a name."""
    if not any(sign in text for sign in signs):
        return False
    settings = jsontext.attempt(text)
    if not isinstance(settings, dict):
        # TOML, or broken: a comment may look like an entry, but silence is the safer mistake.
        return True
    plugins = settings.get("enabledPlugins")
    on = [name for name, said in plugins.items() if said] if isinstance(plugins, dict) else []
    hooks = settings.get("hooks")
    stop = hooks.get("Stop") if isinstance(hooks, dict) else None
    said = [*on, *_texts(stop)]
    return any(sign in text for text in said for sign in signs)


def _texts(value: object) -> list[str]:
    """Every text inside a value of JSON."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in inner for text in _texts(part)]
