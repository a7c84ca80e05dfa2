"""A command of a node as it is called: who speaks, when, and what of the run it can rely on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar

from loopgraph.edges.directives import Directives
from loopgraph.edges.document import Document
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.ops import Ops
from loopgraph.edges.run import Run
from loopgraph.model import secrets
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError, nearest
from loopgraph.model.graph import Writer
from loopgraph.model.messages import _
from loopgraph.model.spec import RunSpec
from loopgraph.node import speaker as who
from loopgraph.node.speaker import Speaker

Value = TypeVar("Value")

LEDGER: Final = "ledger.md"
DIRECTIVES: Final = "directives.md"
OPS: Final = "ops.md"
FINDINGS: Final = "findings.md"

LONGEST: Final = 600
"""Characters of one value: what is longer belongs into a file under evidence/."""
_MARKS: Final = ("<<<<<<< ", ">>>>>>> ")


class Call(NamedTuple):
    """Who runs a command, and when."""

    speaker: Speaker
    now: str
    """RFC 3339 with offset."""

    @property
    def day(self) -> str:
        """The date part of now, in its own offset."""
        return self.now[:10]

    @property
    def by_owner(self) -> bool:
        """Whether the owner speaks: named, or a person at a terminal whom nobody has named."""
        return self.speaker.name == "owner"


def writer(run: Run, edge: str) -> Writer:
    """The node that writes an edge; without a supervisor the owner writes the directives."""
    if run.record is not None:
        found = [one.writer for one in run.record.spec.graph().edges if one.name == edge]
        if found:
            return found[0]
    for role in who.WRITERS:
        if edge == f"timer:{role}":
            return role
    if edge == "directives":
        return "supervisor" if "supervisor.md" in run.files else "owner"
    return "scout" if edge == "findings" else "executor"


def writes(run: Run, call: Call, edge: str, command: str) -> None:
    """Refuse whoever does not write this edge; the owner may write any."""
    if call.speaker.role != "owner":
        what = _("`{command}` writes the edge {edge}, which", command=command, edge=edge)
        who.require(call.speaker, (writer(run, edge),), what=what)


def owners(call: Call, command: str, what: str) -> None:
    """Refuse whoever is not the owner."""
    who.require(
        call.speaker,
        ("owner",),
        what=_("`{command}` writes {what}, which", command=command, what=what),
    )


# Parts of the run ------------------------------------------------------------------------------


def document(run: Run, name: str) -> Document:
    """A file of the run that a command needs; one that can't be parsed is named by line."""
    found = run.document(name)
    if found is None:
        raise UnreadableError(run.others.get(name) or _("no such file"), where=name)
    for number, line in enumerate(found.lines, 1):
        if line.startswith(_MARKS):
            raise UnreadableError(
                _("a merge conflict is left in the file"),
                where=f"{name}:{number}",
                fix=_("Resolve it, then run the command again."),
            )
    return found


def _once(found: Document, name: str, title: str) -> None:
    sections = found.titled(title)
    if len(sections) != 1:
        where = f"{name}:{sections[1].start + 1}" if sections else name
        what = (
            _("a second section “{title}”", title=title)
            if sections
            else _("no section “{title}”", title=title)
        )
        raise UnreadableError(what, where=where, fix=_("See loopgraph check."))


def ledger(run: Run) -> Ledger:
    """The ledger; refused where it is absent or no ledger."""
    _once(document(run, LEDGER), LEDGER, "Status header")
    found = run.ledger()
    assert found is not None  # noqa: S101  the document is there
    return found


def directives(run: Run) -> Directives:
    """The directives; refused where they are absent or no queue."""
    _once(document(run, DIRECTIVES), DIRECTIVES, "Corrections")
    found = run.directives()
    assert found is not None  # noqa: S101  the document is there
    return found


def ops(run: Run) -> Ops:
    """ops.md; refused where it is absent."""
    document(run, OPS)
    found = run.ops()
    assert found is not None  # noqa: S101  the document is there
    return found


def spec(run: Run) -> RunSpec:
    """The record's spec; refused where run.yaml is absent or broken."""
    if run.record is None:
        why = run.record_problem or run.others.get("run.yaml") or _("no such file")
        raise UnreadableError(why, where="run.yaml", fix=_("See loopgraph check."))
    return run.record.spec


def known(value: Value | None, found: Ledger, name: str) -> Value:
    """What a field of the Status header says; unknown is refused with its line."""
    if value is None:
        line = found.line(name)
        raise UnreadableError(
            _("the Status header does not say {name} as it can be read", name=name)
            if line
            else _("the Status header does not say {name}", name=name),
            where=f"{LEDGER}:{line}" if line else LEDGER,
            fix=_("Write it in the canonical form; see loopgraph check."),
        )
    return value


def knob(run: Run, name: str) -> int:
    """A knob that counts."""
    value = run.knob(name)
    return value if isinstance(value, int) else 1 << 30


# Values ----------------------------------------------------------------------------------------


def said(value: str, option: str) -> str:
    """A value that was given; empty, very long or secret ones are refused."""
    if not value.strip():
        raise UsageError(_("nothing is said"), where=option, fix=_("Say it in one line."))
    if len(value) > LONGEST:
        raise UsageError(
            _("{count} characters; {longest} are allowed", count=len(value), longest=LONGEST),
            where=option,
            fix=_("Put it into a file under evidence/ and say where."),
        )
    for secret in secrets.find(value):
        raise RefusedError(
            _("this looks like {kind}", kind=_(secret.kind)),
            where=option,
            fix=_("Name where it is kept instead."),
        )
    return value.strip()


def choice(value: str, allowed: Iterable[str], option: str) -> str:
    """One of a few words."""
    words = tuple(allowed)
    if value not in words:
        raise UsageError(_("no such word"), where=f"{option} {value}", fix=nearest(value, words))
    return value
