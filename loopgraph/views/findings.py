"""Findings as people, editors and CI systems want to see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from loopgraph import __version__
from loopgraph.check.rules import RULES
from loopgraph.model.finding import Finding
from loopgraph.model.messages import _
from loopgraph.plain import quoting

if TYPE_CHECKING:  # the name is for types alone
    from loopgraph.views.rules import Rule

SCHEMA: Final = "loopgraph/findings/1"


def as_text(findings: Sequence[Finding]) -> str:
    """One line each, `file:line:col LG123 message`, and below it what to do."""
    return "".join(
        f"{shown(finding.file)}:{max(finding.line, 1)}:{finding.column} {finding.rule} "
        f"{'' if finding.level == 'error' else _('(warning) ')}{shown(finding.message)}\n"
        + (f"    {shown(finding.fix)}\n" if finding.fix else "")
        for finding in findings
    )


def as_json(findings: Sequence[Finding]) -> str:
    """One object; a line of 0 means the whole file."""
    counts = {level: sum(f.level == level for f in findings) for level in ("error", "warning")}
    return dumped(
        {
            "schema": SCHEMA,
            "errors": counts["error"],
            "warnings": counts["warning"],
            "findings": [finding._asdict() for finding in findings],
        }
    )


def as_sarif(findings: Sequence[Finding], rules: Sequence[Rule] = RULES) -> str:
    """A SARIF 2.1.0 log, for code scanning."""
    places = {rule.id: index for index, rule in enumerate(rules)}
    driver = {
        "name": "loopgraph",
        "semanticVersion": __version__,
        "rules": [
            {
                "id": rule.id,
                "name": rule.name,
                "shortDescription": {"text": rule.why},
                "help": {"text": rule.fix},
                "defaultConfiguration": {"level": rule.level},
            }
            for rule in rules
        ],
    }
    results = [
        {
            "ruleId": finding.rule,
            "ruleIndex": places[finding.rule],
            "level": finding.level,
            "message": {"text": _sentences(finding, shown)},
            "locations": [{"physicalLocation": _location(finding)}],
        }
        for finding in findings
    ]
    return dumped(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                {
                    "tool": {"driver": driver},
                    "columnKind": "unicodeCodePoints",
                    "results": results,
                }
            ],
        }
    )


def as_github(findings: Sequence[Finding]) -> str:
    """Workflow commands: GitHub shows each beside its line in a pull request."""
    return "".join(
        f"::{finding.level} file={_property(finding.file)},line={max(finding.line, 1)},"
        f"col={finding.column},title={_property(finding.rule)}"
        f"::{_data(_sentences(finding, str))}\n"
        for finding in findings
    )


FORMATS: Final[Mapping[str, Callable[[Sequence[Finding]], str]]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}
"""Every format by the name that `--format` knows."""


def shown(text: str) -> str:
    """A text that cannot steer a terminal."""
    return text if text.isprintable() else quoting.visible(text)


def dumped(value: Any) -> str:
    """JSON as people can read it."""
    import json  # noqa: PLC0415  text, the usual form, does without

    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _sentences(finding: Finding, clean: Callable[[str], str]) -> str:
    """The message and what to do, as one text."""
    return _("{said}. {fix}", said=clean(finding.message), fix=clean(finding.fix)).strip()


def _location(finding: Finding) -> dict[str, Any]:
    from urllib.parse import quote  # noqa: PLC0415

    path = finding.file
    if path.startswith("/"):
        path = f"file://{quote(path)}"
    elif path[1:2] == ":":
        path = f"file:///{quote(path, safe='/:')}"
    else:
        path = quote(path)
    location: dict[str, Any] = {"artifactLocation": {"uri": path}}
    if finding.line:
        location["region"] = {"startLine": finding.line, "startColumn": finding.column}
    return location


def _data(text: str) -> str:
    return shown(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
