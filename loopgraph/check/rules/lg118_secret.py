"""LG118: no credential stands in a file of the run."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import secrets
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find tokens of known vendors and private keys; the finding never repeats them."""
    for name, source in run.files.items():
        for secret in secrets.find(source):
            says = _("this looks like {kind}", kind=_(secret.kind))
            yield RULE.at(name, secret.line, says, column=secret.column)


RULE = Rule(
    id="LG118",
    name="secret",
    why="A run is committed and its text goes to a model, so whatever stands in it has leaked.",
    fix=N_("Revoke the credential, then delete it here and in the history."),
    bad={"ops.md": example.prompt("- Upload with AKIA" + "IOSFODNN7EXAMPLE", name="ops")},
    good={"ops.md": example.prompt("- Uploads need the owner's AWS login", name="ops")},
    check=check,
    fixable="Deleting the text does not take back the leak.",
)
