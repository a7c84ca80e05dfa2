"""A long history to audit: one run, a commit a round, written straight into git."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

FLUSH = 100
"""Rounds behind which the archive is committed, too: git would take hours over every version."""
_KEPT = 5


def write(run: Path, commits: int, folder: Path) -> Path:
    """A repository with so many commits of a run that was just compiled; the run in it."""
    slug = run.name
    folder.mkdir()
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, env=environ, check=True)
    process = subprocess.Popen(
        ["git", "fast-import", "--quiet"], cwd=folder, env=environ, stdin=subprocess.PIPE
    )
    assert process.stdin
    for place, files in enumerate(_frames(run, commits)):
        process.stdin.write(
            b"commit refs/heads/main\ncommitter Ada <ada@example.invalid> "
            + f"{1_767_323_045 + 60 * place} +0000\ndata 1\n.\n".encode()
        )
        for name, text in files.items():
            data = text.encode()
            process.stdin.write(
                f"M 100644 inline .longgraph/{slug}/{name}\ndata {len(data)}\n".encode()
                + data
                + b"\n"
            )
    process.stdin.close()
    assert process.wait() == 0
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=folder, env=environ, check=True)
    return folder / ".longgraph" / slug


def _frames(run: Path, commits: int) -> Iterator[Mapping[str, str]]:
    """What each commit changes: a lawful round a commit, every fifth of which converges."""
    files = {path.name: path.read_text("utf-8") for path in run.iterdir() if path.is_file()}
    yield files
    rounds: list[str] = []
    archived: list[list[str]] = [[]]
    k = m = 0
    for number in range(1, commits):
        converge = k >= _KEPT
        k, m = (0, 0) if converge else (k + 1, m + 2)
        rounds.append(
            f"- R{number} 2026-01-02{' CONVERGE' if converge else ''} | slice {number} | "
            f"changed: src/part_{number % 40}.py | verify: 12 passed; evidence/{number}.txt"
            f" | net +{1 if converge else 4}/-{9 if converge else 2} | next: slice {number + 1}\n"
        )
        archived[-1] += rounds[:-_KEPT]
        rounds = rounds[-_KEPT:]
        changed = {"ledger.md": _ledger(files["ledger.md"], number, k, m, rounds)}
        if number % FLUSH == 0 or number == commits - 1:
            name = "rounds.md" if len(archived) == 1 else f"rounds-{len(archived)}.md"
            changed[f"archive/{name}"] = "# Archived rounds\n\n" + "".join(archived[-1])
            if sum(map(len, archived[-1])) > 1 << 20:
                archived.append([])
        yield changed


def _ledger(source: str, number: int, k: int, m: int, rounds: list[str]) -> str:
    text = re.sub(r"\| Round: \d+ ", f"| Round: {number} ", source)
    text = re.sub(r"(rounds since last \d+: )\*\*\d+\*\*", rf"\g<1>**{k}**", text)
    text = re.sub(r"(net lines since last \+\d+: )\*\*[+-]\d+\*\*", rf"\g<1>**{m:+}**", text)
    flag = "yes" if k >= _KEPT else "no"
    text = re.sub(r"converges: \w+", f"converges: {flag}", text)
    head, _, _ = text.partition("## Rounds log")
    return f"{head}## Rounds log\n\n{''.join(rounds)}"
