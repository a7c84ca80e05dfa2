"""Project templates for copier and cookiecutter, as large and as busy as loopgraph's own.

Each file is one of loopgraph's templates with its wording and structure kept and its meaning
dropped: an expression becomes a plain variable, a condition a flag, a loop a loop over a list of
three. So the peers read, compile and write as much as `loopgraph new` does, whatever becomes of
the templates.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

NAMES = ("executor", "supervisor", "ledger", "directives", "ops")
_TAG = re.compile(r"\{%[-+]?\s*(\w+)\s*(.*?)\s*[-+]?%\}|\{\{[-+]?\s*(.*?)\s*[-+]?\}\}", re.DOTALL)


class Size(NamedTuple):
    """What the templates of one project hold."""

    lines: int
    bytes: int
    expressions: int
    conditions: int
    loops: int

    def __str__(self) -> str:
        return (
            f"{self.lines} lines, {self.bytes:,} bytes, {self.expressions} expressions, "
            f"{self.conditions} conditions, {self.loops} loops"
        )


def size(texts: list[str]) -> Size:
    """Measure templates."""
    words = [tag[1] or "=" for text in texts for tag in _TAG.finditer(text)]
    return Size(
        sum(text.count("\n") for text in texts),
        sum(len(text.encode()) for text in texts),
        words.count("="),
        words.count("if") + words.count("elif"),
        words.count("for"),
    )


class Neutral:
    """Turns templates into their like; collects the variables that they then need."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.kinds: dict[str, str] = {}
        """Name of each variable to `word`, `flag` or `list`."""
        self._known: dict[tuple[str, str], str] = {}

    def text(self, template: str) -> str:
        """One template, its meaning dropped."""
        self._loops: list[str] = []
        return _TAG.sub(self._tag, template)

    def _variable(self, kind: str, expression: str) -> str:
        name = self._known.setdefault((kind, expression), f"{kind}_{len(self._known) + 1}")
        self.kinds[name] = kind
        return self.prefix + name

    def _tag(self, tag: re.Match[str]) -> str:
        word, rest, expression = tag.groups()
        if expression is not None:
            if expression.startswith(("loop.", "'")):
                return tag[0] if "loop." in expression else ""
            root = re.split(r"\W", expression, maxsplit=1)[0]
            inner = next((loop for loop in reversed(self._loops) if loop == root), None)
            return f"{{{{ {inner or self._variable('word', expression)} }}}}"
        if word == "for":
            names, _, iterable = rest.partition(" in ")
            self._loops.append(names.partition(",")[0].strip())
            return f"{{% for {self._loops[-1]} in {self._variable('list', iterable)} %}}"
        if word == "endfor":
            self._loops.pop()
        if word in ("if", "elif"):
            return f"{{% {word} {self._variable('flag', rest)} %}}"
        return "" if word == "set" else tag[0]


def _defaults(kinds: dict[str, str], items: Any) -> dict[str, Any]:
    values = {"word": "a value of a usual length", "flag": True, "list": items}
    return {name: values[kind] for name, kind in kinds.items()}


def copier(templates: Path, folder: Path) -> list[str]:
    """Make a copier project and return the texts of its templates."""
    folder.mkdir(parents=True)
    neutral = Neutral("")
    texts = [neutral.text((templates / f"{name}.md.j2").read_text("utf-8")) for name in NAMES]
    for name, text in zip(NAMES, texts, strict=True):
        (folder / f"{name}.md.jinja").write_text(text, "utf-8")
    types = {"word": "str", "flag": "bool", "list": "yaml"}
    defaults = _defaults(neutral.kinds, ["first item", "second item", "third item"])
    questions = {
        name: {"type": types[kind], "help": f"What is {name}?", "default": defaults[name]}
        for name, kind in neutral.kinds.items()
    }
    (folder / "copier.yml").write_text(json.dumps(questions, indent=1), "utf-8")
    return texts


def cookiecutter(templates: Path, folder: Path) -> list[str]:
    """Make a cookiecutter project and return the texts of its templates."""
    inside = folder / "{{cookiecutter.slug}}"
    inside.mkdir(parents=True)
    neutral = Neutral("cookiecutter.")
    texts = [neutral.text((templates / f"{name}.md.j2").read_text("utf-8")) for name in NAMES]
    for name, text in zip(NAMES, texts, strict=True):
        (inside / f"{name}.md").write_text(text, "utf-8")
    # A list would be a choice between its items; a mapping is looped over by its keys.
    items = dict.fromkeys(("first item", "second item", "third item"), "")
    context = {"slug": "made", **_defaults(neutral.kinds, items)}
    (folder / "cookiecutter.json").write_text(json.dumps(context, indent=1), "utf-8")
    return texts
