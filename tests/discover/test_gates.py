"""Gates: found where the repository names them, in its own words, never invented."""

from __future__ import annotations

import pytest

from tests.discover.trees import found

PYTEST = {"tests/test_a.py": "import pytest\n", "src/shop/a.py": "", "src/shop/b.py": ""}
CI = ".github/workflows/ci.yml"


def workflow(*steps: str) -> str:
    lines = ["on: push", "jobs:", "  test:", "    runs-on: ubuntu-latest", "    steps:"]
    return "\n".join([*lines, *(f"      - run: {step}" for step in steps), ""])


def gates(texts, scope="."):
    return [
        f"{g.kind}: {g.command}" + (f" | {g.narrow}" if g.narrow else "") + f" @ {g.file}:{g.line}"
        for g in found(texts, scope=scope).gates
    ]


CASES = {
    # ── Python ──
    "pytest in a table of pyproject.toml": (
        {**PYTEST, "pyproject.toml": "[project]\nname = 'shop'\n\n[tool.pytest.ini_options]\n"},
        ["test: python -m pytest | python -m pytest <path> @ pyproject.toml:4"],
    ),
    "pytest.ini": (
        {**PYTEST, "pytest.ini": "[pytest]\n"},
        ["test: python -m pytest | python -m pytest <path> @ pytest.ini:1"],
    ),
    "pytest in setup.cfg": (
        {**PYTEST, "setup.cfg": "[metadata]\nname = shop\n[tool:pytest]\n"},
        ["test: python -m pytest | python -m pytest <path> @ setup.cfg:3"],
    ),
    "pytest declared, with tests": (
        {"tests/test_a.py": "", "requirements-dev.txt": "# tools\npytest>=8\n"},
        ["test: python -m pytest | python -m pytest <path> @ requirements-dev.txt:2"],
    ),
    "pytest declared without any test is no gate": (
        {"shop/a.py": "", "requirements-dev.txt": "pytest>=8\n"},
        [],
    ),
    "tests that import pytest, nothing else": (
        {"shop.py": "", "test_shop.py": '"""Tests."""\n\nimport pytest\n'},
        ["test: python -m pytest | python -m pytest <path> @ test_shop.py:3"],
    ),
    "tests that import unittest": (
        {"shop.py": "", "tests/test_shop.py": "import unittest\n"},
        [
            ("test: python -m unittest discover -s tests | python -m unittest <path>"
             " @ tests/test_shop.py:1")
        ],
    ),
    "tests that unittest would not find by their names": (
        {"shop.py": "", "tests/shop_test.py": "import unittest\n"},
        [],
    ),
    "tests of unittest behind a runner of the project's own": (
        {"shop.py": "", "tests/test_shop.py": "import unittest\n", "tests/runtests.py": ""},
        [],
    ),
    "tests that only borrow a mock from unittest say nothing": (
        {"shop.py": "", "tests/test_shop.py": "from unittest import mock\n"},
        [],
    ),
    "uv with the tool in a default group": (
        {
            **PYTEST, "uv.lock": "", "pyproject.toml": """
                [project]
                name = "shop"
                [dependency-groups]
                dev = ["pytest>=8", "ruff"]
                [tool.ruff]
                [tool.pytest.ini_options]
                """,
        },
        [
            "test: uv run pytest | uv run pytest <path> @ pyproject.toml:6",
            "lint: uv run ruff check . | uv run ruff check <path> @ pyproject.toml:5",
        ],
    ),
    "uv with the tool in another group, an extra, or nowhere": (
        {
            **PYTEST, "uv.lock": "", "pyproject.toml": """
                [project]
                name = "shop"
                [project.optional-dependencies]
                quality = ["mypy"]
                [dependency-groups]
                tests = ["pytest>=8"]
                [tool.mypy]
                files = ["src"]
                [tool.ruff]
                [tool.pytest.ini_options]
                """,
        },
        [
            ("test: uv run --group tests pytest | uv run --group tests pytest <path>"
             " @ pyproject.toml:10"),
            "lint: ruff check . | ruff check <path> @ pyproject.toml:9",
            ("types: uv run --extra quality mypy | uv run --extra quality mypy <path>"
             " @ pyproject.toml:7"),
        ],
    ),
    "uv groups that include others": (
        {
            **PYTEST, "uv.lock": "", "pyproject.toml": """
                [dependency-groups]
                tests = ["pytest"]
                dev = [{include-group = "tests"}]
                [tool.pytest.ini_options]
                """,
        },
        ["test: uv run pytest | uv run pytest <path> @ pyproject.toml:4"],
    ),
    "poetry": (
        {
            **PYTEST, "poetry.lock": "", "pyproject.toml": """
                [tool.poetry]
                name = "shop"
                [tool.poetry.group.dev.dependencies]
                pytest = "^8"
                """,
        },
        ["test: poetry run pytest | poetry run pytest <path> @ pyproject.toml:4"],
    ),
    "a linter set to mend is asked not to": (
        {"shop/a.py": "", "pyproject.toml": "[tool.ruff]\nfix = true\n"},
        ["lint: ruff check --no-fix . | ruff check --no-fix <path> @ pyproject.toml:1"],
    ),
    "mypy without files is given the sources": (
        {"shop/a.py": "", "mypy.ini": "[mypy]\nstrict = true\n"},
        ["types: mypy shop | mypy <path> @ mypy.ini:1"],
    ),
    "every other tool by its own file": (
        {
            "shop/a.py": "", ".flake8": "[flake8]\n", "pyrightconfig.json": "{}",
            "pyproject.toml": "[tool.black]\n[tool.ty.rules]\n",
        },
        [
            "lint: flake8 . | flake8 <path> @ .flake8:1",
            "types: pyright | pyright <path> @ pyrightconfig.json:1",
            "format: black --check . | black --check <path> @ pyproject.toml:1",
        ],
    ),
    "Django": (
        {
            "shop/a.py": "", "manage.py": "import django\nexecute_from_command_line(sys.argv)\n",
        },
        ["test: python manage.py test | python manage.py test <path> @ manage.py:2"],
    ),
    # ── task runners ──
    "tox that CI calls is the full form, pytest the narrow one": (
        {
            **PYTEST, CI: workflow("tox -e ${{ matrix.env }}"),
            "tox.ini": "[tox]\nenvlist = py{310,311}, lint\n[testenv]\ncommands = pytest\n",
            "pyproject.toml": "[tool.pytest.ini_options]\n",
        },
        [
            "test: tox -e py | python -m pytest <path> @ tox.ini:1",
            "lint: tox -e lint @ tox.ini:1",
            "ci: tox @ tox.ini:1",
        ],
    ),
    "tox that CI does not call stays beside pytest": (
        {
            **PYTEST, "tox.ini": "[tox]\nenvlist = py310\n[testenv]\ncommands = pytest\n",
            "pyproject.toml": "[tool.pytest.ini_options]\n",
        },
        [
            "test: python -m pytest | python -m pytest <path> @ pyproject.toml:1",
            "ci: tox @ tox.ini:1",
        ],
    ),
    "nox sessions by name, in CI": (
        {
            **PYTEST, CI: workflow("nox -s tests-3.12"), "noxfile.py": """
                import nox

                @nox.session(python=["3.11", "3.12"])
                def tests(session):
                    session.run("pytest", *session.posargs)

                @nox.session(name="type-check")
                def types_(session):
                    session.run("mypy")

                @nox.session
                def format(session):
                    session.run("ruff", "format", ".")

                @nox.session
                def docs(session):
                    session.run("sphinx-build")
                """,
        },
        [
            "test: nox -s tests | python -m pytest <path> @ noxfile.py:3",
            "types: nox -s type-check @ noxfile.py:7",
            "ci: nox @ noxfile.py:3",
        ],
    ),
    "hatch": (
        {
            **PYTEST, CI: workflow("hatch fmt --check", "hatch run types:check", "hatch test"),
            "pyproject.toml": """
                [tool.hatch.envs.hatch-test]
                [tool.hatch.envs.types.scripts]
                check = "mypy src"
                [tool.hatch.envs.docs.scripts]
                build = "mkdocs build"
                validate = "linkcheck"
                """,
        },
        [
            "test: hatch test | hatch test <path> @ pyproject.toml:1",
            f"lint: hatch fmt --check @ {CI}:6",
            "types: hatch run types:check @ pyproject.toml:3",
        ],
    ),
    "tables of named commands": (
        {
            "shop/a.py": "", "pyproject.toml": """
                [tool.poe.tasks]
                test = "pytest"
                lint.cmd = "ruff check"
                serve = "uvicorn shop:app"
                """,
        },
        ["test: poe test @ pyproject.toml:2", "lint: poe lint @ pyproject.toml:3"],
    ),
    # ── JavaScript ──
    "npm": (
        {
            "package-lock.json": "{}", "package.json": """
                {
                  "scripts": {
                    "test": "jest --coverage",
                    "lint": "eslint .",
                    "typecheck": "tsc --noEmit",
                    "build": "tsc -b",
                    "format": "prettier --write .",
                    "start": "node server.js"
                  }
                }
                """,
        },
        [
            "test: npm test | npx jest <path> @ package.json:3",
            "lint: npm run lint | npx eslint <path> @ package.json:4",
            "types: npm run typecheck @ package.json:5",
            "build: npm run build @ package.json:6",
        ],
    ),
    "no lock file is npm's": (
        {"package.json": '{"scripts": {"test": "mocha"}}'},
        ["test: npm test | npx mocha <path> @ package.json:1"],
    ),
    "pnpm": (
        {"pnpm-lock.yaml": "", "package.json": '{"scripts": {"test": "vitest run"}}'},
        ["test: pnpm test | pnpm exec vitest run <path> @ package.json:1"],
    ),
    "yarn": (
        {"yarn.lock": "", "package.json": '{"scripts": {"test": "ava", "lint": "xo"}}'},
        [
            "test: yarn test | yarn ava <path> @ package.json:1",
            "lint: yarn run lint | yarn xo <path> @ package.json:1",
        ],
    ),
    "bun and its own runner": (
        {"bun.lock": "", "package.json": '{"scripts": {"test": "bun test"}}'},
        ["test: bun run test | bun test <path> @ package.json:1"],
    ),
    "the packageManager field speaks before a lock file": (
        {
            "yarn.lock": "",
            "package.json": '{"packageManager": "pnpm@9.1.0", "scripts": {"test": "node --test"}}',
        },
        ["test: pnpm test | node --test <path> @ package.json:1"],
    ),
    "what npm init leaves is no test": (
        {"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'},
        [],
    ),
    "a runner that watches is told to run once": (
        {"package.json": '{"scripts": {"test": "vitest"}}'},
        ["test: npm test -- --run | npx vitest run <path> @ package.json:1"],
    ),
    "a script that watches is passed over for one that ends": (
        {"package.json": '{"scripts": {"test": "jest --watch", "test:ci": "jest --ci"}}'},
        ["test: npm run test:ci | npx jest <path> @ package.json:1"],
    ),
    "a script that mends is no gate, one that only checks is": (
        {
            "pnpm-lock.yaml": "", "package.json": """
                {"scripts": {
                  "lint": "biome lint --write .",
                  "lint:check": "biome lint .",
                  "format": "biome check --write .",
                  "format:check": "biome check ."
                }}
                """,
        },
        [
            "lint: pnpm run lint:check | pnpm exec biome lint <path> @ package.json:3",
            "format: pnpm run format:check | pnpm exec biome check <path> @ package.json:5",
        ],
    ),
    "a test script that checks everything is also the CI gate": (
        {
            CI: workflow("npm run lint", "npm run unit"), "package.json": """
                {"scripts": {
                  "test": "npm run lint && npm run unit",
                  "lint": "xo",
                  "unit": "c8 ava"
                }}
                """,
        },
        [
            "test: npm run unit | npx ava <path> @ package.json:4",
            "lint: npm run lint | npx xo <path> @ package.json:3",
            "ci: npm test @ package.json:2",
        ],
    ),
    "a script that spreads over a monorepo is judged by its members": (
        {
            "bun.lock": "", "web/package.json": '{"scripts": {"lint": "biome check --write ."}}',
            "package.json": '{"scripts": {"lint": "bun run --filter web lint"}}',
        },
        [],
    ),
    "tools that no script names": (
        {
            "eslint.config.js": "", "tsconfig.json": "{}",
            "package.json": '{"devDependencies": {"eslint": "9", "typescript": "5"}}',
        },
        [
            "lint: npx eslint . | npx eslint <path> @ eslint.config.js:1",
            "types: npx tsc --noEmit @ tsconfig.json:1",
        ],
    ),
    # ── wrappers ──
    "make is the gate where no language names one": (
        {"Makefile": ".PHONY: test\n\ntest: build\n\t./run-all\n\nbuild:\n\tcc -o a a.c\n"},
        ["test: make test @ Makefile:3", "build: make build @ Makefile:6"],
    ),
    "make that CI calls is the full form": (
        {
            **PYTEST, CI: workflow("make test"), "pytest.ini": "",
            "Makefile": "test:\n\tpython -m pytest -n4\n",
        },
        ["test: make test | python -m pytest <path> @ Makefile:1"],
    ),
    "make that CI does not call gives way to the tool": (
        {**PYTEST, "pytest.ini": "", "Makefile": "test:\n\tpytest --lf\n"},
        ["test: python -m pytest | python -m pytest <path> @ pytest.ini:1"],
    ),
    "a target that rewrites files is no gate": (
        {"Makefile": "lint:\n\truff check --fix .\nformat:\n\tblack .\n"},
        [],
    ),
    "a variable that is set is no target": ({"Makefile": "test := yes\nlint ?= no\n"}, []),
    "just and task": (
        {
            "justfile": "set shell := ['sh']\n\ntest *args:\n    cargo nextest run\n",
            "Taskfile.yml": "version: '3'\ntasks:\n  lint:\n    cmds: [golangci-lint run]\n",
        },
        ["test: just test @ justfile:3", "lint: task lint @ Taskfile.yml:3"],
    ),
    "a script that CI calls": (
        {
            **PYTEST, CI: workflow('"scripts/check"', "scripts/test"), "pytest.ini": "",
            "scripts/test": "#!/bin/sh\ncoverage run -m pytest\n",
            "scripts/check": "#!/bin/sh\nruff check shop\nmypy shop\n",
        },
        [
            f"test: scripts/test | python -m pytest <path> @ {CI}:7",
            f"lint: scripts/check @ {CI}:6",
        ],
    ),
    "a line of CI where nothing else names a gate": (
        {CI: workflow("pip install .", "ctest --output-on-failure", "ctest $ARGS")},
        [f"test: ctest --output-on-failure @ {CI}:7"],
    ),
    "commit hooks": (
        {".pre-commit-config.yaml": "repos: []\n"},
        [
            ("lint: pre-commit run --all-files | pre-commit run --files <path>"
             " @ .pre-commit-config.yaml:1")
        ],
    ),
    # ── other stacks ──
    "Rust, with the options CI gives": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": "",
            CI: workflow("cargo clippy --all-targets -- -D warnings", "cargo test"),
        },
        [
            "test: cargo test @ Cargo.toml:1",
            f"lint: cargo clippy --all-targets -- -D warnings @ {CI}:6",
        ],
    ),
    "Go": (
        {"go.mod": "module example.com/shop\n", "a.go": "", "a_test.go": "", ".golangci.yml": ""},
        [
            "test: go test ./... | go test ./<path>/... @ go.mod:1",
            "lint: golangci-lint run | golangci-lint run <path> @ .golangci.yml:1",
        ],
    ),
    "Go without a test has no test gate": ({"go.mod": "module shop\n", "a.go": ""}, []),
    # ── several checks of one kind ──
    "parts of the tests that CI calls by name stand beside the whole": (
        {
            "pnpm-lock.yaml": "", CI: workflow("pnpm run test-e2e", "pnpm run test-unit"),
            "package.json": """
                {"scripts": {
                  "test-e2e": "playwright test",
                  "test-unit": "vitest run",
                  "test-watch": "vitest --watch",
                  "test-docs": "node check-docs.js"
                }}
                """,
        },
        [
            "test: pnpm run test-unit | pnpm exec vitest run <path> @ package.json:3",
            "test: pnpm run test-e2e @ package.json:2",
        ],
    ),
    "the whole comes first, even where CI only calls a part": (
        {
            CI: workflow("npm run test:browser"),
            "package.json": '{"scripts": {"test:browser": "karma x", "test:all": "jest"}}',
        },
        [
            "test: npm run test:all | npx jest <path> @ package.json:1",
            "test: npm run test:browser @ package.json:1",
        ],
    ),
    "one script that runs others stands for those of its kind": (
        {
            CI: workflow("npm run lint:code", "npm run lint:words", "npm run lint:prettier"),
            "package.json": """
                {"scripts": {
                  "lint": "run-p --continue-on-error \\"lint:*\\"",
                  "lint:code": "eslint .",
                  "lint:words": "cspell .",
                  "lint:prettier": "prettier --check ."
                }}
                """,
        },
        [
            "lint: npm run lint | npx eslint <path> @ package.json:2",
            "format: npm run lint:prettier | npx prettier --check <path> @ package.json:5",
        ],
    ),
    "one script that runs others and mends is no gate": (
        {
            "package.json": """
                {"scripts": {
                  "lint": "run-s lint:*",
                  "lint:code": "eslint --fix ."
                }}
                """,
        },
        [],
    ),
    "sessions of nox that CI calls by name": (
        {
            **PYTEST, CI: workflow("pipx run nox -s tests", "pipx run nox -s property_tests"),
            "noxfile.py": """
                @nox.session
                def tests(session):
                    session.run("pytest")

                @nox.session(default=False)
                def property_tests(session):
                    session.run("pytest", "-m", "property")

                @nox.session
                def other_tests(session):
                    session.run("pytest", "other")
                """,
        },
        [
            "test: nox -s tests | python -m pytest <path> @ noxfile.py:1",
            "test: nox -s property_tests @ noxfile.py:5",
            "ci: nox @ noxfile.py:1",
        ],
    ),
    "a tool that only CI names stands beside the gates of its kind": (
        {
            "ruff.toml": "", "shop/a.py": "",
            CI: workflow("ruff check .", "shellcheck bin/install", "uv lock --check", "uv build"),
        },
        [
            "lint: ruff check . | ruff check <path> @ ruff.toml:1",
            f"lint: shellcheck bin/install @ {CI}:7",
            f"lint: uv lock --check @ {CI}:8",
            f"build: uv build @ {CI}:9",
        ],
    ),
    "a recipe that watches is no gate, nor one that needs it": (
        {
            "justfile": (
                "watch +args='check':\n  cargo watch --exec '{{ args }}'\n\n"
                "test: (watch 'test --all')\n\nci: test lint\n\nlint:\n  cargo clippy\n"
            ),
        },
        ["lint: just lint @ justfile:8"],
    ),
    "what GNU calls check is the test": (
        {"Makefile": "all:\n\tcc -o a a.c\ncheck: all\n\t./run-tests.sh\n"},
        ["test: make check @ Makefile:3"],
    ),
    # ── PHP, Elixir, Deno ──
    "Composer's scripts": (
        {
            CI: workflow("composer phpstan", "composer test"), "phpunit.xml.dist": "",
            "composer.json": """
                {
                  "name": "team/shop",
                  "scripts": {
                    "test": ["@php vendor/bin/phpunit"],
                    "phpstan": "phpstan analyse",
                    "check": "phpcs",
                    "cs": "php-cs-fixer fix"
                  }
                }
                """,
        },
        [
            "test: composer test | vendor/bin/phpunit <path> @ composer.json:4",
            "lint: composer run check | vendor/bin/phpcs <path> @ composer.json:6",
            "types: composer phpstan | vendor/bin/phpstan analyse <path> @ composer.json:5",
        ],
    ),
    "PHP tools that no script names": (
        {"composer.json": "{}", "phpunit.xml": "", "phpstan.neon": ""},
        [
            "test: vendor/bin/phpunit | vendor/bin/phpunit <path> @ phpunit.xml:1",
            (
                "types: vendor/bin/phpstan analyse | vendor/bin/phpstan analyse <path>"
                " @ phpstan.neon:1"
            ),
        ],
    ),
    "Mix": (
        {
            "mix.exs": "defmodule Shop do\nend\n", "lib/a.ex": "", "test/a_test.exs": "",
            ".formatter.exs": "", CI: workflow("mix test", "mix deps.unlock --check-unused"),
        },
        [
            "test: mix test | mix test <path> @ mix.exs:1",
            f"lint: mix deps.unlock --check-unused @ {CI}:7",
            "format: mix format --check-formatted @ .formatter.exs:1",
        ],
    ),
    "Mix without a test": ({"mix.exs": "", "lib/a.ex": ""}, []),
    "Deno's tasks, with comments among them": (
        {
            CI: workflow("deno task test", "deno task test:node", "deno fmt --check"),
            "deno.jsonc": """
                {
                  // how it is checked
                  "tasks": {
                    "test": "deno test -A", /* all of it */
                    "test:node": {"command": "node --test"},
                    "test:bun": "bun test",
                    "lint": "deno lint",
                    "dev": "deno run main.ts",
                  },
                }
                """,
        },
        [
            "test: deno task test | deno test <path> @ deno.jsonc:4",
            "test: deno task test:node @ deno.jsonc:5",
            "lint: deno task lint | deno lint <path> @ deno.jsonc:7",
            f"format: deno fmt --check | deno fmt --check <path> @ {CI}:8",
        ],
    ),
    "Deno without a task": (
        {"deno.json": '{\n"fmt": {}\n}', "a.ts": "", "a_test.ts": "", "a.test.ts": ""},
        [
            "test: deno test | deno test <path> @ deno.json:1",
            "format: deno fmt --check | deno fmt --check <path> @ deno.json:2",
        ],
    ),
    # ── the JVM ──
    "Maven and Gradle, with the goals that CI asks for": (
        {
            "pom.xml": "", "mvnw": "", "build.gradle": "", "gradlew": "",
            "src/test/java/ATest.java": "", CI: workflow("./mvnw -B verify", "./gradlew build"),
        },
        [f"test: ./mvnw -B verify @ {CI}:6", f"test: ./gradlew build @ {CI}:7"],
    ),
    "Maven as CI calls it, but for what a variable says and for lines that do a part": (
        {
            "pom.xml": "<project>\n<artifactId>spotless-maven-plugin</artifactId>\n</project>\n",
            "src/main/java/A.java": "", "src/test/java/ATest.java": "",
            CI: workflow(
                "mvn test --projects core", "mvn verify ${{ matrix.more }}",
                "mvn install -DskipTests",
            ),
        },
        [f"test: mvn verify @ {CI}:7", "format: mvn spotless:check @ pom.xml:2"],
    ),
    "Maven without CI and without a test": ({"pom.xml": "", "src/main/java/A.java": ""}, []),
    # ── C and C++ ──
    "CMake with tests": (
        {
            "CMakeLists.txt": "project(shop)\nif(SHOP_TEST)\n  enable_testing()\nendif()\n",
            "src/a.cc": "", "test/a_test.cc": "",
        },
        [
            (
                "test: cmake -B build && cmake --build build && ctest --test-dir build"
                " @ CMakeLists.txt:3"
            ),
            "build: cmake -B build && cmake --build build @ CMakeLists.txt:1",
        ],
    ),
    "CMake without tests": (
        {"CMakeLists.txt": "# enable_testing()\nproject(shop)\n", "a.c": ""},
        ["build: cmake -B build && cmake --build build @ CMakeLists.txt:2"],
    ),
    "autotools": (
        {
            "configure.ac": "", "Makefile.am": "bin_PROGRAMS = a\nTESTS = tests/run\n",
            CI: workflow("./configure", "make check VERBOSE=yes"),
        },
        ["test: make check VERBOSE=yes @ Makefile.am:2", "build: make @ Makefile.am:1"],
    ),
    # ── Rust and Go ──
    "Rust without any test": ({"Cargo.toml": "[package]\nname = 'a'\n", "src/main.rs": ""}, []),
    "Rust with tests in the code": (
        {"Cargo.toml": "[package]\nname = 'a'\n", "src/main.rs": "#[cfg(test)]\nmod tests {}\n"},
        ["test: cargo test @ Cargo.toml:1"],
    ),
    "Rust, the whole of it and not a part": (
        {
            "Cargo.toml": "[workspace]\n", "tests/a.rs": "",
            CI: workflow("cargo test -p core", "cargo test --all", "cargo check"),
        },
        ["test: cargo test --all @ Cargo.toml:1", f"build: cargo check @ {CI}:8"],
    ),
    "Go as CI calls it, when it means all": (
        {
            "go.mod": "module shop\n", "a.go": "", "a_test.go": "",
            CI: workflow("go test ./cmd", "go test -race ./..."),
        },
        ["test: go test -race ./... | go test ./<path>/... @ go.mod:1"],
    ),
    # ── several parts ──
    "parts one folder down, where the root has no such gate": (
        {
            "backend/pyproject.toml": "[tool.pytest.ini_options]\n", "backend/tests/test_a.py": "",
            "frontend/package.json": '{"scripts": {"test": "vitest run"}}',
            "frontend/pnpm-lock.yaml": "",
        },
        [
            "test: python -m pytest backend | python -m pytest <path> @ backend/pyproject.toml:1",
            ("test: pnpm -C frontend test | pnpm -C frontend exec vitest run <path>"
             " @ frontend/package.json:1"),
        ],
    ),
    "examples and fixtures are no parts": (
        {
            "examples/a/package.json": '{"scripts": {"test": "jest"}}',
            "tests/fixtures/pyproject.toml": "[tool.pytest.ini_options]\n",
        },
        [],
    ),
    "an empty workspace": ({}, []),
    "files that are not what they should be": (
        {"package.json": "{not", "pyproject.toml": "= broken", "tox.ini": "[", "setup.cfg": "]"},
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("texts", "expected"), CASES.values(), ids=CASES)
def test_gates_are_what_the_repository_says(texts, expected):
    assert gates(texts) == expected


