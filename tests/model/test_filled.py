"""Values are put into a text all at once."""

from hypothesis import given
from hypothesis import strategies as st

from loopgraph.author.wording import say
from loopgraph.model.messages import filled

VALUES = st.text(alphabet="ab{}_", max_size=12)


@given(VALUES, VALUES)
def test_a_brace_in_a_value_stays_a_brace(one, other):
    assert filled("<{a}|{b}|{c}>", {"a": one, "b": other}) == f"<{one}|{other}|{{c}}>"


def test_a_gate_that_an_owner_named_with_braces_is_said_as_it_is():
    said = say("carried.gate", "en", gate="a {next} b", status="open", next="OWNED")
    assert "a {next} b" in said
    assert said.count("OWNED") == 1
