"""LG231: the Starting snapshot names the owner's unfinished work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from loopgraph.check import example, live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import quoting


def check(run: Run) -> Iterator[Finding]:
    """Find recorded dirty paths of the owner that the snapshot no longer names."""
    found = run.ledger()
    section = found.document.section(_TITLE) if found else None
    if found is None or section is None or run.record is None:
        return
    repositories = run.record.spec.facts.repositories
    paths = [d.path for repository in repositories for d in repository.dirty if d.owner == "owner"]
    shown, more = _shown(found.document.lines[section.start + 1 : section.end])
    missing = [path for path in paths if path not in shown]
    if len(missing) > more:
        first, others = quoting.visible(missing[0]), len(missing) - more - 1
        says = _("the owner's dirty path {path} is not named", path=first)
        if others:
            says = _(
                "the owner's dirty path {path} is not named, nor {count} more",
                path=first,
                count=others,
            )
        yield RULE.at(live.LEDGER, section.start + 1, says)


_TITLE: Final = "Starting snapshot"


def _shown(lines: Iterable[str]) -> tuple[set[str], int]:
    """The paths that stand there, and how many more the lines speak of."""
    paths: set[str] = set()
    more = 0
    for line in lines:
        paths.update(quoting.spans(line))
        words = line.split()
        paths.update(quoting.unquote(word.strip("`,;()")) for word in words)
        for number, word in pairwise(words):
            if word.startswith("more") and number.isascii() and number.isdigit():
                more += int(number[:9])
    return paths, more


_DIRTY: Final = example.record(
    "  project: {value: shop, file: '', line: 0}",
    """\
  project: {value: shop, file: '', line: 0}
  repositories:
  - path: .
    branch: main
    head: 0a1b2c3
    dirty: [{path: notes.md, status: .M, blob: 0a1b2c3}]
    dirty_count: 1
    dirty_digest: 0a1b2c3""",
)

RULE = Rule(
    id="LG231",
    name="owner-paths",
    why="A node stages or reverts what it takes for its own, and the owner's work is gone.",
    fix=N_("Put each path back as `Owner's dirty path`; run.yaml has them all."),
    bad={**_DIRTY, **live.ledger(_TITLE, "- Repository `.`: branch `main`")},
    good={**_DIRTY, **live.ledger(_TITLE, "- Owner's dirty path: `notes.md` (.M)")},
    check=check,
    fixable="Where the snapshot keeps them is the node's to choose.",
)
