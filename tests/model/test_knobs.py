"""Knobs: bounds, sources, refusals."""

import pytest

from loopgraph.model.errors import UsageError
from loopgraph.model.knobs import KNOBS, Set, Source, accept


@pytest.mark.parametrize("knob", [k for k in KNOBS if k.default is not None], ids=lambda k: k.name)
def test_every_default_is_within_its_own_bounds(knob):
    assert accept(knob.name, knob.default, Source.DEFAULT) == Set(knob.default, "default")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FIRE_ROUND_CAP", 0),
        ("FIRE_ROUND_CAP", 51),
        ("FIRE_ROUND_CAP", "8.5"),
        ("FIRE_ROUND_CAP", True),
        ("FIRE_ROUND_CAP", "eight"),
        ("FIRE_ROUND_CAP", -1),
        ("EXEC_INTERVAL", "2d"),
        ("EXEC_INTERVAL", 10),
        ("FIRE_OUTPUT_FLOOR", ""),
        ("FIRE_OUTPUT_FLOOR", "two\nlines"),
        ("FILE_BYTE_CAP", 100),
    ],
)
def test_a_value_out_of_bounds_is_refused_with_range_and_source(name, value):
    with pytest.raises(UsageError) as refused:
        accept(name, value, Source.ANSWERS)
    assert refused.value.where == f"{name} (answers file)"
    assert refused.value.fix.startswith("Allowed: ")


def test_an_unknown_knob_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match="Did you mean FIRE_ROUND_CAP"):
        accept("FIRE_ROUNDS_CAP", 8, Source.PACK)
