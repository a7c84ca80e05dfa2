"""JSON state files: read strictly, changed key by key, written in one form."""

from __future__ import annotations

from typing import Any, Final

from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import N_, _
from loopgraph.plain import jsontext

Object = dict[str, Any]

VERSION: Final = 1
_LONE: Final = (0xD800, 0xDFFF)
_AWAY: Final = N_("Mend it, or move the file away.")


def read(source: str | None, where: str) -> Object:
    """The object that a file holds; an absent or empty file is an empty one.

    What cannot be read is refused with its line, so that nobody overwrites it.
    """
    if source is None or not source.strip("\ufeff \t\r\n"):
        return {}
    said = source.removeprefix("\ufeff")
    try:
        found = jsontext.loads(said)
    except ValueError:
        place = line_of(said, where)
        raise UnreadableError(_("not valid JSON"), where=place, fix=_(_AWAY)) from None
    if not isinstance(found, dict):
        raise UnreadableError(_("no JSON object"), where=where, fix=_(_AWAY))
    version = found.get("version", VERSION)
    if version != VERSION:
        raise UnreadableError(
            _("its version is {found}, not {wanted}", found=version, wanted=VERSION),
            where=where,
            fix=_("Use a newer loopgraph."),
        )
    return found


def line_of(source: str, where: str) -> str:
    """The place where a text stops being JSON, as far as the standard library knows."""
    import json  # noqa: PLC0415  only who writes, or errs, pays for it

    try:
        json.loads(source)
    except json.JSONDecodeError as error:
        return f"{where}:{error.lineno}"
    except (ValueError, RecursionError):
        pass
    return where


def write(value: Object) -> str:
    """The one form: two blanks, keys in their order, letters as they are."""
    import json  # noqa: PLC0415  only who writes, or errs, pays for it

    written = json.dumps(value, ensure_ascii=False, indent=2)
    if any(_LONE[0] <= ord(char) <= _LONE[1] for char in written):
        written = json.dumps(value, indent=2)
    return written + "\n"


def section(value: Object, key: str, where: str) -> Object:
    """The object below a key, made where it is absent; anything else there is refused."""
    found = value.setdefault(key, {})
    if not isinstance(found, dict):
        raise UnreadableError(_("`{key}` is no object", key=key), where=where, fix=_(_AWAY))
    return found


def text(value: Object, key: str) -> str:
    """The text below a key; empty where there is none."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def one_line(value: object) -> str:
    """A value as one line of JSON, for people."""
    import json  # noqa: PLC0415  only who writes, or errs, pays for it

    return json.dumps(value, ensure_ascii=False)
