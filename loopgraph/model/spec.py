"""RunSpec: everything about a run resolved, before any text of it exists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from loopgraph.model.errors import UsageError
from loopgraph.model.facts import Cost, Facts
from loopgraph.model.graph import Graph, Role, build
from loopgraph.model.intervals import Interval, parse
from loopgraph.model.knobs import Set
from loopgraph.model.languages import Language
from loopgraph.model.messages import N_, _
from loopgraph.model.states import StandingKind
from loopgraph.model.value import named_value, value
from loopgraph.plain.header import is_none

Origin = Literal["built-in", "installed", "user", "workspace", "path"]


@named_value
class NorthStar:
    """Where the run is going and how anyone can tell that it got there."""

    outcome: str
    proof: str
    """A command or an observation that decides; never an opinion."""

    def __post_init__(self) -> None:
        for key, text, fix in (
            ("outcome", self.outcome, N_("Say what must be true when the run ends.")),
            ("proof", self.proof, N_("Name a command or an observation that decides.")),
        ):
            if not text.strip() or (key == "proof" and is_none(text)):
                raise UsageError(
                    _("the North Star has no {key}", key=key), where=f"north_star.{key}", fix=_(fix)
                )


@value
class Authority:
    """What the nodes may do without asking."""

    choice: Literal["A", "B", "C"]
    commits: bool
    """Whether the supervisor may make local checkpoint commits."""
    bar: str
    """The pre-authorization and its evidence bar (choice C); empty otherwise."""
    owner_only: tuple[str, ...]
    """Decisions that only the owner takes."""


@value
class Gate:
    """A command or an observation whose result decides."""

    id: str
    """`G-1`, `G-2` …"""
    name: str
    command: str
    """Empty for an observation."""
    observation: str
    """What to look at and what must be seen; empty for a command."""
    narrow: str
    """The form for one path, with `<path>` in it; empty where there is none."""
    cost: Cost
    amount: str
    """For money: number and unit a run, such as `0.40 USD`; empty otherwise."""
    batched: bool
    """Run once for several items, not after each: its price is time."""
    source: str
    """`file:line`, or who named it."""


@value
class Milestone:
    """A boundary whose crossing is audited."""

    id: str
    """`M-1`, `M-2` …"""
    outcome: str
    exit_checks: str
    audit_surface: str
    write_set: str


@value
class ContextRow:
    """A pointer into the workspace: when to read what, and how to check it."""

    id: str
    """`C-01` …; `C-00` is the owner's whole brief."""
    use_when: str
    read: str
    verify: str


@value
class Detector:
    """A command that finds candidates, and what it cannot see."""

    name: str
    command: str
    blind_spot: str


@value
class Emphasis:
    """Facts that a pack wants in an artifact."""

    executor: tuple[str, ...] = ()
    supervisor: tuple[str, ...] = ()
    ledger: tuple[str, ...] = ()
    directives: tuple[str, ...] = ()
    ops: tuple[str, ...] = ()


@value
class PackText:
    """A pack in one language, as it enters a run."""

    name: str
    version: str
    """First twelve hex digits of the SHA-256 of its text."""
    origin: Origin
    slug: str
    item: str
    """What one work item is."""
    discovery_driven: bool
    metric_driven: bool
    plan: tuple[str, ...]
    """How work is cut and in which order, one sentence each."""
    guards: tuple[str, ...]
    """Method rules unique to this kind of goal."""
    audits: tuple[str, ...]
    """What the supervisor checks beyond the common audit."""
    supervisor_required: bool
    emphasis: Emphasis
    survey: str = ""
    """What the first round does while few debt rows are known; empty for the common text."""


@value
class NodeSpec:
    """Where one node runs and how often."""

    role: Role
    host: str
    client: str
    """Path or name of the client's executable; empty where the host needs none."""
    interval: str
    """`10m`, `2h` …; see model.intervals."""


@value
class Answer:
    """One thing that was decided before the compile, and by whom."""

    key: str
    value: str
    source: str
    """`owner` (at the terminal), `command line`, `answers file`, `earlier run`, `recommended` or
    `user defaults`."""


@value
class CarriedStanding:
    """An entry of STANDING that is still in force."""

    kind: StandingKind
    text: str


@value
class CarriedGap:
    """A row of the Debt & gap register that is still open."""

    priority: Literal["P0", "P1", "P2", "P3"]
    write_set: str
    verify: str
    line: str


@value
class CarriedGate:
    """A row of the Gate scoreboard that is still open."""

    gate: str
    status: str
    next: str


@value
class Carried:
    """What a successor brings along from the run before it."""

    run: str
    """The earlier run's name."""
    standing: tuple[CarriedStanding, ...]
    gaps: tuple[CarriedGap, ...]
    """The most urgent first."""
    gates: tuple[CarriedGate, ...]
    metrics: tuple[str, ...]
    """Anchors of the Metric snapshot, one line each."""


@named_value
class RunSpec:
    """One run, before any text of it exists. The same RunSpec gives the same bytes."""

    slug: str
    """The directory's name."""
    created: str
    """RFC 3339 with offset."""
    lang: Language
    project: str
    goal: str
    """The owner's words, exactly; empty where the pack carries the North Star."""
    north_star: NorthStar
    pack: PackText
    authority: Authority
    scope: str
    """The part of the root that may be changed; `.` for all of it."""
    scout: str
    """The scout's brief; empty for no scout."""
    nodes: tuple[NodeSpec, ...]
    """The executor first."""
    fanout_tier: str
    """The host's cheap model tier for read-only sub-tasks; empty where it has none."""
    timers: bool
    """Whether a node's host needs the Timers table."""
    shell: Literal["posix", "powershell"]
    """The shell for which command lines are quoted in the handoff."""
    knobs: Mapping[str, Set]
    milestones: tuple[Milestone, ...]
    gates: tuple[Gate, ...]
    scopes: tuple[str, ...]
    """What the owner decided about the scope, one sentence each; enters STANDING."""
    context: tuple[ContextRow, ...]
    detectors: tuple[Detector, ...]
    areas: tuple[str, ...]
    """Rotation areas of a discovery-driven run."""
    production: tuple[str, ...]
    """Globs of what counts as production code; empty means the default rule."""
    budget: str
    """Spend budget with number and unit; empty means nothing metered is allowed."""
    answers: tuple[Answer, ...]
    facts: Facts
    carried: Carried | None = None
    """What a successor brings along; None for a run that begins afresh."""
    adopted: str = ""
    """The contract an adopted run was written for, else `by-hand`; empty for a compiled one."""

    def knob(self, name: str) -> int | str | None:
        """A knob's value; None where this run does not have it."""
        found = self.knobs.get(name)
        return found.value if found else None

    def node(self, role: Role) -> NodeSpec | None:
        """The node of that role, where the run has one."""
        return next((node for node in self.nodes if node.role == role), None)

    def graph(self) -> Graph:
        """The graph behind this run; refuses where a law is broken."""
        return build(
            executor=self._interval("executor") or Interval(10),
            supervisor=self._interval("supervisor"),
            scout=self._interval("scout"),
            timers=self.timers,
        )

    def _interval(self, role: Role) -> Interval | None:
        node = self.node(role)
        return parse(node.interval) if node else None
