"""What the hook adds to a turn of the real clients: pairs of turns, with and without it.

    python -m tests.hosts.timing [PAIRS]

A turn is one prompt and one answer of the scripted model. Printed are the fastest turn of each
kind, their difference, and the median of what the pairs differ by in processor time, which a busy
machine bends least: figures of this machine, and no verdict.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.conftest import committed
from tests.hosts import clients
from tests.hosts.desk import Desk, Turn

PAIRS: Final = 5
_SETTINGS: Final = ".claude/settings.local.json"
PLAN: Final = "# Plan\n\n## TODOs\n\n- [ ] 1. One row\n- [ ] 2. Another row\n"
BLOCKED: Final = {"say": "<loopgraph-blocked>\nThe network is down."}


def main(pairs: int) -> None:
    """Measure each client: a session that nobody holds, and one that has a plan."""
    print(f"{'client':<16}{'session':<10}{'without':>9}{'with':>9}{'adds':>9}{'work':>9}")
    for name in clients.NAMES:
        for held in (False, True):
            turns = measured(name, pairs, held=held)
            without, hooked = (
                min(turn.seconds for turn in side) for side in zip(*turns, strict=True)
            )
            work = statistics.median(with_it.work - turn.work for turn, with_it in turns)
            session = "a plan's" if held else "nobody's"
            times = (without, hooked, hooked - without, work)
            figures = "".join(f"{time * 1000:>6.0f} ms" for time in times)
            print(f"{name:<16}{session:<10}{figures}", flush=True)


def measured(name: str, pairs: int, *, held: bool) -> list[tuple[Turn, Turn]]:
    """Pairs of turns: without the hook, and with it."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (base / "desk").mkdir()
        with Desk(clients.get(name), committed(base / "work"), base / "desk") as desk:
            return _pairs(desk, pairs, held=held)


def _pairs(desk: Desk, pairs: int, *, held: bool) -> list[tuple[Turn, Turn]]:
    session = ""
    if held:
        desk.write("plan.md", PLAN)
        session = desk.turn("Go.", {"run": "loopgraph plan start plan.md"}, BLOCKED).session
    desk.install()
    file = desk.workspace / (".codex/hooks.json" if desk.client.is_codex else _SETTINGS)
    ours, found = file.read_text("utf-8"), []
    for number in range(pairs + 1):
        took = {}
        # The order changes from pair to pair: whoever comes second may find something warm.
        for hooked in (True, False) if number % 2 else (False, True):
            file.write_text(ours if hooked else "{}", "utf-8")
            turn = desk.turn("Hello.", BLOCKED, resume=session)
            assert (turn.code, turn.overrun) == (0, 0), turn
            took[hooked] = turn
        if number:  # the first pair pays for what is cached later
            found.append((took[False], took[True]))
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
