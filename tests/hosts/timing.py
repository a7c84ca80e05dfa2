"""What the hook adds to a turn of the real clients: pairs of turns, with and without it.

    python -m tests.hosts.timing [PAIRS] [--write]

A turn is one prompt and one answer of the scripted model. A client may end its turns in steps of
its own; so the model waits a little before it answers, longer from pair to pair, the same in both
turns of a pair, and the steps average out. Printed are the means of both kinds, the mean and the
median of what the pairs differ by, how much of it comes after the answer, and how long the hook
ran as the client saw it, where a client tells. After `±` stands a standard error.

A machine that is busy with other things stretches every time; how much, a bare interpreter tells,
which is started beside each pair. What is over the limit without that stretch, by more than twice
its error (more, where there are few pairs), is measured twice more with three times as many pairs.
Over each time is exit 1.

`--write` puts the table into docs/continuation.md.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import os
import platform
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from tests.conftest import PROJECT, committed
from tests.hosts import clients
from tests.hosts.desk import Desk, Turn

PAIRS: Final = 10
LIMIT: Final = 60
"""Milliseconds that a hook may add to a turn."""
STEP: Final = 0.1
"""Seconds over which the model's waiting is spread: the longest step of a client."""
AGAIN: Final = (3, 3)
"""How many times as many pairs are taken, one time after the other, where it is over."""
PAGE: Final = PROJECT / "docs/continuation.md"
FIRST, LAST = "<!-- made: timing -->\n", "<!-- end -->"
PLAN: Final = "# Plan\n\n## TODOs\n\n- [ ] 1. One row\n- [ ] 2. Another row\n"
BLOCKED: Final = {"say": "<loopgraph-blocked>\nThe network is down."}
SESSIONS: Final = ("nobody's", "a plan's")
_SETTINGS: Final = ".claude/settings.local.json"
_CODEX_TELLS: Final = "codex_app_server::outgoing_message=trace"
_RAN: Final = re.compile(r"^(\S+)Z .*event: hook/(?:started|completed)\b", re.MULTILINE)
_SUMMARY: Final = re.compile(r'"subtype":"stop_hook_summary".*?"durationMs":(\d+)')


class Pair(NamedTuple):
    """Two turns that differ by the hook alone; milliseconds."""

    without: float
    hooked: float
    rest_without: float
    """From the model's answer to the client's end."""
    rest_hooked: float
    hook: float | None
    """How long the hook ran, as the client says; None where it does not say."""
    bare: tuple[float, float]
    """What a bare interpreter took beside it: time that passed, and time of a processor."""


class Figures(NamedTuple):
    """What the pairs of one kind of session say."""

    pairs: int
    without: float
    hooked: float
    adds: float
    error: float
    median: float
    after: float
    after_error: float
    hook: float | None
    stretch: float

    @property
    def over(self) -> bool:
        """Whether it is too much, beyond noise and beyond what else the machine has to do."""
        # Two errors, and more where few pairs tell little of their own error, as Student has it.
        doubt = 2 + 4 / (self.pairs - 1)
        least = max(self.adds - doubt * self.error, self.after - doubt * self.after_error)
        return least / self.stretch > LIMIT


def figures(pairs: Sequence[Pair]) -> Figures:
    """Two or more pairs, summed up."""
    added = [one.hooked - one.without for one in pairs]
    after = [one.rest_hooked - one.rest_without for one in pairs]
    ran = [one.hook for one in pairs if one.hook is not None]
    passed, worked = (sum(times) for times in zip(*(one.bare for one in pairs), strict=True))
    return Figures(
        len(pairs),
        statistics.mean(one.without for one in pairs),
        statistics.mean(one.hooked for one in pairs),
        statistics.mean(added),
        _error(added),
        statistics.median(added),
        statistics.mean(after),
        _error(after),
        statistics.mean(ran) if ran else None,
        max(1.0, passed / worked),
    )


def _error(values: Sequence[float]) -> float:
    return statistics.stdev(values) / math.sqrt(len(values))


