"""The project's name: what its own metadata, its README or its origin call it."""

from __future__ import annotations

import re

from loopgraph.discover import config
from loopgraph.discover.tree import Tree
from loopgraph.model.facts import Found
from loopgraph.plain import text as plain

_PLAIN: Found = Found("project", "")
_TITLE_CAP = 60
"""A longer heading is a sentence, no name."""
_LINES = 60
_LINE_CAP = 500
"""As much of a README as may hold its title."""
_READMES = ("README.md", "README.rst", "README.markdown", "README.txt", "README", "readme.md")


def name(tree: Tree, origin: str) -> Found:
    """The name; never the directory's, since two clones must compile to the same bytes."""
    return (
        _from_pyproject(tree)
        or _from_json(tree, "package.json")
        or _from_toml(tree, "Cargo.toml", "package")
        or _from_go(tree)
        or _from_json(tree, "composer.json")
        or _from_readme(tree)
        or _from_origin(origin)
        or _PLAIN
    )


def _found(value: str, file: str, line: int) -> Found | None:
    value = " ".join(value.split())[:120]
    return Found(value, file, line) if value else None


def _from_pyproject(tree: Tree) -> Found | None:
    text = tree.text("pyproject.toml")
    data = config.toml(text)
    value = config.word(data, "project", "name") or config.word(data, "tool", "poetry", "name")
    if value:
        return _found(value, "pyproject.toml", config.line(text, r"^[ \t]*name[ \t]*="))
    text = tree.text("setup.cfg")
    value = config.ini(text).get("metadata", (0, {}))[1].get("name", "") if text else ""
    return _found(value, "setup.cfg", config.line(text, r"^name[ \t]*=")) if value else None


def _from_json(tree: Tree, file: str) -> Found | None:
    text = tree.text(file)
    return _found(config.word(config.json(text), "name"), file, config.json_line(text, "name"))


def _from_toml(tree: Tree, file: str, section: str) -> Found | None:
    text = tree.text(file)
    return _found(
        config.word(config.toml(text), section, "name"),
        file,
        config.line(text, r"^[ \t]*name[ \t]*="),
    )


def _from_go(tree: Tree) -> Found | None:
    found = re.search(r"^module\s+(\S+)", tree.text("go.mod"), re.MULTILINE)
    if not found:
        return None
    module = re.sub(r"/v\d+$", "", found[1]).rpartition("/")[2]
    return _found(module, "go.mod", config.line(tree.text("go.mod"), r"^module\s"))


def _from_readme(tree: Tree) -> Found | None:
    for file in _READMES:
        lines = [line[:_LINE_CAP] for line in tree.text(file).splitlines()[:_LINES]]
        for number, line in enumerate(lines, 1):
            found = plain.heading(line)
            under = lines[number] if number < len(lines) else ""
            html = re.search(r"<h1[^>]*>(.*?)(</h1>|$)", line)
            if found and found[0] > 1:
                break  # a section of it, no title
            title = found[1] if found else html[1] if html else ""
            if not title and re.match(r"={3,}\s*$", under):
                title = line
            title = _words(title)
            if title and len(title) <= _TITLE_CAP:
                return _found(title, file, number)
    return None


def _words(title: str) -> str:
    """A heading without images, links and markup."""
    title = re.sub(r"<[^>]*>|!\[[^\]]*\]\([^)]*\)", "", title)
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[*`]", "", title).strip(" \t_#:=-|")


def _from_origin(origin: str) -> Found | None:
    base = re.split(r"[/:\\]", origin.rstrip("/\\"))[-1].removesuffix(".git")
    return _found(base, "", 0)
