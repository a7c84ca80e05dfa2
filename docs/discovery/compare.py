"""Compare what `loopgraph discover` finds in real projects with what those say themselves.

    python docs/discovery/compare.py TREES            print the table and what differs
    python docs/discovery/compare.py TREES --write    also rewrite the table in docs/discovery.md

TREES holds a clone of each repository of expected.yaml, by its name, at the named commit. Exit 1
when fewer than nine of ten expected gates are found, or one is named that no project's line backs.
"""

# ruff: noqa: INP001  a script beside pages, not a package

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from loopgraph import discover
from loopgraph.edges import record
from loopgraph.model.facts import FoundGate

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "discovery.md"
FIRST, LAST = "<!-- made: compared -->\n", "<!-- end -->"
ENOUGH = 0.9


class Compared(NamedTuple):
    """One project: what it says, and what was found of it."""

    project: Mapping[str, Any]
    found: Sequence[str]
    missed: Sequence[str]
    invented: Sequence[str]


def compare(project: Mapping[str, Any], gates: Sequence[FoundGate]) -> Compared:
    """Pair each found gate with a line of the project."""
    hits: list[str] = []
    missed: list[str] = []
    for gate in project["gates"]:
        kinds = gate["kind"].split("|")
        met = any(
            found.kind in kinds and re.fullmatch(gate["means"], found.command) for found in gates
        )
        (hits if met else missed).append(f"{gate['kind']}: {gate['says']} ({gate['at']})")
    known = [each["means"] for each in (*project["gates"], *project.get("also", ()))]
    invented = [
        f"{gate.kind}: {gate.command} ({gate.file}:{gate.line})"
        for gate in gates
        if not any(re.fullmatch(means, gate.command) for means in known)
    ]
    return Compared(project, hits, missed, invented)


def look(trees: Path, project: Mapping[str, Any]) -> Compared:
    """Discover one project, after seeing that it is the commit that was read."""
    folder = trees / project["repository"].partition("/")[2]
    command = ("git", "-C", str(folder), "rev-parse", "HEAD")
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.stdout.strip() != project["commit"]:
        sys.exit(f"{folder}: not {project['repository']} at {project['commit']}")
    return compare(project, discover.workspace(folder).gates)


def table(every: Sequence[Compared]) -> str:
    """The table of the page."""
    rows = [
        "| project | commit | what it is | expected | found | missed | invented |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in every:
        name = each.project["repository"]
        rows.append(
            f"| {name} | `{each.project['commit'][:10]}` | {each.project['stack']} "
            f"| {len(each.project['gates'])} | {len(each.found)} | {len(each.missed)} "
            f"| {len(each.invented)} |"
        )
    found, missed = sum(len(each.found) for each in every), sum(len(each.missed) for each in every)
    invented = sum(len(each.invented) for each in every)
    rows.append(
        f"| **{len(every)} projects** | | | **{found + missed}** | **{found}** | **{missed}** "
        f"| **{invented}** |"
    )
    lost = [f"- {each.project['repository']}: {line}" for each in every for line in each.missed]
    return "\n".join([*rows, "", *(["Missed:", "", *lost] if lost else ["Nothing is missed."]), ""])


def main(arguments: Sequence[str]) -> int:
    """Compare every project; the exit code."""
    if len(arguments) not in {1, 2} or arguments[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    read = record.load_yaml((HERE / "expected.yaml").read_text("utf-8"), "expected.yaml")
    projects = record.convert(read, list[dict[str, Any]], "expected.yaml")
    every = [look(Path(arguments[0]), project) for project in projects]
    made = table(every)
    sys.stdout.write(made)
    for each in every:
        for line in each.invented:
            sys.stdout.write(f"Invented in {each.project['repository']}: {line}\n")
    if arguments[1:]:
        before, _, rest = PAGE.read_text("utf-8").partition(FIRST)
        after = rest.partition(LAST)[2]
        PAGE.write_text(f"{before}{FIRST}\n{made}\n{LAST}{after}", "utf-8", newline="\n")
    found, missed = sum(len(each.found) for each in every), sum(len(each.missed) for each in every)
    poor = found < ENOUGH * (found + missed) or any(each.invented for each in every)
    return 1 if poor else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
