"""What a correction may forbid: the laws of Stop and Action, for `directive add` and for check."""

from __future__ import annotations

import re
from typing import Final

from loopgraph.edges.run import Run

LINES: Final = 8
"""Of a packet, at most."""

# Compiled where they are first asked: most calls read no such text.
_ALLOWS: Final = (
    r"\b(?:allow\w*|except\w*|but|besides|may still|stays?|remains?|still|only)\b"
    r"|允许|除|仍|可以|只"
)
_EVERYTHING: Final = r"\beverything (?:in|under|below) (\S+)"
_FOLDER: Final = "folder"
_FOLDERS: Final = (_FOLDER, "directory", "package", "目录", "文件夹")
_ALL: Final = ("*", "**", ".", "./", "*.*", "/")
"""What stands for the whole workspace."""
_AFTER: Final = r"(?:(?:until|till|while|for|because|since|whole|entirely)\b|[(—–:-]|直到|因)"
"""What follows a target: how long it is closed, and why."""
_CLAUSE: Final = r"[;；。，]|[.,](?=\s|$)"
_NO: Final = (
    r"(?:and |or |also |then )*"
    r"(?:do not|don['’]t|never|no |not |nothing |stop |must not|avoid |leave .*alone|refrain"
    r"|cease|keep out"
    r"|不要|不得|不能|禁止|停止|切勿|请勿|别)"
)
_MARKS: Final = "`'\"()[],;:"
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
    if re.search(_ALLOWS, said, re.IGNORECASE):
        return ""
    if everything := re.search(_EVERYTHING, said, re.IGNORECASE):
        return everything[1].strip("`,;.")
    words = [word for word in re.split(_WORD_END, said) if word]
    for at, word in enumerate(words):
        path = _bare(word)
        marked = "`" in word or _FOLDER in (_kind(words, at - 1), _kind(words, at + 1))
        if "://" not in path and _whole(path, known, marked=marked):
            return path
    return _target(said, known)


def words(said: str) -> tuple[str, ...]:
    """Every word of a text that may name a folder."""
    return tuple(dict.fromkeys(filter(None, (_bare(word) for word in re.split(_WORD_END, said)))))


def _bare(word: str) -> str:
    return word.lstrip(_MARKS).rstrip(f"{_MARKS}.").removeprefix("./")


def _kind(words: list[str], at: int) -> str:
    """`folder`, where the word at this place is one for it."""
    word = words[at].strip(",;:.").casefold() if 0 <= at < len(words) else ""
    return _FOLDER if word in _FOLDERS else ""


def _target(said: str, known: frozenset[str]) -> str:
    """A folder that a text begins with, as what it closes: `src until D-009`, `. for now`."""
    first, rest = (*re.split(_WORD_END, said.strip(), maxsplit=1), "")[:2]
    all_, path = first.strip("`"), _bare(first)
    target = all_ if all_ in _ALL else path if path.strip("/") in known else ""
    ends = not rest or first[-1:] in ":,;" or re.match(_AFTER, rest, re.IGNORECASE)
    return target if ends else ""


def _whole(path: str, known: frozenset[str], *, marked: bool) -> bool:
    parts = path.split("/")
    if len(parts) > 1 and not parts[-1]:
        return True
    if "**" in parts or (len(parts) > 1 and parts[-1] in ("*", "*.*")):
        return True
    return path.strip("/") in known and (marked or len(parts) > 1)


def only_forbids(action: str) -> bool:
    """Whether each clause forbids; a list of names belongs to the clause before it."""
    clauses = [clause.strip() for clause in re.split(_CLAUSE, action)]
    clauses = [clause for clause in clauses if _forbids(clause) or not _names(clause)]
    return bool(clauses) and all(_forbids(clause) for clause in clauses)


def _forbids(clause: str) -> bool:
    return re.match(_NO, clause, re.IGNORECASE) is not None


def _names(clause: str) -> bool:
    """Whether a clause is a word, or paths joined by `and`; other scripts have no blanks."""
    words = [word for word in clause.split() if word not in ("and", "or", "nor")]
    if not clause.isascii():
        return False
    return len(words) <= 1 or all(re.search(_PATH, word) for word in words)
