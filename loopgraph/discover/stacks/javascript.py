"""Gates of a JavaScript or TypeScript package: its scripts, run by the manager of its lock file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from loopgraph.discover import config
from loopgraph.discover.ci import Step, calls
from loopgraph.discover.languages import Layout
from loopgraph.discover.stacks.offer import (
    BODY_CAP,
    Offer,
    cost_of,
    is_part,
    is_plain,
    kind_named,
    kind_of,
    kind_of_body,
)
from loopgraph.discover.tree import Tree, join, parent
from loopgraph.model.facts import GateKind

STACK: Final = "javascript"

_LOCKS: Final = (
    ("pnpm-lock.yaml", "pnpm"),
    ("pnpm-workspace.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
)
_RUN: Final[Mapping[str, str]] = {
    "npm": "npm run", "pnpm": "pnpm run", "yarn": "yarn run", "bun": "bun run",
}  # fmt: skip
_TEST: Final[Mapping[str, str]] = {
    "npm": "npm test", "pnpm": "pnpm test", "yarn": "yarn test", "bun": "bun run test",
}  # fmt: skip
_IN: Final[Mapping[str, str]] = {
    "npm": "--prefix", "pnpm": "-C", "yarn": "--cwd", "bun": "--cwd",
}  # fmt: skip
_EXEC: Final[Mapping[str, str]] = {
    "npm": "npx", "pnpm": "pnpm exec", "yarn": "yarn", "bun": "bunx",
}  # fmt: skip

_NARROW: Final[tuple[tuple[str, str], ...]] = (
    (r"\bvitest\b", "vitest run <path>"),
    (r"\bjest\b", "jest <path>"),
    (r"\breact-scripts test\b", "react-scripts test --watchAll=false <path>"),
    (r"\bmocha\b", "mocha <path>"),
    (r"\bava\b", "ava <path>"),
    (r"\btap\b(?! +-)", "tap <path>"),
    (r"\bplaywright test\b", "playwright test <path>"),
    (r"\beslint\b", "eslint <path>"),
    (r"\bxo\b", "xo <path>"),
    (r"\bstandard\b", "standard <path>"),
    (r"\bbiome (check|lint|ci)\b", r"biome \1 <path>"),
    (r"\boxlint\b", "oxlint <path>"),
    (r"\bprettier\b", "prettier --check <path>"),
)
"""What a script runs, and the same tool for one path; started through the manager."""
_BARE: Final = (
    (r"\bnode( --[\w=./-]+)* --test\b", "node --test <path>"),
    (r"\bbun test\b", "bun test <path>"),
    (r"\bdeno test\b", "deno test <path>"),
)
_ORDER: Final[Mapping[GateKind, tuple[str, ...]]] = {
    "test": ("test", "tests", "test:unit", "test-unit", "unit", "test:run", "test:ci", "test-ci"),
    "lint": ("lint", "lint:check", "lint:ci", "check:lint", "eslint"),
    "types": ("typecheck", "type-check", "check:types", "types", "tsc"),
}


_CALLS: Final = r"\b(?:npm|pnpm|yarn|bun)(?: -s)?( run(?:-script)?)? ([\w:.-]+)"
_CALL_CAP: Final = 2
_CALLED_CAP: Final = 8
_SCRIPT_CAP: Final = 200
"""How deep scripts are followed into others, how many calls of each, and how many scripts."""


class Script(NamedTuple):
    """One script of a package."""

    name: str
    body: str
    place: int
    """Its place among the scripts of its file."""


class Package(NamedTuple):
    """One package: its folder, and what its package.json says."""

    folder: str
    file: str
    data: Mapping[str, object]
    text: str
    manager: str
    member: str
    """Its name where it is a member of a workspace that the root declares; else empty."""

    def scripts(self) -> list[Script]:
        """Its scripts in the order of the file."""
        table = config.table(self.data, "scripts").items()
        bodies = [(name, body) for name, body in table if isinstance(body, str)][:_SCRIPT_CAP]
        return [Script(name, body, place) for place, (name, body) in enumerate(bodies)]

    def line(self, script: str) -> int:
        """The line of a script."""
        start = max(self.text.find('"scripts"'), 0)
        return self.text.count("\n", 0, start) + config.json_line(self.text[start:], script)

    def run(self, script: str, *arguments: str) -> str:
        """How its manager runs a script from the root."""
        base = _TEST[self.manager] if script == "test" else f"{_RUN[self.manager]} {script}"
        if self.folder != ".":
            _, _, rest = base.partition(" ")
            base = f"{self._inside()} {rest}"
        dashes = ["--"] if arguments and self.manager == "npm" else []
        return " ".join([base, *dashes, *arguments])

    def execute(self, command: str) -> str:
        """How its manager starts an installed tool from the root; empty where it can't be said."""
        if self.folder == ".":
            return f"{_EXEC[self.manager]} {command}"
        # Vitest and Jest match a part of the file's whole path, so a path from the root works.
        if self.manager in {"pnpm", "yarn"} and command.startswith(("vitest", "jest")):
            return f"{self._inside()}{' exec' if self.manager == 'pnpm' else ''} {command}"
        return ""

    def _inside(self) -> str:
        """The manager, told to work in this package."""
        if self.manager == "yarn" and self.member:
            return f"yarn workspace {self.member}"
        return f"{self.manager} {_IN[self.manager]} {self.folder}"


