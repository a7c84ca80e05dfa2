"""Take snapshots of a folder, one file changed before each: `python snapshot.py FOLDER COUNT`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from loopgraph.disk import trees


def main(folder: str, count: str) -> None:
    """Write the folder as a tree so many times, as a round does."""
    root = Path(folder).resolve()
    for number in range(int(count)):
        (root / "changed.txt").write_text(f"{os.getpid()} {number}\n", "utf-8")
        place = trees.store(root, ".", os.environ)
        if place is None:
            sys.exit("no repository")
        print(trees.write(place).tree)


if __name__ == "__main__":
    main(*sys.argv[1:])
