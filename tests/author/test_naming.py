"""Names of run directories: stable, distinct, legal."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.author.naming import accept_slug, run_name
from loopgraph.model.errors import UsageError

DATE = "2026-01-02"


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("Add rate limiting to the public API", "add-rate-limiting-to-the-public-api"),
        ("", None),
        ("Don't break users' code", "dont-break-users-code"),
        ("C++", "c-"),
        ("增加限流", ""),
        (
            "Migrate blob storage to the object store without any downtime at all",
            "migrate-blob-storage-to-the-object-store-",
        ),
    ],
)
def test_a_goal_gives_a_name(goal, name):
    full = run_name(DATE, "deliver", goal)
    if name is None:
        assert full == f"{DATE}-deliver"
    elif name.endswith("-") or not name:
        head = f"{DATE}-deliver-{name}"
        assert full.startswith(head)
        assert len(full) == len(head) + 6
    else:
        assert full == f"{DATE}-deliver-{name}"


@given(st.text(max_size=200))
def test_any_goal_gives_a_short_legal_name(goal):
    name = run_name(DATE, "deliver", goal)
    assert set(name) <= set(string.ascii_lowercase + string.digits + "-")
    assert len(name) <= len(DATE) + len("-deliver-") + 40 + 7
    assert "--" not in name
    assert not name.endswith("-")
    assert run_name(DATE, "deliver", goal) == name


def test_goals_that_differ_only_in_what_a_name_leaves_out_stay_distinct():
    goals = [
        "修复登录",
        "修复登出",
        "C++",
        "C#",
        "🙂",
        "🙃",
        "x" * 10_000,
        "x" * 10_001,
        "مرحبا بالعالم",
        "ログイン",
    ]
    assert len({run_name(DATE, "deliver", goal) for goal in goals}) == len(goals)


def test_composed_and_decomposed_letters_are_one_goal():
    assert run_name(DATE, "d", "caf\u00e9 menu page") == run_name(DATE, "d", "cafe\u0301 menu page")


@pytest.mark.parametrize(
    "slug", ["", "../x", "a/b", "A", "a--b", "-a", "a_b", "x" * 65, "a b", "ä"]
)
def test_a_slug_that_is_no_plain_name_is_refused(slug):
    with pytest.raises(UsageError, match="no name for a run"):
        accept_slug(slug)
