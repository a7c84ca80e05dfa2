"""A whole run, read from the texts of its files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from loopgraph.edges import directives, document, ledger, ops, record
from loopgraph.edges.directives import Directives
from loopgraph.edges.document import Document
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.ops import Ops
from loopgraph.edges.record import Record
from loopgraph.model.errors import LoopgraphError


class Run(NamedTuple):
    """What a run directory says. A part that is absent or can't be read is None."""

    files: Mapping[str, str]
    """Text by path inside the run directory, forward slashes; archives and evidence only named."""
    others: Mapping[str, str]
    """What is there but is no readable text file: path to the reason, in a few words."""
    record: Record | None
    record_problem: str
    """Why run.yaml could not be read; empty where it could or where it is absent."""

    def document(self, name: str) -> Document | None:
        """One Markdown file of the run, parsed once."""
        source = self.files.get(name)
        return None if source is None else document.parse(source)

    def ledger(self) -> Ledger | None:
        """What ledger.md says, read once; None where it is absent."""
        source = self.files.get("ledger.md")
        return None if source is None else _ledger(source)

    def directives(self) -> Directives | None:
        """What directives.md says, read once; None where it is absent."""
        source = self.files.get("directives.md")
        return None if source is None else _directives(source)

    def ops(self) -> Ops | None:
        """What ops.md says, read once; None where it is absent."""
        source = self.files.get("ops.md")
        return None if source is None else _ops(source)

    def knob(self, name: str) -> int | str | None:
        """A knob of this run, else its default."""
        return record.knob(self.record, name)


@lru_cache(maxsize=16)
def _ledger(source: str) -> Ledger:
    return ledger.read(document.parse(source))


@lru_cache(maxsize=16)
def _directives(source: str) -> Directives:
    return directives.read(document.parse(source))


@lru_cache(maxsize=16)
def _ops(source: str) -> Ops:
    return ops.read(document.parse(source))


def read(files: Mapping[str, str], others: Mapping[str, str] | None = None) -> Run:
    """Read a run from the texts of its files, by name; nothing is refused."""
    found: Record | None = None
    problem = ""
    if "run.yaml" in files:
        try:
            found = record.read(files["run.yaml"])
        except LoopgraphError as error:
            problem = str(error)
    return Run(files, others or {}, found, problem)
