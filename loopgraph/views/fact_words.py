"""What discovery calls its facts, in the reader's language."""

from __future__ import annotations

import re
from typing import Final

from loopgraph.model.messages import N_, _, in_english

_WHOLE: Final = (
    *(N_("released by CI"), N_("deployed"), N_("npm package"), N_("Go module")),
    *(N_("Composer package"), N_("Hex package"), N_("Python package"), N_("Maven artifact")),
    *(N_("exports"), N_("main module"), N_("types"), N_("commands in bin")),
    *(N_("what it installs"), N_("commit hooks")),
    *(N_("instructions for agents"), N_("instructions for Claude Code")),
    *(N_("instructions for Gemini CLI"), N_("instructions for Copilot")),
    *(N_("rules for Cursor"), N_("rules for agents")),
    *(N_("instructions for agents in that folder"), N_("how to contribute")),
    *(N_("how to develop"), N_("how it is built"), N_("map of the documentation")),
    *(N_("what this is"), N_("No test gate: no file here says how this project is tested")),
)
_FORMS: Final = (
    *(N_("published as a {what}"), N_("checked by {count} CI file")),
    *(N_("checked by {count} CI files"), N_("{count} test files")),
    *(N_("Python package {name}"), N_("command {name}"), N_("entry points {name}")),
    *(N_("names in __all__ of {name}"), N_("npm package {name}"), N_("Rust crate {name}")),
    *(N_("Rust program {name}"), N_("Go module {name}"), N_("Go program {name}")),
    *(N_("Composer package {name}"), N_("Hex package {name}"), N_("Maven artifact {name}")),
    *(N_("JSR package {name}"), N_("headers in include ({count} files)")),
    N_("No test files: nothing pins the behaviour of {name}"),
    N_("No test is named after {name} or a file in it ({count} code files)"),
    N_("A detector is set up ({name}) and its findings are not registered yet"),
    N_("{count} TODO or FIXME marks in one file"),
    N_("{what} ({count} files)"),
)
"""The first that fits says it, so the ones with more words of their own come first."""
_VALUES: Final = {"name": ".+", "what": ".+", "count": r"\d+"}


def said(value: str) -> str:
    """A fact as it is called in the reader's language; what a workspace calls its own stays."""
    if in_english():
        return value
    if value in _WHOLE:
        return _(value)
    for text in _FORMS:
        form = re.sub(r"\\\{([a-z]+)\\\}", _group, re.escape(text))
        if found := re.fullmatch(form, value):
            values = found.groupdict()
            # A name is the workspace's own; what stands for a kind may be one of ours again.
            return _(text, **{k: said(word) if k == "what" else word for k, word in values.items()})
    return value


def _group(found: re.Match[str]) -> str:
    return f"(?P<{found[1]}>{_VALUES[found[1]]})"
