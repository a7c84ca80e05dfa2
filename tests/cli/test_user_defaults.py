"""A user's own defaults: below everything that is said for one run, above the built-in ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.test_new import GOAL


@pytest.fixture
def new(cli, repository, tmp_path):
    """What a dry run says of itself, with these defaults of the user."""
    folder = tmp_path / "config"
    folder.mkdir()

    def made(defaults: str, *arguments: str):
        (folder / "config.yaml").write_text(defaults, encoding="utf-8")
        done = cli(
            "new", *arguments, "--yes", "--dry-run", "--json",
            cwd=repository, LOOPGRAPH_CONFIG=str(folder),
        )  # fmt: skip
        return done.code, json.loads(done.out)

    return made


def row(said: dict[str, Any], key: str) -> tuple[str, str]:
    found = next(row for row in said["assumptions"] if row["key"] == key)
    return found["value"], found["source"]


def test_a_default_is_taken_and_shown_with_its_source(new):
    _, said = new("host: codex\nauthority: B\nKEEP_ROUNDS: 7\n", "deliver", GOAL)
    assert row(said, "host") == ("Codex", "your defaults")
    assert said["answers"]["authority"] == {"value": "B", "source": "user defaults"}
    assert "KEEP_ROUNDS=7" in row(said, "KNOB")[0]


def test_whatever_is_said_for_one_run_comes_first(new, tmp_path):
    answers = tmp_path / "answers.yaml"
    answers.write_text("host: grok\nKEEP_ROUNDS: 6\n")
    defaults = "host: codex\nKEEP_ROUNDS: 7\n"
    _, said = new(defaults, "deliver", GOAL, "--answers", str(answers))
    assert row(said, "host") == ("Grok Build", "answers file")
    assert "KEEP_ROUNDS=6" in row(said, "KNOB")[0]
    _, said = new(defaults, "deliver", GOAL, "--answers", str(answers), "--host", "cursor")
    assert row(said, "host") == ("Cursor", "command line")


def test_a_preset_knows_its_kind_of_goal_better_than_a_general_default(new):
    _, said = new("NET_LINE_CAP: 1000\nsupervisor: no\n", "converge")
    assert "NET_LINE_CAP=200" in row(said, "KNOB")[0]
    assert row(said, "supervisor")[0].startswith("yes")


@pytest.mark.parametrize(
    ("defaults", "says"),
    [
        ("goal: everything\n", "no default of a user"),
        ("hots: codex\n", "Did you mean host"),
        ("host: codx\n", "Did you mean codex"),
        ("authority: C\n", "never to all"),
        ("KEEP_ROUNDS: 700\n", "Allowed: 2 to 20"),
        ("- a list\n", "a map of keys"),
        ("host: [", "not valid YAML"),
    ],
)
def test_a_wrong_default_is_refused_with_its_place(new, defaults, says):
    code, said = new(defaults, "deliver", GOAL)
    error = said["error"]
    assert code == 2
    assert says in f"{error['what']} {error['fix']}"


def test_an_empty_file_is_no_defaults(new):
    assert new("", "deliver", GOAL)[0] == 0
