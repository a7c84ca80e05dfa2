"""Where nodes run: one module a host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loopgraph.hosts import claude_code, codex, cursor, grok, shell
from loopgraph.hosts.base import Host

HOSTS: Final[Mapping[str, Host]] = {
    "claude-code": claude_code,
    "codex": codex,
    "grok": grok,
    "cursor": cursor,
    "shell": shell,
}
"""Every host by its name, in the order they are shown and tried."""
