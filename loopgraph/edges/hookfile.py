"""A host's file of hooks: our entry in it, and how it gets in and out without touching the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from loopgraph.edges import jsonfile, jsonspans
from loopgraph.edges.jsonspans import Node
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _

Handler = Mapping[str, object]
"""What a host is told to run at the end of a turn."""


class Shape(NamedTuple):
    """How a host writes its hooks down."""

    path: tuple[str, ...]
    """The keys down to the list of hooks for the end of a turn."""
    grouped: bool = True
    """An entry of the list is a group, `{"hooks": [HANDLER…]}`; else it is the handler itself."""
    head: tuple[tuple[str, object], ...] = ()
    """What a file that has nothing yet begins with."""
    only: tuple[str, ...] = ()
    """Every key that the file may have; empty for any. Another one makes the host drop it."""
    comments: bool = False
    """The host takes comments in it."""


class Mine(NamedTuple):
    """A handler of ours in a file."""

    entry: int
    """Which entry of the list it is in."""
    place: int
    """Which handler of that entry's group; 0 without groups."""
    handler: Handler
    alone: bool
    """Nobody else's handler is in its entry."""


class Change(NamedTuple):
    """A file with our entry in it."""

    text: str
    clean: str
    """The same file without any entry of ours, as it is to be when ours goes."""
    inserted: str = ""
    """The one piece that is the difference; empty where an earlier entry was replaced."""
    made: tuple[str, ...] = ()
    """The keys that were made for it."""


_COMMANDS: Final = ("command", "bash", "powershell", "windows")
_NAME: Final = "loopgraph"
_CALLS: Final = ("hook stop", "hook  stop")


def command(handler: Handler) -> str:
    """What a handler runs, its arguments included; empty where it runs no command."""
    said = [part for key in _COMMANDS if isinstance(part := handler.get(key), str)]
    rest = handler.get("args")
    words = [word for word in rest if isinstance(word, str)] if isinstance(rest, list) else []
    return " ".join([*said, *words])


def is_mine(handler: object) -> bool:
    """Whether a handler runs our hook, whichever installation and however it was written."""
    if not isinstance(handler, dict):
        return False
    said = command(handler)
    return _NAME in said and any(call in said for call in _CALLS)


def mine(text: str, shape: Shape, where: str) -> tuple[Mine, ...]:
    """Our handlers in a file, in their order."""
    found = _list(text, shape, where)
    if found is None:
        return ()
    return tuple(
        Mine(at, place, handler, all(is_mine(other) for other in handlers))
        for at, handlers in enumerate(_handlers(entry, shape) for entry in found)
        for place, handler in enumerate(handlers)
        if is_mine(handler)
    )


def _handlers(entry: object, shape: Shape) -> list[Any]:
    if not shape.grouped:
        return [entry]
    inner = entry.get("hooks") if isinstance(entry, dict) else None
    return inner if isinstance(inner, list) else []


def _list(text: str, shape: Shape, where: str) -> list[Any] | None:
    """The list of hooks for the end of a turn; None where there is none yet."""
    said = _value(text, shape, where)
    for depth, key in enumerate(shape.path):
        if not isinstance(said, dict):
            raise _other(".".join(shape.path[:depth]), _("no object"), where)
        if key not in said:
            return None
        said = said[key]
    if not isinstance(said, list):
        raise _other(".".join(shape.path), _("no list"), where)
    return said


def _value(text: str, shape: Shape, where: str) -> object:
    if not text.strip(f"{jsonspans.BOM} \t\r\n"):
        return {}
    try:
        found = jsonspans.value(text, comments=shape.comments)
    except ValueError as error:
        if shape.comments and not _bare(text):
            return {}
        raise _broken(text, where) from error
    if not isinstance(found, dict):
        raise UnreadableError(_("no JSON object"), where=where)
    strangers = [key for key in found if shape.only and key not in shape.only]
    if strangers:
        raise UnreadableError(
            _("because of its key {key} the host drops the whole file", key=repr(strangers[0])),
            where=where,
            fix=_("Take that key out."),
        )
    return found


def _bare(text: str) -> str:
    """What stands in a text besides comments and blanks."""
    return jsonspans.without_comments(text).strip(f"{jsonspans.BOM} \t\r\n")


def _broken(text: str, where: str) -> UnreadableError:
    return UnreadableError(_("not valid JSON"), where=jsonfile.line_of(text, where))


