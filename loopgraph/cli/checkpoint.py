"""`loopgraph checkpoint`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loopgraph.cli.keeping import RunHere, RunOption
from loopgraph.cli.options import As, Json, Workspace, environ
from loopgraph.model.messages import _

if TYPE_CHECKING:
    from loopgraph.disk.checkpoints import Committed


def checkpoint(
    where: RunHere = None,
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Commit what audited rounds changed, and the run; after a gate of your own has passed.

    One local commit: never an owner's unfinished work, never a push, and no hook runs.
    """
    from loopgraph.cli import keeping
    from loopgraph.disk import beside, checkpoints, evidence, runs
    from loopgraph.disk.apply import Done, apply
    from loopgraph.edges.change import Change
    from loopgraph.node import checkpoint as node
    from loopgraph.node.measure import shown

    path, call, act = keeping.begin(run or where, said, workspace)
    found = runs.load(path)
    root = runs.root_of(path)
    node.may(found, call, beside.holding(path), path.name)
    checkpoints.repository(root, environ())
    on = node.basis(found, call, evidence.results(path), evidence.tree(root))
    plan = checkpoints.plan(path, found, environ(), on.through)
    done, says = Done(Change(), ()), [_("There is nothing to commit.")]
    if checkpoints.waits(path, plan):
        # The line of acts.jsonl goes into the commit, so it is written first.
        done = apply(path, lambda _run: Change(), act)
        others = checkpoints.beside(plan)
        text = node.message(path.name, on, len(others))
        made = checkpoints.commit(path, plan, text, call.now)
        says = [_committed(made, on.through)] if made.id else says
        if others:
            says.append(
                _(
                    "The gates also saw what is not committed: {path} ({count} in all).",
                    path=shown(others[0]),
                    count=len(others),
                )
            )
        if checkpoints.hooks(plan.store):
            says.append(_("The repository's hooks did not run."))
        if plan.store.asked.found.get("commit.gpgsign", "false").casefold() in ("true", "1", "yes"):
            says.append(_("The commit is not signed."))
    says += [_("Left out: {path}: {why}", path=shown(one.path), why=one.why) for one in plan.left]
    if unseen := plan.looked.taken.left_out:
        says.append(
            _(
                "No snapshot holds {path} ({count} in all), so no checkpoint commits it.",
                path=shown(unseen[0].path),
                count=len(unseen),
            )
        )
    keeping.tell(path, done._replace(change=done.change._replace(says=tuple(says))), json=json)


def _committed(made: Committed, through: int) -> str:
    id_ = made.id[:12]
    if made.paths == 1:
        return _("Committed {id} through R{number}: 1 path.", id=id_, number=through)
    return _(
        "Committed {id} through R{number}: {count} paths, the run's own included.",
        id=id_,
        number=through,
        count=made.paths,
    )
