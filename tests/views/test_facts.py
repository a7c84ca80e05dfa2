"""Facts on a screen of eighty columns, and as data that their schema accepts."""

from __future__ import annotations

import json

import fastjsonschema
import pytest

from loopgraph.disk import catalogue
from loopgraph.model import columns, messages
from loopgraph.model.facts import (
    DirtyPath,
    EarlierRun,
    Facts,
    Found,
    FoundGate,
    GapSeed,
    HostFact,
    Language,
    Repository,
)
from loopgraph.views import facts as view
from loopgraph.views.schemas import SCHEMAS

LONG = "packages/a-long-name/and-another/and-more-of-it/test_of_everything_there_is.py"
RICH = Facts(
    project=Found("shop 仓库", "pyproject.toml", 2),
    repositories=(
        Repository(
            ".", "main", "a" * 40, tuple(DirtyPath(f"{n}.txt", "??", "b" * 40) for n in range(7)),
            7, "c" * 64,
        ),
        Repository("lib", "", "", (), 0, "d" * 64),
    ),
    instructions=(Found("instructions for agents", "AGENTS.md", 1),),
    gates=(
        FoundGate("test", "pytest", "pytest <path>", "seconds", "pyproject.toml", 3),
        FoundGate("types", f"mypy --strict {LONG} {LONG}", "", "minutes", LONG, 12, also=True),
    ),
    standards=(Found("Ruff", "ruff.toml", 1),),
    languages=tuple(Language(f"Language{n}", n) for n in range(12)),
    sources=("src",), tests=("tests",),
    detectors=(Found("vulture src", ".venv/bin/vulture", 0),),
    surface=(Found("evil\x1b[31m\nname", "a", 1),),
    gaps=(GapSeed("P1", LONG, "pytest", f"No test is named after {LONG} or a file in it"),),
    earlier=(EarlierRun("2026-01-01-a", "active"), EarlierRun("2026-01-02-b", "")),
    repository_class=None,
    signals=(Found("released by CI", ".github/workflows/ci.yml", 9),),
    members=tuple(Found(f"packages/p{n}", "package.json", 3) for n in range(10)),
    member_count=300,
    unreadable=(Found("cannot be read", "package.json", 1),),
)  # fmt: skip
HOST = HostFact("claude-code", "environment", "CLAUDECODE")
BARE = Facts(project=Found("project", ""))


@pytest.mark.parametrize("facts", [RICH, BARE])
def test_a_line_is_at_most_eighty_columns_unless_one_word_is_longer(facts):
    for line in view.text(facts, HOST).split("\n"):
        assert columns.width(line) <= 80 or len(line.split()) == 1, line


def test_what_does_not_fit_has_its_place_on_a_line_of_its_own():
    said = view.text(RICH).splitlines()
    at = next(number for number, line in enumerate(said) if line.startswith("  types: mypy"))
    assert said[at : at + 5] == [
        "  types: mypy --strict", f"    {LONG}", f"    {LONG}", f"    ({LONG}:12,",
        "     minutes)",
    ]  # fmt: skip


def test_each_fact_has_its_place_and_each_group_a_title():
    said = view.text(RICH, HOST)
    for line in (
        "Cannot be read:\n  package.json: cannot be read (line 1)\nProject:\n",
        "  shop 仓库  (pyproject.toml:2)\n",
        "  claude-code  (environment: CLAUDECODE)\n",
        "Class:\n  not clear\n    released by CI  (.github/workflows/ci.yml:9)\n",
        "  .  on main at aaaaaaaaaaaa, 7 dirty\n    ?? 0.txt\n", "    and 2 more\n",
        "  lib  on no branch at no commit yet, 0 dirty\n",
        "  packages/p7  (package.json:3)\n  and 292 more\n",
        "  test: pytest  (pyproject.toml:3, seconds)\n    narrow: pytest <path>\n",
        "  vulture src  (.venv/bin/vulture)\n", "evil<U+001B>[31m<U+000A>name",
        "  2026-01-02-b  (unknown)\n",
    ):  # fmt: skip
        assert line in said


def test_what_is_not_there_is_said_so():
    assert view.text(BARE).startswith("Project:\n  project\nHost: none\nClass: none\n")


accepts = fastjsonschema.compile(SCHEMAS["facts"]())


@pytest.mark.parametrize(("facts", "host"), [(RICH, HOST), (RICH, None), (BARE, None)])
def test_facts_are_as_their_schema_says(facts, host):
    accepts(json.loads(json.dumps(view.data(facts, host))))


@pytest.mark.parametrize("field", ["schema", "host", *Facts.__dataclass_fields__])
def test_facts_without_a_field_are_not_as_their_schema_says(field):
    answer = json.loads(json.dumps(view.data(RICH, HOST)))
    del answer[field]
    with pytest.raises(fastjsonschema.JsonSchemaException):
        accepts(answer)


def test_a_fact_with_a_field_too_many_is_not_as_its_schema_says():
    answer = json.loads(json.dumps(view.data(RICH, HOST)))
    answer["repositories"][0]["dirty"][0]["more"] = 1
    with pytest.raises(fastjsonschema.JsonSchemaException):
        accepts(answer)


def test_the_command_answers_as_the_schema_that_it_prints(cli, repository):
    printed = json.loads(cli("schema", "facts", cwd=repository).out)
    answer = json.loads(cli("discover", "--json", cwd=repository).out)
    fastjsonschema.compile(printed)(answer)


def test_a_reader_of_chinese_gets_the_words_in_chinese_and_names_as_they_are():
    catalogue.speak("zh")
    try:
        said = view.text(RICH, HOST)
    finally:
        messages.use(None)
    for line in (
        "无法读取：\n  package.json: 无法读取（第 1 行）\n项目：\n",
        "  claude-code  (环境变量 CLAUDECODE)\n",
        "类别：\n  不确定\n    由 CI 发布  (.github/workflows/ci.yml:9)\n",
        "  lib  分支 无，提交 无，0 处未提交改动\n",
        "说明文件：\n  给 agent 的说明  (AGENTS.md:1)\n",
        "  packages/p7  (package.json:3)\n  另有 292 个\n",
        "    小范围：pytest <path>\n",
        "  2026-01-02-b  (不明)\n",
    ):
        assert line in said
    assert all(columns.width(line) <= 80 or " " not in line.strip() for line in said.split("\n"))
