"""Offer: a gate that one file of a project speaks for, before the best ones are chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.model.facts import Cost, GateKind


class Offer(NamedTuple):
    """A command that a project's own file names or plainly implies."""

    stack: str
    """`python`, `javascript` …; empty for a wrapper around any of them (make, just, a script)."""
    kind: GateKind
    command: str
    file: str
    line: int
    narrow: str = ""
    wrapper: bool = False
    """Whether it is the project's own word for the check (a task, a script, a target)."""
    in_ci: bool = False
    """Whether a CI step calls it."""
    cost: Cost = "seconds"
    named: bool = False
    """Whether a CI step calls it by this very name, so that it is a gate beside others."""
    part: bool = False
    """Whether its name says that it is one of several of its kind."""


_NAMES: Final[Mapping[GateKind, re.Pattern[str]]] = {
    "types": re.compile(
        r"(type-?)?typ(es?|ing)(-check)?|type-?check(s|ing|er)?|check-?types?|types-check"
        r"|mypy|based?pyright|pyright|tsc|check-ts|lint-types|tests?-types?|ty|pyrefly"
        r"|phpstan|psalm|stan|dialyzer"
    ),
    "format": re.compile(
        r"format(ting)?(-check)?|fmt(-check)?|check-(format(ting)?|fmt)|black"
        r"|prettier(-check)?|style-check|lint-format"
    ),
    "test": re.compile(
        r"tests?|pytest|unit|unit-?tests?|spec|tests?-(unit|all|ci|run|py|python|js|node"
        r"|backend|frontend|fast|quick|full|suite|once)|(run|check)-tests?|jest|vitest|mocha"
        r"|tests?-3\.?\d+"
    ),
    "lint": re.compile(
        r"lint(s|er|ing)?|lint-(check|ci|all|py|python|js|ts|code)|check-lint|style|flake8|ruff"
        r"|eslint|pylint|clippy|pre-?commit|prek|static-analysis|vet|code-?style|cs-check"
        r"|phpcs|credo|shellcheck"
    ),
    "build": re.compile(r"build(-all)?|compile|package"),
    "ci": re.compile(r"ci|check(s|-all)?|all-?checks?|verify|validate|qa|preflight|ok"),
}
"""Kind of check to the names that projects give it, words joined by hyphens."""

TOOLS: Final[Mapping[GateKind, re.Pattern[str]]] = {
    "test": re.compile(
        r"\b(py\.?test|unittest|jest|vitest|mocha|ava|tap|karma|node --test|bun test|deno test"
        r"|cargo (nextest|test)|go test|richgo test|phpunit|rspec|ctest|mix test|tox|nox"
        r"|manage\.py test|playwright test|cypress run|react-scripts test|(mvnw?|gradlew?) test"
        r"|hatch test|dotnet test|swift test|zig build test|bats|make check)\b"
    ),
    "lint": re.compile(
        r"\b(ruff( check)?|flake8|pylint|eslint|xo|standard|biome (lint|check|ci)|oxlint"
        r"|pre-commit run|prek run|clippy|golangci-lint|go vet|rubocop|shellcheck|stylelint"
        r"|hatch fmt|deno lint|mix credo|phpcs)\b"
    ),
    "types": re.compile(
        r"\b(mypy|(based)?pyright|tsc|vue-tsc|tsd|ty check|pyrefly check|pyre|phpstan|psalm"
        r"|mix dialyzer|deno check)\b"
    ),
    "build": re.compile(r"\b(cargo build|go build|python -m build|uv build|webpack|rollup|tsup)\b"),
}
"""Kind of check to the tools that make it, in a command line."""

_CHANGES = re.compile(
    r"--(write|fix|apply|unsafe-fixes)\b(?!=false)"
    r"|\bruff format\b(?![^&|;\n]*--(check|diff))"
    r"|\bblack\b(?![^&|;\n]*--(check|diff))"
    r"|\bisort\b(?![^&|;\n]*(-c\b|--check))"
    r"|\bprettier\b(?![^&|;\n]*(--check|-c\b|-l\b|--list-different))"
    r"|\bgofmt (-\w+ )*-\w*w|\bcargo fmt\b(?![^&|;\n]*--check)"
    r"|\b(oxfmt|dprint fmt)\b(?![^&|;\n]*--check)"
    r"|--update-?snapshots?\b|\b(autopep8|pyupgrade|autoflake)\b"
)
_WATCHES = re.compile(
    r"--watch(All)?\b(?!=false)|\b(nodemon|watchexec|chokidar|bacon|cargo watch|ptw|entr)\b"
    r"|\b(karma start)\b(?!.*--single-run)"
)
_IDLE = re.compile(r"no tests? (specified|yet)|^\s*(true|exit 0|:|echo\b[^&|;]*)\s*$")
_MANY: Final = 400
"""So many test files take more than a few seconds."""
BODY_CAP: Final = 4000
"""No task that a person wrote is longer; a stranger's file must not cost more to look at."""
_LONG = re.compile(
    r"\b(tox|nox|playwright|cypress|e2e|integration|docker|mvn|gradle|cargo|bazel|webpack"
    r"|next build"
    r"|test-all|multi-test|stress)\b"
)


