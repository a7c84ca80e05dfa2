"""The clients: how each coding agent runs one prompt and ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.hosts.base import Checked
from loopgraph.plain import paths

_PROMPT: Final = "\0prompt"


class Client(NamedTuple):
    """One coding agent with a headless form, with the narrowest permission that can work.

    A node edits files and runs the gates of its project, unattended: less than that stalls or
    fails at the first gate, more is never given.
    """

    names: tuple[str, ...]
    """Its executables, the best first."""
    arguments: tuple[str, ...]
    """What follows the executable; `_PROMPT` is the prompt's place."""
    permission: str
    """What those arguments allow, in a few words."""
    checked: Checked


CLIENTS: Final[tuple[Client, ...]] = (
    Client(
        ("claude",),
        ("-p", _PROMPT, "--permission-mode", "acceptEdits", "--allowedTools", "Bash"),
        "edits in the workspace and shell commands",
        Checked("2.1.332", "2026-11", "run"),
    ),
    Client(
        ("codex",),
        ("exec", "--sandbox", "workspace-write", "--skip-git-repo-check", _PROMPT),
        "a sandbox that writes in the workspace only: no network, no `.git`, so no commit",
        Checked("0.171.0", "2026-11", "run"),
    ),
    Client(
        ("grok",),
        ("-p", _PROMPT, "--always-approve", "--sandbox", "workspace", "--no-auto-update"),
        "every tool, in a sandbox that writes in the workspace and temporary folders only",
        Checked("1.0.6", "2026-08", "documentation"),
    ),
    Client(
        ("cursor-agent", "agent"),
        ("-p", "--force", "--trust", _PROMPT),
        "every tool that its own rules do not deny",
        Checked("", "2026-08", "documentation"),
    ),
    Client(
        ("gemini",),
        ("-p", _PROMPT, "--approval-mode", "yolo", "--skip-trust"),
        "every tool: its edit-only mode cannot run a gate",
        Checked("0.55.1", "2026-08", "documentation"),
    ),
    Client(
        ("copilot",),
        ("-p", _PROMPT, "--allow-all-tools", "--no-ask-user"),
        "every tool, paths in the workspace only",
        Checked("1.0.78", "2026-08", "documentation"),
    ),
    Client(
        ("opencode",),
        ("run", "--auto", _PROMPT),
        "what its configuration does not deny",
        Checked("1.18", "2026-08", "documentation"),
    ),
)

BY_NAME: Final[Mapping[str, Client]] = {name: client for client in CLIENTS for name in client.names}


def kind(executable: str) -> Client | None:
    """The client behind a path or name; None where nobody knows its command line."""
    name = paths.name(executable).casefold()
    for ending in (".exe", ".cmd", ".bat", ".ps1"):
        name = name.removesuffix(ending)
    return BY_NAME.get(name)


def words(executable: str, prompt: str) -> tuple[str, ...]:
    """The argument list that runs one prompt and ends; empty for an unknown client."""
    client = kind(executable)
    if client is None:
        return ()
    return (executable, *(prompt if word == _PROMPT else word for word in client.arguments))
