"""Standards: lint, format and type configuration that new code has to meet."""

from __future__ import annotations

import re
from typing import Final

from loopgraph.discover import config
from loopgraph.discover.tree import Tree
from loopgraph.model.facts import Found

_FILES: Final[tuple[tuple[str, str], ...]] = (
    (r"\.editorconfig", "EditorConfig"),
    (r"\.?ruff\.toml", "Ruff"),
    (r"\.flake8", "Flake8"),
    (r"\.?pylintrc(\.toml)?", "Pylint"),
    (r"\.?mypy\.ini", "mypy"),
    (r"pyrightconfig\.json", "Pyright"),
    (r"ty\.toml", "ty"),
    (r"pyrefly\.toml", "Pyrefly"),
    (r"eslint\.config\.[cm]?[jt]s|\.eslintrc(\.\w+)?", "ESLint"),
    (r"biome\.jsonc?", "Biome"),
    (r"\.oxlintrc\.json", "Oxlint"),
    (r"\.prettierrc(\.\w+)?|prettier\.config\.[cm]?[jt]s", "Prettier"),
    (r"\.oxfmtrc\.json", "Oxfmt"),
    (r"dprint\.json", "dprint"),
    (r"tsconfig\.json", "TypeScript"),
    (r"\.stylelintrc(\.\w+)?|stylelint\.config\.[cm]?js", "Stylelint"),
    (r"\.?rustfmt\.toml", "rustfmt"),
    (r"\.?clippy\.toml", "Clippy"),
    (r"\.golangci\.(ya?ml|toml|json)", "golangci-lint"),
    (r"\.clang-format", "clang-format"),
    (r"\.clang-tidy", "clang-tidy"),
    (r"\.cmake-format(\.\w+)?", "cmake-format"),
    (r"\.formatter\.exs", "mix format"),
    (r"\.credo\.exs", "Credo"),
    (r"\.?phpcs\.xml(\.dist)?", "PHP_CodeSniffer"),
    (r"psalm\.xml(\.dist)?", "Psalm"),
    (r"\.scalafix\.conf", "Scalafix"),
    (r"\.yamllint(\.ya?ml)?", "yamllint"),
    (r"\.hadolint\.ya?ml", "hadolint"),
    (r"\.?lefthook\.ya?ml", "commit hooks"),
    (r"cspell\.(json|ya?ml)|\.?cspell\.config\.\w+", "cspell"),
    (r"\.?typos\.toml", "typos"),
    (r"\.rubocop\.ya?ml", "RuboCop"),
    (r"phpstan\.neon(\.dist)?", "PHPStan"),
    (r"\.php-cs-fixer(\.dist)?\.php", "PHP CS Fixer"),
    (r"checkstyle\.xml", "Checkstyle"),
    (r"detekt\.ya?ml", "detekt"),
    (r"\.swiftlint\.ya?ml", "SwiftLint"),
    (r"\.scalafmt\.conf", "Scalafmt"),
    (r"\.?markdownlint(-cli2)?\.(json|jsonc|ya?ml)", "markdownlint"),
    (r"\.pre-commit-config\.ya?ml", "commit hooks"),
)
_TABLES: Final = (
    ("ruff", "Ruff"), ("black", "Black"), ("isort", "isort"), ("flake8", "Flake8"),
    ("pylint", "Pylint"), ("mypy", "mypy"), ("pyright", "Pyright"),
    ("basedpyright", "basedpyright"), ("ty", "ty"), ("pyrefly", "Pyrefly"),
    ("importlinter", "import-linter"),
)  # fmt: skip
_SECTIONS: Final = (
    ("flake8", "Flake8"), ("mypy", "mypy"), ("isort", "isort"), ("pylint", "Pylint"),
)  # fmt: skip
_KEYS: Final = (
    ("package.json", "eslintConfig", "ESLint"), ("package.json", "prettier", "Prettier"),
    ("package.json", "xo", "XO"), ("deno.json", "lint", "deno lint"),
    ("deno.json", "fmt", "deno fmt"), ("deno.jsonc", "lint", "deno lint"),
    ("deno.jsonc", "fmt", "deno fmt"),
)  # fmt: skip
CAP: Final = 16


def find(tree: Tree) -> tuple[Found, ...]:
    """Every standard that the root is configured for, in the order of their places."""
    names = [*tree.files(), *tree.files(".config")]
    found = [
        Found(standard, path, 1)
        for path in names
        for shape, standard in _FILES
        if re.fullmatch(shape, path.removeprefix(".config/"))
    ]
    found += [*_tables(tree), *_sections(tree), *_keys(tree)]
    return tuple(sorted(found, key=lambda fact: (fact.file, fact.line, fact.value)))[:CAP]


def _tables(tree: Tree) -> list[Found]:
    text = tree.text("pyproject.toml")
    tools = config.table(config.toml(text), "tool")
    return [
        Found(standard, "pyproject.toml", config.table_line(text, "tool", name))
        for name, standard in _TABLES
        if name in tools
    ]


def _sections(tree: Tree) -> list[Found]:
    return [
        Found(standard, file, config.ini(tree.text(file))[section][0])
        for file in ("setup.cfg", "tox.ini")
        for section, standard in _SECTIONS
        if section in config.ini(tree.text(file))
    ]


def _keys(tree: Tree) -> list[Found]:
    return [
        Found(standard, file, config.json_line(tree.text(file), key))
        for file, key, standard in _KEYS
        if key in config.jsonc(tree.text(file))
    ]
