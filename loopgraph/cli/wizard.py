"""The interview at a terminal: one key an answer, Esc goes back, Ctrl-C leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from loopgraph.author.interview import LIMIT, Origin, Question
from loopgraph.author.summary import Row, shortened
from loopgraph.model.columns import fold, hang, pad, width
from loopgraph.model.messages import _

WRITE: Final = "\0write"
"""What a review answers when the run is to be written."""

_BACK: Final = "\0back"
_OWN: Final = "\0own"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_NARROW: Final = 24
_WIDE: Final = 100
_ESCAPE_WAIT: Final = 0.05
"""Seconds until an escape that nothing follows is the Esc key; arrow keys begin with one, too."""


class Line(NamedTuple):
    """One thing that can be chosen."""

    key: str
    """The letter that chooses it; empty for none."""
    value: str
    text: str


class Terminal:
    """Asks the person at the terminal."""

    origin: Origin = "owner"

    def __init__(self, environ: Mapping[str, str]) -> None:
        """A terminal that can't move its cursor gets numbered lines instead of keys."""
        self._plain = environ.get("TERM", "") in ("", "dumb", "unknown") and os.name != "nt"

    def __call__(self, question: Question, number: int = 1, /) -> str | None:
        """The value of the option that was chosen; None goes back."""
        say("")
        if number:
            head = _("Question {number}, of at most {limit}", number=number, limit=LIMIT)
            say(head)
        say(hang(question.text, _columns()))
        back = number != 1
        while True:
            if not question.options:
                return self._write(question.offered, back=back)
            lines = [
                Line(
                    option.letter.lower(),
                    _OWN if option.free else option.value,
                    _("{text} (recommended)", text=option.text)
                    if place == 0 and number
                    else option.text,
                )
                for place, option in enumerate(question.options)
            ]
            chosen = self._choose(lines, back=back)
            if chosen == _BACK:
                return None
            if chosen != _OWN:
                return chosen
            written = self._write("", back=True)
            if written is not None:
                return written

    def review(self, rows: Sequence[Row]) -> str | None:
        """Show every assumption; the key of the one to change, WRITE, or None to go back."""
        editable = [row for row in rows if row.edit]
        letters = dict(zip((row.key for row in editable), _LETTERS, strict=False))
        say("")
        say(_("This run, before anything is written:"))
        say("")
        label = max(width(row.label) for row in rows)
        for row in rows:
            mark = letters.get(row.key, "")
            head = f" {mark or ' '}  {pad(row.label, label)}  "
            said = f"{shortened(row.value)}  [{row.source}]" if row.source else row.value
            say(hang(said, _columns(), head))
        say("")
        changes = _(
            "change a line by its letter, {first} to {last}",
            first="a",
            last=letters[editable[-1].key],
        )
        lines = [Line("", WRITE, _("write the run")), Line("", "", changes)]
        hidden = {letter: key for key, letter in letters.items()}
        while True:
            chosen = self._choose(lines, back=True, also=hidden)
            if chosen == _BACK:
                return None
            if chosen:
                return chosen
            say(hang(_("Press one of the letters at the left of the summary."), _columns()))

    def tell(self, text: str) -> None:
        """Say something that went wrong."""
        say("")
        say(hang(text, _columns(), "! "))

    def _choose(
        self, lines: Sequence[Line], *, back: bool, also: Mapping[str, str] | None = None
    ) -> str:
        shown = [*lines, *([Line("", _BACK, _("back"))] if back else [])]
        chosen = (_numbered if self._plain else _by_key)(shown, also or {})
        told = next((line for line in shown if line.value == chosen), None)
        if told and not self._plain:
            say(hang(told.text, _columns(), f"> {told.key}) " if told.key else "> "))
        return chosen

    def _write(self, offered: str, *, back: bool) -> str | None:
        """A line of the owner's own; an empty one is asked for again, unless one was offered."""
        while True:
            written = (_typed if self._plain else _edited)(offered, back)
            if written is None:
                if back:
                    return None
                continue
            written = written.strip() or offered
            if written:
                if not self._plain:
                    say(hang(written, _columns(), "> "))
                return written
            say(_("A line of text is wanted here; Ctrl-C ends."))


