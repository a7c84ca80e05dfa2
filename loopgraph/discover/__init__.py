"""Facts about a workspace, one module a fact. Reads only; starts nothing but git."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from loopgraph.discover import (
    detectors,
    earlier,
    gaps,
    gates,
    instructions,
    languages,
    members,
    project,
    repository_class,
    standards,
    surface,
    unreadable,
    vcs,
)
from loopgraph.discover.tree import Tree
from loopgraph.disk import read, roots
from loopgraph.model.errors import UsageError
from loopgraph.model.facts import EarlierRun, Facts, Repository
from loopgraph.model.messages import _


def workspace(root: Path, *, scope: str = ".", environ: Mapping[str, str] | None = None) -> Facts:
    """Everything discovery can find; changes nothing, and the same files give the same facts."""
    root = root.resolve()
    part = _part(root, scope)
    seen = vcs.see(root, environ)
    tree = Tree(seen.paths, read.reader(root))
    return facts(
        tree,
        scope=part,
        origin=seen.origin,
        repositories=seen.repositories,
        past=_past(root) if (root / roots.FOLDER).is_dir() else (),
        installed=_installed(root),
    )


def _installed(root: Path) -> list[str]:
    """Programs in the workspace's own environments, which git ignores: whole paths, sorted."""
    return [path for path in detectors.PROGRAMS if os.path.lexists(root / path)]


def _past(root: Path) -> list[EarlierRun]:
    """The runs of this workspace: read from the folder, since git may ignore it."""
    from loopgraph.disk import runs  # noqa: PLC0415  brings YAML along; most first looks need none

    return [
        earlier.read(run.name, read.attempt(root, f"{roots.FOLDER}/{run.name}/ledger.md"))
        for run in runs.all_runs(root)
    ]


def _part(root: Path, scope: str) -> str:
    """The scope as one writes it: a folder below the root, or `.`."""
    words = [word for word in scope.split("/") if word not in {"", "."}]
    part = "/".join(words) or "."
    what = ""
    if scope.startswith("/") or ".." in words:
        what = _("it leads out of the workspace")
    elif not os.path.isdir(read.inside(root, part)):  # noqa: PTH112  a name may be too long
        what = _("no such folder in the workspace")
    if what:
        fix = _("Name one relative to the workspace, such as packages/api.")
        raise UsageError(what, where=f"scope {scope}", fix=fix)
    return part


def facts(  # noqa: PLR0913  each is a look at the world that was made before
    tree: Tree,
    *,
    scope: str = ".",
    origin: str = "",
    repositories: Sequence[Repository] = (),
    past: Sequence[EarlierRun] = (),
    installed: Sequence[str] = (),
) -> Facts:
    """The facts of a tree of files."""
    layout = languages.lay_out(tree, scope)
    found = gates.find(tree, layout, scope=scope)
    tools = detectors.find(tree, layout, installed)
    seen = repository_class.signals(tree, layout)
    parts, count = members.find(tree)
    return Facts(
        project=project.name(tree, origin),
        repositories=tuple(repositories),
        instructions=instructions.find(tree),
        gates=found,
        standards=standards.find(tree),
        languages=layout.languages,
        sources=layout.sources,
        tests=layout.tests,
        detectors=tools,
        surface=surface.find(tree, layout),
        gaps=gaps.find(tree, layout, found, tools),
        earlier=tuple(past),
        repository_class=repository_class.classify(seen),
        signals=seen.facts(),
        members=parts,
        member_count=count,
        unreadable=unreadable.find(tree),
    )
