"""What is not said about a thing is unknown or none; nothing is claimed by a default."""

from __future__ import annotations

import pytest

from loopgraph.model.facts import DirtyPath, Facts, Found, FoundGate, GapSeed
from loopgraph.model.finding import LEVELS, Finding
from loopgraph.model.machine import HookHere, Line, Program
from loopgraph.model.spec import Emphasis


@pytest.mark.parametrize(
    "thing",
    [
        Program("git", ""), HookHere("codex", "Codex", here=False),
        Line("ok", "git", "it is there"),
        GapSeed("P2", "src/a.py", "pytest", "no test"), Found("a", "b"), Emphasis(),
        Facts(Found("a", "b")), FoundGate("test", "pytest", "", "minutes", "tox.ini", 3),
    ],
    ids=lambda thing: type(thing).__name__,
)  # fmt: skip
def test_what_is_not_said_is_empty(thing):
    names = getattr(thing, "_fields", None) or list(type(thing).__dataclass_fields__)
    said = [getattr(thing, name) for name in names]
    given = {"git", "codex", "Codex", "ok", "it is there", "P2", "src/a.py", "pytest", "no test"}
    given |= {"a", "b", "test", "minutes", "tox.ini"}
    known = [value for value in said if value and value not in (3, Found("a", "b"))]
    assert set(known) <= given


def test_a_hook_that_nobody_ran_has_no_answer_and_a_class_without_signals_is_unknown():
    assert HookHere("codex", "Codex", here=False).answers is None
    assert Facts(Found("a", "b")).repository_class is None
    assert GapSeed("P2", "a", "b", "c").kind is None


def test_what_differed_before_a_run_is_the_owners_unless_it_is_said_otherwise():
    assert DirtyPath("a", ".M", "").owner == "owner"


def test_a_finding_is_an_error_at_the_first_column_unless_it_says_otherwise():
    finding = Finding("LG101", "ledger.md", 3, "wrong")
    assert (finding.column, finding.level, finding.fix) == (1, "error", "")
    assert LEVELS == ("error", "warning")
