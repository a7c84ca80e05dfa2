"""JSON of somebody else: where things stand, and edits in the manner of their neighbours."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import jsonspans

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


def said(text, node):
    """What the nodes say, by the library, each cut out of the text alone."""
    if node.kind == "object":
        return {item.key: said(text, item.value) for item in node.items}
    if node.kind == "array":
        return [said(text, item.value) for item in node.items]
    return json.loads(text[node.start : node.end])


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_value_is_found_where_it_stands(value, indent, plain):
    text = f" \r\n{json.dumps(value, indent=indent, ensure_ascii=plain)}\n"
    node = jsonspans.parse(text)
    assert said(text, node) == value
    assert json.loads(text[node.start : node.end]) == value
    assert (node.start, node.end) == (3, len(text) - 1)


def test_an_entry_begins_at_its_key_and_ends_before_its_comma():
    text = '{ "a" : [1 , {}] , "b" : "x,\\"}" }'
    first, second = jsonspans.parse(text).items
    assert text[first.start : first.end] == '"a" : [1 , {}]'
    assert text[second.start : second.end] == '"b" : "x,\\"}"'


@pytest.mark.parametrize("text", ["", " ", "{", "[1,]", "{} {}", "nul", '{"a" 1}', "// a\n{}", '"'])
def test_what_is_no_json_is_refused(text):
    for read in (jsonspans.parse, jsonspans.value):
        with pytest.raises(ValueError, match=r"^\D+"):
            read(text)


def test_a_bom_at_the_beginning_is_no_part_of_it():
    text = '\ufeff{"a": 1}'
    assert jsonspans.parse(text).start == 1
    assert jsonspans.value(text) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("{} // a\n[]", "{}     \n[]"), ("{} // a\r\n[]", "{}     \r\n[]"),
        ("// a\r[]", "    \r[]"), ("// a", "    "), ("/* a\n*/[]", "    \n  []"),
        ("/**/[]/*/*/", "    []     "), ("/* a", "/* a"), ("/*/", "/*/"),
        ('"// a" // b', '"// a"     '), ('"\\"// a" // b', '"\\"// a"     '),
        ('"a\\\\" // b', '"a\\\\"     '), ('"open // a', '"open // a'),
        ("a / b", "a / b"), ("", ""),
    ],
)  # fmt: skip
def test_a_comment_becomes_as_many_blanks(text, plain):
    assert jsonspans.without_comments(text) == plain


def test_comments_are_passed_over_only_where_they_are_allowed():
    text = '{ // one\n "a": 1 /* two */ }'
    assert jsonspans.value(text, comments=True) == {"a": 1}
    assert [item.key for item in jsonspans.parse(text, comments=True).items] == ["a"]
    with pytest.raises(ValueError, match=r"\w"):
        jsonspans.value(text)


def test_a_value_is_found_below_its_keys_and_of_two_the_last():
    text = '{"a": {"b": 1, "c": 2, "b": 3}, "d": []}'
    root = jsonspans.parse(text)
    found = jsonspans.find(root, ("a", "b"))
    assert found
    assert text[found.start : found.end] == "3"
    assert jsonspans.find(root, ()) == root
    assert jsonspans.find(root, ("a", "x", "y")) is None
    for path, named in ((("d", "x"), "d"), (("a", "c", "x"), r"a\.c")):
        with pytest.raises(ValueError, match=rf"^{named}$"):
            jsonspans.find(root, path)
    with pytest.raises(ValueError, match=r"^the whole$"):
        jsonspans.find(jsonspans.parse("[]"), ("a",))


PATH = ("hooks", "Stop")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n}\n'),
        (" \r\n", ' \r\n{\r\n  "hooks": {\r\n    "Stop": [\r\n      1\r\n    ]\r\n  }\r\n}\r\n'),
        ("{}", '{\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n}'),
        ("{\n}", '{\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n}'),
        ('{"a": 1}', '{"a": 1, "hooks": {"Stop": [1]}}'),
        ('{"hooks": {"Stop": []}}', '{"hooks": {"Stop": [1]}}'),
        ('{"hooks": {"Stop": [0]}}', '{"hooks": {"Stop": [0, 1]}}'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t1\n\t\t]\n\t}\n}\n'),
        (
            '{\n    "hooks": {\n        "Stop": []\n    }\n}',
            '{\n    "hooks": {\n        "Stop": [\n            1\n        ]\n    }\n}',
        ),
        (
            '{\r\n "hooks": {\r\n  "Stop": [\r\n   0\r\n  ]\r\n }\r\n}',
            '{\r\n "hooks": {\r\n  "Stop": [\r\n   0,\r\n   1\r\n  ]\r\n }\r\n}',
        ),
        ('{\n  "hooks": {"Stop": [0]}\n}', '{\n  "hooks": {"Stop": [0, 1]}\n}'),
    ],
)
def test_an_entry_is_put_in_as_its_neighbours_are_written(before, after):
    edit = jsonspans.put(before, PATH, 1)
    assert edit.text == after
    assert edit.text.replace(edit.inserted, "", 1) == before


@pytest.mark.parametrize(
    ("before", "made"),
    [
        ("", ("hooks", "hooks.Stop")), ("{}", ("hooks", "hooks.Stop")),
        ('{"hooks": {}}', ("hooks.Stop",)), ('{"hooks": {"Stop": []}}', ()),
    ],
)  # fmt: skip
def test_the_keys_that_were_made_on_the_way_are_told(before, made):
    assert jsonspans.put(before, PATH, 1).made == made


@pytest.mark.parametrize(
    ("before", "named"),
    [
        ("[]", "the whole"), ("3", "the whole"), ('{"hooks": []}', "hooks"),
        ('{"hooks": 1}', "hooks"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop"), ('{"hooks": {"Stop": "x"}}', "hooks.Stop"),
    ],
)  # fmt: skip
def test_a_value_on_the_way_that_is_of_another_kind_is_named(before, named):
    with pytest.raises(ValueError, match=rf"^{named}$"):
        jsonspans.put(before, PATH, 1)


@pytest.mark.parametrize(
    ("before", "keys"),
    [
        ("", ["version", "hooks"]), ("{}", ["version", "hooks"]), (" { } ", ["version", "hooks"]),
        ('{"a": 1}', ["a", "hooks"]),
    ],
)  # fmt: skip
def test_a_head_comes_first_in_a_file_that_has_nothing_yet_and_in_no_other(before, keys):
    made = json.loads(jsonspans.put(before, PATH, 1, head={"version": 1}).text)
    assert list(made) == keys


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a": [1 // one\n]}', '{"a": [2, 1 // one\n]}'),
        ("// none", '// none\n{\n  "a": [\n    2\n  ]\n}\n'),
        ("// none\n", '// none\n{\n  "a": [\n    2\n  ]\n}\n'),
    ],
)
def test_a_comment_stays_with_what_it_is_about(before, after):
    assert jsonspans.put(before, ("a",), 2, comments=True).text == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a": 1}', '{"a": {"b": [2]}}'),
        ('{\n  "a": {\n    "x": 1\n  }\n}', '{\n  "a": {\n    "b": [\n      2\n    ]\n  }\n}'),
        ('{\n  "a": 1\n}', '{\n  "a": {"b": [2]}\n}'),
    ],
)
def test_a_value_is_replaced_in_one_line_or_many_as_it_was(before, after):
    node = jsonspans.find(jsonspans.parse(before), ("a",))
    assert node
    assert jsonspans.replaced(before, node, {"b": [2]}) == after


@pytest.mark.parametrize(
    ("at", "after"),
    [(0, "[ 2,\n 3 ]"), (1, "[ 1,\n 3 ]"), (2, "[ 1, 2 ]")],
)
def test_an_entry_is_taken_out_with_its_comma_and_its_blanks(at, after):
    text = "[ 1, 2,\n 3 ]"
    assert jsonspans.without(text, jsonspans.parse(text), at) == after


def test_the_only_entry_leaves_an_empty_container():
    text = '{ "a": 1 }'
    assert jsonspans.without(text, jsonspans.parse(text), 0) == "{ }"


@pytest.mark.parametrize(
    ("text", "at", "after"),
    [
        ("[1, // one\n2]", 0, "[ // one\n2]"),
        ("[1, // one\n2]", 1, "[1 // one\n]"),
        ("[/* one */ 1]", 0, "[/* one */ ]"),
        ("[1 /* one */, 2]", 1, "[1 /* one */ ]"),
        ("[1, 2, 3] // x", 1, "[1, 3] // x"),
    ],
)
def test_comments_stay_where_an_entry_goes(text, at, after):
    root = jsonspans.parse(text, comments=True)
    done = jsonspans.without(text, root, at, comments=True)
    assert done == after
    jsonspans.value(done, comments=True)


def test_what_is_nested_too_deep_is_refused():
    for deep in (700, 100_000):
        with pytest.raises(ValueError, match=r"\w"):
            jsonspans.parse("[" * deep + "]" * deep)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('\n  {"a": 1,\n   "b": 2}', '\n  {"a": 1,\n   "b": 2, "hooks": {"Stop": [1]}}'),
        ("\n  {}", '\n  {\n    "hooks": {\n      "Stop": [\n        1\n      ]\n    }\n  }'),
        (
            '\r\r {\r  "a": 1\r }',
            '\r\r {\r  "a": 1,\r  "hooks": {\r   "Stop": [\r    1\r   ]\r  }\r }',
        ),
        ("\r  {}", '\r  {\r    "hooks": {\r      "Stop": [\r        1\r      ]\r    }\r  }'),
        ('{ "a": 1 }\n', '{ "a": 1, "hooks": {"Stop": [1]} }\n'),
        ("{ }", '{\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n }'),
        (
            '\ufeff{\n\t\t"a": 1\n}',
            '\ufeff{\n\t\t"a": 1,\n\t\t"hooks": {\n\t\t\t\t"Stop": [\n'
            + "\t" * 6 + "1\n\t\t\t\t]\n\t\t}\n}",
        ),
    ],
)  # fmt: skip
def test_an_entry_has_the_indentation_of_its_place(before, after):
    edit = jsonspans.put(before, PATH, 1)
    assert edit.text == after
    assert json.loads(edit.text.removeprefix("\ufeff"))["hooks"] == {"Stop": [1]}


def test_letters_are_put_in_as_they_are():
    assert jsonspans.put('{"a": 1}', ("钩",), "停").text == '{"a": 1, "钩": ["停"]}'
    text = '{"a": 1}'
    node = jsonspans.find(jsonspans.parse(text), ("a",))
    assert node
    assert jsonspans.replaced(text, node, "停") == '{"a": "停"}'


def test_of_two_entries_that_are_put_in_together_each_has_its_line():
    made = jsonspans.put("{\n}", ("hooks",), 1, head={"version": 1, "x": {}})
    assert made.text == '{\n  "version": 1,\n  "x": {},\n  "hooks": [\n    1\n  ]\n}'
    assert jsonspans.put("[]", (), 1).text == "[\n  1\n]"
    assert jsonspans.put("[0]", (), 1).text == "[0, 1]"
