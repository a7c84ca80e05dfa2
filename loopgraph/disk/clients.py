"""Where a client's hooks are on this machine, and which of them are ours."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph.disk import floor, roots
from loopgraph.edges import hookfile, jsonspans
from loopgraph.edges.hookfile import Handler, Shape
from loopgraph.hosts import hooks
from loopgraph.hosts.hooks import BY_NAME, Hooked, Place, Scope
from loopgraph.model.errors import UnreadableError
from loopgraph.plain import jsontext

_LIMIT: Final = 4 * 1024 * 1024
_MANY: Final = 500
_PLUGIN: Final = "loopgraph@"


class Seen(NamedTuple):
    """A hook of ours in a file of a client."""

    file: str
    handler: Handler
    """Empty where only its words were found, or a plugin's name."""
    plugin: bool = False


def home(client: Hooked, environ: Mapping[str, str]) -> Path:
    """The client's own folder."""
    variable, below = client.home
    named = environ.get(variable, "") if variable else ""
    return Path(named).absolute() if named else roots.home(environ) / below


def file(client: Hooked, scope: Scope, root: Path, environ: Mapping[str, str]) -> str:
    """The file that is written for a scope."""
    if scope == "user":
        return str(home(client, environ) / client.user)
    return str(checkout(client, root) / client.project)


def checkout(client: Hooked, root: Path) -> Path:
    """Where a client looks for a project's hooks: Codex in the main checkout alone."""
    if client.name != "codex":
        return root
    return _main(root) or root


def _main(root: Path) -> Path | None:
    """The main checkout of a linked worktree; None where this is none, or it has none."""
    said = floor.peek(str(root / ".git"), 64 * 1024)
    if said is None:
        return None
    line = said.decode("utf-8", "replace").strip()
    if not line.startswith("gitdir: "):
        return None
    own = Path(os.path.normpath(root / line.removeprefix("gitdir: ")))
    if own.parent.name != "worktrees" or own.parent.parent.name != ".git":
        return None
    return own.parent.parent.parent


def skill(client: Hooked, scope: Scope, root: Path, environ: Mapping[str, str]) -> str:
    """The file of our skill for a scope."""
    project, user = client.skills
    if scope == "project":
        return str(root / project / "loopgraph" / "SKILL.md")
    if user.startswith(f"{client.home[1]}/"):
        below = user.removeprefix(f"{client.home[1]}/")
        return str(home(client, environ) / below / "loopgraph" / "SKILL.md")
    return str(roots.home(environ) / user / "loopgraph" / "SKILL.md")


def seen(client: Hooked, root: Path, environ: Mapping[str, str]) -> tuple[Seen, ...]:
    """Every hook of ours that a client would run here, plugins included, each place once."""
    found: list[Seen] = []
    done: set[str] = set()
    for place in client.places():
        for path in _files(client, place, root, environ):
            real = os.path.realpath(path)
            if real in done:
                continue
            done.add(real)
            found.extend(_in(path, place.shape))
    found.extend(_plugins(client, root, environ))
    return tuple(found)


def _files(client: Hooked, place: Place, root: Path, environ: Mapping[str, str]) -> Iterator[str]:
    of = BY_NAME[place.of] if place.of else client
    base = home(of, environ) if place.base == "home" else checkout(client, root)
    folder, star, ending = place.path.partition("/*")
    if not star:
        yield str(base / place.path)
        return
    try:
        names = sorted(one.name for one in (base / folder).iterdir() if one.name.endswith(ending))
    except OSError:
        return
    yield from (str(base / folder / name) for name in names[:_MANY])


def _in(path: str, shape: Shape | None) -> Iterator[Seen]:
    data = floor.peek(os.path.realpath(path), _LIMIT)
    if data is None:
        return
    text = data.decode("utf-8", "replace")
    if shape is not None:
        try:
            found = hookfile.mine(text, shape, path)
        except UnreadableError:
            found = ()
        yield from (Seen(path, one.handler) for one in found)
        return
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    if any(hookfile.is_mine({"command": line}) for line in lines):
        yield Seen(path, {})


def _plugins(client: Hooked, root: Path, environ: Mapping[str, str]) -> Iterator[Seen]:
    """Whether our plugin is switched on."""
    if client.name == "claude-code":
        files = [root / ".claude/settings.local.json", root / ".claude/settings.json"]
        for path in (*files, home(client, environ) / "settings.json"):
            data = floor.peek(os.path.realpath(path), _LIMIT)
            try:
                said = jsonspans.value((data or b"").decode("utf-8"))
            except ValueError:
                continue
            on = said.get("enabledPlugins") if isinstance(said, dict) else None
            names = [name for name, value in on.items() if value] if isinstance(on, dict) else []
            ours = [name for name in names if name.startswith(_PLUGIN)]
            yield from (Seen(f"{path}: {name}", {}, plugin=True) for name in ours)
    elif client.name == "codex":
        path = home(client, environ) / "config.toml"
        for name, said in _table(path, "plugins").items():
            off = isinstance(said, dict) and said.get("enabled") is False
            if name.startswith(_PLUGIN) and not off:
                yield Seen(f"{path}: {name}", {}, plugin=True)


def switched_off(client: Hooked, root: Path, environ: Mapping[str, str]) -> str:
    """The file that switches every hook of a client off; empty for none."""
    if client.name == "claude-code":
        files = [root / ".claude/settings.local.json", root / ".claude/settings.json"]
        files.append(home(client, environ) / "settings.json")
        for path in files:
            data = floor.peek(os.path.realpath(path), _LIMIT)
            said = jsontext.attempt((data or b"").decode("utf-8", "replace").removeprefix("\ufeff"))
            if isinstance(said, dict) and said.get("disableAllHooks") is True:
                return str(path)
    if client.name == "codex":
        for path in (checkout(client, root) / ".codex", home(client, environ)):
            features = _table(path / "config.toml", "features")
            if False in (features.get("hooks"), features.get("codex_hooks")):
                return str(path / "config.toml")
    return ""


def has_hooks_elsewhere(client: Hooked, file: str) -> str:
    """The other file of the same folder that registers hooks as well, as Codex's may."""
    path = Path(file).with_name("config.toml")
    return str(path) if client.name == "codex" and _table(path, "hooks") else ""


def _table(path: Path, name: str) -> Mapping[str, object]:
    import tomllib  # noqa: PLC0415  only one client needs it

    data = floor.peek(os.path.realpath(path), _LIMIT)
    try:
        found = tomllib.loads((data or b"").decode("utf-8")).get(name)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def called(handler: Handler) -> str:
    """The interpreter that a handler of ours starts; empty where its form is not ours."""
    said = hookfile.command(handler)
    words = " ".join(hooks.WORDS)
    if words not in said:
        return ""
    import shlex  # noqa: PLC0415  only who looks pays for it

    try:
        parts = shlex.split(said)
    except ValueError:
        return ""
    at = next((at for at in range(len(parts)) if " ".join(parts[at : at + 5]).startswith(words)), 0)
    return parts[at - 1] if at else ""
