"""The small judgements behind gates: what a task checks, what CI runs, which tox name is safe."""

from __future__ import annotations

import pytest

from loopgraph.discover import ci
from loopgraph.discover.stacks import declared, tasks
from loopgraph.discover.stacks.offer import kind_of
from tests.discover.trees import tree

KINDS = [
    ("test", "pytest", "test"),
    ("tests", "", "test"),
    ("test:unit", "jest", "test"),
    ("test_unit", "jest", "test"),
    ("unit", "ava", "test"),
    ("lint", "eslint .", "lint"),
    ("check-lint", "", "lint"),
    ("typecheck", "tsc", "types"),
    ("type-check", "tsc", "types"),
    ("check:types", "tsc", "types"),
    ("mypy", "mypy .", "types"),
    ("types", "tsc -b", "types"),
    ("build", "tsc -b", "build"),
    ("format:check", "prettier --check .", "format"),
    ("format", "prettier --check .", "format"),
    ("fmt", "gofmt -l .", "format"),
    ("ci", "make lint test", "ci"),
    ("check", "ruff check && mypy && pytest", "ci"),
    ("check", "pytest", "test"),
    ("check", "ruff check && mypy src", "lint"),
    # no gates
    ("start", "node server.js", None),
    ("deploy", "npm test && ./deploy", None),
    ("test:watch", "jest --watch", None),
    ("test", "jest --watchAll", None),
    ("test", "jest --watchAll=false", "test"),
    ("lint", "eslint --fix .", None),
    ("lint", "ruff check --fix", None),
    ("format", "black .", None),
    ("format", "black --check .", "format"),
    ("format", "prettier -w src", None),
    ("format", "", None),
    ("fmt", "cargo fmt", None),
    ("fmt", "cargo fmt --all --check", "format"),
    ("test", "echo 'Error: no test specified' && exit 1", None),
    ("test", "true", None),
    ("latest", "", None),
    ("contest", "", None),
    ("build-docs", "", None),
]


@pytest.mark.parametrize(("name", "body", "kind"), KINDS)
def test_a_task_is_known_by_its_name_and_refused_by_what_it_does(name, body, kind):
    assert kind_of(name, body) == kind


TOX = [
    (["py310", "py311", "lint"], "pytest {posargs}", "py"),
    (["py"], "python -m unittest", "py"),
    (["3.10", "3.11"], "pytest", "py"),
    (["py310-django42", "py311-django50"], "pytest", "py-django42"),
    # A factor in front of a command: without it nothing would run, and that would look green.
    (["py310-tests", "py310-mypy"], "tests: pytest\nmypy: mypy src", "py-tests"),
    (["py310-mypy", "py310-tests"], "tests: pytest\nmypy: mypy src", "py-tests"),
    (["py310"], "tests: pytest", ""),
    (["lint", "docs"], "pytest", ""),
    (["py3", "black"], "{envpython} runtests.py {posargs}", "py3"),
    (["py311,pypy3", "py311", "docs"], "python -bb -m shop.test {posargs:}", "py"),
    (["py3-slow"], "python run_tests.py", "py3-slow"),
    (["py311"], "python -m shop.testing", ""),
    (["py310"], "make check", ""),
    (["py310"], "", ""),
    ([], "pytest", ""),
]


@pytest.mark.parametrize(("names", "commands", "expected"), TOX)
def test_the_tox_environment_named_is_one_that_surely_runs_the_tests(names, commands, expected):
    assert tasks.test_environment(names, commands) == expected


def test_tox_names_are_written_out_as_tox_does():
    text = "[tox]\nenv_list =\n    lint\n    3.1{0-2}-{a,b}, docs\n[testenv]\ncommands = pytest\n"
    names, commands = tasks.read_tox_ini(text)
    assert names == ["lint", *(f"3.1{n}-{x}" for n in range(3) for x in "ab"), "docs"]
    assert commands == "pytest"


def test_tox_names_stay_few_whatever_a_file_says():
    assert len(tasks.expanded(["{0-99}" * 9])) == 100


# ── CI ──────────────────────────────────────────────────────────────────────────────────


def commands(text: str, file: str = ".github/workflows/ci.yml"):
    return [(step.command, step.line, step.folder) for step in ci.read(text, file)]


def test_github_steps_of_every_form_are_read():
    text = """\
name: run: not a step
on: {push: {}}
defaults:
  run:
    shell: bash
jobs:
  a:
    steps:
      - uses: actions/checkout@v4
        with:
          python-version: "3.12"
      - run: make test  # a comment
      - name: two
        run: "scripts/check"
      - run: |
          # install first
          pip install \\
            -e .

          pytest -q
      - name: folded
        run: >-
          uv run
          tox run
      - run: uv run pytest
        working-directory: ./backend
      - name: where first
        working-directory: 'web'
        run: npm test
"""
    assert commands(text) == [
        ("make test", 12, "."),
        ("scripts/check", 14, "."),
        ("pip install -e .", 17, "."),
        ("pytest -q", 20, "."),
        ("uv run tox run", 23, "."),
        ("uv run pytest", 25, "backend"),
        ("npm test", 29, "web"),
    ]


