"""What discovery returns: facts about a workspace, each with where it was found."""

from __future__ import annotations

from typing import Literal

from loopgraph.model.value import value

GateKind = Literal["test", "lint", "types", "build", "format", "ci"]
Cost = Literal["seconds", "minutes", "money", "risk"]
RepositoryClass = Literal["prototype", "production", "library"]


@value
class Found:
    """One fact and where it was found."""

    value: str
    file: str
    """Relative to the root, with forward slashes; empty where no file says it."""
    line: int = 0


@value
class FoundGate:
    """A command that a project itself uses to decide whether it is well."""

    kind: GateKind
    command: str
    """The full form, as one would type it at the root."""
    narrow: str
    """The form for one path, with `<path>` where it goes; empty where the runner has none."""
    cost: Cost
    file: str
    line: int
    also: bool = False
    """Whether CI runs it beside a better one of its kind, which it does not replace."""


@value
class DirtyPath:
    """A path that differed from HEAD before the run was made."""

    path: str
    status: str
    """The two letters of `git status --porcelain=v2`, or `??`."""
    blob: str
    """Blob id of the content now; empty where the path is gone."""
    owner: Literal["owner", "authoring"] = "owner"


@value
class Repository:
    """One git repository below the workspace."""

    path: str
    """Relative to the root; `.` for the root's own."""
    branch: str
    """Empty when HEAD is detached."""
    head: str
    """Commit id; empty on an unborn branch."""
    dirty: tuple[DirtyPath, ...]
    """At most the first 500, sorted by path."""
    dirty_count: int
    dirty_digest: str
    """SHA-256 over all dirty paths, so that a longer list is still bound."""


@value
class Language:
    """How many files of a language there are."""

    name: str
    files: int


@value
class EarlierRun:
    """A run that already lives in this workspace."""

    slug: str
    status: str
    """Its Run status; empty where the ledger does not say."""


GapKind = Literal["no-test-gate", "no-tests", "untested", "detector", "marks"]
"""What discovery can prove a debt by; `author/wording.py` has the sentence for each."""


@value
class GapSeed:
    """A debt row that discovery can prove."""

    priority: Literal["P0", "P1", "P2", "P3"]
    write_set: str
    verify: str
    line: str
    """In English; a ledger has the sentence of its kind in the run's language."""
    kind: GapKind | None = None
    """None where only the line is known."""
    about: str = ""
    """The folder or file that its sentence names."""
    count: int = 0
    """The number in its sentence, if it has one."""
    observed: bool = False
    """Whether `verify` is no command, but the English sentence of its kind."""


@value
class Facts:
    """Everything discovery found; nothing in it depends on the machine or the clock."""

    project: Found
    repositories: tuple[Repository, ...] = ()
    """Empty without git; otherwise the root's own first."""
    instructions: tuple[Found, ...] = ()
    """Files that tell an agent or a contributor how to work here."""
    gates: tuple[FoundGate, ...] = ()
    """The best first."""
    standards: tuple[Found, ...] = ()
    """Lint, format and type configuration."""
    languages: tuple[Language, ...] = ()
    """The most files first."""
    sources: tuple[str, ...] = ()
    """Folders that hold production code, at most twelve."""
    tests: tuple[str, ...] = ()
    """Folders that hold tests."""
    detectors: tuple[Found, ...] = ()
    """Tools that find clean-up candidates and are configured or declared here."""
    surface: tuple[Found, ...] = ()
    """What others depend on: published packages, exports, API schemas."""
    gaps: tuple[GapSeed, ...] = ()
    earlier: tuple[EarlierRun, ...] = ()
    repository_class: RepositoryClass | None = None
    """None where the signals conflict or say too little."""
    signals: tuple[Found, ...] = ()
    """What the class was told from."""
    members: tuple[Found, ...] = ()
    """Folders that a workspace file declares as parts of a monorepo, at most forty."""
    member_count: int = 0
    unreadable: tuple[Found, ...] = ()
    """Files that should have said something and cannot be read, with the line that is wrong."""


@value
class HostFact:
    """The host that is authoring this run. Depends on the machine, so it is no part of Facts."""

    name: str
    how: Literal["environment", "process", "PATH"]
    evidence: str
