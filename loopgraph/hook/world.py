"""What surrounds a Stop: its workspace, the user's folders, and bounded looks at files."""

from __future__ import annotations

import os
import sys

from loopgraph.disk import floor
from loopgraph.plain import jsontext, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from loopgraph.hook.guard import Stop

RECORD_LIMIT = 4 * 1024 * 1024
"""No record of works, bindings or settings is larger."""
_POINTER_LIMIT = 64 * 1024


class World:
    """Where a Stop happens, and the log of how it is judged."""

    def __init__(self, stop: Stop, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.home = environ.get("HOME") or environ.get("USERPROFILE") or ""
        project = environ.get("CLAUDE_PROJECT_DIR", "")
        # Another host inside a Claude Code session inherits the variable, and is elsewhere.
        claude = stop.dialect.PREFIX == "claude" and os.path.isabs(project)
        self.bases = [stop.cwd, project] if claude and project != stop.cwd else [stop.cwd]
        """Where the records of other tools may be, the first first."""
        self.root, self.git = _root(project if claude else stop.cwd, self.home)
        """The workspace's root, and its `.git` where there is one."""
        self.state = places.state_folder(environ, sys.platform)
        self.config = places.config_folder(environ, sys.platform)
        self.trail: list[str] = []
        """How it was judged, step by step."""
        self.complaints: list[str] = []
        """What is broken, and was passed over."""

    @property
    def everywhere(self) -> list[str]:
        """The bases, and the root."""
        return self.bases if self.root in self.bases else [*self.bases, self.root]

    def any(self, names: tuple[str, ...], *, home: str = "") -> bool:
        """Whether one of the names is there, in the workspace or (one name) in the user's home."""
        if home and self.home and os.path.lexists(f"{self.home}/{home}"):
            return True
        return any(os.path.lexists(f"{base}/{name}") for base in self.everywhere for name in names)

    def note(self, step: str) -> None:
        """Tell `explain` a step of the judgement."""
        self.trail.append(step)

    def read(self, path: str, limit: int) -> bytes | None:
        """A file's bytes; None where there is none, and a complaint where it is no readable one."""
        found = floor.peek(path, limit)
        if found is None and os.path.lexists(path):
            self.complaints.append(f"{path}: cannot be read, or is too large")
        return found

    def record(self, path: str) -> dict[str, object]:
        """A JSON object in a file; empty where there is none."""
        data = self.read(path, RECORD_LIMIT)
        if data is None:
            return {}
        try:
            found = jsontext.loads(data.decode("utf-8"))
        except ValueError as error:
            self.complaints.append(f"{path}: {error}")
            return {}
        if not isinstance(found, dict):
            self.complaints.append(f"{path}: no JSON object")
            return {}
        return found

    def setting(self, name: str) -> object:
        """What the owner's settings of the hook say."""
        return self.record(f"{self.config}/{places.SETTINGS}").get(name) if self.config else None

    def inside(self, path: str, folders: list[str]) -> bool:
        """Whether a file is really below one of the folders, links followed."""
        real = os.path.realpath(path)
        return any(
            real.startswith(os.path.realpath(folder).rstrip(os.sep) + os.sep) for folder in folders
        )


def _root(start: str, home: str) -> tuple[str, str]:
    """The nearest folder that holds `.longgraph`, else git's top, else the start; and `.git`.

    As `disk.roots` finds it: below HOME, and not beyond a worktree or a submodule.
    """
    folder = os.path.normpath(start)
    stop = os.path.normpath(home) if home else ""
    top = git = ""
    while folder != stop:
        if not top and os.path.lexists(f"{folder}/.git"):
            top, git = folder, f"{folder}/.git"
        if os.path.isdir(f"{folder}/{places.FOLDER}"):
            return folder, git
        if top == folder and os.path.isfile(git):
            break
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return top or os.path.normpath(start), git


def git_folder(git: str) -> str:
    """The folder that a `.git` is or points to; empty where it is broken."""
    if not git or os.path.isdir(git):
        return git
    data = floor.peek(git, _POINTER_LIMIT) or b""
    said = data.decode("utf-8", "replace").strip()
    if not said.startswith("gitdir: "):
        return ""
    return os.path.normpath(os.path.join(os.path.dirname(git), said[len("gitdir: ") :]))


def common_folder(git: str) -> str:
    """The folder that all worktrees of a repository share."""
    own = git_folder(git)
    parent = os.path.dirname(own)
    return os.path.dirname(parent) if os.path.basename(parent) == "worktrees" else own


def linked(worktree: str, git: str) -> bool:
    """Whether a folder is a worktree of the repository that `git` belongs to."""
    pointer = f"{worktree}/.git"
    if not git or not os.path.isfile(pointer):
        return False
    one, other = common_folder(pointer), common_folder(git)
    return bool(one and other) and os.path.realpath(one) == os.path.realpath(other)
