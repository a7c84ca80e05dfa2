"""Runs to hand off: one small spec, varied in what a handoff depends on."""

from __future__ import annotations

from dataclasses import replace

from loopgraph.hosts import HOSTS
from loopgraph.hosts.base import Launch, Shell
from loopgraph.model.facts import Facts, Found
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.spec import (
    Authority,
    Emphasis,
    Milestone,
    NodeSpec,
    NorthStar,
    PackText,
    RunSpec,
)

SLUG = "2026-01-02-deliver-rate-limiting"
RUN = f".longgraph/{SLUG}"
ROOT = "/home/owner/project"
ROLES: tuple[Role, ...] = ("executor", "supervisor", "scout")

SPEC = RunSpec(
    slug=SLUG,
    created="2026-01-02T03:04:05+00:00",
    lang="en",
    project="project",
    goal="Add rate limiting",
    north_star=NorthStar(outcome="Requests are limited", proof="pytest -q"),
    pack=PackText(
        name="deliver",
        version="0" * 12,
        origin="built-in",
        slug="deliver",
        item="a slice",
        discovery_driven=False,
        metric_driven=False,
        plan=(),
        guards=(),
        audits=(),
        supervisor_required=False,
        emphasis=Emphasis(),
    ),
    authority=Authority("A", commits=True, bar="", owner_only=()),
    scope=".",
    scout="",
    nodes=(),
    fanout_tier="",
    timers=False,
    shell="posix",
    knobs={},
    milestones=(Milestone("M-1", "it holds", "pytest -q", "src", "src"),),
    gates=(),
    scopes=(),
    context=(),
    detectors=(),
    areas=(),
    production=(),
    budget="",
    answers=(),
    facts=Facts(project=Found("project", "")),
)


def run(  # noqa: PLR0913
    executor: str,
    supervisor: str | None,
    *,
    client: str = "",
    shell: Shell = "posix",
    interval: str = "10m",
    slug: str = SLUG,
) -> RunSpec:
    """A run whose nodes live on these hosts."""
    nodes = [NodeSpec("executor", executor, client, interval)]
    if supervisor is not None:
        nodes.append(NodeSpec("supervisor", supervisor, client, "30m"))
    return replace(SPEC, nodes=tuple(nodes), shell=shell, slug=slug)


def launch(
    role: Role = "executor",
    *,
    root: str = ROOT,
    client: str = "",
    shell: Shell = "posix",
    minutes: int = 10,
) -> Launch:
    """One node to start."""
    return Launch(role, root, RUN, SLUG, Interval(minutes), client, shell)


def client_of(host: str) -> str:
    """The client that a test names for a host: its own best one."""
    return HOSTS[host].EXECUTABLES[0]