def package(tree: Tree, folder: str) -> Package | None:
    """The package in a folder; None where there is no package.json."""
    file = join(folder, "package.json")
    text = tree.text(file)
    data = config.json(text)
    if not data:
        return None
    name = config.word(data, "name")
    member = folder != "." and "workspaces" in config.json(tree.text("package.json"))
    manager = _manager(tree, folder, data)
    return Package(folder, file, data, text, manager, name if member and is_plain(name) else "")


def _manager(tree: Tree, folder: str, data: Mapping[str, object]) -> str:
    """Whose lock file is nearest; the `packageManager` field speaks first."""
    at = folder
    while True:
        here = data if at == folder else config.json(tree.text(join(at, "package.json")))
        named = config.word(here, "packageManager").partition("@")[0]
        if named in _RUN:
            return named
        for lock, manager in _LOCKS:
            if tree.has(join(at, lock)):
                return manager
        if at == ".":
            return "npm"
        at = parent(at)


def offers(tree: Tree, folder: str, layout: Layout, steps: Sequence[Step]) -> Iterator[Offer]:
    """Every gate among the scripts of the package in this folder."""
    found = package(tree, folder)
    if found is None:
        return
    scripts = found.scripts()
    bodies = {script.name: script.body for script in scripts}
    covered: dict[str, GateKind] = {}
    for script in sorted(scripts, key=_rank):
        called = _called(steps, script.name, folder)
        if kind_named(script.name, named=called) is None:
            continue
        inner = _inner(script.body, bodies)
        body = "\n".join([_resolved(script.body, bodies), *(bodies[name] for name in inner)])
        spread = _spread(tree, script)
        kind = kind_of(script.name, body + spread, named=called)
        if kind is None:
            continue
        # A script that runs others stands for those of its kind, also where CI calls them singly.
        parts = [name for name in inner if _called(steps, name, folder)]
        covered.update(dict.fromkeys(inner, kind))
        alone = covered.get(script.name) != kind
        offer = Offer(
            STACK,
            kind,
            found.run(script.name, *_once(body)),
            found.file,
            found.line(script.name),
            narrow=_narrow(found, kind, body),
            wrapper=True,
            in_ci=(called and alone) or len(parts) > 1,
            cost=cost_of(kind, body + spread, len(layout.test_files) if kind == "test" else 0),
            named=called and alone,
            part=is_part(script.name),
        )
        yield offer
        if kind == "test" and kind_of_body(body) == "ci":
            yield offer._replace(kind="ci", narrow="", cost="minutes")
    yield from _unscripted(tree, found, bodies)


_TOGETHER = re.compile(r"\b(?:run-[ps]|npm-run-all2?)\b((?:\s+[\w\"':*./=-]+){1,20})")


def _inner(body: str, bodies: Mapping[str, str]) -> list[str]:
    """The scripts that `run-s`, `run-p` or `npm-run-all` start, by name or by `lint:*`."""
    found = _TOGETHER.search(body[:BODY_CAP])
    words = [word.strip("\"'\\") for word in found[1].split()] if found else []
    names: list[str] = []
    for word in words:
        start, star, _ = word.partition("*")
        wanted = [name for name in bodies if name.startswith(start)] if star and start else [word]
        names += [name for name in wanted if name in bodies and name not in names]
    return names[:_SCRIPT_CAP]


_SPREADS = re.compile(r"--filter|--workspaces?\b|(^|\s)(-r|-w|--recursive)\b|\b(turbo|nx|lerna)\b")


