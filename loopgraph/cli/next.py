"""`loopgraph next`."""

from __future__ import annotations

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import As, Json, RunName, Workspace, print_json
from loopgraph.model.messages import _


def next(  # noqa: A001  the command's name
    name: RunName = None,
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Say what a node has to do now: a fire begins with it; at most 60 lines."""
    from loopgraph.cli.meant import find, speaker
    from loopgraph.disk import beside, evidence, runs
    from loopgraph.model.errors import UnreadableError, UsageError
    from loopgraph.node import fire
    from loopgraph.views import next as view

    path = find(run or name, workspace)
    role = speaker(said, runs.root_of(path)).role
    if role is None:
        raise UsageError(_("as which node?"), where="next", fix=_("Say --as executor."))
    found = runs.load(path)
    if "ledger.md" not in found.files:
        why = found.others.get("ledger.md", _("no such file"))
        raise UnreadableError(why, where=str(path / "ledger.md"))
    ledger = found.ledger()
    judged = role != "executor" and ledger is not None and ledger.gate == "pending-audit"
    woken = fire.hot_start(
        found,
        beside.look(path),
        role,
        named=path.name if run or name else "",
        gathered=evidence.results(path) if judged else (),
    )
    if json:
        print_json(view.data(path.name, woken))
    else:
        typer.echo(view.text(path.name, woken), nl=False)
