"""Frames of a run as commits of a repository, by `git fast-import`: thousands in a second."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

SLUG = "2026-01-02-deliver-every-order"
FIRST = 1_767_323_045
"""When the first commit is made, in seconds; each later one a minute on."""


def export(frames: Iterable[Mapping[str, str]], root: Path) -> tuple[Path, list[str]]:
    """Commit the frames one after the other and check the last one out: run and commits."""
    root.mkdir(parents=True, exist_ok=True)
    _git(root, "init", "-q", "-b", "main")
    process = subprocess.Popen(
        ["git", "fast-import", "--quiet"], cwd=root, env=_environ(root), stdin=subprocess.PIPE
    )
    assert process.stdin
    for part in _stream(frames):
        process.stdin.write(part)
    process.stdin.close()
    assert process.wait() == 0
    _git(root, "reset", "-q", "--hard")
    commits = _git(root, "rev-list", "--reverse", "HEAD").split()
    return root / ".longgraph" / SLUG, commits


def _stream(frames: Iterable[Mapping[str, str]]) -> Iterator[bytes]:
    old: Mapping[str, str] = {}
    for place, files in enumerate(frames):
        yield b"commit refs/heads/main\n"
        yield f"committer Ada <ada@example.invalid> {FIRST + 60 * place} +0000\n".encode()
        yield b"data 1\n.\n"
        for name, text in files.items():
            if old.get(name) != text:
                data = text.encode("utf-8")
                yield f"M 100644 inline .longgraph/{SLUG}/{name}\ndata {len(data)}\n".encode()
                yield data + b"\n"
        for name in old.keys() - files.keys():
            yield f"D .longgraph/{SLUG}/{name}\n".encode()
        old = dict(files)


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=root, env=_environ(root), capture_output=True, text=True, check=True
    )
    return done.stdout


def _environ(root: Path) -> dict[str, str]:
    none = os.devnull
    return {
        "PATH": os.environ["PATH"], "HOME": str(root),
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": none,
    }  # fmt: skip
