"""LG504: every knob is known and within its bounds."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import knobs
from loopgraph.model.errors import UsageError, nearest
from loopgraph.model.finding import Finding
from loopgraph.model.knobs import Set, Source
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find knobs that nobody knows, values out of bounds, and caps that are not set at all."""
    if run.record is None:
        return
    tuned = run.record.spec.knobs
    for name, found in tuned.items():
        if problem := _problem(name, found):
            yield RULE.at(files.RECORD, line_of(run, "knobs:", f"{name}:"), problem)
    for knob in knobs.KNOBS:
        if knob.kind in ("count", "bytes") and knob.default is not None and knob.name not in tuned:
            says = _("{knob} is not set", knob=knob.name)
            yield RULE.at(files.RECORD, line_of(run, "knobs:"), says)


def _problem(name: str, found: Set) -> str:
    if name not in knobs.BY_NAME:
        return _(
            "{said}. {fix}",
            said=_("no knob is called {name}", name=name),
            fix=nearest(name, knobs.BY_NAME),
        )
    try:
        knobs.accept(name, found.value, Source.DEFAULT)
    except UsageError:
        return _(
            "{name} is {value}; allowed: {bounds}",
            name=name,
            value=repr(found.value),
            bounds=knobs.allowed(knobs.BY_NAME[name]),
        )
    return ""


RULE = Rule(
    id="LG504",
    name="knob",
    why="A cap out of bounds bounds nothing, and a cap that is missing is no cap.",
    fix=N_("Restore run.yaml from version control, or compile a new run with a value in range."),
    bad=example.record("GAP_CAP: {value: 12,", "GAP_CAP: {value: 900,"),
    good=example.record(),
    check=check,
    fixable="The prompts carry the old value.",
)
