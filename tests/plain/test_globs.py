"""A glob names paths and the folders above them."""

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.plain.globs import matches


@pytest.mark.parametrize(
    ("glob", "path", "named"),
    [
        ("*.py", "a.py", True),
        ("*.py", "src/deep/a.py", True),
        ("*.py", "a.pyc", False),
        ("src", "src/a.py", True),
        ("src/", "src/deep/a.py", True),
        ("src/", "lib/src/a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/*.py", "lib/src/a.py", False),
        ("src/**", "src/deep/a.py", True),
        ("src/**/a.py", "src/a.py", True),
        ("src/**/a.py", "src/x/y/a.py", True),
        ("**/a.py", "x/a.py", True),
        ("./src/a.py", "src/a.py", True),
        ("src/a?.py", "src/ab.py", True),
        ("src/[a-c].py", "src/b.py", True),
        ("src/[!a-c].py", "src/b.py", False),
        ("src/[.py", "src/[.py", True),
        ("", "a.py", False),
        (".", "a.py", True),
        ("**", "a/b", True),
        ("仓*", "仓库/a", True),
    ],
)
def test_what_a_glob_names(glob, path, named):
    assert matches(path, glob) is named


def test_a_hostile_glob_takes_no_time():
    assert not matches("a" * 300, "*a" * 100 + "b")
    assert not matches("/".join("a" * 200), "/".join(["**", "a"] * 60) + "/b")


PIECES = (
    "a",
    "b",
    "-",
    "*",
    "?",
    "[ab]",
    "[a-c]",
    "[!a]",
    "[^b]",
    "[a-]",
    "[]a]",
    "[!]a]",
    "[b",
    "[a-bd]",
)


@given(st.text("abcd-]", min_size=1, max_size=6), st.lists(st.sampled_from(PIECES), max_size=5))
def test_one_part_is_matched_as_the_library_matches_it(name, pieces):
    glob = f"x/{''.join(pieces)}e"
    theirs = fnmatchcase(f"{name}e", "".join(pieces).replace("[^", "[!") + "e")
    assert matches(f"x/{name}e", glob) is theirs


@pytest.mark.parametrize(
    ("glob", "path", "named"),
    [
        ("/", "a.py", True), ("*", "a.py", True), ("**", "a.py", True), (" ", "a.py", False),
        ("**XX", "aXX", True), ("**XX", "a", False), ("src\\a.py", "src/a.py", True),
        (" src/a.py ", "src/a.py", True), ("/src/a.py", "src/a.py", True),
        ("src//a.py", "src/a.py", True), ("a", "b/a/c", True), ("a", "b/ac", False),
        ("a/b", "a/b/c/d", True), ("a/b", "a", False), ("a/**", "a", True),
        ("a/**/b", "a/c", False),
        ("**/b/**", "a/b", True), ("a/**/**/b", "a/b", True), ("a/*/b", "a/b", False),
        ("a?", "a", False), ("?", "ab", False), ("*b*", "abc", True), ("a*c", "abcb", False),
        ("x/[a", "x/[a", True), ("x/[]]", "x/]", True), ("x/[!]]", "x/a", True),
        ("x/[a-]", "x/-", True), ("x/[-a]", "x/-", True), ("x/[a-c-e]", "x/-", True),
        ("x/[a-c-e]", "x/d", False), ("x/[^a]", "x/b", True), ("x/[a]b", "x/ab", True),
        ("x/[a]b", "x/a", False), ("x/**a", "x/ba", True), ("x/a**", "x/a", True),
    ],
)  # fmt: skip
def test_what_a_glob_names_at_its_edges(glob, path, named):
    assert matches(path, glob) is named
