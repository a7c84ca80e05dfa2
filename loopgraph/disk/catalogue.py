"""The reader's language: which one it is, and its catalogue of messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from loopgraph.model import messages
from loopgraph.model.languages import LANGUAGES

FOLDER: Final = Path(__file__).parent.parent / "locale"
DOMAIN: Final = "loopgraph"


def of_locale(environ: Mapping[str, str], known: Sequence[str]) -> str:
    """The language that the environment asks for, if it is one of `known`; else the first."""
    said = next(
        (environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), ""
    )
    word = said.partition(".")[0].replace("-", "_").partition("_")[0].casefold()
    return word if word in known else known[0]


def of_call(arguments: Sequence[str], environ: Mapping[str, str]) -> str:
    """The language that a call asks for with `--lang`, else the locale's, if we speak it."""
    given = next(
        (
            value.removeprefix("--lang=") if value != "--lang" else after
            for value, after in zip(arguments, [*arguments, ""][1:], strict=True)
            if value == "--lang" or value.startswith("--lang=")
        ),
        "",
    )
    return given if given in LANGUAGES else of_locale(environ, LANGUAGES)


def speak(lang: str) -> None:
    """Say messages in that language; one without a catalogue is English."""
    if lang == "en":
        messages.use(None)
        return
    from gettext import translation  # noqa: PLC0415  a reader of English never pays for it

    found = translation(DOMAIN, FOLDER, [lang], fallback=True)
    messages.use(found.gettext)
