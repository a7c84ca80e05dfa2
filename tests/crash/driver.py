"""Run one command many times, killed before its n-th file event below a folder.

Usage: driver.py WORKSPACE SETUP ARGUMENTS… ; SETUP is a folder that is copied to WORKSPACE for
each run. Prints one line a run: n, and `killed` or the exit code. After each run the hook
script `after.py` beside SETUP's parent is not used; the caller looks at WORKSPACE/<n>.

The events are seen from outside the product: Python's audit hooks for open, mkdir, rename,
remove and rmdir, the profiler for fsync and write.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable

EVENTS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree"}
CALLS = {"fsync", "write"}


def run(workspace: str, arguments: list[str], limit: int) -> str:
    """One run in a child that dies at event number `limit`."""
    from loopgraph.cli import main

    return kill(workspace, lambda: main(arguments), limit)


def kill(workspace: str, act: Callable[[], int], limit: int) -> str:
    """Any act in such a child."""
    child = os.fork()
    if child == 0:
        _child(workspace, act, limit)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "killed"
    return str(os.WEXITSTATUS(status))


def _child(workspace: str, act: Callable[[], int], limit: int) -> None:
    count = 0
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.chdir(workspace)

    def event() -> None:
        nonlocal count
        count += 1
        if count == limit:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(name: str, values: tuple[object, ...]) -> None:
        if name not in EVENTS or not values or not str(values[0]).startswith(workspace):
            return
        reads = (
            name == "open"
            and isinstance(values[2], int)
            and not values[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if not reads:
            event()

    def profile(_: object, what: str, called: object) -> None:
        if (
            what == "c_call"
            and getattr(called, "__name__", "") in CALLS
            and getattr(called, "__module__", "") == "posix"
        ):
            event()

    sys.addaudithook(audit)
    sys.setprofile(profile)
    code = act()
    sys.setprofile(None)
    os._exit(code)


def everything(base: str, setup: str, arguments: list[str]) -> None:
    """Kill at 1, 2, 3 … until a run gets through."""
    import loopgraph.cli.new  # noqa: F401  warm, so that the children only do their work

    number = 0
    result = "killed"
    while result == "killed":
        number += 1
        workspace = os.path.join(base, str(number))
        shutil.copytree(setup, workspace, symlinks=True)
        result = run(os.path.realpath(workspace), arguments, number)
        print(number, result, flush=True)


if __name__ == "__main__":
    everything(sys.argv[1], sys.argv[2], sys.argv[3:])
