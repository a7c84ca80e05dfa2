"""LG315: a correction names work, not only what is forbidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding


def check(run: Run) -> Iterator[Finding]:
    """Find packets whose action is nothing but prohibitions."""
    found = run.directives()
    for packet in found.corrections if found else ():
        action, stop = packet.fields.get("Action"), packet.fields.get("Stop")
        if action is None or not action.text:
            continue
        nothing = action.empty and stop is not None and not stop.empty
        if nothing or (not action.empty and _forbids(action.text)):
            yield RULE.at(live.DIRECTIVES, action.line, f"{packet.id} only forbids")


_CLAUSE: Final = re.compile(r"[;；。，]|[.,](?=\s|$)")
_NO: Final = re.compile(
    r"(?:and |or |also |then )*"
    r"(?:do not|don['’]t|never|no |not |nothing |stop |must not|avoid |leave .*alone|refrain"
    r"|cease|keep out"
    r"|不要|不得|不能|禁止|停止|切勿|请勿|别)",
    re.IGNORECASE,
)


def _forbids(action: str) -> bool:
    """Whether each clause forbids; a list of names belongs to the clause before it."""
    clauses = [clause.strip() for clause in _CLAUSE.split(action)]
    clauses = [clause for clause in clauses if _NO.match(clause) or not _names(clause)]
    return bool(clauses) and all(_NO.match(clause) for clause in clauses)


def _names(clause: str) -> bool:
    """Whether a clause is a word, or paths joined by `and`; other scripts have no blanks."""
    words = [word for word in clause.split() if word not in ("and", "or", "nor")]
    if not clause.isascii():
        return False
    return len(words) <= 1 or all(_PATH.search(word) for word in words)


_PATH: Final = re.compile(r"[`/_]|\.\w")


RULE = Rule(
    id="LG315",
    name="only-forbids",
    why="The executor obeys, has no lawful next item left, and the fire ends with nothing done.",
    fix="Say in Action what to do instead.",
    bad=live.directives("Corrections", live.PACKET.replace("test the", "do not fake the")),
    good=live.directives("Corrections", live.PACKET),
    check=check,
    fixable="What should be done instead is the supervisor's to say.",
)
