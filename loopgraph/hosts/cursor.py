"""Cursor: the executor is a session with `/loop`, the supervisor one `agent -p` per tick."""

from __future__ import annotations

from typing import Final

from loopgraph.hosts import loops, shell, wrapper
from loopgraph.hosts.base import Capabilities, Checked, Expiry, Launch, NodeHandoff, Text, say
from loopgraph.hosts.marks import MARKS
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.languages import Language

NAME: Final = "cursor"
TITLE: Final = "Cursor"
CHECKED: Final = Checked("3.5", "2026-09", "documentation")
ENVIRONMENT: Final = MARKS[NAME].environment
PROCESSES: Final = ("cursor-agent", "Cursor")
EXECUTABLES: Final = ("cursor-agent", "agent")
CAPABILITIES: Final = Capabilities(
    loop=True,
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
- The `/loop` that started you is this node's only timer: a background shell of this session \
that sleeps and wakes you with a prompt that names `{token}`. Never start a second one.
- When {over}: list the background shells of this session, end the one whose command or prompt \
contains that name (compare it alone), list again; touch no other. Say the result; end the fire.""",
    "zh": """\
{outer}
- 启动你的 `/loop` 就是本节点唯一的定时器：本会话的一个后台 shell，\
睡够间隔就用写着 `{token}` 的提示词唤醒你。绝不再启动第二个。
- 当 {over}：列出本会话的后台 shell，凡命令或提示词含这个名字的\
（只比对它）就结束它，再列一遍；别的不碰。说明结果；结束本次触发。""",
}
_OPEN: Final[Text] = {
    "en": "a new Cursor agent chat in the workspace, with commands allowed to run without asking.",
    "zh": "工作区里新开的 Cursor agent 对话，并让它跑命令不必请示：",
}
_RUNS: Final[Text] = {
    "en": "it starts a background shell and its first fire at once.",
    "zh": "它启动一个后台 shell，并立即开始第一次触发。",
}
_CONTINUES: Final[Text] = {
    "en": "the session fires again at its interval. Keep it open: the timer dies with it.",
    "zh": "会话按间隔再次触发。别关会话：会话一关，定时器也没了。",
}
_STOP: Final[Text] = {
    "en": "end the session, or have it end the loop that names this run.",
    "zh": "结束会话，或让它结束写着本次运行的 loop。",
}
_RESET: Final[Text] = {
    "en": "end a slow session and paste the line into a new one.",
    "zh": "会话变慢就结束它，把那一行粘贴到新会话。",
}
_CAUTION: Final[Text] = {
    "en": "its `/loop` is carried out by the model, without documented guarantees: look now and "
    "then whether it still fires.",
    "zh": "它的 `/loop` 由模型自己执行，文档没有任何保证：不时看一眼它是否还在触发。",
}


def per_tick(role: Role) -> tuple[str, ...]:
    """Only the executor has a session; the others start with an empty context each tick."""
    return () if role == "executor" else EXECUTABLES


def timer_step(launch: Launch, lang: Language) -> str:
    """Find the executor's own shell by slug and role; the others are a process per tick."""
    if launch.role != "executor":
        return shell.timer_step(launch, lang)
    over, outer = loops.over(launch.role, lang), say(loops.OUTER, lang)
    return say(_TIMER, lang, token=launch.token, outer=outer, over=over)


def handoff(launch: Launch, lang: Language) -> NodeHandoff:
    """One line for the executor; the wrapper for the others."""
    if launch.role != "executor":
        return shell.per_tick_handoff(launch, lang, wrapper.per_tick(launch, lang, EXECUTABLES))
    return NodeHandoff(
        open=say(_OPEN, lang),
        line=loops.line(launch),
        runs=say(_RUNS, lang),
        continues=say(_CONTINUES, lang),
        stop=say(_STOP, lang),
        reset=say(_RESET, lang),
        cautions=(say(_CAUTION, lang),),
    )