def kind_of(name: str, body: str, *, named: bool = False) -> GateKind | None:
    """What a task called `name` that runs `body` checks; None where it is no gate.

    A task that changes files, watches, or does nothing is none. `named`: CI calls it.
    """
    kind = kind_named(name, named=named)
    body = body[:BODY_CAP]
    if kind is not None and is_part(name):
        said = kind_of_body(body)
        kind = said if said in {"test", "lint", "types"} else kind
    if kind is None or _IDLE.search(body) or _CHANGES.search(body) or _WATCHES.search(body):
        return None
    if kind == "ci":
        return kind_of_body(body) or "ci"
    # A formatter that cannot be seen to only check would rewrite the tree.
    return None if kind == "format" and not _only_checks(name.lower(), body) else kind


def kind_named(name: str, *, named: bool = False) -> GateKind | None:
    """What a task of this name should check, if it can be typed as it is.

    A task that CI calls by its name may have words of its own around the known one.
    """
    if len(name) > _NAME_CAP or not is_plain(name):
        return None
    words = re.sub(r"[_:./]+", "-", name.lower()).strip("-")
    kind = next((kind for kind, pattern in _NAMES.items() if pattern.fullmatch(words)), None)
    if kind is None and words.startswith("lint-"):
        kind = next((k for k in _INNER if _NAMES[k].fullmatch(words.removeprefix("lint-"))), None)
    if kind is None and named and not _NO_CHECK.search(words):
        kind = next((kind for kind, pattern in _AROUND if pattern.fullmatch(words)), None)
    return kind


def is_part(name: str) -> bool:
    """Whether a name says that the task is one of several of its kind, as `test:browser` does."""
    return kind_named(name) is None


_INNER: Final[tuple[GateKind, ...]] = ("types", "format")
_AROUND: Final[tuple[tuple[GateKind, re.Pattern[str]], ...]] = (
    ("lint", re.compile(r"lint-.+")),
    ("test", re.compile(r"tests?-.+|e2e|integration")),
    ("types", re.compile(r"(typecheck|types)-.+")),
    ("build", re.compile(r"build-.+")),
    ("test", re.compile(r".+-tests?")),
    ("lint", re.compile(r".+-lint")),
)
_NO_CHECK = re.compile(
    r"(^|-)(watch|update|fix|debug|ui|dev|serve|setup|prepare|install|release|publish|deploy|report"
    r"|upload|snapshots?|docs?|images?|docker|clean|start|results?|data|site|website|deps-install)(-|$)"
)


_NAME_CAP: Final = 60
_PLAIN = re.compile(r"[\w.@/][\w.@:/+,-]*")


def is_plain(word: str) -> bool:
    """Whether a word from a stranger's file is the same word in every shell, and no option."""
    return bool(_PLAIN.fullmatch(word))


def kind_of_body(body: str) -> GateKind | None:
    """The one kind of check that a command line makes; `ci` for tests with others."""
    kinds = [kind for kind, pattern in TOOLS.items() if pattern.search(body[:BODY_CAP])]
    if not kinds:
        return None
    if "test" in kinds and len(kinds) > 1:
        return "ci"
    return kinds[0]


def _only_checks(name: str, body: str) -> bool:
    return "check" in name or bool(
        re.search(r"--check|--diff|--list-different|\bcheck\b|-l\b|gofmt", body)
    )


def cost_of(kind: GateKind, body: str, files: int = 0) -> Cost:
    """Seconds or minutes: by what the command starts and how many files it has to go through."""
    if kind in {"ci", "build"} or files > _MANY:
        return "minutes"
    return "minutes" if _LONG.search(body[:BODY_CAP]) else "seconds"
