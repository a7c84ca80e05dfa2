"""Files that tell an agent or a contributor how to work here: pointers, never copies."""

from __future__ import annotations

import re
from typing import Final

from loopgraph.discover.tree import Tree
from loopgraph.model.facts import Found

_SHAPES: Final[tuple[tuple[str, str], ...]] = (
    (r"AGENTS(\.override)?\.md", "instructions for agents"),
    (r"(\.claude/)?CLAUDE\.md", "instructions for Claude Code"),
    (r"GEMINI\.md", "instructions for Gemini CLI"),
    (r"\.github/copilot-instructions\.md", "instructions for Copilot"),
    (r"\.github/instructions/[^/]+\.instructions\.md", "instructions for Copilot"),
    (r"\.cursorrules|\.cursor/rules/.+\.mdc?", "rules for Cursor"),
    (r"\.windsurfrules|\.clinerules", "rules for agents"),
    (r"([^/]+/){1,3}(AGENTS|CLAUDE)\.md", "instructions for agents in that folder"),
    (r"(docs/|\.github/)?CONTRIBUTING(\.[a-z]+)?", "how to contribute"),
    (r"(docs/|doc/)?(DEVELOPMENT|DEVELOPING|HACKING)(\.[a-z]+)?", "how to develop"),
    (r"ARCHITECTURE(\.[a-z]+)?|docs?/architecture(\.[a-z]+)?", "how it is built"),
    (
        (
            r"docs?/(source/)?(index|README|SUMMARY|_sidebar)\.(md|rst|txt|mdx)|mkdocs\.ya?ml"
            r"|llms\.txt|docs?/\.vitepress/config\.\w+|(website/)?sidebars\.[cm]?[jt]s"
        ),
        "map of the documentation",
    ),
    (r"README(\.[a-z]+)?", "what this is"),
)
_ANY: Final = re.compile(
    "|".join(f"(?P<shape{number}>{shape})" for number, (shape, _) in enumerate(_SHAPES)),
    re.IGNORECASE,
)
_DEPTH: Final = 3
_CAP: Final = 12


def find(tree: Tree) -> tuple[Found, ...]:
    """One row a file: what it is for, and where; instructions for agents first."""
    rows = []
    for path in tree.shallow(_DEPTH):
        found = _ANY.fullmatch(path)
        if found and found.lastgroup:
            rows.append((int(found.lastgroup.removeprefix("shape")), path))
    return tuple(Found(_SHAPES[number][1], path, 1) for number, path in sorted(rows)[:_CAP])
