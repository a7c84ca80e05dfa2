"""What a workspace says about loopgraph: `.loopgraph.toml`, else pyproject's `[tool.loopgraph]`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from loopgraph.disk import read
from loopgraph.model.errors import UnreadableError, UsageError, nearest
from loopgraph.model.messages import _

OWN: Final = ".loopgraph.toml"
SHARED: Final = "pyproject.toml"
_TABLE: Final = "tool.loopgraph"


class Config(NamedTuple):
    """The settings of a workspace."""

    select: tuple[str, ...] = ()
    """The rules that `check` runs, by id or its beginning; empty for all."""
    ignore: tuple[str, ...] = ()
    """The rules that it leaves out."""
    snapshots: bool = True
    """Whether rounds are measured by snapshots."""


def load(root: Path) -> Config:
    """The settings at the root; defaults where there are none."""
    if (root / OWN).exists():
        return _config(_parse(read.load(root, OWN, limit=read.CONFIG_LIMIT), OWN), OWN)
    shared = read.attempt(root, SHARED)
    if shared is None or "loopgraph" not in shared:
        return Config()
    tool = _parse(shared, SHARED).get("tool")
    table = tool.get("loopgraph", {}) if isinstance(tool, dict) else {}
    return _config(table, f"{SHARED}: {_TABLE}")


def _parse(source: str, where: str) -> dict[str, object]:
    import tomllib  # noqa: PLC0415  only a workspace with settings pays for it

    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnreadableError(
            _("not valid TOML: {reason}", reason=error), where=where, fix=_("Mend that line.")
        ) from None


def _config(table: object, where: str) -> Config:
    if not isinstance(table, dict):
        raise UsageError(
            _("not a table"), where=where, fix=_("Known settings: {names}", names=_known())
        )
    for key in table:
        if key not in Config._fields:
            raise UsageError(
                _("unknown key {key}", key=repr(key)),
                where=where,
                fix=nearest(str(key), Config._fields),
            )
    found: dict[str, Any] = {
        key: _READERS[key](value, f"{where}: {key}") for key, value in table.items()
    }
    return Config(**found)


def _texts(value: object, where: str) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise UsageError(_("not a list of texts"), where=where, fix=_('Write it as ["LG2", "LG107"].'))


def _switch(value: object, where: str) -> bool:
    found = {"on": True, "off": False, True: True, False: False}
    if isinstance(value, str | bool) and value in found:
        return found[value]
    raise UsageError(_("neither on nor off"), where=where, fix=_('Write it as "on" or "off".'))


_READERS: Final[Mapping[str, Callable[[object, str], object]]] = {
    "select": _texts,
    "ignore": _texts,
    "snapshots": _switch,
}


def _known() -> str:
    return ", ".join(Config._fields)