def waits(pairs: int) -> tuple[float, ...]:
    """How long the model waits in each pair: evenly spread over a step."""
    return tuple((number + 0.5) * STEP / pairs for number in range(pairs))


def tries(first: Sequence[Pair], more: Callable[[int], Sequence[Pair]]) -> Iterator[Figures]:
    """What the first pairs say; where that is over, what more of them say. The last one counts."""
    said = figures(first)
    yield said
    for times in AGAIN:
        if not said.over:
            return
        said = figures(more(len(first) * times))
        yield said


# Turns ----------------------------------------------------------------------------------------


class Bench:
    """A client with a session that nobody holds and one that has a plan."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        desk.write("plan.md", PLAN)
        start = {"run": "loopgraph plan start plan.md"}
        self.sessions = {
            "nobody's": "", "a plan's": desk.turn("Go.", start, BLOCKED).session,
        }  # fmt: skip
        desk.install()
        if desk.client.is_codex:
            desk.more["RUST_LOG"] = _CODEX_TELLS
        self._file = desk.workspace / (".codex/hooks.json" if desk.client.is_codex else _SETTINGS)
        self._ours = self._file.read_text("utf-8")
        self._turn("nobody's", 0, hooked=True)  # it pays for what is cached later

    def some(self, session: str, count: int) -> list[Pair]:
        """So many pairs for one kind of session."""
        return self.pairs(count, [session])[session]

    def pairs(self, count: int, sessions: Sequence[str] = SESSIONS) -> dict[str, list[Pair]]:
        """So many pairs for each of these sessions, by turns."""
        found: dict[str, list[Pair]] = {session: [] for session in sessions}
        for number, wait in enumerate(waits(count)):
            for session in sessions:
                found[session].append(self._pair(session, wait, first=bool(number % 2)))
        return found

    def _pair(self, session: str, wait: float, *, first: bool) -> Pair:
        """Whoever comes second may find something warm: `first` says whether the hooked one is."""
        bare = [_bare() for _ in range(3)]
        took = {hooked: self._turn(session, wait, hooked=hooked) for hooked in (first, not first)}
        bare += [_bare() for _ in range(3)]
        passed, worked = (sum(times) for times in zip(*bare, strict=True))
        without, hooked = took[False], took[True]
        return Pair(
            without.seconds * 1000,
            hooked.seconds * 1000,
            without.rest * 1000,
            hooked.rest * 1000,
            told(self.desk, hooked),
            (passed, worked),
        )

    def _turn(self, session: str, wait: float, *, hooked: bool) -> Turn:
        self._file.write_text(self._ours if hooked else "{}", "utf-8")
        before = self._logged()
        turn = self.desk.turn("Hello.", {**BLOCKED, "after": wait}, resume=self.sessions[session])
        assert (turn.code, turn.overrun) == (0, 0), turn
        assert (self._logged() > before) == hooked, turn
        return turn

    def _logged(self) -> int:
        """How long the hook's own log is: it grows if and only if the hook runs."""
        log = self.desk.home / ".local/state/loopgraph/hook.log"
        return log.stat().st_size if log.exists() else 0


def told(desk: Desk, turn: Turn) -> float | None:
    """How long the hook ran in that turn, as the client says; milliseconds."""
    if desk.client.is_codex:
        began, ended = (dt.datetime.fromisoformat(at) for at in _RAN.findall(turn.err))
        return (ended - began).total_seconds() * 1000
    if desk.client.name == "claude":
        (file,) = desk.home.glob(f".claude/projects/*/{turn.session}.jsonl")
        return float(_SUMMARY.findall(file.read_text("utf-8"))[-1])
    return None  # the older one tells only of hooks that failed or blocked


def _bare() -> tuple[float, float]:
    """What an interpreter takes that does nothing: time that passed, and of a processor."""
    began = time.perf_counter()
    argv = [sys.executable, "-I", "-S", "-c", "pass"]
    _, status, used = os.wait4(os.posix_spawn(sys.executable, argv, os.environ), 0)
    passed = time.perf_counter() - began
    assert status == 0
    return passed * 1000, (used.ru_utime + used.ru_stime) * 1000


