"""Which pack fits a goal that came without one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

FALLBACK: Final = "deliver"

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "research": (
        *("which", "choose", "compare", "evaluate", "benchmark", "investigate", "research"),
        *("选型", "对比", "调研", "评估", "比较"),
    ),
    "converge": (
        *("clean up", "cleanup", "dead code", "unused", "duplicate", "duplicates", "simplify"),
        *("deduplicate", "consolidate", "死代码", "清理", "去重", "重复代码", "精简"),
    ),
}
"""Words in a goal that speak for a pack; the pack whose word comes first in the goal wins."""


class Recommendation(NamedTuple):
    """A pack's name and the word that spoke for it (empty: nothing did)."""

    name: str
    word: str


def recommend(goal: str, available: Iterable[str]) -> Recommendation:
    """The pack for a goal; deliver where no word speaks for another."""
    names = set(available)
    folded = goal.casefold()
    hits = [
        (place, name, word)
        for name, words in WORDS.items()
        if name in names
        for word in words
        if (place := _find(folded, word)) >= 0
    ]
    if not hits:
        return Recommendation(FALLBACK, "")
    _, name, word = min(hits)
    return Recommendation(name, word)


def _find(text: str, word: str) -> int:
    """Where a word stands by itself; a word of another script needs no blanks around it."""
    start = text.find(word)
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(word) : start + len(word) + 1]
        if not word.isascii() or not (before.isalnum() or after.isalnum()):
            return start
        start = text.find(word, start + 1)
    return -1
