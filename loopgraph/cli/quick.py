"""Calls that a node or a script makes all day, read without the library of the command line.

Only plain calls are read here: whatever is unknown, `--help` included, is left to the library,
which says what is wrong. A test holds both ways to the same answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:  # the names are for types alone
    from pathlib import Path

    from loopgraph.edges.beside import Beside
    from loopgraph.edges.run import Run
    from loopgraph.node.results import Result
    from loopgraph.node.speaker import Speaker


class Asked(NamedTuple):
    """What such a call says."""

    run: str | None = None
    workspace: str | None = None
    said: str | None = None
    """Of `--as`."""
    json: bool = False


def read(arguments: Sequence[str]) -> Callable[[], int] | None:
    """The call that these arguments mean; None where the library has to read them."""
    if not arguments or arguments[0] not in _CALLS:
        return None
    command, options = _CALLS[arguments[0]]
    given: dict[str, str] = {}
    json, named = False, ""
    rest = list(arguments[1:])
    while rest:
        word, *rest = rest
        option, mark, value = word.partition("=")
        if word == "--json":
            json = True
        elif not word.startswith("-") and word and not named:
            named = word
        elif option in options and (mark or rest):
            if not mark:
                value, *rest = rest
            if not value or value.startswith("-"):
                return None
            given[options[option]] = value
        else:
            return None
    run = given.get("run") or named or None
    if named and run != named:
        return None
    asked = Asked(run, given.get("workspace"), given.get("said"), json)
    return lambda: command(asked)


def status(asked: Asked) -> int:
    """Print where a run stands; the exit code says it, too."""
    from loopgraph.check import run_rules
    from loopgraph.disk import beside, config_file, runs
    from loopgraph.views import status as view

    path, found = _load(asked)
    config = config_file.load(runs.root_of(path))
    findings = run_rules.findings(found, select=config.select, ignore=config.ignore)
    named = _named(path, asked)
    shown = view.summarise(found, path.name, beside.look(path), findings, named=named)
    if asked.json:
        _print_json(view.data(shown))
    else:
        from loopgraph.views import screen

        sys.stdout.write(screen.text(shown))
    return shown.exit


def next_(asked: Asked) -> int:
    """Print what a node has to do now."""
    from loopgraph.cli import meant
    from loopgraph.disk import beside, runs
    from loopgraph.model.errors import UsageError
    from loopgraph.model.messages import _
    from loopgraph.node import fire, fire_judge, fire_work
    from loopgraph.views import next as view

    path, found = _load(asked)
    speaker = meant.speaker(asked.said, runs.root_of(path))
    role = speaker.role
    if role is None:
        raise UsageError(_("as which node?"), where="next", fix=_("Say --as executor."))
    ledger = found.ledger()
    results: tuple[Result, ...] = ()
    asked_for = ledger is not None and ledger.promotion and not ledger.promotion.empty
    if role == "executor":
        from loopgraph.disk import last_results

        results = last_results.newest(path, fire_work.gates(found))
    elif asked_for:
        from loopgraph.disk import evidence

        results = evidence.results(path)
    named = _named(path, asked) if asked.run else ""
    around = beside.look(path)
    begun = _begun(found, around, speaker) if role == "executor" else None
    told = beside.told(path, fire_judge.to_audit(found)) if role != "executor" else ()
    woken = fire.hot_start(
        found, around, role, named=named, gathered=results, begun=begun, told=told
    )
    if asked.json:
        _print_json(view.data(path.name, woken))
    else:
        sys.stdout.write(view.text(path.name, woken))
    return 0


def _begun(found: Run, around: Beside, speaker: Speaker) -> int | None:
    """The round behind which the fire that goes on now began; None where nobody knows.

    Its session was bound once, and may have ended fires since: each after as many rounds as one
    may have, or at a convergence round. Where the last round was recorded long ago, the timer
    has woken the session anew.
    """
    from loopgraph.cli import clock, meant
    from loopgraph.edges import bindings
    from loopgraph.plain import when

    ledger, cap = found.ledger(), found.knob("FIRE_ROUND_CAP")
    bound = (bindings.of(around.bindings, one.id, one.host) for one in speaker.sessions)
    since = next((one.round for one in bound if one and one.round is not None), None)
    recorded = around.done.get("round")
    if ledger is None or since is None or ledger.round is None or recorded is None:
        return None
    now = clock.now(None, meant.environ()).timestamp()
    if now - when.instant(recorded) > _AWAKE or not isinstance(cap, int) or cap < 1:
        return None
    seams = [one.number for one in ledger.rounds if one.converge and not one.block]
    first = max([since, *(number for number in seams if number < ledger.round)])
    count = ledger.round - first
    return first + (count - 1) // cap * cap if count > 0 else None


_AWAKE: Final = 120.0
"""Seconds between a round's record and the look at what comes next, in one fire."""


def _named(path: Path, asked: Asked) -> str:
    """How a command names this run: by its slug, or as it was named where it lies elsewhere."""
    from loopgraph.disk.roots import FOLDER

    if path.parent.name == FOLDER or not asked.run:
        return path.name
    plain = all(char.isalnum() or char in "/._-" for char in asked.run)
    return asked.run if plain else "RUN"


def _load(asked: Asked) -> tuple[Path, Run]:
    """The run that is meant; refused where it has no ledger that can be read."""
    from loopgraph.cli import meant
    from loopgraph.disk import runs
    from loopgraph.model.errors import UnreadableError
    from loopgraph.model.messages import _

    path = meant.find(asked.run, asked.workspace)
    found = runs.load(path)
    if "ledger.md" not in found.files:
        why = found.others.get("ledger.md", _("no such file"))
        raise UnreadableError(why, where=str(path / "ledger.md"))
    return path, found


def _print_json(answer: Mapping[str, object]) -> None:
    import json

    sys.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")


_SHARED: Final = {"--run": "run", "--workspace": "workspace"}
_CALLS: Final[Mapping[str, tuple[Callable[[Asked], int], Mapping[str, str]]]] = {
    "status": (status, _SHARED),
    "next": (next_, {**_SHARED, "--as": "said"}),
}
"""The commands that are read here, and the field that each option of theirs fills."""
