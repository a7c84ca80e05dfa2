"""What nobody should write in YAML is refused in one sentence, and fast."""

from __future__ import annotations

import pytest

from loopgraph.edges import record
from loopgraph.model.errors import UnreadableError

FORMS = {
    "the same key twice": ("goal: one\ngoal: two\n", "the key goal stands twice"),
    "the same JSON key twice": ('{"goal": "one", "goal": "two"}', "the key goal stands twice"),
    "a key twice further in": ("a:\n  b: 1\n  c: 2\n  b: 3\n", "the key b stands twice"),
    "a key twice in JSON further in": ('{"a": [{"b": 1, "b": 2}]}', "the key b stands twice"),
    "a number of ten thousand digits": (f"a: {'9' * 10_000}\n", "a number is too long"),
    "a long hexadecimal number": (f"a: 0x{'f' * 5_000}\n", "a number is too long"),
    "a number in base sixty": (f"a: 1{':59' * 5_000}\n", "a number is too long"),
    "a fraction in base sixty": (f"a: 1{':59' * 5_000}.5\n", "a number is too long"),
    "a truth value that is none": ("a: !!bool maybe\n", "does not fit its tag"),
    "an empty number": ("a: !!int ''\n", "does not fit its tag"),
    "a moment that is none": ("a: !!timestamp soon\n", "does not fit its tag"),
    "a map that is none": ("a: !!map soon\n", "expected a mapping"),
    "nesting": (f"a: {'[' * 5_000}", "nesting"),
    "nesting in JSON": (f'{{"a": {"[" * 50_000}{"]" * 50_000}}}', "nesting"),
    "code": ("a: !!python/object/apply:os.getcwd []\n", "could not determine a constructor"),
    "an alias of itself": ("a: &x [*x]\n", "repeat too much"),
    "aliases of aliases": (
        "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        + "".join(
            f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
            for before, name in zip("abcdefgh", "bcdefghi", strict=True)
        ),
        "repeat too much",
    ),
    "a long text many times": (f"a: &x {'z' * 1_000}\nb: [{'*x, ' * 300}]\n", "repeat too much"),
}


@pytest.mark.parametrize(("source", "says"), FORMS.values(), ids=FORMS)
def test_what_would_mislead_or_hang_is_refused(source, says):
    with pytest.raises(UnreadableError, match=says):
        record.load_yaml(source, "answers.yaml")


def test_the_line_of_a_second_key_is_named():
    with pytest.raises(UnreadableError) as caught:
        record.load_yaml("goal: one\nproof: x\ngoal: two\n", "answers.yaml")
    assert caught.value.where == "answers.yaml:3"


@pytest.mark.parametrize(
    ("source", "data"),
    [
        ("a: 2026-01-02\n", {"a": "2026-01-02"}),
        ("a: 2026-99-99\n", {"a": "2026-99-99"}),
        ("a: &x [1, 2]\nb: *x\n", {"a": [1, 2], "b": [1, 2]}),
        ("a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", {"a": {"b": 1}, "c": {"b": 2}}),
        ("a: 12\nb: -0x1F\nc: 1.5\nd: .inf\n", {"a": 12, "b": -31, "c": 1.5, "d": float("inf")}),
        ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}),
        ('\ufeff{"a": "\\ud83d\\ude00"}', {"a": "😀"}),
        ("{a: b}", {"a": "b"}),
        ("1: a\n'1': b\n", {1: "a", "1": "b"}),
        ("", None),
    ],
)
def test_what_is_plain_data_is_read(source, data):
    assert record.load_yaml(source, "answers.yaml") == data


def test_half_a_character_is_refused_before_it_spoils_a_record():
    assert record.load_yaml(record.dump_yaml({"goal": "a😀\x00\u202e"}), "x") == {
        "goal": "a😀\x00\u202e"
    }
    with pytest.raises(UnreadableError, match="not valid Unicode"):
        record.dump_yaml({"goal": "a\ud83d"})
