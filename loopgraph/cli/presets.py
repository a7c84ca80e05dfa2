"""`loopgraph presets`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from loopgraph.cli.options import Json, Workspace, environ, print_json, root
from loopgraph.model.languages import Language
from loopgraph.model.messages import _

app = typer.Typer(no_args_is_help=True, help="The packs: what each kind of goal brings to a run.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="A pack's name.")]
Lang = Annotated[str | None, typer.Option("--lang", metavar="LANG", help="en or zh.")]


@app.command("list")
def list_(*, workspace: Workspace = None, json: Json = False) -> None:
    """List every pack that can be found here, in the order of search."""
    from loopgraph.author import packs
    from loopgraph.disk import config
    from loopgraph.disk import packs as shelf
    from loopgraph.model.errors import LoopgraphError
    from loopgraph.views import packs as view

    entries, lang = [], _language(None)
    for place in shelf.available(root=root(workspace), config=config.folder(environ())):
        try:
            found = shelf.load(place)
            pack = packs.parse(
                found.source, name=found.name, where=found.where, origin=found.origin, lang=lang
            )
            entries.append(view.Entry(place.name, place.origin, place.where, pack))
        except LoopgraphError as error:
            problem = f"{error.what} ({error.where})" if error.where != place.where else error.what
            entries.append(view.Entry(place.name, place.origin, place.where, None, problem))
    if json:
        print_json(view.listing_data(entries))
    else:
        typer.echo(view.listing(entries), nl=False)


@app.command()
def show(name: Name, *, lang: Lang = None, workspace: Workspace = None) -> None:
    """Show all that a pack says."""
    from loopgraph.author import packs
    from loopgraph.disk import config
    from loopgraph.disk import packs as shelf
    from loopgraph.views import packs as view

    found = shelf.find(name, root=root(workspace), config=config.folder(environ()))
    pack = packs.parse(
        found.source,
        name=found.name,
        where=found.where,
        origin=found.origin,
        lang=_language(lang),
    )
    typer.echo(view.whole(pack, found.where), nl=False)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A pack's YAML file.")],
) -> None:
    """Say whether a file is a whole pack, and what it adds to the prompts."""
    from loopgraph.author import packs
    from loopgraph.disk import packs as shelf
    from loopgraph.model.errors import RefusedError, UsageError
    from loopgraph.model.languages import LANGUAGES
    from loopgraph.views import packs as view

    found = shelf.by_path(file)
    try:
        for lang in LANGUAGES:
            pack = packs.parse(
                found.source, name=found.name, where=found.where, origin=found.origin, lang=lang
            )
    except UsageError as error:  # here it is the answer, not a wrong call
        raise RefusedError(error.what, where=error.where, fix=error.fix) from None
    missing = packs.untranslated(found.source, found.where)
    typer.echo(view.verdict(pack, found.where, missing), nl=False)


@app.command()
def init(name: Name, *, workspace: Workspace = None) -> None:
    """Write a commented pack to fill in: .loopgraph/presets/NAME.yaml."""
    from loopgraph.disk import packs as shelf

    path = shelf.create(root(workspace), name)
    shown = f"{shelf.FOLDER}/{path.name}"
    typer.echo(_("{path} written. Edit it, then: loopgraph presets check {path}", path=shown))


def _language(lang: str | None) -> Language:
    """The language that was asked for; the reader's own where none was."""
    from loopgraph.disk import catalogue
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.model.languages import LANGUAGES

    wanted = lang or catalogue.of_locale(environ(), LANGUAGES)
    for known in LANGUAGES:
        if wanted == known:
            return known
    raise UsageError(
        _("no such language"), where=f"--lang {wanted}", fix=nearest(wanted, LANGUAGES)
    )
