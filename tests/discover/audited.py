"""A child that discovers a workspace and says which programs it started, and what it wrote.

    python audited.py WORKSPACE [SCOPE]

It prints JSON: `started`, the programs; `written`, the files below the workspace that were opened
to be written, made, moved or removed. An audit hook can't be taken off, so it has a process to
itself.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

STARTS = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.startfile"}
WRITES = {
    "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate",
    "os.utime", "os.chmod", "os.chown", "os.setxattr", "shutil.rmtree", "shutil.move",
}  # fmt: skip
NETWORK = ("socket.", "urllib.", "http.")


def main(workspace: str, scope: str = ".") -> None:
    from loopgraph import discover  # noqa: PLC0415

    started: list[str] = []
    written: list[str] = []
    called: list[str] = []

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in STARTS:
            started.append(str(arguments[0]))
        elif event.startswith(NETWORK):
            called.append(event)
        elif event == "os.fork":
            started.append("fork")
        elif event in WRITES or (event == "open" and _writes(arguments)):
            written.append(f"{event} {arguments[0]}")

    sys.addaudithook(hook)
    discover.workspace(Path(workspace), scope=scope)
    said = {"started": list(started), "written": list(written), "called": list(called)}
    sys.stdout.write(json.dumps(said))


def _writes(arguments: tuple[object, ...]) -> bool:
    path, mode, flags = (*arguments, None, None)[:3]
    if isinstance(path, int) or path == os.devnull:  # what a program without input is given
        return False
    wanted = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
    return bool(isinstance(mode, str) and set(mode) & set("wax+")) or bool(
        isinstance(flags, int) and flags & wanted
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
