"""`loopgraph check`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.options import As, Workspace, root, speaker
from loopgraph.model.messages import _

if TYPE_CHECKING:  # reading a run loads YAML, and `--help` does without
    from loopgraph.edges.run import Run
    from loopgraph.model.finding import Finding

_Choice = Annotated[
    list[str] | None,
    typer.Option(metavar="RULES", help="Rules by id or its beginning: LG101,LG2."),
]


def check(  # noqa: PLR0913  the command's own options
    named: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN…]", help="Runs by folder or name; all of them if left out."),
    ] = None,
    *,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, json, sarif or github.")
    ] = "text",
    select: _Choice = None,
    ignore: _Choice = None,
    strict: Annotated[bool, typer.Option("--strict", help="A warning counts too.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what can be mended in one way only.")
    ] = False,
    said: As = None,
    explain: Annotated[
        str, typer.Option(metavar="RULE", help="Say why a rule exists, with examples.")
    ] = "",
    workspace: Workspace = None,
) -> None:
    """Say what is wrong with the runs' files, by line, and how to mend it."""
    from loopgraph.check import run_rules
    from loopgraph.disk import config_file
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.views import findings as view

    if explain:
        from loopgraph.views import rules

        typer.echo(rules.explain(run_rules.rule(explain)), nl=False)
        return
    if form not in view.FORMATS:
        raise UsageError(_("no such format"), where=form, fix=nearest(form, view.FORMATS))
    place = root(workspace)
    if said is not None:
        speaker(said, place)  # who could mend nothing is told so before anything is read
    config = config_file.load(place)
    wanted = _split(select) if select else config.select
    unwanted = _split(ignore) if ignore else config.ignore

    def findings(run: Run) -> tuple[Finding, ...]:
        return run_rules.findings(run, select=wanted, ignore=unwanted)

    found = [
        finding._replace(file=f"{folder}/{finding.file}")
        for folder, path, run in _runs(named or [], place)
        for finding in findings(_mended(path, run, findings, said) if fix else run)
    ]
    typer.echo(view.FORMATS[form](found), nl=False)
    if any(finding.level == "error" or strict for finding in found):
        raise typer.Exit(1)


_PASSES = 3
"""What one mend uncovers the next one sees."""


def _mended(
    path: Path, run: Run, findings: Callable[[Run], tuple[Finding, ...]], said: str | None
) -> Run:
    """The run after everything is mended that can be; what was done goes to stderr."""
    from functools import partial

    from loopgraph.cli import keeping
    from loopgraph.disk import runs
    from loopgraph.disk.apply import apply
    from loopgraph.node.mend import MENDS, mend
    from loopgraph.plain.quoting import visible

    tried: set[str] = set()
    for _again in range(_PASSES):
        wanted = {one.rule for one in findings(run) if one.rule in MENDS} - tried
        if not wanted:
            break
        tried |= wanted
        _path, call, act = keeping.begin(str(path), said, None)
        done = apply(path, partial(mend, call=call, rules=wanted), act)
        for line in (*done.settled, *done.change.says, *filter(None, [done.warning])):
            typer.echo(visible(f"loopgraph: {path.name}: {line}"), err=True)
        run = runs.load(path)
    return run


def _split(given: list[str]) -> tuple[str, ...]:
    return tuple(name for text in given for name in text.split(","))


def _runs(named: list[str], place: Path) -> Iterator[tuple[str, Path, Run]]:
    """Each run with the name that findings show: seen from the current folder, or as given."""
    from loopgraph.check import files
    from loopgraph.disk import runs
    from loopgraph.model.errors import UnreadableError

    paths = [(runs.find(name, place), Path(name).is_absolute()) for name in named]
    if not named:
        paths = [(path, False) for path in runs.all_runs(place) or [runs.find(None, place)]]
    for path, is_absolute in paths:
        run = runs.load(path)
        if not any(files.there(run, name) for name in (*files.AUTHORED, files.RECORD)):
            raise UnreadableError(_("no file of a run is here"), where=str(path))
        yield path.as_posix() if is_absolute else _seen_from_here(path), path, run


def _seen_from_here(path: Path) -> str:
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()
