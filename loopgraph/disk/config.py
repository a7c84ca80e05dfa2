"""Where a user's own configuration and cache live, on each system."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_NAME: Final = "loopgraph"


def folder(environ: Mapping[str, str], *, platform: str = sys.platform) -> Path:
    """The user's configuration folder, which may not exist; LOOPGRAPH_CONFIG names another.

    Else XDG_CONFIG_HOME where set, `%APPDATA%` on Windows, `Library/Application Support` on
    macOS and `.config` elsewhere.
    """
    own = {"win32": ("APPDATA", "AppData/Roaming"), "darwin": ("", "Library/Application Support")}
    variable, below = own.get(platform, ("", ".config"))
    return _place(environ, ("LOOPGRAPH_CONFIG", "XDG_CONFIG_HOME", variable), below)


def cache_folder(environ: Mapping[str, str], *, platform: str = sys.platform) -> Path:
    """The user's cache folder, which may not exist; LOOPGRAPH_CACHE names another."""
    own = {"win32": ("LOCALAPPDATA", "AppData/Local"), "darwin": ("", "Library/Caches")}
    variable, below = own.get(platform, ("", ".cache"))
    found = _place(environ, ("LOOPGRAPH_CACHE", "XDG_CACHE_HOME", variable), below)
    # Windows keeps both kinds of data below one folder of a program.
    return found / "Cache" if platform == "win32" and not environ.get("LOOPGRAPH_CACHE") else found


def _place(environ: Mapping[str, str], variables: tuple[str, str, str], below: str) -> Path:
    whole, *parents = variables
    if environ.get(whole):
        return Path(environ[whole]).absolute()
    for variable in parents:
        # A relative value is to be ignored, says the XDG base directory specification.
        if variable and environ.get(variable) and Path(environ[variable]).is_absolute():
            return Path(environ[variable]) / _NAME
    home = environ.get("HOME", environ.get("USERPROFILE"))
    if home == "":  # set to nothing: no place at all, and above all not the current folder
        home = os.devnull
    return (Path(home) if home else Path.home()) / below / _NAME


def template_cache(environ: Mapping[str, str]) -> str | None:
    """The folder for compiled templates, made and the user's own; None where that cannot be."""
    path = cache_folder(environ) / "templates"
    if not path.is_absolute():  # it would come to lie in whatever folder is the current one
        return None
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = path.stat()
    except OSError:
        return None
    # Compiled code is loaded from here: a folder that others may write is no place for it.
    if sys.platform != "win32" and (info.st_uid != os.geteuid() or info.st_mode & 0o022):
        return None
    return str(path)
