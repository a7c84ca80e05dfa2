"""Codex: one `codex exec` per tick, or a thread of the app that arms its own named wakeup."""

from __future__ import annotations

from typing import Final

from loopgraph.hosts import loops, shell, wrapper
from loopgraph.hosts.base import Capabilities, Checked, Expiry, Launch, NodeHandoff, Text, say
from loopgraph.hosts.marks import MARKS
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.languages import Language

NAME: Final = "codex"
TITLE: Final = "Codex"
CHECKED: Final = Checked("0.171.0", "2026-11", "run")
ENVIRONMENT: Final = MARKS[NAME].environment
PROCESSES: Final = ("codex",)
EXECUTABLES: Final = ("codex",)
CAPABILITIES: Final = Capabilities(
    loop=False,
    background=False,
    headless=True,
    hooks=True,
    fresh_supervisor=False,
    minimum=Interval(1),
    expiry=Expiry(),
    timers_table=False,
    fanout_tier="",
)

_TIMER: Final[Text] = {
    "en": """\
{outer}
- If a tool here schedules wakeups of this thread: yours is named `{token}`, every \
{interval}, with the text `{line}` Arm it only if that name is missing.
- No such tool: say once that only one process per tick (`loopgraph handoff` prints it) brings \
you back; end the fire.
- When {over}: delete the wakeup of that name, look again. Say the result; end the fire.""",
    "zh": """\
{outer}
- 有工具能安排本 thread 的唤醒：你的那个名为 `{token}`，每 {interval} 一次，\
文本是 `{line}` 没有这个名字才建。
- 没有这种工具：说明一次：要再唤醒你，\
只能每次触发一个进程（`loopgraph handoff` 会打印）；结束本次触发。
- 当 {over}：删除这个名字的唤醒，再找一遍。说明结果；结束本次触发。""",
}
_RUNS: Final[Text] = {
    "en": "in that terminal the client's first answer; in the app a first fire and a wakeup "
    "named `{token}`.",
    "zh": "终端里出现客户端的第一段回复；应用里出现第一次触发和名为 `{token}` 的唤醒。",
}
_CONTINUES: Final[Text] = {
    "en": "per tick, one process at a time, its interval after the last one ended, with an "
    "empty context; keep the terminal open. In the app the thread wakes itself; keep the "
    "app open.",
    "zh": "用进程时，一次只跑一个，上一个结束后隔一个间隔再来，上下文是空的；别关终端。"
    "用应用时，thread 自己唤醒自己；别关应用。",
}
_STOP: Final[Text] = {
    "en": "Ctrl-C in its terminal{cron}; in the app have the thread delete its wakeup.",
    "zh": "在它的终端按 Ctrl-C{cron}；应用里则让 thread 删掉自己的唤醒。",
}
_STOP_CRON: Final[Text] = {
    "en": " (with cron, take its line out)",
    "zh": "（用 cron 的，删掉那一行）",
}
_RESET: Final[Text] = {
    "en": "per tick none needed; in the app have the old thread delete its wakeup, then paste "
    "the line into a new one.",
    "zh": "用进程时不用管；应用里让旧 thread 先删掉自己的唤醒，再把那一行粘贴到新的。",
}
_UNRELIABLE: Final[Text] = {
    "en": "wakeups in the app are reported unreliable (not offered, or listed and never run): "
    "prefer one process per tick.",
    "zh": "据反映，应用里的唤醒不可靠（有的不提供，有的列着却从不执行）：优先用每次触发一个进程。",
}
_AUTOMATION: Final[Text] = {
    "en": "Or an automation, as you asked: in the app's Scheduled view add a standalone task in "
    "this project, every {interval}, with the line above as its prompt; each run is a new "
    "thread. Remove it when the run is over. Reported unreliable as well.",
    "zh": "或用你要的自动化：在应用的 Scheduled 视图里，为本项目添加一个独立任务，"
    "每 {interval} 一次，以上面那一行为提示词；每次执行都是新 thread。"
    "运行结束后把它删掉。据反映同样不可靠。",
}


def per_tick(role: Role) -> tuple[str, ...]:  # noqa: ARG001
    """Every node has the process per tick first."""
    return EXECUTABLES


def timer_step(launch: Launch, lang: Language) -> str:
    """Arm the one named wakeup of this thread where that can be done, and end it by its name."""
    return say(
        _TIMER,
        lang,
        outer=say(loops.OUTER, lang),
        over=loops.over(launch.role, lang),
        interval=launch.interval,
        token=launch.token,
        line=wrapper.pointer(launch),
    )


def handoff(launch: Launch, lang: Language) -> NodeHandoff:
    """The process per tick first, then the line for a thread of the app."""
    cron = "" if launch.shell == "powershell" else say(_STOP_CRON, lang)
    automation = say(_AUTOMATION, lang, interval=launch.interval) if launch.automation else ""
    return NodeHandoff(
        open=shell.opened(launch, lang),
        line=wrapper.pointer(launch),
        runs=say(_RUNS, lang, token=launch.token),
        continues=say(_CONTINUES, lang),
        stop=say(_STOP, lang, cron=cron),
        reset=say(_RESET, lang),
        permission=shell.permission(launch, lang),
        cautions=(say(_UNRELIABLE, lang),),
        per_tick=wrapper.per_tick(launch, lang, EXECUTABLES),
        automation=automation,
    )
