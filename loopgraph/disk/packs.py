"""Find packs: by path, in the workspace, in the user's folder, in installed packages, or ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from loopgraph import resources
from loopgraph.author.packs import NAME, SLUG_LENGTH
from loopgraph.disk import floor, read
from loopgraph.model.errors import (
    LoopgraphError,
    RefusedError,
    UnreadableError,
    UsageError,
    nearest,
)
from loopgraph.model.messages import _
from loopgraph.model.spec import Origin

LIMIT: Final = 64 * 1024
"""Bytes of a pack at most."""

GROUP: Final = "loopgraph.presets"
"""Entry points of installed packages: `name = "package.folder"` stands for folder/name.yaml."""

FOLDER: Final = ".loopgraph/presets"
"""A workspace's own packs, below its root."""


class FoundPack(NamedTuple):
    """A pack's text and where it came from."""

    name: str
    source: str
    where: str
    """For people: a path below the root, a package and its version, or `built-in`."""
    origin: Origin


class Place(NamedTuple):
    """Where a pack would be read from."""

    name: str
    where: str
    origin: Origin
    folder: Path
    """The file is in this folder, and no link leads out of it."""
    file: str
    problem: str = ""
    """Why it cannot be used."""


def built_in() -> dict[str, Place]:
    """Our own packs, by name."""
    return _listed(resources.data("presets"), "built-in", "built-in")


def in_workspace(root: Path) -> dict[str, Place]:
    """The packs that a repository brings along, by name."""
    problem = ""
    try:
        read.inside(root, FOLDER)
    except UnreadableError as error:
        problem = error.what
    return _listed(root / FOLDER, FOLDER, "workspace", problem=problem)


def of_user(config: Path) -> dict[str, Place]:
    """The packs in the user's own configuration folder, by name."""
    return _listed(config / "presets", (config / "presets").as_posix(), "user")


def _listed(folder: Path, shown: str, origin: Origin, *, problem: str = "") -> dict[str, Place]:
    try:
        files = sorted(path.name for path in folder.iterdir() if path.suffix == ".yaml")
    except OSError:  # absent, not a folder, or not ours to read
        return {}
    return {
        file.removesuffix(".yaml"): Place(
            file.removesuffix(".yaml"),
            shown if origin == "built-in" else f"{shown}/{file}",
            origin,
            folder,
            file,
            problem,
        )
        for file in files
    }


def installed() -> dict[str, Place]:
    """The packs of installed packages, by name; nothing of a package is imported or run."""
    from importlib.metadata import entry_points  # noqa: PLC0415  costs more than all the rest

    found: dict[str, Place] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        place = _installed(entry.name, entry.value, package)
        twin = found.get(entry.name)
        if twin is not None and twin.folder != place.folder:
            place = place._replace(
                problem=_("{place} has a pack of that name too", place=twin.where)
            )
        found[entry.name] = place
    return found


def _installed(name: str, value: str, package: str) -> Place:
    from importlib.util import find_spec  # noqa: PLC0415

    top, *below = value.partition(":")[0].strip().split(".")
    try:
        spec = find_spec(top)  # a top-level name: this finds it and imports nothing
    except (ImportError, ValueError):
        spec = None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    problem = "" if folders else _("{name} is no package here", name=top)
    folder = Path(folders[0], *below) if folders else Path()
    return Place(name, f"package {package}", "installed", folder, f"{name}.yaml", problem)


class Names(Sequence[str]):
    """Every name that may follow `new`: ours, the workspace's, the user's, then installed ones.

    Installed packages are looked up only when the others do not answer.
    """

    def __init__(self, root: Path, config: Path) -> None:
        """Look into the folders, not yet at installed packages."""
        self._near = list({**built_in(), **in_workspace(root), **of_user(config)})

    @cached_property
    def _all(self) -> list[str]:
        return list(dict.fromkeys([*self._near, *installed()]))

    def __contains__(self, name: object) -> bool:
        return name in self._near or name in self._all

    def __getitem__(self, at: Any) -> Any:
        return self._all[at]

    def __len__(self) -> int:
        return len(self._all)


