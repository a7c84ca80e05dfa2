"""Breaches to be planted into a life, each with the rule that must find it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from loopgraph.edges import archives
from loopgraph.node import directives, finish, gaps
from tests.audit.lives import ACTS, Life

Planted = Callable[[Life, Life], bool]
"""Plants it into a life, which is now as it was committed last, or a few commands on; whether
there was ground for it. The other life is as it was at the last commit."""


class Plant(NamedTuple):
    name: str
    rule: str
    plant: Planted

    @property
    def fades(self) -> bool:
        """Whether a lawful command may make it look as if it had never been."""
        return self.plant in (watermark_back, watermark_ahead)


def _line(life: Life, file: str, pattern: str, new: str) -> bool:
    changed, count = re.subn(pattern, lambda _: new, life.files[file], count=1, flags=re.MULTILINE)
    if not count or changed == life.files[file]:
        return False
    life.files[file] = changed
    return True


def skipped_gate(life: Life, last: Life) -> bool:
    """The executor lets its own milestone pass."""
    if life.ledger.gate not in ("open", "pending-audit") or last.ledger.gate == "passed":
        return False
    folded = range(last.ledger.folded + 1, life.ledger.folded + 1)
    verdicts = {one.verdict for one in last.queue.corrections if one.number in folded}
    if (folded and verdicts & {"accept", "redo"}) or len(folded) > len(verdicts):
        return False
    return _line(life, "ledger.md", r"^Milestone gate: .*", "Milestone gate: `passed` (all green)")


def skipped_milestone(life: Life, last: Life) -> bool:
    """The executor goes on to another milestone."""
    if life.ledger.milestone != "M-1" or life.ledger.gate != "open" or life.ledger.folded:
        return False
    return _line(life, "ledger.md", "^Current milestone: M-1", "Current milestone: M-2")


def carried(life: Life, last: Life) -> bool:
    """A round that does not converge, though one is due."""
    found = life.ledger
    if not found.convergence.due or found.folded != last.ledger.folded:
        return False
    if found.folded_after() in (found.round, last.ledger.round) or found.rounds[-1].failed:
        return False
    if found.rounds[-1].number != found.round or not life.round(force=True):
        return False
    forced = re.search(r"; forced: the owner waits", life.files["ledger.md"])
    if forced is None:
        return False
    life.edit("ledger.md", forced[0], "")
    return True


def grew(life: Life, last: Life) -> bool:
    """A convergence round that added lines."""
    if not life.ledger.convergence.due or not life.round():
        return False
    one = life.ledger.rounds[-1]
    if not one.converge:
        return False
    text = life.line(one.line)
    life.edit("ledger.md", text, text.replace("net +1/-9", "net +91/-9"))
    return True


def vanished_round(life: Life, last: Life) -> bool:
    """A line of the log is gone."""
    known = {one.number for one in last.ledger.rounds if not one.block}
    rounds = [one for one in life.ledger.rounds if one.number in known]
    if not rounds:
        return False
    one = life.random.choice(rounds)
    life.edit("ledger.md", life.line(one.line), "")
    return True


def never_logged(life: Life, last: Life) -> bool:
    """A round is counted, and its line is nowhere."""
    if last.ledger.convergence.due or life.ledger.convergence.due or not life.round():
        return False
    one = life.ledger.rounds[-1]
    life.edit("ledger.md", life.line(one.line), "")
    return True


def reworded_round(life: Life, last: Life) -> bool:
    """A line of the log says something else afterwards."""
    known = {one.number for one in last.ledger.rounds if not one.block}
    rounds = [one for one in life.ledger.rounds if one.number in known]
    if not rounds:
        return False
    line = life.line(life.random.choice(rounds).line)
    life.edit("ledger.md", line, line.replace("verify: ", "verify: all green, "))
    return True


def edited_prompt(life: Life, last: Life) -> bool:
    """A prompt says less than it did."""
    name = life.random.choice(("executor.md", "supervisor.md"))
    lines = life.files[name].splitlines(keepends=True)
    del lines[life.random.randrange(3, len(lines))]
    changed = "".join(lines)
    if changed == life.files[name]:
        return False
    life.files[name] = changed
    return True


def edited_policy(life: Life, last: Life) -> bool:
    """A frozen section of ops.md says something else."""
    life.edit("ops.md", "None: nothing metered may be used.", "Whatever it takes.")
    return True


def edited_record(life: Life, last: Life) -> bool:
    """run.yaml says something else."""
    life.edit("run.yaml", "goal: ", "goal: not ")
    return True


def reused_gap(life: Life, last: Life) -> bool:
    """A debt row has the id of one that was closed."""
    live = {gap.id for gap in (*life.ledger.gaps, *last.ledger.gaps)}
    gone = re.findall(r"^\| (GAP-\d+) ", last.files.get("archive/gaps.md", ""), re.MULTILINE)
    free = sorted(set(gone) - live)
    if not free or len(life.ledger.gaps) > 10:
        return False
    row = f"| {free[0]} | P2 | M-1 | docs/new.md | look | quite another thing |\n"
    life.edit("ledger.md", "\n## Rounds log", f"{row}\n## Rounds log")
    return free[0] in {gap.id for gap in life.ledger.gaps}


def lowered_ids(life: Life, last: Life) -> bool:
    """Highest ids goes back."""
    ledger = last.ledger
    if ledger.highest["GAP"] != life.ledger.highest["GAP"]:
        return False
    return _line(life, "ledger.md", "^Highest ids: GAP-[0-9]+", "Highest ids: GAP-001")


def watermark_back(life: Life, last: Life) -> bool:
    """What was folded is to be folded again."""
    before = last.ledger.folded
    if before < 1:
        return False
    back = f"D-{before - 1:03}" if before > 1 else "none"
    return _line(life, "ledger.md", "^Last directive folded: .*", f"Last directive folded: {back}")


def watermark_ahead(life: Life, last: Life) -> bool:
    """What nobody wrote is folded."""
    return _line(life, "ledger.md", "^Last directive folded: .*", "Last directive folded: D-099")


def own_accept(life: Life, last: Life) -> bool:
    """The executor accepts by command."""
    return life.accept(log="executor")


def forged_accept(life: Life, last: Life) -> bool:
    """An accept stands in the queue that no command wrote."""
    if ACTS not in last.files or life.ledger.gate != "pending-audit":
        return False
    if any(one.verdict == "accept" for one in life.queue.corrections):
        return False
    highest = life.queue.state.highest.get("D", 0)
    packet = (
        f"\nD-{highest + 1:03} · 2026-01-02 · accept · {life.ledger.milestone}\nContext: R1\n"
        "Action: go on\nVerify: seen\nStop: none\n"
    )
    life.files["directives.md"] = life.files["directives.md"].rstrip("\n") + "\n" + packet
    said = f"D-{highest:03}" if highest else "D none"
    life.edit("directives.md", f"Highest ids: {said}", f"Highest ids: D-{highest + 1:03}")
    return True


def lost_on_the_way(life: Life, last: Life) -> bool:
    """An entry leaves its file and does not reach the archive."""
    before = {name: text for name, text in life.files.items() if name.startswith("archive/")}
    live = {gap.id for gap in last.ledger.gaps} & {gap.id for gap in life.ledger.gaps}
    if not live:
        return False
    id_ = life.random.choice(sorted(live))
    if not life.do(f"gap close {id_}", gaps.close, id_, evidence="seen"):
        return False
    for name in [name for name in life.files if name.startswith("archive/")]:
        if name in before:
            life.files[name] = before[name]
        else:
            life.files[name] = archives.head("gaps", "orders")
    return True


def changed_archive(life: Life, last: Life) -> bool:
    """What was archived says something else."""
    lines = last.files.get("archive/rounds.md", "").splitlines(keepends=True)[2:]
    lines = [line for line in lines if line.startswith("- R")]
    if not lines:
        return False
    line = life.random.choice(lines)
    life.edit("archive/rounds.md", line, line.replace("verify: ", "verify: all green, "))
    return True


def vanished_from_archive(life: Life, last: Life) -> bool:
    """What was archived is gone."""
    lines = last.files.get("archive/rounds.md", "").splitlines(keepends=True)[2:]
    if not lines:
        return False
    life.edit("archive/rounds.md", life.random.choice(lines), "")
    return True


def by_hand(life: Life, last: Life) -> bool:
    """Somebody edits what may be edited."""
    what = life.random.choice(("slice", "snapshot", "ops", "state"))
    if what == "slice":
        return _line(life, "ledger.md", "^- Done when: .*", "- Done when: I say so")
    if what == "snapshot":
        life.edit("ledger.md", "- Tests: tests.", "- Tests: tests and more tests.")
    elif what == "ops":
        life.edit("ops.md", "- Languages: Python (40 files)", "- Languages: Python (41 files)")
    else:
        life.edit("directives.md", "> One way:", "> One way, always:")
    return True


def taken_act(life: Life, last: Life) -> bool:
    """A line of the log of acts is gone."""
    lines = last.files.get(ACTS, "").splitlines(keepends=True)
    if len(lines) < 2:
        return False
    line = life.random.choice(lines[:-1])
    if last.files[ACTS].count(line) > 1:
        return False
    later = "".join(lines[lines.index(line) + 1 :])
    if "ledger.md" in line and later.count("ledger.md") < 1:
        return False
    life.edit(ACTS, line, "")
    return True


def foreign_act(life: Life, last: Life) -> bool:
    """The executor corrects itself."""
    packet = directives.Packet("plan", None, "none", "reach it", "look", "none")
    return life.do("directive add plan", directives.add, packet, by="supervisor", log="executor")


def reopened(life: Life, last: Life) -> bool:
    """A run that the owner closed goes on."""
    if not last.do("finish closed", finish.closed, why="enough", by="owner"):
        return False
    life.files = dict(last.files)
    return _line(life, "ledger.md", "^Run status: .*", "Run status: `active` (once more)")


PLANTS = tuple(
    Plant(plant.__name__, rule, plant)
    for rule, plant in (
        ("LG601", reopened),
        ("LG602", skipped_gate),
        ("LG602", skipped_milestone),
        ("LG603", own_accept),
        ("LG603", forged_accept),
        ("LG604", carried),
        ("LG605", grew),
        ("LG606", vanished_round),
        ("LG606", never_logged),
        ("LG606", lost_on_the_way),
        ("LG607", reworded_round),
        ("LG608", changed_archive),
        ("LG608", vanished_from_archive),
        ("LG609", edited_prompt),
        ("LG609", edited_policy),
        ("LG610", edited_record),
        ("LG611", reused_gap),
        ("LG612", lowered_ids),
        ("LG613", watermark_back),
        ("LG613", watermark_ahead),
        ("LG614", foreign_act),
        ("LG615", by_hand),
        ("LG616", taken_act),
    )
)
