"""The gates of a run: the owner's and the project's own are joined without a double."""

from __future__ import annotations

import pytest

from loopgraph.author import gates
from loopgraph.model.errors import UsageError
from loopgraph.model.facts import FoundGate
from tests.check import compiled

TEST = FoundGate(
    "test", "python -m pytest", "python -m pytest <path>", "minutes", "pyproject.toml", 9
)
LINT = FoundGate("lint", "tox -e lint", "", "seconds", "tox.ini", 3)
TYPES = FoundGate("types", "uv run mypy", "", "seconds", "ci.yml", 5)


def made(chosen, *found, lang="en"):
    return gates.gates(found, chosen, "somebody looks", lang, anyway=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("python -m pytest -q", "python -m pytest"), ("pytest", "python3 -m pytest -vv"),
        ("uv run pytest", "pytest --quiet"), ("poetry run python -m pytest", "pytest"),
        (".venv/bin/python -m pytest", "pytest"), ("npx vitest run", "vitest run"),
        ("npm exec -- vitest run", "vitest run"), ("bundle exec rspec", "rspec"),
    ],
)  # fmt: skip
def test_the_same_command_through_another_runner_or_more_quietly_is_the_same_gate(one, other):
    assert gates.key(one) == gates.key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest tests/unit", "pytest"), ("pytest -x", "pytest"), ("tox -e lint", "tox -e py"),
        ("npm test", "npm run lint"), ("pytest 'a b'", "pytest a b"), ("pytest 'a", "pytest a"),
        ("cargo test", "cargo test --release"), ("python -m a", "python a"),
    ],
)  # fmt: skip
def test_a_command_that_checks_something_else_is_another_gate(one, other):
    assert gates.key(one) != gates.key(other)


def test_the_owners_form_of_a_found_command_stands_alone_with_what_was_found_of_it():
    found = made("python -m pytest -q", TEST, LINT)
    assert [(gate.id, gate.command, gate.source) for gate in found] == [
        ("G-1", "python -m pytest -q", "owner"),
        ("G-2", "tox -e lint", "tox.ini:3"),
    ]
    assert found[0].narrow == "python -m pytest <path>"
    assert found[0].name == "tests"


def test_no_command_is_a_gate_twice_though_it_was_found_as_two_kinds():
    again = FoundGate("ci", "uv run python -m pytest -v", "", "minutes", "ci.yml", 1)
    assert [gate.command for gate in made("", TEST, again, TYPES)] == [
        "python -m pytest", "uv run mypy",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("tox -e lint", "tox"), ("A=1 tox", "tox"), ("./gradlew test", "./gradlew"),
        ("$(which x) y", ""), ("", ""), ("A=1", ""),
    ],
)  # fmt: skip
def test_the_program_of_a_command_is_its_first_word(command, program):
    assert gates.program(command) == program


def test_a_found_gate_whose_program_is_not_here_says_so_and_stays():
    found = gates.marked(made("tox -e all", TEST, LINT), ("tox",), "en")
    assert [gate.source for gate in found] == [
        "owner", "pyproject.toml:9", "tox.ini:3 (tox is not installed here)",
    ]  # fmt: skip
    told = list(gates.lacking(found, ("tox",)))
    assert [line.partition(" ")[0] for line in told] == ["G-1", "G-3"]
    assert "neither on PATH nor in the project's environment" in told[1]


def test_what_is_read_about_a_gate_stays_a_pointer():
    facts = compiled.FACTS
    assert facts.gates
    name = gates.program(facts.gates[0].command)
    spec = compiled.spec("deliver", absent=(name,))
    assert f"({name} is not installed here)" in spec.gates[0].source
    assert not any("not installed" in row.read for row in spec.context)


@pytest.mark.parametrize(
    ("named", "left"),
    [
        ("", ["python -m pytest", "ruff check", "mypy a,b"]), ("none", None), (" , ", None),
        ("lint", ["python -m pytest", "mypy a,b"]), ("lint, test", ["mypy a,b"]),
        ("ruff check", ["python -m pytest", "mypy a,b"]),
        ("mypy a,b", ["python -m pytest", "ruff check"]), ("test,lint,types", []),
    ],
)  # fmt: skip
def test_found_gates_are_left_out_by_kind_or_by_command(named, left):
    found = (
        FoundGate("test", "python -m pytest", "", "seconds", "tox.ini", 1),
        FoundGate("lint", "ruff check", "", "seconds", "tox.ini", 2),
        FoundGate("types", "mypy a,b", "", "seconds", "tox.ini", 3),
    )
    kept = [gate.command for gate in gates.without(found, named)]
    assert kept == (left if left is not None else [gate.command for gate in found])


def test_a_gate_that_was_not_found_cannot_be_left_out():
    found = (FoundGate("lint", "ruff check", "", "seconds", "tox.ini", 2),)
    with pytest.raises(UsageError, match="no gate 'lnt' was found") as refused:
        gates.without(found, "lnt")
    assert "Did you mean lint?" in str(refused.value.fix)
    with pytest.raises(UsageError):
        gates.without((), "lint")
