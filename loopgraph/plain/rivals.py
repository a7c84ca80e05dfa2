"""Hooks of other tools that keep the same records: how they are told apart by their names."""

from __future__ import annotations

from loopgraph.plain import jsontext

SIGNS = {
    "omo": ("ulw-execute-continuation", "start-work-continuation", "oh-my-openagent", "omo-codex"),
    "omx": ("ralph-loop", "oh-my-codex", ".omx/"),
    "plugin": ("ralph-loop", "ralph-wiggum"),
}
"""What the command or the name of each tool's hook contains."""

FILE = "rivals.json"
"""In the state folder: `{HOST: [TOOL…]}`, what was found where a hook may not look."""


def names(text: str, signs: tuple[str, ...]) -> bool:
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
