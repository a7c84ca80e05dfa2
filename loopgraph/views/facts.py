"""Facts as a person reads them: each with where it was found, in eighty columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Final, NamedTuple

from loopgraph.model import columns
from loopgraph.model.facts import Facts, Found, FoundGate, HostFact, Repository
from loopgraph.model.messages import _
from loopgraph.plain.quoting import inline

SCHEMA: Final = "loopgraph/facts/1"
WIDTH: Final = 80
_DIRTY_SHOWN: Final = 5
_MEMBERS_SHOWN: Final = 8


class _Row(NamedTuple):
    """One line: what is said, where it was found, and how deep it stands."""

    value: str
    place: str = ""
    depth: int = 1


def data(facts: Facts, host: HostFact | None = None) -> dict[str, object]:
    """Facts as plain data; `host` stands apart, since it depends on the machine."""
    return {"schema": SCHEMA, **asdict(facts), "host": asdict(host) if host else None}


def warnings(facts: Facts) -> tuple[str, ...]:
    """One line for each file that should have said something and cannot be read."""
    return tuple(_warning(fact) for fact in facts.unreadable)


def _warning(fact: Found) -> str:
    line = _(" (line {line})", line=fact.line) if fact.line else ""
    return f"{inline(fact.file)}: {_(fact.value)}{line}"


def text(facts: Facts, host: HostFact | None = None) -> str:
    """Facts as lines: a group, its facts, and the place of each."""
    groups: tuple[tuple[str, Iterable[_Row]], ...] = (
        ("Project", [_found(facts.project)]),
        ("Host", [_Row(host.name, f"{host.how}: {host.evidence}")] if host else []),
        ("Class", _class(facts)),
        ("Repositories", (row for each in facts.repositories for row in _repository(each))),
        ("Languages", [_Row(", ".join(f"{each.name} {each.files}" for each in facts.languages))]),
        ("Members", _members(facts)),
        ("Sources", map(_Row, facts.sources)),
        ("Tests", map(_Row, facts.tests)),
        ("Gates", (row for each in facts.gates for row in _gate(each))),
        ("Instructions", map(_found, facts.instructions)),
        ("Standards", map(_found, facts.standards)),
        ("Detectors", map(_found, facts.detectors)),
        ("Public surface", map(_found, facts.surface)),
        ("Debt", (_Row(f"{each.priority} {each.line}", each.write_set) for each in facts.gaps)),
        ("Earlier runs", (_Row(each.slug, each.status or "unknown") for each in facts.earlier)),
    )
    lines = [line for title, rows in groups for line in _group(title, rows)]
    wrong = [_Row(line) for line in warnings(facts)]
    return "\n".join([*(_group("Cannot be read", wrong) if wrong else ()), *lines]) + "\n"


def _group(title: str, rows: Iterable[_Row]) -> Iterator[str]:
    shown = [row for row in rows if row.value]
    yield f"{title}:" if shown else f"{title}: none"
    for row in shown:
        yield from _lines(row)


def _lines(row: _Row) -> Iterator[str]:
    """A row on one line where it fits, else folded at blanks with its place below."""
    lead = "  " * row.depth
    value = inline(row.value)
    place = f"({inline(row.place)})" if row.place else ""
    whole = f"{lead}{value}  {place}".rstrip()
    if columns.width(whole) <= WIDTH:
        yield whole
        return
    yield columns.hang(value, WIDTH, lead, f"{lead}  ", cut=False)
    if place:
        yield columns.hang(place, WIDTH, f"{lead}  ", f"{lead}   ", cut=False)


def _found(fact: Found) -> _Row:
    return _Row(fact.value, _place(fact.file, fact.line))


def _place(file: str, line: int) -> str:
    return f"{file}:{line}" if file and line else file


def _class(facts: Facts) -> Iterator[_Row]:
    if facts.repository_class or facts.signals:
        yield _Row(facts.repository_class or "not clear")
    for fact in facts.signals:
        yield _found(fact)._replace(depth=2)


def _members(facts: Facts) -> Iterator[_Row]:
    for fact in facts.members[:_MEMBERS_SHOWN]:
        yield _found(fact)
    if facts.member_count > _MEMBERS_SHOWN:
        yield _Row(f"and {facts.member_count - _MEMBERS_SHOWN} more")


def _gate(gate: FoundGate) -> Iterator[_Row]:
    yield _Row(f"{gate.kind}: {gate.command}", f"{_place(gate.file, gate.line)}, {gate.cost}")
    if gate.narrow:
        yield _Row(f"narrow: {gate.narrow}", depth=2)


def _repository(each: Repository) -> Iterator[_Row]:
    head = each.head[:12] or "no commit yet"
    yield _Row(f"{each.path}  on {each.branch or 'no branch'} at {head}, {each.dirty_count} dirty")
    for change in each.dirty[:_DIRTY_SHOWN]:
        yield _Row(f"{change.status} {change.path}", depth=2)
    if each.dirty_count > _DIRTY_SHOWN:
        yield _Row(f"and {each.dirty_count - _DIRTY_SHOWN} more", depth=2)
