"""What rounds add to their commands for snapshots: `python snapshot.py RUN COUNT`.

The words of `round record` are left out: measured is what it does for the snapshot, from the look
at the workspace to the name that it gets, one file changed before each.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from loopgraph.disk import measures

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def main(run: str, count: str) -> None:
    """End so many rounds, each as the first of the run: held against the one that went before."""
    path = Path(run).resolve()
    root = path.parents[1]
    note = path / "evidence" / "snapshots" / "R1.start.json"
    for number in range(int(count)):
        now = (START + timedelta(minutes=number)).isoformat()
        (root / "changed.txt").write_text(f"{os.getpid()} {number}\n", "utf-8")
        found = measures.end(path, os.environ, now)
        if found is None or not found.taken.stores:
            sys.exit("no snapshot")
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(json.dumps({**found.measure.note, "name": "R1.start"}), "utf-8")
        measures.keep(path, found, now)
        print(*(one.path for one in found.measure.changed or ()))


if __name__ == "__main__":
    main(*sys.argv[1:])
