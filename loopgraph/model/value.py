"""A frozen dataclass at a fifth of the start-up cost, by sharing what would be compiled anew.

What dataclasses compile anew for each class is shared here: a run has thirty of them, and every
command reads a run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from typing import Any, TypeVar, dataclass_transform

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True)
def value(kind: type[Kind]) -> type[Kind]:
    """Make a class of fields a value: compared by them, hashed by them, never changed."""
    return _dress(dataclass(init=False, repr=False, eq=False, slots=True)(kind))


@dataclass_transform(frozen_default=True, kw_only_default=True)
def named_value(kind: type[Kind]) -> type[Kind]:
    """The same for a class that is only made with its fields by name."""
    return _dress(dataclass(init=False, repr=False, eq=False, slots=True, kw_only=True)(kind))


def _dress(kind: type[Kind]) -> type[Kind]:
    shared: dict[str, Callable[..., Any]] = {
        "__init__": _init,
        "__repr__": _repr,
        "__eq__": _eq,
        "__hash__": _hash,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
    }
    for name, function in shared.items():
        setattr(kind, name, function)
    return kind


def _init(self: Any, /, *given: object, **named: object) -> None:
    kind = type(self)
    known = fields(self)
    places = [field.name for field in known if not field.kw_only]
    if len(given) > len(places):
        message = f"{kind.__name__}() takes {len(places)} values by place, {len(given)} were given"
        raise TypeError(message)
    values = {**dict(zip(places, given, strict=False)), **named}
    for field in known:
        name = field.name
        if name in values:
            found = values.pop(name)
        elif field.default is not MISSING:
            found = field.default
        elif field.default_factory is not MISSING:
            found = field.default_factory()
        else:
            raise TypeError(f"{kind.__name__}() misses {name}")
        object.__setattr__(self, name, found)
    if values or len({*places[: len(given)], *named}) < len(given) + len(named):
        odd = next(iter(values), "a value by place and by name")
        raise TypeError(f"{kind.__name__}() does not take {odd}")
    if hasattr(self, "__post_init__"):
        self.__post_init__()


def _parts(self: Any) -> tuple[object, ...]:
    return tuple(getattr(self, field.name) for field in fields(self))


def _repr(self: Any) -> str:
    said = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))
    return f"{type(self).__qualname__}({said})"


def _eq(self: Any, other: object) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return _parts(self) == _parts(other)


def _hash(self: Any) -> int:
    return hash(_parts(self))


def _refuse(self: Any, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot change {name} of {type(self).__name__}")
