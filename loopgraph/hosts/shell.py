"""Shell or cron: every node is one client process per tick, started by a timer of your own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loopgraph.hosts import clients, wrapper
from loopgraph.hosts.base import (
    Capabilities,
    Checked,
    Expiry,
    Launch,
    NodeHandoff,
    PerTick,
    Shell,
    Text,
    say,
)
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.languages import Language
from loopgraph.model.messages import N_

NAME: Final = "shell"
TITLE: Final = N_("Shell or cron")
CHECKED: Final = Checked("", "2026-11", "run")
ENVIRONMENT: Final[tuple[str, ...]] = ()
PROCESSES: Final[tuple[str, ...]] = ()
EXECUTABLES: Final = tuple(clients.BY_NAME)
CAPABILITIES: Final = Capabilities(
    loop=False,
    background=False,
    headless=True,
    hooks=False,
    fresh_supervisor=True,
    minimum=Interval(1),
    expiry=Expiry(),
    timers_table=False,
    fanout_tier="",
)

_TIMER: Final[Text] = {
    "en": "- An outer process starts you: to end your timer, end the fire.",
    "zh": "- 启动你的是外部进程：结束本次触发，就是结束自己的定时器。",
}
_OPEN: Final[Text] = {
    "en": "a terminal of its own ({shell}).",
    "zh": "一个单独的终端（{shell}）：",
}
_RUNS: Final[Text] = {
    "en": "the client's first answer appears in that terminal.",
    "zh": "那个终端里出现客户端的第一段回复。",
}
_CONTINUES: Final[Text] = {
    "en": "one process at a time, its interval after the last one ended, at most {hours} hours "
    "each, with an empty context. A client that fails at once is tried ever later, six "
    "times. Keep the terminal open.",
    "zh": "一次只跑一个进程，上一个结束后隔一个间隔再来，每个最长 {hours} 小时，"
    "上下文是空的。客户端一启动就失败时，重试间隔逐次拉长，最多六次。别关终端。",
}
_STOP: Final[Text] = {
    "en": "Ctrl-C in its terminal; with cron, take its line out.",
    "zh": "在它的终端按 Ctrl-C；用 cron 的，删掉那一行。",
}
_STOP_WINDOWS: Final[Text] = {
    "en": "Ctrl-C in its terminal.",
    "zh": "在它的终端按 Ctrl-C。",
}
_CAUTION: Final[Text] = {
    "en": "`{client}` may use, unattended: {permission}.",
    "zh": "`{client}` 在无人看管时可以使用：{permission}。",
}

_SHELLS: Final[Mapping[Shell, Text]] = {
    "posix": {"en": "sh, bash or zsh", "zh": "sh、bash 或 zsh"},
    "powershell": {"en": "PowerShell"},
}


def per_tick(role: Role) -> tuple[str, ...]:  # noqa: ARG001
    """Every node is a process per tick."""
    return EXECUTABLES


def timer_step(launch: Launch, lang: Language) -> str:  # noqa: ARG001
    """The outer timer sees the end of the run by itself."""
    return say(_TIMER, lang)


def handoff(launch: Launch, lang: Language) -> NodeHandoff:
    """The wrapper to paste."""
    return per_tick_handoff(launch, lang, wrapper.per_tick(launch, lang, EXECUTABLES))


def per_tick_handoff(launch: Launch, lang: Language, found: PerTick) -> NodeHandoff:
    """What is told about a node that is a process per tick, on whatever host."""
    windows = launch.shell == "powershell"
    return NodeHandoff(
        open=opened(launch, lang),
        line="",
        runs=say(_RUNS, lang, run=launch.run, role=launch.role),
        continues=say(_CONTINUES, lang, hours=wrapper.LIMIT // 3600),
        stop=say(_STOP_WINDOWS if windows else _STOP, lang),
        permission=permission(launch, lang),
        per_tick=found,
    )


def opened(launch: Launch, lang: Language) -> str:
    """Where the script goes."""
    return say(_OPEN, lang, shell=say(_SHELLS[launch.shell], lang))


def permission(launch: Launch, lang: Language) -> str:
    """What the client is allowed, said before it runs unattended."""
    client = clients.kind(launch.client)
    if client is None:
        return ""
    allowed = say(client.permission, lang)
    return say(_CAUTION, lang, client=client.names[0], permission=allowed)
