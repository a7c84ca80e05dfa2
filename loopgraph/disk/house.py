"""The two files beside the runs that keep locks, bindings and bulk out of commits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from loopgraph.disk import floor

FILES: Final[Mapping[str, str]] = {
    ".gitignore": (
        ".lock\n.new-*/\n.bindings.json\n.objects/\n/loops/\n/state/\n/blocked/\n"
        "*/evidence/fires/\n*/evidence/verify/\n"
    ),
    ".gitattributes": "* -text\n",
}
"""Written once beside the runs: locks, bindings and bulk stay out of commits, line ends alone."""


def keep(home: Path) -> None:
    """Write them unless they are there; call it under the lock."""
    for name, text in FILES.items():
        _write_once(home / name, text)


def _write_once(path: Path, text: str) -> None:
    """Write a small file of ours unless something is there already."""
    if path.exists() or path.is_symlink():
        return
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    floor.write_new(str(draft), text.encode("utf-8"))
    os.replace(draft, path)  # noqa: PTH105
