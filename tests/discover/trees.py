"""Trees in memory for the tests of single facts: file name to text."""

from __future__ import annotations

from textwrap import dedent

from loopgraph.discover import facts
from loopgraph.discover.tree import Tree, from_texts
from loopgraph.model.facts import Facts


def tree(texts: dict[str, str]) -> Tree:
    """A tree of these texts; an indented one is dedented and loses its first line end."""
    return from_texts(
        {path: dedent(text[1:]) if text.startswith("\n ") else text for path, text in texts.items()}
    )


def found(texts: dict[str, str], **options) -> Facts:
    """The facts of such a tree."""
    return facts(tree(texts), **options)