# Words ----------------------------------------------------------------------------------------

HEAD: Final = ("client", "session", "without", "with", "adds", "median", "after the answer", "hook")


def row(client: str, session: str, said: Figures) -> tuple[str, ...]:
    """One line of the table."""
    hook = "–" if said.hook is None else f"{said.hook:.0f}"
    return (
        client,
        session,
        f"{said.without:.0f}",
        f"{said.hooked:.0f}",
        f"{said.adds:.0f} ± {said.error:.0f}",
        f"{said.median:.0f}",
        f"{said.after:.0f} ± {said.after_error:.0f}",
        hook,
    )


def verdict(said: Figures) -> str:
    """Whether it holds, in words."""
    if said.over:
        return f"must be ≤ {LIMIT} ms: NO"
    held = max(said.adds, said.after) <= LIMIT
    return f"must be ≤ {LIMIT} ms: {'yes' if held else 'not shown to be over'}"


def page(rows: Sequence[Sequence[str]], pairs: int, stretch: float) -> str:
    """What docs/continuation.md says."""
    lines = [" | ".join(("", *one, "")).strip() for one in (HEAD, ["---"] * len(HEAD), *rows)]
    # Other work on the machine is no matter of the hook: with this word nothing else comes first.
    first = "chrt -r 1 " if sys.platform == "linux" and os.sched_getscheduler(0) else ""
    machine = f"{os.cpu_count()} processors, {platform.system()} {platform.machine()}"
    python = platform.python_version()
    return "\n".join(
        (
            *lines,
            "",
            f"Milliseconds, {pairs} pairs a line, {_today()}; {machine}, CPython {python}.",
            f"A bare interpreter took {stretch:.2f} times its processor time beside them.",
            f"Made by `{first}python -m tests.hosts.timing {pairs} --write`.",
            "",
        )
    )


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def renewed(text: str, made: str) -> str:
    """The page with the table as it should be."""
    before, mark, rest = text.partition(FIRST)
    _, end, behind = rest.partition(LAST)
    assert mark, "no mark for the table"
    assert end, "no mark for the table's end"
    return f"{before}{FIRST}\n{made}\n{LAST}{behind}"


def measured(pairs: int) -> Iterator[tuple[str, str, Figures]]:
    """Each client and session with its figures; the last ones count."""
    for name in clients.NAMES:
        with tempfile.TemporaryDirectory() as folder:
            base = Path(folder)
            (base / "desk").mkdir()
            client = clients.get(name)
            with Desk(client, committed(base / "work"), base / "desk") as desk:
                bench = Bench(desk)
                title = f"{desk.host} {client.version}"
                for session, found in bench.pairs(pairs).items():
                    more = partial(bench.some, session)
                    yield from ((title, session, said) for said in tries(found, more))


def main(pairs: int, *, write: bool) -> int:
    """Measure each client; the exit code."""
    last: dict[tuple[str, str], Figures] = {}
    widths = (20, 10, 8, 8, 12, 8, 18, 6)
    print("".join(word.ljust(width) for word, width in zip(HEAD, widths, strict=True)))
    for client, session, said in measured(pairs):
        last[client, session] = said
        cells = row(client, session, said)
        line = "".join(word.ljust(width) for word, width in zip(cells, widths, strict=True))
        print(f"{line}{verdict(said)} (machine × {said.stretch:.2f})", flush=True)
    stretch = statistics.mean(said.stretch for said in last.values())
    if write:
        rows = [row(*which, said) for which, said in last.items()]
        text = renewed(PAGE.read_text("utf-8"), page(rows, pairs, stretch))
        PAGE.write_text(text, "utf-8", newline="\n")
    return int(any(said.over for said in last.values()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pairs", nargs="?", type=int, default=PAIRS)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    sys.exit(main(asked.pairs, write=asked.write))
