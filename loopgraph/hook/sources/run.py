"""The source `run`: a session bound to a run as its executor, and a ledger with work left."""

from __future__ import annotations

import os

from loopgraph.hook.sources import Claim, LetGo
from loopgraph.plain import header, law, paths, places, quoting, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from loopgraph.hook.guard import Stop
    from loopgraph.hook.memory import Memory
    from loopgraph.hook.world import World

_FILE = 1024 * 1024
"""No live file of a run and no prompt is larger."""
_CAP = 8
"""Rounds of a fire where executor.md does not say."""
_LONG = 300
"""Characters of an item that the reason repeats."""
_PROMOTION = ("Boundary", "Audit surface", "Evidence", "Context")


def claim(stop: Stop, world: World, memory: Memory) -> Claim | None:
    """The run of a session, where it is the executor's."""
    slug, binding = _binding(stop, world)
    if not slug:
        return None
    if binding.get("role") != "executor":
        world.note(f"this session is the {binding.get('role')} of {slug}: never held")
        return None
    if paths.inside(slug) != slug or "/" in slug or slug == ".":
        world.complaints.append(f"{places.BINDINGS}: no name of a run: {slug[:80]!r}")
        return None
    folder = f"{world.root}/{places.FOLDER}/{slug}"
    found = Claim("run", slug)
    if os.path.lexists(f"{folder}/{places.RUN_STOP}"):
        found.ended = LetGo("owner-stop", f"the owner stopped the run: {folder}/{places.RUN_STOP}")
        return found
    data = world.read(f"{folder}/ledger.md", _FILE)
    if data is None:
        world.complaints.append(f"{folder}: the ledger cannot be read")
        return None
    ledger = _Ledger(data.decode("utf-8", "replace"))
    prompt = (world.read(f"{folder}/executor.md", _FILE) or b"").decode("utf-8", "replace")
    found.ticked = ledger.round or 0
    found.cards = ledger.cards
    found.write_set = ledger.write_set
    found.watched = [
        f"{folder}/ledger.md",
        f"{folder}/evidence/acts.jsonl",
        f"{world.root}/{places.STATES}/{places.file_name(stop.session)}.json",
    ]
    _judge(found, slug, ledger, prompt, _Fire(stop, memory, slug, ledger, binding))
    return found


def _judge(found: Claim, slug: str, ledger: _Ledger, prompt: str, fire: _Fire) -> None:
    """Whether the run has work for this fire, and what the session is told."""
    found.remember = fire.remembered()
    if ledger.status != law.ACTIVE:
        found.let_go = LetGo("run-over", f"the run is {ledger.status or 'in no known status'}")
        return
    item = ledger.legal(_planned(prompt, ledger.milestone))
    if item is None and not ledger.due:
        why = (
            "an open decision card, and no legal item beside it"
            if ledger.cards
            else "no legal item"
        )
        found.let_go = LetGo("waits", why)
        found.let_go.remember = {"cards": ledger.cards}
        return
    seam = fire.seam(ledger, prompt)
    if seam:
        found.let_go = LetGo("seam", f"the fire is over: {seam}")
        found.let_go.remember = {"fire": [slug]}
        return
    found.reason = lambda: _reason(slug, ledger, item)


def _binding(stop: Stop, world: World) -> tuple[str, dict[str, object]]:
    """The run that the session is bound to, and the entry that says so."""
    path = f"{world.root}/{places.BINDINGS}"
    sessions = world.record(path).get("sessions") if os.path.lexists(path) else None
    if not isinstance(sessions, dict):
        return "", {}
    for key, entry in sessions.items():
        if not isinstance(entry, dict) or not isinstance(entry.get("run"), str):
            continue
        if places.same_session(key, stop.session, stop.dialect.PREFIX):
            return entry["run"], entry
    return "", {}


