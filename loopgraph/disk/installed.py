"""Files of other programs with a piece of ours in them: put in, taken out, and what was before.

A record in the user's state folder keeps the bytes from before and a digest of what was written.
It is written first: whatever a kill leaves, `uninstall` finds the way back.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, NamedTuple

from loopgraph.disk import floor
from loopgraph.edges import hookfile, jsonfile
from loopgraph.edges.hookfile import Handler, Shape
from loopgraph.model.errors import BusyError, RefusedError, UnreadableError, UsageError
from loopgraph.model.messages import _

RECORD: Final = "installed.json"
ORIGINALS: Final = "originals"
LOCK: Final = "installed.lock"
_LIMIT: Final = 4 * 1024 * 1024
_TRIES: Final = 5

Outcome = Literal[
    "added", "replaced", "same", "restored", "taken", "deleted", "absent", "kept", "needed"
]


class Target(NamedTuple):
    """Our entry in a file of a client."""

    host: str
    scope: str
    root: str
    """The workspace; empty for the user's own file."""
    file: str
    shape: Shape
    handler: Handler


class Done(NamedTuple):
    """What was done to a file, or would be."""

    file: str
    outcome: Outcome
    real: str = ""
    """Where it really is, if it is a link."""


class Record(NamedTuple):
    """What is known of a file that was written."""

    host: str
    scope: str
    root: str
    before: str | None
    """The digest of the bytes from before, which are kept under it; None: there was no file."""
    after: tuple[str, ...]
    """Digests of what was written since then; whoever finds one finds our own bytes."""
    inserted: str = ""
    made: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """Folders that were made for it, the outermost first."""
    command: str = ""
    users: tuple[str, ...] = ()
    """Of a skill: what it was installed for."""


def digest(data: bytes) -> str:
    """The fingerprint of a file."""
    return sha256(data).hexdigest()


# The record ----------------------------------------------------------------------------------


def records(state: Path) -> dict[str, Record]:
    """What was written, by the real path of the file."""
    place = state / RECORD
    source = floor.read(str(place)).decode("utf-8", "replace") if place.exists() else None
    files = jsonfile.section(jsonfile.read(source, str(place)), "files", str(place))
    return {file: found for file, said in files.items() if (found := _record(said))}


def _record(said: object) -> Record | None:
    if not isinstance(said, dict):
        return None
    known = {key: said[key] for key in Record._fields if key in said}
    for key in ("after", "made", "folders", "users"):
        listed = known.get(key, [])
        if not isinstance(listed, list):
            return None
        known[key] = tuple(str(one) for one in listed)
    before = known.get("before")
    texts = [known.get(key, "") for key in ("host", "scope", "root", "inserted", "command")]
    if not isinstance(before, str | None) or not all(isinstance(text, str) for text in texts):
        return None
    return Record(**{"host": "", "scope": "", "root": "", "before": None, **known})


def _keep(state: Path, found: dict[str, Record]) -> None:
    """Write the record, and let go the bytes that nothing in it names any more."""
    written: jsonfile.Object = {
        "version": jsonfile.VERSION,
        "files": {file: one._asdict() for file, one in sorted(found.items())},
    }
    floor.replace(str(state / RECORD), jsonfile.write(written).encode("utf-8"), mode=0o600)
    _let_go(state, found)


def _let_go(state: Path, found: dict[str, Record]) -> None:
    named = {one.before for one in found.values()}
    for kept in (state / ORIGINALS).glob("*"):
        if kept.name not in named:
            floor.remove(str(kept))


def _original(state: Path, name: str) -> bytes | None:
    """The bytes from before; None where somebody took or changed them."""
    data = floor.peek(str(state / ORIGINALS / name), _LIMIT)
    return data if data is not None and digest(data) == name else None


def _store(state: Path, data: bytes) -> str:
    name = digest(data)
    folder = state / ORIGINALS
    folder.mkdir(mode=0o700, exist_ok=True)
    if _original(state, name) is None:
        floor.replace(str(folder / name), data, mode=0o600)
    return name


@contextmanager
def _locked(state: Path, where: str) -> Iterator[None]:
    """Hold the record; what the disk refuses becomes one line."""
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        with floor.Lock(str(state / LOCK)):
            # What a kill has left half: it was to become something that is unharmed.
            floor.remove(floor.draft_of(real(where)))
            _let_go(state, records(state))
            yield
    except OSError as error:
        named = error.filename if isinstance(error.filename, str) else where
        draft = floor.draft_of(real(where))
        raise UsageError(
            _("cannot write: {reason}", reason=(error.strerror or str(error)).lower()),
            where=str(Path(draft).parent) if named == draft else named,
            fix=_("Make it writable, and run this again."),
        ) from None


