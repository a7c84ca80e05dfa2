"""Random commands against a small model: caps hold, nothing is lost, check stays silent."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from loopgraph.model import states
from loopgraph.model.errors import LoopgraphError
from loopgraph.node import call as parts
from loopgraph.node import (
    context,
    directives,
    finish,
    gaps,
    gates,
    lane,
    opsfacts,
    owner,
    promotion,
    results,
    rotate,
    rounds,
    slices,
    standing,
)
from loopgraph.node.results import Result
from tests.node.desk import NOW, Desk

PIECES = st.sampled_from(
    (
        "a slice",
        "net +9/-9",
        "next: else",
        "changed: x",
        "verify: no",
        "CONVERGE",
        "CONVERGE now",
        "pipe | in it",
        "back\\slash",
        "`tick`",
        "中文，全角｜管",
        "\u2212 5",
        "- R99 2026-01-01 | x",
        "# head",
        "## Rounds log",
        "| a | b |",
        "```",
        "two  blanks",
        "D-099 fold",
        "S-099",
        "line\nend",
        "\u202e turned",
        "<U+0041>",
        "GAP-077",
        "OB-066",
        "failed",
        "none",
        "—",
        "Round: 99",
        "Highest ids: D-999",
        "Last directive folded: D-999",
        "a · b",
        "Stop: none",
        "**bold**",
        "_it_",
        "1. one",
        "[x]: y",
        "tab\tin",
        "trailing \\",
        "after R5",
    )
)
WORDS = st.lists(PIECES, min_size=1, max_size=3).map(" ".join)
PATHS = st.sampled_from(("src/orders/totals.py", "src/a b.py", "docs/x|y.md", "tests/测试.py"))


class Keeping(RuleBasedStateMachine):
    """Executor, supervisor and owner at work on one run, with nobody who edits by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk(name="deliver")
        self.refused: list[str] = []
        self.lines: set[str] = set(self.entries())
        self.ids: dict[str, int] = {}

    def try_(self, command, *values, by="executor", **named) -> bool:
        """A command that may refuse; a refusal changes nothing and is one line."""
        before = dict(self.desk.files)
        try:
            self.desk.do(command, *values, by=by, **named)
            done = True
        except LoopgraphError as error:
            self.refused.append(error.what)
            done = False
        assert done or self.desk.files == before
        return done

    # The executor -------------------------------------------------------------------------

    @rule(item=WORDS, converge=st.booleans())
    def begin(self, item, converge):
        self.try_(rounds.start, item=item, converge=converge)

    @rule(
        item=WORDS | st.none(),
        changed=st.lists(PATHS, max_size=2),
        result=WORDS,
        evidence=st.lists(WORDS, max_size=1),
        plus=st.integers(0, 300),
        minus=st.integers(0, 300),
        follows=WORDS,
        kind=st.sampled_from(("plain", "plain", "converge", "fail", "repair", "force")),
    )
    def record(  # noqa: PLR0913, PLR0917  what a round says
        self, item, changed, result, evidence, plus, minus, follows, kind
    ):
        before = self.desk.ledger
        net = f"+{0 if kind == 'converge' else plus}/-{minus}"
        done = self.try_(
            rounds.record,
            rounds.Said(
                item,
                tuple(changed),
                result,
                tuple(evidence),
                net,
                follows,
                converge=kind == "converge",
                failed=kind == "fail",
                repair=kind == "repair",
                force=kind == "force",
                why="because",
            ),
        )
        if not done:
            return
        after = self.desk.ledger
        newest = after.rounds[-1]
        assert after.round == before.round + 1 == newest.number
        assert newest.net == (0 if kind == "converge" else plus, minus)
        assert newest.next == follows.strip()
        assert newest.changed == (", ".join(changed) or "none")
        assert newest.converge == (kind == "converge")
        if item is not None:
            assert newest.item == item.strip()
        if before.convergence.due and kind not in ("converge", "force"):
            assert kind == "repair", "a due convergence was passed over"
        tracker = after.convergence
        assert tracker.k == (0 if kind == "converge" else before.convergence.k + 1)
        assert tracker.due == states.convergence_due(
            rounds=tracker.k, every=tracker.every, net=tracker.m, cap=tracker.cap
        )

    @rule(item=WORDS, write_set=PATHS, verify=WORDS)
    def cut(self, item, write_set, verify):
        if self.try_(
            slices.change,
            {"Item": item, "Write set": write_set, "Verify": verify, "Done when": "it passes"},
        ):
            now = self.desk.ledger.slice
            assert (now.item.text, now.write_set.text, now.verify.text) == (
                item.strip(),
                write_set,
                verify.strip(),
            )

    @rule(
        gate=WORDS | st.sampled_from(("G-1", "M-2")),
        status=st.sampled_from(states.ROW_STATES),
        evidence=WORDS,
    )
    def gate(self, gate, status, evidence):
        self.try_(gates.change, gate, status=status, evidence=evidence)

    @rule(line=WORDS, priority=st.sampled_from(states.PRIORITIES), write_set=PATHS, verify=WORDS)
    def gap(self, line, priority, write_set, verify):
        live = len(self.desk.ledger.gaps)
        if self.try_(gaps.add, gaps.Row(priority, None, write_set, verify, line)):
            new = self.desk.ledger.gaps[-1]
            assert (new.priority, new.write_set, new.verify, new.text) == (
                priority,
                write_set,
                verify.strip(),
                line.strip(),
            )
            self.fresh("GAP", new.number)
        else:
            assert live == 12

    def some(self, data, found):
        return data.draw(st.sampled_from([one.id for one in found]))

    @precondition(lambda self: self.desk.ledger.gaps)
    @rule(data=st.data(), said=WORDS)
    def close(self, data, said):
        self.try_(gaps.close, self.some(data, self.desk.ledger.gaps), evidence=said)

    @precondition(lambda self: len(self.desk.ledger.gaps) > 1)
    @rule(data=st.data(), said=WORDS | st.none())
    def merge(self, data, said):
        rows = self.desk.ledger.gaps
        self.try_(gaps.merge, self.some(data, rows), into=self.some(data, rows), line=said)

    @rule()
    def park(self):
        self.try_(gaps.park)

    @rule(said=WORDS)
    def fold(self, said):
        waiting = self.desk.directives.waiting(self.desk.ledger.folded)
        before = self.desk.ledger
        if waiting and self.try_(directives.fold, waiting[0].id, effect=said):
            assert self.desk.ledger.folded == waiting[0].number
            self.folded(waiting[0], before)

    def folded(self, packet, before):
        """What a packet asked for is to be seen in the ledger."""
        after, id_ = self.desk.ledger, packet.id
        if packet.verdict == "plan":
            assert id_ in [owed for owed, _row in lane.owed(after)]
        if packet.verdict == "accept":
            assert (before.gate, after.gate) == ("pending-audit", "passed")
        if packet.verdict == "redo":
            assert before.gate in ("pending-audit", "passed")
            assert (after.gate, after.status) == ("open", "active")
            assert after.slice.item.text.startswith(f"{id_}: ")
            rows = lane.exit_rows(after, after.milestone)
            assert [row.status for row in rows] == ["open"] * len(rows)
        if after.status == "closed":
            assert packet.verdict == "accept"
            assert before.status == "exit-ready"
            assert lane.last(self.desk.run, after)

    @rule(surface=PATHS, said=WORDS, green=st.booleans())
    def request(self, surface, said, green):
        id_ = self.desk.ledger.milestone
        if green:
            for row in lane.exit_rows(self.desk.ledger, id_):
                self.try_(gates.change, row.gate, status="closed", evidence="green")
        before = self.desk.ledger
        if self.try_(promotion.request, id_, surface=surface, evidence=said):
            assert all(row.status == "closed" for row in lane.exit_rows(before, id_))
            assert before.gate == "open"

    @rule()
    def go_on(self):
        waiting = self.desk.directives.waiting(self.desk.ledger.folded)
        if self.try_(promotion.go_on):
            assert not waiting, "a milestone was left with a correction unfolded"

    @rule(said=WORDS, read=WORDS)
    def fact(self, said, read):
        self.try_(opsfacts.change, "A trap", said)
        self.try_(context.add, use_when=said, read=read, verify="look")

    @rule(said=WORDS)
    def end(self, said):
        self.try_(finish.exit_ready, why=said)

    # The supervisor -----------------------------------------------------------------------

    @rule(verdict=st.sampled_from(("plan", "stop")), action=WORDS, stop=WORDS)
    def correct(self, verdict, action, stop):
        packet = directives.Packet(verdict, None, "none", f"reach {action}", "look", stop)
        if self.try_(directives.add, packet, by="supervisor"):
            new = self.desk.directives.corrections[-1]
            assert new.fields["Action"].text == f"reach {action.strip()}"
            self.fresh("D", new.number)

    @rule(fresh=st.booleans())
    def accept(self, fresh):
        milestone = next(
            m for m in parts.spec(self.desk.run).milestones if m.id == self.desk.ledger.milestone
        )
        found = tuple(
            Result(
                check.id,
                "supervisor",
                NOW,
                passed=True,
                tree="t" if fresh else "old",
                evidence="seen",
            )
            for check in results.checks(milestone.id, milestone.exit_checks)
        )
        given = self.judged()
        done = self.try_(promotion.accept, milestone.id, found, tree="t", by="supervisor")
        assert fresh or not done
        assert not (done and given), "a milestone was judged twice"
        if done:
            self.fresh("D", self.desk.directives.corrections[-1].number)

    def judged(self):
        ledger = self.desk.ledger
        return self.desk.directives.judged(ledger.folded, ledger.milestone)

    @rule(said=WORDS)
    def redo(self, said):
        given, gate = self.judged(), self.desk.ledger.gate
        if self.try_(
            promotion.redo,
            self.desk.ledger.milestone,
            missing=f"reach {said}",
            verify="look",
            by="supervisor",
        ):
            assert given is None, "a milestone was judged twice"
            assert gate in ("pending-audit", "passed")
            self.fresh("D", self.desk.directives.corrections[-1].number)

    @rule()
    def audit(self):
        self.try_(directives.audited, through=self.desk.ledger.round, by="supervisor")

    @rule(who=st.sampled_from(("executor", "supervisor")))
    def turn(self, who):
        self.try_(rotate.rotate, by=who)

    # The owner ----------------------------------------------------------------------------

    @rule(
        said=WORDS,
        options=st.lists(WORDS, min_size=1, max_size=3),
        who=st.sampled_from(("executor", "supervisor")),
    )
    def ask(self, said, options, who):
        asked = owner.Question(said, said, tuple(options))
        if self.try_(owner.ask, asked, by=who):
            found = self.desk.ledger if who == "executor" else self.desk.directives
            self.fresh("OB", found.cards[-1].number)

    @rule(data=st.data(), letter=st.sampled_from("ABC"), relayed=st.booleans())
    def answer(self, data, letter, relayed):
        cards = (*self.desk.ledger.cards, *self.desk.directives.cards)
        if cards:
            by = "executor" if relayed else "owner"
            self.try_(owner.answer, self.some(data, cards), letter, relayed=relayed, by=by)

    @rule(kind=st.sampled_from(states.STANDING_KINDS), said=WORDS)
    def grant(self, kind, said):
        if self.try_(standing.add, kind, said, by="owner"):
            assert self.desk.directives.standing[-1].text == f"owner: {said.strip()}"
            self.fresh("S", self.desk.directives.standing[-1].number)

    @precondition(lambda self: self.desk.directives.standing)
    @rule(data=st.data(), said=WORDS, away=st.booleans())
    def lift(self, data, said, away):
        id_ = self.some(data, self.desk.directives.standing)
        if away:
            self.try_(standing.retire, id_, by="owner")
        else:
            self.try_(standing.replace, id_, said, by="owner")

    # What always holds --------------------------------------------------------------------

    def fresh(self, kind: str, number: int) -> None:
        assert number > self.ids.get(kind, 0), "an id was used again"
        self.ids[kind] = number

    def entries(self) -> list[str]:
        """Every entry with an id that is live now, word for word."""
        desk = self.desk
        led, que = desk.ledger, desk.directives
        spans = [("ledger.md", one.line, one.end) for one in led.rounds if not one.block]
        spans += [("ledger.md", one.line, one.line) for one in (*led.gaps, *led.cards)]
        spans += [("directives.md", one.line, one.line) for one in (*que.standing, *que.cards)]
        spans += [("directives.md", one.line, one.end) for one in que.corrections]
        documents: Any = {name: desk.run.document(name) for name in ("ledger.md", "directives.md")}
        return ["".join(documents[name].lines[first - 1 : last]) for name, first, last in spans]

    @invariant()
    def nothing_is_lost(self):
        self.lines.update(self.entries())
        everything = self.desk.everything()
        for line in self.lines:
            assert line.rstrip("\n") + "\n" in everything, line

    @invariant()
    def check_is_silent(self):
        found = [
            one for one in self.desk.found() if one.split()[0] not in ("LG110", "LG112", "LG114")
        ]
        assert not found, found

    @invariant()
    def caps_hold(self):
        desk = self.desk
        desk.caps_hold()
        assert len(desk.ledger.rounds) <= 5
        assert len(desk.ledger.gaps) <= 12
        assert len(desk.directives.standing) <= 12
        assert len(desk.directives.waiting(desk.ledger.folded)) <= 8
        assert max(len(desk.ledger.cards), len(desk.directives.cards)) <= 6


Keeping.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestKeeping = Keeping.TestCase
