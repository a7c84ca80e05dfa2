"""Ask Codex itself whether it has trusted our hook: its own server, started for one question."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from loopgraph.edges import hookfile
from loopgraph.model.machine import Trust

PATIENCE: Final = 10.0
"""Seconds for the whole conversation; it takes a fifth of one."""

# What would reach for the network is switched off, and a proxy that is none catches the rest.
_QUIET: Final = tuple(
    word
    for setting in ("features.apps=false", "features.plugins=false", "analytics.enabled=false")
    for word in ("-c", setting)
)
_NOWHERE: Final = "http://127.0.0.1:9"
_ENDED: Final = "\0"


def ask(codex: str, root: str, environ: Mapping[str, str]) -> Trust:
    """What Codex says of our hook in a folder; `unknown` where it does not answer in time."""
    try:
        answer = listed(codex, root, environ)
    except (OSError, ValueError):
        return "unknown"
    if answer is None:
        return "unknown"
    places = answer.get("data")
    place = places[0] if isinstance(places, list) and places else {}
    found = place.get("hooks") if isinstance(place, dict) else None
    ours = [one for one in found or () if hookfile.is_mine(one)]
    if not ours:
        return "project"
    said = {str(one.get("trustStatus")) for one in ours}
    if said <= {"trusted", "managed"}:
        return "trusted"
    return "modified" if "modified" in said else "untrusted"


def listed(codex: str, root: str, environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Its whole answer about the hooks of a folder; None where it gives none in time."""
    process = subprocess.Popen(  # noqa: S603  the user's own client, found on PATH
        [codex, "app-server", *_QUIET],
        cwd=root,
        env={**environ, **dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"), _NOWHERE)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        try:
            return _conversation(process, root)
        finally:
            with suppress(OSError):
                process.kill()


def _conversation(process: subprocess.Popen[bytes], root: str) -> dict[str, Any] | None:
    if process.stdin is None or process.stdout is None:
        return None
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
    reader.start()
    who = {"clientInfo": {"name": "loopgraph", "version": "1"}}
    for message in (
        {"id": 1, "method": "initialize", "params": who},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [root]}},
    ):
        process.stdin.write(json.dumps(message).encode("utf-8") + b"\n")
    process.stdin.flush()
    for line in _until(lines):
        with suppress(ValueError):
            said = json.loads(line)
            if isinstance(said, dict) and said.get("id") == 2:  # noqa: PLR2004  the question above
                found = said.get("result")
                return found if isinstance(found, dict) else None
    return None


def _read(stream: Any, lines: queue.SimpleQueue[str]) -> None:
    for line in stream:
        lines.put(line.decode("utf-8", "replace"))
    lines.put(_ENDED)


def _until(lines: queue.SimpleQueue[str]) -> Iterator[str]:
    """The lines that come within the time; a flood of them ends it, too."""
    from time import monotonic  # noqa: PLC0415  only who asks pays for it

    end = monotonic() + PATIENCE
    while (left := end - monotonic()) > 0:
        try:
            line = lines.get(timeout=left)
        except queue.Empty:
            return
        if line == _ENDED:
            return
        yield line
