"""`loopgraph compile`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from loopgraph.cli.options import Workspace, environ, run
from loopgraph.model.messages import _


def compile(  # noqa: A001  the command's name
    source: Annotated[
        str, typer.Argument(metavar="FILE|RUN", help="A run.yaml, or a run by folder or name.")
    ],
    *,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Where to; must not exist.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare the run's frozen parts with its record.")
    ] = False,
    workspace: Workspace = None,
) -> None:
    """Make a run again from its run.yaml, or compare a run with it."""
    from loopgraph.model.errors import UsageError

    if check == (output is not None):
        raise UsageError(
            _("say what to do"),
            where="compile",
            fix=_("Give -o DIR to make a run, or --check to compare."),
        )
    if output is not None:
        _make(_record(source, workspace), output)
    else:
        _compare(_record(source, workspace).parent)


def _record(source: str, workspace: str | None) -> Path:
    """The run.yaml that was named, itself or by its run."""
    named = Path(source)
    return named if named.is_file() else run(source, workspace) / "run.yaml"


def _make(file: Path, output: Path) -> None:
    from loopgraph.author import compiler
    from loopgraph.disk import config, floor, read, runs
    from loopgraph.edges import record

    spec = record.read(read.named(str(file), limit=floor.LIMIT)).spec
    files = compiler.compile_run(spec, cache_folder=config.template_cache(environ()))
    runs.write_files(output, files)
    typer.echo(str(output))


def _compare(path: Path) -> None:
    from loopgraph.author import compare
    from loopgraph.disk import config, runs

    found = compare.frozen(runs.load(path), cache_folder=config.template_cache(environ()))
    for line in found.notes:
        typer.echo(f"loopgraph: {line}", err=True)
    for difference in found.differences:
        typer.echo(f"{path / difference.file}:{difference.line}: {difference.says}")
    if found.differences:
        raise typer.Exit(1)
