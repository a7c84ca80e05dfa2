"""No credential is written into a state file: what looks like one is refused, never shown."""

from __future__ import annotations

from loopgraph.model import secrets
from loopgraph.model.errors import RefusedError
from loopgraph.model.messages import _


def refuse(text: str, where: str) -> None:
    """Refuse a text that holds what looks like a credential, naming its line."""
    for secret in secrets.find(text):
        raise RefusedError(
            _("line {line} looks like {kind}", line=secret.line, kind=_(secret.kind)),
            where=where,
            fix=_("Say where it is kept, such as the name of a variable; never the value."),
        )
