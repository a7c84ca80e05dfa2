"""JSON that somebody else keeps: where each value stands, and edits that touch no other byte.

An edit is one insertion, one replacement or one cut; what is written takes the manner of its
neighbours: indentation, line ends, one line or many.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from loopgraph.plain import jsontext

_BLANKS: Final = " \t\n\r"
_INDENT: Final = "  "
BOM: Final = "\ufeff"


class Node(NamedTuple):
    """A value of a JSON text, and where it stands."""

    kind: Literal["object", "array", "scalar"]
    start: int
    end: int
    items: tuple[Item, ...] = ()


class Item(NamedTuple):
    """An entry of an object or an array."""

    key: str
    """Empty in an array."""
    start: int
    """Where its key begins; in an array, the value."""
    value: Node

    @property
    def end(self) -> int:
        """Where it ends, before the comma."""
        return self.value.end


class Edit(NamedTuple):
    """A text with something put in, and that something."""

    text: str
    inserted: str
    """Cut out of `text`, it leaves what was there before; empty where an edit was more."""
    made: tuple[str, ...] = ()
    """The keys that had to be made on the way, as `hooks` and `hooks.Stop`."""


def parse(text: str, *, comments: bool = False) -> Node:
    """The root value; ValueError for what is no JSON, as the standard library judges it.

    With `comments`, those of JavaScript are passed over. One BOM at the beginning is no part of it.
    """
    plain = without_comments(text) if comments else text
    if plain.startswith(BOM):
        plain = " " + plain[1:]
    jsontext.loads(plain)
    try:
        return _Reader(plain).value(_after_blanks(plain, 0))
    except RecursionError:
        raise ValueError("nested too deep") from None


def value(text: str, *, comments: bool = False) -> object:
    """What a text says; ValueError for what is no JSON."""
    plain = without_comments(text) if comments else text
    return jsontext.loads(plain.removeprefix(BOM))


def without_comments(text: str) -> str:
    """The text with a blank for every character of a comment, so that every place stays."""
    out: list[str] = []
    at = done = 0
    while at < len(text):
        if text[at] == '"':
            at = _string_end(text, at)
            continue
        end = _comment_end(text, at)
        if end == at:
            at += 1
            continue
        out.append(text[done:at])
        out.extend(char if char in "\r\n" else " " for char in text[at:end])
        at = done = end
    return "".join([*out, text[done:]])


def _string_end(text: str, at: int) -> int:
    """Behind the text in quotes that begins here; the end of everything where nothing ends it."""
    at += 1
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == '"':
            return at + 1
        at += 1
    return len(text)


def _comment_end(text: str, at: int) -> int:
    """Behind the comment that begins here; `at` where none does."""
    if text.startswith("//", at):
        ends = [end for mark in "\r\n" if (end := text.find(mark, at)) >= 0]
        return min(ends, default=len(text))
    if text.startswith("/*", at):
        end = text.find("*/", at + 2)
        return at if end < 0 else end + 2
    return at


def _after_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


class _Reader:
    """Finds where things stand in a text that is known to be JSON."""

    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, at: int) -> Node:
        opening = self.text[at]
        if opening == "{":
            return self._container("object", at)
        if opening == "[":
            return self._container("array", at)
        if opening == '"':
            return Node("scalar", at, _string_end(self.text, at))
        end = at
        while end < len(self.text) and self.text[end] not in f",]}}{_BLANKS}":
            end += 1
        return Node("scalar", at, end)

    def _container(self, kind: Literal["object", "array"], start: int) -> Node:
        items: list[Item] = []
        at = _after_blanks(self.text, start + 1)
        while self.text[at] not in "}]":
            begin, key = at, ""
            if kind == "object":
                end = _string_end(self.text, at)
                key = str(jsontext.loads(self.text[at:end]))
                at = _after_blanks(self.text, _after_blanks(self.text, end) + 1)
            items.append(Item(key, begin, self.value(at)))
            at = _after_blanks(self.text, items[-1].end)
            if self.text[at] == ",":
                at = _after_blanks(self.text, at + 1)
        return Node(kind, start, at + 1, tuple(items))


def find(node: Node, path: Sequence[str]) -> Node | None:
    """The value below these keys; of a key that is there twice, the last, as every reader has it.

    None where a key is missing; ValueError names a value on the way that is no object.
    """
    for depth, key in enumerate(path):
        if node.kind != "object":
            raise ValueError(".".join(path[:depth]) or "the whole")
        found = [item.value for item in node.items if item.key == key]
        if not found:
            return None
        node = found[-1]
    return node


# Putting in ----------------------------------------------------------------------------------


class _Manner(NamedTuple):
    """How a file is written."""

    line: str
    """Its line end; empty where it is all one line."""
    unit: str
    """One step of indentation."""

    def write(self, said: object, indent: str) -> str:
        """A value as this file would have it; its first line is where it is put."""
        if not self.line:
            return json.dumps(said, ensure_ascii=False)
        lines = json.dumps(said, ensure_ascii=False, indent=self.unit).split("\n")
        return f"{self.line}{indent}".join(lines)


def _manner(text: str, root: Node) -> _Manner:
    inside = text[root.start : root.end]
    breaks = [mark for mark in ("\r\n", "\n", "\r") if mark in text]
    if root.items and not any(mark in inside for mark in "\r\n"):
        return _Manner("", _INDENT)
    unit = _indent(text, root.items[0].start) if root.items else None
    own = _indent(text, root.start) or ""
    unit = unit[len(own) :] if unit and unit.startswith(own) else unit
    return _Manner(breaks[0] if breaks else "\n", unit or _INDENT)


def _indent(text: str, at: int) -> str | None:
    """The blanks between the line's beginning and this place; None where there is more."""
    begin = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    before = text[begin:at].removeprefix(BOM)
    return before if not before.strip(" \t") else None


