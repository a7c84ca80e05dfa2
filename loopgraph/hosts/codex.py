"""Codex: one `codex exec` per tick, or a thread of the app that arms its own named wakeup."""

from __future__ import annotations

from typing import Final

from loopgraph.hosts import loops, shell, wrapper
from loopgraph.hosts.base import Capabilities, Checked, Expiry, Launch, NodeHandoff, Text, say
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.spec import Language

NAME: Final = "codex"
TITLE: Final = "Codex"
CHECKED: Final = Checked("0.171.0", "2026-11", "run")
ENVIRONMENT: Final = ("CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_SANDBOX")
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
- If this client offers a tool that schedules a wakeup of this thread: exactly one is \
yours, named `{token}`, every {interval}, with the text `{line}` Look for that name first; arm it \
only if it is missing, never a second one.
- If it offers none: at the end of your work say once in this thread that nothing here brings you \
back and that one process per tick does (`loopgraph handoff {slug}` prints it); end the fire.
- When {over}: find that wakeup by its name `{token}`, delete it, look again. Say that it is \
gone, or that there was none; end the fire.""",
}
_RUNS: Final[Text] = {
    "en": "in that terminal the client's first answer; in the app a first fire and a wakeup "
    "named `{token}`."
}
_CONTINUES: Final[Text] = {
    "en": "per tick, one process at a time, its interval after the last one ended, with an "
    "empty context; keep the terminal open. In the app the thread wakes itself; keep the "
    "app open."
}
_STOP: Final[Text] = {
    "en": "Ctrl-C in its terminal{cron}; in the app have the thread delete its wakeup."
}
_STOP_CRON: Final[Text] = {"en": " (with cron, take its line out)"}
_RESET: Final[Text] = {
    "en": "per tick none needed; in the app have the old thread delete its wakeup, then paste "
    "the line into a new one."
}
_UNRELIABLE: Final[Text] = {
    "en": "wakeups in the app are reported unreliable (not offered, or listed and never run): "
    "prefer one process per tick."
}
_AUTOMATION: Final[Text] = {
    "en": "Or an automation, as you asked: in the app's Scheduled view add a standalone task in "
    "this project, every {interval}, with the line above as its prompt; each run is a new "
    "thread. Remove it when the run is over. Reported unreliable as well."
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
        slug=launch.slug,
        line=wrapper.pointer(launch),
    )


def handoff(launch: Launch, lang: Language) -> NodeHandoff:
    """The process per tick first, then the line for a thread of the app."""
    cron = "" if launch.shell == "powershell" else say(_STOP_CRON, lang)
    automation = say(_AUTOMATION, lang, interval=launch.interval) if launch.automation else ""
    return NodeHandoff(
        open=say(shell.OPEN, lang, shell=shell.SHELLS[launch.shell]),
        line=wrapper.pointer(launch),
        runs=say(_RUNS, lang, token=launch.token),
        continues=say(_CONTINUES, lang),
        stop=say(_STOP, lang, cron=cron),
        reset=say(_RESET, lang),
        cautions=(say(_UNRELIABLE, lang), *shell.permission(launch, lang)),
        per_tick=wrapper.per_tick(launch, lang, EXECUTABLES),
        automation=automation,
    )
