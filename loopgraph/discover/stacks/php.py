"""Gates of a PHP project: Composer's scripts, and the tools whose configuration lies there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from loopgraph.discover import config
from loopgraph.discover.ci import Step, calls
from loopgraph.discover.languages import Layout
from loopgraph.discover.stacks.offer import Offer, cost_of, is_part, kind_of
from loopgraph.discover.tree import Tree, join
from loopgraph.model.facts import GateKind

STACK: Final = "php"
_SCRIPT_CAP: Final = 200
_BUILT_IN: Final = frozenset(
    {
        "archive", "audit", "browse", "bump", "check", "config", "diagnose", "exec", "fund",
        "init", "install", "licenses", "outdated", "reinstall", "remove", "require", "search",
        "show", "status", "suggests", "update", "validate", "why",
    }
)  # fmt: skip
"""Words that Composer keeps for itself."""
_TOOLS: Final[tuple[tuple[GateKind, str, str, str], ...]] = (
    ("test", r"phpunit\.xml(\.dist)?", "vendor/bin/phpunit", "vendor/bin/phpunit <path>"),
    (
        "types", r"phpstan\.neon(\.dist)?", "vendor/bin/phpstan analyse",
        "vendor/bin/phpstan analyse <path>",
    ),
    ("types", r"psalm\.xml(\.dist)?", "vendor/bin/psalm", ""),
    ("lint", r"\.?phpcs\.xml(\.dist)?", "vendor/bin/phpcs", "vendor/bin/phpcs <path>"),
)  # fmt: skip
"""Kind, configuration file, command and its narrow form."""


def offers(tree: Tree, folder: str, layout: Layout, steps: Sequence[Step]) -> Iterator[Offer]:  # noqa: ARG001
    """Every gate among Composer's scripts, then the tools that no script names."""
    file = join(folder, "composer.json")
    text = tree.text(file)
    data = config.json(text)
    inside = "" if folder == "." else f" -d {folder}"
    start = max(text.find('"scripts"'), 0)
    above = text.count("\n", 0, start)
    said = ""
    for name, value in list(config.table(data, "scripts").items())[:_SCRIPT_CAP]:
        body = value if isinstance(value, str) else "\n".join(config.words({"": value}, ""))
        said += f"{body}\n"
        run = rf"\bcomposer\b[^&|;]*?\s((run|run-script) )?{re.escape(name)}(?![\w:.-])"
        named = calls(steps, run) is not None
        kind = kind_of(name, body, named=named)
        if kind is None or re.search(r"\bphp-cs-fixer\b(?!.*--dry-run)|\b(phpcbf|rector)\b", body):
            continue
        word = f"run {name}" if name in _BUILT_IN else name
        yield Offer(
            STACK, kind, f"composer{inside} {word}", file,
            above + config.json_line(text[start:], name),
            narrow=_narrow(kind, body) if folder == "." else "",
            wrapper=True, in_ci=named, cost=cost_of(kind, body), named=named, part=is_part(name),
        )  # fmt: skip
    if folder != ".":
        return
    for kind, shape, command, narrow in _TOOLS:
        found = next((path for path in tree.files() if re.fullmatch(shape, path)), None)
        tool = command.split()[0].rpartition("/")[2]
        if found and not re.search(rf"\b{tool}\b", said):
            in_ci = calls(steps, rf"\b{tool}\b") is not None
            yield Offer(STACK, kind, command, found, 1, narrow=narrow, in_ci=in_ci)


def _narrow(kind: GateKind, body: str) -> str:
    for own, _, command, narrow in _TOOLS:
        tool = command.split()[0].rpartition("/")[2]
        if own == kind and re.search(rf"\b{tool}\b", body):
            return narrow
    return ""