def test_with_a_scope_the_gates_of_that_part_come_first():
    texts = {
        "package.json": '{"scripts": {"test": "jest"}}',
        "packages/api/package.json": '{"scripts": {"test": "mocha"}}',
    }
    assert gates(texts, scope="packages/api") == [
        "test: npm --prefix packages/api test @ packages/api/package.json:1",
        "test: npm test | npx jest <path> @ package.json:1",
    ]


def test_a_uv_project_below_is_started_by_its_own_files():
    texts = {
        "uv.lock": "", "pyproject.toml": '[tool.uv.workspace]\nmembers = ["api"]\n',
        "api/pyproject.toml": '[dependency-groups]\ndev = ["pytest"]\n', "api/tests/test_a.py": "",
    }  # fmt: skip
    assert gates(texts) == [
        (
            "test: uv run --project api pytest api | uv run --project api pytest <path>"
            " @ api/pyproject.toml:2"
        ),
    ]


@pytest.mark.parametrize(
    ("texts", "cost"),
    [
        ({"package.json": '{"scripts": {"test": "jest"}}'}, "seconds"),
        ({"package.json": '{"scripts": {"test": "playwright test"}}'}, "minutes"),
        ({"Cargo.toml": '[package]\nname = "a"\n', "tests/a.rs": ""}, "minutes"),
        (
            {"pytest.ini": "", **{f"tests/test_{n}.py": "import pytest" for n in range(401)}},
            "minutes",
        ),
    ],
)
def test_the_cost_is_seconds_unless_something_speaks_for_minutes(texts, cost):
    assert found(texts).gates[0].cost == cost


def test_which_gates_claim_to_decide_is_told_from_those_beside_them():
    texts = {
        CI: workflow("npm run test:browser", "npm test"),
        "package.json": '{"scripts": {"test": "jest", "test:browser": "karma x"}}',
    }
    assert [(gate.command, gate.also) for gate in found(texts).gates] == [
        ("npm test", False), ("npm run test:browser", True),
    ]  # fmt: skip


def test_a_python_stays_as_the_project_writes_it():
    texts = {**PYTEST, "pytest.ini": "", CI: workflow("python3 -m pytest")}
    assert gates(texts) == ["test: python3 -m pytest | python3 -m pytest <path> @ pytest.ini:1"]
    assert gates({**texts, CI: workflow("python -m pytest")}) == [
        "test: python -m pytest | python -m pytest <path> @ pytest.ini:1"
    ]


def test_no_more_gates_are_named_than_a_person_reads():
    parts = {f"p{n}/package.json": '{"scripts": {"test": "jest", "lint": "xo"}}' for n in range(40)}
    assert len(found(parts).gates) == 12