def say(text: str) -> None:
    """Print to the terminal."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _columns() -> int:
    return max(_NARROW, min(shutil.get_terminal_size((80, 24)).columns, _WIDE)) - 1


def _titled(line: Line) -> str:
    """A choice as it stands in the list: its letter, and its text folded below itself."""
    head = f"{line.key}) " if line.key else ""
    blanks = " " * (width(head) + 3)
    return "\n".join(
        (head if at == 0 else blanks) + part
        for at, part in enumerate(fold(line.text, _columns() - 4 - width(head)))
    )


def _by_key(lines: Sequence[Line], also: Mapping[str, str]) -> str:
    """One key chooses: a letter at once, Enter what the pointer is at, Esc goes back."""
    import questionary

    bindings = _escape_bindings(back=any(line.value == _BACK for line in lines))

    def bind(letter: str, value: str) -> None:
        def chosen(event: Any) -> None:
            event.app.exit(result=value)

        for key in (letter, letter.upper()):
            bindings.add(key, eager=True)(chosen)

    for line in lines:
        if line.key:
            bind(line.key, line.value)
    for letter, value in also.items():
        bind(letter, value)
    asked = questionary.select(
        "",
        [questionary.Choice(_titled(line), value=line.value) for line in lines],
        qmark="",
        pointer=">",
        instruction=_help(lines),
        show_selected=False,
        erase_when_done=True,
    )
    return str(_run(asked, bindings))


def _help(lines: Sequence[Line]) -> str:
    keys = [line.key for line in lines if line.key]
    said = [f"{keys[0]}-{keys[-1]}"] if len(keys) > 1 else keys
    said += [_("arrows"), _("Enter: the marked line")]
    said += [_("Esc: back")] if any(line.value == _BACK for line in lines) else []
    text = _(", ").join([*said, _("Ctrl-C: end")])
    return "\n".join(fold(f"({text})", _columns() - 2))


def _edited(offered: str, back: bool) -> str | None:  # noqa: FBT001
    """A line that can be edited, with what stands there already."""
    import questionary

    prose = " " in offered.strip()  # prose is edited, a short value is written anew
    if offered and not prose:
        say(hang(_("Now: {text}", text=offered), _columns()))
    ends = [_("Enter: done")] + ([_("Esc: back")] if back else []) + [_("Ctrl-C: end")]
    say(f"({_(', ').join(ends)})")
    bindings = _escape_bindings(back=back)
    asked = questionary.text(
        "", default=offered if prose else "", qmark=">", key_bindings=bindings, erase_when_done=True
    )
    written = _run(asked, None)
    return None if written == _BACK else str(written)


def _escape_bindings(*, back: bool) -> Any:
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.keys import Keys

    bindings = KeyBindings()

    @bindings.add(Keys.Escape, eager=True)
    def escape(event: Any) -> None:
        if back:
            event.app.exit(result=_BACK)

    return bindings


def _run(asked: Any, bindings: Any) -> Any:
    from prompt_toolkit.key_binding import merge_key_bindings

    app = asked.application
    if bindings is not None:
        app.key_bindings = merge_key_bindings([app.key_bindings, bindings])
    app.ttimeoutlen = _ESCAPE_WAIT
    return asked.unsafe_ask()


def _numbered(lines: Sequence[Line], also: Mapping[str, str]) -> str:
    """For a terminal that can only print: a letter or number and Enter."""
    names: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        name = "0" if line.value == _BACK else line.key or str(number)
        names[name] = line.value
        say(hang(line.text, _columns(), f"  {name}) "))
    names |= {letter: value for letter, value in also.items() if letter not in names}
    while True:
        said = _input(_("Your choice, Enter for the first: ")).strip().casefold()
        if not said:
            return lines[0].value
        if said in names:
            return names[said]
        say(_("None of the choices."))


def _typed(offered: str, back: bool) -> str | None:  # noqa: FBT001
    if offered:
        say(hang(_("Now: {text}", text=offered), _columns(), "  "))
    said = _input(_("Your line, 0 to go back: ") if back else _("Your line: "))
    return None if back and said.strip() == "0" else said or offered


def _input(prompt: str) -> str:
    sys.stdout.write(prompt)
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        line = ""
    if not line:
        say("")
        raise KeyboardInterrupt
    return line.rstrip("\r\n")
