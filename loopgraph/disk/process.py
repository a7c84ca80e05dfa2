"""Start a program from a list of words, in a group of its own, and end the group in time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple


class Ended(NamedTuple):
    """How a program ended."""

    code: int | None
    """Its exit code; None where its time was up, or it never began."""
    seconds: float
    output: str
    """Both streams as they came, at most the last part; why, where it never began."""
    started: bool = True


def run(words: tuple[str, ...], folder: Path, *, limit: float, kept: int) -> Ended:
    """Run a program in a folder to its end, or to the end of its time.

    Output goes to a file, so that a program that floods it costs no memory, and one that leaves
    a child behind does not keep us waiting.
    """
    begun = monotonic()
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(  # noqa: S603  a list; whose it is was asked before
                words,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            return Ended(None, 0.0, why.lower(), started=False)
        try:
            code: int | None = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _end(process)
        size = output.seek(0, os.SEEK_END)
        output.seek(max(size - 4 * kept, 0))
        text = output.read().decode("utf-8", "replace")
    return Ended(code, round(monotonic() - begun, 3), text[-kept:])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the group, children of children included."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
