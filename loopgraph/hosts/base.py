"""What loopgraph asks of a host. An adapter is a module with these names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol

from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.languages import Language
from loopgraph.model.messages import filled

Shell = Literal["posix", "powershell"]

Text = Mapping[Language, str]
"""One sentence or more, by language; English is always there."""


def say(text: Text, lang: Language, /, **values: object) -> str:
    """The text in that language, its values put in literally (a brace in a value stays one)."""
    return filled(text.get(lang) or text["en"], values)


class Checked(NamedTuple):
    """Where a host's facts come from."""

    version: str
    """Client version the facts were checked on; empty for a tool without one."""
    date: str
    """`2026-11`, or a full date."""
    how: Literal["run", "documentation"]
    """Whether a real client was run, or its documentation read."""


class Expiry(NamedTuple):
    """After how many days a host's own timer ends by itself; None for never, or not known."""

    measured: int | None = None
    """As the client in `Checked` says when it is run."""
    documented: int | None = None

    @property
    def days(self) -> int | None:
        """The smaller of the two: the one an owner can rely on."""
        return min((n for n in self if n is not None), default=None)


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
    expiry: Expiry
    """When its own timer ends by itself."""
    timers_table: bool
    """Whether its nodes must write down their timer ids (the Timers table of ops.md)."""
    fanout_tier: str
    """Its cheap model tier for read-only sub-tasks; empty where it has none."""

    @property
    def expiry_days(self) -> int | None:
        """The smaller of measured and documented; None for never."""
        return self.expiry.days


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
    sought: tuple[str, ...] = ()
    """Executables that were looked for where `client` is empty; empty for the host's own list."""
    after: int = 0
    """Minutes after the executor's start at which this node is started."""
    automation: bool = False
    """The owner asked for the host's own automations as well."""

    @property
    def prompt(self) -> str:
        """The node's prompt file, relative to the root."""
        return f"{self.run}/{self.role}.md"

    @property
    def token(self) -> str:
        """What marks this node's timer: short, unique, and part of every line that starts it."""
        return f"{self.slug}/{self.role}.md"


class PerTick(NamedTuple):
    """A node as one client process per tick, started by a timer outside every host."""

    script: str
    """The sequential wrapper, to paste into a terminal; empty where no client was found."""
    language: Literal["sh", "powershell"]
    crontab: str = ""
    """The same as one line of a crontab; empty where there is none."""
    missing: str = ""
    """Why there is no script: what was looked for, and how to name a client."""


class NodeHandoff(NamedTuple):
    """What the owner is told about starting one node. Each field is whole sentences."""

    open: str
    """Where the line or the script goes."""
    line: str
    """The exact line to paste; empty where the node is only a process per tick."""
    runs: str
    """What tells that the node runs."""
    continues: str
    """What goes on by itself."""
    stop: str
    """How the owner stops this node at once."""
    expiry: str = ""
    """When the timer ends by itself, and how to re-arm it."""
    reset: str = ""
    """When and how to give the session a fresh context."""
    permission: str = ""
    """What its process may do unattended, and so what it may not."""
    cautions: tuple[str, ...] = ()
    """What is reported unreliable, and the better way."""
    per_tick: PerTick | None = None
    """Stands before the line where a host has both."""
    automation: str = ""
    """The host's own automation, where the owner asked for it."""


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

    def per_tick(self, role: Role) -> tuple[str, ...]:
        """Clients that can run this node as a process per tick, the best first.

        Empty where the handoff of that node starts no process.
        """
        ...

    def timer_step(self, launch: Launch, lang: Language) -> str:
        """Markdown for the node's prompt: how it arms, finds and ends its own timer.

        No absolute path, no heading, at most six lines.
        """
        ...

    def handoff(self, launch: Launch, lang: Language) -> NodeHandoff:
        """What the owner is told about starting this node."""
        ...
