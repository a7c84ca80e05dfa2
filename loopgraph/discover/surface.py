"""Public surface: what code outside this workspace may depend on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loopgraph.discover import config
from loopgraph.discover.languages import Layout
from loopgraph.discover.tree import Tree, base
from loopgraph.model.facts import Found

_SCHEMAS: Final = (
    (r"(openapi|swagger)[\w.-]*\.(ya?ml|json)", "OpenAPI schema"),
    (r"asyncapi[\w.-]*\.(ya?ml|json)", "AsyncAPI schema"),
    (r".*\.graphqls?", "GraphQL schema"),
    (r".*\.proto", "protocol buffers"),
    (r".*\.schema\.json", "JSON schema"),
)
_ENDS: Final = (".yaml", ".yml", ".json", ".graphql", ".graphqls", ".proto")
_NOT_OURS = re.compile(r"(^|/)(tests?|__tests__|fixtures?|examples?|vendor|node_modules|docs?)/")
CAP: Final = 12
_EACH: Final = 6
_WORD: Final = 120
"""No name that a person gave is longer."""


def find(tree: Tree, layout: Layout) -> tuple[Found, ...]:
    """Published packages, their commands and entry points, and interface schemas."""
    rows = [
        *_python(tree, layout), *_javascript(tree), *_rust(tree), *_go(tree, layout), *_php(tree),
        *_elixir(tree), *_jvm(tree), *_deno(tree), *_native(tree),
    ]  # fmt: skip
    every = [*rows, *_schemas(tree)][:CAP]
    return tuple(Found(fact.value[:_WORD], fact.file, fact.line) for fact in every)


def _python(tree: Tree, layout: Layout) -> Iterator[Found]:
    text = tree.text("pyproject.toml")
    data = config.toml(text)
    name = config.word(data, "project", "name") or config.word(data, "tool", "poetry", "name")
    if name and is_published(data):
        yield Found(
            f"Python package {name}", "pyproject.toml", config.line(text, r"^[ \t]*name[ \t]*=")
        )
    elif not name and re.search(r"\bsetup\(", tree.text("setup.py")):
        yield Found("Python package", "setup.py", config.line(tree.text("setup.py"), r"\bsetup\("))
    for keys in (("project", "scripts"), ("tool", "poetry", "scripts")):
        for command in list(config.table(data, *keys))[:_EACH]:
            line = config.line(text, rf"^[ \t]*\"?{re.escape(command)}\"?[ \t]*=")
            yield Found(f"command {command}", "pyproject.toml", line)
    for group in list(config.table(data, "project", "entry-points"))[:_EACH]:
        line = config.line(text, rf"^\[project\.entry-points\.[\"']?{re.escape(group)}")
        yield Found(f"entry points {group}", "pyproject.toml", line)
    for folder in layout.sources:
        file = f"{folder}/__init__.py"
        line = config.line(tree.text(file), r"^__all__\b")
        if line:
            yield Found(f"names in __all__ of {folder}", file, line)


def is_published(data: object) -> bool:
    """Whether a pyproject.toml describes a package that is built for others."""
    if any(word.startswith("Private ::") for word in config.words(data, "project", "classifiers")):
        return False
    if config.at(data, "tool", "poetry", "package-mode") is False:
        return False
    built = config.at(data, "build-system", "build-backend") is not None
    told = any(
        config.at(data, *keys)
        for keys in (
            ("project", "classifiers"), ("project", "urls"), ("project", "license"),
            ("tool", "poetry", "classifiers"), ("tool", "poetry", "repository"),
            ("tool", "poetry", "license"),
        )
    )  # fmt: skip
    return built and told


def _javascript(tree: Tree) -> Iterator[Found]:
    text = tree.text("package.json")
    data = config.json(text)
    if not data or data.get("private") is True or not config.word(data, "name"):
        return
    line = config.json_line(text, "name")
    yield Found(f"npm package {config.word(data, 'name')}", "package.json", line)
    for key, what in (("exports", "exports"), ("main", "main module"), ("types", "types")):
        if key in data:
            yield Found(what, "package.json", config.json_line(text, key))
            break
    commands = data.get("bin")
    if commands:
        yield Found("commands in bin", "package.json", config.json_line(text, "bin"))


def _rust(tree: Tree) -> Iterator[Found]:
    text = tree.text("Cargo.toml")
    data = config.toml(text)
    name = config.word(data, "package", "name")
    if name and config.at(data, "package", "publish") is not False:
        kind = "crate" if tree.has("src/lib.rs") else "program"
        yield Found(f"Rust {kind} {name}", "Cargo.toml", config.line(text, r"^[ \t]*name[ \t]*="))


def _go(tree: Tree, layout: Layout) -> Iterator[Found]:
    found = re.search(r"^module\s+(\S+)", tree.text("go.mod"), re.MULTILINE)
    commands = [path for path in layout.source_files if path.endswith("main.go")]
    if found and "." in found[1].partition("/")[0] and not tree.has("main.go"):
        yield Found(f"Go module {found[1]}", "go.mod", config.line(tree.text("go.mod"), "^module"))
    for path in commands[:3]:
        yield Found(f"Go program {path.rpartition('/')[0] or '.'}", path, 1)


def _php(tree: Tree) -> Iterator[Found]:
    text = tree.text("composer.json")
    data = config.json(text)
    name = config.word(data, "name")
    if "/" in name and config.word(data, "type") != "project":
        yield Found(f"Composer package {name}", "composer.json", config.json_line(text, "name"))
    if "bin" in data:
        yield Found("commands in bin", "composer.json", config.json_line(text, "bin"))


def _elixir(tree: Tree) -> Iterator[Found]:
    text = tree.text("mix.exs")
    line = config.line(text, r"^[ \t]*package:[ \t]")
    name = re.search(r"^[ \t]*app:[ \t]*:(\w+)", text, re.MULTILINE)
    if line and name:
        yield Found(f"Hex package {name[1]}", "mix.exs", line)


_COORDINATES = re.compile(r"<artifactId>\s*([\w.-]+)\s*</artifactId>")


def _jvm(tree: Tree) -> Iterator[Found]:
    """A Maven project that says where it is published to."""
    text = tree.text("pom.xml")
    line = config.line(text, r"<distributionManagement>|central-publishing-maven-plugin")
    # The parent's coordinates stand before the project's own.
    found = _COORDINATES.search(text, max(text.find("</parent>"), 0))
    if line and found:
        yield Found(f"Maven artifact {found[1]}", "pom.xml", text.count("\n", 0, found.start()) + 1)
    for file in ("build.gradle", "build.gradle.kts"):
        line = config.line(tree.text(file), r"\bmaven-publish\b")
        if line:
            yield Found("Maven artifact", file, line)


def _deno(tree: Tree) -> Iterator[Found]:
    for file in ("deno.json", "deno.jsonc", "jsr.json"):
        text = tree.text(file)
        data = config.jsonc(text)
        name = config.word(data, "name")
        if name.startswith("@") and "exports" in data:
            yield Found(f"JSR package {name}", file, config.json_line(text, "exports"))


_HEADER: Final = (".h", ".hh", ".hpp", ".hxx")


def _native(tree: Tree) -> Iterator[Found]:
    """Headers of a C or C++ library that its build file installs."""
    headers = sum(path.endswith(_HEADER) for path in tree.below("include"))
    for file, shape in (
        ("CMakeLists.txt", r"^[ \t]*(?i:install)[ \t]*\("),
        ("Makefile.am", r"^[ \t]*(nobase_)?include_HEADERS[ \t]*\+?="),
        ("meson.build", r"\binstall_headers[ \t]*\("),
    ):
        line = config.line(tree.text(file), shape)
        if line:
            what = f"headers in include ({headers} files)" if headers else "what it installs"
            yield Found(what, file, line)


def _schemas(tree: Tree) -> Iterator[Found]:
    kept = [
        path for path in tree.paths if path.endswith(_ENDS) and not _NOT_OURS.search(path)
    ]  # fmt: skip
    for shape, what in _SCHEMAS:
        files = [path for path in kept if re.fullmatch(shape, base(path), re.IGNORECASE)]
        if files:
            yield Found(f"{what} ({len(files)} files)" if len(files) > 1 else what, files[0], 1)
