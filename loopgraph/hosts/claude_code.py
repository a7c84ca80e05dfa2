"""Claude Code: both nodes are sessions that repeat one line with `/loop`."""

from __future__ import annotations

from typing import Final

from loopgraph.hosts import loops
from loopgraph.hosts.base import Capabilities, Checked, Expiry, Launch, NodeHandoff, Text, say
from loopgraph.hosts.marks import MARKS
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.languages import Language

NAME: Final = "claude-code"
TITLE: Final = "Claude Code"
CHECKED: Final = Checked("2.1.332", "2026-11", "run")
ENVIRONMENT: Final = MARKS[NAME].environment
PROCESSES: Final = ("claude",)
EXECUTABLES: Final = ("claude",)
CAPABILITIES: Final = Capabilities(
    loop=True,
    background=True,
    headless=True,
    hooks=True,
    fresh_supervisor=False,
    minimum=Interval(1),
    expiry=Expiry(measured=30, documented=7),
    timers_table=False,
    fanout_tier="haiku",
)

_TIMER: Final[Text] = {
    "en": """\
{outer}
- The `/loop` that started you is this node's only timer, a scheduled job whose prompt names \
`{token}`. Never add another; of several keep the newest.
- When {over}: list your jobs (`CronList`), delete by its id (`CronDelete`) each whose prompt \
contains that name (compare it alone{cut}), list again; end the fire.""",
    "zh": """\
{outer}
- 启动你的 `/loop` 就是本节点唯一的定时器：一个提示词里写着 `{token}` 的定时任务。\
绝不再加第二个；若有几个，留最新的。
- 当 {over}：列出你的任务（`CronList`），凡提示词含这个名字的\
（只比对它{cut}）都按 id 删除（`CronDelete`），再列一遍；结束本次触发。""",
}
_SHOWN: Final = 79
"""Characters of a job's prompt that `CronList` shows before it cuts (seen on 2.1.332, 2.1.197)."""
_CUT: Final[Text] = {
    "en": "; the list cuts it to `{shown}…`",
    "zh": "；列表把它截成 `{shown}…`",
}
_OPEN: Final[Text] = {
    "en": "a new Claude Code session in the workspace that may edit and run without asking "
    "(`claude --permission-mode acceptEdits --allowedTools Bash`).",
    "zh": "工作区里新开的 Claude Code 会话，并让它改文件、跑命令都不必请示"
    "（`claude --permission-mode acceptEdits --allowedTools Bash`）：",
}
_RUNS: Final[Text] = {
    "en": "it names a job that repeats every {interval} and starts its first fire at once.",
    "zh": "它报出一个每 {interval} 重复的任务，并立即开始第一次触发。",
}
_CONTINUES: Final[Text] = {
    "en": "a session fires again at its interval, up to half of it late, whenever it is idle. "
    "Keep it open; a permission question holds it.",
    "zh": "会话空闲时按间隔再次触发，最多晚半个间隔。别关会话；弹出权限询问时它会停住。",
}
_STOP: Final[Text] = {
    "en": "end the session, or have it delete the job that names this run; Esc and "
    "`/clear` do not.",
    "zh": "结束会话，或让它删掉写着本次运行的任务；Esc 和 `/clear` 都停不了。",
}
_EXPIRY: Final[Text] = {
    "en": "the timer ends by itself after {days} days (newer clients: up to {measured}). Re-arm "
    "it weekly: paste the same line again.",
    "zh": "定时器 {days} 天后自行结束（较新的客户端最多 {measured} 天）。"
    "续期：每周把同一行再粘贴一次。",
}
_RESET: Final[Text] = {
    "en": "`/clear` empties a slow session and keeps its timer; if its job is gone afterwards, "
    "paste the line again.",
    "zh": "会话变慢就用 `/clear` 清空，定时器还在；若之后任务不见了，再粘贴一次那一行。",
}


def per_tick(role: Role) -> tuple[str, ...]:  # noqa: ARG001
    """No process: its sessions keep their own timers."""
    return ()


def timer_step(launch: Launch, lang: Language) -> str:
    """Find the node's own job by slug and role, and delete it when the run is over."""
    over, outer = loops.over(launch.role, lang), say(loops.OUTER, lang)
    return say(_TIMER, lang, token=launch.token, outer=outer, over=over, cut=_cut(launch, lang))


def _cut(launch: Launch, lang: Language) -> str:
    """What the list of jobs shows of the name, where it does not show it whole."""
    _, _, prompt = loops.line(launch).split(" ", 2)
    shown = prompt[:_SHOWN]
    if launch.token in shown:
        return ""
    return say(_CUT, lang, shown=shown[prompt.index(launch.token) :])


def handoff(launch: Launch, lang: Language) -> NodeHandoff:
    """One line to paste into a session of its own."""
    return NodeHandoff(
        open=say(_OPEN, lang),
        line=loops.line(launch),
        runs=say(_RUNS, lang, interval=launch.interval),
        continues=say(_CONTINUES, lang),
        stop=say(_STOP, lang),
        expiry=say(
            _EXPIRY,
            lang,
            days=CAPABILITIES.expiry_days,
            measured=CAPABILITIES.expiry.measured,
        ),
        reset=say(_RESET, lang),
    )