# A file --------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """A file as it is."""

    real: str
    data: bytes | None
    like: os.stat_result | None


def real(file: str) -> str:
    """Where a file really is, links followed: a link stays, and what it names is written."""
    return os.path.realpath(file)


def _look(file: str) -> _Found:
    place = real(file)
    if Path(place).is_symlink():  # links that go round
        raise UnreadableError(_("its links lead nowhere"), where=file)
    if not os.path.lexists(place):
        return _Found(place, None, None)
    try:
        data = floor.read(place, _LIMIT)
    except UnreadableError as error:
        raise UnreadableError(error.what, where=file) from None
    return _Found(place, data, Path(place).stat())


def _free(found: _Found, *, anew: bool) -> None:
    """Refuse a file that is to stay as it is: what is written comes to lie in its place.

    A folder lets anybody do that who may write there, whatever the file itself says. The owner who
    took the right to write away meant us, too; and under its other name the old bytes would go on.
    """
    if found.like is None:
        return
    if not found.like.st_mode & stat.S_IWUSR or not os.access(found.real, os.W_OK):
        raise UsageError(
            _("it is read-only"), where=found.real, fix=_("Make it writable, and run this again.")
        )
    if anew and found.like.st_nlink > 1:
        raise RefusedError(
            _("a hard link: a new file in its place would part it from its other name"),
            where=found.real,
            fix=_("Make it a file of its own, or a symbolic link, and run this again."),
        )


def _led(file: str, found: _Found) -> str:
    """Where a file really is, if it or its folder is a link; empty where neither is."""
    place = Path(file)
    return found.real if place.is_symlink() or place.parent.is_symlink() else ""


def text(file: str) -> str | None:
    """What stands in a file; None where there is none."""
    return _text(_look(file).data, file)


def _text(data: bytes | None, file: str) -> str | None:
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(
            _("not UTF-8 at byte {start}", start=error.start), where=file
        ) from None


def _missing(place: str) -> tuple[str, ...]:
    """The folders that have to be made for a file, the outermost first."""
    missing = [str(folder) for folder in Path(place).parents if not folder.is_dir()]
    return tuple(reversed(missing))


def _write(found: _Found, data: bytes, record: Record, state: Path, before: bytes | None) -> None:
    """Keep what was there, note what is about to be written, then write it."""
    kept = records(state)
    if before is not None:
        _store(state, before)
    _keep(state, {**kept, found.real: record})
    for folder in record.folders:
        with suppress(FileExistsError):
            Path(folder).mkdir()
    floor.replace(found.real, data, like=found.like)


def _forget(state: Path, place: str) -> None:
    kept = records(state)
    gone = kept.pop(place, None)
    if gone is None:
        return
    for folder in reversed(gone.folders):
        with suppress(OSError):  # somebody else has put something into it
            Path(folder).rmdir()
    _keep(state, kept)


def _delete(found: _Found) -> None:
    if not floor.remove(found.real) and os.path.lexists(found.real):
        raise UsageError(
            _("cannot remove it"), where=found.real, fix=_("Make its folder writable.")
        )


def _again(act: Callable[[], Done | None], file: str) -> Done:
    """Do it, and anew where somebody wrote the file in between."""
    for _try in range(_TRIES):
        done = act()
        if done is not None:
            return done
    raise BusyError(_("somebody keeps writing it"), where=file, fix=_("Try again."))


# Hooks ---------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """What is to become of a file."""

    outcome: Outcome
    data: bytes | None = None
    """None: it goes, or stays as it is."""
    before: bytes | None = None
    record: Record | None = None


def install(target: Target, state: Path, *, dry: bool = False) -> Done:
    """Put our entry in; twice is once."""

    def act() -> Done | None:
        found = _look(target.file)
        step = _in(target, found, records(state).get(found.real), state)
        done = Done(target.file, step.outcome, _led(target.file, found))
        if step.outcome == "same" or step.data is None or step.record is None:
            return done
        _free(found, anew=True)
        if dry:
            return done
        if _look(target.file).data != found.data:
            return None
        _write(found, step.data, step.record, state, step.before)
        return done

    if dry:
        return act() or Done(target.file, "same")
    with _locked(state, target.file):
        return _again(act, target.file)


