"""`loopgraph show`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, Workspace, print_json
from loopgraph.model.messages import _


def show(
    id_: Annotated[
        str,
        typer.Argument(metavar="ID", help="D-003, R12, GAP-004, OB-001, S-002, C-01, M-2, G-1."),
    ],
    *,
    run: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Show an entry by its id, word for word, archives included."""
    from loopgraph.cli.meant import find, tell_problems
    from loopgraph.disk import archive
    from loopgraph.edges import history
    from loopgraph.model.errors import RefusedError, UsageError
    from loopgraph.views import history as view

    wanted = history.parse_id(id_)
    if wanted is None:
        kinds = ", ".join(f"{letters}-n" for letters in history.KINDS if letters != "R")
        raise UsageError(_("no id"), where=id_, fix=_("Ids are {kinds} and Rn.", kinds=kinds))
    path = find(run, workspace)
    texts = archive.texts(path)
    found = history.find(texts, wanted)
    if not found.entries and not found.named:
        near = ", ".join(str(one) for one in history.nearest(texts, wanted))
        fix = _("The nearest: {ids}", ids=near) if near else _("There is none of this kind.")
        raise RefusedError(_("it stands nowhere in this run"), where=str(wanted), fix=fix)
    if json:
        print_json(view.show_data(wanted, found, texts.problems))
        return
    typer.echo(view.show(wanted, found), nl=False)
    tell_problems(texts.problems)
