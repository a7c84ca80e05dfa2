"""What `loopgraph discover` adds to `git status` on large repositories.

    python benchmarks/discover.py            measure and print a table
    python benchmarks/discover.py --write    also rewrite the table in docs/discovery.md

Two repositories are made in a temporary folder: one of 100,000 files, and a monorepo of 300
members. `git status` and `loopgraph discover --json` run in turns, each round in changing order;
what counts is the median over the rounds of their difference within a round.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "discovery.md"
FIRST, LAST = "<!-- made: timed -->\n", "<!-- end -->"
ROUNDS = 5
MUST = 2.0
"""Seconds that discovery may add."""


def large() -> Iterator[tuple[str, str]]:
    """100,000 files: forty languages' worth of folders, tests beside the code."""
    yield "pyproject.toml", '[project]\nname = "large"\n[tool.pytest.ini_options]\n[tool.ruff]\n'
    yield ".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: pytest\n"
    for number in range(100_000):
        area, part = number % 40, number % 800
        kind = "tests/test_" if number % 5 == 0 else "src/large/"
        end = ("py", "ts", "go", "md", "json")[part % 5]
        yield f"{kind.partition('/')[0]}/a{area:02}/p{part:03}/f{number}.{end}", f"x = {number}\n"


def monorepo() -> Iterator[tuple[str, str]]:
    """300 members of fifty files each."""
    yield "package.json", '{"name": "shop", "private": true, "workspaces": ["packages/*"]}'
    yield "pnpm-workspace.yaml", "packages:\n  - packages/*\n"
    yield "pnpm-lock.yaml", ""
    for member in range(300):
        folder = f"packages/p{member:03}"
        scripts = {"test": "vitest run", "lint": "eslint .", "build": "tsc -b"}
        yield f"{folder}/package.json", json.dumps({"name": f"@shop/p{member}", "scripts": scripts})
        yield f"{folder}/tsconfig.json", "{}"
        for number in range(48):
            name = f"f{number}.test.ts" if number % 6 == 0 else f"f{number}.ts"
            yield f"{folder}/src/{name}", f"export const x{number} = {member};\n"


def make(folder: Path, files: Iterator[tuple[str, str]]) -> Path:
    """A repository with one commit of these files, and a few changes on top."""
    known: set[str] = set()
    paths = []
    for path, text in files:
        above = path.rpartition("/")[0]
        if above not in known:
            (folder / above).mkdir(parents=True, exist_ok=True)
            known.add(above)
        (folder / path).write_text(text, "utf-8")
        paths.append(path)
    owner = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", "-c", "gc.auto=0")
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "start")):
        subprocess.run(["git", *owner, *command], cwd=folder, check=True, capture_output=True)
    for path in paths[-5:]:
        (folder / path).write_text("changed\n", "utf-8")
    return folder


def spent(command: Sequence[str], folder: Path) -> float:
    """Seconds that one process takes."""
    begin = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - begin


def measure(folder: Path) -> tuple[float, float, float]:
    """Medians in seconds: git status, discover, and what it adds."""
    git = ("git", "--no-optional-locks", "status", "--porcelain=v2", "--untracked-files=all")
    ours = (sys.executable, "-P", "-m", "loopgraph", "discover", "--json")
    spent(git, folder), spent(ours, folder)  # fills caches; not counted
    pairs = []
    for number in range(ROUNDS):
        if number % 2:
            first, second = spent(git, folder), spent(ours, folder)
        else:
            second, first = spent(ours, folder), spent(git, folder)
        pairs.append((first, second))
    return (
        statistics.median(first for first, _ in pairs),
        statistics.median(second for _, second in pairs),
        statistics.median(second - first for first, second in pairs),
    )


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and write the table; 1 where discovery adds too much."""
    if arguments not in ([], ["--write"]):
        sys.exit(__doc__)
    rows = [
        "| repository | `git status` | `discover --json` | adds | may add |",
        "|---|---|---|---|---|",
    ]
    worst = 0.0
    work = Path(tempfile.mkdtemp(prefix="loopgraph-discover-"))
    try:
        for name, files in (("100,000 files", large()), ("300 members", monorepo())):
            folder = work / name.replace(" ", "-")
            folder.mkdir()
            status, ours, adds = measure(make(folder, files))
            worst = max(worst, adds)
            rows.append(f"| {name} | {status:.2f} s | {ours:.2f} s | {adds:.2f} s | {MUST:.0f} s |")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    git = subprocess.run(("git", "--version"), capture_output=True, text=True, check=True).stdout
    machine = f"Python {platform.python_version()}, {git.strip()}, {os.cpu_count()} cores"
    made = "\n".join([*rows, "", f"Medians of {ROUNDS} rounds in turns; {machine}.", ""])
    print(made)
    if arguments:
        before, _, rest = PAGE.read_text("utf-8").partition(FIRST)
        after = rest.partition(LAST)[2]
        PAGE.write_text(f"{before}{FIRST}\n{made}\n{LAST}{after}", "utf-8", newline="\n")
    return 1 if worst > MUST else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
