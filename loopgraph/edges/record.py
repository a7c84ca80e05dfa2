"""run.yaml: the compiler's record of a run, and the RunSpec it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

import msgspec
import yaml

from loopgraph import __version__
from loopgraph.edges import document
from loopgraph.model import contract, knobs
from loopgraph.model.errors import UnreadableError, nearest
from loopgraph.model.messages import _
from loopgraph.model.spec import RunSpec
from loopgraph.plain import text as plain

SCHEMA: Final = "loopgraph/run/1"

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The JSON Schema that our published schemas are written in."""

T = TypeVar("T")

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TIME: Final = "tag:yaml.org,2002:timestamp"
_NULL: Final = "tag:yaml.org,2002:null"
_BLANKS: Final = " \t\r\n"
_LONG: Final = 100
"""No number of ours has so many characters, and reading long ones costs more than it should."""
_ROOM: Final = 100_000
"""So much may aliases add to any file."""


class _Loader(_Base):  # type: ignore[misc]
    """The safe loader, in C where there is one; a date stays text, a key stands once."""

    yaml_implicit_resolvers: ClassVar[Any] = {
        first: [(tag, form) for tag, form in known if tag != _TIME]
        for first, known in _Base.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.Node, *, deep: bool = False) -> Any:
        """Refuse a key that stands twice: one of the two answers would be lost."""
        seen: set[tuple[str, str]] = set()
        for key, _value in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    raise yaml.constructor.ConstructorError(
                        problem=_("the key {value} stands twice", value=key.value),
                        problem_mark=key.start_mark,
                    )
                seen.add((key.tag, key.value))
        return super().construct_mapping(node, deep=deep)

    def number(self, node: yaml.ScalarNode) -> float:
        """A number of a size that somebody could mean."""
        if len(node.value) > _LONG:
            raise yaml.constructor.ConstructorError(
                problem=_("a number is too long"), problem_mark=node.start_mark
            )
        whole = node.tag.endswith(":int")
        read = self.construct_yaml_int if whole else self.construct_yaml_float
        number: float = read(node)
        return number


class _TextLoader(_Loader):
    """The same where a person writes words: `Yes`, `0012` and `1e3` stay what they are."""

    yaml_implicit_resolvers: ClassVar[Any] = {
        first: [(tag, form) for tag, form in known if tag == _NULL]
        for first, known in _Base.yaml_implicit_resolvers.items()
    }


for _kind in ("int", "float"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_kind}", _Loader.number)


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


def load_yaml(source: str, where: str, *, words: bool = False) -> object:
    """Read YAML (or JSON) as plain data; anything that needs code is refused with its line.

    With `words` what YAML would take for a number or a truth value stays as it was written.
    """
    found = _load_json(source, where) if source.lstrip(plain.BOM + _BLANKS)[:1] == "{" else None
    if found is None:
        found = _load(source, where, _TextLoader if words else _Loader)
    if "&" in source and "*" in source:
        _no_bomb(found, 2 * len(source) + _ROOM, where)
    return found


def _load_json(source: str, where: str) -> object:
    """JSON is YAML but for its surrogate pairs, which YAML refuses; None where it is no JSON."""
    import json  # noqa: PLC0415  only who writes JSON pays for it

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
    found: dict[str, int] = {}
    with suppress(yaml.YAMLError, ValueError, RecursionError):  # load_yaml says it better
        root = yaml.compose(source, Loader=_TextLoader)
        for key, value in _entries(root):
            found[key.value] = key.start_mark.line + 1
            for inner, _value in _entries(value):
                found[f"{key.value}.{inner.value}"] = inner.start_mark.line + 1
    return found


def _entries(node: yaml.Node | None) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
    if not isinstance(node, yaml.MappingNode):
        return []
    return [(key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)]


