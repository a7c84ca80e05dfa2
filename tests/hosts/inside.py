"""Runs one client beside its scripted model; where the machine allows it, with no other network.

    python inside.py CASE.json

The case says what to start (`argv`, `cwd`, `env`; `{port}` is the model's port), the `script`, the
`log` of requests, the seconds of `patience`, and where stdout and stderr go; without `out` the
client has the terminal. The exit code is the client's, or 124 when patience ends.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.hosts.model import Model

_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1


def loopback_up() -> None:
    """Switch the loopback of a new network namespace on."""
    with socket.socket() as one:
        request = array.array("B", b"lo".ljust(40, b"\0"))
        fcntl.ioctl(one, _GET_FLAGS, request)
        request[16] |= _UP
        fcntl.ioctl(one, _SET_FLAGS, request)


def main(path: str) -> int:
    """Run the case."""
    case = json.loads(Path(path).read_text("utf-8"))
    if case["apart"]:
        loopback_up()
    with Model(case["script"], Path(case["log"])) as model, contextlib.ExitStack() as stack:

        def filled(text: str) -> str:
            return text.replace("{port}", str(model.port))

        streams: dict[str, Any] = {}
        if "out" in case:
            streams["stdin"] = subprocess.DEVNULL
            streams["stdout"] = stack.enter_context(Path(case["out"]).open("wb"))
            streams["stderr"] = stack.enter_context(Path(case["err"]).open("wb"))
        began = time.perf_counter()
        client = subprocess.Popen(
            [filled(part) for part in case["argv"]],
            cwd=case["cwd"],
            env={name: filled(value) for name, value in case["env"].items()},
            start_new_session="out" in case,
            **streams,
        )
        late = threading.Event()

        def end() -> None:
            late.set()
            with contextlib.suppress(ProcessLookupError):
                if "out" in case:
                    os.killpg(client.pid, signal.SIGKILL)
                else:
                    client.kill()

        # Waiting with a limit of its own looks every 50 ms only, and every time would be a step.
        limit = threading.Timer(case["patience"], end)
        limit.start()
        code: int = client.wait()
        ended = time.perf_counter()
        limit.cancel()
        if late.is_set():
            return 124
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = [ended - began, ended - model.answered, used.ru_utime + used.ru_stime]
        Path(case["log"]).with_name("seconds").write_text(json.dumps(took))
        return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
