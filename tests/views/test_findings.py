"""Findings in each format, as their readers expect them."""

from __future__ import annotations

import json

import pytest

from loopgraph import __version__
from loopgraph.check.rules import RULES
from loopgraph.model.finding import Finding
from loopgraph.views import findings as view

TWO = (
    Finding("LG118", "runs/a b/ops.md", 12, "this looks like a key", "Revoke it.", 7),
    Finding("LG103", "runs/a b/50%, ok: x.md", 0, "a stranger", "Move it.", level="warning"),
)

TEXT = """\
runs/a b/ops.md:12:7 LG118 this looks like a key
    Revoke it.
runs/a b/50%, ok: x.md:1:1 LG103 (warning) a stranger
    Move it.
"""

GITHUB = (
    "::error file=runs/a b/ops.md,line=12,col=7,title=LG118::this looks like a key. Revoke it.\n"
    "::warning file=runs/a b/50%25%2C ok%3A x.md,line=1,col=1,title=LG103::a stranger. Move it.\n"
)


def test_text_is_a_place_a_rule_and_a_message_with_the_remedy_below():
    assert view.as_text(TWO) == TEXT


def test_nothing_found_is_nothing_said():
    assert view.as_text(()) == ""
    assert view.as_github(()) == ""


def test_github_gets_one_escaped_command_a_finding():
    assert view.as_github(TWO) == GITHUB


def test_json_counts_and_keeps_zero_for_a_whole_file():
    answer = json.loads(view.as_json(TWO))
    assert answer["schema"] == "loopgraph/findings/1"
    assert (answer["errors"], answer["warnings"]) == (1, 1)
    assert [(f["rule"], f["line"], f["level"]) for f in answer["findings"]] == [
        ("LG118", 12, "error"),
        ("LG103", 0, "warning"),
    ]


def test_sarif_names_every_rule_and_places_each_finding():
    log = json.loads(view.as_sarif(TWO))
    assert log["version"] == "2.1.0"
    (sarif,) = log["runs"]
    driver = sarif["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("loopgraph", __version__)
    assert [rule["id"] for rule in driver["rules"]] == [rule.id for rule in RULES]
    for rule, ours in zip(driver["rules"], RULES, strict=True):
        assert rule["defaultConfiguration"]["level"] == ours.level
        assert rule["shortDescription"]["text"] == ours.why
        assert rule["help"]["text"] == ours.fix
    first, second = sarif["results"]
    assert driver["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "LG118"
    assert first["message"]["text"] == "this looks like a key. Revoke it."
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "runs/a%20b/ops.md"},
                "region": {"startLine": 12, "startColumn": 7},
            }
        }
    ]
    place = second["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "runs/a%20b/50%25%2C%20ok%3A%20x.md"}}
    assert second["level"] == "warning"


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/srv/a b/ops.md", "file:///srv/a%20b/ops.md"),
        ("C:/runs/a b/ops.md", "file:///C:/runs/a%20b/ops.md"),
        ("日本/ops.md", "%E6%97%A5%E6%9C%AC/ops.md"),
        ("../x/ops.md", "../x/ops.md"),
    ],
)
def test_sarif_writes_a_path_as_a_uri(path, uri):
    log = json.loads(view.as_sarif([Finding("LG118", path, 1, "m")]))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == uri


HOSTILE = Finding("LG103", "a\x1b[31m\n::error::x", 1, "b\x1b]0;t\x07\r\u202e%", "c\u2028")


@pytest.mark.parametrize("form", ["text", "github"])
def test_no_text_of_a_file_steers_a_terminal_or_makes_a_line(form):
    shown = view.FORMATS[form]([HOSTILE])
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert shown.count("\n") == (2 if form == "text" else 1)


def test_a_percent_sign_cannot_smuggle_a_line_into_github():
    (line,) = view.as_github([Finding("LG103", "a%0Ab", 1, "x%0A::error::y")]).splitlines()
    assert "%250A" in line.partition("::")[2]
    assert "x%250A::error::y" in line
