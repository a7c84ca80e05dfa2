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


OURS = (
    "a: 1\n", "a: -3\n", "a: 0\n", "a: true\nb: false\nc: null\n", "a: {}\nb: []\n", "a:\n",
    "a:\nb: c\n",
    "a: |\n  one\n  two\n", "a: |-\n  one\n\n  two\nb: 1\n", "a: |+\n  one\n\nb: 1\n",
    "a:\n  b:\n    c: d e\n", "a:\n- b\n- c\n", "a:\n  - b\n", "- a: 1\n  b: 2\n- c: 3\n",
    "- - a\n  - b\n",
    "a: 'it''s'\n", 'a: "x\\ty"\n', "b c: d\n", "ops.md#Gates: x\n", "a: -x/y\n", "a: 中文\n",
    "a: '1'\n", "a: |\n    deep\n      deeper\n", "- |-\n  a\n- b\n", "a: 3.x\n", "a: 1.2.3\n",
)  # fmt: skip


@pytest.mark.parametrize("source", OURS)
def test_what_has_our_form_is_read_without_the_library(source):
    assert repr(ownyaml.read(source)) == repr(by_library(source))


LEFT = (
    "", "\n", "a", "a: |", "a: |\n", "a: b\x07\n", "a: b\u200ec\n", "a: b\x85c\n",
    "a: b: c\n", "a: b #c\n", "a: yes\n", "a: No\n", "a: 007\n", "a: 1.5\n",
    "a: 0x1f\n",
    "a: 0b11\n", "a: .inf\n", "a: -.NaN\n", "a: 1_000\n", "a: 1:30\n", "a: 12345678901234567890\n",
    "a: 'b\n", "a: 'b'c'\n", "a: '\n", 'a: "\n', 'a: "b\n', 'a: "\\ud800"\n', "a: b\n  c\n",
    "a: 1\na: 2\n",
    "yes: 1\n", "<<: a\n", "a: |\nb: 1\n", "a: |\n  b\n c\n", "a: &b c\n", "a: *b\n",
    "a: !b c\n", "a: >\n",
    "? a\n", "- a\nb: 1\n", " a: 1\n", "a: 1\n b: 2\n", "a:\tb\n", "a: b:\n", "a: 2026-01-02\n",
    "1: a\n",
    "a: |\n  b", "-: a\n", "a: -\n", "a: - b\n",
)  # fmt: skip


@pytest.mark.parametrize("source", LEFT)
def test_what_could_mean_two_things_is_left_to_the_library(source):
    with pytest.raises(ownyaml.NotOursError):
        ownyaml.read(source)


def test_a_text_of_forty_steps_is_read_and_a_deeper_one_is_left():
    def nested(steps):
        return "".join(f"{' ' * at}a:\n" for at in range(steps)) + f"{' ' * steps}a: 1\n"

    assert ownyaml.read(nested(40))
    with pytest.raises(ownyaml.NotOursError):
        ownyaml.read(nested(41))