def _in(target: Target, found: _Found, known: Record | None, state: Path) -> _Step:
    ours = known if known and found.data is not None and digest(found.data) in known.after else None
    base, before = found.data, found.data
    if ours:
        # Our own bytes: begin again from what was before, which then stays what it was.
        original = _original(state, ours.before) if ours.before else None
        if original is not None or ours.before is None:
            base = before = original
        else:
            ours = None
    source = _text(base, target.file) or ""
    change = hookfile.with_entry(source, target.handler, target.shape, target.file)
    data = change.text.encode("utf-8")
    if data == found.data:
        return _Step("same")
    if change.clean != source:
        before = change.clean.encode("utf-8")
    earlier = hookfile.mine(_text(found.data, target.file) or "", target.shape, target.file)
    after = (*(ours.after if ours else ()), digest(data))
    record = Record(
        target.host,
        target.scope,
        target.root,
        None if before is None else digest(before),
        tuple(dict.fromkeys(after)),
        change.inserted,
        change.made,
        tuple(dict.fromkeys([*(known.folders if known else ()), *_missing(found.real)])),
        hookfile.command(target.handler),
    )
    return _Step("replaced" if earlier else "added", data, before, record)


def uninstall(target: Target, state: Path, *, dry: bool = False) -> Done:
    """Take our entry out: the bytes from before, or the present ones without our piece."""

    def act() -> Done | None:
        found = _look(target.file)
        known = records(state).get(found.real)
        step = _out(target, found, known, state)
        done = Done(target.file, step.outcome, _led(target.file, found))
        if step.outcome != "absent":
            _free(found, anew=step.data is not None)
        if dry:
            return done
        if step.outcome != "absent":
            if _look(target.file).data != found.data:
                return None
            if step.data is None:
                _delete(found)
            else:
                floor.replace(found.real, step.data, like=found.like)
        if known:
            _forget(state, found.real)
        return done

    if dry:
        return act() or Done(target.file, "absent")
    if not state.is_dir() and _out(target, _look(target.file), None, state).outcome == "absent":
        return Done(target.file, "absent")
    with _locked(state, target.file):
        return _again(act, target.file)


def _out(target: Target, found: _Found, known: Record | None, state: Path) -> _Step:
    if found.data is None:
        return _Step("absent")
    if known and digest(found.data) in known.after:
        if known.before is None:
            return _Step("deleted")
        original = _original(state, known.before)
        if original is not None:
            return _Step("restored", original)
    source = _text(found.data, target.file) or ""
    inserted, made = (known.inserted, known.made) if known else ("", ())
    left = hookfile.without(source, target.shape, target.file, inserted=inserted, made=made)
    if left == source:
        return _Step("absent")
    if known and known.before is None and hookfile.is_bare(left, target.shape):
        return _Step("deleted")
    return _Step("taken", left.encode("utf-8"))


# Skills --------------------------------------------------------------------------------------


def install_skill(file: str, data: bytes, user: str, state: Path, *, dry: bool = False) -> Done:
    """Write a skill; one that somebody has written or changed is kept as it is."""

    def act() -> Done | None:
        found = _look(file)
        known = records(state).get(found.real)
        done = _skill_in(file, found, known, data)
        if done.outcome == "replaced":
            _free(found, anew=True)
        if dry or done.outcome == "kept":
            return done
        users = tuple(dict.fromkeys([*(known.users if known else ()), user]))
        if done.outcome == "same" and (known is None or users == known.users):
            return done
        record = Record(
            "",
            "",
            "",
            None,
            (digest(data),),
            folders=tuple(
                dict.fromkeys([*(known.folders if known else ()), *_missing(found.real)])
            ),
            users=users,
        )
        _write(found, data, record, state, None)
        return done

    if dry:
        return act() or Done(file, "same")
    with _locked(state, file):
        return _again(act, file)


def _skill_in(file: str, found: _Found, known: Record | None, data: bytes) -> Done:
    if found.data is None:
        return Done(file, "added")
    if found.data == data:
        return Done(file, "same")
    ours = known is not None and digest(found.data) in known.after
    return Done(file, "replaced" if ours else "kept")


def uninstall_skill(file: str, user: str, state: Path, *, dry: bool = False) -> Done:
    """Take a skill away, unless another client still has it or somebody has changed it."""

    def act() -> Done | None:
        found = _look(file)
        known = records(state).get(found.real)
        if known is None or user not in known.users:
            return Done(file, "kept" if found.data is not None and known is None else "absent")
        left = tuple(one for one in known.users if one != user)
        changed = found.data is not None and digest(found.data) not in known.after
        outcome: Outcome = "absent"
        if found.data is not None:
            outcome = "kept" if changed else "needed" if left else "deleted"
        if outcome == "deleted":
            _free(found, anew=False)
        if dry:
            return Done(file, outcome)
        if outcome == "deleted":
            _delete(found)
        if left:
            _keep(state, {**records(state), found.real: known._replace(users=left)})
        else:
            _forget(state, found.real)
        return Done(file, outcome)

    if dry:
        return act() or Done(file, "absent")
    if not state.is_dir():
        return Done(file, "kept" if os.path.lexists(file) else "absent")
    with _locked(state, file):
        return _again(act, file)
