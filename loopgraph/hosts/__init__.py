"""Where nodes run: one module a host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loopgraph.hosts import claude_code, codex, cursor, grok, shell
from loopgraph.hosts.base import Host
from loopgraph.model import errors
from loopgraph.model.messages import _

HOSTS: Final[Mapping[str, Host]] = {
    "claude-code": claude_code,
    "codex": codex,
    "grok": grok,
    "cursor": cursor,
    "shell": shell,
}
"""Every host by its name, in the order they are shown and tried."""


def nearest(word: str) -> str:
    """Return "Did you mean X?": the host whose title has that word, else the nearest by letters."""
    called = [one.NAME for one in HOSTS.values() if word.casefold() in one.TITLE.casefold().split()]
    return _("Did you mean {word}?", word=called[0]) if called else errors.nearest(word, HOSTS)
