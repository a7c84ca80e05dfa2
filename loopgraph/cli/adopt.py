"""`loopgraph adopt`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, RunName, Workspace, environ
from loopgraph.model.messages import _

if TYPE_CHECKING:  # reading a run loads YAML, and `--help` does without
    from collections.abc import Mapping
    from datetime import datetime

    from loopgraph.edges.change import Change
    from loopgraph.edges.run import Run
    from loopgraph.model.facts import Facts
    from loopgraph.model.spec import RunSpec

_PRESET: Final = "deliver"
"""The pack whose texts fit any goal: what kind of goal it was, no file of the run says."""


def adopt(
    run: RunName = None,
    *,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Where its nodes run, if not found.")
    ] = "",
    named: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Bring an older or hand-written run to today's contract; copies stay in its archive."""
    from loopgraph import discover
    from loopgraph.author import adopted
    from loopgraph.check import run_rules
    from loopgraph.cli import clock, keeping
    from loopgraph.disk import floor, house, roots, runs
    from loopgraph.disk.apply import Act, Done, apply
    from loopgraph.edges.change import Change
    from loopgraph.node import speaker as who

    path = keeping.find(named or run, workspace)
    speaking = keeping.speaker(None, path)
    who.require(speaking, ("owner",), what="`adopt`")
    now = clock.now(None, environ())
    if adopted.nothing_to_do(runs.load(path)):
        says = _("{run} is of today's contract: nothing to do", run=path.name)
        keeping.tell(path, Done(Change(says=(says,)), ()), json=json)
        return
    facts = discover.workspace(runs.root_of(path))
    past = _archived(path)

    def command(found: Run) -> Change:
        spec, made = _made(path, found, facts, host, now)
        return adopted.adopt(found, spec, made, past=past)

    if path.parent.name == roots.FOLDER:
        with floor.Lock(str(path.parent / runs.LOCK)):
            house.keep(path.parent)
    act = Act(now.isoformat(), speaking.name, "", tuple(sys.argv[1:]))
    keeping.tell(path, apply(path, command, act), json=json)
    left = [one for one in run_rules.findings(runs.load(path)) if one.level == "error"]
    if left:
        said = _("{count} findings are left; see: loopgraph check", count=len(left))
        typer.echo(f"loopgraph: {said}", err=True)
        raise typer.Exit(1)


def _archived(path: Path) -> str:
    """The texts of a run's archive: ids that stand there are never given again."""
    from loopgraph.disk import floor

    found = sorted((path / "archive").glob("*.md"))
    return "".join(floor.read(str(place)).decode("utf-8", "replace") for place in found)


def _made(
    path: Path, run: Run, facts: Facts, host: str, now: datetime
) -> tuple[RunSpec, Mapping[str, str]]:
    """What is known of the run as a spec, and its files as a compile would write them."""
    from dataclasses import replace

    from loopgraph.author import adopted, compiler, packs, resolve
    from loopgraph.author.interview import accept
    from loopgraph.discover import host as host_of
    from loopgraph.disk import config, runs
    from loopgraph.disk import packs as shelf

    known = adopted.known(run)
    found = shelf.find(_PRESET, root=runs.root_of(path), config=config.folder(environ()))
    pack = packs.parse(
        found.source, name=found.name, where=found.where, origin=found.origin, lang=known.lang
    )
    answers = adopted.answers(known, path.name)
    if host:
        answers["host"] = accept("host", host, "command line")
    wish = resolve.Wish(
        facts=adopted.settled(facts, known),
        pack=pack,
        answers=answers,
        milestones=known.milestones,
        created=now,
        host=host_of.here(environ()),
    )
    spec = resolve.renamed(resolve.resolve(wish), path.name)
    spec = replace(spec, adopted=known.contract)
    return spec, compiler.compile_run(spec, cache_folder=config.template_cache(environ()))
