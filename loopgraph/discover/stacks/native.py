"""Gates of Rust, Go, JVM and other projects whose build tool has one word for each check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from loopgraph.discover import config
from loopgraph.discover.ci import Step, calls, is_plain
from loopgraph.discover.languages import Layout
from loopgraph.discover.stacks.offer import Offer, cost_of
from loopgraph.discover.tree import Tree, join
from loopgraph.model.facts import GateKind


class _Word(NamedTuple):
    """A check that a build file implies."""

    stack: str
    file: str
    needs: str
    """A pattern that the file's text must hold; empty for any."""
    kind: GateKind
    command: str
    """`{in}` is where the option for a sub-folder goes."""
    narrow: str
    inside: str
    """The option for a sub-folder, `{}` for the folder; empty where there is none."""
    asked: str = ""
    """What a CI step or a file name must match: no tool is taken for granted."""


_CARGO: Final = " --manifest-path {}/Cargo.toml"
_UNIT: Final = "vendor/bin/phpunit"
_WORDS: Final[tuple[_Word, ...]] = (
    _Word("rust", "Cargo.toml", "", "test", "cargo test{in}", "", _CARGO),
    _Word(
        "rust", "Cargo.toml", "", "lint", "cargo clippy{in}", "", _CARGO,
        r"\bcargo( \+\w+)? clippy\b|\.?clippy\.toml",
    ),
    _Word(
        "rust", "Cargo.toml", "", "format", "cargo fmt{in} --check", "", _CARGO,
        r"\bcargo( \+\w+)? fmt\b|\.?rustfmt\.toml",
    ),
    _Word("go", "go.mod", "", "test", "go{in} test ./...", "go test ./<path>/...", " -C {}"),
    _Word(
        "go", "go.mod", "", "lint", "go{in} vet ./...", "go vet ./<path>/...", " -C {}",
        r"\bgo vet\b",
    ),
    _Word("go", "go.mod", "", "build", "go{in} build ./...", "", " -C {}", r"\bgo build\b"),
    _Word(
        "go", "go.mod", "", "lint", "golangci-lint run", "golangci-lint run <path>", "",
        r"\bgolangci-lint run\b|\.golangci\.(ya?ml|toml|json)",
    ),
    _Word("jvm", "mvnw", "", "test", "./mvnw{in} test", "", " -f {}/pom.xml"),
    _Word("jvm", "pom.xml", "", "test", "mvn{in} test", "", " -f {}/pom.xml"),
    _Word("jvm", "gradlew", "", "test", "./gradlew test", "", ""),
    _Word("php", "composer.json", r'"test"\s*:', "test", "composer{in} test", "", " -d {}"),
    _Word("php", "phpunit.xml.dist", "", "test", _UNIT, f"{_UNIT} <path>", ""),
    _Word("php", "phpunit.xml", "", "test", _UNIT, f"{_UNIT} <path>", ""),
    _Word("elixir", "mix.exs", "", "test", "mix test", "mix test <path>", ""),
    _Word("deno", "deno.json", '"test":', "test", "deno task test", "deno test <path>", ""),
    _Word("deno", "deno.jsonc", '"test":', "test", "deno task test", "deno test <path>", ""),
    _Word("ruby", ".rspec", "", "test", "bundle exec rspec", "bundle exec rspec <path>", ""),
    _Word("swift", "Package.swift", r"\.testTarget", "test", "swift test", "", ""),
)  # fmt: skip


def offers(tree: Tree, folder: str, layout: Layout, steps: Sequence[Step]) -> Iterator[Offer]:
    """Every gate that a build file in this folder implies."""
    for word in _WORDS:
        file = join(folder, word.file)
        if not tree.has(file) or (folder != "." and not word.inside):
            continue
        text = tree.text(file)
        line = config.line(text, word.needs) if word.needs else 1
        if not line or (word.stack == "go" and word.kind == "test" and not _has_go_tests(layout)):
            continue
        place = _asked(tree, folder, word, steps) if word.asked else (file, line)
        if place is None:
            continue
        inside = word.inside.format(folder) if folder != "." else ""
        command = word.command.replace("{in}", inside)
        if word.asked and folder == ".":
            command = _as_ci_says(command, steps)
        words = r"\s".join(map(re.escape, command.split()[:2]))
        yield Offer(
            word.stack, word.kind, command, *place,
            narrow=word.narrow if folder == "." else "",
            in_ci=calls(steps, words) is not None,
            cost="minutes" if word.stack in {"rust", "jvm", "swift"} else cost_of(word.kind, ""),
        )  # fmt: skip


def _as_ci_says(command: str, steps: Sequence[Step]) -> str:
    """The line of CI that is this command with its options, where it means the same at home."""
    words = command.split()[:2]
    step = calls(steps, "^" + r"\s".join(re.escape(word) for word in words) + r"(\s|$)")
    return step.command if step and is_plain(step.command) and step.folder == "." else command


def _has_go_tests(layout: Layout) -> bool:
    return any(path.endswith("_test.go") for path in layout.test_files)


def _asked(tree: Tree, folder: str, word: _Word, steps: Sequence[Step]) -> tuple[str, int] | None:
    """Where the project says that it uses this tool."""
    start = "" if folder == "." else f"{folder}/"
    pattern = re.compile(word.asked)
    for path in tree.files(folder):
        if pattern.fullmatch(path[len(start) :]):
            return path, 1
    step = calls(steps, word.asked)
    return (step.file, step.line) if step else None
