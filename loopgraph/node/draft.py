"""What a command has changed so far: every edit gives the next draft, the last one the Change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from loopgraph.edges import edit
from loopgraph.edges.change import Change, Move
from loopgraph.edges.directives import Directives
from loopgraph.edges.document import Document
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.errors import RefusedError
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.node import call as parts
from loopgraph.node.call import DIRECTIVES, LEDGER
from loopgraph.plain import header

STATUS: Final = "Status header"

_ROOM: Final = {
    LEDGER: N_("Close, merge or park debt rows, or shorten what is longest: loopgraph gap list"),
    DIRECTIVES: N_("Merge packets, or retire standing entries."),
    "ops.md": N_("Replace facts in place, and leave out what nobody uses."),
    "findings.md": N_("Take out what the ledger has registered or closed."),
}
"""How to make room in a file that is at its cap."""


class Draft(NamedTuple):
    """A run on its way from what was read to what is to be written."""

    before: Run
    run: Run
    """With every edit so far."""
    moves: tuple[Move, ...] = ()
    says: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def ledger(self) -> Ledger:
        """The ledger as it is now."""
        return parts.ledger(self.run)

    @property
    def directives(self) -> Directives:
        """The directives as they are now."""
        return parts.directives(self.run)

    def document(self, file: str) -> Document:
        """A file as it is now."""
        return parts.document(self.run, file)

    def put(self, file: str, document: Document) -> Draft:
        """Go on with a new text of a file."""
        files = {**self.run.files, file: document.text()}
        return self._replace(run=self.run._replace(files=files))

    def say(self, *lines: str) -> Draft:
        """Tell whoever ran the command."""
        return self._replace(says=(*self.says, *lines))

    def find(self, finding: Finding) -> Draft:
        """Report what was done all the same, and ought to be known."""
        return self._replace(findings=(*self.findings, finding))

    # Edits ---------------------------------------------------------------------------------

    def status(self, name: str, said: str) -> Draft:
        """Write a field of the ledger's Status header."""
        document = self.document(LEDGER)
        part = edit.section(document, LEDGER, STATUS)
        return self.put(LEDGER, edit.set_field(document, part, header.FIELDS, name, said))

    def entry(self, file: str, title: str, names: tuple[str, ...], name: str, said: str) -> Draft:
        """Write a field that has its own line in a section."""
        document = self.document(file)
        part = edit.section(document, file, title)
        return self.put(file, edit.set_entry(document, part, names, name, said))

    def add(self, file: str, title: str, lines: Sequence[str]) -> Draft:
        """Put lines at the end of a section."""
        document = self.document(file)
        return self.put(file, edit.append(document, edit.section(document, file, title), lines))

    def row(self, file: str, title: str, columns: Sequence[str], cells: Sequence[str]) -> Draft:
        """Put a row at the end of a section's table."""
        document = self.document(file)
        part = edit.section(document, file, title)
        return self.put(file, edit.add_row(document, file, part, columns, cells))

    def cells(self, file: str, line: int, cells: dict[int, str]) -> Draft:
        """Write cells of a row."""
        return self.put(file, edit.set_cells(self.document(file), file, line, cells))

    def away(
        self,
        id_: str,
        file: str,
        archive: str,
        lines: tuple[int, int],
        *,
        instead: Iterable[str] = (),
    ) -> Draft:
        """Move lines (first and last) word for word to the archive, others in their place."""
        document = self.document(file)
        first, last = lines
        end = edit.line_end(document)
        new = tuple(instead)
        text = edit.taken(document, first, last)
        move = Move(id_, file, archive, text, "".join(f"{line}{end}" for line in new))
        draft = self.put(file, edit.splice(document, first, last, new))
        return draft._replace(moves=(*draft.moves, move))

    # The end -------------------------------------------------------------------------------

    def change(self) -> Change:
        """What is to be written; refused where a file would grow beyond its cap."""
        live = {
            name: text
            for name, text in self.run.files.items()
            if text != self.before.files.get(name)
        }
        for name in live:
            if over := self.over(name):
                raise RefusedError(over, where=name, fix=_(_ROOM[name]) if name in _ROOM else "")
        return Change(live=live, moves=self.moves, says=self.says, findings=self.findings)

    def over(self, name: str) -> str:
        """Why a file is too large now, in a few words; empty where it fits or has shrunk."""
        if name not in contract.LIVE:
            return ""
        new, old = self.run.files[name], self.before.files.get(name, "")
        for unit, cap_name, size in (
            (N_("lines"), "FILE_LINE_CAP", _lines),
            (N_("bytes"), "FILE_BYTE_CAP", _bytes),
        ):
            cap = parts.knob(self.run, cap_name)
            if size(new) > cap and size(new) > size(old):
                return _(
                    "it would have {value} {unit}; {cap_name} is {cap}",
                    value=size(new),
                    unit=_(unit),
                    cap_name=cap_name,
                    cap=cap,
                )
        return ""


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def begin(run: Run) -> Draft:
    """The draft that nothing has been changed in."""
    return Draft(run, run)


# Ids -------------------------------------------------------------------------------------------

KINDS: Final = {LEDGER: ("GAP", "OB"), DIRECTIVES: ("D", "S", "OB")}
"""Which ids a file gives, in the order of its Highest ids."""


class Used(NamedTuple):
    """An id that stands in a file."""

    number: int
    line: int


def next_id(kind: str, file: str, highest: int, used: Iterable[Used]) -> int:
    """The next number, from Highest ids alone; refused where the ids in use don't fit it."""
    seen: set[int] = set()
    for number, line in used:
        if number in seen:
            raise twice(name(kind, number), file, line)
        if number > highest:
            raise RefusedError(
                _(
                    "{value} is in use, but Highest ids says {said}",
                    value=name(kind, number),
                    said=name(kind, highest) if highest else _("no {kind}", kind=kind),
                ),
                where=f"{file}:{line}",
                fix=_("Raise Highest ids to the highest id in use; ids are never reused."),
            )
        seen.add(number)
    return highest + 1


def twice(id_: str, file: str, line: int) -> RefusedError:
    """The refusal of an id that two live entries bear: nobody can say which one is meant."""
    return RefusedError(
        _("{value} is used twice", value=id_),
        where=f"{file}:{line}",
        fix=_("Give the newer entry the next free id and raise Highest ids."),
    )


def once(kind: str, file: str, used: Iterable[Used]) -> None:
    """Refuse a list where two entries bear one id."""
    seen: set[int] = set()
    for number, line in used:
        if number in seen:
            raise twice(name(kind, number), file, line)
        seen.add(number)


def name(kind: str, number: int) -> str:
    """An id as it is written: `GAP-004`."""
    return f"{kind}-{number:03}"


def highest_ids(file: str, numbers: dict[str, int]) -> str:
    """Highest ids as a file says it."""
    return " | ".join(
        name(kind, numbers[kind]) if numbers.get(kind) else f"{kind} none" for kind in KINDS[file]
    )
