"""What a correction may forbid: the laws of Stop and Action, for `directive add` and for check."""

from __future__ import annotations

import re
from typing import Final

from loopgraph.edges.run import Run

LINES: Final = 8
"""Of a packet, at most."""

_ALLOWS: Final = re.compile(
    r"\b(?:allow\w*|except\w*|but|besides|may still|stays?|remains?|still|only)\b"
    r"|允许|除|仍|可以|只",
    re.IGNORECASE,
)
_EVERYTHING: Final = re.compile(r"\beverything (?:in|under|below) (\S+)", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[;；。，]|[.,](?=\s|$)")
_NO: Final = re.compile(
    r"(?:and |or |also |then )*"
    r"(?:do not|don['’]t|never|no |not |nothing |stop |must not|avoid |leave .*alone|refrain"
    r"|cease|keep out"
    r"|不要|不得|不能|禁止|停止|切勿|请勿|别)",
    re.IGNORECASE,
)
_WORD_END: Final = re.compile(r"[\s，。；：、（）]+")
_PATH: Final = re.compile(r"[`/_]|\.\w")


def folders(run: Run) -> frozenset[str]:
    """What discovery knows to be a folder."""
    if run.record is None:
        return frozenset()
    facts = run.record.spec.facts
    return frozenset(path.strip("/") for path in (*facts.sources, *facts.tests))


def closed_folder(said: str, known: frozenset[str]) -> str:
    """The folder that a text closes as a whole without saying what stays allowed; else empty."""
    if _ALLOWS.search(said):
        return ""
    if everything := _EVERYTHING.search(said):
        return everything[1].strip("`,;.")
    for word in _WORD_END.split(said):
        path = word.strip("`'\"()[],;:").removesuffix(".")
        if "://" not in path and _whole(path, known, marked="`" in word):
            return path
    return ""


def _whole(path: str, known: frozenset[str], *, marked: bool) -> bool:
    parts = path.split("/")
    if len(parts) > 1 and not parts[-1]:
        return True
    if "**" in parts or (len(parts) > 1 and parts[-1] in ("*", "*.*")):
        return True
    return path.strip("/") in known and (marked or len(parts) > 1)


def only_forbids(action: str) -> bool:
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
