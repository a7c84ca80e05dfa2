"""When the hook's process began, and what time it is."""

from __future__ import annotations

import os
import time

from loopgraph.disk import floor
from loopgraph.plain import when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_TICK = 0.01
"""Linux tells the begin of a process in such steps."""
_STARTED = 19
"""Its place in /proc/self/stat behind the program's name."""
_OLD = 60.0


class Clock:
    """The machine's own clock, which no change of the time of day moves."""

    def __init__(self, environ: Mapping[str, str], *, fresh: bool) -> None:
        """`fresh`: this process is the hook's own, and began for this Stop."""
        self._pinned = when.instant(environ.get("LOOPGRAPH_NOW"))
        # Asked before the other clock: whoever is kept waiting in between seems younger, not older.
        boot = _boot() if fresh else 0.0
        self.started = time.monotonic()
        """Not before the process began, as far as the system says."""
        if fresh:
            self.started -= _age(boot)

    @staticmethod
    def now() -> float:
        """Seconds since the machine began."""
        return time.monotonic()

    def text(self) -> str:
        """The time of day, for the log; LOOPGRAPH_NOW pins it."""
        return when.text(self._pinned or time.time())


def _boot() -> float:
    """Seconds since the system began, sleep included; 0 where it does not say."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return 0.0 if clock is None else time.clock_gettime(clock)


def _age(boot: float) -> float:
    """Seconds that this process has lived at least; 0 where the system does not say."""
    data = floor.peek("/proc/self/stat", 64 * 1024) or b""
    fields = data.rpartition(b")")[2].split()
    if len(fields) <= _STARTED or not fields[_STARTED].isdigit():
        return 0.0
    age = boot - int(fields[_STARTED]) / os.sysconf("SC_CLK_TCK") - _TICK
    return age if 0 < age < _OLD else 0.0
