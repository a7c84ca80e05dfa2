"""Facts as a person reads them: each with where it was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Final

from loopgraph.model.facts import Facts, Found, HostFact, Repository
from loopgraph.plain.quoting import inline

SCHEMA: Final = "loopgraph/facts/1"
_DIRTY_SHOWN: Final = 5


def data(facts: Facts, host: HostFact | None = None) -> dict[str, object]:
    """Facts as plain data; `host` stands apart, since it depends on the machine."""
    return {"schema": SCHEMA, **asdict(facts), "host": asdict(host) if host else None}


def text(facts: Facts, host: HostFact | None = None) -> str:
    """Facts as lines: a group, its facts, and the place of each."""
    groups: tuple[tuple[str, Iterable[str]], ...] = (
        ("Project", [_found(facts.project)]),
        ("Host", [f"{host.name}  ({host.how}: {host.evidence})"] if host else []),
        ("Class", [facts.repository_class] if facts.repository_class else []),
        ("Repositories", (line for each in facts.repositories for line in _repository(each))),
        ("Languages", [", ".join(f"{each.name} {each.files}" for each in facts.languages)]),
        ("Sources", facts.sources),
        ("Tests", facts.tests),
        ("Gates", (line for each in facts.gates for line in (
            f"{each.kind}: {each.command}  ({each.file}:{each.line}, {each.cost})",
            *([f"  narrow: {each.narrow}"] if each.narrow else []),
        ))),
        ("Instructions", map(_found, facts.instructions)),
        ("Standards", map(_found, facts.standards)),
        ("Detectors", map(_found, facts.detectors)),
        ("Public surface", map(_found, facts.surface)),
        ("Debt", (f"{each.priority} {each.line}  ({each.write_set})" for each in facts.gaps)),
        ("Earlier runs", (f"{each.slug}  {each.status or 'unknown'}" for each in facts.earlier)),
    )  # fmt: skip
    return "\n".join(line for title, rows in groups for line in _group(title, rows)) + "\n"


def _group(title: str, rows: Iterable[str]) -> Iterator[str]:
    shown = [row for row in rows if row]
    yield f"{title}:" if shown else f"{title}: none"
    for row in shown:
        body = row.lstrip(" ")
        yield f"  {row[: len(row) - len(body)]}{inline(body)}"


def _found(fact: Found) -> str:
    if not fact.file:
        return fact.value
    return (
        f"{fact.value}  ({fact.file}:{fact.line})" if fact.line else f"{fact.value}  ({fact.file})"
    )


def _repository(each: Repository) -> Iterator[str]:
    head = each.head[:12] or "no commit yet"
    yield f"{each.path}  on {each.branch or 'no branch'} at {head}, {each.dirty_count} dirty"
    for change in each.dirty[:_DIRTY_SHOWN]:
        yield f"  {change.status} {change.path}"
    if each.dirty_count > _DIRTY_SHOWN:
        yield f"  and {each.dirty_count - _DIRTY_SHOWN} more"