def _load(source: str, where: str, loader: type[Any]) -> object:
    try:
        return yaml.load(source, Loader=loader)  # noqa: S506  a safe one
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{where}:{mark.line + 1}" if mark else where
        raise UnreadableError(
            _("not valid YAML: {reason}", reason=error.problem or error.context),
            where=place,
            fix=_("Mend that line."),
        ) from None
    except RecursionError:
        raise UnreadableError(
            _("nested too deeply"), where=where, fix=_("Mend the file.")
        ) from None
    except yaml.YAMLError as error:
        said = " ".join(str(error).split())[:200]
        raise UnreadableError(
            _("not valid YAML: {reason}", reason=said), where=where, fix=_("Mend the file.")
        ) from None
    except (ValueError, LookupError, AttributeError, ArithmeticError):
        # PyYAML reads a value under a tag that it does not fit (`!!bool maybe`) without care.
        raise UnreadableError(
            _("not valid YAML: a value does not fit its tag"), where=where, fix=_("Mend the file.")
        ) from None


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
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        said, _, place = str(error).partition(" - at `")
        path = place.rstrip("`").removeprefix("$").removeprefix(".")
        raise UnreadableError(
            said[:1].lower() + said[1:], where=f"{where}: {path}" if path else where
        ) from None


def only_keys(value: Mapping[object, object], known: tuple[str, ...], where: str) -> None:
    """Refuse a key that nobody knows, with the nearest one that is known."""
    for key in value:
        if key not in known:
            raise UnreadableError(
                _("unknown key {key}", key=repr(key)), where=where, fix=nearest(str(key), known)
            )


_INVISIBLE: Final = {
    point: f"\\u{point:04X}"
    for span in ((0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
    for point in range(span[0], span[1] + 1)
}
"""Bidirectional controls, which would show a line of the record in another order."""


class _Dumper(yaml.SafeDumper):
    """PyYAML's own emitter: unlike the C one it writes emoji as they are, on every machine."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True


def _string(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    odd = any(not char.isprintable() and char != "\n" for char in text)
    if odd and any("\ud800" <= char <= "\udfff" for char in text):
        # YAML has no way to write half a character, so the record could not be read again.
        raise UnreadableError(_("a text is not valid Unicode"), where=ascii(text[:60]))
    style = '"' if odd else "|" if "\n" in text and not text[:1].isspace() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _string)


def dump_yaml(value: object) -> str:
    """Write plain data: keys in the order given, the same bytes everywhere."""
    written: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1 << 30
    )
    # A text with one of these stands in double quotes, where an escape is the same text.
    return written if written.isascii() else written.translate(_INVISIBLE)


def read(source: str) -> Record:
    """Read a record; a file that is none, or of another schema, is refused with what is wrong."""
    data = load_yaml(source, "run.yaml")
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise UnreadableError(
            _("its schema is not {schema}", schema=SCHEMA),
            where="run.yaml",
            fix=_("Compile the run anew."),
        )
    fields = RunSpec.__dataclass_fields__
    only_keys(data, ("schema", "loopgraph", "contract", *fields, "frozen"), "run.yaml")
    spec = convert({key: data[key] for key in fields if key in data}, RunSpec, "run.yaml")
    version = convert(data.get("loopgraph", ""), str, "run.yaml: loopgraph")
    frozen = convert(data.get("frozen") or {}, dict[str, str], "run.yaml: frozen")
    return Record(spec, version, frozen)


def write(spec: RunSpec, frozen: Mapping[str, str]) -> str:
    """Write a record: keys in the order of RunSpec, so the same spec gives the same bytes."""
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
    parts = {name: digest(files[name]) for name in contract.PROMPTS if name in files}
    if "ops.md" in files:
        ops = document.parse(files["ops.md"])
        for title in contract.OPS_FROZEN:
            section = ops.section(title)
            body = "" if section is None else "".join(ops.lines[section.start : section.end])
            parts[f"ops.md#{title}"] = digest(body.rstrip("\r\n" + plain.BOM))
    return parts
