"""JSON text: the same answers as the standard library, without its import."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.plain import jsontext

PROJECT = Path(__file__).parents[2]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)  # fmt: skip


def by_library(text: str) -> object:
    def refused(name: str) -> object:
        raise ValueError(name)

    return json.loads(text, parse_constant=refused)


@given(VALUES)
def test_what_is_written_is_what_json_writes(value):
    assert jsontext.dumps(value) == json.dumps(value, separators=(",", ":"))
    assert jsontext.dumps(value, indent=2) == json.dumps(value, indent=2)


@given(VALUES, st.sampled_from(["", " ", "\n\t\r"]), st.booleans())
def test_what_is_read_is_what_json_reads(value, blanks, ascii_only):
    text = blanks + json.dumps(value, ensure_ascii=ascii_only) + blanks
    assert jsontext.loads(text) == by_library(text) == value


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn\\u \n\t\x00\ufeff') | st.text())
def test_any_text_is_read_or_refused_as_json_does_it(text):
    try:
        expected = by_library(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            jsontext.loads(text)
        assert jsontext.attempt(text) is None
    else:
        assert jsontext.loads(text) == expected


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", '{"a":-Infinity}', "[" * 100_000, "1" * 9000]
)
def test_what_json_lets_pass_or_fails_at_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        jsontext.loads(text)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {"a": [b"x"]}])
def test_what_json_cannot_say_is_refused(value):
    with pytest.raises(ValueError, match=r"."):
        jsontext.dumps(value)


def test_a_value_that_holds_itself_is_refused():
    value: list[object] = []
    value.append(value)
    with pytest.raises(ValueError, match="deep"):
        jsontext.dumps(value)


def test_broken_text_is_refused_where_nobody_has_imported_json():
    texts = [
        "{",
        "[",
        '"',
        '{"a"',
        '{"a":',
        "[1,",
        '"\\',
        '"\\u12',
        '"\x01"',
        "-",
        "tru",
        "",
        "{,}",
    ]
    script = (
        f"import sys; sys.path.insert(0, {str(PROJECT)!r})\n"
        "from loopgraph.plain import jsontext\n"
        f"for text in {texts!r}:\n"
        "    try: jsontext.loads(text)\n"
        "    except ValueError: continue\n"
        "    sys.exit(text)\n"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", script], check=True, timeout=60)


def test_an_interpreter_without_the_accelerator_reads_and_writes_the_same(monkeypatch):
    monkeypatch.setattr(jsontext, "_scanner", None)
    monkeypatch.setattr(jsontext, "_quoted", None)
    value = {"a": [1, 2.5, None, True, "é\ud800\n"]}
    assert jsontext.loads(jsontext.dumps(value)) == value
    for text in ("{", "[NaN]", "1 2"):
        with pytest.raises(ValueError, match=r"."):
            jsontext.loads(text)
