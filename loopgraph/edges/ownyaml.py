"""The YAML that we write ourselves, read without the library, which would cost more than the rest.

What `record.dump_yaml` writes is a small part of YAML: block maps and lists, one-line scalars,
literal blocks. Whatever else stands in a file, or could mean two things, is left to the library.
A law holds both to the same values.
"""

from __future__ import annotations

from typing import Final, NoReturn

from loopgraph.plain import jsontext


class NotOursError(Exception):
    """The text is not of the form that we write; the library reads it."""


# No regular expressions: to compile these few would take longer than to read a record.
_DIGITS: Final = "0123456789"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
_NAME: Final = f"{_LETTERS}{_DIGITS}.-/#"
_NUMBERS: Final = f"{_DIGITS}_.:+-eE"
"""What a number of YAML, of base ten or sixty, is made of; a moment stays a text here."""
_LONG: Final = 18
"""Digits of a number that nobody needs to be asked about."""
_WORDS: Final = ("yes", "no", "on", "off", "true", "false", "null", "~", "y", "n", "=", "<<")
_FIXED: Final[dict[str, object]] = {"true": True, "false": False, "null": None, "{}": {}, "[]": []}
_BLOCKS: Final = {"|": "", "|-": "-", "|+": "+"}
_INDICATORS: Final = "-?:,[]{}#&*!|>'\"%@` "
_DEEP: Final = 40


def read(source: str) -> object:
    """The value that a text of our own form says; NotOursError for any other."""
    lines = source.split("\n")
    if not source or not all(line.isprintable() for line in lines):
        _leave()
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


def _key(said: str) -> str:
    """The key that a line begins with, empty where it is none of ours."""
    at = said.find(": ")
    key = said[:at] if at >= 0 else said[:-1] if said.endswith(":") else ""
    plain = all(word and word[0] not in "-/#" and not word.strip(_NAME) for word in key.split(" "))
    return key if key and key[0] in _LETTERS and plain else ""


def _list(lines: list[str], at: int, indent: int, depth: int) -> tuple[list[object], int]:
    found: list[object] = []
    while at < len(lines) and lines[at].startswith("- ", indent) and _indent(lines[at]) == indent:
        rest = lines[at][indent + 2 :]
        if rest.startswith("- ") or _key(rest):
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
        key = _key(lines[at][indent:])
        if not key or key in found or key.casefold() in _WORDS:
            if lines[at].startswith("- ", indent):
                break
            _leave()
        rest = lines[at][indent + len(key) + 1 :].lstrip(" ")
        value: object
        if rest:
            value, at = _scalar(lines, at, rest, indent)
        else:
            value, at = _below(lines, _skip(lines, at + 1), indent, depth)
        found[key] = value
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
    if not said:
        _leave()
    if said in _BLOCKS:
        return _literal(lines, at + 1, indent, _BLOCKS[said])
    value = _one_line(said)
    after = _skip(lines, at + 1)
    if after < len(lines) and _indent(lines[after]) > indent:
        _leave()  # a value that goes on in the next line
    return value, at + 1


def _one_line(said: str) -> object:
    if said in _FIXED:
        fixed = _FIXED[said]
        return type(fixed)() if isinstance(fixed, dict | list) else fixed
    if said[0] == '"':
        return _double(said)
    if said[0] == "'":
        inside = said[1:-1].replace("''", "")
        if len(said) == 1 or said[-1] != "'" or "'" in inside:
            _leave()
        return said[1:-1].replace("''", "'")
    digits = said.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= _LONG:
        return int(said) if digits[0] != "0" or said == "0" else _leave()
    path = said[0] == "-" and said[1:2] not in ("", " ")
    if (said[0] in _INDICATORS and not path) or said.casefold() in _WORDS:
        _leave()
    if _may_be_number(said) or ": " in said or " #" in said or said[-1] in ": ":
        _leave()
    return said


def _double(said: str) -> object:
    """A text in double quotes, where its escapes mean in JSON what they mean in YAML."""
    if len(said) == 1 or "\\ud" in said.casefold():
        _leave()
    try:
        return jsontext.loads(said)
    except ValueError:
        _leave()


def _may_be_number(said: str) -> bool:
    """Whether YAML may take a text for a number, or nearly would."""
    bare = said.lstrip("+-").casefold()
    if bare in (".inf", ".nan"):
        return True
    for base, digits in (("0x", f"{_DIGITS}abcdef_"), ("0b", "01_")):
        if bare.startswith(base) and not bare[2:].strip(digits):
            return True
    some = any(char in _DIGITS for char in said)
    return some and said.count(".") <= 1 and not said.strip(_NUMBERS)


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