def put(
    text: str,
    path: Sequence[str],
    entry: object,
    *,
    head: Mapping[str, object] | None = None,
    comments: bool = False,
) -> Edit:
    """Put an entry at the end of the list below `path`, and make what is missing on the way.

    A text without a value counts as `{}`, and so does an empty one; then `head` comes first.
    ValueError names a value on the way that is not what it should be.
    """
    plain = without_comments(text) if comments else text
    if not plain.strip(f"{BOM}{_BLANKS}"):
        return _begun(text, path, entry, head or {})
    root = parse(text, comments=comments)
    node, depth = root, 0
    while depth < len(path) and node.kind == "object":
        inner = find(node, path[depth : depth + 1])
        if inner is None:
            break
        node, depth = inner, depth + 1
    missing = path[depth:]
    if node.kind != ("object" if missing else "array"):
        raise ValueError(".".join(path[:depth]) or "the whole")
    made = tuple(".".join(path[: number + 1]) for number in range(depth, len(path)))
    said: object = [entry] if missing else entry
    for key in reversed(missing[1:]):
        said = {key: said}
    before = list(head.items()) if head and node is root and not root.items else []
    parts = [(key, part) for key, part in (*before, (missing[0] if missing else "", said))]
    return _put_into(text, plain, root, node, parts)._replace(made=made)


def _begun(text: str, path: Sequence[str], entry: object, head: Mapping[str, object]) -> Edit:
    """A text without a value becomes one; what stood in it stays before it."""
    said: object = [entry]
    for key in reversed(path):
        said = {key: said}
    whole = {**head, **said} if isinstance(said, dict) else said
    line = "\r\n" if "\r\n" in text else "\n"
    ended = text.endswith(("\n", "\r")) or not text.strip(f"{BOM}{_BLANKS}")
    # What stands there may be a comment, which only the line's end ends.
    inserted = ("" if ended else line) + _Manner(line, _INDENT).write(whole, "") + line
    made = tuple(".".join(path[: number + 1]) for number in range(len(path)))
    return Edit(text + inserted, inserted, made)


def _put_into(
    text: str, plain: str, root: Node, node: Node, parts: Sequence[tuple[str, object]]
) -> Edit:
    manner = _manner(text, root)
    first = node.items[0].start if node.items else None
    indent = _indent(plain, first) if first is not None else None
    if indent is None:
        indent = _line_indent(text, node.start) + manner.unit
        many = bool(manner.line) and not node.items
    else:
        many = bool(manner.line)
    manner = manner if many else manner._replace(line="")
    joint = f",{manner.line}{indent}" if many else ", "
    named = node.kind == "object"
    written = joint.join(
        (f"{json.dumps(key, ensure_ascii=False)}: " if named else "") + manner.write(said, indent)
        for key, said in parts
    )
    if not node.items:
        gap = plain[node.start + 1 : node.end - 1]
        closing = "" if not many or any(mark in gap for mark in "\r\n") else manner.line
        outer = _line_indent(text, node.start) if closing else ""
        opening = f"{manner.line}{indent}" if many else ""
        return _inserted(text, node.start + 1, f"{opening}{written}{closing}{outer}")
    last = node.items[-1].end
    if text[last : node.end] == plain[last : node.end]:
        return _inserted(text, last, f"{joint}{written}")
    # A comment behind the last entry belongs to it: what is put in comes before the first one.
    begin = node.items[0].start
    return _inserted(text, begin, f"{written}{joint}")


def _line_indent(text: str, at: int) -> str:
    """The blanks at the beginning of the line of this place."""
    begin = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    line = text[begin:at].removeprefix(BOM)
    return line[: len(line) - len(line.lstrip(" \t"))]


def _inserted(text: str, at: int, piece: str) -> Edit:
    return Edit(text[:at] + piece + text[at:], piece)


# Taking out ----------------------------------------------------------------------------------


def replaced(text: str, node: Node, said: object, *, comments: bool = False) -> str:
    """The text with another value in the place of this one."""
    root = parse(text, comments=comments)
    manner = _manner(text, root)
    if not any(mark in text[node.start : node.end] for mark in "\r\n"):
        manner = manner._replace(line="")
    written = manner.write(said, _line_indent(text, node.start))
    return text[: node.start] + written + text[node.end :]


def without(text: str, container: Node, at: int, *, comments: bool = False) -> str:
    """The text without entry number `at` of a container, its comma and the blanks around it.

    Comments stay.
    """
    plain = without_comments(text) if comments else text
    items = container.items
    item = items[at]
    if at:
        begin, end = items[at - 1].end, item.end
    elif len(items) > 1:
        begin, end = item.start, items[1].start
    else:
        begin, end = container.start + 1, item.end
    if text[begin : item.start] + text[item.end : end] == (
        plain[begin : item.start] + plain[item.end : end]
    ):
        return text[:begin] + text[end:]
    cuts = [(item.start, item.end), *_comma(plain, begin, item.start)]
    cuts += _comma(plain, item.end, end)
    for start, stop in sorted(cuts, reverse=True):
        text = text[:start] + text[stop:]
    return text


def _comma(plain: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the comma between two places is."""
    at = plain.find(",", begin, end)
    if at >= 0:
        yield at, at + 1
