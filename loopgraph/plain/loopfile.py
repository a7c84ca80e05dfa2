"""A loop's state file: front matter and prompt, read by spans so that an edit touches nothing else.

The front matter is the small part of YAML that such files use: `key: value` at column 0, texts bare
or quoted, comments. Nested and unknown entries are kept and not understood.
"""

from __future__ import annotations

LIMIT = 1024 * 1024
"""No loop file is larger."""

KEYS = (
    "iteration", "max_iterations", "completion_promise", "session_id", "started_at", "active",
    "output", "auto_chunk", "max_output_chars", "non_interactive", "reporting", "endless",
    "task", "goal",
)  # fmt: skip
"""What a front matter may say; the other keys are other people's."""

ENDLESS = 0
"""max_iterations at or below this number is no limit."""

NO_FRONT_MATTER = "no front matter"
"""Why a file is corrupt that may never have been a loop."""

_NULLS = ("", "null", "Null", "NULL", "~")
_DIGITS = "0123456789"
_LONG = 10
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "n": "\n", "t": "\t", "r": "\r", "0": "\0", " ": " "}
_WIDTHS = {"x": 2, "u": 4, "U": 8}
_HIGHEST = 0x10FFFF
"""The last character there is."""


class CorruptError(ValueError):
    """A loop file that says nothing a loop could go on with."""


class Loop:
    """What a loop file says."""

    __slots__ = ("_body", "_spans", "_text", "values")

    def __init__(self, text: str) -> None:
        """Read a file's text; CorruptError where it has no front matter, counter or prompt."""
        self._text = text
        self._spans: dict[str, tuple[int, int]] = {}
        self.values: dict[str, str | None] = {}
        """Each known key that is there; None for null."""
        self._body = self._read()
        self._number("iteration")
        self._number("max_iterations")
        if "iteration" not in self.values or self.iteration < 0:
            raise CorruptError("no iteration")
        if not self.prompt.strip():
            raise CorruptError("no prompt")

    def _read(self) -> int:
        """Fill in spans and values; return where the prompt begins."""
        at = 1 if self._text.startswith("\ufeff") else 0
        first = True
        while at < len(self._text):
            end = self._text.find("\n", at)
            end = len(self._text) if end < 0 else end
            line = self._text[at:end].removesuffix("\r")
            if first:
                if line.rstrip(" \t") != "---":
                    break
                first = False
            elif line.rstrip(" \t") == "---":
                return min(end + 1, len(self._text))
            else:
                self._entry(line, at)
            at = end + 1
        raise CorruptError(NO_FRONT_MATTER)

    def _entry(self, line: str, at: int) -> None:
        if not line.strip(" \t") or line[0] in " \t#-":
            return
        key, colon, rest = line.partition(":")
        if not colon:
            raise CorruptError("a line of the front matter is no entry")
        key = key.rstrip(" \t").strip("\"'")
        if key not in KEYS:
            return
        if key in self._spans:
            raise CorruptError(f"{key} stands there twice")
        value, start, end = _scalar(rest)
        start += at + len(line) - len(rest)
        self.values[key] = value
        self._spans[key] = (start, start + end)

    def _number(self, key: str) -> int:
        value = self.values.get(key) or ""
        digits = value.removeprefix("-").removeprefix("+")
        if not value and key not in self._spans:
            return 0
        if not 0 < len(digits) < _LONG or digits.strip(_DIGITS):
            raise CorruptError(f"{key} is no number")
        return -int(digits) if value[0] == "-" else int(digits)

    @property
    def iteration(self) -> int:
        """How often the prompt was given, the first time included."""
        return self._number("iteration")

    @property
    def max_iterations(self) -> int:
        """The last iteration; none at or below 0, or where the file says nothing."""
        return self._number("max_iterations")

    @property
    def promise(self) -> str | None:
        """What ends the loop when it is said; None where it never ends by itself."""
        said = (self.values.get("completion_promise") or "").strip()
        return said or None

    @property
    def session(self) -> str:
        """The session that it is bound to; empty where none is."""
        return self.values.get("session_id") or ""

    @property
    def active(self) -> bool:
        """Whether the owner left it switched on."""
        return (self.values.get("active") or "true").lower() not in ("false", "no", "off")

    @property
    def endless(self) -> bool:
        """Whether the limit of blocks in all is lifted."""
        return (self.values.get("endless") or "").lower() in ("true", "yes", "on")

    @property
    def strict(self) -> bool:
        """Whether answers have a fixed form, so that nothing may be demanded in their text."""
        return (self.values.get("output") or "").lower() == "strict"

    @property
    def copy_of(self) -> str:
        """The task that this file is a copy of, for other tools; the task's own file counts."""
        return self.values.get("task") or ""

    @property
    def prompt(self) -> str:
        """What was asked: everything behind the front matter but the last line end."""
        body = self._text[self._body :]
        return body[:-2] if body.endswith("\r\n") else body.removesuffix("\n")

    def with_value(self, key: str, value: str) -> str:
        """The file's text with another value for a key; every other byte as it was.

        A key that is not there yet becomes the last line of the front matter.
        """
        if key in self._spans:
            start, end = self._spans[key]
            # `iteration:3` is somebody's way of writing; only `session_id:` needs a blank.
            blank = " " if start == end and self._text[start - 1] == ":" else ""
            value += " " if self._text[start : start + 1] == "#" else ""
            return self._text[:start] + blank + value + self._text[end:]
        close = self._text.rfind("---", 0, self._body)
        newline = "\r\n" if self._text[:close].endswith("\r\n") else "\n"
        return f"{self._text[:close]}{key}: {value}{newline}{self._text[close:]}"


