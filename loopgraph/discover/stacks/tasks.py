"""Task runners of Python projects: tox, nox, hatch, and tables of named commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from loopgraph.discover import config
from loopgraph.discover.ci import Step, calls
from loopgraph.discover.stacks.declared import Project
from loopgraph.discover.stacks.offer import Offer, cost_of, is_part, is_plain, kind_of
from loopgraph.discover.tree import Tree
from loopgraph.model.facts import GateKind

_STACK: Final = "python"


def offers(tree: Tree, project: Project, steps: Sequence[Step]) -> Iterator[Offer]:
    """Every gate that a task runner of this project names."""
    if project.folder == ".":  # their commands work from the folder that holds their file
        yield from _tox(tree, project, steps)
        yield from _nox(tree, project, steps)
    yield from _hatch(tree, project, steps)
    yield from _tables(project, steps)


# ── tox ──────────────────────────────────────────────────────────────────────────────────


def _tox(tree: Tree, project: Project, steps: Sequence[Step]) -> Iterator[Offer]:
    found = _tox_config(tree, project)
    if found is None:
        return
    file, line, names, body = found
    start = project.start("tox")
    in_ci = calls(steps, r"\btox\b(?! *install)") is not None
    environment = test_environment(names, body)
    if environment:
        yield Offer(
            _STACK, "test", f"{start}tox -e {environment}", file, line,
            wrapper=True, in_ci=in_ci, cost="minutes",
        )  # fmt: skip
    for name in names:
        kind = kind_of(name, "")
        if kind in {"lint", "types"}:
            yield Offer(
                _STACK, kind, f"{start}tox -e {name}", file, line,
                wrapper=True, in_ci=in_ci and _ci_names(steps, name), cost="minutes",
            )  # fmt: skip
    yield Offer(_STACK, "ci", f"{start}tox", file, line, wrapper=True, in_ci=in_ci, cost="minutes")


def _ci_names(steps: Sequence[Step], name: str) -> bool:
    return calls(steps, rf"\btox\b.*[\s,=]{re.escape(name)}(?=$|[\s,])") is not None


def _tox_config(tree: Tree, project: Project) -> tuple[str, int, list[str], str] | None:
    """Its file, line, environment names, and the commands of the base environment."""
    table = config.table(project.pyproject, "tool", "tox")
    legacy = config.word(table, "legacy_tox_ini")
    if legacy:
        line = project.line(r"^[ \t]*legacy_tox_ini")
        return ("pyproject.toml", line, *read_tox_ini(legacy))
    if table:
        base = config.at(table, "env_run_base", "commands")
        names = config.words(table, "env_list") or list(config.table(table, "env"))
        return (
            "pyproject.toml",
            config.table_line(project.text, "tool", "tox"),
            expanded(names),
            _flat(base),
        )
    if tree.has("tox.toml"):
        data = config.toml(tree.text("tox.toml"))
        base = config.at(data, "env_run_base", "commands")
        return "tox.toml", 1, expanded(config.words(data, "env_list")), _flat(base)
    for file, section in (("tox.ini", "tox"), ("setup.cfg", "tox:tox")):
        text = tree.text(file)
        sections = config.ini(text) if text else {}
        if section in sections or (file == "tox.ini" and "testenv" in sections):
            line = sections[section if section in sections else "testenv"][0]
            return (file, line, *read_tox_ini(text))
    return None


def _flat(commands: object) -> str:
    """Commands of tox's TOML form, one a line."""
    if not isinstance(commands, list):
        return ""
    rows = [row for row in commands if isinstance(row, list)]
    return "\n".join(" ".join(word for word in row if isinstance(word, str)) for row in rows)


def read_tox_ini(text: str) -> tuple[list[str], str]:
    """The environment names of an INI configuration, and the commands of its base environment."""
    sections = config.ini(text)
    head = sections.get("tox", (0, {}))[1]
    names = head.get("env_list", head.get("envlist", ""))
    commands = sections.get("testenv", (0, {}))[1].get("commands", "")
    return expanded(_split(names[:_TEXT_CAP])), commands


def _split(names: str) -> list[str]:
    """Names that lines and commas part; a comma inside braces parts none."""
    out = [""]
    depth = 0
    for char in names:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "\n" or (char == "," and depth <= 0):
            out.append("")
        else:
            out[-1] += char
    return out


