"""JSON text to values and back, in a few milliseconds less than the standard library's import.

The accelerator that `json` stands on does the work; where an interpreter has none, `json` does.
A property test holds both to the same answers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

try:
    import _json
except ImportError:  # another interpreter than CPython
    _json = None  # type: ignore[assignment]

_quoted: Callable[[str], str] | None = getattr(_json, "encode_basestring_ascii", None)
_scanner: Callable[[type], Callable[[str, int], tuple[Any, int]]] | None = getattr(
    _json, "make_scanner", None
)

_BLANKS = " \t\n\r"
_DEEP = 200
"""Values nested deeper are not written: nothing of ours needs more."""


def _refused(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


class _Strict:
    """How the scanner reads: control characters in texts, NaN and Infinity are refused."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refused)


def loads(text: str) -> object:
    """The value that a JSON text says; ValueError for whatever is no JSON text."""
    try:
        if _scanner is None:
            return _by_library(text)
        start = len(text) - len(text.lstrip(_BLANKS))
        value, end = _scanner(_Strict)(text, start)
    except (StopIteration, SystemError):
        # CPython 3.11's scanner forgets to say what is wrong where nobody has imported json.
        raise ValueError("not JSON") from None
    except RecursionError:
        raise ValueError("nested too deep") from None
    if text[end:].strip(_BLANKS):
        raise ValueError("more than one JSON value")
    found: object = value
    return found


def _by_library(text: str) -> object:
    import json  # noqa: PLC0415  this is the import that is saved elsewhere

    return json.loads(text, parse_constant=_refused)


def attempt(text: str) -> object:
    """The value that a JSON text says; None where it is no JSON, or says null."""
    try:
        return loads(text)
    except ValueError:
        return None


def quoted(text: str) -> str:
    """A text as a JSON text of ASCII."""
    if _quoted is None:
        import json  # noqa: PLC0415  as above

        return json.dumps(text)
    return _quoted(text)


def dumps(value: object, *, indent: int = 0) -> str:
    """A value of dict, list, str, bool, int, float and None as ASCII JSON, keys in their order.

    One line without blanks, or with `indent` a line for each entry.
    """
    return _written(value, indent, "\n", 0)


def _written(value: object, indent: int, line: str, depth: int) -> str:
    if isinstance(value, str):
        return quoted(value)
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        written = float.__repr__(value)
        if written.strip("-") in ("inf", "nan"):
            raise ValueError(f"{written} is not JSON")
        return written
    if depth > _DEEP:
        raise ValueError("nested too deep")
    inner = line + " " * indent
    colon = ": " if indent else ":"
    if isinstance(value, dict):
        marks = "{}"
        parts = [
            f"{quoted(key)}{colon}{_written(entry, indent, inner, depth + 1)}"
            for key, entry in value.items()
        ]
    elif isinstance(value, list | tuple):
        marks = "[]"
        parts = [_written(entry, indent, inner, depth + 1) for entry in value]
    else:
        raise ValueError(f"JSON has no {type(value).__name__}")  # noqa: TRY004  one kind of error
    if not parts or not indent:
        return marks[0] + ",".join(parts) + marks[1]
    return marks[0] + inner + f",{inner}".join(parts) + line + marks[1]
