"""The handoff: what the owner pastes where, how it goes on, and how to stop and steer it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from loopgraph.author import compiler
from loopgraph.hosts import HOSTS
from loopgraph.hosts.base import NodeHandoff
from loopgraph.model import columns
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval, parse
from loopgraph.model.messages import _
from loopgraph.model.spec import NodeSpec, RunSpec
from loopgraph.plain import paths, quoting

_WIDTH: Final = 80
_COMMANDS: Final[Mapping[str, str]] = {
    "look": "loopgraph status {run}",
    "stop": "loopgraph stop {run}",
    "resume": "loopgraph resume {run}",
    "revive": 'loopgraph resume {run} --why "what changed"',
    "answer": "loopgraph owner answer OB-001 A --run {run}",
    "steer": "loopgraph directive add plan --from owner --run {run} "
    '--action "one outcome" --verify "what shows it"',
    "gate": "loopgraph gate run G-1 --run {run}",
    "accept": "loopgraph promote accept M-1 --run {run}",
}
"""What the owner runs; the words in quotes stand for theirs. The same in every shell."""
_BY_HAND: Final = "Read .longgraph/{run}/{role}.md and follow it exactly. Do not load any skill."
"""How an empty file is made in each shell."""


class Part(NamedTuple):
    """One node's share of the handoff."""

    role: Role
    host: str
    title: str
    """The host's name as a person reads it."""
    interval: str
    after: str
    """How long after the executor it is started, such as `5m`; empty for the executor."""
    told: NodeHandoff


class Point(NamedTuple):
    """One sentence that holds for some of the nodes."""

    roles: tuple[Role, ...]
    """Empty where it holds for every node shown."""
    text: str


def parts(  # noqa: PLR0913  what a handoff depends on beside the run
    spec: RunSpec,
    *,
    root: str,
    clients: Mapping[Role, str] | None = None,
    clients_sought: Mapping[str, tuple[str, ...]] | None = None,
    only_host: str | None = None,
    with_automation: bool = False,
) -> tuple[Part, ...]:
    """What is told about each node of the run, the executor first.

    `clients` are executables found or named for a node, by role, and one that is not in it was
    not found. Left out, the names in the run itself hold; they are never taken as paths, since
    a file of the workspace must not choose a program. `clients_sought` says by host which names
    were looked for. `only_host` keeps the nodes of one host; a host that the run was not
    compiled for is refused.
    """
    _safe_name(spec.slug)
    told = []
    for node in _chosen(spec, only_host):
        after = 0 if node.role == "executor" else _half(spec)
        own = paths.name(node.client)
        sought = (clients_sought or {}).get(node.host) or ((own,) if own else ())
        launch = compiler.launch(spec, node.role, root=root)._replace(
            client=own if clients is None else clients.get(node.role, ""),
            sought=tuple(sought),
            after=after,
            automation=with_automation,
        )
        host = HOSTS[node.host]
        text = host.handoff(launch, spec.lang)
        waits = "" if node.role == "executor" else str(Interval(after)) if after else "30s"
        told.append(Part(node.role, node.host, host.TITLE, node.interval, waits, text))
    return tuple(told)


def handoff(  # noqa: PLR0913
    spec: RunSpec,
    *,
    root: str,
    clients: Mapping[Role, str] | None = None,
    clients_sought: Mapping[str, tuple[str, ...]] | None = None,
    only_host: str | None = None,
    with_automation: bool = False,
) -> str:
    """The handoff as the owner reads it, at most 80 columns but for lines and scripts to paste."""
    told = parts(
        spec,
        root=root,
        clients=clients,
        clients_sought=clients_sought,
        only_host=only_host,
        with_automation=with_automation,
    )
    return text(spec, told, root=root)


