"""`loopgraph completion`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

import typer

from loopgraph.model.messages import _

# Each script hands on the words up to the cursor and shows what comes back, one proposal a line.
# Nothing proposed means that a file may be meant.
SCRIPTS: Final[Mapping[str, str]] = {
    "bash": """\
_loopgraph() {
    local IFS=$'\\n'
    COMPREPLY=($(loopgraph completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
}
complete -o default -F _loopgraph loopgraph
""",
    "zsh": """\
#compdef loopgraph
_loopgraph() {
    local -a proposals
    proposals=("${(@f)$(loopgraph completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    proposals=("${(@)proposals:#}")
    if (( ${#proposals} )); then
        compadd -Q -S '' -a -- proposals
        [[ ${#proposals} -eq 1 && $proposals[1] == *= ]] || compstate[insert]="${compstate[insert]}"
    else
        _files
    fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u }
compdef _loopgraph loopgraph
""",
    "fish": """\
function __loopgraph_words
    set -l words (commandline -opc) (commandline -ct)
    loopgraph completion words -- $words[2..-1] 2>/dev/null
end
complete -c loopgraph -f -a '(__loopgraph_words)'
complete -c loopgraph -n 'test -z "$(__loopgraph_words)"' -F
""",
}


def completion(
    shell: Annotated[
        str, typer.Argument(metavar="bash|zsh|fish", help="The shell whose script is wanted.")
    ],
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORD…]", hidden=True)] = None,
) -> None:
    """Print a script that lets your shell complete commands, options, presets, hosts and runs."""
    from loopgraph.model.errors import UsageError, nearest

    if shell == "words":
        for proposal in proposals(words or [""]):
            typer.echo(proposal)
        return
    if shell not in SCRIPTS:
        raise UsageError(_("no such shell"), where=shell, fix=nearest(shell, SCRIPTS))
    typer.echo(SCRIPTS[shell], nl=False)


def proposals(words: Sequence[str]) -> list[str]:
    """What the last word may become, after the words before it."""
    *before, current = _joined(words)
    command, path, rest = _command(before)
    option = next((word for word in rest[-1:] if _takes_value(command, word)), None)
    lead = ""
    if option is None and current.startswith("--") and "=" in current:
        option, _, current = current.partition("=")
        lead = "" if words[-1] in ("=", current) else f"{option}="
    if option is not None:
        found = _values(path, option, command)
    elif current.startswith("-"):
        found = _options(command)
    else:
        found = _arguments(command, path, rest)
    return [lead + word for word in dict.fromkeys(found) if word.startswith(current)]


def _joined(words: Sequence[str]) -> list[str]:
    """The words as they were typed: bash cuts one at its equals sign."""
    joined: list[str] = []
    for word in words:
        glued = joined and joined[-1].startswith("--")
        if glued and (word == "=" or joined[-1].endswith("=")) and "=" in joined[-1] + word:
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _command(words: Sequence[str]) -> tuple[Any, tuple[str, ...], list[str]]:
    """The command that the words name, its path, and the words after it."""
    from loopgraph.cli import COMMANDS, build

    known = [name for name, _ in COMMANDS]
    first = next((word for word in words if word in known), None)
    command: Any = typer.main.get_command(build(first))
    path: tuple[str, ...] = ()
    rest = list(words)
    while rest and hasattr(command, "commands") and rest[0] in command.commands:
        path = (*path, rest.pop(0))
        command = command.commands[path[-1]]
    return command, path, rest


def _takes_value(command: Any, word: str) -> bool:
    return word.startswith("-") and any(
        word in parameter.opts and not parameter.is_flag
        for parameter in command.params
        if parameter.param_type_name == "option"
    )


def _options(command: Any) -> Iterator[str]:
    for parameter in command.params:
        if parameter.param_type_name == "option" and not parameter.hidden:
            yield from (name for name in parameter.opts if name.startswith("--"))
    yield "--help"


def _values(path: tuple[str, ...], option: str, command: Any) -> Iterable[str]:
    """What an option may be given; nothing where a file or free text is meant."""
    for parameter in command.params:
        if option in parameter.opts and hasattr(parameter.type, "choices"):
            return list(parameter.type.choices)
    special = _BY_COMMAND.get((" ".join(path), option))
    return (special or _BY_OPTION.get(option, list))()


def _arguments(command: Any, path: tuple[str, ...], rest: Sequence[str]) -> Iterable[str]:
    if hasattr(command, "commands"):
        return [name for name, found in command.commands.items() if not found.hidden]
    name = " ".join(path)
    if any(not word.startswith("-") for word in rest) and name != "check":
        return []
    given = _ARGUMENTS.get(name)
    if given:
        return given()
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    wants_run = any("RUN" in (argument.metavar or "") for argument in arguments)
    return _runs() if wants_run else []


def _presets() -> list[str]:
    from loopgraph.cli.options import environ, root
    from loopgraph.disk import config
    from loopgraph.disk import packs as shelf

    return list(shelf.names(root=root(None), config=config.folder(environ())))


def _hosts() -> list[str]:
    from loopgraph.hosts import HOSTS

    return list(HOSTS)


def _clients() -> list[str]:
    from loopgraph.hosts.hooks import BY_NAME

    return list(BY_NAME)


def _runs() -> list[str]:
    from loopgraph.cli.options import root
    from loopgraph.disk import runs

    return [run.name for run in runs.all_runs(root(None))]


def _languages() -> list[str]:
    from loopgraph.model.languages import LANGUAGES

    return list(LANGUAGES)


def _topics() -> list[str]:
    from loopgraph.views import topics

    return list(topics.TOPICS)


def _keys() -> list[str]:
    from loopgraph.author.interview import KEYS
    from loopgraph.model.knobs import KNOBS

    return [f"{name}=" for name in (*(key.name for key in KEYS), *(knob.name for knob in KNOBS))]


def _rules() -> list[str]:
    from loopgraph.check.rules import RULES

    return [rule.id for rule in RULES]


_BY_OPTION: Final[Mapping[str, Callable[[], list[str]]]] = {
    "--host": _hosts,
    "--supervisor-host": _hosts,
    "--lang": _languages,
    "--from": _runs,
    "--set": _keys,
    "--explain": _rules,
    "--select": _rules,
    "--ignore": _rules,
}
_BY_COMMAND: Final[Mapping[tuple[str, str], Callable[[], list[str]]]] = {
    ("check", "--format"): lambda: ["text", "json", "sarif", "github"],
    ("graph", "--format"): lambda: ["text", "mermaid", "dot", "json"],
}
_ARGUMENTS: Final[Mapping[str, Callable[[], list[str]]]] = {
    "new": _presets,
    "presets show": _presets,
    "hosts show": _hosts,
    "install": _clients,
    "uninstall": _clients,
    "help": _topics,
    "schema": lambda: ["run", "pack"],
    "completion": lambda: list(SCRIPTS),
}
