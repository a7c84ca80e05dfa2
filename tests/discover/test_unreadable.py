"""Files that should have said something are named with the line that is wrong."""

from __future__ import annotations

import os

import pytest

from loopgraph import discover
from loopgraph.discover import config
from loopgraph.views import facts as view
from tests.discover.trees import found

BROKEN = {
    "JSON that ends early": ("package.json", '{"name": "a"', 1),
    "JSON with a comma too many": ("package.json", '{\n"scripts": {\n"a": "b",\n}\n}', 4),
    "JSON with a comment": ("composer.json", '{\n// x\n"name": "a"\n}', 2),
    "JSON that is no object": ("package.json", '["a"]', 1),
    "JSON nested without end": ("package.json", "[" * 20_000, 1),
    "words": ("package.json", "not json", 1),
    "a comment that Deno allows, and a brace too few": ("deno.jsonc", "{\n// }\n", 3),
    "TOML without a value": ("pyproject.toml", "[project]\nname =\n", 2),
    "TOML with a key twice": ("Cargo.toml", "[a]\nb = 1\nb = 2\n", 3),
    "TOML that ends in a string": ("pyproject.toml", '[a]\nb = "', 2),
    "a conflict": ("pyproject.toml", "[a]\n<<<<<<< HEAD\nb = 1\n", 2),
    "in a part": ("packages/api/package.json", "{", 1),
}


@pytest.mark.parametrize(("file", "text", "line"), BROKEN.values(), ids=BROKEN)
def test_a_broken_manifest_is_named_with_its_line(file, text, line):
    facts = found({file: text, "a.py": ""})
    assert [(fact.file, fact.line) for fact in facts.unreadable] == [(file, line)]
    assert view.warnings(facts) == (f"{file}: cannot be read (line {line})",)


WHOLE = {
    "package.json": '{"name": "a"}',
    "pyproject.toml": "[project]\n",
    "deno.json": '{\n// a comment\n"tasks": {}, /* and another */\n}',
    "Cargo.toml": "",
    "tests/fixtures/bad/package.json": "{",
    "node_modules/a/package.json": "{",
    "a/b/c/d/package.json": "{",
}


def test_what_is_whole_empty_or_there_to_be_broken_is_not_named():
    assert found(WHOLE).unreadable == ()


def test_a_broken_manifest_stops_no_other_fact():
    facts = found({"package.json": "{", "pytest.ini": "", "tests/test_a.py": ""})
    assert [gate.command for gate in facts.gates] == ["python -m pytest"]


def test_a_manifest_that_is_no_text_is_named_without_a_line(tmp_path):
    (tmp_path / "package.json").write_bytes(b'{"name": "\xff"}')
    facts = discover.workspace(tmp_path)
    assert [(fact.file, fact.line) for fact in facts.unreadable] == [("package.json", 0)]
    (warning,) = view.warnings(facts)
    assert warning.startswith("package.json: cannot be read: ")


def test_discover_says_it_first_and_goes_on(cli, repository):
    (repository / "package.json").write_text("{\n  oops\n", "utf-8")
    done = cli("discover", cwd=repository)
    assert done.code == 0
    assert done.out.startswith("Cannot be read:\n  package.json: cannot be read (line 2)\nProject:")


@pytest.mark.skipif(os.name == "nt", reason="a name that Windows cannot have")
def test_a_folder_cannot_write_into_the_terminal(cli, repository):
    folder = repository / "a\x1b[31m\nb"
    folder.mkdir()
    (folder / "package.json").write_text("{", "utf-8")
    done = cli("discover", cwd=repository)
    assert "\x1b" not in done.out
    assert "cannot be read (line 1)" in done.out


BARE = {
    '{"a": 1, // x\n"b": "// no, \\" /* no */", /* x\n */ "c": [1, 2,\n],}': {
        "a": 1, "b": '// no, " /* no */', "c": [1, 2],
    },
    '{"a": "\\\\"}//': {"a": "\\"},
    "{/*": {}, '{"a': {}, "": {}, "//": {},
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), BARE.items())
def test_json_with_comments_is_read_as_if_it_had_none(text, value):
    assert config.jsonc(text) == value
