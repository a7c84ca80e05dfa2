"""A loop file: its values, and edits that touch nothing else."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.plain import loopfile

LINE = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=20)
VALUE = LINE.map(loopfile.quoted) | st.sampled_from(["DONE", "null", "~", "'it''s'", "a # b", "1"])


@st.composite
def files(draw):
    """A loop file as somebody may write it, and its number."""
    number = draw(st.integers(0, 999))
    blank = draw(st.sampled_from(["", " ", "   "]))
    entries = [f"iteration:{blank}{number}{draw(st.sampled_from(['', '  # note', ' ']))}"]
    entries += [f"completion_promise: {draw(VALUE)}"] * draw(st.booleans())
    entries += [f"max_iterations: {draw(st.integers(-5, 500))}"] * draw(st.booleans())
    entries += draw(st.lists(LINE.map("# {}".format) | LINE.map("  nested: {}".format)))
    entries = draw(st.permutations(entries))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    prompt = draw(st.text(min_size=1).filter(str.strip))
    return end.join(["---", *entries, "---", ""]) + prompt, number


@given(files(), st.integers(0, 10**8))
def test_a_new_number_changes_no_other_byte(file, after):
    text, number = file
    loop = loopfile.Loop(text)
    assert loop.iteration == number
    changed = loop.with_value("iteration", str(after))
    again = loopfile.Loop(changed)
    assert again.iteration == after
    assert again.prompt == loop.prompt
    assert {**again.values, "iteration": ""} == {**loop.values, "iteration": ""}
    assert again.with_value("iteration", loop.values["iteration"] or "") == text


@given(files(), st.text())
def test_any_value_can_be_written_and_read_again(file, value):
    loop = loopfile.Loop(file[0])
    again = loopfile.Loop(loop.with_value("session_id", loopfile.quoted(value)))
    assert again.session == value
    assert again.prompt == loop.prompt


@given(LINE)
def test_a_quoted_value_is_what_yaml_reads(value):
    head = f"iteration: 1\ncompletion_promise: {loopfile.quoted(value)}"
    loop = loopfile.Loop(f"---\n{head}\n---\nx")
    assert (loop.values["completion_promise"] or "") == yaml.safe_load(head)["completion_promise"]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("DONE", "DONE"), ('"DONE"', "DONE"), ("'it''s'", "it's"), ("a # b", "a"), ("a#b", "a#b"),
        ('"a # b" # c', "a # b"), ("", None), ("null", None), ("~", None), ('""', ""),
        ("# x", None),
        ('"\\u5b8c\\x41\\n"', "完A\n"), ("a: b", "a: b"),
    ],
)  # fmt: skip
def test_values_are_read_as_yaml_means_them(said, value):
    loop = loopfile.Loop(f"---\niteration: 1\ncompletion_promise: {said}\n---\nx")
    assert loop.values["completion_promise"] == value


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "---\n", "---\niteration: 1\n", "---\n---\nx", "---\niteration:\n---\nx",
        "---\niteration: one\n---\nx", "---\niteration: -1\n---\nx", "---\niteration: 1.5\n---\nx",
        "---\niteration: 1\niteration: 2\n---\nx", "---\niteration: 1\n---\n",
        "---\niteration: 1\n---\n\n",
        "---\niteration: 1\nno entry\n---\nx", '---\niteration: 1\nsession_id: "a\n---\nx',
        '---\niteration: 1\nsession_id: "a" b\n---\nx', "---\niteration: 12345678901\n---\nx",
        "---\niteration: ٣\n---\nx", '---\niteration: 1\nsession_id: "\\q"\n---\nx',
    ],
)  # fmt: skip
def test_what_no_loop_can_go_on_with_is_corrupt(text):
    with pytest.raises(loopfile.CorruptError):
        loopfile.Loop(text)


@given(st.text() | files().map(lambda file: file[0][:-3]))
def test_any_text_is_a_loop_or_corrupt(text):
    try:
        loop = loopfile.Loop(text)
    except loopfile.CorruptError:
        return
    assert text.endswith(loop.prompt.rstrip("\r\n") + text[len(text.rstrip("\r\n")) :])


def loop(*lines, prompt="x"):
    return loopfile.Loop("\n".join(["---", "iteration: 1", *lines, "---", prompt]))


def test_a_mark_of_byte_order_stands_before_the_front_matter():
    text = "\ufeff---\niteration: 3\n---\nx"
    found = loopfile.Loop(text)
    assert found.iteration == 3
    assert found.with_value("iteration", "4") == text.replace("3", "4")
    with pytest.raises(loopfile.CorruptError):
        loopfile.Loop("\ufeff\ufeff---\niteration: 3\n---\nx")


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("session_id:", 'session_id: "s"'), ("session_id: ", 'session_id: "s"'),
        ("session_id:a", 'session_id:"s"'), ("session_id:  a  # b", 'session_id:  "s"  # b'),
        ('"session_id": a', '"session_id": "s"'), ("session_id: # b", 'session_id: "s" # b'),
    ],
)  # fmt: skip
def test_a_value_is_written_where_it_stands(line, after):
    text = f"---\niteration: 1\n{line}\n---\nx"
    changed = loopfile.Loop(text).with_value("session_id", '"s"')
    assert changed == text.replace(line, after)
    assert loopfile.Loop(changed).session == "s"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_key_that_is_not_there_becomes_the_last_line_of_the_front_matter(end):
    text = end.join(["---", "iteration: 1", "---", "--- x"])
    assert loopfile.Loop(text).with_value("active", "false") == end.join(
        ["---", "iteration: 1", "active: false", "---", "--- x"]
    )


@pytest.mark.parametrize(
    ("said", "active"),
    [("true", True), ("false", False), ("No", False), ("OFF", False), ("", True), ("0", True)],
)
def test_the_owners_stop_is_one_of_a_few_words(said, active):
    assert loop(f"active: {said}").active is active
    assert loop().active is True


@pytest.mark.parametrize(
    ("said", "endless"), [("true", True), ("Yes", True), ("on", True), ("1", False), ("", False)]
)
def test_the_limit_is_lifted_by_a_few_words(said, endless):
    assert loop(f"endless: {said}").endless is endless
    assert loop().endless is False


def test_what_a_loop_does_not_say_is_nothing():
    bare = loop()
    assert (bare.max_iterations, bare.promise, bare.session, bare.copy_of) == (0, None, "", "")
    assert not bare.strict
    assert loop("output: Strict").strict
    assert not loop("output: strictly").strict
    assert loop('task: "fix"').copy_of == "fix"
    assert loop('completion_promise: " "').promise is None
    assert loop("max_iterations: +7").max_iterations == 7
    assert loop("max_iterations: -7").max_iterations == -7


@pytest.mark.parametrize(
    ("body", "prompt"),
    [("x", "x"), ("x\n", "x"), ("x\r\n", "x"), ("x\n\n", "x\n"), ("x\r", "x\r"), (" x ", " x ")],
)
def test_a_prompt_is_all_behind_the_front_matter_but_its_last_line_end(body, prompt):
    assert loop(prompt=body).prompt == prompt


@pytest.mark.parametrize(("digits", "may"), [(9, True), (10, False)])
def test_a_number_has_as_many_digits_as_a_count_may_have(digits, may):
    text = f"---\niteration: {'9' * digits}\n---\nx"
    if may:
        assert loopfile.Loop(text).iteration == int("9" * digits)
    else:
        with pytest.raises(loopfile.CorruptError, match="iteration is no number"):
            loopfile.Loop(text)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("a\t# b", "a"), ("a \t # b", "a"), ("a#b # c", "a#b"), ("a # b\t# c", "a"), ("#a", None),
        ("a\t", "a"), ("'a'\t# b", "a"), ("Null", None), ("nUll", "nUll"), ("''", ""),
        ("'a''b'", "a'b"),
        ('"a\\"b"', 'a"b'), ('"\\u00e9\\U0001f600"', "é😀"),
    ],
)  # fmt: skip
def test_a_comment_ends_a_value_behind_a_blank_or_a_tab(said, value):
    assert loop(f"completion_promise: {said}").values["completion_promise"] == value


@pytest.mark.parametrize(
    "said", ["'a", "'a'b", "'a'#b", '"a"#b', '"a\\x4"', '"a\\uZZZZ"', '"\\U00110000"', '"a\\']
)
def test_a_value_that_is_never_closed_is_corrupt(said):
    with pytest.raises(loopfile.CorruptError):
        loop(f"completion_promise: {said}")


@pytest.mark.parametrize("said", ["many", "", "1.5", "- 1", '""', "1234567890"])
def test_a_limit_that_is_no_number_makes_the_loop_corrupt(said):
    with pytest.raises(loopfile.CorruptError, match="max_iterations is no number"):
        loop(f"max_iterations: {said}")


@pytest.mark.parametrize("mark", ["---X", "----", "--", "--- #", " ---"])
def test_front_matter_begins_and_ends_with_three_hyphens_alone(mark):
    for text in (f"{mark}\niteration: 1\n---\nx", f"---\niteration: 1\n{mark}\nx"):
        with pytest.raises(loopfile.CorruptError):
            loopfile.Loop(text)
    assert loopfile.Loop("--- \t\niteration: 1\n---\t\nx").iteration == 1
