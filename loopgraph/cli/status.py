"""`loopgraph status`."""

from __future__ import annotations

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, RunName, Workspace, print_json
from loopgraph.model.messages import _


def status(
    name: RunName = None,
    *,
    run: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Show a run on one screen: what waits for the owner first; the exit code says its state."""
    from loopgraph.check import run_rules
    from loopgraph.cli.keeping import find
    from loopgraph.disk import beside, config_file, runs
    from loopgraph.model.errors import UnreadableError
    from loopgraph.views import screen
    from loopgraph.views import status as view

    path = find(run or name, workspace)
    found = runs.load(path)
    if "ledger.md" not in found.files:
        why = found.others.get("ledger.md", _("no such file"))
        raise UnreadableError(why, where=str(path / "ledger.md"))
    config = config_file.load(runs.root_of(path))
    findings = run_rules.findings(found, select=config.select, ignore=config.ignore)
    shown = view.summarise(found, path.name, beside.look(path), findings)
    if json:
        print_json(view.data(shown))
    else:
        typer.echo(screen.text(shown), nl=False)
    if shown.exit:
        raise typer.Exit(shown.exit)
