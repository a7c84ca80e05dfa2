"""A glob names paths and the folders above them."""

import pytest

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
