"""A typed value from plain data, without the library, where the data has exactly our own form.

To load the library would cost more than all else that reads a record. Whatever is missing, odd, or
of another type is left to it: it knows what to say. A law holds both to the same values.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeVar

from loopgraph.edges.ownyaml import NotOursError
from loopgraph.model import value
from loopgraph.model.errors import LoopgraphError

T = TypeVar("T")
_Read = Callable[[object], object]

_PLAIN: Final[Mapping[str, type]] = {"str": str, "int": int, "bool": bool}
_LIST: Final = ", ...]"
_NONE: Final = " | None"


def read(data: object, kind: type[T]) -> T:
    """The value of a class of fields that plain data says; NotOursError for any other."""
    found = _value(data, kind)
    return found if isinstance(found, kind) else _leave()


def _leave() -> NoReturn:
    raise NotOursError


def _value(data: object, kind: type) -> object:
    parts = value.parts(kind)
    if type(data) is not dict or not parts:
        _leave()
    home = vars(sys.modules[kind.__module__])
    given: dict[str, object] = {}
    for name, (said, needed) in parts.items():
        if name in data:
            given[name] = _reader(said, home)(data[name])
        elif needed:
            _leave()
    try:
        return kind(**given)
    except (LoopgraphError, TypeError, ValueError):
        _leave()


_READERS: Final[dict[tuple[str, int], _Read]] = {}


def _reader(said: object, home: Mapping[str, object]) -> _Read:
    """What reads the type that a field is said to have, in the words of its module."""
    if not isinstance(said, str):
        _leave()
    key = (said, id(home))
    found = _READERS.get(key)
    if found is None:
        found = _READERS[key] = _made(said, home)
    return found


def _made(said: str, home: Mapping[str, object]) -> _Read:
    if said.endswith(_NONE):
        inner = _reader(said.removesuffix(_NONE), home)
        return lambda data: None if data is None else inner(data)
    head, _mark, rest = said.partition("[")
    if said in _PLAIN:
        return _one_of_types(_PLAIN[said])
    if head == "tuple" and said.endswith(_LIST):
        return _list(_reader(rest.removesuffix(_LIST), home))
    if head == "Mapping" and rest.startswith("str, "):
        return _map(_reader(rest[len("str, ") : -1], home))
    if head == "Literal":
        return _one_of([part.strip(" '\"") for part in rest[:-1].split(",")])
    return _named(home.get(said))


def _named(kind: Any) -> _Read:
    """What reads a type of a name: a class of fields, some words, or a few plain types."""
    if isinstance(kind, type):
        return lambda data: _value(data, kind)
    known = getattr(kind, "__args__", ())
    if known and all(type(one) is str for one in known):
        return _one_of(known)
    if known and all(one in _PLAIN.values() for one in known):
        return _one_of_types(*known)
    _leave()


def _one_of_types(*kinds: type) -> _Read:
    def read_plain(data: object) -> object:
        return data if type(data) in kinds else _leave()

    return read_plain


def _one_of(words: list[str] | tuple[str, ...]) -> _Read:
    def read_word(data: object) -> object:
        return data if type(data) is str and data in words else _leave()

    return read_word


def _list(inner: _Read) -> _Read:
    def read_list(data: object) -> object:
        return tuple(map(inner, data)) if type(data) is list else _leave()

    return read_list


def _map(inner: _Read) -> _Read:
    def read_map(data: object) -> object:
        if type(data) is not dict or not all(type(key) is str for key in data):
            _leave()
        return {key: inner(one) for key, one in data.items()}

    return read_map
