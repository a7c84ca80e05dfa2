"""Amounts: a number with a unit, without which no budget and no price can be kept."""

from __future__ import annotations

import re
from typing import Final

_AMOUNT: Final = r"\d *(?:[^\W\d_]|[€$£¥₩₹%])|[€$£¥₩₹] *\d"
_NOTHING: Final = ("none", "nothing", "no ", "无", "没有", "不允许")


def has_amount(text: str) -> bool:
    """Whether a text holds a number with a unit, such as `0.40 USD` or `€5`."""
    return re.search(_AMOUNT, text) is not None


def is_nothing(text: str) -> bool:
    """Whether a budget says that nothing may be spent."""
    return text.casefold().startswith(_NOTHING)
