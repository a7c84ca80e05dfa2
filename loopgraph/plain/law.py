"""What a run may do next, and when a fire ends."""

from __future__ import annotations

from loopgraph.plain import header, quoting

ACTIVE = "active"
PENDING = "pending-audit"

_GLOB = "*?[{"


class Item:
    """A work item that is legal now."""

    __slots__ = ("id", "text", "verify")

    def __init__(self, key: str, text: str, verify: str) -> None:
        self.id = key
        """`GAP-012` of a debt row; empty for the current slice."""
        self.text = text
        self.verify = verify


def write_set(said: str) -> list[str]:
    """The paths and globs that a write set names; none where it names none."""
    if header.is_none(said):
        return []
    plain = quoting.unquote(said).replace("`", " ").replace("、", ",").replace("，", ",")
    for mark in ",;":
        plain = plain.replace(mark, " ")
    return [part.strip("()") for part in plain.split() if part.strip("()—–-")]


def is_path(word: str) -> bool:
    """Whether a word of a write set is a path; prose names none."""
    return "/" in word or "." in word.strip(".")


def disjoint(one: list[str], other: list[str]) -> bool:
    """Whether no path of one can be a path of the other; globs count as all that they begin."""
    return not any(_meet(_stem(left), _stem(right)) for left in one for right in other)


def _stem(path: str) -> list[str]:
    """The parts of a path before the first that holds a glob."""
    parts: list[str] = []
    for part in path.replace("\\", "/").casefold().split("/"):
        if any(mark in part for mark in _GLOB):
            break
        if part not in ("", "."):
            parts.append(part)
    return parts


def _meet(left: list[str], right: list[str]) -> bool:
    shared = min(len(left), len(right))
    return left[:shared] == right[:shared]


def legal_item(  # noqa: PLR0913  each is a law of its own
    *,
    status: str | None,
    gate: str | None,
    item: str | None,
    fields: dict[str, tuple[int, str]],
    cards: list[tuple[int, tuple[str | None, ...]]],
    debts: list[tuple[int, tuple[str | None, ...]]],
    taken: list[str],
) -> Item | None:
    """The next item that the executor may work on, None where there is none.

    `item` and `fields` are the next unclosed item and the current slice, `taken` the paths under
    audit, those planned for the next milestone, and shared ones. While a milestone is under audit
    or its item waits for the owner, only a debt row that touches none of them is legal.
    """
    if status != ACTIVE:
        return None
    current = fields["Item"][1] if "Item" in fields else ""
    verify = fields["Verify"][1] if "Verify" in fields else ""
    if current and header.is_none(current):
        current = ""
    if not current and item and not header.is_none(item):
        current = item
    waiting = bool(current) and waits(current, cards)
    if current and gate != PENDING and not waiting:
        return Item("", current, verify)
    restricted = list(taken)
    if waiting and "Write set" in fields:
        restricted += write_set(fields["Write set"][1])
    bound = gate == PENDING or waiting
    for _, (key, _, _, paths, check, line) in debts:
        wanted = write_set(paths or "")
        if waits(f"{key or ''} {line or ''}", cards):
            continue
        if not bound or (wanted and disjoint([*wanted, *_paths(check or "")], restricted)):
            return Item(key or "", line or key or "", check or "")
    return None


def waits(text: str, cards: list[tuple[int, tuple[str | None, ...]]]) -> bool:
    """Whether an item waits for the owner: it says so, or shares an id with an open card."""
    if "owner-blocked" in text.casefold():
        return True
    named = {written for _, _, written in header.ids(text)}
    for _, values in cards:
        said = " ".join(value for value in values if value)
        if named & {written for _, _, written in header.ids(said)}:
            return True
    return False


def _paths(command: str) -> list[str]:
    """The words of a command that look like paths."""
    return [word for word in command.replace("`", " ").split() if "/" in word and word[0] != "-"]


def seam(
    *,
    gate: tuple[str | None, str | None],
    rounds: tuple[int | None, int | None],
    converged: bool,
    cap: int,
) -> str:
    """Why a fire is over, empty while it goes on; each pair is its begin and now.

    It ends where its milestone went to audit, where a convergence round was recorded, and after
    as many rounds as it may have.
    """
    before, now = gate
    if now == PENDING and before != PENDING:
        return "the milestone went to audit"
    if converged:
        return "a convergence round is recorded"
    first, last = rounds
    if first is not None and last is not None and last - first >= cap > 0:
        return f"{cap} rounds are recorded"
    return ""
