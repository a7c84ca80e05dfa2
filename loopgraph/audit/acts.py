"""acts.jsonl: who did what by command, and what nobody's command explains."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from hashlib import sha256
from typing import Any, Final, NamedTuple

from loopgraph.edges.record import Record
from loopgraph.model import contract
from loopgraph.plain import header


class Act(NamedTuple):
    """One line of acts.jsonl."""

    file: str
    line: int
    text: str
    """As it stands there."""
    node: str
    command: tuple[str, ...]
    files: Mapping[str, str]
    """The digest of each file that it wrote, by name."""
    was: Mapping[str, str]
    """The digest of what it found there; empty in older logs, and behind a command cut short."""

    def says(self, *words: str) -> bool:
        """Whether its command has these words, in this order."""
        rest = iter(self.command)
        return all(word in rest for word in words)


def read(file: str, source: str) -> Iterator[Act]:
    """The acts of one file; a line that is none is passed over."""
    for number, line in enumerate(source.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found: Any = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if act := _act(found, file, number, line):
            yield act


def _act(found: Any, file: str, number: int, line: str) -> Act | None:
    if not isinstance(found, dict):
        return None
    node, command, files = found.get("node"), found.get("command"), found.get("files")
    if not isinstance(node, str) or not isinstance(command, list):
        return None
    words = tuple(word for word in command if isinstance(word, str))
    was = {} if found.get("settled") else found.get("was")
    return Act(file, number, line, node, words, _digests(files), _digests(was))


def _digests(found: Any) -> Mapping[str, str]:
    pairs = found.items() if isinstance(found, dict) else ()
    return {name: one for name, one in pairs if isinstance(name, str) and isinstance(one, str)}


_ADOPT: Final = ("adopt",)
"""The command that may find anything: before it nobody noted what was done."""


class Log:
    """Every act that is known of, the oldest first."""

    def __init__(self, found: Iterable[Act]) -> None:
        self.acts: Sequence[Act] = tuple(found)
        self._digests: dict[str, set[str]] = defaultdict(set)
        for act in self.acts:
            for name, left in act.files.items():
                self._digests[name].add(left)

    def explains(self, name: str, text: str) -> bool:
        """Whether a command left this file as it is."""
        known = self._digests[name]
        return digest(text) in known or ("\r" in text and bare(text) in known)

    def surprised(
        self,
        known: Mapping[str, AbstractSet[str]],
        turned: Mapping[str, str],
        *,
        in_order: bool,
    ) -> Iterator[tuple[Act, str]]:
        """Acts that found a file otherwise than the act before had left it, each with the file.

        `known` are digests that are explained already, `turned` those of texts whose line ends
        alone were changed, each with that of the text before. Logs of two branches that were
        merged are not in order: there any act may have left it.
        """
        last: dict[str, str] = {}
        for act in self.acts:
            for name, was in act.was.items() if act.command[:1] != _ADOPT else ():
                if name not in contract.LIVE:
                    continue
                left = last.get(name)
                expected = {left} if in_order and left else self._digests[name]
                found = {was, turned.get(was, was)}
                if not found & expected and was not in known.get(name, ()):
                    yield act, name
            last.update(act.files)

    def accepts(self, boundary: str) -> int:
        """How many accepts of a boundary are logged, whoever gave them."""
        return sum(act.says("promote", "accept") and _names(act, boundary) for act in self.acts)


def _names(act: Act, id_: str) -> bool:
    return header.same_id(id_, list(act.command))


def digest(text: str) -> str:
    """The digest of a text, as a log of acts has it."""
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def bare(text: str) -> str:
    """The digest of a text with plain line ends."""
    return digest(text.replace("\r\n", "\n"))


# Roles -----------------------------------------------------------------------------------------

_LENT: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "ledger.md": (("finish", "closed"), ("owner", "answer"), ("resume",)),
    "directives.md": (("owner", "answer", "--relayed"),),
    "ops.md": (("timer", "set"),),
}
"""Commands by which another node than the edge's writer may change a file."""

_NAMED: Final = ("executor", "supervisor", "scout", "owner")
_LOOSE: Final = ("ledger.md", "ops.md", "findings.md")
"""What an agent may write whom nobody has named."""


def judge(record: Record | None) -> str:
    """Who writes the directives."""
    if record is None:
        return "supervisor"
    return next(edge.writer for edge in record.spec.graph().edges if edge.name == "directives")


def strangers(act: Act, writers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The files that an act changed and whose writer its node is not, each with its writer."""
    for name in act.files:
        writer = writers.get(name)
        if writer is None or act.node in (writer, "owner"):
            continue
        if any(act.says(*words) for words in _LENT.get(name, ())):
            continue
        if act.node not in _NAMED and name in _LOOSE:
            continue
        yield name, writer


def writers(record: Record | None) -> Mapping[str, str]:
    """Who writes each file."""
    if record is None:
        return {"ledger.md": "executor", "directives.md": "supervisor", "ops.md": "executor"}
    edges = record.spec.graph().edges
    return {edge.file: edge.writer for edge in reversed(edges) if edge.file in contract.LIVE}
