"""The source `run`: a session bound to a run as its executor, and a ledger with work left."""

from __future__ import annotations

import os

from loopgraph.hook.sources import Claim, LetGo
from loopgraph.plain import header, law, paths, places, quoting

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
    ledger = law.Board(data.decode("utf-8", "replace"))
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


def _judge(found: Claim, slug: str, ledger: law.Board, prompt: str, fire: _Fire) -> None:
    """Whether the run has work for this fire, and what the session is told."""
    found.remember = fire.remembered()
    if ledger.status != law.ACTIVE:
        found.let_go = LetGo("run-over", f"the run is {ledger.status or 'in no known status'}")
        return
    item = ledger.legal(law.planned(prompt, ledger.milestone))
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


class _Fire:
    """The fire that this Stop may end: where it began."""

    def __init__(
        self, stop: Stop, memory: Memory, slug: str, ledger: law.Board, binding: dict[str, object]
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

    def seam(self, ledger: law.Board, prompt: str) -> str:
        """Why it is over, empty while it goes on."""
        first = header.number(self.begin[1])
        if "FIRE_OUTPUT_FLOOR=" in prompt and (ledger.round or 0) <= (first or 0):
            return ""
        return law.seam(
            gate=(self.begin[2], ledger.gate),
            rounds=(first, ledger.round),
            converged=ledger.converged > (header.number(self.begin[3]) or 0),
            cap=law.knob(prompt, "FIRE_ROUND_CAP", _CAP),
        )


def _reason(slug: str, ledger: law.Board, item: law.Item | None) -> str:
    """What the session is told: at most twelve lines."""
    lines = [f"The run {slug} is active and has work that you may do now. Go on with it."]
    if ledger.due:
        lines.append("A convergence round is due: it comes first.")
    if item is not None:
        named = f"{item.id}: " if item.id else ""
        lines.append(f"Next item: {named}{_short(item.text)}")
        if item.verify and item.verify != law.LATER:
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
