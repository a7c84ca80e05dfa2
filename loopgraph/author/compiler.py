"""RunSpec to files: the same spec gives the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
)
from jinja2.bccache import Bucket

from loopgraph.author import brief, lawful
from loopgraph.author.opening import opening
from loopgraph.edges import record
from loopgraph.hosts import HOSTS
from loopgraph.hosts.base import Launch
from loopgraph.hosts.marks import MARKS
from loopgraph.model import contract
from loopgraph.model.errors import RefusedError
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval, parse
from loopgraph.model.messages import _
from loopgraph.model.spec import RunSpec
from loopgraph.plain import quoting
from loopgraph.resources import data

_ROLE_OF: Final[Mapping[str, Role]] = {
    "executor.md": "executor",
    "supervisor.md": "supervisor",
    "scout.md": "scout",
}


class _Cache(FileSystemBytecodeCache):
    """Compiled templates in the user's cache folder; a folder that can't be used costs nothing."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except OSError:
            return

    def dump_bytecode(self, bucket: Bucket) -> None:
        try:
            super().dump_bytecode(bucket)
        except OSError:
            return


@cache
def environment(cache_folder: str | None = None) -> Environment:
    """The one Jinja environment: packs and owner text are values in it, never templates."""
    bytecode: BytecodeCache | None = _Cache(cache_folder) if cache_folder else None
    made = Environment(  # noqa: S701  Markdown, not HTML; the filters keep owner text from being structure
        loader=FileSystemLoader(data("templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=bytecode,
        auto_reload=False,
    )
    for name in ("visible", "inline", "cell", "code", "block"):
        made.filters[name] = getattr(quoting, name)
    return made


def render(
    template: str, lang: str, /, *, cache_folder: str | None = None, **context: object
) -> str:
    """One template of a language, filled."""
    return environment(cache_folder).get_template(f"{lang}/{template}.j2").render(context)


def compile_run(spec: RunSpec, *, cache_folder: str | None = None) -> dict[str, str]:
    """Every file of the run, by name; refuses what would not fit a live file."""
    lawful.demand(spec)
    context = {
        "spec": spec,
        "run": f".longgraph/{spec.slug}",
        "knob": {name: found.value for name, found in spec.knobs.items()},
        "graph": spec.graph(),
        "executor": spec.node("executor"),
        "supervisor": spec.node("supervisor"),
        "scout": spec.node("scout"),
        "opening": opening(spec),
        "multi": len(spec.milestones) > 1,
        # A command can tell its session on some hosts alone.
        "binds": {node.role: _tells_session(node.host) for node in spec.nodes},
    }

    def made(name: str, outcome: str) -> str:
        role = _ROLE_OF.get(name)
        return render(
            name,
            spec.lang,
            cache_folder=cache_folder,
            **context,
            outcome=outcome,
            outcome_cut=outcome != spec.north_star.outcome,
            contract_line=contract.contract_line(contract.ARTIFACTS[name]),
            timer_step=timer_step(spec, role) if role else "",
        )

    room = contract.EXECUTOR_LIMIT[1] - len(made("executor.md", "").encode("utf-8"))
    shown = brief.shorten(spec.north_star.outcome, room)
    files = {name: made(name, shown) for name in _names(spec)}
    _fits(spec, files)
    files["run.yaml"] = record.write(spec, record.frozen_parts(files))
    return files


def _tells_session(host: str) -> bool:
    return host in MARKS and bool(MARKS[host].session)


def _names(spec: RunSpec) -> list[str]:
    names = ["executor.md", "ledger.md", "directives.md", "ops.md"]
    names += ["supervisor.md"] if spec.node("supervisor") else []
    names += ["scout.md", "findings.md"] if spec.scout else []
    return names


def launch(spec: RunSpec, role: Role, *, root: str = "", client: str = "") -> Launch:
    """What a host is told about one node; without a root while compiling."""
    node = spec.node(role)
    if node is None:
        raise RefusedError(_("this run has no {role}", role=role), where=spec.slug)
    return Launch(
        role=role,
        root=root,
        run=f".longgraph/{spec.slug}",
        slug=spec.slug,
        interval=parse(node.interval) or Interval(10),
        client=client or node.client,
        shell=spec.shell,
    )


def timer_step(spec: RunSpec, role: Role) -> str:
    """How that node arms, finds and ends its own timer, as its host wants it."""
    node = spec.node(role)
    return (
        "" if node is None else HOSTS[node.host].timer_step(launch(spec, role), spec.lang).strip()
    )


def _fits(spec: RunSpec, files: Mapping[str, str]) -> None:
    limits = {
        "executor.md": contract.EXECUTOR_LIMIT,
        "supervisor.md": contract.SUPERVISOR_LIMIT,
    }
    lines_cap, bytes_cap = spec.knob("FILE_LINE_CAP"), spec.knob("FILE_BYTE_CAP")
    live = (int(lines_cap or 0), int(bytes_cap or 0))
    for name, text in files.items():
        lines, size = limits.get(name, live)
        found = (text.count("\n"), len(text.encode("utf-8")))
        if found[0] > lines or found[1] > size:
            raise RefusedError(
                _(
                    "{name} would have {found_lines} lines and {found_bytes} bytes "
                    "of {lines} and {size}",
                    name=name,
                    found_lines=found[0],
                    found_bytes=found[1],
                    lines=lines,
                    size=size,
                ),
                where="goal" if len(spec.goal) > contract.OUTCOME_SHOWN else name,
                fix=_("Shorten what the preset has the supervisor audit.")
                if name == "supervisor.md"
                else _("Put the brief in a file and name it in a short goal."),
            )
