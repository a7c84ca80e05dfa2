"""The comparison with real projects judges as it says; the trees themselves are not kept here."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

import pytest

from loopgraph.edges import record
from loopgraph.model.facts import FoundGate
from tests.conftest import PROJECT

FOLDER = PROJECT / "docs/discovery"
spec = importlib.util.spec_from_file_location("compare", FOLDER / "compare.py")
assert spec is not None
assert spec.loader is not None
compare = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compare)

EXPECTED = (FOLDER / "expected.yaml").read_text("utf-8")
PROJECTS = record.convert(
    record.load_yaml(EXPECTED, "expected.yaml"), list[dict[str, Any]], "expected.yaml"
)


def gate(kind, command):
    return FoundGate(kind, command, "", "seconds", "a", 1)


PLAN = {
    "repository": "team/shop", "commit": "a" * 40, "stack": "Python",
    "gates": [
        {"kind": "test", "at": "ci.yml:3", "says": "tox", "means": "tox|pytest"},
        {"kind": "lint|types", "at": "ci.yml:4", "says": "make lint", "means": "make lint"},
    ],
    "also": [{"at": "ruff.toml:1", "means": "ruff check .*"}],
}  # fmt: skip


def test_found_missed_and_invented_are_told_apart():
    found = [gate("test", "pytest"), gate("lint", "ruff check ."), gate("build", "make build")]
    seen = compare.compare(PLAN, found)
    assert list(seen.found) == ["test: tox (ci.yml:3)"]
    assert list(seen.missed) == ["lint|types: make lint (ci.yml:4)"]
    assert list(seen.invented) == ["build: make build (a:1)"]


def test_a_command_counts_whole_and_for_its_kind():
    assert not compare.compare(PLAN, [gate("lint", "tox"), gate("test", "tox -e py")]).found


@pytest.mark.parametrize("project", PROJECTS, ids=lambda each: each["repository"])
def test_each_expectation_names_a_commit_a_line_kinds_and_a_pattern(project):
    assert re.fullmatch(r"[0-9a-f]{40}", project["commit"])
    for each in project["gates"]:
        assert re.fullmatch(r"[\w./-]+:\d+", each["at"])
        assert set(each["kind"].split("|")) <= {"test", "lint", "types", "build", "format", "ci"}
        re.compile(each["means"])


def test_the_page_has_the_table_of_the_projects():
    page = (PROJECT / "docs/discovery.md").read_text("utf-8")
    total = sum(len(project["gates"]) for project in PROJECTS)
    for project in PROJECTS:
        row = f"| {project['repository']} | `{project['commit'][:10]}` |"
        assert row in page
    assert f"| **{len(PROJECTS)} projects** | | | **{total}** |" in page
