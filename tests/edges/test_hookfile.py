"""Our hook in a client's file: found, put in, renewed, taken out."""

from __future__ import annotations

import json

import pytest

from loopgraph.edges import hookfile
from loopgraph.edges.hookfile import Shape
from loopgraph.model.errors import UnreadableError

GROUPED = Shape(("hooks", "Stop"))
BARE = Shape(("hooks", "stop"), grouped=False, head=(("version", 1),), only=("version", "hooks"))
OURS = {"type": "command", "command": "python -m loopgraph hook stop"}
OLDER = {"type": "command", "command": "old -m loopgraph hook stop", "timeout": 5}
OTHER = {"type": "command", "command": "true"}


def grouped(*groups):
    return json.dumps({"hooks": {"Stop": [{"hooks": list(group)} for group in groups]}}, indent=2)


def bare(*handlers, **more):
    return json.dumps({"version": 1, "hooks": {"stop": list(handlers)}, **more})


@pytest.mark.parametrize(
    ("handler", "mine"),
    [
        (OURS, True), (OLDER, True), ({"command": "loopgraph hook  stop"}, True),
        ({"command": "loopgraph", "args": ["hook", "stop", 3]}, True),
        ({"bash": "loopgraph hook stop"}, True), ({"powershell": "loopgraph hook stop"}, True),
        ({"windows": "loopgraph hook stop"}, True), ({"command": "loopgraph hook other"}, False),
        ({"command": "other hook stop"}, False), ({"prompt": "loopgraph hook stop"}, False),
        ({"command": 3, "args": "loopgraph hook stop"}, False), (OTHER, False), ({}, False),
        (None, False), ("loopgraph hook stop", False),
    ],
)  # fmt: skip
def test_a_handler_is_ours_by_what_it_runs(handler, mine):
    assert hookfile.is_mine(handler) is mine


def test_our_handlers_are_found_with_their_places():
    text = grouped((OTHER,), (OTHER, OLDER), (OURS,))
    found = hookfile.mine(text, GROUPED, "f")
    assert [(one.entry, one.place, one.alone) for one in found] == [(1, 1, False), (2, 0, True)]
    assert [dict(one.handler) for one in found] == [OLDER, OURS]
    (only,) = hookfile.mine(bare(OTHER, OURS), BARE, "f")
    assert (only.entry, only.place, only.alone) == (1, 0, True)


@pytest.mark.parametrize(
    "text",
    ["", " \r\n", "\ufeff", "{}", '{"hooks": {}}', '{"hooks": {"Stop": []}}',
     '{"hooks": {"Stop": [3, {}, {"hooks": 3}, null]}}'],
)  # fmt: skip
def test_where_no_hook_is_ours_none_is_found(text):
    assert hookfile.mine(text, GROUPED, "f") == ()
    assert hookfile.is_last(text, GROUPED, "f")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "f: no JSON object"),
        ('{"a"', "f:1: not valid JSON"), ("{\n,", "f:2: not valid JSON"),
        ('{"hooks": 3}', "f: `hooks` is no object. Mend it by hand."),
        ('{"hooks": {"Stop": {}}}', "f: `hooks.Stop` is no list. Mend it by hand."),
    ],
)  # fmt: skip
def test_a_file_of_another_form_is_refused_with_what_is_wrong(text, says):
    with pytest.raises(UnreadableError) as refused:
        hookfile.mine(text, GROUPED, "f")
    assert str(refused.value).startswith(says)


def test_a_key_that_makes_the_host_drop_the_file_is_named():
    with pytest.raises(UnreadableError, match="because of its key 'odd' the host drops"):
        hookfile.mine(bare(odd=1), BARE, "f")


def test_comments_are_read_only_where_the_host_takes_them():
    text = '// mine\n{"hooks": {"Stop": []}} // end'
    taking = GROUPED._replace(comments=True)
    assert hookfile.mine(text, taking, "f") == ()
    assert hookfile.mine("// nothing yet", taking, "f") == ()
    for broken, shape in ((text, GROUPED), ("// nothing yet", GROUPED), ("// a\n{", taking)):
        with pytest.raises(UnreadableError, match="not valid JSON"):
            hookfile.mine(broken, shape, "f")


def test_ours_is_the_last_where_nobody_stands_behind_it():
    assert hookfile.is_last(grouped((OTHER,), (OURS,)), GROUPED, "f")
    assert not hookfile.is_last(grouped((OURS,), (OTHER,)), GROUPED, "f")


@pytest.mark.parametrize("before", ["", "{}", grouped((OTHER,)), '{"a": 1}'])
def test_what_is_put_in_is_one_piece_that_comes_out_again(before):
    change = hookfile.with_entry(before, OURS, GROUPED, "f")
    assert json.loads(change.text)["hooks"]["Stop"][-1] == {"hooks": [OURS]}
    assert change.clean == before
    assert change.text.replace(change.inserted, "", 1) == before
    again = hookfile.with_entry(change.text, OURS, GROUPED, "f")
    assert again.text == change.text
    assert again.inserted == ""
    out = hookfile.without(change.text, GROUPED, "f", inserted=change.inserted, made=change.made)
    assert out == before


