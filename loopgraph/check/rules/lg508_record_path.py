"""LG508: every path of the record is relative to the root and stays below it."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.model.spec import RunSpec


def check(run: Run) -> Iterator[Finding]:
    """Find absolute paths and paths that climb out."""
    if run.record is None:
        return
    for key, path in _paths(run.record.spec):
        # git writes forward slashes: in its paths a backslash is a letter of a name.
        if _leaves(path if key == "dirty" else path.replace("\\", "/")):
            says = _("{key}: {path} is no path below the root", key=key, path=path)
            yield RULE.at(files.RECORD, line_of(run, f"{key}:"), says)


def _leaves(path: str) -> bool:
    """Whether a path begins at a root or a drive, or climbs; a name may hold any letter."""
    is_drive = path[1:3] == ":/" and path[0].isalpha()
    return path.startswith("/") or is_drive or ".." in path.split("/")


def _paths(spec: RunSpec) -> Iterator[tuple[str, str]]:
    facts = spec.facts
    yield "scope", spec.scope
    for area in spec.areas:
        yield "areas", area
    for repository in facts.repositories:
        yield "repositories", repository.path
        for dirty in repository.dirty:
            yield "dirty", dirty.path
    for path in (*facts.sources, *facts.tests):
        yield "facts", path
    found = (
        *facts.instructions, *facts.standards, *facts.detectors, *facts.surface, *facts.signals,
        *facts.members, *facts.unreadable,
    )  # fmt: skip
    for file in (*(fact.file for fact in (facts.project, *found)), *(g.file for g in facts.gates)):
        yield "facts", file


RULE = Rule(
    id="LG508",
    name="record-path",
    why="The run is read in other checkouts, where an absolute path is another place or none.",
    fix=N_("Restore run.yaml from version control, or compile a new run from the root."),
    bad=example.record("scope: .", "scope: ../shop"),
    good=example.record("scope: .", "scope: services/shop"),
    check=check,
    fixable="Which place below the root is meant can't be told.",
)
