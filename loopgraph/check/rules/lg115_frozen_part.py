"""LG115: prompts and the frozen sections of ops.md are as they were compiled."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.rule import Rule
from loopgraph.edges import record
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find frozen parts whose hash is not the recorded one."""
    if run.record is None:
        return
    wanted = files.wanted(run)
    for part, digest in record.frozen_parts(run.files).items():
        name, _mark, title = part.partition("#")
        if name not in wanted:
            continue
        line = _line(run, name, title)
        recorded = run.record.frozen.get(part)
        if line is None or recorded == digest:
            continue
        if recorded is None:
            says = _("run.yaml records no hash of {part}", part=part)
            yield RULE.at(files.RECORD, 0, says)
        else:
            says = _("{part} was changed after the compile", part=part)
            yield RULE.at(name, line, says)


def _line(run: Run, name: str, title: str) -> int | None:
    """Where the part begins, 0 for a whole file; None where the section is not there."""
    if not title:
        return 0
    document = run.document(name)
    section = document.section(title) if document else None
    return section.start + 1 if section else None


_PROMPT = example.prompt("Never push.")
_RECORD = example.record("frozen: {}", f"frozen: {{executor.md: {record.digest(_PROMPT)}}}")

RULE = Rule(
    id="LG115",
    name="frozen-part",
    why="A rule that a node can loosen for itself binds nobody.",
    fix=N_("Restore the part from version control; what must change is a new run's business."),
    bad={**_RECORD, "executor.md": example.prompt("Push when it is green.")},
    good={**_RECORD, "executor.md": _PROMPT},
    check=check,
    fixable="Only the compile knows the old text: `loopgraph compile RUN --check` shows where.",
)
