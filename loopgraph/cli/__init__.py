"""The command line: signatures, one call each, one print each."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TextIO

from loopgraph.disk import catalogue
from loopgraph.model.errors import LoopgraphError, nearest, told
from loopgraph.model.messages import N_, _, reworded

if TYPE_CHECKING:  # the library costs time, which quick calls do without
    import typer

COMMANDS: Final[tuple[tuple[str, str], ...]] = (
    ("new", "Start"),
    ("handoff", "Start"),
    ("compile", "Start"),
    ("adopt", "Start"),
    ("status", "Look"),
    ("next", "Look"),
    ("show", "Look"),
    ("rounds", "Look"),
    ("decisions", "Look"),
    ("runs", "Look"),
    ("check", "Look"),
    ("audit", "Look"),
    ("graph", "Look"),
    ("cost", "Look"),
    ("discover", "Look"),
    ("doctor", "Look"),
    ("diff", "Look"),
    ("snapshots", "Look"),
    ("round", "Keep"),
    ("slice", "Keep"),
    ("gate", "Keep"),
    ("metric", "Keep"),
    ("context", "Keep"),
    ("ops", "Keep"),
    ("gap", "Keep"),
    ("sweep", "Keep"),
    ("directive", "Keep"),
    ("promote", "Keep"),
    ("milestone", "Keep"),
    ("audited", "Keep"),
    ("owner", "Keep"),
    ("standing", "Keep"),
    ("timer", "Keep"),
    ("finding", "Keep"),
    ("finish", "Keep"),
    ("rotate", "Keep"),
    ("checkpoint", "Keep"),
    ("restore", "Keep"),
    ("trust", "Keep"),
    ("loop", "Continue"),
    ("plan", "Continue"),
    ("state", "Continue"),
    ("block", "Continue"),
    ("bind", "Continue"),
    ("unbind", "Continue"),
    ("stop", "Continue"),
    ("resume", "Continue"),
    ("hook", "Continue"),
    ("install", "Extend"),
    ("uninstall", "Extend"),
    ("completion", "Extend"),
    ("presets", "Extend"),
    ("hosts", "Extend"),
    ("schema", "Extend"),
    ("help", "Extend"),
)
"""Every command and the panel of `--help` it stands in; the module in cli/ has the same name."""

_GROUPS: Final = (
    *("round", "slice", "gate", "metric", "context", "ops", "gap", "sweep", "directive"),
    *("promote", "milestone", "owner", "standing", "timer", "finding", "finish"),
    *("loop", "plan", "state", "presets", "hosts", "snapshots"),
)
_OWN_OPTIONS: Final = ("new",)
"""Commands that sort options from text themselves: an owner's goal may begin with a hyphen."""

_INTERRUPTED: Final = 130
_SHOWN: Final = 300
"""Characters of a place or a reason in one line of error."""


def build(wanted: str | None = None) -> typer.Typer:
    """The program; with `wanted`, only that command is loaded (the others cost time)."""
    from importlib import import_module

    import typer

    from loopgraph.cli import usage

    app = typer.Typer(
        cls=usage.Group,
        epilog=usage.epilog(""),
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help="Turn a long job into a graph of agent nodes that talk only through files.",
    )
    app.callback()(usage.program)
    names = [name for name, _panel in COMMANDS]
    for name, panel in COMMANDS:
        if wanted in names and name != wanted:
            continue
        module = import_module(f"loopgraph.cli.{name}")
        ends = usage.epilog(name)
        if name in _GROUPS:
            group = usage.dress(module.app, name)
            app.add_typer(group, name=name, cls=usage.Group, epilog=ends, rich_help_panel=panel)
        else:
            settings = {"ignore_unknown_options": True} if name in _OWN_OPTIONS else {}
            app.command(
                name,
                cls=usage.Command,
                context_settings=settings,
                epilog=ends,
                rich_help_panel=panel,
            )(getattr(module, name))
    return app


def main(arguments: Sequence[str]) -> int:
    """Run the program; what a user may see is one line on stderr and its own exit code."""
    _open_streams()
    code = _run(arguments)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            _drop(stream)
            if code == 0 and not isinstance(error, BrokenPipeError):
                code = _fail_to_write(error, arguments)
    return code


