"""Walk over a folder that no repository holds: its files, and the repositories below it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

PATH_CAP: Final = 200_000
_DEPTH: Final = 8
_NOT_WALKED: Final = frozenset(
    {
        "__pycache__", "build", "dist", "node_modules", "site-packages", "target", "vendor",
        "venv",
    }
)  # fmt: skip
"""Folders that are made, not written; only where no git says what is ignored."""
_HIDDEN_WALKED: Final = frozenset({".circleci", ".cursor", ".github", ".gitlab", ".config"})


def files(root: Path) -> tuple[list[str], list[str]]:
    """Files and repositories below a folder that is no repository itself."""
    found: list[str] = []
    inner: list[str] = []
    waiting: list[tuple[str, int]] = [("", 0)]
    while waiting and len(found) < PATH_CAP:
        folder, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
        except OSError:
            continue
        if folder and any(entry.name == ".git" for entry in entries):
            inner.append(folder.rstrip("/"))
            continue
        for entry in entries:
            path = folder + entry.name
            if entry.is_dir(follow_symlinks=False):
                if depth < _DEPTH and _walked(entry.name):
                    waiting.append((f"{path}/", depth + 1))
            elif _is_file(entry) and is_text(path):
                found.append(path)
    return found, sorted(inner)


def is_text(path: str) -> bool:
    """Whether a name is UTF-8: another can be neither shown nor written down exactly."""
    return path.isascii() or not any("\ud800" <= char <= "\udfff" for char in path)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # links that lead to each other, or where nobody may look
        return False


def _walked(name: str) -> bool:
    return name in _HIDDEN_WALKED or not (name.startswith(".") or name in _NOT_WALKED)