class _Ledger:
    """What the hook needs of a ledger."""

    def __init__(self, source: str) -> None:
        lines = text.lines(source)
        kinds, heads = text.blocks(lines)
        sections = tuple(text.sections(heads, len(lines)))

        def body(title: str) -> list[tuple[int, str]]:
            for place in text.bearing(sections, title)[:1]:
                _, _, start, end = sections[place]
                return [
                    (at + 1, text.bare(lines[at]))
                    for at in range(start + 1, end)
                    if kinds[at] == text.TEXT
                ]
            return []

        fields, self.status, self.gate, self.milestone, self.round, _, self.item, _, _ = (
            header.status_header(body("Status header"))
        )
        self.slice = header.current_slice(body("Current slice"))
        self._cards = header.open_cards(body("owner-blocked"))
        self._debts = header.debt_rows(body("Debt & gap register"))
        promotion = header.fields(body("Pending promotion"), _PROMOTION)
        self._audited = promotion["Audit surface"][1] if "Audit surface" in promotion else ""
        tracker = fields["Convergence tracker"][1] if "Convergence tracker" in fields else ""
        self.due = header.convergence(tracker)[4] is True
        """Whether the next round must converge."""
        self.cards = [values[0] or f"line {at}" for at, values in self._cards]
        wanted = self.slice["Write set"][1] if "Write set" in self.slice else ""
        self.write_set = law.write_set(wanted) or None
        self.converged = _last_convergence(body("Rounds log"))

    def legal(self, planned: list[str]) -> law.Item | None:
        """The next legal item."""
        return law.legal_item(
            status=self.status,
            gate=self.gate,
            item=self.item,
            fields=self.slice,
            cards=self._cards,
            debts=self._debts,
            taken=[*law.write_set(self._audited), *planned],
        )


def _last_convergence(body: list[tuple[int, str]]) -> int:
    """The number of the last round that converged, 0 for none."""
    last = 0
    for _, line in body:
        if "CONVERGE" in line:
            said = header.unmarked(line).removeprefix("Round ")
            last = max(last, header.number(said) or 0)
    return last


class _Fire:
    """The fire that this Stop may end: where it began."""

    def __init__(
        self, stop: Stop, memory: Memory, slug: str, ledger: _Ledger, binding: dict[str, object]
    ) -> None:
        known = memory.words("fire")
        fresh = stop.turn and stop.turn != memory.word("turn")
        first, gate = binding.get("round"), binding.get("gate")
        self.begin = [slug, str(ledger.round or 0), ledger.gate or "", str(ledger.converged)]
        if len(known) == len(self.begin) and known[0] == slug and not fresh:
            self.begin = known
        elif known[:1] != [slug] and isinstance(first, int):
            # Nothing is known of this run yet: its fire began where the session took it up.
            self.begin[1:3] = str(first), gate if isinstance(gate, str) else self.begin[2]

    def remembered(self) -> dict[str, object]:
        return {"fire": self.begin}

    def seam(self, ledger: _Ledger, prompt: str) -> str:
        """Why it is over, empty while it goes on."""
        first = header.number(self.begin[1])
        if "FIRE_OUTPUT_FLOOR=" in prompt and (ledger.round or 0) <= (first or 0):
            return ""
        return law.seam(
            gate=(self.begin[2], ledger.gate),
            rounds=(first, ledger.round),
            converged=ledger.converged > (header.number(self.begin[3]) or 0),
            cap=_knob(prompt, "FIRE_ROUND_CAP", _CAP),
        )


def _knob(prompt: str, name: str, default: int) -> int:
    """A number in the line of knobs of executor.md."""
    found = header.number(prompt.partition(f"{name}=")[2][:12])
    return default if found is None else found


def _planned(prompt: str, milestone: str | None) -> list[str]:
    """The write set that executor.md plans for the milestone after this one."""
    rows = [quoting.cells(line) for line in prompt.split("\n") if line.startswith("| M")]
    names = [header.milestone(row[0]) for row in rows]
    for name, row in zip(names, rows[1:], strict=False):
        if milestone and name and header.same_id(milestone, [name]):
            return law.write_set(quoting.uncell(row[-1]))
    return []


def _reason(slug: str, ledger: _Ledger, item: law.Item | None) -> str:
    """What the session is told: at most twelve lines."""
    lines = [f"The run {slug} is active and has work that you may do now. Go on with it."]
    if ledger.due:
        lines.append("A convergence round is due: it comes first.")
    if item is not None:
        named = f"{item.id}: " if item.id else ""
        lines.append(f"Next item: {named}{_short(item.text)}")
        if item.verify:
            lines.append(f"Its verify command: {_short(item.verify)}")
    if ledger.cards:
        lines.append("A decision of the owner is open; this item does not wait for it.")
    lines += [
        f"First run: loopgraph next {slug} --as executor",
        "Trust what it prints, not your memory. Close the round with `loopgraph round record`.",
        "Don't ask whether to go on. If only somebody outside can help, run `loopgraph block`.",
    ]
    return "\n".join(lines)


def _short(said: str) -> str:
    plain = " ".join(quoting.visible(said).split())
    return plain if len(plain) <= _LONG else plain[: _LONG - 1] + "…"
