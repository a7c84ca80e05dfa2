"""Replay a history: every state beside the ones it follows, and the end beside all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeVar

from loopgraph.audit import acts, caps, entries, facts, growing, history, machines, rules
from loopgraph.audit.acts import Log
from loopgraph.audit.archive import Archive, missing
from loopgraph.audit.entries import Gone
from loopgraph.audit.facts import DIRECTIVES, LEDGER, Entry, Queue
from loopgraph.audit.history import RECORD, History, Source, Step
from loopgraph.audit.machines import Pair
from loopgraph.audit.rule import Breach, at
from loopgraph.audit.seen import Context, Seen, counts, tables
from loopgraph.edges import contract_id, record
from loopgraph.edges.directives import Correction
from loopgraph.model import contract
from loopgraph.model.errors import LoopgraphError
from loopgraph.model.messages import _

Value = TypeVar("Value")
_EMPTY: Final = Queue(None, {}, {}, {}, ())


class Report(NamedTuple):
    """What an audit found."""

    breaches: tuple[Breach, ...]
    """In the order of the states."""
    notes: tuple[str, ...]
    """What the owner should know about how far it could look."""

    def without(self, commits: Collection[str]) -> Report:
        """The same, but for what these commits show first."""
        kept = tuple(one for one in self.breaches if one.step.commit not in commits)
        return self._replace(breaches=kept)


def replay(found: History, source: Source) -> Report:
    """Everything that is wrong with a history, each with the state where it was first seen."""
    if not found.steps:
        return Report((), found.notes)
    return _Replay(found, source).report()


class _Replay:
    """One audit on its way through the states."""

    def __init__(self, found: History, source: Source) -> None:
        self.history = found
        self.steps = found.steps
        self.source = source
        grown = growing.read(self.steps, source)
        self.shrunk, self.read = grown.shrunk, grown.notes
        self.log = Log((*self._taken(), *self._dropped(), *self._acts(self.steps[-1])))
        self.context = self._context()
        self.known: dict[str, dict[str, Entry]] = defaultdict(dict)
        """Every entry that was ever live, by id and by its words."""
        self.gone: list[Gone] = []
        self.given: list[tuple[int, Step]] = []
        """The highest directive so far, and where it was first seen."""
        self.seen: dict[str, set[str]] = defaultdict(set)
        """Digests of each live file that are explained, or told of, already."""
        self.turned: dict[str, str] = {}
        """Digests of texts that differ from what an act left by their line ends alone."""
        self.places: dict[tuple[str, str], list[int]] = defaultdict(list)
        """Where each live file came to have each of its digests."""
        self.breaches: list[Breach] = []
        self.order = {id(step): place for place, step in enumerate(self.steps)}
        self.emptied: list[int] = []
        """States that lack what the archive before them had, found by what is missing."""
        self.unread = 0
        """How many files git lacks, or holds in a size that nothing of a run has."""
        self.place = 0
        """Of the state that is being read."""

    # What is known beforehand ------------------------------------------------------------------

    def _context(self) -> Context:
        first = next((step for step in self.steps if RECORD in step.files), self.steps[0])
        texts = {
            name: self.source(blob) or ""
            for name, blob in first.files.items()
            if name in contract.ARTIFACTS or name == RECORD
        }
        taken = [line for one in self.shrunk if one.name != growing.LOG for line in one.lines]
        held = self._archive(self.steps[-1], taken)
        found = _record(texts)
        return Context(contract_id.is_ours(texts), found, held, counts(found))

    def _archive(self, step: Step, taken: Sequence[str] = ()) -> Archive:
        """What a state's archives hold, and what somebody took out of them."""
        names = sorted(filter(history.is_archive, step.files))
        texts = [self.source(step.files[name]) or "" for name in names]
        return Archive((*texts, "\n".join(taken)))

    def _acts(self, step: Step) -> Iterator[acts.Act]:
        for name in growing.ordered(filter(history.is_acts, step.files)):
            yield from acts.read(name, self.source(step.files[name]) or "")

    def _taken(self) -> Iterator[acts.Act]:
        """Acts that somebody took out of the log: they were done all the same."""
        for one in self.shrunk:
            if one.name == growing.LOG:
                yield from acts.read(one.path, "\n".join(one.lines))

    def _dropped(self) -> Iterator[acts.Act]:
        """Acts of a branch whose log a merge passed over for the other's."""
        kept = set(growing.log(self.steps[-1], self.source).split("\n"))
        kept.update(line for one in self.shrunk if one.name == growing.LOG for line in one.lines)
        for step in self.steps:
            for parent in step.parents if len(step.parents) > 1 else ():
                log = growing.log(self.steps[parent], self.source)
                for line in missing(log, growing.log(step, self.source)):
                    if line not in kept:
                        kept.add(line)
                        yield from acts.read(history.ACTS, line)

    # State by state ----------------------------------------------------------------------------

    def report(self) -> Report:
        """Go through all of them."""
        left = _children(self.steps)
        states: dict[int, Seen] = {}
        for place, step in enumerate(self.steps):
            self.place = place
            parents = [states[parent] for parent in step.parents]
            for parent in step.parents:
                left[parent] -= 1
                if not left[parent]:
                    del states[parent]
            same = next((one for one in parents if one.step.files == step.files), None)
            seen = same or self._seen(step, parents)
            states[place] = seen
            if same is None:
                self._compare(parents, seen)
        self._end(seen)
        found = sorted(self._told(), key=lambda one: self.order[id(one.step)])
        return Report(tuple(found), (*self.history.notes, *self._notes()))

    def _seen(self, step: Step, parents: Sequence[Seen]) -> Seen:
        before = parents[0] if parents else None
        old = before.step.files if before else {}
        texts: dict[str, str] = {}
        stays = before is not None
        for name, blob in step.files.items():
            if name not in contract.ARTIFACTS and name != RECORD:
                continue
            if before is not None and old.get(name) == blob:
                text = before.texts.get(name)
            else:
                stays = stays and name not in facts.FROZEN
                text = self._new_text(name, blob, parents)
            if text is not None:
                texts[name] = text
        stays = stays and all(name in texts for name in facts.FROZEN if name in old)
        led = _again(before, texts, LEDGER, before.led if before else None, facts.led)
        was = before.queue if before else None
        queue = _again(before, texts, DIRECTIVES, was, facts.queue)
        frozen = before.frozen if before is not None and stays else _frozen(texts)
        return Seen(step, texts, led, queue, frozen, tables(led, queue))

    def _new_text(self, name: str, blob: str, parents: Sequence[Seen]) -> str | None:
        """The text of a file that the first parent has otherwise; unread, it is as it was there."""
        for one in parents[1:]:
            if one.step.files.get(name) == blob:
                return one.texts.get(name)
        text = self.source(blob)
        if text is None:
            self.unread += 1
            return parents[0].texts.get(name) if parents else None
        return text

    def _compare(self, parents: Sequence[Seen], seen: Seen) -> None:
        """Hold a state against each one that it follows; a merge breaks a law against all."""
        found = [list(self._between(before, seen)) for before in parents]
        for breach in found[0] if found else ():
            said = _place(breach)
            if all(said in map(_place, others) for others in found[1:]):
                self.breaches.append(breach)
        adopted = any(_is_adopted(before, seen) for before in parents)
        for before in parents if not adopted else ():
            self.gone += entries.gone(before, seen)
        self._by_hand(parents if not adopted else (), seen)
        self._remember(parents[0] if parents else None, seen)

    def _is_ours(self, before: Seen) -> bool:
        """Whether what follows this state is held to our laws; a run may be adopted one day."""
        return self.context.ours and contract_id.is_ours(before.texts)

    def _between(self, before: Seen, seen: Seen) -> Iterator[Breach]:
        if _is_adopted(before, seen):
            return
        ours = self._is_ours(before)
        if before.led and seen.led:
            queues = (seen.queue, before.queue)
            context = self.context if ours else self.context._replace(ours=False)
            pair = Pair(before.led, seen.led, seen, context, queues)
            for law in machines.MACHINES:
                yield from law(pair)
        if ours:
            archive = partial(self._archive, seen.step)
            yield from entries.given(before, seen, self.known, archive)
            yield from entries.highest(before, seen)
            yield from caps.exceeded(before, seen, self.context)
            yield from self._frozen_edits(before, seen)

    def _frozen_edits(self, before: Seen, seen: Seen) -> Iterator[Breach]:
        if not _is_said(seen.texts.get(RECORD), before.texts.get(RECORD)):
            says = _("run.yaml was changed") if RECORD in seen.texts else _("run.yaml is gone")
            yield at(rules.RECORD, seen.step, RECORD, 0, says)
        if seen.frozen is before.frozen:
            return
        recorded = self.context.record.frozen if self.context.record else {}
        for part, digest in before.frozen.items():
            now = seen.frozen.get(part)
            if now == digest or now == recorded.get(part, ""):
                continue
            name, _mark, title = part.partition("#")
            says = (
                _("{part} was changed after the compile", part=part)
                if now
                else _("{part} is gone", part=part)
            )
            yield at(rules.FROZEN, seen.step, name, facts.line(title, seen.texts.get(name)), says)

    def _remember(self, before: Seen | None, seen: Seen) -> None:
        for place, table in enumerate(seen.tables):
            if before is not None and table is before.tables[place]:
                continue
            for id_, entry in table.items():
                self.known[id_].setdefault(entry.text, entry)
        if before is not None and seen.queue is before.queue:
            return
        state = seen.queue.state if seen.queue else None
        highest = (state.highest if state and state.highest else {}).get("D", 0)
        highest = max([highest, *(one.number for one in (seen.queue or _EMPTY).corrections)])
        if not self.given or highest > self.given[-1][0]:
            self.given.append((highest, seen.step))

    def _by_hand(self, parents: Sequence[Seen], seen: Seen) -> None:
        """Each live file that no act left as it is now, and no state before."""
        if not self.log.acts:
            return
        for name in contract.LIVE:
            text = seen.texts.get(name)
            blob = seen.step.files.get(name)
            if text is None or any(one.step.files.get(name) == blob for one in parents):
                continue
            digest = acts.digest(text)
            self.places[name, digest].append(self.place)
            if self.log.explains(name, text):
                if "\r" in text:
                    self.turned[digest] = acts.bare(text)
                continue
            self.seen[name].add(digest)
            if any(_is_said(text, one.texts.get(name)) for one in parents):
                continue
            held = all(map(self._is_ours, parents)) if parents else self._was_left(name, seen)
            if held:
                says = _("no act explains how {name} came to be as it is", name=name)
                self.breaches.append(at(rules.HAND, seen.step, name, 0, says))

    def _was_left(self, name: str, seen: Seen) -> bool:
        """Whether acts that the very first state has had left this file before."""
        if seen.step.parents or not self._is_ours(seen):
            return False
        return any(name in act.files for act in self._acts(seen.step))

    # At the end --------------------------------------------------------------------------------

    def _end(self, last: Seen) -> None:
        live = {entry.text for table in last.tables for entry in table.values()}
        for one in self.gone:
            text = one.entry.text
            if text not in live and not self.context.archive.holds(text):
                self.breaches += self._lost(one)
            elif (
                one.instead
                and self._is_ours(one.before)
                and not entries.is_same(one.entry, one.instead)
            ):
                says = _("{id} is another entry than it was", id=one.entry.id)
                place = one.instead.file, one.instead.line
                self.breaches.append(at(rules.REUSED, one.seen.step, *place, says))
        self.breaches += (one.breach() for one in self.shrunk)
        self.breaches += self._roles()
        self.breaches += self._unsaid(last)
        self.breaches += self._between_acts()

    def _lost(self, one: Gone) -> Iterator[Breach]:
        """What became of an entry that is not there, word for word, at the end."""
        entry, step = one.entry, one.seen.step
        if not self._is_ours(one.before):
            is_round = entry.id.startswith("R")
            if is_round and one.instead is None and entry.id not in self.context.archive.ids:
                says = _("{id} is nowhere any more", id=entry.id)
                yield at(rules.LOST, step, entry.file, entry.line, says)
            return
        then = self._archive(step)
        if then.holds(entry.text):
            yield from self._taken_out(one)
            return
        if one.instead is not None:
            if entries.is_record(entry):
                says = _("{id} was worded anew, and its old words are in no archive", id=entry.id)
                yield at(rules.CHANGED, step, entry.file, one.instead.line, says)
            return
        if then.answered(entry.id, entry.text):
            says = _(
                "{id} was answered in its row by hand, and nothing proves by whom", id=entry.id
            )
            yield at(rules.HAND, step, entry.file, entry.line, says)
            return
        if entry.id in then.ids and entry.id.startswith("R"):
            says = _("{id} is in the archive with other words than it had", id=entry.id)
            yield at(rules.CHANGED, step, entry.file, entry.line, says)
            return
        says = _("{id} left {file} and did not reach the archive", id=entry.id, file=entry.file)
        yield at(rules.LOST, step, entry.file, entry.line, says)

    def _taken_out(self, one: Gone) -> Iterator[Breach]:
        """Where an entry left the archive that it had reached, unless that state is told of."""
        low, high = self.order[id(one.seen.step)], len(self.steps) - 1
        for place in self.emptied:
            if low < place and self._archive(self.steps[place - 1]).holds(one.entry.text):
                return
        while high - low > 1:
            middle = (low + high) // 2
            if self._archive(self.steps[middle]).holds(one.entry.text):
                low = middle
            else:
                high = middle
        self.emptied.append(high)
        files = self.steps[low].files
        line = one.entry.text.partition("\n")[0]
        path = next(
            name for name in files if history.is_archive(name) and line in self._text(files[name])
        )
        says = _("{id} is gone from the archive, or has other words there", id=one.entry.id)
        yield at(rules.ARCHIVE, self.steps[high], path, 0, says)

    def _text(self, blob: str) -> str:
        return self.source(blob) or ""

    def _roles(self) -> Iterator[Breach]:
        writers = acts.writers(self.context.record)
        for act in self.log.acts:
            for name, writer in acts.strangers(act, writers):
                step = self.steps[growing.first(self.steps, self.source, act)]
                if act.says("promote", "accept"):
                    says = _(
                        "{node} accepted its own milestone; {writer} is who may",
                        node=act.node,
                        writer=writer,
                    )
                    yield at(rules.ACCEPT, step, act.file, act.line, says)
                    continue
                command = " ".join(act.command[:2])
                says = _(
                    "{node} wrote {name} by `{command}`, and its writer is {writer}",
                    node=act.node,
                    name=name,
                    command=command,
                    writer=writer,
                )
                yield at(rules.ROLE, step, act.file, act.line, says)

    def _between_acts(self) -> Iterator[Breach]:
        """Files that an act found otherwise than any act before it, or any state, had them."""
        if any(map(history.is_acts, self.steps[0].files)):
            return  # what was there before the first act, nobody knows
        merged = any(len(step.parents) > 1 for step in self.steps)
        in_order = not merged and not any(self._taken())
        for act, name in self.log.surprised(self.seen, self.turned, in_order=in_order):
            place = growing.first(self.steps, self.source, act)
            before = (one for one in self.places[name, act.was[name]] if one < place)
            step = self.steps[max(before, default=place)]
            says = _(
                "`{command}` found {name} otherwise than the last act left it",
                command=" ".join(act.command[:2]),
                name=name,
            )
            yield at(rules.HAND, step, name, 0, says)

    def _unsaid(self, last: Seen) -> Iterator[Breach]:
        """Accepts in the queue that nobody gave by command, though the run had commands by then."""
        judge = acts.judge(self.context.record)
        counts: dict[str, int] = defaultdict(int)
        odd: dict[str, list[Correction]] = defaultdict(list)
        for packet in self._accepts(last):
            counts[packet.boundary or ""] += 1
            odd[packet.boundary or ""].append(packet)
        for boundary, packets in odd.items():
            if counts[boundary] <= self.log.accepts(boundary):
                continue
            for number, packet in enumerate(packets, 1):
                step = next(one for highest, one in self.given if highest >= packet.number)
                if not _had_acts(self.steps, step):
                    continue
                if Log(self._acts(step)).accepts(boundary) < number:
                    says = _(
                        "{id} accepts {boundary}, and no act of the {judge} says so",
                        id=packet.id,
                        boundary=boundary,
                        judge=judge,
                    )
                    line = facts.entry_line(self.source(step.files[DIRECTIVES]), packet.id)
                    yield at(rules.ACCEPT, step, DIRECTIVES, line, says)
                    break

    def _accepts(self, last: Seen) -> Iterator[Correction]:
        """Every accept that was ever written, in the order of their numbers."""
        live = {one.number: one for one in (last.queue or _EMPTY).corrections}
        for number in range(1, (self.given[-1][0] if self.given else 0) + 1):
            packet = live.get(number) or self.context.archive.packet(number)
            if packet and packet.verdict == "accept":
                yield packet

    def _told(self) -> Iterator[Breach]:
        """What is said, once: a change by hand only where nothing more exact is said about it.

        What a merge has lost of both its parents stands at a line of each.
        """
        exact = {
            (id(one.step), one.finding.file)
            for one in self.breaches
            if one.finding.rule != rules.HAND.id
        }
        said: set[tuple[int, str, str, str]] = set()
        for one in self.breaches:
            finding = one.finding
            what = (id(one.step), finding.rule, finding.file, finding.message)
            if finding.rule == rules.HAND.id and (id(one.step), finding.file) in exact:
                continue
            if what not in said:
                said.add(what)
                yield one

    def _notes(self) -> Iterator[str]:
        yield from self.read
        if self.unread:
            yield _("{count} files cannot be read and are taken for unchanged", count=self.unread)
        if not self.log.acts:
            yield _("no act is logged: the run was kept by hand")


