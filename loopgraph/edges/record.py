"""run.yaml: the compiler's record of a run, and the RunSpec it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar

from loopgraph import __version__
from loopgraph.edges import document, owntypes, ownyaml
from loopgraph.model import contract, knobs
from loopgraph.model.errors import UnreadableError, nearest
from loopgraph.model.messages import N_, _, reworded
from loopgraph.model.spec import RunSpec
from loopgraph.model.value import parts
from loopgraph.plain import text as plain

SCHEMA: Final = "loopgraph/run/1"

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The JSON Schema that our published schemas are written in."""

T = TypeVar("T")

_BLANKS: Final = " \t\r\n"
_ROOM: Final = 100_000
"""So much may aliases add to any file."""


class Record(NamedTuple):
    """What run.yaml says."""

    spec: RunSpec
    version: str
    """The loopgraph that compiled the run."""
    frozen: Mapping[str, str]
    """SHA-256 of each frozen part over LF text: `executor.md`, `ops.md#Gates` …"""


def knob(record: Record | None, name: str) -> knobs.Value | None:
    """A knob of the run, else its default."""
    if record is not None:
        return record.spec.knob(name)
    found = knobs.BY_NAME.get(name)
    return found.default if found else None


def load_yaml(
    source: str, where: str, *, words: bool = False, written_by_us: bool = False
) -> object:
    """Read YAML (or JSON) as plain data; anything that needs code is refused with its line.

    With `words` what YAML would take for a number or a truth value stays as it was written. What
    we have written ourselves is read without the library, where it has still our form.
    """
    found = _load_json(source, where) if source.lstrip(plain.BOM + _BLANKS)[:1] == "{" else None
    if found is None and written_by_us:
        with suppress(ownyaml.NotOursError):
            return ownyaml.read(source)
    if found is None:
        from loopgraph.edges import yamlfile  # noqa: PLC0415  what we wrote does without

        found = yamlfile.load(source, where, words=words)
    if "&" in source and "*" in source:
        _no_bomb(found, 2 * len(source) + _ROOM, where)
    return found


def _load_json(source: str, where: str) -> object:
    """JSON is YAML but for its surrogate pairs, which YAML refuses; None where it is no JSON."""
    import json  # noqa: PLC0415  only who writes JSON pays for it

    import msgspec  # noqa: PLC0415

    source = source.removeprefix(plain.BOM)
    try:
        found: object = msgspec.json.decode(source.encode("utf-8", "surrogatepass"))
        json.loads(source, object_pairs_hook=_once)
    except _TwiceError as error:
        raise UnreadableError(
            _("the key {key} stands twice", key=error), where=where, fix=_("Leave one of them.")
        ) from None
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None  # a flow map of YAML may begin the same way
    return found


class _TwiceError(Exception):
    """A key of a JSON object stands twice."""


def _once(pairs: list[tuple[str, object]]) -> None:
    seen: set[str] = set()
    for key, _value in pairs:
        if key in seen:
            raise _TwiceError(key)
        seen.add(key)


def key_lines(source: str) -> dict[str, int]:
    """The line of each key of the outer mapping, and of those one level below as `a.b`."""
    from loopgraph.edges import yamlfile  # noqa: PLC0415  only who tells of a key pays for it

    return yamlfile.key_lines(source)


def _no_bomb(found: object, limit: int, where: str) -> None:
    """Refuse aliases that say much more than the file holds, or hold themselves."""
    waiting = [found]
    size = 0
    while waiting and size <= limit:
        value = waiting.pop()
        if isinstance(value, dict):
            inside = [*value, *value.values()]
        else:
            inside = list(value) if isinstance(value, list | tuple | set) else []
        size += len(value) if isinstance(value, str | bytes) else len(inside)
        waiting += inside
    if size > limit:
        raise UnreadableError(
            _("its aliases repeat too much"), where=where, fix=_("Write the texts out.")
        )


def convert(value: object, kind: type[T], where: str) -> T:
    """Turn plain data into a typed value, or refuse naming the place and the nearest field."""
    import msgspec  # noqa: PLC0415  a record of our own form does without

    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        said, _mark, place = str(error).partition(" - at `")
        path = place.rstrip("`").removeprefix("$").removeprefix(".")
        what = reworded(said[:1].lower() + said[1:], _WORDINGS)
        raise UnreadableError(what, where=f"{where}: {path}" if path else where) from None


