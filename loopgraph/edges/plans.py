"""Work records: which session works on which plan; read as the Stop hook reads them."""

from __future__ import annotations

from collections.abc import Mapping

from loopgraph.edges import jsonfile
from loopgraph.plain import jsontext, places, works
from loopgraph.plain.works import Work

Fields = Mapping[str, object]


def read(source: str | None) -> tuple[Work, ...]:
    """Every work of our record, in its order; a record that is none is refused."""
    return tuple(works.works(jsonfile.read(source, places.PLANS)))


def of_boulder(source: str) -> tuple[Work, ...]:
    """Every work of another tool's record; none where it is none."""
    return tuple(works.works(jsontext.attempt(source)))


def with_work(source: str | None, work: str, fields: Fields) -> str:
    """Our record with these fields of a work set; None takes a field away, the rest stays."""
    found = {"version": jsonfile.VERSION, **jsonfile.read(source, places.PLANS)}
    entries = jsonfile.section(found, "works", places.PLANS)
    before = entries.get(work)
    merged = {**(before if isinstance(before, dict) else {}), **fields}
    entries[work] = {key: value for key, value in merged.items() if value is not None}
    return jsonfile.write(found)
