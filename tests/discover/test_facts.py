"""Every other fact of a tree: the name, the layout, pointers, standards, surface, debt, class."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.discover import earlier, languages
from loopgraph.discover.repository_class import Signals, classify
from loopgraph.model.facts import Found, Language
from tests.discover.trees import found


def rows(facts):
    """Facts as `value @ file:line`."""
    return [f"{fact.value} @ {fact.file}:{fact.line}" for fact in facts]


# ── the project's name ──────────────────────────────────────────────────────────────────

NAMES = {
    # texts, the URL of origin, and what comes out
    "pyproject": ({"pyproject.toml": "[project]\nname = 'a'\n"}, "", "a @ pyproject.toml:2"),
    "poetry": ({"pyproject.toml": "\n[tool.poetry]\nname = 'a'\n"}, "", "a @ pyproject.toml:3"),
    "setup.cfg": ({"setup.cfg": "[metadata]\nname = a\n"}, "", "a @ setup.cfg:2"),
    "package.json": ({"package.json": '{\n  "name": "@t/a"\n}'}, "", "@t/a @ package.json:2"),
    "Cargo.toml": ({"Cargo.toml": "[package]\nname = 'a'\n"}, "", "a @ Cargo.toml:2"),
    "go.mod": ({"go.mod": "// x\nmodule h.example/t/a/v2\n"}, "", "a @ go.mod:2"),
    "a README heading": ({"README.md": "\n# The *Shop*\n"}, "x/y", "The Shop @ README.md:2"),
    "a title below badges": (
        {"README.md": "[![ci](a)](b)\n\n# ![logo](l.png) [Shop](x)\n"}, "", "Shop @ README.md:3",
    ),
    "an HTML title": (
        {"README.md": '<p>\n<h1 align="center">Shop</h1>\n</p>\n'}, "", "Shop @ README.md:2",
    ),
    "an underlined title": ({"README.rst": "Shop\n====\n"}, "", "Shop @ README.rst:1"),
    "a section is no title": ({"README.md": "## Read this\n"}, "https://h/t/a.git", "a @ :0"),
    "origin over ssh": ({}, "git@h.example:t/a.git", "a @ :0"),
    "origin with a slash at the end": ({}, "https://h.example/t/a/", "a @ :0"),
    "nothing": ({}, "", "project @ :0"),
    "a name that is no text": ({"package.json": '{"name": 7}'}, "", "project @ :0"),
}  # fmt: skip


@pytest.mark.parametrize(("texts", "origin", "expected"), NAMES.values(), ids=NAMES)
def test_the_name_is_the_projects_own(texts, origin, expected):
    assert rows([found(texts, origin=origin).project]) == [expected]


# ── languages and layout ────────────────────────────────────────────────────────────────

LAYOUTS = {
    "a src layout": (
        ["src/shop/a.py", "src/shop/sub/b.py", "tests/test_a.py", "docs/conf.py", "setup.py"],
        ("src/shop",), ("tests",),
    ),
    "a flat package": (["shop/a.py", "shop/b.py", "tests/unit/test_a.py"], ("shop",), ("tests",)),
    "one lib folder with many parts": (
        [*(f"lib/{part}/a.js" for part in "abcdef"), "test/a.js", "test-d/a.test-d.ts"],
        ("lib",), ("test", "test-d"),
    ),
    "packages of a monorepo": (
        [*(f"packages/{part}/src/a.ts" for part in "abcde"), "packages/a/src/a.test.ts"],
        tuple(f"packages/{part}" for part in "abcde"), ("packages/a/src",),
    ),
    "a few files in the root beside the code": (
        ["index.js", *(f"lib/{n}.js" for n in range(9))], ("lib",), (),
    ),
    "all code in the root": (["a.go", "b.go", "a_test.go"], (".",), (".",)),
    "examples, scripts and vendored code are no production code": (
        ["shop/a.py", "examples/a.py", "scripts/b.py", "vendor/c.py", "bench/d.py", "docs/e.py"],
        ("shop",), (),
    ),
    "names that only look like tests": (
        ["latest/a.py", "contest/b.py", "src/attestation/c.py"],
        ("contest", "latest", "src/attestation"), (),
    ),
    "configuration is no code": (["eslint.config.js", ".eslintrc.js", "types.d.ts"], (), ()),
    "nothing": ([], (), ()),
}  # fmt: skip


@pytest.mark.parametrize(("paths", "sources", "tests"), LAYOUTS.values(), ids=LAYOUTS)
def test_sources_and_tests_are_told_apart(paths, sources, tests):
    facts = found(dict.fromkeys(paths, ""))
    assert (facts.sources, facts.tests) == (sources, tests)


def test_languages_are_counted_by_files_the_most_first():
    paths = [
        "a.py",
        "b.py",
        "c.ts",
        "d.TSX",
        "e.rs",
        "f.rs",
        "g.rs",
        "README.md",
        "data.json",
        "Makefile",
    ]
    assert found(dict.fromkeys(paths, "")).languages == (
        Language("Rust", 3), Language("Python", 2), Language("TypeScript", 2),
    )  # fmt: skip


def test_a_scope_counts_only_what_is_below_it():
    paths = ["api/a.py", "api/tests/test_a.py", "apis/b.py", "web/c.ts"]
    facts = found(dict.fromkeys(paths, ""), scope="api")
    assert facts.languages == (Language("Python", 2),)
    assert (facts.sources, facts.tests) == (("api",), ("api/tests",))


# ── pointers, standards, detectors, surface ─────────────────────────────────────────────


def test_instructions_are_pointers_those_for_agents_first():
    paths = [
        "README.md", "docs/index.md", ".github/CONTRIBUTING.md", ".cursor/rules/style.mdc",
        "CLAUDE.md", "AGENTS.md", "src/agents.md.py", "docs/deep/er/still/AGENTS.md",
        "packages/api/AGENTS.md", "README.fr.md",
    ]  # fmt: skip
    assert [fact.file for fact in found(dict.fromkeys(paths, "")).instructions] == [
        "AGENTS.md", "CLAUDE.md", ".cursor/rules/style.mdc", "packages/api/AGENTS.md",
        ".github/CONTRIBUTING.md",
        "docs/index.md", "README.md",
    ]  # fmt: skip


def test_standards_are_files_tables_sections_and_keys():
    texts = {
        ".editorconfig": "", "eslint.config.js": "", "tsconfig.json": "", ".config/ruff.toml": "",
        "pyproject.toml": "[project]\n[tool.mypy]\n[tool.ruff.lint]\n",
        "setup.cfg": "[metadata]\n\n[flake8]\n",
        "package.json": '{\n  "prettier": {}\n}',
        "sub/.editorconfig": "",
    }  # fmt: skip
    assert rows(found(texts).standards) == [
        "Ruff @ .config/ruff.toml:1", "EditorConfig @ .editorconfig:1",
        "ESLint @ eslint.config.js:1",
        "Prettier @ package.json:2", "mypy @ pyproject.toml:2", "Ruff @ pyproject.toml:3",
        "Flake8 @ setup.cfg:3", "TypeScript @ tsconfig.json:1",
    ]  # fmt: skip


def test_detectors_are_commands_of_what_is_configured_or_declared():
    texts = {
        "shop/a.py": "",
        "pyproject.toml": "[tool.vulture]\n[tool.ruff]\n[tool.coverage.run]\n[tool.other]\n",
        "pnpm-lock.yaml": "",
        "package.json": '{\n"devDependencies": {\n"knip": "5",\n"left-pad": "1"}}',
        ".jscpd.json": "{}",
    }
    assert rows(found(texts).detectors) == [
        "vulture shop @ pyproject.toml:1",
        "coverage report --skip-covered @ pyproject.toml:3",
        "ruff check --no-fix --select F401,F811,F841 . @ pyproject.toml:2",
        "pnpm exec knip @ package.json:3",
        "pnpm exec jscpd shop @ .jscpd.json:1",
    ]


def test_nothing_configured_means_no_detector():
    assert found({"shop/a.py": "", "package.json": "{}", "pyproject.toml": ""}).detectors == ()


def test_the_surface_is_what_others_can_depend_on():
    texts = {
        "pyproject.toml": """
            [build-system]
            build-backend = "hatchling.build"
            [project]
            name = "shop"
            license = "MIT"
            [project.scripts]
            shopctl = "shop:main"
            """,
        "shop/__init__.py": "\n__all__ = ['a']\n",
        "api/openapi.yaml": "", "proto/a.proto": "", "proto/b.proto": "",
        "tests/fixtures/openapi.json": "",
    }  # fmt: skip
    assert rows(found(texts).surface) == [
        "Python package shop @ pyproject.toml:4",
        "command shopctl @ pyproject.toml:7",
        "names in __all__ of shop @ shop/__init__.py:2",
        "OpenAPI schema @ api/openapi.yaml:1",
        "protocol buffers (2 files) @ proto/a.proto:1",
    ]


BUILT = "[build-system]\nbuild-backend = 'x'\n[project]\nname = 'a'\n"


@pytest.mark.parametrize(
    "text",
    [
        BUILT + "classifiers = ['Private :: Do Not Upload']\n",
        "[project]\nname='a'\nlicense='MIT'\n",
        BUILT,
    ],
)
def test_a_project_that_is_not_built_for_others_is_no_package(text):
    assert found({"pyproject.toml": text}).surface == ()


def test_a_private_npm_package_is_no_surface_and_another_is():
    assert found({"package.json": '{"name": "a", "private": true, "exports": {}}'}).surface == ()
    texts = {"package.json": '{"name": "a",\n"exports": {},\n"bin": {"a": "b"}}'}
    assert rows(found(texts).surface) == [
        "npm package a @ package.json:1", "exports @ package.json:2",
        "commands in bin @ package.json:3",
    ]  # fmt: skip


SURFACES = {
    "Composer": (
        {"composer.json": '{\n"name": "team/shop",\n"bin": ["bin/shop"]}'},
        ["Composer package team/shop @ composer.json:2", "commands in bin @ composer.json:3"],
    ),
    "a Composer project is not for others": (
        {"composer.json": '{"name": "team/shop", "type": "project"}'}, [],
    ),
    "Hex": (
        {"mix.exs": "def project do\n[\n  app: :shop,\n  package: package()\n]\n"},
        ["Hex package shop @ mix.exs:4"],
    ),
    "Maven": (
        {
            "pom.xml": "<parent>\n<artifactId>up</artifactId>\n</parent>\n"
            "<artifactId>shop</artifactId>\n<distributionManagement>\n",
        },
        ["Maven artifact shop @ pom.xml:4"],
    ),
    "Gradle": (
        {"build.gradle": "plugins {\n  id 'maven-publish'\n}\n"},
        ["Maven artifact @ build.gradle:2"],
    ),
    "JSR": (
        {"deno.json": '{\n// x\n"name": "@team/shop",\n"exports": "./mod.ts"}'},
        ["JSR package @team/shop @ deno.json:4"],
    ),
    "headers": (
        {"CMakeLists.txt": "project(a)\ninstall(TARGETS a)\n", "include/a/a.h": "", "src/b.h": ""},
        ["headers in include (1 files) @ CMakeLists.txt:2"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("texts", "expected"), SURFACES.values(), ids=SURFACES)
def test_other_ecosystems_have_a_surface_too(texts, expected):
    assert rows(found(texts).surface) == expected


INSTALLED = ["node_modules/.bin/knip", ".venv/bin/vulture", ".venv/Scripts/ruff.exe"]


def test_a_detector_that_is_installed_already_needs_no_configuration():
    texts = {"shop/a.py": "", "pyproject.toml": "[project]\n", "package.json": '{"name": "a"}'}
    assert rows(found(texts, installed=INSTALLED).detectors) == [
        ".venv/bin/vulture shop @ .venv/bin/vulture:0",
        (
            ".venv/Scripts/ruff.exe check --no-fix --select F401,F811,F841 ."
            " @ .venv/Scripts/ruff.exe:0"
        ),
        "npx knip @ node_modules/.bin/knip:0",
    ]
    configured = {**texts, "pyproject.toml": "[tool.vulture]\n"}
    assert rows(found(configured, installed=INSTALLED).detectors)[0] == (
        "vulture shop @ pyproject.toml:1"
    )


def test_standards_of_other_ecosystems():
    texts = {
        ".formatter.exs": "", ".credo.exs": "", "phpcs.xml.dist": "", ".cmake-format": "",
        "deno.jsonc": '{\n// x\n"lint": {}}', "lefthook.yml": "",
    }  # fmt: skip
    assert rows(found(texts).standards) == [
        "cmake-format @ .cmake-format:1", "Credo @ .credo.exs:1", "mix format @ .formatter.exs:1",
        "deno lint @ deno.jsonc:3", "commit hooks @ lefthook.yml:1",
        "PHP_CodeSniffer @ phpcs.xml.dist:1",
    ]  # fmt: skip


# ── debt ────────────────────────────────────────────────────────────────────────────────


def debt(texts):
    return [(row.priority, row.write_set, row.line) for row in found(texts).gaps]


def test_no_gate_and_no_tests_are_two_rows():
    assert debt({"shop/a.py": ""}) == [
        ("P1", "tests", "No test gate: no file here says how this project is tested"),
        ("P1", "tests", "No test files: nothing pins the behaviour of shop"),
    ]


def test_a_folder_after_which_no_test_is_named_is_a_row():
    texts = {
        "pytest.ini": "", "tests/test_orders.py": "", "tests/billing/test_x.py": "",
        **{f"shop/orders/{n}.py": "" for n in ("a", "b", "c")},
        **{f"shop/billing/{n}.py": "" for n in ("a", "b", "c")},
        **{f"shop/refunds/{n}.py": "" for n in ("a", "b", "c", "d")},
        **{f"shop/tiny/{n}.py": "" for n in ("a", "b")},
        "shop/x.py": "",
    }  # fmt: skip
    assert debt(texts) == [
        ("P2", "shop/refunds", "No test is named after shop/refunds or a file in it (4 code files)")
    ]


@pytest.mark.parametrize(
    "extra",
    [
        {"tests/test_refund.py": ""},  # after the folder, singular
        {
            "tests/test_c.py": "",
            "shop/refunds/c2.py": "",
            "tests/test_c2.py": "",
        },  # after a file in it
        {"shop/refunds/a_test.py": ""},  # beside it
        {"shop/refunds/deep/test_x.py": ""},  # below it
    ],
)
def test_a_folder_with_any_test_tied_to_it_is_no_row(extra):
    texts = {"pytest.ini": "", "tests/test_q.py": "", "shop/x.py": ""}
    texts |= {f"shop/refunds/{n}.py": "" for n in ("aa", "bb", "cc")}
    assert len(debt(texts)) == 1
    assert debt(texts | extra) == []


def test_five_marks_in_one_file_are_a_row_and_four_are_none():
    texts = {
        "pytest.ini": "",
        "tests/test_a.py": "",
        "shop/a.py": "# TODO x\n" * 5,
        "shop/b.py": "# FIXME\n" * 4,
    }
    assert debt(texts) == [("P3", "shop/a.py", "5 TODO or FIXME marks in one file")]
    texts["shop/a.py"] = "TODOS = MASTODON\n" * 9
    assert debt(texts) == []


def test_a_detector_that_finds_candidates_is_a_row():
    texts = {
        "pytest.ini": "",
        "tests/test_a.py": "",
        "shop/a.py": "",
        "pyproject.toml": "[tool.vulture]\n[tool.ruff]\n",
    }
    (row,) = found(texts).gaps
    assert (row.priority, row.write_set, row.verify) == ("P3", "shop", "vulture shop")


def test_rows_are_at_most_six_and_the_gravest_first():
    texts = {
        "pyproject.toml": "[tool.vulture]\n[tool.deptry]\n", "test_z.py": "",
        **{f"shop/p{p}/{n}.py": "# TODO\n" * 9 for p in range(9) for n in "abc"}, "shop/x.py": "",
    }  # fmt: skip
    rows_ = found(texts).gaps
    assert len(rows_) == 6
    assert [row.priority for row in rows_] == sorted(row.priority for row in rows_)


# ── class and earlier runs ──────────────────────────────────────────────────────────────

CI_FILE = ".github/workflows/ci.yml"
SEEN = Found("seen", "somewhere", 1)
NO = Signals()
YES = Signals(SEEN, SEEN, SEEN, SEEN, SEEN)
CLASSES = [
    (NO, "prototype"),
    (NO._replace(published=SEEN, tested=SEEN), "library"),
    (NO._replace(published=SEEN, releases=SEEN), "library"),
    (YES, "library"),
    (NO._replace(checked=SEEN, tested=SEEN), "production"),
    (NO._replace(checked=SEEN, tested=SEEN, deployed=SEEN), "production"),
    # too little, or signals that conflict
    (NO._replace(published=SEEN), None),
    (NO._replace(published=SEEN, deployed=SEEN, tested=SEEN), None),
    (NO._replace(tested=SEEN), None),
    (NO._replace(checked=SEEN), None),
    (NO._replace(deployed=SEEN), None),
]


@pytest.mark.parametrize(("seen", "expected"), CLASSES)
def test_the_class_follows_from_its_signals(seen, expected):
    assert classify(seen) == expected


REPOSITORIES = {
    "a published package with tests": (
        {
            "pyproject.toml": BUILT + "license = 'MIT'\n",
            "tests/test_a.py": "",
        },
        "library",
    ),
    "an npm package": (
        {"package.json": '{"name": "a", "main": "a.js"}', "test/a.js": "", "a.js": ""}, "library",
    ),
    "a private web application with CI": (
        {
            "package.json": '{"name": "a", "private": true}', "src/a.test.ts": "",
            ".github/workflows/ci.yml": "", "Dockerfile": "",
        },
        "production",
    ),
    "a few scripts": ({"a.py": "", "b.py": ""}, "prototype"),
    "a package that is also deployed": (
        {"package.json": '{"name": "a", "main": "a.js"}', "test/a.js": "", "fly.toml": ""}, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("texts", "expected"), REPOSITORIES.values(), ids=REPOSITORIES)
def test_the_class_of_a_repository(texts, expected):
    assert found(texts).repository_class == expected


def test_the_signals_of_the_class_are_facts_with_their_places():
    texts = {
        "package.json": '{\n"name": "a",\n"exports": {}}', "test/a.js": "", "a.js": "",
        CI_FILE: "jobs:\n  - run: npm publish\n", "deploy/Chart.yaml": "",
    }  # fmt: skip
    assert rows(found(texts).signals) == [
        "published as a npm package @ package.json:3", f"released by CI @ {CI_FILE}:2",
        "deployed @ deploy/Chart.yaml:1", f"checked by 1 CI file @ {CI_FILE}:1",
        "1 test files @ test/a.js:1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ledger", "status"),
    [
        ("# x\n\n## Status header\n\nRun status: `active`\n", "active"),
        ("# x\n\n## Status header\n\n- **Run status**: exit-ready (waits)\n", "exit-ready"),
        ("# x\n", ""),
        (None, ""),
    ],
)
def test_an_earlier_run_has_the_status_its_ledger_says(ledger, status):
    run = earlier.read("2026-01-01-a", ledger)
    assert (run.slug, run.status) == ("2026-01-01-a", status)


# ── laws ────────────────────────────────────────────────────────────────────────────────

FILES = st.sampled_from([
    "pyproject.toml", "package.json", "setup.cfg", "tox.ini", "Makefile", "justfile", "noxfile.py",
    "Cargo.toml", "go.mod", "README.md", "requirements.txt", ".github/workflows/ci.yml", "setup.py",
    "hatch.toml", "Taskfile.yml", "tests/test_a.py", "src/a/b.py", "a/package.json",
    "package-lock.json",
    "composer.json", "tox.toml", "仓库/文件.py", "with blank/a.js",
])  # fmt: skip
SNIPPETS = st.sampled_from([
    "[project]\nname = 'x'\n", "[tool.pytest.ini_options]\n", '{"scripts": {"test": "jest"}}',
    "[tox]\n",
    '{"scripts": []}', '{"name": {}, "bin": 3, "exports": null}', "[project]\ndependencies = 3\n",
    "[dependency-groups]\na = [{include-group = 'a'}, 4]\n", "test:\n\tpytest\n",
    "- run: |\n   x\n",
    "[tool]\nruff = 3\nmypy = []\nuv = 'x'\n", "[[tool.hatch.envs]]\n", "\ufeff[tool.ruff]\n",
    "\x00\x01",
    "[tool.poe.tasks]\ntest = 3\nlint = {cmd = 4}\n", "# " * 50, "]" * 200, "{" * 2000,
    "[tool.hatch.envs.a.scripts]\ntest = 3\n", "[tool.tox]\nenv_list = 3\nlegacy_tox_ini = 4\n",
])  # fmt: skip


@given(st.dictionaries(FILES, st.one_of(SNIPPETS, st.text(max_size=200)), max_size=8))
def test_any_texts_give_facts_and_the_same_ones_again(texts):
    facts = found(texts)
    assert facts == found(dict(reversed(texts.items())))
    for gate in facts.gates:
        assert gate.command.strip()
        assert not gate.narrow or "<path>" in gate.narrow
        assert gate.file in texts
        assert 1 <= gate.line <= texts[gate.file].count("\n") + texts[gate.file].count("\r") + 1
    for fact in (*facts.standards, *facts.detectors, *facts.surface, *facts.instructions):
        assert fact.file in texts


@given(st.lists(st.text(st.sampled_from("ab/._- testTS"), min_size=1, max_size=12), max_size=30))
def test_any_paths_can_be_laid_out(names):
    texts = {f"{name.strip('/') or 'x'}.py": "" for name in names}
    facts = found(texts)
    assert sum(each.files for each in facts.languages) == len(texts)
    assert len(facts.sources) <= languages.FOLDER_CAP
    assert len(facts.tests) <= languages.FOLDER_CAP
