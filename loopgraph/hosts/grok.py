"""Grok Build: both nodes are sessions with `/loop`, and each writes down its own timer's id."""

from __future__ import annotations

from typing import Final

from loopgraph.hosts import loops
from loopgraph.hosts.base import Capabilities, Checked, Expiry, Launch, NodeHandoff, Text, say
from loopgraph.hosts.marks import MARKS
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.languages import Language

NAME: Final = "grok"
TITLE: Final = "Grok Build"
CHECKED: Final = Checked("1.0.6", "2026-08", "documentation")
ENVIRONMENT: Final = MARKS[NAME].environment
PROCESSES: Final = ("grok",)
EXECUTABLES: Final = ("grok",)
CAPABILITIES: Final = Capabilities(
    loop=True,
    background=False,
    headless=True,
    hooks=True,
    fresh_supervisor=False,
    minimum=Interval(1),
    expiry=Expiry(documented=7),
    timers_table=True,
    fanout_tier="",
)

_TIMER: Final[Text] = {
    "en": """\
{outer}
- The `/loop` that started you is this node's only timer: a scheduled task whose prompt names \
`{token}`. Never add a second one; of several keep the newest.
- Your cell in the Timers table of ops.md says `none` or an id no longer listed: find the task \
by `scheduler_list` (compare that name alone) and write its id there; touch no other cell.
- When {over}: find the task that way, `scheduler_delete` its id, list again, set the cell to \
`ended`. Say the result; end the fire.""",
    "zh": """\
{outer}
- 启动你的 `/loop` 就是本节点唯一的定时器：一个提示词里写着 `{token}` 的定时任务。\
绝不再加第二个；若有几个，留最新的。
- ops.md 的 Timers 表中你那一格若是 `none`，或是已不在列的 id：用 `scheduler_list` 找到该任务\
（只比对这个名字），把它的 id 写进去；别的格不碰。
- 当 {over}：照样找到该任务，用 `scheduler_delete` 按 id 删除，再列一遍，\
把这一格写成 `ended`。说明结果；结束本次触发。""",
}
_OPEN: Final[Text] = {
    "en": "a new Grok Build session in the workspace (`grok`), with `/always-approve` on, or "
    "every fire waits for you.",
    "zh": "工作区里新开的 Grok Build 会话（`grok`），并打开 `/always-approve`，"
    "否则每次触发都要等你：",
}
_RUNS: Final[Text] = {
    "en": "it names a scheduled task and starts its first fire at once; then its cell in the "
    "Timers table of ops.md holds an id.",
    "zh": "它报出一个定时任务，并立即开始第一次触发；随后 ops.md 的 Timers 表里它那一格有了 id。",
}
_CONTINUES: Final[Text] = {
    "en": "a session fires again at its interval and skips a fire while the last one works. "
    "Keep it open: the timer dies with it.",
    "zh": "会话按间隔再次触发，上一次还没做完就跳过一次。别关会话：会话一关，定时器也没了。",
}
_STOP: Final[Text] = {
    "en": "end the session, or have it delete the task that names this run.",
    "zh": "结束会话，或让它删掉写着本次运行的任务。",
}
_EXPIRY: Final[Text] = {
    "en": "the timer ends by itself after {days} days, without a last fire. Re-arm it weekly: "
    "paste the same line again.",
    "zh": "定时器 {days} 天后自行结束，最后不会再触发一次。续期：每周把同一行再粘贴一次。",
}
_RESET: Final[Text] = {
    "en": "none needed; every tenth fire starts with an empty context.",
    "zh": "不用管；每十次触发就有一次从空上下文开始。",
}


def per_tick(role: Role) -> tuple[str, ...]:  # noqa: ARG001
    """No process: its sessions keep their own timers."""
    return ()


def timer_step(launch: Launch, lang: Language) -> str:
    """Write the timer's id into the node's own cell; find it by slug and role, and delete it."""
    over, outer = loops.over(launch.role, lang), say(loops.OUTER, lang)
    return say(_TIMER, lang, token=launch.token, outer=outer, over=over)


def handoff(launch: Launch, lang: Language) -> NodeHandoff:
    """One line to paste into a session of its own."""
    return NodeHandoff(
        open=say(_OPEN, lang),
        line=loops.line(launch),
        runs=say(_RUNS, lang, interval=launch.interval),
        continues=say(_CONTINUES, lang),
        stop=say(_STOP, lang),
        expiry=say(_EXPIRY, lang, days=CAPABILITIES.expiry_days),
        reset=say(_RESET, lang),
    )
