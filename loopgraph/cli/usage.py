"""How `--help` is laid out: commands and options by panel, examples at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from loopgraph.model import columns
from loopgraph.model.errors import UsageError
from loopgraph.model.messages import N_, _

PANELS: Final[Mapping[str, str]] = {
    "Start": N_("Start a run"),
    "Look": N_("Look at a run"),
    "Keep": N_("Keep a run's files"),
    "Continue": N_("Keep a session at work"),
    "Extend": N_("Extend and explain"),
}
"""What each panel of the command list is called, in their order."""

DECIDE: Final = "Decide ahead"
NODES: Final = "Nodes and hosts"
OUTPUT: Final = "What comes out"

_WHOLE: Final = 400
"""Characters: a summary is ended at a clause or folded, never cut."""

_CLAUSE: Final = 12
"""Characters: what ends before them says too little."""

EXAMPLES: Final[Mapping[str, tuple[str, ...]]] = {
    "": (
        "loopgraph new converge",
        'loopgraph new deliver "Add rate limiting to the public API"',
        "loopgraph check",
    ),
    "new": (
        "loopgraph new converge",
        'loopgraph new deliver "Add rate limiting to the public API" --yes',
        'loopgraph new "Which queue library should we use?" --dry-run --yes',
        "loopgraph new deliver --print-answers > answers.yaml",
        "loopgraph new deliver --answers answers.yaml --host codex",
        "loopgraph new --from add-rate-limiting",
    ),
    "handoff": ("loopgraph handoff", "loopgraph handoff --shell powershell"),
    "compile": (
        "loopgraph compile .longgraph/2026-01-02-converge --check",
        "loopgraph compile .longgraph/2026-01-02-converge/run.yaml -o again",
    ),
    "adopt": ("loopgraph adopt 2026-01-02-tidy-api",),
    "status": ("loopgraph status", "loopgraph status add-rate-limiting --json"),
    "next": ("loopgraph next --as executor",),
    "show": ("loopgraph show D-003", "loopgraph show R12 --run add-rate-limiting"),
    "rounds": ("loopgraph rounds --all", "loopgraph rounds --since R12 --last 5"),
    "decisions": ("loopgraph decisions --json",),
    "runs": ("loopgraph runs",),
    "check": (
        "loopgraph check",
        "loopgraph check --strict --format github",
        "loopgraph check --explain LG101",
    ),
    "graph": ("loopgraph graph", "loopgraph graph --format mermaid"),
    "cost": ("loopgraph cost", "loopgraph cost --json"),
    "discover": ("loopgraph discover", "loopgraph discover --scope packages/api --json"),
    "doctor": ("loopgraph doctor", "loopgraph doctor --json"),
    "hook": ("loopgraph hook explain < payload.json", "loopgraph hook log"),
    "install": (
        "loopgraph install claude-code",
        "loopgraph install codex --user --dry-run",
        "loopgraph install --as-plugin ~/loopgraph-plugin",
    ),
    "uninstall": ("loopgraph uninstall claude-code",),
    "completion": (
        'eval "$(loopgraph completion bash)"                        in ~/.bashrc',
        'eval "$(loopgraph completion zsh)"                         in ~/.zshrc',
        "loopgraph completion fish > ~/.config/fish/completions/loopgraph.fish",
    ),
    "presets": (
        "loopgraph presets list",
        "loopgraph presets show converge",
        "loopgraph presets init tidy-docs",
    ),
    "hosts": ("loopgraph hosts list", "loopgraph hosts show codex"),
    "schema": ("loopgraph schema run", "loopgraph schema pack > pack.schema.json"),
    "help": ("loopgraph help exit-codes", "loopgraph help answers"),
}
"""Calls that a newcomer may copy, by command; a command without one shows none."""


def epilog(command: str) -> str | None:
    """A command's examples, as its help ends with them."""
    return "\n".join(EXAMPLES[command]) if command in EXAMPLES else None


def dress(app: typer.Typer, name: str) -> typer.Typer:
    """Give a group's own commands the same layout."""
    for info in app.registered_commands:
        own = info.name or (info.callback.__name__ if info.callback else "")
        info.cls = Command  # typer has set its own where none was asked for
        info.epilog = info.epilog or epilog(f"{name} {own}")
    return app


def _clause(summary: str, columns: int) -> str:
    """A summary in one line: where it is too long, its first clause says enough for a list."""
    if len(summary) <= columns:
        return summary
    ends = [at for mark in ",;:，；：" if (at := summary.find(mark)) > _CLAUSE]
    return f"{summary[: min(ends)]}." if ends else summary


