"""A record of our own form is typed without the library, and never otherwise than it types it."""

from __future__ import annotations

import copy
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import owntypes, ownyaml
from loopgraph.model.errors import LoopgraphError
from loopgraph.model.spec import RunSpec
from tests.check import compiled

ODD: tuple[Any, ...] = (
    "",
    "x",
    "none",
    0,
    1,
    -1,
    1.0,
    True,
    None,
    [],
    {},
    ["x"],
    {"x": "y"},
    [["x"]],
    [{}],
)


def said(pack):
    data = ownyaml.read(compiled.files(pack)["run.yaml"])
    assert isinstance(data, dict)
    return {key: value for key, value in data.items() if key in RunSpec.__dataclass_fields__}


@pytest.mark.parametrize("pack", compiled.PACKS)
def test_what_we_write_is_typed_as_the_library_types_it(pack):
    found = owntypes.read(said(pack), RunSpec)
    assert found == msgspec.convert(said(pack), RunSpec)
    assert repr(found) == repr(msgspec.convert(said(pack), RunSpec))


def places(data, path=()):
    """Every place of plain data."""
    yield path
    inside = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in inside:
        yield from places(value, (*path, key))


WHOLE = said("deliver")
PLACES = [path for path in places(WHOLE) if path]


def put(path, change):
    data = copy.deepcopy(WHOLE)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return data


def by_library(data):
    try:
        return msgspec.convert(data, RunSpec)
    except (msgspec.ValidationError, LoopgraphError):
        return None


@given(path=st.sampled_from(PLACES), odd=st.sampled_from(ODD), gone=st.booleans())
def test_what_is_not_so_is_left_to_the_library_or_typed_as_it_types_it(path, odd, gone):
    def change(inner, key):
        if gone:
            del inner[key]
        else:
            inner[key] = copy.deepcopy(odd)

    data = put(path, change)
    try:
        found = owntypes.read(data, RunSpec)
    except ownyaml.NotOursError:
        return
    assert found == by_library(data)
    assert repr(found) == repr(by_library(data))


def test_a_key_that_nobody_knows_is_passed_over_as_the_library_does():
    data = {**WHOLE, "unheard": 1}
    assert owntypes.read(data, RunSpec) == msgspec.convert(data, RunSpec)


def test_our_own_record_is_read_without_the_library(tmp_path):
    place = tmp_path / "run.yaml"
    place.write_text(compiled.files("deliver")["run.yaml"], "utf-8")
    code = (
        "import sys; from pathlib import Path; from loopgraph.edges import record;"
        f"record.read(Path({str(place)!r}).read_text('utf-8'));"
        "print([name for name in ('msgspec', 'yaml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
