"""Knobs: bounds, sources, refusals."""

import pytest

from loopgraph.model.errors import UsageError
from loopgraph.model.knobs import BY_NAME, KNOBS, SOURCE_NAMES, Set, Source, accept, allowed, bounds


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


CONTRACT = (
    ("FIRE_ROUND_CAP", 8, "1 to 50"),
    ("CONVERGE_EVERY", 5, "2 to 50"),
    ("NET_LINE_CAP", 400, "20 to 5000"),
    ("KEEP_ROUNDS", 5, "2 to 20"),
    ("OPEN_DIRECTIVE_CAP", 8, "1 to 20"),
    ("STANDING_CAP", 12, "1 to 30"),
    ("GAP_CAP", 12, "3 to 40"),
    ("OWNER_CAP", 6, "1 to 20"),
    ("METRIC_CAP", 12, "1 to 40"),
    ("FILE_LINE_CAP", 200, "120 to 400"),
    ("FILE_BYTE_CAP", 24_576, "12288 to 65536"),
    ("FIRE_OUTPUT_FLOOR", None, "one line of 1 to 300 characters"),
    ("YIELD_FLOOR", None, "1 to 50"),
    ("EXEC_INTERVAL", "10m", "1m to 1d"),
    ("SUP_INTERVAL", "30m", "1m to 1d"),
)


def test_the_knobs_are_those_of_the_contract():
    assert [(knob.name, knob.default, bounds(knob)) for knob in KNOBS] == list(CONTRACT)
    assert [allowed(knob) for knob in KNOBS] == [said for _, _, said in CONTRACT]


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.name)
def test_a_bound_is_allowed_and_what_lies_past_it_is_not(knob):
    def made(size):
        said = {"text": "x" * size, "interval": f"{size}m"}
        return said.get(knob.kind, str(size))

    for inside in (knob.low, knob.high):
        accept(knob.name, made(inside), Source.OWNER)
    for outside in (knob.low - 1, knob.high + 1):
        with pytest.raises(UsageError):
            accept(knob.name, made(outside), Source.OWNER)


@pytest.mark.parametrize(
    ("name", "given", "kept"),
    [
        ("FIRE_ROUND_CAP", "12", 12), ("EXEC_INTERVAL", "60m", "1h"),
        ("FIRE_OUTPUT_FLOOR", "  three rows ", "three rows"), ("YIELD_FLOOR", 3, 3),
    ],
)  # fmt: skip
def test_a_value_is_kept_in_one_form_with_its_source(name, given, kept):
    assert accept(name, given, Source.USER) == Set(kept, "user defaults")


@pytest.mark.parametrize("value", ["0000000008", "１２", " 8", "+8", "", 8.0, None, [8]])
def test_what_is_no_plain_whole_number_is_refused(value):
    with pytest.raises(UsageError, match="is not allowed"):
        accept("FIRE_ROUND_CAP", value, Source.OWNER)


def test_a_number_of_nine_digits_is_read():
    with pytest.raises(UsageError, match="Allowed: 20 to 5000"):
        accept("NET_LINE_CAP", "999999999", Source.OWNER)
    assert accept("NET_LINE_CAP", "000000400", Source.OWNER).value == 400


def test_who_set_a_value_is_ranked_and_named():
    assert sorted(Source) == [
        Source.DEFAULT, Source.USER, Source.PACK, Source.EARLIER, Source.ANSWERS,
        Source.COMMAND_LINE, Source.OWNER,
    ]  # fmt: skip
    assert set(SOURCE_NAMES) == set(Source)
    assert set(BY_NAME) == {name for name, _, _ in CONTRACT}
