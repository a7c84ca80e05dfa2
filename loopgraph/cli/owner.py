"""`loopgraph owner`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace
from loopgraph.model.messages import _

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.edges.change import Change
    from loopgraph.edges.run import Run
    from loopgraph.node.call import Call

app = typer.Typer(
    no_args_is_help=True, help="Decision cards: ask the owner, and take in the answer."
)


@app.command()
def ask(  # noqa: PLR0913  the command's own options
    decision: Annotated[str, typer.Argument(metavar="DECISION", help="What is to be decided.")],
    *,
    why: Annotated[str, text("--why", "Why now.")],
    option: Annotated[
        list[str] | None,
        text("--option", "An option, the safest reversible one first; one to three."),
    ] = None,
    because: Annotated[str | None, text("--because", "Why the first is recommended.")] = None,
    note: Annotated[str | None, text("--note", "A technical note.")] = None,
    relay: Annotated[
        bool,
        typer.Option(
            "--relay", help="Nothing that only the owner may open: a relayed answer will do."
        ),
    ] = False,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Put a decision card on your own edge, and print it."""
    from loopgraph.node import owner

    keep(
        lambda found, call: owner.ask(
            found,
            call,
            owner.Question(
                decision, why, tuple(option or ()), because or "", note or "", relay=relay
            ),
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def answer(  # noqa: PLR0913  the command's own options
    id_: Annotated[str, typer.Argument(metavar="OB-nnn", help="The card.")],
    letter: Annotated[str | None, typer.Argument(metavar="[LETTER]", help="A, B or C.")] = None,
    *,
    relayed: Annotated[
        bool, typer.Option("--relayed", help="A node passes on what the owner said.")
    ] = False,
    from_row: Annotated[
        bool,
        typer.Option(
            "--from-row", help="Take in `owner: LETTER` from the end of the card's own row."
        ),
    ] = False,
    note: Annotated[str | None, text("--note", "What the owner said beside.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Answer a card; --relayed records what an agent passes on, --from-row what stands in a row."""
    from loopgraph.model.errors import UsageError
    from loopgraph.node import owner

    if from_row and (letter or relayed or note):
        raise UsageError(
            _("the row says it all"), where="--from-row", fix=_("Name nothing but the card.")
        )
    if not (letter or from_row):
        raise UsageError(
            _("which letter?"),
            where=f"owner answer {id_}",
            fix=_("Say one of the card's: loopgraph show {id}", id=id_),
        )

    def command(found: Run, call: Call) -> Change:
        if from_row:
            return owner.from_row(found, call, id_)
        return owner.answer(found, call, id_, letter or "", relayed=relayed, note=note or "")

    keep(
        command,
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
