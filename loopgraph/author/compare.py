"""Compare a run with its record: has a frozen part been changed since the compile?"""

from __future__ import annotations

from typing import NamedTuple

from loopgraph import __version__
from loopgraph.author import compiler
from loopgraph.edges import record
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _


class Difference(NamedTuple):
    """A frozen part that is not what was compiled."""

    file: str
    line: int
    """The first line that differs; 0 where it is not known."""
    says: str


class Comparison(NamedTuple):
    """What was found, and what the owner should know about how."""

    differences: tuple[Difference, ...]
    notes: tuple[str, ...]


def frozen(run: Run, *, cache_folder: str | None = None) -> Comparison:
    """Regenerate the frozen parts and compare; for another version's run compare their digests."""
    if run.record is None:
        raise UnreadableError(run.record_problem or _("no such file"), where="run.yaml")
    if run.record.version != __version__:
        note = _(
            "compiled by loopgraph {version}, this is {ours}: recorded digests are compared",
            version=run.record.version,
            ours=__version__,
        )
        return Comparison(_by_digest(run, run.record), (note,))
    if run.record.spec.adopted:
        note = _("an adopted run keeps the prompts it came with: recorded digests are compared")
        return Comparison(_by_digest(run, run.record), (note,))
    made = compiler.compile_run(run.record.spec, cache_folder=cache_folder)
    differences = []
    for part in record.frozen_parts(made):
        name, _mark, section = part.partition("#")
        there, here = _lines(run.files.get(name), section), _lines(made[name], section)
        if there is None:
            differences.append(Difference(name, 0, _("is gone")))
        elif here is not None and there.lines != here.lines:
            differences.append(_first(name, section, there, here))
    return Comparison(tuple(differences), ())


class _Part(NamedTuple):
    start: int
    lines: list[str]


def _lines(source: str | None, section: str) -> _Part | None:
    """The part's lines without their ends, and the index of the first."""
    if source is None:
        return None
    from loopgraph.edges.document import parse  # noqa: PLC0415

    document = parse(source)
    rows = [line.rstrip("\r\n") for line in document.lines]
    if not section:
        return _Part(0, rows)
    found = document.section(section)
    if found is None:
        return _Part(0, [])
    body = rows[found.start : found.end]
    while body and not body[-1]:
        body.pop()
    return _Part(found.start, body)


def _first(name: str, section: str, there: _Part, here: _Part) -> Difference:
    place = next(
        (n for n, (a, b) in enumerate(zip(there.lines, here.lines, strict=False)) if a != b),
        min(len(there.lines), len(here.lines)),
    )
    part = _("section {section}", section=section) if section else _("the prompt")
    return Difference(
        name, there.start + place + 1, _("{part} differs from what was compiled", part=part)
    )


def _by_digest(run: Run, was: record.Record) -> tuple[Difference, ...]:
    now = record.frozen_parts(run.files)
    return tuple(
        Difference(
            part.partition("#")[0],
            0,
            _(
                "{part} differs from its recorded digest",
                part=part.partition("#")[2] or _("the prompt"),
            ),
        )
        for part, digest in was.frozen.items()
        if now.get(part) != digest and part.partition("#")[0] in (*contract.PROMPTS, "ops.md")
    )
