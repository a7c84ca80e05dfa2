"""Run a gate of a run: only what this user has approved, in its own group, within its time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph.disk import evidence, git, process, runs, trust
from loopgraph.disk.roots import FOLDER
from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import gate_runs
from loopgraph.node.call import Call
from loopgraph.node.results import Result
from loopgraph.node.speaker import Speaker
from loopgraph.plain import quoting


class Ran(NamedTuple):
    """A gate that was run."""

    code: int
    """Of our own: 0 passed, 1 failed, 2 its time was up, or it could not start."""
    store: Callable[[Run, Call], Change]


def ran(  # noqa: PLR0913  which gate, for whom, and how
    path: Path,
    id_: str,
    speaker: Speaker,
    environ: Mapping[str, str],
    *,
    limit: float,
    timed: bool = True,
) -> Ran:
    """Run a gate; one that this user has not approved is refused.

    Under a pinned clock it is not timed, so that the same gate leaves the same bytes.
    """
    run, root = runs.load(path), runs.root_of(path)
    gate_runs.may(Call(speaker, ""))
    row = gate_runs.gate(run, id_)
    said = gate_runs.command(row)
    if not said:
        raise UsageError(
            _("{id} is observed, not run", id=row.id),
            where=id_,
            fix=f"loopgraph gate run --result {row.id}=pass --evidence POINTER",
        )
    if said not in trust.approved(root, environ):
        raise RefusedError(
            _("this user has not approved its command"),
            where=f"{row.id}: {said}",
            fix=_("The owner looks at it and says: loopgraph trust {name}", name=path.name),
        )
    shell = run.record.spec.shell if run.record else "posix"
    before, there = evidence.tree(root), _untracked(root)
    words = gate_runs.words(said, shell)
    ended, why = _ended(words, root, limit)
    seconds = ended.seconds if timed else 0.0
    after = evidence.tree(root)
    new = sorted(_untracked(root) - there) if after != before else []
    more = {
        "command": said,
        "words": list(words),
        "exit": ended.code,
        "seconds": seconds,
        "tree_after": after,
        "left": new[:_LEFT],
        "output": gate_runs.clean(ended.output),
    }
    beside = [gate_runs.ways(row)] if why else []
    beside += [gate_runs.left(new)] if new else []

    def store(_run: Run, call: Call) -> Change:
        how = "its time was up" if ended.code is None else f"exit {ended.code}"
        told = why or f"{how} after {seconds:.1f} s"
        said = _("its time was up") if ended.code is None else _("exit {code}", code=ended.code)
        said = why or _("{how} after {seconds} s", how=said, seconds=f"{seconds:.1f}")
        check, node, passed = row.id or id_, call.speaker.name, ended.code == 0
        result = Result(check, node, call.now, passed, before, told)
        return gate_runs.store(call, result, more, beside=beside, told=said)

    return Ran(2 if ended.code is None or why else int(ended.code != 0), store)


_NOT_THERE: Final = 127
"""How a shell ends that finds no such program."""
_LEFT: Final = 100
"""Paths that a result names of what its gate has left."""


def _ended(words: tuple[str, ...], root: Path, limit: float) -> tuple[process.Ended, str]:
    """How a gate ended, and why it could not start; empty where it did."""
    ended = process.run(words, root, limit=limit, kept=gate_runs.OUTPUT)
    if not ended.started:
        return ended._replace(output=""), f"could not start {words[0]}: {ended.output}"
    if ended.code == _NOT_THERE and words[:2] == ("sh", "-c"):
        said = quoting.visible(ended.output.strip().rpartition("\n")[2])
        return ended, f"could not start: {said or 'no such program'}"
    return ended, ""


def _untracked(root: Path) -> frozenset[str]:
    """What git neither follows nor ignores, our own folder left out."""
    look = git.look(root)
    changes = look.changes if look else ()
    ours = f"{FOLDER}/"
    return frozenset(
        one.path for one in changes if one.status == "??" and not one.path.startswith(ours)
    )


def observation(path: Path, said: str, shown: str) -> Callable[[Run, Call], Change]:
    """Note what a node has observed on the tree as it is."""
    tree = evidence.tree(runs.root_of(path))

    def store(run: Run, call: Call) -> Change:
        check, passed = gate_runs.observed(run, said)
        told = parts.said(shown, "--evidence")
        result = Result(check, call.speaker.name, call.now, passed, tree, told)
        return gate_runs.store(call, result, {})

    return store
