"""The gates of a run: the owner's first, then one of each kind that the project itself uses."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from loopgraph.author.wording import say
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.facts import FoundGate
from loopgraph.model.languages import Language
from loopgraph.model.messages import _
from loopgraph.model.spec import Gate
from loopgraph.plain import paths

OWNER: Final = "owner"
"""The source of a gate that the owner named."""
PROOF: Final = "North Star"
"""The source of one that is observed."""

_MOST: Final = 6
_RUNNERS: Final = (
    ("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("hatch", "run"), ("pipenv", "run"),
    ("rye", "run"), ("pixi", "run"), ("bundle", "exec"), ("pnpm", "exec"), ("npm", "exec"),
    ("yarn", "exec"), ("npx",), ("pnpx",), ("bunx",), ("command",), ("env",),
)  # fmt: skip
"""How a command begins that only starts another one in the project's environment."""
_PYTHONS: Final = ("python", "python3", "py")
_SOUNDS: Final = ("-q", "-qq", "--quiet", "--silent", "-v", "-vv", "-vvv", "--verbose")
"""Options that change what is printed, and nothing that is checked."""
_SHELL: Final = frozenset("|&;<>()$`*?[]{}~#!\n'\"\\")


def gates(
    found: Iterable[FoundGate], chosen: str, proof: str, lang: Language, *, anyway: bool
) -> tuple[Gate, ...]:
    """Every gate of a run, numbered; `chosen` is what the owner has said about it, if anything."""
    there = list(found)
    if chosen == "none":
        if not anyway:
            raise RefusedError(
                _("a run without any gate cannot tell done from undone"),
                where="gate",
                fix=_("Name a command or an observation, or go on with --anyway."),
            )
        return ()
    made: list[Gate] = []
    observed = chosen.removeprefix("observe").removeprefix(":").strip()
    if chosen.startswith("observe") and (chosen == "observe" or chosen[7:8] == ":"):
        made.append(_observation(observed or proof, lang))
    elif chosen:
        own, match = _chosen(there, chosen, lang)
        made.append(own)
        there = [gate for gate in there if match is None or gate.kind != match.kind]
    known = {key(gate.command) for gate in made}
    kinds: set[str] = set()
    for gate in there:
        if gate.kind not in kinds and key(gate.command) not in known:
            kinds.add(gate.kind)
            known.add(key(gate.command))
            made.append(_found(gate, lang))
    if not made:
        made.append(_observation(proof, lang))
    return tuple(replace(gate, id=f"G-{number}") for number, gate in enumerate(made[:_MOST], 1))


def _chosen(found: list[FoundGate], chosen: str, lang: Language) -> tuple[Gate, FoundGate | None]:
    """The owner's gate, and the one of the project that it is the same as, if any."""
    exact = next((gate for gate in found if gate.command == chosen), None)
    if exact:
        return _found(exact, lang), exact
    same = next((gate for gate in found if key(gate.command) == key(chosen)), None)
    if same:
        return replace(_found(same, lang), command=chosen, source=OWNER), same
    name = say("gate.owner", lang)
    return Gate("", name, chosen, "", "", "minutes", "", batched=False, source=OWNER), None


def without(found: tuple[FoundGate, ...], named: str) -> tuple[FoundGate, ...]:
    """The found gates but those that the owner leaves out, by kind or by command."""
    there = {word for gate in found for word in (gate.kind, gate.command)}
    # A command may hold a comma itself.
    words = [named.strip()] if named.strip() in there else [one.strip() for one in named.split(",")]
    out = frozenset(word for word in words if word and word != "none")
    if unknown := sorted(out - there):
        raise UsageError(
            _("no gate {word} was found", word=repr(unknown[0])),
            where="gates_except",
            fix=nearest(unknown[0], there) if there else _("Leave it out."),
        )
    return tuple(gate for gate in found if not out & {gate.kind, gate.command})


def key(command: str) -> tuple[str, ...]:
    """What a command checks, however loudly and through whichever runner it is started."""
    try:
        words = shlex.split(command)
    except ValueError:
        return (command,)
    while runner := next((one for one in _RUNNERS if tuple(words[: len(one)]) == one), None):
        words = words[len(runner) :]
        words = words[1:] if words[:1] == ["--"] else words
    if words and paths.name(words[0]) in _PYTHONS and words[1:2] == ["-m"]:
        words = words[2:]
    return tuple(word for word in words if word not in _SOUNDS)


def program(command: str) -> str:
    """The program that a command starts first; empty where a shell has to find that out."""
    words = command.split()
    word = next((word for word in words if "=" not in word.partition("/")[0]), "")
    return "" if _SHELL & set(word) else word


def marked(made: Iterable[Gate], absent: Iterable[str], lang: Language) -> tuple[Gate, ...]:
    """The gates, those whose program is not here with that beside their source."""
    missing = frozenset(absent)
    return tuple(
        replace(
            gate,
            source=say("gate.absent", lang, source=gate.source, program=program(gate.command)),
        )
        if gate.command and gate.source != OWNER and program(gate.command) in missing
        else gate
        for gate in made
    )


def lacking(made: Iterable[Gate], absent: Iterable[str]) -> Iterator[str]:
    """What an owner ought to know of gates that cannot start here, a sentence each."""
    missing = frozenset(absent)
    for gate in made:
        name = program(gate.command)
        if gate.command and name in missing:
            yield _(
                "{id} `{command}`: {program} is neither on PATH nor in the project's environment; "
                "install it there, or that gate proves nothing",
                id=gate.id,
                command=gate.command,
                program=name,
            )


def _found(gate: FoundGate, lang: Language) -> Gate:
    name = say(f"gate.{gate.kind}", lang)
    source = place(gate.file, gate.line)
    batched = gate.cost == "minutes"
    return Gate(
        "", name, gate.command, "", gate.narrow, gate.cost, "", batched=batched, source=source
    )


def place(file: str, line: int) -> str:
    """A pointer; a fact that is the whole file needs no line."""
    return f"{file}:{line}" if line > 1 else file


def _observation(text: str, lang: Language) -> Gate:
    name = say("gate.observation", lang)
    return Gate("", name, "", text, "", "minutes", "", batched=False, source=PROOF)
