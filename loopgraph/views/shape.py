"""The JSON Schema of a value that is printed as JSON, from the types that it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from loopgraph.edges import record

_PLAIN: Mapping[object, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
}


def schema(kind: type, name: str, title: str) -> dict[str, Any]:
    """What `plain` makes of a NamedTuple, under the name of its own schema."""
    fields = {"schema": {"const": name}, **_fields(kind)}
    return {"$schema": record.DIALECT, "title": title, **_closed(fields)}


def plain(value: object) -> Any:
    """A value as JSON has it: NamedTuples are objects, other tuples are lists."""
    if isinstance(value, tuple):
        if hasattr(value, "_asdict"):
            return {key: plain(part) for key, part in value._asdict().items()}
        return [plain(part) for part in value]
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    return value


def _fields(kind: type) -> dict[str, Any]:
    return {name: _of(hint) for name, hint in get_type_hints(kind).items()}


def _closed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def _of(hint: Any) -> dict[str, Any]:
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_of(part) for part in inside]}
    if origin is Literal:
        return {"enum": list(inside)}
    if origin is tuple:
        return {"type": "array", "items": _of(inside[0])}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _of(inside[1])}
    said = " ".join((hint.__doc__ or "").split())
    return {"description": said, **_closed(_fields(hint))}
