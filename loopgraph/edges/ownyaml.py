"""The YAML that we write ourselves, read without the library, which would cost more than the rest.

What `record.dump_yaml` writes is a small part of YAML: block maps and lists, one-line scalars,
literal blocks. Whatever else stands in a file, or could mean two things, is left to the library.
A law holds both to the same values.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

from loopgraph.plain import jsontext


class NotOursError(Exception):
    """The text is not of the form that we write; the library reads it."""


_ODD: Final = re.compile(
    r"[^\n -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Characters that are line ends or an error to YAML, tabs, and a mark of byte order."""
_KEY: Final = re.compile(r"([A-Za-z_][\w.\-/#]*(?: [\w][\w.\-/#]*)*):(?: +(.*))?", re.ASCII)
_DOUBLE: Final = re.compile(r'"(?:[^"\\]|\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9A-Fa-f]{4}))*"')
_SINGLE: Final = re.compile(r"'(?:[^']|'')*'")
_BLOCK: Final = re.compile(r"\|([-+]?)")
_INT: Final = re.compile(r"0|-?[1-9][0-9]{0,17}")
_NUMBER: Final = re.compile(
    r"[-+]?(?=.*[0-9])[0-9_]*(?::[0-9_]+)*\.?[0-9_]*(?:[eE][-+]?[0-9]*)?"
    r"|[-+]?0b[01_]+|[-+]?0x[0-9a-fA-F_]+|[-+]?\.(?:inf|nan)",
    re.IGNORECASE,
)
"""What may be a number to YAML, or nearly one; a moment stays a text here."""
_WORDS: Final = ("yes", "no", "on", "off", "true", "false", "null", "~", "y", "n", "=", "<<")
_FIXED: Final[dict[str, object]] = {"true": True, "false": False, "null": None, "{}": {}, "[]": []}
_INDICATORS: Final = "-?:,[]{}#&*!|>'\"%@` "
_DEEP: Final = 40


def read(source: str) -> object:
    """The value that a text of our own form says; NotOursError for any other."""
    if _ODD.search(source) or not source:
        _leave()
    lines = source.split("\n")
    value, end = _node(lines, _skip(lines, 0), 0, 0)
    if _skip(lines, end) != len(lines):
        _leave()
    return value


def _leave() -> NoReturn:
    raise NotOursError


def _skip(lines: list[str], at: int) -> int:
    """The next line that is not empty; a line of blanks alone is left to the library."""
    while at < len(lines) and not lines[at]:
        at += 1
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _node(lines: list[str], at: int, indent: int, depth: int) -> tuple[object, int]:
    """The map or list that begins in this line, and the line behind it."""
    if at >= len(lines) or depth > _DEEP or _indent(lines[at]) != indent:
        _leave()
    if lines[at][indent : indent + 2] == "- ":
        return _list(lines, at, indent, depth)
    return _map(lines, at, indent, depth)


def _list(lines: list[str], at: int, indent: int, depth: int) -> tuple[list[object], int]:
    found: list[object] = []
    while at < len(lines) and lines[at].startswith("- ", indent) and _indent(lines[at]) == indent:
        rest = lines[at][indent + 2 :]
        if rest.startswith("- ") or _KEY.fullmatch(rest):
            lines[at] = " " * (indent + 2) + rest
            value, at = _node(lines, at, indent + 2, depth + 1)
        else:
            value, at = _scalar(lines, at, rest, indent)
        found.append(value)
        at = _skip(lines, at)
    return found, at


def _map(lines: list[str], at: int, indent: int, depth: int) -> tuple[dict[str, object], int]:
    found: dict[str, object] = {}
    while at < len(lines) and _indent(lines[at]) == indent:
        match = _KEY.fullmatch(lines[at], indent)
        if match is None or match[1] in found or match[1].casefold() in _WORDS:
            if lines[at].startswith("- ", indent):
                break
            _leave()
        rest = match[2] or ""
        value: object
        if rest:
            value, at = _scalar(lines, at, rest, indent)
        else:
            value, at = _below(lines, _skip(lines, at + 1), indent, depth)
        found[match[1]] = value
        at = _skip(lines, at)
    return found, at


def _below(lines: list[str], at: int, indent: int, depth: int) -> tuple[object, int]:
    """What stands below a key without a value: deeper, or a list at the key's own place."""
    if at >= len(lines):
        return None, at
    deeper = _indent(lines[at])
    if deeper > indent or (deeper == indent and lines[at].startswith("- ", indent)):
        return _node(lines, at, deeper, depth + 1)
    return None, at


def _scalar(lines: list[str], at: int, said: str, indent: int) -> tuple[object, int]:
    """A value in the line of its key or dash, and the line behind it."""
    if block := _BLOCK.fullmatch(said):
        return _literal(lines, at + 1, indent, block[1])
    value = _one_line(said)
    after = _skip(lines, at + 1)
    if after < len(lines) and _indent(lines[after]) > indent:
        _leave()  # a value that goes on in the next line
    return value, at + 1


def _one_line(said: str) -> object:
    if said in _FIXED:
        fixed = _FIXED[said]
        return type(fixed)() if isinstance(fixed, dict | list) else fixed
    if said[0] == '"' and _DOUBLE.fullmatch(said):
        return jsontext.loads(said)
    if said[0] == "'" and _SINGLE.fullmatch(said):
        return said[1:-1].replace("''", "'")
    if _INT.fullmatch(said):
        return int(said)
    path = said[0] == "-" and said[1:2] not in ("", " ")
    if (said[0] in _INDICATORS and not path) or said.casefold() in _WORDS:
        _leave()
    if _NUMBER.fullmatch(said) or ": " in said or " #" in said or said[-1] in ": ":
        _leave()
    return said


def _literal(lines: list[str], at: int, indent: int, chomp: str) -> tuple[str, int]:
    """A literal block; the first line that says something sets its indent."""
    first = _skip(lines, at)
    deep = _indent(lines[first]) if first < len(lines) else 0
    if deep <= indent:
        _leave()
    end = at
    while end < len(lines) and (not lines[end] or _indent(lines[end]) >= deep):
        end += 1
    if end < len(lines) and (_indent(lines[end]) > indent or not lines[end].strip()):
        _leave()
    body = [line[deep:] for line in lines[at:end]]
    if end == len(lines):
        body = body[:-1] if not body[-1] else _leave()
    while body and not body[-1] and chomp != "+":
        body.pop()
    text = "\n".join(body)
    return text if chomp == "-" else f"{text}\n", end
