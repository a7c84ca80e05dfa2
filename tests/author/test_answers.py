"""An answers file: what is wrong with it is said at once, and what is right is shown."""

from __future__ import annotations

import pytest

from loopgraph.author import answers
from loopgraph.edges import record
from loopgraph.model.errors import UsageError
from loopgraph.views import topics

WHOLE = dict.fromkeys(("outcome", "exit_checks", "audit_surface", "write_set"), "x")


def refused(*rows):
    with pytest.raises(UsageError) as error:
        answers.accept({"milestones": list(rows)}, None, "a.yaml", {})
    return error.value


def test_an_entry_is_told_all_that_is_wrong_with_it():
    said = refused({"outcome": "a", "write_set": ["src/"], "audit_surface": 3, "exit_check": "G-1"})
    assert said.where == "a.yaml: milestones[1]"
    assert said.what == (
        "exit_checks is missing; audit_surface: text is wanted, not a number; "
        "write_set: text is wanted, not a list; unknown key 'exit_check' "
        "(Did you mean exit_checks?)"
    )
    assert said.fix == "An example: loopgraph help answers"


def test_every_wrong_entry_is_named():
    said = refused(WHOLE, {**WHOLE, "outcome": " "}, "three", {**WHOLE, "write_set": {"a": 1}})
    assert said.where == "a.yaml: milestones[2]"
    assert said.what == (
        "outcome is missing; milestones[3]: a map with outcome, exit_checks, audit_surface, "
        "write_set is wanted; milestones[4]: write_set: text is wanted, not a map"
    )


@pytest.mark.parametrize(
    ("value", "kind"), [(["a"], "a list"), ({"a": 1}, "a map"), (True, "a truth value")]
)
def test_a_list_where_text_is_wanted_is_called_a_list(value, kind):
    with pytest.raises(UsageError) as error:
        answers.accept({"goal": value}, None, "a.yaml", {})
    assert error.value.what == f"one line of text is wanted here, not {kind}"
    assert "missing" not in str(error.value)


def test_the_example_of_help_and_of_the_printed_file_is_accepted():
    source = "\n".join(answers.example())
    found = answers.accept(answers.read(source, "a.yaml"), None, "a.yaml", {})
    assert [one.id for one in found.milestones] == ["M-1"]
    shown = topics.TOPICS["answers"]()
    printed = answers.skeleton()
    for line in answers.example():
        assert f"  {line}\n" in shown
        assert f"#   {line}\n" in printed
    below = printed.partition("#   milestones:")[2].split("\n#milestones:")[0]
    assert below.count("\n") == len(answers.example()) - 1
    assert record.load_yaml(printed, "a.yaml") is None
