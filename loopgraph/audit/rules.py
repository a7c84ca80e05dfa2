"""Every rule of a history, in one table; what finds a breach of it stands in the other modules."""

from __future__ import annotations

from typing import Final

from loopgraph.audit.rule import Rule

STATUS: Final = Rule(
    id="LG601",
    name="run-status",
    why="A run that is taken up again behind its end works without anybody who asked for it.",
    fix="Set the status back; a closed run stays closed, and what is left is a new run's.",
)
GATE: Final = Rule(
    id="LG602",
    name="milestone-gate",
    why="A milestone that passes without an accept was judged by the one who built it.",
    fix="Set the gate back to pending-audit, and let the supervisor accept or send it back.",
)
ACCEPT: Final = Rule(
    id="LG603",
    name="accept-writer",
    why="An accept that the executor writes for itself is no audit.",
    fix="Take the accept back, and let the supervisor run the exit checks.",
)
CARRIED: Final = Rule(
    id="LG604",
    name="carried-convergence",
    why="A due convergence that is put off lets the code grow until nobody can take it back.",
    fix="Make the next round a convergence round.",
)
GREW: Final = Rule(
    id="LG605",
    name="convergence-grew",
    why="A round that adds lines and calls itself a convergence resets the counters for nothing.",
    fix="Converge again, and this time take out more than comes in.",
)
LOST: Final = Rule(
    id="LG606",
    name="entry-lost",
    why="What left a live file without reaching the archive is known to nobody any more.",
    fix="Put the entry into its archive, word for word, as the state before has it.",
)
CHANGED: Final = Rule(
    id="LG607",
    name="entry-changed",
    why="A record that is worded anew afterwards says what somebody wished had happened.",
    fix="Bring the old words back; what was wrong with them is a new entry's business.",
)
ARCHIVE: Final = Rule(
    id="LG608",
    name="archive-changed",
    why="An archive only grows, or else it proves nothing.",
    fix="Bring back what the state before has, and append.",
)
FROZEN: Final = Rule(
    id="LG609",
    name="frozen-part-edited",
    why="A rule that a node can loosen for itself binds nobody.",
    fix="Restore the part from the state before; what must change is a new run's business.",
)
RECORD: Final = Rule(
    id="LG610",
    name="record-edited",
    why="run.yaml holds the digests of all that is frozen, so whoever edits it can edit anything.",
    fix="Restore run.yaml from the state before.",
)
REUSED: Final = Rule(
    id="LG611",
    name="id-reused",
    why="One id for two entries makes every reference to it mean either.",
    fix="Give the newer entry the next free id.",
)
ORDER: Final = Rule(
    id="LG612",
    name="id-order",
    why="An id that is not taken from Highest ids, or lowers them, leads to one used twice.",
    fix="Raise Highest ids to the highest id that was ever given, and take new ones from it.",
)
FORWARD: Final = Rule(
    id="LG613",
    name="only-forward",
    why="A watermark or a count that goes back, or skips, makes a correction count twice or never.",
    fix="Set it to what was folded, or recorded, last.",
)
ROLE: Final = Rule(
    id="LG614",
    name="out-of-role",
    why="Each edge has one writer, so that no node can overrule the one that watches it.",
    fix="Look at what was written there, and let its writer say it, or take it back.",
)
HAND: Final = Rule(
    id="LG615",
    name="by-hand",
    why="A change that no act in acts.jsonl explains went past every law that a command holds.",
    fix="Look at the change; nothing needs to be done where it is as you would have it.",
    level="warning",
)
ACTS: Final = Rule(
    id="LG616",
    name="acts-changed",
    why="The log of acts says who did what, and only as long as nothing is taken out of it.",
    fix="Bring back the lines that the state before has.",
)
CAP: Final = Rule(
    id="LG617",
    name="cap-exceeded",
    why="What is read every round has a cap, and a text beyond it is cut by some hosts unseen.",
    fix="Close, fold, merge, park or rotate, as check says.",
    level="warning",
)

RULES: Final[tuple[Rule, ...]] = (
    *(STATUS, GATE, ACCEPT, CARRIED, GREW, LOST, CHANGED, ARCHIVE, FROZEN, RECORD, REUSED),
    *(ORDER, FORWARD, ROLE, HAND, ACTS, CAP),
)
