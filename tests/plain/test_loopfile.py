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
