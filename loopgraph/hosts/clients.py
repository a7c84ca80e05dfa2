"""The clients: how each coding agent runs one prompt and ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.hosts.base import Checked, Text
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
    permission: Text
    """What those arguments allow, in a few words."""
    checked: Checked


CLIENTS: Final[tuple[Client, ...]] = (
    Client(
        ("claude",),
        ("-p", _PROMPT, "--permission-mode", "acceptEdits", "--allowedTools", "Bash"),
        {
            "en": "edits in the workspace and shell commands",
            "zh": "修改工作区内的文件，运行 shell 命令",
        },
        Checked("2.1.332", "2026-11", "run"),
    ),
    Client(
        ("codex",),
        ("exec", "--sandbox", "workspace-write", "--skip-git-repo-check", _PROMPT),
        {
            "en": "a sandbox that writes in the workspace only: no network, no `.git`, "
            "so no commit",
            "zh": "只能写工作区的沙箱：没有网络，不能写 `.git`，因此不能提交",
        },
        Checked("0.171.0", "2026-11", "run"),
    ),
    Client(
        ("grok",),
        ("-p", _PROMPT, "--always-approve", "--sandbox", "workspace", "--no-auto-update"),
        {
            "en": "every tool, in a sandbox that writes in the workspace and temporary "
            "folders only",
            "zh": "全部工具，在只能写工作区和临时目录的沙箱里",
        },
        Checked("1.0.6", "2026-08", "documentation"),
    ),
    Client(
        ("cursor-agent", "agent"),
        ("-p", "--force", "--trust", _PROMPT),
        {
            "en": "every tool that its own rules do not deny",
            "zh": "全部工具，它自身规则禁止的除外",
        },
        Checked("", "2026-08", "documentation"),
    ),
    Client(
        ("gemini",),
        ("-p", _PROMPT, "--approval-mode", "yolo", "--skip-trust"),
        {
            "en": "every tool: its edit-only mode cannot run a gate",
            "zh": "全部工具：它的仅编辑模式跑不了门禁",
        },
        Checked("0.55.1", "2026-08", "documentation"),
    ),
    Client(
        ("copilot",),
        ("-p", _PROMPT, "--allow-all-tools", "--no-ask-user"),
        {
            "en": "every tool, paths in the workspace only",
            "zh": "全部工具，路径限于工作区内",
        },
        Checked("1.0.78", "2026-08", "documentation"),
    ),
    Client(
        ("opencode",),
        ("run", "--auto", _PROMPT),
        {
            "en": "what its configuration does not deny",
            "zh": "它的配置没有禁止的一切",
        },
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
