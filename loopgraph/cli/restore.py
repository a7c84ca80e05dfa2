"""`loopgraph restore`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import As, Json, Workspace, environ


def restore(  # noqa: PLR0913  the command's own options
    snapshot: Annotated[str, typer.Argument(metavar="R3", help="A snapshot, by its name.")],
    paths: Annotated[
        list[str], typer.Argument(metavar="-- PATHS", help="Files or folders, from the root on.")
    ],
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Bring paths back to what a snapshot has; what is there now is kept in a snapshot first."""
    from loopgraph.cli import keeping
    from loopgraph.disk import restoring, runs, snapshots
    from loopgraph.disk.apply import apply
    from loopgraph.edges.change import Change
    from loopgraph.model.messages import _
    from loopgraph.node import measure
    from loopgraph.node import restoring as node
    from loopgraph.plain.quoting import visible

    path, call, act = keeping.begin(run, said, workspace)
    node.may(runs.load(path), call, (), ())
    change = Change(says=(_("These paths are as in {name} already.", name=snapshot),))
    name = ""
    with restoring.alone(path):
        found = runs.load(path)
        looked = restoring.look(path, found, environ())
        then = restoring.side(path, looked, snapshot, environ())
        steps = restoring.steps(
            looked, then, restoring.side(path, looked, restoring.NOW, environ()), tuple(paths)
        )
        ledger = found.ledger()
        last = (ledger.round if ledger else None) or 0
        own = restoring.changed_by(path, looked, environ(), range(1, last + 2))
        named = [node.inside(one) for one in paths]
        node.may(found, call, [step.path for step in steps], own, named)
        if steps:
            name = snapshots.free(looked.root, path, f"R{last}.before-restore", environ())
            snapshots.keep(path, name, looked.taken, call.now)
            with restoring.saying(name):
                restoring.carry_out(looked.root, steps)
            note = snapshots.said(name, last, looked.taken, call.now)
            back = ", ".join(visible(step.path) for step in steps[:5])
            more = f" (+{len(steps) - 5})" if len(steps) > 5 else ""  # noqa: PLR2004
            change = Change(
                evidence={f"{measure.FOLDER}/{name}.json": note},
                says=(
                    _("As in {name}: {paths}{more}", name=snapshot, paths=back, more=more),
                    _("What was there before is in {name}.", name=name),
                ),
            )
    with restoring.saying(name):
        done = apply(path, lambda _run: change, act)
    keeping.tell(path, done, json=json)
