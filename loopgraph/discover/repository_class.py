"""What kind of repository this is: a library, production code or a prototype."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from loopgraph.discover import ci, config, surface
from loopgraph.discover.languages import Layout
from loopgraph.discover.tree import Tree
from loopgraph.model.facts import Found, RepositoryClass

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
    """What speaks for one class or another; None where nothing does."""

    published: Found | None = None
    releases: Found | None = None
    deployed: Found | None = None
    checked: Found | None = None
    tested: Found | None = None

    def facts(self) -> tuple[Found, ...]:
        """Those that were seen, as facts."""
        return tuple(fact for fact in self if fact)


def signals(tree: Tree, layout: Layout) -> Signals:
    """Read the signals."""
    flows = ci.files(tree)[:_FILE_CAP]
    deployed = sorted(path for path in tree.shallow(3) if _DEPLOYED.fullmatch(path))
    tests = layout.test_files
    count = f"{len(flows)} CI file" + "s" * (len(flows) != 1)
    return Signals(
        published=_published(tree),
        releases=next(filter(None, (_released(tree, file) for file in flows)), None),
        deployed=Found("deployed", deployed[0], 1) if deployed else None,
        checked=Found(f"checked by {count}", flows[0], 1) if flows else None,
        tested=Found(f"{len(tests)} test files", tests[0], 1) if tests else None,
    )


def _released(tree: Tree, file: str) -> Found | None:
    line = config.line(tree.text(file), _RELEASES.pattern)
    return Found("released by CI", file, line) if line else None


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


def _published(tree: Tree) -> Found | None:
    for file, what, line in (
        ("package.json", "npm package", _npm(tree)),
        ("Cargo.toml", "crate", _crate(tree)),
        ("go.mod", "Go module", _module(tree)),
        ("composer.json", "Composer package", _composer(tree)),
        ("mix.exs", "Hex package", config.line(tree.text("mix.exs"), r"^[ \t]*package:[ \t]")),
        ("pyproject.toml", "Python package", _python(tree)),
        ("setup.py", "Python package", _setup(tree)),
    ):
        if line:
            return Found(f"published as a {what}", file, line)
    return None


def _npm(tree: Tree) -> int:
    text = tree.text("package.json")
    package = config.json(text)
    if package.get("private") is True or not config.word(package, "name"):
        return 0
    return next(
        (
            config.json_line(text, key)
            for key in ("exports", "main", "module", "bin", "files")
            if key in package
        ),
        0,
    )


def _crate(tree: Tree) -> int:
    text = tree.text("Cargo.toml")
    cargo = config.toml(text)
    if not config.word(cargo, "package", "name") or not tree.has("src/lib.rs"):
        return 0
    if config.at(cargo, "package", "publish") is False:
        return 0
    return config.line(text, r"^[ \t]*name[ \t]*=")


def _module(tree: Tree) -> int:
    text = tree.text("go.mod")
    found = re.search(r"^module\s+(\S+)", text, re.MULTILINE)
    if not found or "." not in found[1].partition("/")[0]:
        return 0
    if tree.has("main.go") or tree.holds("cmd"):
        return 0
    return config.line(text, r"^module\s")


def _composer(tree: Tree) -> int:
    text = tree.text("composer.json")
    data = config.json(text)
    kind = config.word(data, "type") or "library"
    if "/" not in config.word(data, "name") or kind == "project":
        return 0
    return config.json_line(text, "name") if config.word(data, "description") else 0


def _python(tree: Tree) -> int:
    text = tree.text("pyproject.toml")
    if not surface.is_published(config.toml(text)):
        return 0
    return config.line(text, r"^[ \t]*name[ \t]*=") or 1


def _setup(tree: Tree) -> int:
    text = tree.text("setup.py")
    return config.line(text, r"\bsetup\(") if "url" in text else 0