_NAME_CAP: Final = 100
_TEXT_CAP: Final = 4_000
_WORD_CAP: Final = 120
"""As much of an environment list is read: a stranger's may be endless."""


def expanded(names: Sequence[str]) -> list[str]:
    """Environment names with `{a,b}` and `{0-5}` written out, at most a hundred."""
    done: list[str] = []
    names = [name.strip() for name in names[:_NAME_CAP]]
    waiting = [name for name in reversed(names) if name and len(name) <= _WORD_CAP]
    while waiting and len(done) < _NAME_CAP:
        name = waiting.pop()
        found = re.search(r"\{([^{}]*)\}", name)
        if not found:
            done.append(name)
            continue
        choices: list[str] = []
        for choice in found[1].split(","):
            span = re.fullmatch(r"\s*(\d{1,2})-(\d{1,2})\s*", choice)
            if span:
                choices += [str(n) for n in range(int(span[1]), int(span[2]) + 1)]
            else:
                choices.append(choice.strip())
        waiting += [name[: found.start()] + c + name[found.end() :] for c in reversed(choices)]
    return done


_PYTHON = re.compile(r"py(3[\d.]*t?)?|3\.\d+t?|python3[\d.]*")
_ANY_PYTHON: Final = ("py", "py3", "python3")
_RUNNER = re.compile(
    r"\b(py\.?test|unittest|trial|nose2?|green|stestr|zope-testrunner|manage\.py)\b"
    r"|\brun_?tests?\b|-m [\w.]+\.tests?\b"
)


def test_environment(names: Sequence[str], commands: str) -> str:
    """The tox environment that runs the tests with the Python at hand; empty where unsure.

    `py` with the factors of the first listed Python environment: a missing factor would run no
    command at all and look like success. A name that says no minor version is taken as it is, since
    what it depends on may be listed under it.
    """
    for name in names:
        parts = name.split("-")
        factors = [part for part in parts if not _PYTHON.fullmatch(part)]
        if len(factors) == len(parts):
            continue
        run = [
            rest or line
            for line in commands.splitlines()
            for mark, _, rest in [_factor(line)]
            if not mark or any(one <= set(factors) for one in mark)
        ]
        if any(_RUNNER.search(line) for line in run):
            python = next((part for part in parts if part in _ANY_PYTHON), "py")
            return "-".join([python, *factors]) if all(map(is_plain, factors)) else ""
    return ""


def _factor(line: str) -> tuple[list[set[str]], str, str]:
    """The condition in front of a tox line, as alternatives of factors, and what follows it."""
    found = re.match(r"([!\w.,{}-]+):\s+(.*)", line)
    if not found:
        return [], "", line
    return [set(one.split("-")) for one in expanded([found[1]])[0].split(",")], ":", found[2]


# ── nox ──────────────────────────────────────────────────────────────────────────────────

_SESSION = re.compile(
    r"^@(?:nox\.)?session\b(?P<options>\([^@]*?\))?\s*\n(?:@[^\n]*\n)*"
    r"(?:async\s+)?def\s+(?P<name>\w+)",
    re.MULTILINE,
)


def _nox(tree: Tree, project: Project, steps: Sequence[Step]) -> Iterator[Offer]:
    text = tree.text("noxfile.py")
    if not text:
        return
    start = project.start("nox")
    in_ci = calls(steps, r"\bnox\b(?! *install)") is not None
    matches = list(islice(_SESSION.finditer(text), _NAME_CAP))
    for index, found in enumerate(matches):
        given = re.search(r"name\s*=\s*[\"']([\w.-]+)[\"']", found["options"] or "")
        name = given[1] if given else found["name"]
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        sessions = r"\bnox\b[^&|;]*\s(-s|--sessions?)[ =]([^&|;]*[\s\"'])?"
        named = calls(steps, rf"{sessions}{re.escape(name)}(?=-\d|[\s(\"']|$)") is not None
        kind = kind_of(name, _runs(text[found.end() : end]), named=named)
        if kind is None:
            continue
        line = text.count("\n", 0, found.start()) + 1
        yield Offer(
            _STACK, kind, f"{start}nox -s {name}", "noxfile.py", line,
            wrapper=True, in_ci=in_ci, cost="minutes", named=named, part=is_part(name),
        )  # fmt: skip
    if matches:
        line = text.count("\n", 0, matches[0].start()) + 1
        yield Offer(
            _STACK, "ci", f"{start}nox", "noxfile.py", line,
            wrapper=True, in_ci=in_ci, cost="minutes",
        )  # fmt: skip


