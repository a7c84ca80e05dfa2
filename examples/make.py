"""Make the example runs anew, by the commands that examples/README.md shows.

    python examples/make.py           write examples/converge, deliver and research
    python examples/make.py --check   compare instead; 1 where a file differs

Each run is made in a fresh copy of examples/repo whose commit is the same on every machine, at a
pinned moment, so the same loopgraph writes the same bytes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NOW = "2026-01-02T03:04:05+00:00"

COMMANDS: dict[str, tuple[str, ...]] = {
    "deliver": ("Add rate limiting to the public API",),
    "converge": (),
    "research": ("Choose how the catalogue is stored",),
}
"""Each pack, and the goal it is given."""


def made(pack: str, folder: Path) -> Path:
    """Compile one example in a new workspace below `folder`; return the run's directory."""
    workspace = folder / pack
    subprocess.run([sys.executable, HERE.parent / "dev.py", "repo", workspace], check=True)
    new = ["-P", "-m", "loopgraph", "new", pack, *COMMANDS[pack]]
    surroundings = {
        "LOOPGRAPH_NOW": NOW,
        "PYTHONUTF8": "1",
        "LOOPGRAPH_CONFIG": str(folder / "none"),
    }
    subprocess.run(
        [sys.executable, *new, "--yes", "--host", "claude-code", "--lang", "en"],
        cwd=workspace,
        env={**os.environ, **surroundings},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (run,) = (workspace / ".longgraph").glob("2026-*")
    return run


def files(run: Path) -> dict[str, bytes]:
    """A run's files by name; folders that are still empty do not count."""
    return {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()}


def main(arguments: list[str]) -> int:
    """Make or compare every example."""
    different = []
    with tempfile.TemporaryDirectory(prefix="loopgraph-examples-") as base:
        for pack in COMMANDS:
            new = files(made(pack, Path(base)))
            target = HERE / pack
            if arguments == ["--check"]:
                old = files(target) if target.exists() else {}
                names = sorted({*new, *old})
                different += [f"{pack}/{name}" for name in names if new.get(name) != old.get(name)]
                continue
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            for name, content in new.items():
                (target / name).write_bytes(content)
    for name in different:
        print(f"examples/{name} is not what loopgraph writes now; run: python examples/make.py")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
