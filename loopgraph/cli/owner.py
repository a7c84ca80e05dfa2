"""`loopgraph owner`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

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
    letter: Annotated[str, typer.Argument(metavar="LETTER", help="A, B or C.")],
    *,
    relayed: Annotated[
        bool, typer.Option("--relayed", help="A node passes on what the owner said.")
    ] = False,
    note: Annotated[str | None, text("--note", "What the owner said beside.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Answer a card; --relayed records what an agent passes on."""
    from loopgraph.node import owner

    keep(
        lambda found, call: owner.answer(
            found, call, id_, letter, relayed=relayed, note=note or ""
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