def _runs(body: str) -> str:
    """What `session.run(...)` calls start, as command lines."""
    calls = re.findall(r"\.run(?:_install|_always)?\(([^)]*)\)", body[:8000])
    return "\n".join(" ".join(re.findall(r"[\"']([^\"']*)[\"']", call)) for call in calls)


# ── hatch ────────────────────────────────────────────────────────────────────────────────


def _hatch(tree: Tree, project: Project, steps: Sequence[Step]) -> Iterator[Offer]:
    file, text = project.file("pyproject.toml"), project.text
    environments = config.table(project.pyproject, "tool", "hatch", "envs")
    own = project.file("hatch.toml")
    if not environments and tree.has(own):
        file, text = own, tree.text(own)
        environments = config.table(config.toml(text), "envs")
    if project.folder != ".":
        return
    step = calls(steps, r"\bhatch test\b")
    if "hatch-test" in environments or step:
        line = config.line(text, r"^[ \t]*\[(tool\.hatch\.)?envs\.hatch-test")
        place = (file, line) if line else (step.file, step.line) if step else (file, 1)
        yield Offer(
            _STACK, "test", "hatch test", *place,
            narrow="hatch test <path>", wrapper=True, in_ci=step is not None,
        )  # fmt: skip
    step = calls(steps, r"\bhatch fmt --check\b")
    if step:
        yield Offer(
            _STACK, "lint", "hatch fmt --check", step.file, step.line, wrapper=True, in_ci=True
        )
    scripts = (
        (name, script, body)
        for name, settings in environments.items()
        for script, body in config.table(settings, "scripts").items()
        if is_plain(name)
    )
    for name, script, body in islice(scripts, _NAME_CAP):
        kind = _hatch_kind(name, script, _text(body))
        if kind is None:
            continue
        word = script if name == "default" else f"{name}:{script}"
        line = config.line(text, rf"^[ \t]*\"?{re.escape(script)}\"?[ \t]*=")
        yield Offer(
            _STACK, kind, f"hatch run {word}", file, line,
            wrapper=True, in_ci=calls(steps, rf"\bhatch run {re.escape(word)}\b") is not None,
            cost=cost_of(kind, _text(body)),
        )  # fmt: skip


def _hatch_kind(environment: str, script: str, body: str) -> GateKind | None:
    if environment == "default":
        return kind_of(script, body)
    around = kind_of(environment, body)
    own = kind_of(script, body)
    if around and own in {None, "ci"}:
        return around
    return own if around else None


def _text(body: object) -> str:
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return "\n".join(item for item in body if isinstance(item, str))
    if isinstance(body, Mapping):
        return "\n".join(_text(body.get(key)) for key in ("cmd", "shell", "sequence", "composite"))
    return ""


# ── tables of named commands ─────────────────────────────────────────────────────────────

_TABLES: Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    (("tool", "poe", "tasks"), "poe"),
    (("tool", "pdm", "scripts"), "pdm run"),
    (("tool", "taskipy", "tasks"), "task"),
    (("tool", "pixi", "tasks"), "pixi run"),
    (("tool", "rye", "scripts"), "rye run"),
)


def _tables(project: Project, steps: Sequence[Step]) -> Iterator[Offer]:
    if project.folder != ".":
        return
    for keys, runner in _TABLES:
        start = project.start("poethepoet") if runner == "poe" else ""
        table = r"\.".join(keys)
        named = config.table(project.pyproject, *keys).items()
        for name, body in islice(named, _NAME_CAP):
            kind = kind_of(name, _text(body))
            if kind is None:
                continue
            key = rf"\"?{re.escape(name)}\"?"
            line = project.line(rf"^[ \t]*{key}[ \t]*[=.]|^[ \t]*\[{table}\.{key}\]")
            called = calls(steps, rf"\b{runner}\b.*\s{re.escape(name)}(?=$|\s)")
            yield Offer(
                _STACK, kind, f"{start}{runner} {name}", "pyproject.toml", line,
                wrapper=True, in_ci=called is not None, cost=cost_of(kind, _text(body)),
            )  # fmt: skip
