"""The interview in a terminal."""

from __future__ import annotations

from loopgraph.author.interview import Origin, Question


class Terminal:
    """Asks the person at the terminal; Ctrl-C ends the interview with nothing written."""

    origin: Origin = "owner"

    def __call__(self, question: Question) -> str:
        """The value of the option that was chosen, by arrow keys or by its letter."""
        import questionary

        choices = [
            questionary.Choice(
                f"{option.text}{' (recommended)' if place == 0 else ''}",
                value=option.value,
                shortcut_key=option.letter.lower(),
            )
            for place, option in enumerate(question.options)
        ]
        chosen = questionary.select(question.text, choices, use_shortcuts=True).unsafe_ask()
        return str(chosen)
