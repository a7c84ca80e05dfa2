"""The name of a run directory: stable, distinct, and legal on every file system."""

from __future__ import annotations

import unicodedata
from hashlib import sha256
from typing import Final

from loopgraph.model.errors import UsageError
from loopgraph.model.messages import _

_WORDS_LIMIT: Final = 40
_SLUG_LIMIT: Final = 64
_FEW_LETTERS: Final = 3


def run_name(date: str, pack_slug: str, goal: str) -> str:
    """`<date>-<pack>[-<first ASCII words of the goal>][-<6 hex of its digest>]`.

    The digest is there whenever words were cut or left out, or too few letters remain to tell
    two goals apart.
    """
    text = unicodedata.normalize("NFC", goal)
    parts = [date, pack_slug]
    if not text.strip():
        return "-".join(parts)
    words = _ascii_words(text)
    kept: list[str] = []
    for word in words:
        if len("-".join([*kept, word])) > _WORDS_LIMIT:
            break
        kept.append(word)
    if not kept and words:
        kept = [words[0][:_WORDS_LIMIT]]
    body = "-".join(kept)
    parts += [body] if body else []
    letters = sum(char.isalpha() for char in body)
    whole = text.isascii() and kept == words
    if not whole or letters < _FEW_LETTERS:
        parts.append(sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6])
    return "-".join(parts)


def _ascii_words(text: str) -> list[str]:
    """Runs of ASCII letters and digits, in lower case; a word with any other letter is left out."""
    words: list[str] = []
    word = ""
    for char in f"{text} ":
        if char.isalnum() or unicodedata.combining(char):
            word += char
            continue
        if char in "'’" and word:
            continue
        if word and word.isascii():
            words.append(word.lower())
        word = ""
    return words


def accept_slug(slug: str) -> str:
    """Check a name that the owner chose."""
    parts = slug.split("-")
    legal = all(p and p.isascii() and p.isalnum() and p == p.lower() for p in parts)
    if not legal or len(slug) > _SLUG_LIMIT:
        raise UsageError(
            _("{slug} is no name for a run", slug=repr(slug)),
            where="slug",
            fix=_(
                "Use a-z, 0-9 and single hyphens, at most {limit} characters.", limit=_SLUG_LIMIT
            ),
        )
    return slug