def _frozen(texts: Mapping[str, str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name in facts.FROZEN:
        if name in texts:
            found.update(facts.frozen(name, texts[name]))
    return found


def _again(
    before: Seen | None,
    texts: Mapping[str, str],
    name: str,
    old: Value | None,
    read: Callable[[str], Value],
) -> Value | None:
    """What a file says; it is read once as long as it stays."""
    if name not in texts:
        return None
    if before is not None and texts[name] is before.texts.get(name):
        return old
    return read(texts[name])


def _is_adopted(before: Seen, seen: Seen) -> bool:
    """Whether a run came to have a record: it was of an older contract, and is ours from here."""
    return RECORD in seen.texts and RECORD not in before.texts and bool(before.texts)


def _children(steps: Sequence[Step]) -> dict[int, int]:
    """How many states follow each one."""
    found: dict[int, int] = defaultdict(int)
    for step in steps:
        for parent in step.parents:
            found[parent] += 1
    return found


def _is_said(text: str | None, before: str | None) -> bool:
    """Whether a text says what another does, whatever their lines end with."""
    if text is None or before is None:
        return text is before
    return text == before or text.replace("\r\n", "\n") == before.replace("\r\n", "\n")


def _place(breach: Breach) -> tuple[str, str, int]:
    return breach.finding.rule, breach.finding.file, breach.finding.line


def _record(texts: Mapping[str, str]) -> record.Record | None:
    if RECORD not in texts:
        return None
    try:
        return record.read(texts[RECORD])
    except LoopgraphError:
        return None


def _had_acts(steps: Sequence[Step], step: Step) -> bool:
    """Whether acts were logged before this state."""
    return any(any(map(history.is_acts, steps[parent].files)) for parent in step.parents)
