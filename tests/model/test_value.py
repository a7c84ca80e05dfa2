"""A value behaves as the frozen dataclass that it is in place of."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from loopgraph.model.value import named_value, value


def shape(decorator):
    @decorator
    class Point:
        """A place."""

        x: int
        y: int = 2
        tags: tuple[str, ...] = field(default_factory=tuple)

        def __post_init__(self):
            if self.x < 0:
                raise ValueError(self.x)

    return Point


OURS = shape(value)
THEIRS = shape(dataclass(frozen=True, slots=True))


@pytest.mark.parametrize("make", [
    lambda kind: kind(1), lambda kind: kind(1, 3), lambda kind: kind(y=3, x=1),
    lambda kind: kind(1, tags=("a",)), lambda kind: replace(kind(1), x=5),
])  # fmt: skip
def test_a_value_is_made_shown_and_compared_as_a_dataclass(make):
    ours, other = make(OURS), make(THEIRS)
    assert repr(ours) == repr(other)
    for name in [one.name for one in fields(other)]:
        assert getattr(ours, name) == getattr(other, name)
    assert ours == make(OURS)
    assert hash(ours) == hash(make(OURS)) == hash(other)
    assert ours != OURS(9)
    assert ours != other


@pytest.mark.parametrize("make", [
    lambda kind: kind(), lambda kind: kind(1, 2, (), 4), lambda kind: kind(1, x=1),
    lambda kind: kind(1, z=1),
])  # fmt: skip
def test_a_wrong_call_is_refused(make):
    for kind in (OURS, THEIRS):
        with pytest.raises(TypeError):
            make(kind)


def test_a_value_refuses_by_its_own_law_and_never_changes():
    for kind in (OURS, THEIRS):
        with pytest.raises(ValueError, match="-1"):
            kind(-1)
        one = kind(1)
        with pytest.raises(FrozenInstanceError):
            one.x = 2
        with pytest.raises(FrozenInstanceError):
            del one.x
        assert not hasattr(one, "__dict__")


def test_a_named_value_takes_no_field_by_place():
    kind = shape(named_value)
    assert kind(x=1).y == 2
    with pytest.raises(TypeError):
        kind(1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda kind: kind(), "Point() misses x"),
        (lambda kind: kind(1, 2, (), 4), "Point() takes 3 values by place, 4 were given"),
        (lambda kind: kind(1, z=1), "Point() does not take z"),
        (lambda kind: kind(1, x=1), "Point() does not take a value by place and by name"),
    ],
)
def test_a_wrong_call_is_told_what_is_wrong(make, said):
    with pytest.raises(TypeError) as refused:
        make(OURS)
    assert str(refused.value) == said


def test_values_of_two_kinds_are_never_equal_though_their_fields_are():
    other = shape(value)
    assert OURS(1).__eq__(other(1)) is NotImplemented
    assert OURS(1).__eq__(OURS(1)) is True
    assert OURS(1).__eq__(OURS(1, 3)) is False


def test_who_would_change_a_value_is_told_of_which():
    with pytest.raises(FrozenInstanceError, match="cannot change x of Point"):
        OURS(1).x = 2