def _examples(said: str | None, formatter: Any) -> None:
    if not said:
        return
    with formatter.section(_("Examples")):
        for line in said.split("\n"):
            formatter.write(f"{' ' * formatter.current_indent}{line}\n")


def _options(command: Any, context: Any, formatter: Any) -> None:
    """Arguments first, then options by panel; those of no panel come last."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(context):
        row = parameter.get_help_record(context)
        if row is None:
            continue
        plain = "Arguments" if parameter.param_type_name == "argument" else "Options"
        panels.setdefault(parameter.rich_help_panel or plain, []).append(row)
    last = panels.pop("Options", [])
    titles = {"Arguments": _("Arguments"), DECIDE: _("Decide ahead"), NODES: _("Nodes and hosts")}
    titles[OUTPUT] = _("What comes out")
    for panel, rows in [*panels.items(), ("Options", last)]:
        if rows:
            with formatter.section(titles.get(panel, _("Options"))):
                formatter.write_dl(rows)


def _one_run(command: Any, given: Mapping[str, Any]) -> None:
    """Refuse a call that names one run in its place and another as --run."""
    asked = {
        parameter.param_type_name: given.get(parameter.name)
        for parameter in command.params
        if parameter.metavar == "[RUN]" or "--run" in parameter.opts
    }
    here, option = asked.get("argument"), asked.get("option")
    if here and option and here != option:
        raise UsageError(
            _("two runs are named: {here}, and {option} with --run", here=here, option=option),
            fix=_("Name one."),
        )


class Command(TyperCommand):
    """A command whose help has panels and ends with examples."""

    def invoke(self, ctx: Any) -> Any:
        """Run it, once it is clear which run is meant."""
        _one_run(self, ctx.params)
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then options by panel."""
        _options(self, ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Examples, line by line as they are typed."""
        _examples(self.epilog, formatter)


class Group(TyperGroup):
    """A group of commands whose list has panels and ends with examples."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands by panel."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        longest = max(len(name) for name, _command in found)
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in found:
            if command is None or command.hidden:
                continue
            panel = str(getattr(command, "rich_help_panel", None) or "")
            said = _clause(command.get_short_help_str(_WHOLE), formatter.width - 6 - longest)
            panels.setdefault(panel, []).append((name, said))
        for panel, rows in panels.items():
            with formatter.section(_(PANELS[panel]) if panel in PANELS else _("Commands")):
                formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Examples, line by line as they are typed."""
        _examples(self.epilog, formatter)


def program(
    *,
    version: bool = typer.Option(False, "--version", help="Print the version and end."),  # noqa: FBT003
) -> None:
    """Turn a long job into a graph of agent nodes that talk only through files."""
    if version:
        from loopgraph import __version__

        typer.echo(f"loopgraph {__version__}")
        raise typer.Exit


def reference(program: Any) -> str:
    """Every command of the program by panel: what it does, who may run it, and its usage."""
    parts: list[str] = []
    for panel, title in PANELS.items():
        found = [
            (name, command)
            for name, command in program.commands.items()
            if str(getattr(command, "rich_help_panel", "")) == panel
        ]
        parts.append(f"## {title}\n")
        for name, command in found:
            inside = getattr(command, "commands", {name: command})
            group = f"{name} " if inside.get(name) is not command else ""
            parts += [_entry(f"{group}{own}", one) for own, one in inside.items()]
    return "\n".join(parts)


def _entry(name: str, command: Any) -> str:
    from loopgraph.model.commands import COMMANDS

    writers = next((one.writers for one in COMMANDS if one.name == name), ())
    whose = f" ({', '.join(writers)})" if writers else ""
    says = " ".join((command.help or "").split())
    usage = columns.hang(" ".join(_words(command)), 80, f"loopgraph {name} ", "    ", cut=False)
    return f"**`{name}`**: {says}{whose}\n\n```\n{usage.rstrip()}\n```\n"


def _words(command: Any) -> Iterator[str]:
    """The arguments and options of a command, the optional ones in brackets."""
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    for one in sorted(shown, key=lambda one: one.param_type_name != "argument"):
        said = one.human_readable_name if one.param_type_name == "argument" else one.opts[0]
        if one.param_type_name == "argument":
            yield said
            continue
        value = "" if one.is_flag else f" {one.metavar or 'TEXT'}"
        many = "…" if one.multiple else ""
        yield f"{said}{value}{many}" if one.required else f"[{said}{value}{many}]"
