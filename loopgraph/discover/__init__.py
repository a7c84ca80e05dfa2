"""Facts about a workspace, one module a fact. Reads only; starts nothing but git."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from loopgraph.discover import (
    gates,
    instructions,
    languages,
    project,
    vcs,
)
from loopgraph.discover.tree import Tree
from loopgraph.disk import read
from loopgraph.model.facts import Facts, Repository


def workspace(
    root: Path, *, scope: str = ".", environ: Mapping[str, str] | None = None
) -> Facts:
    """Everything discovery can find; changes nothing, and the same files give the same facts."""
    seen = vcs.see(root, environ)
    tree = Tree(seen.paths, lru_cache(maxsize=512)(lambda path: read.attempt(root, path)))
    return facts(tree, scope=scope, origin=seen.origin, repositories=seen.repositories)


def facts(
    tree: Tree,
    *,
    scope: str = ".",
    origin: str = "",
    repositories: tuple[Repository, ...] = (),
) -> Facts:
    """The facts of a tree of files."""
    layout = languages.lay_out(tree, scope)
    return Facts(
        project=project.name(tree, origin),
        repositories=repositories,
        instructions=instructions.find(tree),
        gates=gates.find(tree, layout, scope=scope),
        languages=layout.languages,
        sources=layout.sources,
        tests=layout.tests,
    )
