"""What the tests of this room share: who speaks, a moment, and a change carried out on texts."""

from __future__ import annotations

from collections.abc import Mapping

from loopgraph.edges.loops import Settings
from loopgraph.edges.places import GLOBAL, PROJECT, Change, Layout
from loopgraph.node import loops, speaker
from loopgraph.node.loops import Call
from loopgraph.node.speaker import Session, Speaker

NOW = "2026-01-02T03:04:05+00:00"
LATER = "2026-01-02T04:00:00+00:00"

PERSON = Speaker(None, agent=False, sessions=())
ANN = Session("ann-1", "claude")
BOB = Session("bob-2", "codex")


def agent(*sessions: Session, role: str | None = None) -> Speaker:
    """An agent of these sessions."""
    named = next((one for one in speaker.WRITERS if one == role), None)
    assert named == role
    return Speaker(named, agent=True, sessions=sessions)


def call(who: Speaker = PERSON, now: str = NOW, layout: Layout = PROJECT) -> Call:
    return Call(layout, who, now)


def everywhere(who: Speaker = PERSON) -> Call:
    return Call(GLOBAL, who, NOW)


def after(files: Mapping[str, str], change: Change) -> dict[str, str]:
    """The texts once a change is carried out."""
    merged = {**files, **change.files}
    return {path: text for path, text in merged.items() if text is not None}


def made(task="fix", prompt="Fix it.", session="", **more):
    """A workspace with one loop in it."""
    return with_loop({}, task, prompt, session, **more)


def with_loop(files, task, prompt, session, **more):
    settings = Settings(session=session, **more)
    change = loops.init(files, call(), task=task, prompt=prompt, settings=settings, lang="en")
    return after(files, change)
