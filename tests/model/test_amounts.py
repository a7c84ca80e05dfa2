"""Which texts of a budget name an amount, and which say that there is none."""

from __future__ import annotations

import pytest

from loopgraph.model import amounts


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("0.40 USD", True), ("€5", True), ("5 €", True), ("$ 3 a day", True), ("20%", True),
        ("3小时", True), ("10m", True), ("40", False), ("USD", False), ("some money", False),
        ("3_000", False), ("", False),
    ],
)  # fmt: skip
def test_an_amount_is_a_number_with_a_unit(text, named):
    assert amounts.has_amount(text) is named


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("none", True), ("None.", True), ("Nothing metered", True), ("no money", True),
        ("无", True), ("没有预算", True), ("不允许花钱", True), ("5 USD", False),
        ("not more", False),
        ("norwegian 5 kr", False), ("", False),
    ],
)  # fmt: skip
def test_a_budget_says_that_nothing_may_be_spent(text, nothing):
    assert amounts.is_nothing(text) is nothing
