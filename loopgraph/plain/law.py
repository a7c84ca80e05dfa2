"""What a run may do next, and when a fire ends."""

from __future__ import annotations

from loopgraph.plain import header, quoting, text

ACTIVE = "active"
PENDING = "pending-audit"
LATER = "none yet"
"""What a field of a slice says that nobody has cut."""

_GLOB = "*?[{"
_PRIORITIES = ("p0", "p1", "p2", "p3")
_PROMOTION = ("Boundary", "Audit surface", "Evidence", "Context")


class Item:
    """A work item that is legal now."""

    __slots__ = ("id", "text", "verify")

    def __init__(self, key: str, says: str, verify: str) -> None:
        self.id = key
        """`GAP-012` of a debt row; empty for the current slice."""
        self.text = says
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


class Board:
    """What a ledger says of the work that may be done: for the Stop hook, `status` and `next`."""

    __slots__ = (
        "_audited", "_cards", "_debts", "cards", "converged", "due", "gate", "item", "milestone",
        "owed", "round", "slice", "status", "write_set",
    )  # fmt: skip

    def __init__(self, source: str) -> None:
        body = text.bodies(source)
        fields, self.status, self.gate, self.milestone, self.round, _, self.item, _, _ = (
            header.status_header(body("Status header"))
        )
        self.slice = header.current_slice(body("Current slice"))
        cards = header.open_cards(body("owner-blocked"))
        self._cards = [card for card in cards if not header.chosen(card[1])]
        self._debts = header.debt_rows(body("Debt & gap register"))
        self.owed = owed(header.score_rows(body("Gate scoreboard")))
        """What folded corrections ask for; it may be done under audit, too, off its surface."""
        promotion = header.fields(body("Pending promotion"), _PROMOTION)
        self._audited = promotion["Audit surface"][1] if "Audit surface" in promotion else ""
        tracker = fields["Convergence tracker"][1] if "Convergence tracker" in fields else ""
        self.due = due(header.convergence(tracker))
        """Whether the next round must converge."""
        self.cards = [values[0] or f"line {at}" for at, values in self._cards]
        wanted = self.slice["Write set"][1] if "Write set" in self.slice else ""
        self.write_set = write_set(wanted) or None
        self.converged = _last_convergence(body("Rounds log"))

    def legal(self, planned: list[str]) -> Item | None:
        """The next legal item; `planned` is what the next milestone is going to write on.

        Where neither the slice nor a debt row is, it is what a folded correction still asks for.
        """
        found = self.lane(planned)
        if found or self.status != ACTIVE:
            return found[0] if found else None
        free = (one for one in self.owed if not waits(f"{one.id}: {one.text}", self._cards))
        return next(free, None)

    def lane(self, planned: list[str]) -> list[Item]:
        """Every legal item, the next one first."""
        return legal_items(
            status=self.status,
            gate=self.gate,
            item=self.item,
            fields=self.slice,
            cards=self._cards,
            debts=self._debts,
            taken=[*write_set(self._audited), *planned],
        )


def owed(scored: list[tuple[int, tuple[str | None, ...]]]) -> list[Item]:
    """The rows of the Gate scoreboard for folded corrections that are not carried out yet."""
    return [
        Item(key, (gate or "")[len(key) + 1 :].strip(), "")
        for _, (gate, status, _) in scored
        if (key := correction(gate or "")) and header.word(status or "") != "closed"
    ]


def correction(said: str) -> str:
    """The correction that an item or a row begins with: `D-004: …`; empty for none."""
    name, mark, _rest = header.flat(said).partition(":")
    first = header.ids(name)
    return name if mark and first and first[0][0] == "D" and name == first[0][2] else ""


def due(tracker: tuple[int | None, int | None, int | None, int | None, bool | None]) -> bool:
    """Whether a convergence round comes next, by what `header.convergence` has read.

    The flag says so, or its rounds or lines are used up: `round record` goes by the numbers, too.
    """
    k, every, m, cap, flag = tracker
    rounds = k is not None and every is not None and k >= every
    lines = m is not None and cap is not None and m > cap
    return flag is True or rounds or lines


def _last_convergence(body: list[tuple[int, str]]) -> int:
    """The number of the last round that converged, 0 for none."""
    last = 0
    for _, line in body:
        if "CONVERGE" in line:
            said = header.unmarked(line).removeprefix("Round ")
            last = max(last, header.number(said) or 0)
    return last


def knob(prompt: str, name: str, default: int) -> int:
    """A number in the line of knobs of executor.md."""
    found = header.number(prompt.partition(f"{name}=")[2][:12])
    return default if found is None else found


def planned(prompt: str, milestone: str | None) -> list[str]:
    """The write set that executor.md plans for the milestone after this one."""
    rows = [quoting.cells(line) for line in prompt.split("\n") if line.startswith("| M")]
    names = [header.milestone(row[0]) for row in rows]
    for name, row in zip(names, rows[1:], strict=False):
        if milestone and name and header.same_id(milestone, [name]):
            return write_set(quoting.uncell(row[-1]))
    return []


def legal_items(  # noqa: PLR0913  each is a law of its own
    *,
    status: str | None,
    gate: str | None,
    item: str | None,
    fields: dict[str, tuple[int, str]],
    cards: list[tuple[int, tuple[str | None, ...]]],
    debts: list[tuple[int, tuple[str | None, ...]]],
    taken: list[str],
) -> list[Item]:
    """What the executor may work on, the next item first: the slice alone, else debt rows.

    `item` and `fields` are the next unclosed item and the current slice, `taken` the paths under
    audit, those planned for the next milestone, and shared ones. While a milestone is under audit
    or its item waits for the owner, only a debt row that touches none of them is legal.
    """
    if status != ACTIVE:
        return []
    current = fields["Item"][1] if "Item" in fields else ""
    verify = fields["Verify"][1] if "Verify" in fields else ""
    if current and header.is_none(current):
        current = ""
    if not current and item and not header.is_none(item):
        current = item
    waiting = bool(current) and waits(current, cards)
    if current and gate != PENDING and not waiting:
        return [Item("", current, verify)]
    restricted = list(taken)
    if waiting and "Write set" in fields:
        restricted += write_set(fields["Write set"][1])
    bound = gate == PENDING or waiting
    found: list[Item] = []
    for _, (key, _, _, paths, check, line) in sorted(debts, key=_urgency):
        wanted = write_set(paths or "")
        if waits(f"{key or ''} {line or ''}", cards):
            continue
        if not bound or (wanted and disjoint([*wanted, *_paths(check or "")], restricted)):
            found.append(Item(key or "", line or key or "", check or ""))
    return found


def _urgency(row: tuple[int, tuple[str | None, ...]]) -> int:
    """What comes first among debt rows: `P0` before `P3`, and one that says neither last."""
    said = header.word(row[1][1] or "")
    return _PRIORITIES.index(said) if said in _PRIORITIES else len(_PRIORITIES)


def waits(said: str, cards: list[tuple[int, tuple[str | None, ...]]]) -> bool:
    """Whether an item waits for the owner: it says so, or shares an id with an open card."""
    if "owner-blocked" in said.casefold():
        return True
    named = {written for _, _, written in header.ids(said)}
    for _, values in cards:
        card = " ".join(value for value in values if value)
        if named & {written for _, _, written in header.ids(card)}:
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