def names(*, root: Path, config: Path) -> Names:
    """The names of all packs."""
    return Names(root, config)


def available(*, root: Path, config: Path) -> Iterator[Place]:
    """Every place of a pack, in the order of search; one that cannot be used says why."""
    ours = built_in()
    first: dict[str, str] = {}
    for shelf in (in_workspace(root), of_user(config), installed(), ours):
        for place in shelf.values():
            if place.name in ours and place.origin in ("workspace", "installed"):
                yield place._replace(problem=_("it bears the name of a built-in pack"))
            elif place.name in first:
                yield place._replace(problem=_("{place} comes first", place=first[place.name]))
            else:
                first[place.name] = place.where
                yield place


def find(preset: str, *, root: Path, config: Path, path: Path | None = None) -> FoundPack:
    """The pack of that name, or the one at `path`.

    Order: the path, the workspace, the user's folder, installed packages, ours. Names of
    built-in packs are reserved: a workspace's pack of such a name is refused, an installed
    one is passed over, so that a built-in pack costs no look at installed packages.
    """
    if path is not None:
        return by_path(path)
    if not re.fullmatch(NAME, preset):
        raise UsageError(
            _("not a preset's name"),
            where=preset,
            fix=_("Lower-case words joined by hyphens; a file is named with --preset PATH"),
        )
    own, ours, users = in_workspace(root), built_in(), of_user(config)
    if preset in ours and preset in own:
        raise RefusedError(
            _("it bears the name of a built-in pack"),
            where=own[preset].where,
            fix=_("Rename it, or name it with --preset PATH."),
        )
    place = own.get(preset) or users.get(preset) or ours.get(preset) or installed().get(preset)
    if place is None:
        raise UsageError(
            _("no such preset"), where=preset, fix=nearest(preset, names(root=root, config=config))
        )
    return load(place)


def by_path(path: Path) -> FoundPack:
    """The pack in the file at `path`; it is named like its file."""
    try:
        real = path.resolve()
    except (OSError, RuntimeError, ValueError):
        raise UnreadableError(_("no such file"), where=str(path)) from None
    place = Place(path.stem, path.as_posix(), "path", real.parent, real.name)
    return load(place)


def load(place: Place) -> FoundPack:
    """Read the pack at a place; links out of its folder, devices and large files are refused."""
    if place.problem:
        raise RefusedError(place.problem, where=place.where)
    if not re.fullmatch(NAME, place.name):
        raise UsageError(
            _("a pack is named like its file"),
            where=place.where,
            fix=_("Name the file with lower-case words joined by hyphens, such as tidy-docs.yaml"),
        )
    try:
        source = read.load(place.folder, place.file, limit=floor.LIMIT)
    except LoopgraphError as error:
        raise UnreadableError(error.what, where=place.where) from None
    if len(source.encode()) > LIMIT:
        raise UnreadableError(_("larger than {size} KiB", size=LIMIT // 1024), where=place.where)
    return FoundPack(place.name, source, place.where, place.origin)


def create(root: Path, name: str) -> Path:
    """Write a pack to fill in into the workspace; one that is there is never overwritten."""
    if not re.fullmatch(NAME, name) or len(name) > SLUG_LENGTH:
        raise UsageError(
            _("not a preset's name"),
            where=name,
            fix=_(
                "Use lower-case words joined by hyphens, at most {limit} characters",
                limit=SLUG_LENGTH,
            ),
        )
    if name in built_in():
        raise RefusedError(_("a built-in pack has that name"), where=name, fix=_("Take another."))
    folder = Path(read.inside(root, FOLDER))
    text = (resources.data("presets") / "skeleton.txt").read_text("utf-8")
    path = folder / f"{name}.yaml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists() or path.is_symlink():
            raise RefusedError(
                _("it exists already"), where=f"{FOLDER}/{path.name}", fix=_("Take another name.")
            )
        floor.write_new(str(path), text.replace("my-pack", name).encode())
    except OSError as error:
        raise UsageError(
            _("cannot write: {reason}", reason=(error.strerror or str(error)).lower()), where=FOLDER
        ) from None
    return root / FOLDER / path.name
