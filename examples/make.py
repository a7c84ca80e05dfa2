"""Make the example runs anew, by the commands that examples/README.md shows.

    python examples/make.py             write every example
    python examples/make.py --check     compare instead; 1 where a file differs
    python examples/make.py NAME DIR    play the story of one, and leave its workspace in DIR

A fresh run is made in a copy of examples/repo whose commit is the same on every machine, a story in
a repository of its own. Both have pinned moments, so the same loopgraph writes the same bytes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import story

HERE = Path(__file__).resolve().parent
NOW = "2026-01-02T03:04:05+00:00"

COMMANDS: dict[str, tuple[str, ...]] = {
    "deliver": ("Add rate limiting to the public API",),
    "converge": (),
    "research": ("Choose how the catalogue is stored",),
}
"""Each pack, and the goal it is given."""

STORIES = ("small", "small-zh", "migration", "cleanup")


def fresh(pack: str, folder: Path) -> dict[str, bytes]:
    """Compile one example in a new workspace below `folder`; return the run's files by name."""
    workspace = folder / "bookshelf"
    subprocess.run([sys.executable, HERE.parent / "dev.py", "repo", workspace], check=True)
    new = ["-P", "-m", "loopgraph", "new", pack, *COMMANDS[pack]]
    surroundings = {
        "LOOPGRAPH_NOW": NOW,
        "PYTHONUTF8": "1",
        # The gates of the example start `python`: whether there is one would stand in ops.md.
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "LOOPGRAPH_CONFIG": str(folder / "none"),
    }
    subprocess.run(
        [sys.executable, *new, "--yes", "--host", "claude-code", "--lang", "en"],
        cwd=workspace,
        env={**os.environ, **surroundings},
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    (run,) = (workspace / ".longgraph").glob("2026-*")
    return {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()}


def made(name: str, base: Path) -> dict[str, bytes]:
    """What the folder of one example has to hold, by name below it; made below `base`."""
    folder = base / name
    folder.mkdir()
    if name in COMMANDS:
        return fresh(name, folder)
    source = HERE / name / "story.yaml"
    played = story.play(source, folder)
    return {source.name: source.read_bytes(), **played}


def files(folder: Path) -> dict[str, bytes]:
    """What the folder of one example holds."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def main(arguments: list[str]) -> int:
    """Make or compare every example, or play one story."""
    if len(arguments) == 2 and arguments[0] in STORIES:  # noqa: PLR2004  a name and a place
        Path(arguments[1]).mkdir(parents=True)
        story.play(HERE / arguments[0] / "story.yaml", Path(arguments[1]).resolve())
        return 0
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    different = []
    names = (*STORIES, *COMMANDS)
    with (
        tempfile.TemporaryDirectory(prefix="loopgraph-examples-") as base,
        ProcessPoolExecutor(2) as pool,
    ):
        for name, new in zip(names, pool.map(made, names, [Path(base)] * len(names)), strict=True):
            old = files(HERE / name)
            if arguments:
                both = sorted({*new, *old})
                different += [f"{name}/{each}" for each in both if new.get(each) != old.get(each)]
                continue
            shutil.rmtree(HERE / name, ignore_errors=True)
            for each, content in new.items():
                target = HERE / name / each
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
    for name in different:
        print(f"examples/{name} is not what loopgraph writes now; run: python examples/make.py")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
