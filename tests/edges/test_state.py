"""The evidence state on disk."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import state
from loopgraph.model.errors import UnreadableError

LINE = st.text().filter(str.strip)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        name: st.lists(LINE).map(tuple) if name in state.LISTS else LINE for name in state.FIELDS
    },
)


@given(values=VALUES)
def test_what_is_set_is_read_back_and_the_rest_is_as_it_was(values):
    before = state.empty("goal")
    found = state.read(state.changed(before, "s", values), "s")
    assert found == state.read(before, "s")._replace(**values)


def test_a_field_keeps_the_name_that_the_file_has_for_it():
    source = json.dumps({"task_description": "old", "evidence": ["a.log"], "theirs": 1})
    found = json.loads(state.changed(source, "s", {"goal": "new", "artifacts": ("b.log",)}))
    assert found == {"task_description": "new", "evidence": ["b.log"], "theirs": 1}


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("one fact", ("one fact",)),
        (["a", "", "b"], ("a", "b")),
        ([], ()),
        (None, ()),
        ({"claim": "x", "at": "a.log"}, ('{"claim": "x", "at": "a.log"}',)),
        ([{"claim": "x"}, 3], ('{"claim": "x"}', "3")),
    ],
)
def test_a_list_is_read_in_every_form_that_people_write(value, read):
    assert state.read(json.dumps({"last_verified": value}), "s").last_verified == read


def test_a_list_of_lists_is_refused_with_its_field():
    with pytest.raises(UnreadableError) as told:
        state.read('{"next_actions": [["x"]]}', "s.json")
    assert told.value.where == "s.json: next_actions"


def test_an_absent_state_says_nothing():
    assert not any(state.read(None, "s"))