def _run(arguments: Sequence[str]) -> int:
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    words = [argument for argument in arguments if not argument.startswith("-")]
    wanted = words[0] if words else None
    catalogue.speak(catalogue.of_call(arguments, os.environ))
    if not arguments or (len(arguments) == 1 and wanted in _GROUPS):
        arguments = [*arguments, "--help"]
    try:
        code = _call(arguments, wanted)
    except LoopgraphError as error:
        if debug:
            raise
        return _fail(error.what, error.where, error.fix, error.exit_code, arguments)
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except (BrokenPipeError, SystemExit):  # whoever read our output has gone: no failure of ours
        _drop(sys.stdout)
        return 0
    except OSError as error:
        if debug:
            raise
        return _fail_to_write(error, arguments)
    if code == _INTERRUPTED:
        said = _("interrupted; nothing was written") if wanted == "new" else _("interrupted")
        sys.stderr.write(f"loopgraph: {said}\n")
    return code if isinstance(code, int) else 0


def _call(arguments: Sequence[str], wanted: str | None) -> object:
    """Do what was asked; its exit code."""
    from loopgraph.cli import quick

    if call := quick.read(arguments):
        return call()
    import typer

    try:
        return build(wanted)(list(arguments), prog_name="loopgraph", standalone_mode=False)
    except typer.Abort:
        return _INTERRUPTED
    except typer.TyperException as error:
        message = error.format_message().strip()
        what = _worded(" ".join(message.split()).rstrip(".")) or _("no command")
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "loopgraph"
        fix = _("See: {command} --help", command=command)
        option = getattr(error, "option_name", "")
        if any(_is_text(word) and word.startswith(option) for word in arguments if option):
            fix = _(
                'Put text that begins with a hyphen behind --: {command} … -- "TEXT"',
                command=command,
            )
        return _fail(what, "", fix, 2, arguments)


def _is_text(word: str) -> bool:
    """Whether a word that was taken for an option is rather somebody's text."""
    return word.startswith("-") and any(char.isspace() for char in word.partition("=")[0])


def _worded(said: str) -> str:
    """What the library of the command line says, in the reader's language where we know it."""
    import re

    if bad := re.fullmatch(r"Invalid value for '([^']+)': (.+)", said):
        return _("{label}: {value}", label=bad[1], value=_worded(bad[2]))
    if several := re.fullmatch(r"No such option: (\S+) \(Possible options: (.+)\)", said):
        fix = nearest(several[1], several[2].split(", "))
        return _("{said}. {fix}", said=_("No such option: {it}", it=several[1]), fix=fix)
    if near := re.fullmatch(r"(.+?)\. Did you mean ([^?]+)\?", said):
        fix = _("Did you mean {word}?", word=near[2])
        return _("{said}. {fix}", said=_worded(near[1]), fix=fix)
    return reworded(said, _FORMS)


_FORMS: Final = (
    (r"Missing option (?P<it>'.+')", N_("Missing option {it}")),
    (r"Missing argument (?P<it>'.+')", N_("Missing argument {it}")),
    (r"No such option: (?P<it>\S+)", N_("No such option: {it}")),
    (r"No such command (?P<it>'.+')", N_("No such command {it}")),
    (r"Option (?P<it>'.+') requires an argument", N_("Option {it} requires an argument")),
    (r"Option (?P<it>'.+') does not take a value", N_("Option {it} takes no value")),
    (
        r"Got unexpected extra argument\(?s?\)? \((?P<it>.+)\)",
        N_("Got unexpected extra argument ({it})"),
    ),
    (r"(?P<it>'.*') is not a valid (?:int range|integer)", N_("{it} is no whole number")),
    (r"(?P<it>'.*') is not a valid float(?: range)?", N_("{it} is no number")),
    (r"(?P<it>\S+) is not in the range (?P<more>.+)", N_("{it} is not in the range {more}")),
    (r"(?P<it>'.*') is not one of (?P<more>.+)", N_("{it} is none of {more}")),
)
"""What the library of the command line says, and the same as a message."""


def _fail(what: str, where: str, fix: str, code: int, arguments: Sequence[str]) -> int:
    from loopgraph.plain.quoting import inline

    if "--json" in arguments:
        import json

        error = {"what": what, "where": where, "fix": fix, "exit": code}
        sys.stdout.write(json.dumps({"error": error}, ensure_ascii=False) + "\n")
        return code
    line = told(_short(what), _short(where), fix)
    with suppress(OSError):  # the code says it, too
        sys.stderr.write(f"loopgraph: {inline(line)}\n")
    return code


def _short(text: str) -> str:
    """A text that somebody gave, as far as it helps to recognize it."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _fail_to_write(error: OSError, arguments: Sequence[str]) -> int:
    what = (error.strerror or "cannot be read or written").lower()
    return _fail(what, str(error.filename or ""), "", 2, arguments)


def _open_streams() -> None:
    """Make both streams take any text; one that the caller closed takes it, too."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115
        # A C locale must not turn an owner's text into a traceback.
        getattr(sys, name).reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _drop(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere: it is closed, or its disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
