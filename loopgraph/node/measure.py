"""What a round really changed, as it was measured between two snapshots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from loopgraph.edges.ledger import Net
from loopgraph.edges.run import Run
from loopgraph.model import production, secrets
from loopgraph.node import call as parts
from loopgraph.plain import globs, header, quoting

FOLDER: Final = "snapshots"
"""Below evidence/: what each snapshot was of, a file each."""
SCHEMA: Final = "loopgraph/snapshot/1"
_TOLD: Final = 5
"""Findings of one round that are told again; the others are counted."""
_LONG: Final = 200
"""Characters of one of them; evidence/ has it whole."""
_SECTIONS: Final = ("Gate scoreboard", "Debt & gap register", "Metric snapshot")


class Lines(NamedTuple):
    """A path that differs between two snapshots."""

    path: str
    """Relative to the workspace."""
    added: int | None
    """Lines; None where they cannot be counted."""
    removed: int | None


class Measure(NamedTuple):
    """What was measured for one round."""

    number: int
    """The round it was measured for."""
    changed: tuple[Lines, ...] | None
    """Sorted by path, `.longgraph/` left out; None where there was nothing to compare with."""
    net: Net | None
    """Production lines; None where they cannot be counted."""
    left_out: tuple[str, ...] = ()
    """Paths that no snapshot holds."""
    idle: bool = False
    """Neither a file nor an entry of the run's edges changed."""
    idle_before: bool = False
    """The round before was idle, too."""
    note: Mapping[str, object] = {}
    """What evidence/ keeps of it."""


def net(run: Run, changed: Sequence[Lines]) -> Net | None:
    """The production lines among what changed; None where a part cannot be counted."""
    wanted = production_globs(run)
    counted = [one for one in changed if production.counts(one.path, wanted)]
    if any(one.added is None or one.removed is None for one in counted):
        return None
    return Net(sum(one.added or 0 for one in counted), sum(one.removed or 0 for one in counted))


def production_globs(run: Run) -> tuple[str, ...]:
    """What counts as production code: of the record, else of ops.md."""
    if run.record is not None:
        return run.record.spec.production
    return _spans(run, "Production globs")


def data_globs(run: Run) -> tuple[str, ...]:
    """The paths that the data policy of ops.md names: code spans that hold a slash, dot or star."""
    return tuple(said for said in _spans(run, "Data policy") if set(said) & set("/.*"))


def _spans(run: Run, title: str) -> tuple[str, ...]:
    document = run.document(parts.OPS)
    section = document.section(title) if document else None
    if document is None or section is None:
        return ()
    return tuple(span for _, line in document.body(section) for span in quoting.spans(line) if span)


def entries(run: Run, evidence: str) -> dict[str, str]:
    """A digest of each part whose change makes a round no idle one; `evidence` is one, too."""
    document = run.document(parts.LEDGER)
    found = {"findings": run.files.get(parts.FINDINGS, ""), "evidence": evidence}
    for title in _SECTIONS:
        section = document.section(title) if document else None
        body = document.lines[section.start : section.end] if document and section else ()
        found[title] = "".join(body)
    return {name: sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
            for name, text in found.items()}  # fmt: skip


def shown(path: str) -> str:
    """A path as a round's line may name it: as text, short, and no credential."""
    said = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    if len(said) > parts.LONGEST // 3 or any(secrets.find(said)):
        return "a path that evidence/ names"
    return said


def told(number: int, note: Mapping[str, Any]) -> Iterator[str]:
    """What was found of a round as it was recorded, a line each; `note` is what evidence/ keeps."""
    found = note.get("found")
    said = [
        " ".join(f"{one['rule']}: {one['message']}".split())
        for one in (found if isinstance(found, list) else ())
        if isinstance(one, dict)
        if isinstance(one.get("rule"), str) and isinstance(one.get("message"), str)
    ]
    for line in said[:_TOLD]:
        yield f"R{number} {line if len(line) <= _LONG else f'{line[: _LONG - 1]}…'}"
    if len(said) > _TOLD:
        yield f"R{number}: {len(said) - _TOLD} more in evidence/{FOLDER}"


def differing(claimed: Sequence[str], measured: Measure) -> str:
    """How the paths that a node named differ from those that changed; empty where they don't."""
    changed = [one.path for one in measured.changed or ()]
    named = [_cleaned(path) for path in claimed if not header.is_none(path)]
    invented = [
        path
        for path in named
        if not any(globs.matches(one, path) for one in (*changed, *measured.left_out))
    ]
    silent = [one for one in changed if not any(globs.matches(one, path) for path in named)]
    said = []
    if invented:
        said.append(f"{_listed(invented)} did not change")
    if silent:
        said.append(f"{_listed(silent)} changed without being named")
    return "; ".join(said)


def _cleaned(path: str) -> str:
    return path.strip().strip("`").removeprefix("./") or path


def _listed(paths: Sequence[str]) -> str:
    first = ", ".join(shown(path) for path in paths[:3])
    return first + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")  # noqa: PLR2004