def _scalar(rest: str) -> tuple[str | None, int, int]:
    """The value of an entry, and where it begins and ends in what follows the colon."""
    start = len(rest) - len(rest.lstrip(" \t"))
    said = rest[start:]
    if said[:1] == '"':
        value, size = _double(said)
        return value, start, size
    if said[:1] == "'":
        at = 1
        while True:
            at = said.find("'", at)
            if at < 0:
                raise CorruptError("a quote is not closed")
            if said[at + 1 : at + 2] != "'":
                break
            at += 2
        _nothing_behind(said[at + 1 :])
        return said[1:at].replace("''", "'"), start, at + 1
    comment = 0 if said[:1] == "#" else said.find(" #")
    tab = said.find("\t#")
    ends = [end for end in (comment, tab) if end >= 0]
    bare = (said[: min(ends)] if ends else said).rstrip(" \t")
    return (None if bare in _NULLS else bare), start, len(bare)


def _nothing_behind(rest: str) -> None:
    left = rest.strip(" \t")
    if left and (left[0] != "#" or rest[0] not in " \t"):
        raise CorruptError("text behind a closed quote")


def _double(said: str) -> tuple[str, int]:
    """A text in double quotes and its length with them."""
    parts: list[str] = []
    at = 1
    while at < len(said):
        char = said[at]
        if char == '"':
            _nothing_behind(said[at + 1 :])
            return "".join(parts), at + 1
        if char != "\\":
            parts.append(char)
            at += 1
            continue
        kind = said[at + 1 : at + 2]
        width = _WIDTHS.get(kind, 0)
        digits = said[at + 2 : at + 2 + width]
        if kind in _ESCAPES:
            parts.append(_ESCAPES[kind])
        elif width and len(digits) == width and not digits.strip("0123456789abcdefABCDEF"):
            code = int(digits, 16)
            if code > _HIGHEST:
                break
            parts.append(chr(code))
        else:
            break
        at += 2 + width
    raise CorruptError("a quote is not closed, or holds an escape that nobody knows")


def quoted(value: str) -> str:
    """A text as a value of the front matter, in double quotes."""
    out = value.replace("\\", "\\\\").replace('"', '\\"')
    for char, escape in (("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"), ("\0", "\\0")):
        out = out.replace(char, escape)
    return f'"{out}"'
