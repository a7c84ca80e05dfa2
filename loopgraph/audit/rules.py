"""Every rule of a history, in one table; what finds a breach of it stands in the other modules."""

from __future__ import annotations

from typing import Final

from loopgraph.audit import example
from loopgraph.audit.example import acts, header, ledger, packet, queue, register
from loopgraph.audit.rule import Rule
from loopgraph.model.messages import N_

STATUS: Final = Rule(
    id="LG601",
    name="run-status",
    why="A run that is taken up again behind its end works without anybody who asked for it.",
    fix=N_("Set the status back; a closed run stays closed, and what is left is a new run's."),
    before=header("Run status: `closed` (owner: enough)"),
    bad=header("Run status: `active`"),
    good=header("Run status: `closed` (owner: enough)"),
)
GATE: Final = Rule(
    id="LG602",
    name="gate-skipped",
    why="A milestone that passes without an accept was judged by the one who built it.",
    fix=N_("Set the gate back to pending-audit, and let the supervisor accept or send it back."),
    before=header("Milestone gate: `pending-audit`", "Last directive folded: none"),
    bad=header("Milestone gate: `passed`", "Last directive folded: none"),
    good={
        **header("Milestone gate: `passed`", "Last directive folded: D-001"),
        **queue(packet("accept · M-1")),
    },
)
ACCEPT: Final = Rule(
    id="LG603",
    name="accept-writer",
    why="An accept that the executor writes for itself is no audit.",
    fix=N_("Take the accept back, and let the supervisor run the exit checks."),
    before=queue(),
    bad={**queue(packet("accept · M-1")), **acts("executor", "promote accept M-1")},
    good={**queue(packet("accept · M-1")), **acts("supervisor", "promote accept M-1")},
)
CARRIED: Final = Rule(
    id="LG604",
    name="carried-convergence",
    why="A due convergence that is put off lets the code grow until nobody can take it back.",
    fix=N_("Make the next round a convergence round."),
    before=ledger("Round: 5", example.tracker(5, "yes")),
    bad=ledger("Round: 6", example.tracker(6, "yes"), example.round_line(6, "more", "+40/-2")),
    good=ledger(
        "Round: 6", example.tracker(0, "no"), example.round_line(6, "less", "+1/-9", " CONVERGE")
    ),
)
GREW: Final = Rule(
    id="LG605",
    name="convergence-grew",
    why="A round that adds lines and calls itself a convergence resets the counters for nothing.",
    fix=N_("Converge again, and this time take out more than comes in."),
    before=ledger("Round: 5", example.tracker(5, "yes")),
    bad=ledger(
        "Round: 6", example.tracker(0, "no"), example.round_line(6, "less", "+40/-9", " CONVERGE")
    ),
    good=ledger(
        "Round: 6", example.tracker(0, "no"), example.round_line(6, "less", "+4/-9", " CONVERGE")
    ),
)
LOST: Final = Rule(
    id="LG606",
    name="entry-lost",
    why="What left a live file without reaching the archive is known to nobody any more.",
    fix=N_("Put the entry into its archive, word for word, as the state before has it."),
    before=register(example.GAP),
    bad=register(),
    good={**register(), "archive/gaps.md": f"{example.GAP}\n"},
)
CHANGED: Final = Rule(
    id="LG607",
    name="entry-changed",
    why="A record that is worded anew afterwards says what somebody wished had happened.",
    fix=N_("Bring the old words back; what was wrong with them is a new entry's business."),
    before=queue(packet("redo · M-1")),
    bad=queue(packet("plan")),
    good=queue(packet("redo · M-1")),
)
ARCHIVE: Final = Rule(
    id="LG608",
    name="archive-changed",
    why="An archive only grows, or else it proves nothing.",
    fix=N_("Bring back what the state before has, and append."),
    before={**header("Round: 9"), "archive/gaps.md": f"{example.GAP}\n"},
    bad={**header("Round: 9"), "archive/gaps.md": ""},
    good={**header("Round: 9"), "archive/gaps.md": f"{example.GAP}\n{example.OTHER_GAP}\n"},
)
FROZEN: Final = Rule(
    id="LG609",
    name="frozen-part-edited",
    why="A rule that a node can loosen for itself binds nobody.",
    fix=N_("Restore the part from the state before; what must change is a new run's business."),
    before=example.prompt("Never push."),
    bad=example.prompt("Push when it is green."),
    good=example.prompt("Never push."),
)
RECORD: Final = Rule(
    id="LG610",
    name="record-edited",
    why="run.yaml holds the digests of all that is frozen, so whoever edits it can edit anything.",
    fix=N_("Restore run.yaml from the state before."),
    before={"run.yaml": "goal: Limit each client\n"},
    bad={"run.yaml": "goal: Limit most clients\n"},
    good={"run.yaml": "goal: Limit each client\n"},
)
REUSED: Final = Rule(
    id="LG611",
    name="id-reused",
    why="One id for two entries makes every reference to it mean either.",
    fix=N_("Give the newer entry the next free id."),
    before=register(example.GAP),
    bad={
        **register(example.OTHER_GAP.replace("002", "001")),
        "archive/gaps.md": f"{example.GAP}\n",
    },
    good={**register(example.OTHER_GAP), "archive/gaps.md": f"{example.GAP}\n"},
)
ORDER: Final = Rule(
    id="LG612",
    name="id-order",
    why="An id that is not taken from Highest ids, or lowers them, leads to one used twice.",
    fix=N_("Raise Highest ids to the highest id that was ever given, and take new ones from it."),
    before=header("Highest ids: GAP-004 | OB none"),
    bad=header("Highest ids: GAP-002 | OB none"),
    good=header("Highest ids: GAP-005 | OB none"),
)
FORWARD: Final = Rule(
    id="LG613",
    name="only-forward",
    why="A watermark or a count that goes back, or skips, makes a correction count twice or never.",
    fix=N_("Set it to what was folded, or recorded, last."),
    before=header("Last directive folded: D-003"),
    bad=header("Last directive folded: D-002"),
    good=header("Last directive folded: D-004"),
)
ROLE: Final = Rule(
    id="LG614",
    name="out-of-role",
    why="Each edge has one writer, so that no node can overrule the one that watches it.",
    fix=N_("Look at what was written there, and let its writer say it, or take it back."),
    before=queue(),
    bad={**queue(packet("plan")), **acts("executor", "directive add plan")},
    good={**queue(packet("plan")), **acts("supervisor", "directive add plan")},
)
HAND: Final = Rule(
    id="LG615",
    name="by-hand",
    why="A change that no act in acts.jsonl explains went past every law that a command holds.",
    fix=N_("Look at the change; nothing needs to be done where it is as you would have it."),
    before=example.noted(header("Round: 9")),
    bad={**example.noted(header("Round: 9")), **header("Round: 9", "Note: by hand")},
    good=example.noted(header("Round: 9"), header("Round: 9", "Note: by command")),
    level="warning",
)
ACTS: Final = Rule(
    id="LG616",
    name="acts-changed",
    why="The log of acts says who did what, and only as long as nothing is taken out of it.",
    fix=N_("Bring back the lines that the state before has."),
    before=example.noted(header("Round: 8"), header("Round: 9")),
    bad=example.noted(header("Round: 9")),
    good=example.noted(header("Round: 8"), header("Round: 9")),
)
CAP: Final = Rule(
    id="LG617",
    name="cap-exceeded",
    why="What is read every round has a cap, and a text beyond it is cut by some hosts unseen.",
    fix=N_("Close, fold, merge, park or rotate, as `loopgraph check` says."),
    before=example.log(range(1, 6)),
    bad=example.log(range(1, 7)),
    good={**example.log(range(2, 7)), "archive/rounds.md": f"{example.round_line(1)}\n"},
    level="warning",
)

RULES: Final[tuple[Rule, ...]] = (
    *(STATUS, GATE, ACCEPT, CARRIED, GREW, LOST, CHANGED, ARCHIVE, FROZEN, RECORD, REUSED),
    *(ORDER, FORWARD, ROLE, HAND, ACTS, CAP),
)
