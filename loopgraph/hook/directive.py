"""The text that sends a session back to its plan: a template, ours or the owner's, filled once."""

from __future__ import annotations

import os

from loopgraph.plain import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from loopgraph.hook.world import World

LIMIT = 9_000
"""Bytes of a reason: hosts cut longer ones, or save them to a file."""
_TEMPLATE_LIMIT = 64 * 1024
_LONG = 400
"""Characters of a value."""

_MODES = {
    "make-pr": "\n4. This work ends with an open pull request: hand over once it is open, and merge"
    " only if the person asks for it.",
    "ship": "\n4. This work ends when its pull request is merged and its worktree is gone: go on"
    " until both are true.",
}


def text(world: World, values: Mapping[str, str | None]) -> str:
    """The directive with its values; what stands in a value is never looked at again."""
    shown = {name: quoted(value or "") for name, value in values.items()}
    for count in ("REMAINING_COUNT", "TOTAL_COUNT"):
        shown[count] = values.get(count) or "0"
    if not values.get("NEXT_TASK_LABEL"):
        shown["NEXT_TASK_LABEL"] = "none (final gate pending)"
    worktree = values.get("WORKTREE_BLOCK")
    shown["WORKTREE_BLOCK"] = (
        f"\n- Worktree: {quoted(worktree)} (every edit, test and command happens inside it)"
        if worktree
        else ""
    )
    shown["MODE"] = _MODES.get(values.get("MODE") or "", "")
    whole = filled(_template(world), shown).encode("utf-8", "replace")
    return whole[:LIMIT].decode("utf-8", "ignore")


def _template(world: World) -> str:
    """The owner's template where there is one, else ours."""
    path = f"{world.config}/{places.DIRECTIVE}" if world.config else ""
    own = world.read(path, _TEMPLATE_LIMIT) if path else None
    if own is not None and own.strip():
        return own.decode("utf-8", "replace")
    ours = f"{os.path.dirname(__file__)}/{places.DIRECTIVE}"
    with open(ours, encoding="utf-8") as file:
        return file.read()


def filled(template: str, values: Mapping[str, str]) -> str:
    """Put the values in, in one pass and literally; a name that nobody knows stays as it is."""
    first, *rest = template.split("{{")
    parts = [first]
    for part in rest:
        name, closed, after = part.partition("}}")
        known = closed and name.strip() in values
        parts.append(values[name.strip()] + after if known else "{{" + part)
    return "".join(parts)


def quoted(value: str) -> str:
    """A value as one line in a code span: data, whatever it says."""
    plain = value
    if not value.isprintable():
        plain = "".join(char if char.isprintable() else " " for char in value)
    plain = " ".join(plain.replace("`", "'").split())
    if len(plain) > _LONG:
        plain = plain[: _LONG - 1] + "…"
    return f"`{plain}`"
