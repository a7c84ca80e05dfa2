"""What every host with a `/loop` command shares: the line, and when a node's timer ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loopgraph.hosts.base import Launch, Text, say
from loopgraph.model.graph import Role
from loopgraph.model.languages import Language

_ENDED: Final[Text] = {
    "en": "Run status is `closed` or `stalled`, or a STOP file is there",
    "zh": "Run status 为 `closed` 或 `stalled`，或有 STOP 文件",
}
_OVER: Final[Mapping[Role, Text]] = {
    "executor": _ENDED,
    "supervisor": {
        "en": "Run status is `closed` and you audited its last round, or a STOP file is there",
        "zh": "Run status 为 `closed` 且最后一轮已由你审计，或有 STOP 文件",
    },
    "scout": _ENDED,
}

OUTER: Final[Text] = {
    "en": "- If your shell has `LOOPGRAPH_NODE` set, an outer timer brings you back: end the "
    "fire, skip the rest here.",
    "zh": "- 若 shell 里设了 `LOOPGRAPH_NODE`，唤醒你的是外部定时器：结束触发，下面略过。",
}


def line(launch: Launch) -> str:
    """The one line to paste; never a verb that could read as leave to author something."""
    return (
        f"/loop {launch.interval} Execute the existing runtime node at {launch.prompt}. "
        "Do not load any skill."
    )


def over(role: Role, lang: Language) -> str:
    """When this node ends its own timer."""
    return say(_OVER[role], lang)
