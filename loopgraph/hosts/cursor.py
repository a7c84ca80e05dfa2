"""Cursor: the executor is a session with `/loop`, the supervisor one `agent -p` per tick."""

from __future__ import annotations

from typing import Final

from loopgraph.hosts import loops, shell, wrapper
from loopgraph.hosts.base import Capabilities, Checked, Expiry, Launch, NodeHandoff, Text, say
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.spec import Language

NAME: Final = "cursor"
TITLE: Final = "Cursor"
CHECKED: Final = Checked("3.5", "2026-09", "documentation")
ENVIRONMENT: Final = ("CURSOR_AGENT", "CURSOR_TRACE_ID")
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
contains `{token}` (compare that part alone), list again; touch no other. Say that it is gone, \
or that there was none; end the fire.""",
}
_OPEN: Final[Text] = {
    "en": "a new Cursor agent chat in the workspace, with commands allowed to run without asking."
}
_RUNS: Final[Text] = {"en": "it starts a background shell and its first fire at once."}
_CONTINUES: Final[Text] = {
    "en": "the session fires again at its interval. Keep it open: the timer dies with it."
}
_STOP: Final[Text] = {"en": "end the session, or have it end the loop that names this run."}
_RESET: Final[Text] = {"en": "end a slow session and paste the line into a new one."}
_CAUTION: Final[Text] = {
    "en": "its `/loop` is carried out by the model, without documented guarantees: look now and "
    "then whether it still fires."
}


def per_tick(role: Role) -> tuple[str, ...]:
    """Only the executor has a session; the others start with an empty context each tick."""
    return () if role == "executor" else EXECUTABLES


def timer_step(launch: Launch, lang: Language) -> str:
    """Find the executor's own shell by slug and role; a process per tick has no timer."""
    if launch.role != "executor":
        return ""
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
