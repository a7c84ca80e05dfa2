"""What kind of repository this is: a library, production code or a prototype."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from loopgraph.discover import ci, config, surface
from loopgraph.discover.languages import Layout
from loopgraph.discover.tree import Tree
from loopgraph.model.facts import RepositoryClass

_DEPLOYED = re.compile(
    r"([^/]+/){0,3}(Dockerfile|Containerfile|Procfile|fly\.toml|app\.ya?ml|serverless\.ya?ml|vercel\.json"
    r"|netlify\.toml|render\.ya?ml|Chart\.yaml|kustomization\.ya?ml|[\w.-]+\.tf)"
    r"|(docker-)?compose[\w.-]*\.ya?ml"
)
_RELEASES = re.compile(
    r"pypi-publish|twine upload|(uv|poetry|flit|hatch|npm|pnpm|yarn|cargo) publish"
    r"|changesets/action|semantic-release|goreleaser"
)
_FILE_CAP: Final = 24


class Signals(NamedTuple):
    """What speaks for one class or another."""

    published: bool
    releases: bool
    deployed: bool
    checked: bool
    tested: bool


def signals(tree: Tree, layout: Layout) -> Signals:
    """Read the signals."""
    flows = ci.files(tree)[:_FILE_CAP]
    return Signals(
        published=_published(tree),
        releases=any(_RELEASES.search(tree.text(file)) for file in flows),
        deployed=any(_DEPLOYED.fullmatch(path) for path in tree.shallow(3)),
        checked=bool(flows),
        tested=bool(layout.test_files),
    )


def classify(seen: Signals) -> RepositoryClass | None:
    """The class; None where the signals conflict or say too little, so that it may be asked."""
    if seen.published and (seen.releases or not seen.deployed):
        return "library" if seen.tested or seen.releases else None
    if seen.published:
        return None
    if seen.checked and seen.tested:
        return "production"
    if not seen.checked and not seen.tested and not seen.deployed:
        return "prototype"
    return None


def _published(tree: Tree) -> bool:
    package = config.json(tree.text("package.json"))
    if package and package.get("private") is not True and config.word(package, "name"):
        return any(key in package for key in ("exports", "main", "module", "bin", "files"))
    cargo = config.toml(tree.text("Cargo.toml"))
    if config.word(cargo, "package", "name"):
        return tree.has("src/lib.rs") and config.at(cargo, "package", "publish") is not False
    go = re.search(r"^module\s+(\S+)", tree.text("go.mod"), re.MULTILINE)
    if go:
        return "." in go[1].partition("/")[0] and not tree.has("main.go") and not tree.holds("cmd")
    return surface.is_published(config.toml(tree.text("pyproject.toml"))) or (
        "setup(" in tree.text("setup.py") and "url" in tree.text("setup.py")
    )
