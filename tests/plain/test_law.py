"""What is legal next, and when a fire is over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.plain import law


@pytest.mark.parametrize(
    ("said", "paths"),
    [
        ("none", []), ("none (ledger only)", []), ("src/a.py, src/b.py", ["src/a.py", "src/b.py"]),
        ("`src/a.py` `docs/**`", ["src/a.py", "docs/**"]), ("src、docs；x", ["src", "docs；x"]),
        ("src/; docs", ["src/", "docs"]), ("—", []),
    ],
)  # fmt: skip
def test_a_write_set_names_paths(said, paths):
    assert law.write_set(said) == paths


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (["src/a.py"], ["src/b.py"], True), (["src/"], ["src/b.py"], False),
        (["src/*.py"], ["src/b.js"], False), (["src"], ["srcs"], True), (["**"], ["a"], False),
        (["./Src/a"], ["src/A"], False), ([], ["a"], True), (["a"], [], True),
        (["a/b", "c"], ["d", "c/x"], False),
    ],
)  # fmt: skip
def test_write_sets_are_apart_or_not(one, other, apart):
    assert law.disjoint(one, other) is apart
    assert law.disjoint(other, one) is apart


PATHS = st.lists(st.sampled_from(["a", "a/b", "a/b/c", "a/*", "b", "b/c", "*"]), max_size=3)


@given(PATHS, PATHS, PATHS)
def test_more_paths_are_never_further_apart(one, more, other):
    if law.disjoint([*one, *more], other):
        assert law.disjoint(one, other)


@pytest.mark.parametrize(
    ("rounds", "cap", "over"),
    [
        ((0, 7), 8, False),
        ((0, 8), 8, True),
        ((5, 8), 8, False),
        ((None, 8), 8, False),
        ((0, 9), 0, False),
    ],
)
def test_a_fire_ends_after_as_many_rounds_as_it_may_have(rounds, cap, over):
    assert bool(law.seam(gate=("open", "open"), rounds=rounds, converged=False, cap=cap)) is over


@pytest.mark.parametrize(
    ("tracker", "due"),
    [
        ((1, 5, 7, 400, False), False),
        ((1, 5, 7, 400, True), True),
        ((5, 5, 7, 400, False), True),
        ((1, 5, 400, 400, False), False),
        ((1, 5, 401, 400, None), True),
        ((None, 5, None, 400, None), False),
        ((9, None, 900, None, None), False),
    ],
)
def test_a_convergence_is_due_by_the_flag_or_by_the_numbers(tracker, due):
    assert law.due(tracker) is due
