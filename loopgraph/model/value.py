"""A frozen dataclass at a fraction of the start-up cost, by sharing what would be compiled anew.

What dataclasses compile anew for each class is shared here: a run has thirty of them, and every
command reads a run. The module itself is loaded only where somebody asks for what it alone knows
(`fields`, `replace`, a schema): it brings half of the interpreter's tools along.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar, dataclass_transform

Kind = TypeVar("Kind")
_UNSET: Final = object()
"""The default of a field that has none."""


@dataclass_transform(frozen_default=True)
def value(kind: type[Kind]) -> type[Kind]:
    """Make a class of fields a value: compared by them, hashed by them, never changed."""
    return _dress(kind, by_name=False)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def named_value(kind: type[Kind]) -> type[Kind]:
    """The same for a class that is only made with its fields by name."""
    return _dress(kind, by_name=True)


def parts(kind: type) -> dict[str, tuple[object, bool]]:
    """The fields of a value's class: the type that each is said to have, whether it is needed."""
    known = getattr(kind, "__value_defaults__", {})
    return {
        name: (kind.__annotations__[name], default is _UNSET) for name, default in known.items()
    }


def _dress(kind: type[Kind], *, by_name: bool) -> type[Kind]:
    names = tuple(kind.__annotations__)
    defaults = {name: kind.__dict__.get(name, _UNSET) for name in names}
    kept = {
        name: one
        for name, one in kind.__dict__.items()
        if name not in defaults and name not in ("__dict__", "__weakref__")
    }
    shared: dict[str, Callable[..., Any]] = {
        "__init__": _init,
        "__repr__": _repr,
        "__eq__": _eq,
        "__hash__": _hash,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__getstate__": _state,
        "__setstate__": _restore,
    }
    more = {
        "__slots__": names,
        "__match_args__": () if by_name else names,
        "__dataclass_fields__": _Fields(),
        "__value_defaults__": defaults,
        "__value_by_name__": by_name,
    }
    made: Any = type(kind.__name__, kind.__bases__, {**kept, **shared, **more})
    made.__qualname__ = kind.__qualname__
    found: type[Kind] = made
    return found


class _Fields:
    """The fields as dataclasses knows them, made where somebody asks."""

    def __get__(self, _one: object, kind: Any) -> object:
        from dataclasses import dataclass  # noqa: PLC0415  see the first lines

        given = {name: one for name, one in kind.__value_defaults__.items() if one is not _UNSET}
        said = {"__annotations__": kind.__annotations__, "__module__": kind.__module__}
        bare: Any = type(kind.__name__, (), {**given, **said})
        like: Any = dataclass(init=False, repr=False, eq=False, kw_only=kind.__value_by_name__)(
            bare
        )
        kind.__dataclass_fields__ = like.__dataclass_fields__
        return kind.__dataclass_fields__


def _init(self: Any, /, *given: object, **named: object) -> None:
    kind = type(self)
    known = kind.__value_defaults__
    places = () if kind.__value_by_name__ else kind.__slots__
    if len(given) > len(places):
        message = f"{kind.__name__}() takes {len(places)} values by place, {len(given)} were given"
        raise TypeError(message)
    values = {**dict(zip(places, given, strict=False)), **named}
    for name, default in known.items():
        if name in values:
            found = values.pop(name)
        else:
            found = _made(default)
            if found is _UNSET:
                raise TypeError(f"{kind.__name__}() misses {name}")
        object.__setattr__(self, name, found)
    if values or len({*places[: len(given)], *named}) < len(given) + len(named):
        odd = next(iter(values), "a value by place and by name")
        raise TypeError(f"{kind.__name__}() does not take {odd}")
    if hasattr(self, "__post_init__"):
        self.__post_init__()


def _made(default: Any) -> object:
    """A default as it is, or as what `dataclasses.field` says makes it."""
    dataclasses = sys.modules.get("dataclasses")
    if dataclasses is None or not isinstance(default, dataclasses.Field):
        return default
    if default.default_factory is not dataclasses.MISSING:
        return default.default_factory()
    return _UNSET if default.default is dataclasses.MISSING else default.default


def _parts(self: Any) -> tuple[object, ...]:
    return tuple(getattr(self, name) for name in type(self).__slots__)


def _repr(self: Any) -> str:
    said = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self).__slots__)
    return f"{type(self).__qualname__}({said})"


def _eq(self: Any, other: object) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return _parts(self) == _parts(other)


def _hash(self: Any) -> int:
    return hash(_parts(self))


def _state(self: Any) -> tuple[object, ...]:
    return _parts(self)


def _restore(self: Any, state: tuple[object, ...]) -> None:
    for name, one in zip(type(self).__slots__, state, strict=True):
        object.__setattr__(self, name, one)


def _refuse(self: Any, name: str, *_: object) -> NoReturn:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415  see the first lines

    raise FrozenInstanceError(f"cannot change {name} of {type(self).__name__}")
