"""Configuration files as plain data, and the line where a thing is said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

_TOML_CAP: Final = 256 * 1024
"""Python's reader takes the square of a key's parts; nobody writes a longer file by hand."""


_DOTS: Final = 2_000
"""As many in one line are no key that a person wrote."""


def toml(text: str) -> Mapping[str, Any]:
    """A TOML text as a mapping; empty where it is none."""
    return _toml(text)[0]


@lru_cache(maxsize=32)
def _toml(text: str) -> tuple[Mapping[str, Any], int | None]:
    """A TOML text as a mapping, and the line, from 1, where it is none."""
    if not text.strip():
        return {}, None
    if len(text) > _TOML_CAP or any(row.count(".") > _DOTS for row in text.splitlines()):
        return {}, 1
    import tomllib  # noqa: PLC0415  most of what a start costs here; only who needs it pays

    try:
        return tomllib.loads(text), None
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        return {}, int(found[1]) if found else text.count("\n") + 1
    except RecursionError:
        return {}, 1


@lru_cache(maxsize=64)
def json(text: str) -> Mapping[str, Any]:
    """A JSON object as a mapping; empty where it is none."""
    if not text:
        return {}
    from json import dumps, loads  # noqa: PLC0415

    try:
        value = loads(text)
        if "\\ud" in text.lower():  # half a character can be neither shown nor written down
            halves = dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass")
            value = loads(halves.decode("utf-16-le", "replace"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def jsonc(text: str) -> Mapping[str, Any]:
    """A JSON object that may hold comments and commas too many."""
    return json(text) or json(_bare(text))


def _bare(text: str) -> str:
    """JSON without comments and without commas before a closing bracket; lines stay where they are.

    Two passes by the marks that matter: a stranger's file may be endless.
    """
    return _without(_without(text, _COMMENT), _COMMA)


def _without(text: str, marks: re.Pattern[str]) -> str:
    out: list[str] = []
    at = 0
    while found := marks.search(text, at):
        begin = found.start()
        out.append(text[at:begin])
        at = _end(text, found[0], begin)
        kept = text[begin:at] if found[0] == '"' else ""
        out.append(kept or "\n" * text.count("\n", begin, at))
    return "".join([*out, text[at:]])


def _end(text: str, mark: str, begin: int) -> int:
    """Where a string, a comment or a comma too many ends."""
    if mark == '"':
        return _string_end(text, begin)
    if mark == ",":
        return begin + 1
    close = text.find("\n" if mark == "//" else "*/", begin + len(mark))
    if close < 0:
        return len(text)
    return close if mark == "//" else close + 2


_COMMENT = re.compile(r'"|//|/\*')
_COMMA = re.compile(r'"|,(?=[ \t\r\n]{0,200}[\]}])')


def _string_end(text: str, begin: int) -> int:
    """The place after the quote that ends the string."""
    at = begin + 1
    while found := _ENDS.search(text, at):
        if found[0] == '"':
            return found.end()
        at = found.end() + 1
    return len(text)


_ENDS = re.compile(r'"|\\')


def broken(text: str, form: str) -> int | None:
    """The line, from 1, where a text is not the JSON or TOML that it should be; None if it is."""
    if form == "toml":
        return _toml(text)[1]
    from json import JSONDecodeError, loads  # noqa: PLC0415

    try:
        value = loads(text if form == "json" else _bare(text))
    except JSONDecodeError as error:
        return error.lineno
    except (ValueError, RecursionError):
        return 1
    return None if isinstance(value, dict) else 1


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
    """The number, from 1, of the first line where the pattern matches; 0 where none does.

    A stranger wrote the text: a pattern that takes the same blanks in two ways, or line ends
    with them, would cost the square of a long run.
    """
    found = re.search(pattern, text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def table_line(text: str, *keys: str) -> int:
    """The line of a TOML table: its header, one of its dotted keys, or 1 where neither is seen."""
    quoted = [rf"[\"']?{re.escape(key)}[\"']?" for key in keys]
    header = r"\.".join(quoted)
    inner = r"\.".join(quoted[1:])
    return (
        line(text, rf"^[ \t]*\[+[ \t]*{header}[ \t]*[\].]")
        or line(text, rf"^[ \t]*({header}|{inner or quoted[0]})[ \t]*[.=]")
        or 1
    )


def json_line(text: str, key: str) -> int:
    """The line of the first such key in a JSON text."""
    return line(text, rf'"{re.escape(key)}"\s*:')


@lru_cache(maxsize=32)
def ini(text: str) -> Mapping[str, tuple[int, Mapping[str, str]]]:
    """An INI text: section to its line and its keys; indented lines go on with a value."""
    sections: dict[str, tuple[int, dict[str, list[str]]]] = {}
    keys: dict[str, list[str]] = {}
    key = ""
    for number, raw in enumerate(text.splitlines(), 1):
        body = raw.split(" #", 1)[0].split(" ;", 1)[0].rstrip()
        if not body or body.lstrip().startswith(("#", ";")):
            continue
        if body.startswith("[") and body.endswith("]"):
            _, keys = sections.setdefault(body[1:-1].strip(), (number, {}))
            key = ""
        elif body[0].isspace():
            if key:
                keys[key].append(body.strip())
        else:
            key, value = _setting(body)
            keys[key] = [value] if value else []
    return {
        name: (number, {key: "\n".join(values) for key, values in found.items()})
        for name, (number, found) in sections.items()
    }


def _setting(body: str) -> tuple[str, str]:
    """Key and value of a line, at the first `=` or `:`."""
    ends = [at for at in (body.find("="), body.find(":")) if at >= 0]
    end = min(ends, default=len(body))
    return body[:end].strip(), body[end + 1 :].strip()
