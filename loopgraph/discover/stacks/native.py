"""Gates of Rust, Go, C, Elixir and other projects whose build tool has one word for each check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from loopgraph.discover import config
from loopgraph.discover.ci import Step, calls, plain_call
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
_CMAKE: Final = "cmake -B build && cmake --build build"
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
    _Word(
        "rust", "Cargo.toml", "", "build", "cargo check{in}", "", _CARGO,
        r"\bcargo( \+\w+)? check\b",
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
    _Word(
        "cmake", "CMakeLists.txt",
        r"^[ \t]*(?i:enable_testing[ \t]*\(|include[ \t]*\([ \t]*CTest\b)",
        "test", f"{_CMAKE} && ctest --test-dir build", "", "",
    ),
    _Word(
        "cmake", "CMakeLists.txt", r"^[ \t]*(?i:project)[ \t]*\(", "build", _CMAKE, "", "",
    ),
    _Word(
        "autotools", "Makefile.am", r"^(TESTS|check_[A-Z]+|check-local)[ \t]*(\+?=|:)",
        "test", "make check", "", "",
    ),
    _Word("autotools", "Makefile.am", "", "build", "make", "", ""),
    _Word("meson", "meson.build", r"^[ \t]*test[ \t]*\(", "test", "meson test -C build", "", ""),
    _Word("elixir", "mix.exs", "", "test", "mix test", "mix test <path>", ""),
    _Word(
        "elixir", "mix.exs", "", "format", "mix format --check-formatted", "", "",
        r"\bmix format --check-formatted\b|\.formatter\.exs",
    ),
    _Word("elixir", "mix.exs", "", "lint", "mix credo", "mix credo <path>", "",
        r"\bmix credo\b|\.credo\.exs",
    ),
    _Word("elixir", "mix.exs", "", "types", "mix dialyzer", "", "", r"\bmix dialyzer\b"),
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
        if not line or (
            word.kind == "test" and not _tested(tree, word.stack, folder, layout, steps)
        ):
            continue
        place = _asked(tree, folder, word, steps) if word.asked else (file, line)
        if place is None:
            continue
        inside = word.inside.format(folder) if folder != "." else ""
        command = word.command.replace("{in}", inside)
        if folder == "." and word.stack not in _OWN_FOLDER:
            command = _as_ci_says(command, steps)
        words = r"\s".join(map(re.escape, command.split()[:2]))
        yield Offer(
            word.stack, word.kind, command, *place,
            narrow=word.narrow if folder == "." else "",
            in_ci=calls(steps, words) is not None,
            cost="minutes" if word.stack in _SLOW else cost_of(word.kind, ""),
        )  # fmt: skip


_SLOW: Final = frozenset({"autotools", "cmake", "meson", "rust", "swift"})
_OWN_FOLDER: Final = frozenset({"cmake", "meson"})
"""Where CI chooses a build folder that need not be ours."""
_PART = re.compile(r"\s(-p|--package|--exclude|--test|--example|--bench|--doc|--lib|--bin|-run)\b")
"""Options that leave most of the project out."""


def _as_ci_says(command: str, steps: Sequence[Step]) -> str:
    """The line of CI that is this command with its options, where it means the same at home."""
    words = command.split()
    start = r"\s".join(re.escape(word) for word in words[:2])
    if len(words) == 1 or plain_call(steps, re.escape(command) + "$"):
        return command
    whole = [step for step in steps if not _PART.search(step.command)]
    rest = "" if words[0] != "go" else r".*\./\.\.\."
    step = plain_call(whole, rf"{start}(?=\s|$){rest}")
    return step.command if step else command


_TESTS: Final = {
    "go": ("_test.go",), "elixir": ("_test.exs",), "swift": (".swift",),
    "rust": (".rs",), "ruby": (".rb",),
}  # fmt: skip
_RUST_TEST: Final = ("#[test]", "#[cfg(test)]", "::test]", "/// ```", "#[rstest]", "proptest!")
_READ_CAP: Final = 200


def _tested(tree: Tree, stack: str, folder: str, layout: Layout, steps: Sequence[Step]) -> bool:
    """Whether there is any test that the command would run."""
    ends = _TESTS.get(stack)
    start = "" if folder == "." else f"{folder}/"
    if ends is None or any(p.startswith(start) and p.endswith(ends) for p in layout.test_files):
        return True
    if stack != "rust":
        return False
    if folder == "." and calls(steps, r"\bcargo (\+\w+ )?(nextest|test)\b"):
        return True
    code = [p for p in layout.source_files if p.startswith(start) and p.endswith(".rs")]
    return any(mark in tree.text(path) for path in code[:_READ_CAP] for mark in _RUST_TEST)


def _asked(tree: Tree, folder: str, word: _Word, steps: Sequence[Step]) -> tuple[str, int] | None:
    """Where the project says that it uses this tool."""
    start = "" if folder == "." else f"{folder}/"
    pattern = re.compile(word.asked)
    for path in tree.files(folder):
        if pattern.fullmatch(path[len(start) :]):
            return path, 1
    step = calls(steps, word.asked)
    return (step.file, step.line) if step else None
