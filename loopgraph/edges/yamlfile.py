"""YAML by its library, for what people write and for what we write ourselves."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar, Final

import yaml

from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TIME: Final = "tag:yaml.org,2002:timestamp"
_NULL: Final = "tag:yaml.org,2002:null"
_LONG: Final = 100
"""No number of ours has so many characters, and reading long ones costs more than it should."""


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


def load(source: str, where: str, *, words: bool) -> object:
    """Read YAML as plain data; what cannot be read is refused with its line.

    With `words` what YAML would take for a number or a truth value stays as it was written.
    """
    loader = _TextLoader if words else _Loader
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


def dump(value: object) -> str:
    """Write plain data: keys in the order given, the same bytes everywhere."""
    written: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1 << 30
    )
    # A text with one of these stands in double quotes, where an escape is the same text.
    return written if written.isascii() else written.translate(_INVISIBLE)