def _spread(tree: Tree, script: Script) -> str:
    """What the members of a monorepo run under the last word of a script that spreads to them."""
    if not _SPREADS.search(script.body):
        return ""
    word = script.body.split()[-1]
    files = [path for path in tree.shallow(3) if path.endswith("/package.json")][:40]
    bodies = [config.word(config.json(tree.text(file)), "scripts", word) for file in files]
    return "".join(f"\n{body}" for body in bodies if body)


def _rank(script: Script) -> tuple[int, int]:
    for names in _ORDER.values():
        if script.name in names:
            return names.index(script.name), script.place
    return _SCRIPT_CAP, script.place


def _resolved(body: str, bodies: Mapping[str, str], depth: int = 0) -> str:
    """A script's text with the scripts that it calls put in their place."""
    if depth > _CALL_CAP or len(body) > BODY_CAP:
        return body

    def put(found: re.Match[str]) -> str:
        inner = bodies.get(found[2], "")
        return _resolved(inner, bodies, depth + 1) if inner and inner != body else found[0]

    return re.sub(_CALLS, put, body, count=_CALLED_CAP)[:BODY_CAP]


def _once(body: str) -> tuple[str, ...]:
    """What makes a runner that watches by default run once."""
    if re.search(r"\bvitest\b(?!\.)", body) and not re.search(
        r"\bvitest(?: +--?[\w=./-]+)* +(run|related|bench|list)\b|--run\b|--watch=false", body
    ):
        return ("--run",)
    if re.search(r"\breact-scripts test\b", body) and "--watchAll=false" not in body:
        return ("--watchAll=false",)
    return ()


def _narrow(found: Package, kind: GateKind, body: str) -> str:
    if kind not in {"test", "lint", "format"}:
        return ""
    for pattern, command in _BARE:
        if kind == "test" and re.search(pattern, body):
            return command if found.folder == "." else ""
    for pattern, command in _NARROW:
        match = re.search(pattern, body)
        if match and kind_of(kind, match.expand(command)) == kind and _fits(kind, command):
            return found.execute(match.expand(command))
    return ""


_TESTERS = re.compile(r"vitest|jest|react-scripts|mocha|ava\b|tap\b|playwright")


def _fits(kind: GateKind, command: str) -> bool:
    """Whether this tool makes this kind of check: a test script may lint first."""
    if kind == "format":
        return "prettier" in command or "biome" in command
    return bool(_TESTERS.match(command)) == (kind == "test")


def _called(steps: Sequence[Step], script: str, folder: str) -> bool:
    name = re.escape(script)
    pattern = (
        rf"\b(npm|pnpm|yarn|bun)\b[^&|;]*?\s(run |run-script )?{name}(?![\w:.-])"
        if script != "test"
        else r"\b(npm|pnpm|yarn)\b[^&|;]*?\s(t|tst|test)(?![\w:.-])|\bbun run test(?![\w:.-])"
    )
    step = calls(steps, pattern)
    return step is not None and (folder == "." or step.folder in {".", folder})


def _unscripted(tree: Tree, found: Package, bodies: Mapping[str, str]) -> Iterator[Offer]:
    """Tools that are configured here but that no script names."""
    if found.folder != ".":
        return
    declared = {
        *config.table(found.data, "devDependencies"), *config.table(found.data, "dependencies"),
    }  # fmt: skip
    said = "\n".join(bodies.values())
    for tool, files, command in (
        ("vitest", r"vitest\.config\.[cm]?[jt]s", "vitest run"),
        ("jest", r"jest\.config\.([cm]?[jt]s|json)", "jest"),
        ("eslint", r"eslint\.config\.[cm]?[jt]s|\.eslintrc(\.\w+)?", "eslint ."),
    ):
        file = next((path for path in tree.files() if re.fullmatch(files, path)), None)
        if file is None or tool not in declared or re.search(rf"\b{tool}\b", said):
            continue
        kind: GateKind = "lint" if tool == "eslint" else "test"
        yield Offer(
            STACK, kind, found.execute(command), file, 1,
            narrow=found.execute(f"{command.removesuffix(' .')} <path>"),
        )  # fmt: skip
    if tree.has("tsconfig.json") and "typescript" in declared and not re.search(r"\btsc\b", said):
        yield Offer(STACK, "types", found.execute("tsc --noEmit"), "tsconfig.json", 1)
