"""A plugin as files: the hook and the skill together, in the form that several clients take.

The folder is the plugin and its own marketplace, so that one path is all a client asks for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from loopgraph.edges.hookfile import Handler

NAME: Final = "loopgraph"
MANIFEST: Final = ".claude-plugin/plugin.json"
MARKETPLACE: Final = ".claude-plugin/marketplace.json"
HOOKS: Final = "hooks/hooks.json"
SKILL: Final = f"skills/{NAME}/SKILL.md"
README: Final = "README.md"

_SAYS: Final = (
    "Keeps a long task going until it is done: the Stop hook sends a session back while its run, "
    "plan or loop is open, and the skill says which command comes next."
)
_README: Final = """\
# loopgraph

{says}

Made by `loopgraph install --as-plugin` for one machine: the hook runs the loopgraph that is
installed here, at `{python}`. On another machine make it again. Where that Python is gone, the hook
does nothing and every turn ends as usual.

Claude Code, in the project:

    claude plugin marketplace add {folder} --scope project
    claude plugin install loopgraph@loopgraph --scope project

Codex:

    codex plugin marketplace add {folder}
    codex plugin add loopgraph@loopgraph

Codex runs the hook once you have trusted it (`codex` asks at its start, or: /hooks), and asks anew
after every change of this plugin. Where the hook was registered by `loopgraph install`, take that
out first (`loopgraph uninstall CLIENT`): one place is enough.
"""


def files(
    handler: Handler, *, skill: str, version: str, python: str, folder: str
) -> Mapping[str, str]:
    """Every file of the plugin, by its path in the folder."""
    manifest = {
        "name": NAME,
        "version": version,
        "description": _SAYS,
        "author": {"name": NAME},
        "license": "MIT",
        "keywords": ["long tasks", "stop hook", "plan", "loop"],
    }
    market = {
        "name": NAME,
        "description": "loopgraph, made for this machine.",
        "owner": {"name": NAME},
        "plugins": [{"name": NAME, "source": "./", "description": _SAYS}],
    }
    hooks = {"description": _SAYS, "hooks": {"Stop": [{"hooks": [dict(handler)]}]}}
    return {
        HOOKS: _json(hooks),
        SKILL: skill,
        README: _README.format(says=_SAYS, python=python, folder=folder),
        MARKETPLACE: _json(market),
        MANIFEST: _json(manifest),
    }


def is_ours(manifest: str) -> bool:
    """Whether a manifest is that of a plugin of ours."""
    try:
        found = json.loads(manifest)
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("name") == NAME


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
