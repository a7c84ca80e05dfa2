"""Configuration files as plain data, and the line where a thing is said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=32)
def toml(text: str) -> Mapping[str, Any]:
    """A TOML text as a mapping; empty where it is none."""
    if not text:
        return {}
    import tomllib  # noqa: PLC0415  most of what a start costs here; only who needs it pays

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


@lru_cache(maxsize=64)
def json(text: str) -> Mapping[str, Any]:
    """A JSON object as a mapping; empty where it is none."""
    if not text:
        return {}
    from json import loads  # noqa: PLC0415

    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def at(value: object, *keys: str) -> Any:
    """What lies under these keys, or None."""
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value


def table(value: object, *keys: str) -> Mapping[str, Any]:
    """The mapping under these keys, or an empty one."""
    found = at(value, *keys)
    return found if isinstance(found, Mapping) else {}


def word(value: object, *keys: str) -> str:
    """The text under these keys, or an empty one."""
    found = at(value, *keys)
    return found.strip() if isinstance(found, str) else ""


def words(value: object, *keys: str) -> list[str]:
    """The texts in the list under these keys."""
    found = at(value, *keys)
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []


def line(text: str, pattern: str) -> int:
    """The number, from 1, of the first line where the pattern matches; 0 where none does."""
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        return 0
    blank = len(found[0]) - len(found[0].lstrip())  # `^\s*` also takes the empty lines before
    return text.count("\n", 0, found.start() + blank) + 1


def table_line(text: str, *keys: str) -> int:
    """The line of a TOML table: its header, one of its dotted keys, or 1 where neither is seen."""
    quoted = [rf"[\"']?{re.escape(key)}[\"']?" for key in keys]
    header = r"\s*\.\s*".join(quoted)
    inner = r"\s*\.\s*".join(quoted[1:])
    return (
        line(text, rf"^\s*\[+\s*{header}\s*[\].]")
        or line(text, rf"^\s*({header}|{inner or quoted[0]})\s*[.=]")
        or 1
    )


def json_line(text: str, key: str) -> int:
    """The line of the first such key in a JSON text."""
    return line(text, rf'"{re.escape(key)}"\s*:')


@lru_cache(maxsize=32)
def ini(text: str) -> Mapping[str, tuple[int, Mapping[str, str]]]:
    """An INI text: section to its line and its keys; indented lines go on with a value."""
    sections: dict[str, tuple[int, dict[str, str]]] = {}
    keys: dict[str, str] = {}
    key = ""
    for number, raw in enumerate(text.splitlines(), 1):
        body = raw.split(" #", 1)[0].split(" ;", 1)[0].rstrip()
        if not body or body.lstrip().startswith(("#", ";")):
            continue
        if body.startswith("[") and body.endswith("]"):
            keys = {}
            sections.setdefault(body[1:-1].strip(), (number, keys))
            key = ""
        elif body[0].isspace():
            if key:
                keys[key] = f"{keys[key]}\n{body.strip()}".lstrip("\n")
        else:
            found = re.match(r"([^=:]+?)\s*[=:]\s*(.*)", body)
            if found:
                key = found[1].strip()
                keys[key] = found[2]
    return sections
