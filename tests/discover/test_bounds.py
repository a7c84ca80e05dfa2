"""A stranger's files: endless texts cost no more than their length, odd words reach no command."""

from __future__ import annotations

import json
import re

import pytest

from tests.discover.trees import found

SIZE = 1 << 17
CI = ".github/workflows/ci.yml"


def fill(unit: str, size: int = SIZE) -> str:
    return unit * (size // len(unit))


ENDLESS = {
    "empty lines": "\n",
    "blanks": " ",
    "tabs and lines": "\t\n",
    "opening brackets": "[",
    "opening angles": "<",
    "headings": "# <h1\n",
    "letters": "a",
    "equals": "=",
    "colons": "a: ",
    "commas": ",",
    "run keys": "run: x\n",
    "run blocks": "- run: |\n    x\n",
    "folded keys": "  script:\n",
    "continued lines": " x\n",
    "continued commands": "x \\\n",
    "sessions": "@nox.session\ndef tests(\n",
    "session options": "@session(",
    "run calls": ".run(",
    "braces": "{0-9}",
    "environment lists": "[tox]\nenvlist = {a,b}",
    "quotes": '"',
    "names in quotes": '"name" ',
    "requirements": "pytest\n",
    "targets": "test lint: a\n",
    "dots": "a.",
    "tables": "[tool.ruff]\n",
    "formatters": "black ",
    "comments": "/*",
    "commas in lines": ", \n",
    "slashes": "//",
    "backslashes": "\\",
    "modules": "<module>",
    "names of artifacts": "<artifactId> ",
    "list items": "- a\n",
    "pattern items": "packages:\n  - '**/a'\n",
    "uses": "use ./a\n",
    "includes": "':a:b' ",
    "calls of scripts": '"run-s a ',
}
NAMES = (
    "pyproject.toml", "package.json", "setup.cfg", "tox.ini", "Makefile", "justfile", "noxfile.py",
    "requirements.txt", "README.md", "README.rst", CI, "Cargo.toml", "go.mod", "composer.json",
    "Taskfile.yml", "hatch.toml", "tox.toml", "setup.py", ".gitlab-ci.yml", "tests/test_a.py",
    "src/a/b.py", "scripts/test", "deno.jsonc", "pom.xml", "build.gradle", "CMakeLists.txt",
    "Makefile.am", "meson.build", "mix.exs", "pnpm-workspace.yaml", "go.work", "settings.gradle",
    "lerna.json", "src/a.rs", "packages/a/package.json", "src/test/ATest.java",
)  # fmt: skip


@pytest.mark.parametrize("unit", ENDLESS.values(), ids=ENDLESS)
def test_endless_files_come_to_an_end(unit):
    """A pattern that takes the square of what it reads needs minutes for one of these."""
    found(dict.fromkeys(NAMES, fill(unit)))


def wide(count):
    names = [f"test-3.{number}" for number in range(count)]
    return {"scripts": {name: " && ".join(["npm run test-3.1"] * 200) for name in names}}


def test_wide_and_deep_data_comes_to_an_end():
    every = ", ".join(f"{{include-group = 'g{number}'}}" for number in range(200))
    lines = ["[dependency-groups]", *(f"g{number} = [{every}]" for number in range(40))]
    found(
        {
            "package.json": json.dumps(wide(3_000)),
            "pyproject.toml": "\n".join(lines),
            "a/package.json": json.dumps({"scripts": {"test": "x"}}),
            CI: "".join(f"- run: npm run test-3.{n}\n" for n in range(5_000)),
        }
    )


def test_no_fact_is_endless():
    long = "x" * 100_000
    facts = found(
        {
            "pyproject.toml": f"""
                [build-system]
                build-backend = "x"
                [project]
                name = "{long}"
                license = "MIT"
                [project.scripts]
                {long} = "a:b"
                [tool.poe.tasks]
                test-3{"1" * 1000} = "pytest"
                """,
            "package.json": json.dumps({"name": long, "scripts": {"test-3" + "1" * 1000: "jest"}}),
            CI: f"- run: pytest {long}\n",
        }
    )
    assert len(facts.project.value) <= 120
    assert all(len(fact.value) <= 120 for fact in facts.surface)
    assert facts.gates == ()


# ── words of a stranger in commands ─────────────────────────────────────────────────────

EVIL = (
    "; touch hacked", "$(touch hacked)", "`touch hacked`", "a b", "a'b", 'a"b', "--opt", "a\nb",
    "a|b",
)  # fmt: skip


@pytest.mark.parametrize("word", EVIL)
def test_a_word_that_a_shell_would_read_otherwise_reaches_no_command(word):
    quoted = json.dumps(word)
    texts = {
        "uv.lock": "",
        "pyproject.toml": f"""
            [project]
            optional-dependencies = {{ {quoted} = ["mypy"] }}
            [dependency-groups]
            {quoted} = ["pytest", "ruff"]
            [tool.mypy]
            [tool.pytest.ini_options]
            [tool.ruff]
            [tool.vulture]
            [tool.poe.tasks]
            {quoted} = "pytest"
            [tool.hatch.envs.{quoted}.scripts]
            test = "pytest"
            """,
        "tox.ini": f"[tox]\nenvlist = py310-{word}\n[testenv]\ncommands = pytest\n",
        "package.json": json.dumps({"name": word, "scripts": {word: "jest", f"test:{word}": "x"}}),
        "Makefile": f"test {word}: x\n\tpytest\n",
        f"{word}/package.json": '{"scripts": {"test": "jest"}}',
        f"{word}/pyproject.toml": "[tool.pytest.ini_options]\n",
        f"{word}/a.py": "", f"src/{word}/a.py": "",
        "tests/test_a.py": "import pytest\n",
        CI: f"steps:\n  - run: {word}\n  - run: pytest {word}\n  - run: tox\n",
    }  # fmt: skip
    facts = found(texts)
    said = [*(gate.command for gate in facts.gates), *(gate.narrow for gate in facts.gates)]
    said += [fact.value for fact in facts.detectors]
    assert any("pytest" in each for each in said)
    for each in said:
        assert re.fullmatch(r"[\w .@:/+,=-]*", each.replace("<path>", "")), each
        assert not re.search(r"hacked|a b|(^| )--opt", each), each


@pytest.mark.parametrize("word", EVIL)
def test_a_scope_that_a_shell_would_read_otherwise_gives_no_command_of_its_own(word):
    texts = {
        f"{word}/package.json": '{"scripts": {"test": "jest"}}',
        "package.json": '{"scripts": {"test": "jest"}}',
    }
    assert [gate.command for gate in found(texts, scope=word).gates] == ["npm test"]