def text(
    spec: RunSpec, told: tuple[Part, ...], *, root: str, cache_folder: str | None = None
) -> str:
    """The parts as one text."""
    commands = {name: words.format(run=spec.slug) for name, words in _COMMANDS.items()}
    remedy = f"loopgraph handoff {spec.slug} --client FILE"
    rendered = compiler.render(
        "handoff.md",
        spec.lang,
        cache_folder=cache_folder,
        spec=spec,
        run=f".longgraph/{spec.slug}",
        root=root,
        parts=told,
        ready=any(_startable(part.told) for part in told),
        commands=commands,
        remedy=remedy,
        supervised=spec.node("supervisor") is not None,
        continues=_points((part.role, part.told.continues) for part in told),
        expiry=_points((part.role, part.told.expiry) for part in told),
        reset=_points((part.role, part.told.reset) for part in told),
        stop=_points((part.role, part.told.stop) for part in told),
        cautions=_points((part.role, said) for part in told for said in part.told.cautions),
    )
    whole = {f"  {command}" for command in (*commands.values(), remedy)}
    whole |= {part.told.line for part in told}
    whole |= {_BY_HAND.format(run=spec.slug, role=part.role) for part in told}
    whole |= {part.told.per_tick.crontab for part in told if part.told.per_tick}
    return _wrapped(rendered, whole, quoting.inline(root))


def _startable(told: NodeHandoff) -> bool:
    """Whether there is something to paste for this node."""
    return bool(told.line or (told.per_tick and told.per_tick.script))


def _chosen(spec: RunSpec, only_host: str | None) -> tuple[NodeSpec, ...]:
    unknown = [node.host for node in spec.nodes if node.host not in HOSTS]
    if unknown:
        raise UsageError(_("no such host"), where=unknown[0], fix=nearest(unknown[0], HOSTS))
    if only_host is None:
        return spec.nodes
    chosen = tuple(node for node in spec.nodes if node.host == only_host)
    if chosen:
        return chosen
    compiled = ", ".join(dict.fromkeys(node.host for node in spec.nodes))
    raise RefusedError(
        _("this run was compiled for {compiled}, and its prompts are frozen", compiled=compiled),
        where=f"--host {only_host}",
        fix=_(
            "Make a successor run: loopgraph new --from {run} --host {host}",
            run=spec.slug,
            host=only_host,
        ),
    )


def _safe_name(slug: str) -> None:
    """Refuse a run name that would say more than a name in a line that is pasted."""
    if not slug or not slug.isascii() or slug.strip(".-_") != slug or not _plain(slug):
        raise RefusedError(
            _("not a run's name, so no line to paste is printed"), where=repr(slug)[:80]
        )


def _plain(slug: str) -> bool:
    return all(char.isalnum() or char in "-._" for char in slug)


def _half(spec: RunSpec) -> int:
    """Half the executor's interval in whole minutes: both clocks tick, never together."""
    executor = spec.node("executor")
    interval = parse(executor.interval) if executor else None
    return interval.minutes // 2 if interval else 0


def _points(said: Iterable[tuple[Role, str]]) -> tuple[Point, ...]:
    """Each sentence once, with the nodes it holds for unless it holds for all that are shown."""
    pairs = list(said)
    shown = {role for role, _ in pairs}
    by_text: dict[str, list[Role]] = {}
    for role, sentence in pairs:
        if sentence:
            by_text.setdefault(sentence, []).append(role)
    return tuple(
        Point(() if set(roles) == shown and len(by_text) == 1 else tuple(roles), sentence)
        for sentence, roles in by_text.items()
    )


def _wrapped(rendered: str, whole: set[str], root: str) -> str:
    """Fold prose at 80 columns; scripts, lines to paste and the root's path stay as they are."""
    out = []
    fenced = False
    for line in rendered.split("\n"):
        fenced ^= line.startswith("```")
        prose = not (fenced or line in whole or line.startswith(("```", "#")))
        if columns.width(line) <= _WIDTH or not prose or line.endswith(root):
            out.append(line)
            continue
        mark, text = ("- ", line[2:]) if line.startswith("- ") else ("", line)
        out.append(columns.hang(text, _WIDTH, mark, cut=False))
    return "\n".join(out)


def data(spec: RunSpec, told: tuple[Part, ...], *, root: str) -> dict[str, object]:
    """The handoff as plain data."""
    return {
        "schema": "loopgraph/handoff/1",
        "run": spec.slug,
        "root": root,
        "nodes": [
            {
                "role": part.role,
                "host": part.host,
                "interval": part.interval,
                "after": part.after,
                **part.told._asdict(),
                "per_tick": part.told.per_tick and part.told.per_tick._asdict(),
            }
            for part in told
        ],
        "text": text(spec, told, root=root),
    }