def test_a_default_folder_counts_from_where_it_is_set():
    text = "jobs:\n  a:\n    defaults:\n      run:\n        working-directory: api\n"
    text += "    steps:\n    - run: pytest\n"
    assert commands(text) == [("pytest", 7, "api")]


def test_lists_of_commands_are_read():
    gitlab = (
        "test:\n  before_script:\n    - pip install .\n  script:\n    - 'pytest -q'\n    - mypy\n"
    )
    assert commands(gitlab, ".gitlab-ci.yml") == [
        ("pip install .", 3, "."), ("pytest -q", 5, "."), ("mypy", 6, "."),
    ]  # fmt: skip
    circle = "jobs:\n  a:\n    steps:\n      - run:\n          name: t\n          command: pytest\n"
    assert commands(circle, ".circleci/config.yml") == [("pytest", 6, ".")]


@pytest.mark.parametrize(
    "text", ["", "run:", "- run: |", "run: >", "run: '", "  \n\trun: x", "run: \\"]
)
def test_odd_files_are_read_without_complaint(text):
    commands(text)


def test_workflows_that_check_a_change_are_read_before_those_that_publish():
    step = "jobs:\n  a:\n    steps:\n    - run: {}\n"
    texts = {
        ".github/workflows/release.yml": step.format("pytest --release"),
        ".github/workflows/zz-tests.yml": step.format("pytest"),
    }
    assert [each.command for each in ci.steps(tree(texts))] == ["pytest"]
    del texts[".github/workflows/zz-tests.yml"]
    assert [each.command for each in ci.steps(tree(texts))] == ["pytest --release"]


@pytest.mark.parametrize(
    ("command", "plain"),
    [
        ("pytest -q tests", True),
        ("make test", True),
        ("pytest $ARGS", False),
        ("tox -e ${{ matrix.env }}", False),
        ("pytest | tee log", False),
        ("cd api && pytest", False),
        ("pytest; true", False),
        ("x" * 201, False),
    ],
)
def test_a_ci_line_is_taken_over_only_if_it_means_the_same_at_home(command, plain):
    assert ci.is_plain(command) == plain


# ── declared tools ──────────────────────────────────────────────────────────────────────

PLACES = [
    ({"pyproject.toml": "[project]\ndependencies = ['pytest>=8']\n"}, "main", 2),
    ({"pyproject.toml": "[project.optional-dependencies]\nx = [\n 'pytest'\n]\n"}, "extra:x", 3),
    ({"pyproject.toml": "[dependency-groups]\nci = ['PyTest']\n"}, "group:ci", 2),
    ({"pyproject.toml": "[tool.poetry.dev-dependencies]\npytest = '*'\n"}, "poetry", 2),
    ({"pyproject.toml": "[tool.pdm.dev-dependencies]\ntest = ['pytest']\n"}, "group:test", 2),
    ({"requirements/dev.txt": "-r base.txt\n\npytest==8 ; sys == 'x'\n"}, "requirements", 3),
    ({"setup.py": "setup(\n  extras_require={'t': ['pytest']},\n)\n"}, "environment:", 2),
    ({"tox.ini": "[testenv]\ndeps =\n    pytest\n"}, "environment:", 3),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "place", "line"), PLACES)
def test_a_tool_is_declared_in_one_of_many_places(texts, place, line):
    project = declared.project(tree(texts), ".")
    assert project is not None
    tool = project.tools["pytest"]
    assert tool.place == place
    assert project.where("pytest") == (next(iter(texts)), line)


def test_a_plugin_is_not_the_tool():
    texts = {"pyproject.toml": "[dependency-groups]\ndev = ['pytest-cov', 'pytest']\n"}
    project = declared.project(tree(texts), ".")
    assert project is not None
    assert set(project.tools) == {"pytest", "pytest-cov"}
    project = declared.project(tree({"setup.py": "setup(tests_require=['pytest-cov'])"}), ".")
    assert project is not None
    assert "pytest" not in project.tools


def test_groups_that_include_each_other_end():
    text = (
        "[dependency-groups]\na = [{include-group = 'b'}]\nb = [{include-group = 'a'}, 'pytest']\n"
    )
    project = declared.project(tree({"pyproject.toml": text}), ".")
    assert project is not None
    assert "pytest" in project.tools
