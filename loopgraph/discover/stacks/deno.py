"""Gates of a Deno project: its tasks, and what `deno` itself checks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from loopgraph.discover import config
from loopgraph.discover.ci import Step, calls
from loopgraph.discover.languages import Layout
from loopgraph.discover.stacks.offer import Offer, cost_of, is_part, kind_named, kind_of
from loopgraph.discover.tree import Tree, join
from loopgraph.model.facts import GateKind

STACK: Final = "deno"
FILES: Final = ("deno.json", "deno.jsonc")
_TASK_CAP: Final = 200
_OWN: Final[tuple[tuple[GateKind, str, str, str], ...]] = (
    ("lint", "lint", "deno lint", "deno lint <path>"),
    ("format", "fmt", "deno fmt --check", "deno fmt --check <path>"),
    ("types", "", "deno check", ""),
)
"""Kind, key of deno.json, command and its narrow form."""


def offers(tree: Tree, folder: str, layout: Layout, steps: Sequence[Step]) -> Iterator[Offer]:
    """Every gate among the tasks, then what is configured or called without one."""
    file = next((join(folder, name) for name in FILES if tree.has(join(folder, name))), None)
    if file is None:
        return
    text = tree.text(file)
    data = config.jsonc(text)
    inside = "" if folder == "." else f" --cwd {folder}"
    start = max(text.find('"tasks"'), 0)
    above = text.count("\n", 0, start)
    seen = set()
    for name, body in _tasks(data).items():
        named = calls(steps, rf"\bdeno task\b[^&|;]*\s{re.escape(name)}(?![\w:.-])") is not None
        kind = kind_of(name, body, named=named) if kind_named(name, named=named) else None
        if kind is None:
            continue
        seen.add(kind)
        yield Offer(
            STACK, kind, f"deno task{inside} {name}",
            file, above + config.json_line(text[start:], name),
            narrow=_narrow(kind, body) if folder == "." else "",
            wrapper=True, in_ci=named, cost=cost_of(kind, body), named=named, part=is_part(name),
        )  # fmt: skip
    if folder != ".":
        return
    tested = any(path.endswith((".ts", ".tsx", ".js", ".mjs")) for path in layout.test_files)
    if "test" not in seen and tested:
        yield _own(steps, "test", "deno test", "deno test <path>", (file, 1))
    for kind, key, command, narrow in _OWN:
        line = config.json_line(text, key) if key in data else 0
        step = calls(steps, rf"^{command}(\s|$)")
        if line or step:
            place = (file, line) if line else (step.file, step.line) if step else (file, 1)
            yield _own(steps, kind, command, narrow, place)


def _narrow(kind: GateKind, body: str) -> str:
    known = (("test", "deno test", "deno test <path>"), ("lint", "deno lint", "deno lint <path>"))
    return next((narrow for k, tool, narrow in known if k == kind and tool in body), "")


def _own(
    steps: Sequence[Step], kind: GateKind, command: str, narrow: str, place: tuple[str, int]
) -> Offer:
    in_ci = calls(steps, rf"^{command}(\s|$)") is not None
    return Offer(STACK, kind, command, *place, narrow=narrow, in_ci=in_ci)


def _tasks(data: Mapping[str, object]) -> dict[str, str]:
    """Tasks by name; one may be a text, or a mapping that holds its command."""
    bodies: dict[str, str] = {}
    for name, body in list(config.table(data, "tasks").items())[:_TASK_CAP]:
        text = body if isinstance(body, str) else config.word(body, "command")
        if text:
            bodies[name] = text
    return bodies
