"""Whether a hook's command line answers: run once, on a session that must be sent back."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from loopgraph.hosts import hooks
from loopgraph.plain import places

PATIENCE: Final = 20.0
"""Seconds; a client waits half as long."""

_SESSION: Final = "does-the-hook-answer"
_PROMPT: Final = "Go on, as this trial of the hook expects."
_LOOP: Final = f"""---
iteration: 1
max_iterations: 3
completion_promise: null
session_id: {_SESSION}
---

{_PROMPT}
"""
_ALIEN: Final = ("CLAUDE_PROJECT_DIR", "LOOPGRAPH_DIR", "LOOPGRAPH_RUN", "LOOPGRAPH_NODE")


def problem(host: str, command: str, environ: Mapping[str, str]) -> str:
    """Why a command line does not answer that client; empty where it does.

    It is run far from the workspace and from the user's own state, as the client would run it.
    """
    with tempfile.TemporaryDirectory(prefix="loopgraph-") as made:
        away = Path(made).resolve()
        work = away / "work"
        loop = work / places.LOOPS / "trial.md"
        loop.parent.mkdir(parents=True)
        loop.write_text(_LOOP, encoding="utf-8", newline="\n")
        home = away / "home"
        home.mkdir()
        kept = {name: said for name, said in environ.items() if name not in _ALIEN}
        kept |= {"HOME": str(home), "USERPROFILE": str(home)}
        kept |= {"LOOPGRAPH_STATE": str(away / "state"), "LOOPGRAPH_CONFIG": str(away / "config")}
        said = json.dumps(hooks.payload(host, _SESSION, str(work)))
        try:
            done = subprocess.run(  # noqa: S603  it is our own line, or one that we wrote
                _words(host, command),
                cwd=work,
                env=kept,
                input=said.encode("utf-8"),
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "it does not end"
        except (OSError, ValueError) as error:
            return str(getattr(error, "strerror", None) or error).lower()
    if done.returncode == 0 and _sends_back(done.stdout):
        return ""
    told = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return told[-1][:300] if told else f"exit {done.returncode}, and no answer"


def _words(host: str, command: str) -> list[str]:
    """How a client starts a command line."""
    if os.name != "nt":
        return ["/bin/sh", "-c", command]
    if host == "copilot":
        return ["powershell", "-NoProfile", "-Command", command]
    return [os.environ.get("COMSPEC", "cmd.exe"), "/d", "/s", "/c", f'"{command}"']


def _sends_back(output: bytes) -> bool:
    try:
        said = json.loads(output.decode("utf-8"))
    except ValueError:
        return False
    return isinstance(said, dict) and any(_PROMPT in str(part) for part in said.values())
