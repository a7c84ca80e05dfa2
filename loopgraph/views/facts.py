"""Facts as a person reads them: each with where it was found, in eighty columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Final, NamedTuple

from loopgraph.model import columns
from loopgraph.model.facts import Facts, Found, FoundGate, GapSeed, HostFact, Repository
from loopgraph.model.messages import N_, _
from loopgraph.plain.quoting import inline
from loopgraph.views import fact_words

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
        (N_("Project"), [_found(facts.project)]),
        (N_("Host"), [_host(host)] if host else []),
        (N_("Class"), _class(facts)),
        (N_("Repositories"), (row for each in facts.repositories for row in _repository(each))),
        (
            N_("Languages"),
            [_Row(", ".join(f"{each.name} {each.files}" for each in facts.languages))],
        ),
        (N_("Members"), _members(facts)),
        (N_("Sources"), map(_Row, facts.sources)),
        (N_("Tests"), map(_Row, facts.tests)),
        (N_("Gates"), (row for each in facts.gates for row in _gate(each))),
        (N_("Instructions"), map(_called, facts.instructions)),
        (N_("Standards"), map(_called, facts.standards)),
        (N_("Detectors"), map(_found, facts.detectors)),
        (N_("Public surface"), map(_called, facts.surface)),
        (N_("Debt"), map(_gap, facts.gaps)),
        (
            N_("Earlier runs"),
            (_Row(each.slug, each.status or _("unknown")) for each in facts.earlier),
        ),
    )
    lines = [line for title, rows in groups for line in _group(title, rows)]
    wrong = [_Row(line) for line in warnings(facts)]
    return "\n".join([*(_group(N_("Cannot be read"), wrong) if wrong else ()), *lines]) + "\n"


def _group(title: str, rows: Iterable[_Row]) -> Iterator[str]:
    shown = [row for row in rows if row.value]
    yield _("{title}:", title=_(title)) if shown else _("{title}: none", title=_(title))
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


def _called(fact: Found) -> _Row:
    """A fact whose words are discovery's own."""
    return _found(fact)._replace(value=fact_words.said(fact.value))


_HOW: Final = {
    "environment": N_("environment: {evidence}"),
    "process": N_("process: {evidence}"),
    "PATH": N_("PATH: {evidence}"),
}


def _host(host: HostFact) -> _Row:
    return _Row(host.name, _(_HOW[host.how], evidence=host.evidence))


def _gap(each: GapSeed) -> _Row:
    return _Row(f"{each.priority} {fact_words.said(each.line)}", each.write_set)


def _place(file: str, line: int) -> str:
    return f"{file}:{line}" if file and line else file


def _class(facts: Facts) -> Iterator[_Row]:
    if facts.repository_class or facts.signals:
        yield _Row(facts.repository_class or _("not clear"))
    for fact in facts.signals:
        yield _called(fact)._replace(depth=2)


def _members(facts: Facts) -> Iterator[_Row]:
    for fact in facts.members[:_MEMBERS_SHOWN]:
        yield _found(fact)
    if facts.member_count > _MEMBERS_SHOWN:
        yield _Row(_("and {count} more", count=facts.member_count - _MEMBERS_SHOWN))


def _gate(gate: FoundGate) -> Iterator[_Row]:
    yield _Row(f"{gate.kind}: {gate.command}", f"{_place(gate.file, gate.line)}, {gate.cost}")
    if gate.narrow:
        yield _Row(_("narrow: {command}", command=gate.narrow), depth=2)


def _repository(each: Repository) -> Iterator[_Row]:
    yield _Row(
        _(
            "{path}  on {branch} at {head}, {count} dirty",
            path=each.path,
            branch=each.branch or _("no branch"),
            head=each.head[:12] or _("no commit yet"),
            count=each.dirty_count,
        )
    )
    for change in each.dirty[:_DIRTY_SHOWN]:
        yield _Row(f"{change.status} {change.path}", depth=2)
    if each.dirty_count > _DIRTY_SHOWN:
        yield _Row(_("and {count} more", count=each.dirty_count - _DIRTY_SHOWN), depth=2)
