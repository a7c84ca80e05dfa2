"""Say by command that only somebody outside can help, where an answer has no room for it."""

from __future__ import annotations

from loopgraph.edges import bindings as edge
from loopgraph.edges import places, state
from loopgraph.edges.bindings import Block
from loopgraph.edges.places import Change, Files, Layout
from loopgraph.model.errors import UsageError
from loopgraph.model.messages import _
from loopgraph.node import credentials
from loopgraph.node.speaker import Session


def wanted(layout: Layout, session: Session) -> tuple[str, ...]:
    """The files that this command reads."""
    return (places.blocked(session.id), layout.evidence(session.id))


def block(  # noqa: PLR0913  what a block is made of
    files: Files, layout: Layout, session: Session, *, reason: str, until: str, now: str
) -> Change:
    """Block a session until its next prompt; its evidence state says so as well."""
    for name, text in (("--reason", reason), ("--until", until)):
        if not text.strip():
            raise UsageError(
                _("it says nothing"),
                where=f"block {name}",
                fix=_("Say what is missing, and what can be seen once it is there."),
            )
        credentials.refuse(text, f"block {name}")
    said = Block(session.id, reason.strip(), until.strip(), now)
    changes: dict[str, str | None] = {places.blocked(session.id): edge.write_block(said)}
    evidence = layout.evidence(session.id)
    if evidence in files:
        values = {"blocked_reason": f"{said.reason} (until: {said.until})"}
        changes[evidence] = state.changed(files[evidence], evidence, values)
    says = (_("This session is let go until its next prompt. End your turn now."),)
    return Change(changes, says)


def lift(files: Files, layout: Layout, session: Session) -> Change:
    """Take a session's block away."""
    path, evidence = places.blocked(session.id), layout.evidence(session.id)
    if path not in files:
        raise UsageError(_("it is not blocked"), where=session.id)
    changes: dict[str, str | None] = {path: None}
    if evidence in files:
        changes[evidence] = state.changed(files[evidence], evidence, {"blocked_reason": ""})
    return Change(changes, (_("{path} removed.", path=path),))