def _other(key: str, what: str, where: str) -> UnreadableError:
    return UnreadableError(
        _("`{key}` is {what}", key=key, what=what), where=where, fix=_("Mend it by hand.")
    )


def is_last(text: str, shape: Shape, where: str) -> bool:
    """Whether nobody's entry stands behind ours."""
    found = mine(text, shape, where)
    return not found or found[-1].entry == len(_list(text, shape, where) or ()) - 1


def entry(handler: Handler, shape: Shape) -> Handler:
    """What stands in the list: the handler, or a group of it alone."""
    return {"hooks": [dict(handler)]} if shape.grouped else dict(handler)


def snippet(handler: Handler, shape: Shape) -> str:
    """A whole file that holds nothing but our entry, in one line: what a person may paste."""
    whole = jsonspans.put("", shape.path, entry(handler, shape), head=dict(shape.head)).text
    return jsonfile.one_line(jsonspans.value(whole))


def with_entry(text: str, handler: Handler, shape: Shape, where: str) -> Change:
    """The file with our entry: as it is, else in place of an earlier one, else at the end."""
    found = mine(text, shape, where)
    if not found:
        edit = jsonspans.put(
            text, shape.path, entry(handler, shape), head=dict(shape.head), comments=shape.comments
        )
        return Change(edit.text, text, edit.inserted, edit.made)
    clean = _all_out(text, shape, where, found)
    while len(found) > 1:
        last = found[-1]
        beside = last.entry == found[0].entry
        text = _out(text, shape, last._replace(alone=False) if beside else last)
        found = mine(text, shape, where)
    first = found[0]
    if dict(first.handler) != dict(handler):
        node = _node(text, shape, first)
        text = jsonspans.replaced(text, node, dict(handler), comments=shape.comments)
    return Change(text, clean)


def without(
    text: str, shape: Shape, where: str, *, inserted: str = "", made: tuple[str, ...] = ()
) -> str:
    """The file without our entry, and without the keys that were made for it if they are empty.

    Where the piece that was put in still stands as it was, it alone is cut.
    """
    if inserted and text.count(inserted) == 1:
        cut = text.replace(inserted, "", 1)
        if _reads(cut, shape) and not mine(cut, shape, where):
            return cut
    text = _all_out(text, shape, where, mine(text, shape, where))
    for key in sorted(made, key=len, reverse=True):
        text = _emptied(text, shape, tuple(key.split(".")))
    return text


def _reads(text: str, shape: Shape) -> bool:
    try:
        _value(text, shape, "")
    except UnreadableError:
        return False
    return True


def _all_out(text: str, shape: Shape, where: str, found: tuple[Mine, ...]) -> str:
    while found:
        text = _out(text, shape, found[-1])
        found = mine(text, shape, where)
    return text


def _entries(text: str, shape: Shape) -> Node:
    node = jsonspans.find(jsonspans.parse(text, comments=shape.comments), shape.path)
    if node is None:
        raise AssertionError(shape.path)
    return node


def _group(text: str, shape: Shape, one: Mine) -> Node:
    node = jsonspans.find(_entries(text, shape).items[one.entry].value, ("hooks",))
    if node is None:
        raise AssertionError(one)
    return node


def _node(text: str, shape: Shape, one: Mine) -> Node:
    if not shape.grouped:
        return _entries(text, shape).items[one.entry].value
    return _group(text, shape, one).items[one.place].value


def _out(text: str, shape: Shape, one: Mine) -> str:
    """The text without one handler, and without its group where that held nothing else."""
    if one.alone:
        return jsonspans.without(text, _entries(text, shape), one.entry, comments=shape.comments)
    return jsonspans.without(text, _group(text, shape, one), one.place, comments=shape.comments)


def _emptied(text: str, shape: Shape, path: tuple[str, ...]) -> str:
    """The text without the key at the end of this path, if nothing is left below it."""
    root = jsonspans.parse(text, comments=shape.comments)
    try:
        holder = jsonspans.find(root, path[:-1])
        node = jsonspans.find(root, path)
    except ValueError:
        return text
    if holder is None or node is None or node.items or node.kind == "scalar":
        return text
    at = max(number for number, item in enumerate(holder.items) if item.key == path[-1])
    return jsonspans.without(text, holder, at, comments=shape.comments)


def is_bare(text: str, shape: Shape) -> bool:
    """Whether a file holds nothing beyond what a new one begins with."""
    try:
        return _value(text, shape, "") in ({}, dict(shape.head))
    except UnreadableError:
        return False