def test_an_earlier_entry_of_ours_is_renewed_in_its_place_and_a_second_goes():
    before = grouped((OTHER, OLDER), (OLDER,), (OTHER,))
    change = hookfile.with_entry(before, OURS, GROUPED, "f")
    assert json.loads(change.text) == json.loads(grouped((OTHER, OURS), (OTHER,)))
    assert json.loads(change.clean) == json.loads(grouped((OTHER,), (OTHER,)))
    twice = hookfile.with_entry(grouped((OLDER, OURS)), OURS, GROUPED, "f")
    assert json.loads(twice.text) == json.loads(grouped((OURS,)))
    assert json.loads(hookfile.with_entry(bare(OLDER), OURS, BARE, "f").text) == json.loads(
        bare(OURS)
    )


def test_ours_goes_and_the_keys_that_were_made_for_it_if_they_are_empty():
    text = grouped((OURS,))
    assert json.loads(hookfile.without(text, GROUPED, "f")) == {"hooks": {"Stop": []}}
    made = ("hooks", "hooks.Stop")
    assert json.loads(hookfile.without(text, GROUPED, "f", made=made)) == {}
    other = grouped((OURS,), (OTHER,))
    left = hookfile.without(other, GROUPED, "f", made=made)
    assert json.loads(left) == json.loads(grouped((OTHER,)))


def test_a_piece_that_stands_there_twice_is_not_what_is_cut():
    text = grouped((OURS,), (OURS,))
    piece = json.dumps(OURS, indent=2)[:4]
    assert json.loads(hookfile.without(text, GROUPED, "f", inserted=piece))["hooks"]["Stop"] == []


def test_a_file_to_paste_is_one_line_with_its_head():
    said = hookfile.snippet(OURS, BARE)
    assert "\n" not in said
    assert json.loads(said) == {"version": 1, "hooks": {"stop": [OURS]}}
    assert json.loads(hookfile.snippet(OURS, GROUPED)) == json.loads(grouped((OURS,)))


@pytest.mark.parametrize(
    ("text", "is_bare"),
    [
        ("", True),
        ("{}", True),
        ('{"version": 1}', True),
        (bare(), False),
        ("[]", False),
        ("{", False),
    ],
)
def test_a_file_is_bare_that_holds_no_more_than_a_new_one(text, is_bare):
    assert hookfile.is_bare(text, BARE) is is_bare


def test_an_entry_of_ours_that_stands_behind_another_of_its_group_goes_alone():
    before = grouped((OLDER, OTHER, OLDER), (OTHER,))
    change = hookfile.with_entry(before, OURS, GROUPED, "f")
    assert json.loads(change.text) == json.loads(grouped((OURS, OTHER), (OTHER,)))
    assert json.loads(change.clean) == json.loads(grouped((OTHER,), (OTHER,)))
    assert (change.inserted, change.made) == ("", ())
    assert json.loads(hookfile.without(before, GROUPED, "f")) == json.loads(
        grouped((OTHER,), (OTHER,))
    )


def test_three_groups_of_ours_become_one_where_the_first_stood():
    before = grouped((OLDER,), (OTHER,), (OLDER,), (OURS, OLDER))
    change = hookfile.with_entry(before, OURS, GROUPED, "f")
    assert json.loads(change.text) == json.loads(grouped((OURS,), (OTHER,)))


def test_what_is_as_it_should_be_stays_byte_for_byte():
    text = grouped((OTHER,), (OURS,)) + "\n\n"
    change = hookfile.with_entry(text, OURS, GROUPED, "f")
    assert change.text == text
    assert json.loads(change.clean) == json.loads(grouped((OTHER,)))


def test_keys_that_were_made_stay_where_somebody_uses_them():
    made = ("hooks", "hooks.Stop")
    text = json.dumps({"hooks": {"Stop": [{"hooks": [OURS]}], "Start": []}})
    assert json.loads(hookfile.without(text, GROUPED, "f", made=made)) == {"hooks": {"Start": []}}
    assert hookfile.without("{}", GROUPED, "f", made=made) == "{}"
    scalar = json.dumps({"hooks": {"Stop": []}, "x": 0})
    assert json.loads(hookfile.without(scalar, GROUPED, "f", made=("x",))) == {
        "hooks": {"Stop": []}, "x": 0,
    }  # fmt: skip


def test_a_piece_that_is_ours_no_more_is_not_cut_blindly():
    text = grouped((OURS,))
    odd = '"command": "python -m loopgraph hook stop"'
    assert text.count(odd) == 1
    left = hookfile.without(text, GROUPED, "f", inserted=odd)
    assert json.loads(left) == {"hooks": {"Stop": []}}
    other = grouped((OTHER,), (OURS,))
    piece = json.dumps({"hooks": [OTHER]}, indent=2)
    assert json.loads(hookfile.without(other, GROUPED, "f", inserted=piece)) == json.loads(
        grouped((OTHER,))
    )


def test_a_bare_list_of_handlers_is_ours_one_by_one():
    text = bare(OLDER, OTHER, OURS)
    assert [one.entry for one in hookfile.mine(text, BARE, "f")] == [0, 2]
    change = hookfile.with_entry(text, OURS, BARE, "f")
    assert json.loads(change.text) == json.loads(bare(OURS, OTHER))
    assert json.loads(hookfile.with_entry("", OURS, BARE, "f").text) == json.loads(bare(OURS))
    assert hookfile.entry(OURS, BARE) == OURS
    assert hookfile.entry(OURS, GROUPED) == {"hooks": [OURS]}


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        ({"command": "a", "bash": "b", "args": ["c", 1, "d"]}, "a b c d"), ({"args": ["c"]}, "c"),
        ({"command": ["a"], "windows": "w"}, "w"), ({}, ""),
    ],
)  # fmt: skip
def test_what_a_handler_runs_is_its_command_with_its_arguments(handler, said):
    assert hookfile.command(handler) == said
