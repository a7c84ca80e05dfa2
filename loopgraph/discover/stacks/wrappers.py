"""A project's own words for its checks, whatever the language: make, just, task, scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from loopgraph.discover.ci import Step, calls, is_plain
from loopgraph.discover.stacks.offer import (
    BODY_CAP,
    Offer,
    cost_of,
    is_part,
    kind_of,
    kind_of_body,
)
from loopgraph.discover.tree import Tree
from loopgraph.model.facts import GateKind

_MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES: Final = ("justfile", "Justfile", ".justfile")
_TASKFILES: Final = ("Taskfile.yml", "Taskfile.yaml", "taskfile.yml")


def offers(tree: Tree, steps: Sequence[Step], start: str = "") -> Iterator[Offer]:
    """Targets, recipes and scripts of the root that are gates; `start` goes before pre-commit."""
    yield from _targets(tree, steps, "make", _MAKEFILES, _MAKE)
    yield from _targets(tree, steps, "just", _JUSTFILES, _JUST)
    yield from _targets(tree, steps, "task", _TASKFILES, _TASK)
    yield from _pre_commit(tree, steps, start)
    yield from _scripts(tree, steps)
    yield from _ci_lines(steps)


_MAKE = re.compile(r"^(?P<names>[A-Za-z0-9][^:=#]*):(?![=:])(?P<after>[^=]*)$")
_JUST = re.compile(r"^@?(?P<names>[A-Za-z0-9][\w-]*)(?:[ ][^:]*)?:(?!=)(?P<after>.*)$")
_TASK = re.compile(r"^  (?P<names>[A-Za-z0-9][\w:-]*):(?P<after>)\s*$")


def _targets(
    tree: Tree, steps: Sequence[Step], runner: str, files: Sequence[str], shape: re.Pattern[str]
) -> Iterator[Offer]:
    file = next((name for name in files if tree.has(name)), None)
    if file is None:
        return
    bodies = _bodies(tree.text(file), shape)
    for name, (line, _, _) in islice(bodies.items(), _TARGET_CAP):
        body = _with_prerequisites(name, bodies)
        called = calls(steps, rf"\b{runner}\b[^&|;]*\s{re.escape(name)}(?![\w.-])")
        kind = kind_of(name, body or name, named=called is not None)
        if kind == "ci" and name == "check" and runner == "make" and "test" not in bodies:
            kind = "test"  # the word that the GNU standard has for it
        if kind is None:
            continue
        yield Offer(
            "", kind, f"{runner} {name}", file, line, wrapper=True, in_ci=called is not None,
            cost=cost_of(kind, body), named=called is not None, part=is_part(name),
        )  # fmt: skip


def _with_prerequisites(name: str, bodies: dict[str, tuple[int, str, str]]) -> str:
    """The recipe of a target and of those that it needs, each once."""
    seen: dict[str, str] = {}
    waiting = [name]
    while waiting and len(seen) < _NEEDED_CAP:
        one = waiting.pop(0)
        if one in bodies and one not in seen:
            _, after, recipe = bodies[one]
            # What a prerequisite is called with says what it does, too: `(watch 'test')`.
            seen[one] = f"{recipe}\n{after}" if "(" in after else recipe
            waiting += re.findall(r"[\w.-]+", after)
    return "\n".join(seen.values())[:BODY_CAP]


_NEEDED_CAP: Final = 12


_TARGET_CAP: Final = 200


def _bodies(text: str, shape: re.Pattern[str]) -> dict[str, tuple[int, str, str]]:
    """Name of a target to its line, its prerequisites and its recipe."""
    found: dict[str, tuple[int, str, list[str]]] = {}
    recipe: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = shape.match(line[:400]) if line[:1] not in {"\t", "#"} else None
        if match:
            recipe = []
            after = match["after"].split("#")[0]
            for name in match["names"].split():
                found.setdefault(name, (number, after, recipe))
        elif line[:1].isspace():
            recipe.append(line.strip())
    return {name: (line, after, "\n".join(body)) for name, (line, after, body) in found.items()}


def _pre_commit(tree: Tree, steps: Sequence[Step], start: str) -> Iterator[Offer]:
    """Hooks over all files; they may mend what they find, which a diff then shows."""
    file = ".pre-commit-config.yaml"
    if not tree.has(file):
        return
    runner = start + ("prek" if calls(steps, r"\bprek run\b") else "pre-commit")
    called = calls(steps, r"\b(pre-commit|prek) run\b|pre-commit/action")
    yield Offer(
        "", "lint", f"{runner} run --all-files", file, 1,
        narrow=f"{runner} run --files <path>", in_ci=called is not None,
    )  # fmt: skip


_SCRIPT = re.compile(
    r"(?:(?:bash|sh) )?(?:\./)?(?P<path>(?:[\w.-]+/){0,2}[\w.-]+)(?P<rest>( [\w./=-]+)*)"
)
_SCRIPT_FOLDERS: Final = ("scripts", "script", "bin", "ci", ".ci", "tools", "hack", "dev")


def _scripts(tree: Tree, steps: Sequence[Step]) -> Iterator[Offer]:
    """Scripts of the repository that CI calls."""
    for step in steps:
        found = _SCRIPT.fullmatch(step.command)
        if not found or step.folder != "." or not tree.has(found["path"]):
            continue
        folder, _, name = found["path"].rpartition("/")
        if folder.partition("/")[0] not in _SCRIPT_FOLDERS and not name.endswith(".sh"):
            continue
        body = tree.text(found["path"])[:BODY_CAP]
        kind = kind_of(name.removesuffix(".sh"), re.sub(r"#.*", "", body))
        if kind:
            yield Offer(
                "", kind, step.command, step.file, step.line,
                wrapper=True, in_ci=True, cost=cost_of(kind, body),
            )  # fmt: skip


def _ci_lines(steps: Sequence[Step]) -> Iterator[Offer]:
    """Command lines of CI that mean the same at home: for what nothing else names."""
    for step in steps:
        if step.folder != "." or not is_plain(step.command) or not tool(step.command):
            continue
        kind = _kind_of_line(step.command)
        if kind not in {None, "ci"} and kind_of(kind, step.command) == kind:
            yield Offer(
                "ci", kind, step.command, step.file, step.line,
                in_ci=True, cost=cost_of(kind, step.command),
            )  # fmt: skip


_TOOL = re.compile(
    r"(?:(?:uv run|uvx|pipx run|poetry run|pdm run|hatch run|npx|pnpm(?: exec)?|yarn|bunx"
    r"|python3? -m|bundle exec)(?: --?[\w=.-]+)* )*"
    r"(?P<tool>py\.?test|ruff|mypy|(based)?pyright|flake8|pylint|tox|nox|hatch (test|fmt)"
    r"|cargo (test|clippy|fmt|check|nextest)|go (test|vet|build)|golangci-lint|jest|vitest|mocha"
    r"|eslint|tsc|biome|deno (test|lint|check|fmt --check)|phpunit|rspec|ctest|mix test|dotnet test"
    r"|swift test|\./gradlew|\./mvnw|mvn|gradle|unittest|bats|shellcheck"
    r"|(uv|poetry|hatch|flit|python3? -m) build|make check|actionlint|yamllint|codespell|zizmor"
    r"|markdownlint(-cli2)?|typos|cspell|reuse lint|poetry check|(uv|pdm) lock --check"
    r"|mix deps\.unlock --check-unused|mix compile --warnings-as-errors)(?![\w-])"
)


def tool(command: str) -> str:
    """The tool that a command line starts with; empty where none is known."""
    found = _TOOL.match(command)
    words = found["tool"].split() if found else []
    return " ".join(words[-1:] if words[-1:] == ["build"] else words[:2])


_READS = re.compile(
    r"shellcheck|actionlint|yamllint|markdownlint|codespell|zizmor|reuse|typos|cspell|poetry check"
    r"|(uv|pdm) lock|mix (compile|deps)"
)
"""Tools that look at text, words or a lock file."""


def _kind_of_line(command: str) -> GateKind | None:
    """What one command line of CI checks."""
    kind = kind_of_body(command)
    if kind is not None:
        return kind
    if _READS.match(tool(command)):
        return "lint"
    return "build" if tool(command) == "build" else None
