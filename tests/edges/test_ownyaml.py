"""Our own YAML is read without the library, and never in another way than the library reads it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import ownyaml, yamlfile
from tests.check import compiled

_WORDS = """\
yes No ~ 12 -3 0x1f 0b79b 0b11 1:30 1e3 .5 3.11 2026-01-02 ' " it's null # | > & * ! % @ `a` {} []
a: : ? = << 0 007 1_000 +1 . .. - -- --- ... 中文 😀 &a *a !x #x .inf y on"""
_TEXTS = ["", " a", "a ", "a\nb", "\n", "a\n\n", " a\nb", "a: b", "a #b", "- x", "\u2028", "\x85"]
_ODD = ["\ufeff", "a\tb", "\n a", "a\n  \nb", "\u202e", "1 2", "2026-01-02 03:04:05"]
WORDS = st.sampled_from([*_WORDS.split(), *_TEXTS, *_ODD])
TEXTS = WORDS | st.text(max_size=12)
KEYS = st.sampled_from(["a", "b c", "ops.md#Gates", "x-1"]) | TEXTS
VALUES = st.recursive(
    TEXTS | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def by_library(source):
    return yamlfile.load(source, "x", words=False)


@given(value=VALUES)
def test_what_we_write_is_read_as_the_library_reads_it(value):
    source = yamlfile.dump(value)
    try:
        found = ownyaml.read(source)
    except ownyaml.NotOursError:
        return
    assert found == by_library(source)
    assert repr(found) == repr(by_library(source))


LINES = st.sampled_from(
    ["a: 1", "b:", "- x", "  c: y", "  - z", "- - q", "- k: v", "  l: w", "t: |", "t: |-", "t: |2",
     "   deep", "    deeper", "", " ", "# c", "---", "...", "'q': 1", "d: 'a", "  b'", 'e: "x\\ty"',
     "f: {a: 1}", "g: &x 1", "h: *x", "i: >", "? k", "j: 0o7", "k: 1 2", "l: - m", "m: a: b", "\ta",
     "n : 1", "o:p", "a: 2", "-", "- ", "a: ", "-x", "q: !!str 1", "r: \\N", "s: yes"]
)  # fmt: skip


@given(lines=st.lists(LINES | st.text(alphabet="ab-:|'\"#{}[]&*! \n0x.", max_size=10), max_size=9))
def test_any_text_is_left_to_the_library_or_read_as_it_reads_it(lines):
    source = "\n".join(lines)
    try:
        found = ownyaml.read(source)
    except ownyaml.NotOursError:
        return
    assert repr(found) == repr(by_library(source))


@pytest.mark.parametrize("pack", compiled.PACKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_fresh_record_needs_no_library(pack, lang):
    source = compiled.files(pack, lang=lang)["run.yaml"]
    assert ownyaml.read(source) == by_library(source)
