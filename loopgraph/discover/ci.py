"""What a project's CI runs: the strongest word on how it is checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from loopgraph.discover.tree import Tree

_FILES = re.compile(
    r"\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci/config\.ya?ml"
    r"|azure-pipelines\.ya?ml|\.travis\.ya?ml|bitbucket-pipelines\.ya?ml|\.woodpecker(/[^/]+)?\.ya?ml"
    r"|\.forgejo/workflows/[^/]+\.ya?ml|\.gitea/workflows/[^/]+\.ya?ml|appveyor\.ya?ml|\.cirrus\.ya?ml"
)
_OTHER_WORK = re.compile(
    r"release|publish|deploy|docs?\b|codeql|stale|label|nightly|bump|autofix|update|sync|preview"
    r"|dependabot|scorecard|lock|welcome|issue|merge|benchmark|copilot|smokeshow|downstream",
    re.IGNORECASE,
)
"""Workflows that do something else than check a change."""
_KEY = re.compile(
    r"^(?P<lead>[ ]*(?:-[ ]+)?)(?P<key>run|script|before_script|command|bash|pwsh|test_script):"
    r"(?P<value>[ ].*)?$"
)
_FOLDER = re.compile(r"^\s*(?:-\s+)?working-directory\s*:\s*['\"]?([^'\"#\s]+)")
_CAP: Final = 24
_LINES: Final = 4_000
_STEP_LINES: Final = 40
"""As many lines of a file, and of a step, are looked at: a stranger's may be endless."""


class Step(NamedTuple):
    """One command line of a CI configuration."""

    command: str
    file: str
    line: int
    folder: str
    """Where it runs, relative to the root; `.` for the root."""


def files(tree: Tree) -> list[str]:
    """The CI configuration files, those that check a change first."""
    found = [path for path in tree.shallow(2) if _FILES.fullmatch(path)]
    return sorted(found, key=lambda path: (bool(_OTHER_WORK.search(path)), path))


@lru_cache(maxsize=2)
def steps(tree: Tree) -> tuple[Step, ...]:
    """Every command line that CI runs to check a change."""
    checking = [path for path in files(tree) if not _OTHER_WORK.search(path)] or files(tree)
    return tuple(step for path in checking[:_CAP] for step in read(tree.text(path), path))


def read(text: str, file: str) -> Iterator[Step]:
    """Read the command lines of one file by its lines: no YAML reader is needed for this."""
    lines = text.splitlines()[:_LINES]
    default = "."
    done = 0
    for index, line in enumerate(lines):
        if index < done:
            continue  # inside a block that was read as one text
        found = _KEY.match(line)
        if not found:
            folder = _FOLDER.match(line)
            if folder and index and re.match(r"\s*run\s*:\s*$", lines[index - 1]):
                default = _clean_folder(folder[1])
            continue
        column = len(found["lead"])
        value = (found["value"] or "").strip()
        folder_here = _step_folder(lines, index, column) or default
        if value[:1] in {"|", ">"}:
            body = _block(lines, index + 1, column)
            done = body[-1][0] if body else 0
            if value[0] == ">":
                body = [(body[0][0], " ".join(text for _, text in body))] if body else []
        elif value and not value.startswith("#"):
            body = [(index + 1, _scalar(value))]
        else:
            body = _items(lines, index + 1, column)
        for number, command in _joined(body):
            yield Step(command, file, number, folder_here)


def _block(lines: Sequence[str], start: int, column: int) -> list[tuple[int, str]]:
    """The lines of a block scalar: all that are deeper than the key."""
    out: list[tuple[int, str]] = []
    for index in range(start, len(lines)):
        line = lines[index]
        if not line.strip():
            continue
        if len(line) - len(line.lstrip()) <= column:
            break
        out.append((index + 1, line.strip()))
    return out


def _items(lines: Sequence[str], start: int, column: int) -> list[tuple[int, str]]:
    """The items of a list below the key, each one command."""
    out: list[tuple[int, str]] = []
    for index in range(start, len(lines)):
        line = lines[index]
        body = line.strip()
        if not body or body.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        if indent < column or not (body.startswith("- ") or (out and indent > column + 2)):
            break
        if body.startswith("- ") and not body.startswith(("- |", "- >")):
            out.append((index + 1, _scalar(body[2:].strip())))
        elif not body.startswith("- "):
            out.append((index + 1, body))
    return out


def _scalar(value: str) -> str:
    if value[:1] in {'"', "'"} and len(value) > 1:
        end = value.rfind(value[0])
        return value[1:end] if end > 0 else value[1:]
    return value.split(" #", 1)[0].strip()


def _joined(body: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Command lines, continued ones joined, comments left out."""
    waiting, at = "", 0
    for number, text in body:
        at = at if waiting else number
        waiting = f"{waiting} {text}".strip()
        if waiting.endswith("\\"):
            waiting = waiting[:-1].rstrip()
            continue
        if waiting and not waiting.startswith("#"):
            yield at, waiting
        waiting = ""
    if waiting:
        yield at, waiting


def _step_folder(lines: Sequence[str], index: int, column: int) -> str:
    """The `working-directory` of the step that this line belongs to."""
    for step in (1, -1):
        at = index if step == -1 else index + 1
        while 0 <= at < len(lines) and abs(at - index) <= _STEP_LINES:
            line = lines[at]
            lead = re.match(r"\s*(-\s+)?", line)
            depth = lead.end() if lead else 0
            if line.strip() and depth < column:
                break
            found = _FOLDER.match(line)
            if found and depth == column:
                return _clean_folder(found[1])
            begins = line.lstrip().startswith("- ") and depth == column
            if begins and (step == -1 or at != index):
                break
            at += step
    return ""


def _clean_folder(folder: str) -> str:
    if "$" in folder:
        return "."
    return folder.removeprefix("./").rstrip("/") or "."


def calls(steps: Sequence[Step], pattern: str) -> Step | None:
    """The first CI step whose command the pattern is found in."""
    compiled = re.compile(pattern)
    return next((step for step in steps if compiled.search(step.command)), None)


def plain_call(steps: Sequence[Step], pattern: str) -> Step | None:
    """The first such step that means the same at the root of any clone."""
    compiled = re.compile(pattern)
    return next(
        (s for s in steps if s.folder == "." and compiled.match(s.command) and is_plain(s.command)),
        None,
    )


_LINE_CAP: Final = 200
_VARIABLE = re.compile(r"[$`|<>&;{}]|\\")


def is_plain(command: str) -> bool:
    """Whether a command means the same at home: no variable, no pipe, no second command."""
    return len(command) <= _LINE_CAP and command.isprintable() and not _VARIABLE.search(command)
