"""What can claim a session: a loop, a plan, a run; the first that does decides."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class LetGo:
    """A reason to let the turn end, and what is to be done about it."""

    __slots__ = ("act", "remember", "said", "shown", "why")

    def __init__(
        self, why: str, said: str, *, shown: bool = False, act: Callable[[], None] | None = None
    ) -> None:
        self.why = why
        """One word for the log."""
        self.said = said
        self.shown = shown
        """Whether the person is told where the host has a place for it."""
        self.act = act
        """What is to be done: a loop that ended is removed."""
        self.remember: dict[str, object] = {}
        """What is to be known at the next Stop."""


class Claim:
    """A session's work, as its source sees it."""

    __slots__ = (
        "act", "cards", "counted", "ended", "endless", "let_go", "own", "reason", "remember",
        "source", "strict", "ticked", "watched", "work", "write_set",
    )  # fmt: skip

    def __init__(self, source: str, work: str) -> None:
        self.source = source
        self.work = work
        """Which work of the source, so that counts of one are not those of another."""
        self.ended: LetGo | None = None
        """Why it is over, whatever else may be said."""
        self.let_go: LetGo | None = None
        """Why the turn may end all the same."""
        self.reason: Callable[[], str] = str
        """What the session is told; only asked for when it goes back."""
        self.act: Callable[[], bool] | None = None
        """Counts in a file of the source's own; whether that was possible."""
        self.counted = True
        """Whether blocks are limited here, and not by the source's own number."""
        self.strict = False
        """Whether one block a prompt is enough."""
        self.endless = False
        """Whether the limit of blocks in all is lifted."""
        self.ticked = 0
        """Rows or rounds that are done."""
        self.watched: list[str] = []
        """Files in which progress is recorded."""
        self.write_set: list[str] | None = None
        """Where work leaves traces; None for the whole workspace."""
        self.own: list[str] = []
        """Files whose words say nothing of the work: what is ticked in them counts."""
        self.cards: list[str] = []
        """Decisions that wait for the owner."""
        self.remember: dict[str, object] = {}
        """What the source wants to know at the next Stop."""
