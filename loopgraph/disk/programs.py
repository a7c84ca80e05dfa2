"""Which programs can be started here: on PATH, or in the environment of the project itself."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

_OWN: Final = (
    *(".venv/bin", "venv/bin", ".venv/Scripts", "venv/Scripts"),
    *("node_modules/.bin", "vendor/bin"),
)
"""Where a project keeps programs of its own."""


def interpreter() -> str:
    """This Python by a plain path; one called as `../venv/bin/python` names the folder of the call.

    That folder may be gone one day. It is a real one, so no link is lost by cutting it out.
    """
    return os.path.normpath(sys.executable)


def absent(root: Path, names: Iterable[str], environ: Mapping[str, str]) -> tuple[str, ...]:
    """Those of these programs that are nowhere to be found."""
    return tuple(
        name for name in dict.fromkeys(names) if name and not _is_there(root, name, environ)
    )


def _is_there(root: Path, name: str, environ: Mapping[str, str]) -> bool:
    if "/" in name or "\\" in name:
        return (root / name).exists()
    if name in _BUILT_IN or shutil.which(name, path=environ.get("PATH", "")):
        return True
    return any(shutil.which(name, path=str(root / folder)) for folder in _OWN)


_BUILT_IN: Final = (
    *("cd", "test", "[", "true", "false", "exit", "export", "set", "source", ".", ":"),
)
"""What a shell does itself."""
