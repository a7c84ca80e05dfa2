"""Paths as text, of any system."""

from __future__ import annotations

import pytest

from loopgraph.plain import paths


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b.md", "b.md"),
        ("a\\b.md", "b.md"),
        ("b.md", "b.md"),
        ("a/b//", "b"),
        ("/", ""),
        ("", ""),
    ],
)
def test_the_name_is_the_last_part_on_any_system(path, name):
    assert paths.name(path) == name


@pytest.mark.parametrize("path", ["/a", "\\a", "~/a", "~", "c:/a", "C:", "z:a", "\\\\share\\a"])
def test_a_path_that_begins_at_a_root_is_absolute_and_not_inside(path):
    assert paths.is_absolute(path)
    assert paths.inside(path) is None


@pytest.mark.parametrize("path", ["a", "", "a~", "é:a", "1:a", ":a", "a/", "./a"])
def test_any_other_path_is_relative(path):
    assert not paths.is_absolute(path)


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        ("a/b", "a/b"), ("a//b/", "a/b"), ("./a/./b", "a/b"), ("a\\b", "a/b"), ("", "."),
        (".", "."), ("./", "."), ("con2/a", "con2/a"), ("com/a", "com/a"), ("com10", "com10"),
        ("a/..b", "a/..b"), ("...", "..."), ("a.con", "a.con"), ("仓库/文件.md", "仓库/文件.md"),
    ],
)  # fmt: skip
def test_a_path_inside_the_root_has_one_plain_form(path, plain):
    assert paths.inside(path) == plain
    assert paths.inside(plain) == plain


@pytest.mark.parametrize(
    "path",
    [
        "..", "../a", "a/../b", "a\\..\\b", "a/..", "con", "a/CON", "nul.txt", "a/Aux.b.c", "prn/a",
        "com1", "lpt9.md", "COM5/a", "a\nb", "a\x07", "a/b:c", ":a", "a\u202eb",
    ],
)  # fmt: skip
def test_a_path_is_refused_that_leaves_the_root_or_that_some_system_cannot_hold(path):
    assert paths.inside(path) is None
