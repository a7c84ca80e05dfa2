"""`loopgraph checkpoint`."""

from __future__ import annotations

from loopgraph.cli.keeping import RunHere, RunOption
from loopgraph.cli.options import As, Json, Workspace, environ


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
    from loopgraph.disk import checkpoints, evidence, runs
    from loopgraph.disk.apply import apply
    from loopgraph.edges.change import Change
    from loopgraph.model.messages import _
    from loopgraph.node import checkpoint as node
    from loopgraph.node.measure import shown

    path, call, act = keeping.begin(run or where, said, workspace)
    found = runs.load(path)
    root = runs.root_of(path)
    on = node.basis(found, call, evidence.results(path), evidence.tree(root))
    plan = checkpoints.plan(path, found, environ(), on.through)
    # The line of acts.jsonl goes into the commit, so it is written first.
    done = apply(path, lambda _run: Change(), act)
    made = checkpoints.commit(path, plan, node.message(path.name, on), call.now)
    says = [_("Nothing of audited rounds waits for a commit.")]
    if made.id:
        says = [
            _(
                "Committed {id} through R{number}: {count} paths, the run's own included.",
                id=made.id[:12],
                number=on.through,
                count=made.paths,
            )
        ]
        if checkpoints.hooks(plan.store):
            says.append(_("The repository's hooks did not run."))
        if plan.store.asked.found.get("commit.gpgsign", "false").casefold() in ("true", "1", "yes"):
            says.append(_("The commit is not signed."))
    says += [_("Left out: {path}: {why}", path=shown(one.path), why=one.why) for one in plan.left]
    if unseen := plan.looked.taken.left_out:
        says.append(
            _(
                "No snapshot holds {path} ({count} such paths), so no checkpoint commits it.",
                path=shown(unseen[0].path),
                count=len(unseen),
            )
        )
    keeping.tell(path, done._replace(change=done.change._replace(says=tuple(says))), json=json)
