"""The parts of a monorepo are those that its own workspace file declares."""

from __future__ import annotations

import json
import sys

import pytest

from loopgraph.discover import facts, gates, languages, members
from tests.discover.trees import found, tree

EMPTY = {
    "packages/a/package.json": "{}",
    "packages/b/package.json": "{}",
    "tools/x/package.json": "{}",
}
CASES = {
    "npm and yarn": (
        {**EMPTY, "package.json": '{\n"workspaces": [\n"packages/*",\n"tools/x"]}'},
        ["packages/a @ package.json:3", "packages/b @ package.json:3", "tools/x @ package.json:4"],
    ),
    "yarn's longer form, with one taken out": (
        {**EMPTY, "package.json": '{"workspaces": {"packages": ["packages/**", "!packages/b"]}}'},
        ["packages/a @ package.json:1"],
    ),
    "pnpm": (
        {
            **EMPTY, "package.json": "{}", "pnpm-workspace.yaml": """
                catalog:
                  - not/this
                packages:
                  # ours
                  - 'packages/*'
                  - '!**/b'

                onlyBuiltDependencies:
                  - tools/x
                """,
        },
        ["packages/a @ pnpm-workspace.yaml:5"],
    ),
    "Cargo": (
        {
            "Cargo.toml": "[workspace]\nmembers = [\n  'crates/*',\n]\nexclude = ['crates/c']\n",
            **{f"crates/{name}/Cargo.toml": "" for name in "abc"},
        },
        ["crates/a @ Cargo.toml:3", "crates/b @ Cargo.toml:3"],
    ),
    "uv": (
        {
            "pyproject.toml": "[tool.uv.workspace]\nmembers = ['libs/*']\n",
            "libs/a/pyproject.toml": "", "libs/b/readme.md": "",
        },
        ["libs/a @ pyproject.toml:2"],
    ),
    "Go": (
        {
            "go.work": "go 1.22\n\nuse (\n\t./api\n\tcmd/tool\n)\n",
            "api/go.mod": "", "cmd/tool/go.mod": "",
        },
        ["api @ go.work:4", "cmd/tool @ go.work:5"],
    ),
    "Maven": (
        {
            "pom.xml": "<modules>\n <module>core</module>\n <module>gone</module>\n</modules>",
            "core/pom.xml": "",
        },
        ["core @ pom.xml:2"],
    ),
    "Gradle": (
        {
            "settings.gradle.kts": 'rootProject.name = "shop"\ninclude(":core", ":web:api")\n',
            "core/build.gradle.kts": "", "web/api/build.gradle": "",
        },
        ["core @ settings.gradle.kts:2", "web/api @ settings.gradle.kts:2"],
    ),
    "Deno": (
        {"deno.json": '{"workspace": [\n"./assert"]}', "assert/deno.json": "{}"},
        ["assert @ deno.json:2"],
    ),
    "a declared folder that is not there": ({"package.json": '{"workspaces": ["gone"]}'}, []),
    "folders that nothing declares": ({**EMPTY, "package.json": "{}"}, []),
    "no monorepo": ({"a.py": ""}, []),
}  # fmt: skip


@pytest.mark.parametrize(("texts", "expected"), CASES.values(), ids=CASES)
def test_members_are_those_that_the_workspace_file_declares(texts, expected):
    seen = found(texts)
    assert [f"{fact.value} @ {fact.file}:{fact.line}" for fact in seen.members] == expected
    assert seen.member_count == len(expected)


def monorepo(count):
    texts = {"package.json": '{"workspaces": ["packages/*"]}', "pnpm-lock.yaml": ""}
    for number in range(count):
        folder = f"packages/p{number:03}"
        texts[f"{folder}/package.json"] = json.dumps(
            {"name": f"@shop/p{number}", "scripts": {"test": "vitest run", "lint": "eslint ."}}
        )
        texts.update({f"{folder}/src/{name}.ts": "" for name in "abcdefgh"})
        texts[f"{folder}/src/a.test.ts"] = ""
    return texts


def test_of_three_hundred_members_the_first_are_named_and_all_are_counted():
    seen = found(monorepo(300))
    assert seen.member_count == 300
    assert len(seen.members) == 40
    assert seen.members[0].value == "packages/p000"
    assert len(seen.gates) <= 12


def calls(work):
    """How many functions a piece of work calls: the same on every machine."""
    count = 0

    def profile(frame, event, argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("scope", [".", "packages/p007"])
def test_four_times_the_members_are_at_most_five_times_the_work(scope):
    small, large = (tree(monorepo(count)) for count in (60, 240))
    work = [
        calls(lambda each=each: gates.find(each, languages.lay_out(each, scope), scope=scope))
        + calls(lambda each=each: members.find(each))
        for each in (small, large)
    ]
    assert work[1] < 5 * work[0]


def test_four_times_the_files_are_at_most_five_times_the_work():
    def wide(count):
        return tree({f"src/m{n % 50}/f{n}.py": "" for n in range(count)} | {"pytest.ini": ""})

    work = [calls(lambda each=each: facts(each)) for each in map(wide, (2_000, 8_000))]
    assert work[1] < 5 * work[0]


def test_a_scope_that_is_a_member_narrows_gates_and_sources():
    seen = found(monorepo(4), scope="packages/p002")
    assert seen.gates[0].command == "pnpm -C packages/p002 test"
    assert seen.sources == ("packages/p002",)
    assert seen.tests == ("packages/p002/src",)


@pytest.mark.parametrize("pattern", ["*a" * 40, "**/" * 40, "a" * 100_000, "[", "(", "{a,b}", "\\"])
def test_a_pattern_that_nobody_would_write_costs_nothing_and_matches_nothing(pattern):
    texts = {"package.json": json.dumps({"workspaces": [pattern]}), "a" * 200 + "/package.json": ""}
    assert found(texts).member_count in {0, 1}
