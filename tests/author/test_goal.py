"""What a goal's own words say; doubt means that a graph is fine."""

from __future__ import annotations

import pytest

from loopgraph.author import goal
from tests.cli.test_new import GOAL, HOSTILE

SMALL = [
    "Fix the typo in README.md",
    "please fix a spelling mistake",
    "Rename the variable foo to bar.",
    "bump the version to 1.2.3",
    "Add a missing docstring to parse_line",
    "Change the label of the save button to Store",
    "修复一个错别字",
    "把变量 foo 重命名为 bar",
    "把版本号改成 1.2.3",
    "删掉这行注释",
    "把按钮的文案改成保存",
]
EYE = [
    "Make it prettier",
    "make the dashboard look more modern",
    "design a beautiful logo for the shop",
    "Write a poem about loops",
    "让首页更好看一些",
    "把界面做得更漂亮",
    "帮我设计一个好看的图标",
    "写一首关于秋天的诗",
]
FINE = [
    GOAL,
    *HOSTILE.values(),
    "Choose a queue library",
    "Fix the typo in every page of the manual",
    "Fix all typos",
    "Rename the package orders to sales everywhere",
    "Rename the variable foo to bar and migrate its callers",
    "Make the checkout page load in under 200 ms",
    "Make the design system consistent across all screens",
    "Bump the version to 2.0.0, then move every caller to the new interface",
    "Add a docstring to each public function",
    "Write a parser for poems",
    "修复所有错别字",
    "把变量 foo 重命名为 bar，并迁移所有调用方",
    "让首页在两百毫秒内加载完成",
    "给公共接口加上限流",
    "统一全部页面的样式",
    "x" * 5000,
    "",
]


@pytest.mark.parametrize("text", SMALL)
def test_one_self_contained_edit_is_recognized(text):
    assert goal.misfit(text) == "small"


@pytest.mark.parametrize("text", EYE)
def test_a_success_that_needs_an_eye_is_recognized(text):
    assert goal.misfit(text) == "eye"


@pytest.mark.parametrize("text", FINE)
def test_any_doubt_means_go_on(text):
    assert goal.misfit(text) is None


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ("Cut p95 of search to 20 ms", True),
        ("Work until `make check` passes", True),
        ("No more warnings from the compiler", True),
        ("把延迟降到 20 毫秒", True),
        ("所有测试通过", True),
        (GOAL, False),
        ("Make search faster", False),
        ("给公共接口加上限流", False),
    ],
)
def test_a_checkable_outcome_is_told_from_a_wish(text, can):
    assert goal.checkable(text) is can


@pytest.mark.parametrize(
    ("text", "call"),
    [
        (GOAL, "contract"),
        ("Migrate the orders table to Postgres", "schema"),
        ("迁移订单数据库", "schema"),
        ("Publish the package to PyPI", "push"),
        ("Deploy the service to staging", "remote"),
        ("Compare paid LLM providers", "spend"),
        ("Anonymize customer data in exports", "data"),
        ("Send push notifications to phones", "contract"),
    ],
)
def test_the_owners_call_on_the_way_is_guessed_from_the_words(text, call):
    assert goal.call_on_path(text) == call