_WORDINGS: Final = (
    (r"expected (?P<wanted>`[^`]*`), got (?P<found>`[^`]*`)", N_("expected {wanted}, got {found}")),
    (
        r"expected (?P<wanted>`[^`]*`) of length (?P<length>.*)",
        N_("expected {wanted} of length {length}"),
    ),
    (r"object missing required field (?P<key>.*)", N_("object missing required field {key}")),
    (r"object contains unknown field (?P<key>.*)", N_("object contains unknown field {key}")),
    (r"invalid enum value (?P<value>.*)", N_("invalid enum value {value}")),
    (r"expected (?P<wanted>.*)", N_("expected {wanted}")),
)
"""What the reader of types says, and the same as a message."""


def only_keys(value: Mapping[object, object], known: tuple[str, ...], where: str) -> None:
    """Refuse a key that nobody knows, with the nearest one that is known."""
    for key in value:
        if key not in known:
            raise UnreadableError(
                _("unknown key {key}", key=repr(key)), where=where, fix=nearest(str(key), known)
            )


def dump_yaml(value: object) -> str:
    """Write plain data: keys in the order given, the same bytes everywhere."""
    from loopgraph.edges import yamlfile  # noqa: PLC0415  only who writes pays for it

    return yamlfile.dump(value)


@lru_cache(maxsize=2)  # a command that measures reads the run twice
def read(source: str) -> Record:
    """Read a record; a file that is none, or of another schema, is refused with what is wrong."""
    data = load_yaml(source, "run.yaml", written_by_us=True)
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise UnreadableError(
            _("its schema is not {schema}", schema=SCHEMA),
            where="run.yaml",
            fix=_("Compile the run anew."),
        )
    fields = parts(RunSpec)
    only_keys(data, ("schema", "loopgraph", "contract", *fields, "frozen"), "run.yaml")
    said = {key: data[key] for key in fields if key in data}
    version, frozen = data.get("loopgraph", ""), data.get("frozen") or {}
    with suppress(ownyaml.NotOursError):
        if type(version) is str and _is_flat(frozen):
            return Record(owntypes.read(said, RunSpec), version, frozen)
    spec = convert(said, RunSpec, "run.yaml")
    version = convert(version, str, "run.yaml: loopgraph")
    return Record(spec, version, convert(frozen, dict[str, str], "run.yaml: frozen"))


def _is_flat(data: object) -> bool:
    """Whether this maps texts to texts."""
    return type(data) is dict and all(
        type(key) is str and type(value) is str for key, value in data.items()
    )


def write(spec: RunSpec, frozen: Mapping[str, str]) -> str:
    """Write a record: keys in the order of RunSpec, so the same spec gives the same bytes."""
    import msgspec  # noqa: PLC0415  only who writes pays for it

    said = msgspec.to_builtins(spec)
    if spec.carried is None:
        del said["carried"]
    if not spec.adopted:
        del said["adopted"]
    return dump_yaml(
        {
            "schema": SCHEMA,
            "loopgraph": __version__,
            "contract": f"{contract.NAMESPACE}/{contract.VERSION}",
            **said,
            "frozen": dict(frozen),
        }
    )


def schema() -> dict[str, Any]:
    """The published JSON Schema of run.yaml."""
    import msgspec  # noqa: PLC0415  only who publishes it pays for it

    made = msgspec.json.schema(RunSpec)
    run = made["$defs"]["RunSpec"]
    head: dict[str, object] = {
        "schema": {"const": SCHEMA},
        "loopgraph": {"type": "string"},
        "contract": {"type": "string"},
    }
    frozen: dict[str, object] = {"type": "object", "additionalProperties": {"type": "string"}}
    return {
        "$schema": DIALECT,
        "title": "run.yaml of loopgraph",
        **made,
        "$defs": {
            **made["$defs"],
            "RunSpec": {
                **run,
                "properties": {**head, **run["properties"], "frozen": frozen},
                "required": ["schema", *run["required"]],
                "additionalProperties": False,
            },
        },
    }


def digest(text: str) -> str:
    """SHA-256 over LF text: a checkout that turned line ends changes nothing."""
    return sha256(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()


def frozen_parts(files: Mapping[str, str]) -> dict[str, str]:
    """The digest of each frozen part: the prompts whole, ops.md by section."""
    found = {name: digest(files[name]) for name in contract.PROMPTS if name in files}
    if "ops.md" in files:
        ops = document.parse(files["ops.md"])
        for title in contract.OPS_FROZEN:
            section = ops.section(title)
            body = "" if section is None else "".join(ops.lines[section.start : section.end])
            found[f"ops.md#{title}"] = digest(body.rstrip("\r\n" + plain.BOM))
    return found
