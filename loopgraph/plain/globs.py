"""Globs: whether a path is one of those that a pattern names."""

from __future__ import annotations


def matches(path: str, glob: str) -> bool:
    """Whether a glob names a path or a folder above it.

    `*` and `?` stay within one part, `**` goes over any number of them. A glob without a slash
    names the last part of a path, or a folder anywhere; one with a slash begins at the root.
    """
    wanted = glob.replace("\\", "/").strip().removeprefix("./")
    if wanted in ("", ".", "/", "*", "**"):
        return bool(wanted)
    anchored = "/" in wanted.rstrip("/")
    parts = [part for part in wanted.split("/") if part]
    names = path.split("/")
    if not anchored:
        return any(_part(name, parts[0]) for name in names)
    return any(_parts(names[:end], parts) for end in range(1, len(names) + 1))


def _parts(names: list[str], parts: list[str]) -> bool:
    """Whether a pattern names exactly these parts; each pair is looked at once."""
    row = [True] + [False] * len(names)
    for part in parts:
        if part == "**":
            first = row.index(True) if True in row else len(row)
            row = [at >= first for at in range(len(row))]
            continue
        row = [False] + [row[at] and _part(names[at], part) for at in range(len(names))]
    return row[-1]


def _part(name: str, pattern: str) -> bool:
    """Whether one part of a path fits: `*` is any text, `?` any character, `[abc]` one of some."""
    at = place = 0
    star, mark = -1, 0
    while at < len(name):
        step = _one(name[at], pattern, place) if place < len(pattern) else 0
        if place < len(pattern) and pattern[place] == "*":
            star, mark = place, at
            place += 1
        elif step:
            at, place = at + 1, place + step
        elif star >= 0:
            mark += 1
            at, place = mark, star + 1
        else:
            return False
    return not pattern[place:].strip("*")


def _one(char: str, pattern: str, place: int) -> int:
    """How many characters of the pattern stand for this one; 0 where they don't."""
    wanted = pattern[place]
    if wanted == "[":
        negated = pattern[place + 1 : place + 2] in ("!", "^")
        begin = place + 1 + negated
        end = pattern.find("]", begin + 1)  # one that comes first is a character of the class
        if end > 0:
            return (_in_class(char, pattern[begin:end]) != negated) * (end - place + 1)
    return int(wanted in ("?", char))


def _in_class(char: str, inside: str) -> bool:
    at = 0
    while at < len(inside):
        if inside[at + 1 : at + 2] == "-" and at + 2 < len(inside):
            if inside[at] <= char <= inside[at + 2]:
                return True
            at += 3
            continue
        if inside[at] == char:
            return True
        at += 1
    return False
