"""What loopgraph asks of a host. An adapter is a module with these names."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.spec import Language

Shell = Literal["posix", "powershell"]


class Checked(NamedTuple):
    """Where a host's facts come from."""

    version: str
    """Client version the facts were checked on; empty for a tool without one."""
    date: str
    """`2026-11`, or a full date."""
    how: Literal["run", "documentation"]
    """Whether a real client was run, or its documentation read."""


class Capabilities(NamedTuple):
    """What a host can do, as far as a run depends on it."""

    loop: bool
    """It has a `/loop` command that repeats a prompt in a session."""
    background: bool
    """A session can be created from outside and stays."""
    headless: bool
    """One process can run one prompt and end."""
    hooks: bool
    """It has a Stop hook that can send a session back to work."""
    fresh_supervisor: bool
    """A supervisor tick can start with an empty context without an outer timer."""
    minimum: Interval
    """The shortest interval its timer can express."""
    expiry_days: int | None
    """After how many days its own timer ends by itself; None for never."""
    timers_table: bool
    """Whether its nodes must write down their timer ids (the Timers table of ops.md)."""
    fanout_tier: str
    """Its cheap model tier for read-only sub-tasks; empty where it has none."""


class Launch(NamedTuple):
    """One node to start: what a host needs to know to say how."""

    role: Role
    root: str
    """Absolute path of the workspace; empty while compiling (no prompt holds one)."""
    run: str
    """`.longgraph/<slug>`, forward slashes."""
    slug: str
    interval: Interval
    client: str
    """The owner's executable; empty where none was named or found."""
    shell: Shell

    @property
    def prompt(self) -> str:
        """The node's prompt file, relative to the root."""
        return f"{self.run}/{self.role}.md"


class NodeHandoff(NamedTuple):
    """What the owner is told about starting one node. Each field is whole sentences."""

    open: str
    """Where the line goes: `Open a new Claude Code session in the workspace`."""
    line: str
    """The exact text to paste: one line on every agent host; a script on shell hosts."""
    runs: str
    """What tells that the node runs."""
    continues: str
    """What goes on by itself."""
    stop: str
    """How the owner stops this node."""
    expiry: str = ""
    """When the timer ends by itself, and the re-arm line."""
    reset: str = ""
    """When and how to give the session a fresh context; empty where each tick has one."""
    cautions: tuple[str, ...] = ()
    """What is reported unreliable, and the better way."""


class Host(Protocol):
    """One place where a node can run."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """The name an owner types."""
        ...

    @property
    def TITLE(self) -> str:  # noqa: N802
        """The name a person reads."""
        ...

    @property
    def CHECKED(self) -> Checked:  # noqa: N802
        """Where the facts in this module come from."""
        ...

    @property
    def ENVIRONMENT(self) -> tuple[str, ...]:  # noqa: N802
        """Environment variables that mark a process started by this host."""
        ...

    @property
    def PROCESSES(self) -> tuple[str, ...]:  # noqa: N802
        """Names of this host's process in the calling process tree."""
        ...

    @property
    def EXECUTABLES(self) -> tuple[str, ...]:  # noqa: N802
        """Names of its client on PATH, the best first."""
        ...

    @property
    def CAPABILITIES(self) -> Capabilities:  # noqa: N802
        """What it can do."""
        ...

    def timer_step(self, launch: Launch, lang: Language) -> str:
        """Markdown for the node's prompt: how it arms, finds and ends its own timer.

        No absolute path, no heading, at most six lines; empty where the node has nothing to do.
        """
        ...

    def handoff(self, launch: Launch, lang: Language) -> NodeHandoff:
        """What the owner is told about starting this node."""
        ...
