"""The languages that we speak: a run's files, packs, our own sentences and messages."""

from __future__ import annotations

from typing import Final, Literal, get_args

Language = Literal["en", "zh"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""Whatever has words is complete in each; the first is what the others fall back to."""
