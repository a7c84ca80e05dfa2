"""Where a workspace begins."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from loopgraph.model.errors import UsageError
from loopgraph.model.messages import _

FOLDER: Final = ".longgraph"


def find(workspace: str | None, cwd: Path, environ: Mapping[str, str]) -> Path:
    """The root: the named folder, else the nearest one above that holds `.longgraph`.

    The search passes over a git top (runs may live above several repositories) but not over a
    worktree or a submodule, which are their own roots, and never reaches HOME. Without any
    `.longgraph` it is the git top, else the current folder.
    """
    named = workspace or environ.get("LOOPGRAPH_DIR")
    if named:
        path = (cwd / named).resolve()
        if not path.is_dir():
            source = "--workspace" if workspace else "LOOPGRAPH_DIR"
            raise UsageError(
                _("no such folder"), where=f"{source} {named}", fix=_("Name one that exists.")
            )
        return path
    start = cwd.resolve()
    named = _home(environ)
    own = Path(named).resolve() if named else None
    top: Path | None = None
    for folder in (start, *start.parents):
        if folder == own:
            break
        if (folder / FOLDER).is_dir():
            return folder
        git = folder / ".git"
        if top is None and git.exists():
            top = folder
            if git.is_file():
                break
    return top or start


def home(environ: Mapping[str, str]) -> Path:
    """The user's home."""
    named = _home(environ)
    return Path(named) if named else Path.home()


def _home(environ: Mapping[str, str]) -> str | None:
    return environ.get("HOME") or environ.get("USERPROFILE")
