"""Run the rules on a run: all of them, or those that somebody chose."""

from __future__ import annotations

from collections.abc import Sequence

from loopgraph.check.rule import Rule
from loopgraph.check.rules import RULES
from loopgraph.edges.run import Run
from loopgraph.model.errors import UsageError, nearest
from loopgraph.model.finding import Finding
from loopgraph.model.messages import _


def findings(
    run: Run, *, select: Sequence[str] = (), ignore: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Everything the chosen rules find, by file, line and rule."""
    found = {finding for rule in chosen(select, ignore) for finding in rule.check(run)}
    return tuple(sorted(found, key=_place))


def chosen(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> tuple[Rule, ...]:
    """The rules that `select` names (all where it is empty) but for those that `ignore` names.

    A name is an id (`LG101`) or the beginning of one (`LG2`); one that fits no rule is refused.
    """
    wanted, unwanted = _prefixes(select, "select"), _prefixes(ignore, "ignore")
    return tuple(
        rule
        for rule in RULES
        if (not wanted or rule.id.startswith(wanted)) and not rule.id.startswith(unwanted)
    )


def rule(wanted: str) -> Rule:
    """The rule with that id."""
    found = next((rule for rule in RULES if rule.id == wanted.upper()), None)
    if found is None:
        raise UsageError(_("no such rule"), where=wanted, fix=_nearest(wanted))
    return found


def _prefixes(names: Sequence[str], where: str) -> tuple[str, ...]:
    prefixes = tuple(name.strip().upper() for name in names)
    for prefix in prefixes:
        if not prefix or not any(rule.id.startswith(prefix) for rule in RULES):
            raise UsageError(_("no such rule"), where=f"{where} {prefix}", fix=_nearest(prefix))
    return prefixes


def _nearest(wanted: str) -> str:
    return nearest(wanted, [rule.id for rule in RULES])


def _place(finding: Finding) -> tuple[str, int, str, int, str]:
    return finding.file, finding.line, finding.rule, finding.column, finding.message
