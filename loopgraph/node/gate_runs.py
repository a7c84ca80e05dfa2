"""Runs of gates: which command a gate is, and how its result is kept."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Final

from loopgraph.edges.change import Change
from loopgraph.edges.ops import GateRow
from loopgraph.edges.run import Run
from loopgraph.model import secrets
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.messages import N_, _
from loopgraph.node import call as parts
from loopgraph.node import results
from loopgraph.node import speaker as who
from loopgraph.node.call import OPS, Call
from loopgraph.node.results import Result
from loopgraph.plain import header, quoting

_SHELL: Final = frozenset("|&;<>()$`*?[]{}~#!\n")
"""Characters that mean something to a shell."""
OUTPUT: Final = 64 * 1024
"""Characters of output that are kept: the end, where a tool says what failed."""
LAST: Final = 5
"""Lines of it that are told at once where a gate failed."""
_SHOWN: Final = 4
"""Folders and files that a line names."""


def may(call: Call) -> None:
    """Refuse whoever runs no gates."""
    who.require(call.speaker, ("executor", "supervisor", "owner"), what="`gate run`")


def gate(run: Run, id_: str) -> GateRow:
    """A gate of ops.md by its id; refused where its section is no longer as it was frozen."""
    rows = parts.ops(run).gates or ()
    for row in rows:
        if row.id and header.same_id(id_, [row.id]):
            _frozen(run, row)
            return row
    known = [row.id for row in rows if row.id]
    fix = nearest(id_, known) if known else _("ops.md has no gates.")
    raise UsageError(_("no such gate"), where=id_, fix=fix)


def _frozen(run: Run, row: GateRow) -> None:
    known = {one.id: one.command for one in run.record.spec.gates} if run.record else None
    if known is not None and known.get(row.id or "") != command(row):
        raise RefusedError(
            _("{id} is not the gate that the run was compiled with", id=row.id),
            where=f"{OPS}:{row.line}",
            fix=_("Gates are frozen: put the row back; see loopgraph check."),
        )


def command(row: GateRow) -> str:
    """The command of a gate, out of its code span; empty where it is observed."""
    said = row.command or ""
    spans = quoting.spans(said)
    return spans[0] if spans and said.startswith("`") else ""


def commands(run: Run) -> tuple[str, ...]:
    """Every command that the gates of a run would run."""
    rows = parts.ops(run).gates or ()
    return tuple(dict.fromkeys(found for row in rows if (found := command(row))))


def words(said: str, shell: str) -> tuple[str, ...]:
    """The argument list that a command is started with; a shell only where it needs one."""
    if shell == "powershell":
        return ("powershell", "-NoProfile", "-NonInteractive", "-Command", said)
    if not _SHELL & set(said) and "=" not in said.partition(" ")[0]:
        try:
            return tuple(shlex.split(said))
        except ValueError:
            pass
    return ("sh", "-c", said)


def store(
    call: Call,
    result: Result,
    more: Mapping[str, object],
    *,
    beside: Iterable[str] = (),
    told: str = "",
) -> Change:
    """Keep a result under evidence/, with the end of its output, and say how it went.

    What failed is said with the last lines of its output and where the rest is; `beside` are
    lines that come last, and `told` is its evidence in the reader's language.
    """
    may(call)
    name = "".join(char if char.isalnum() else "-" for char in f"{result.time}-{result.check}")
    form = N_("{check} passed: {how}") if result.passed else N_("{check} failed: {how}")
    said = _(form, check=result.check, how=told or result.evidence)
    place = f"{results.FOLDER}/{name}-{result.node.replace(' ', '-')}.json"
    says = [said]
    output = more.get("output")
    if not result.passed and isinstance(output, list):
        lines = [line.rstrip() for line in output if line.strip()]
        says += [f"  {line}" for line in lines[-LAST:]]
        says.append(_("The rest of it: {place}", place=f"evidence/{place}"))
    text = results.write(result, more)
    return Change(evidence={place: text}, says=(*says, *beside))


def left(paths: Iterable[str]) -> str:
    """What a gate has left in the workspace that git would take for somebody's work, in a line."""
    new = sorted(paths)
    if not new:
        return ""
    tops = dict.fromkeys(f"{top}/…" if rest else top for top, _, rest in map(_parted, new))
    shown = ", ".join([*list(tops)[:_SHOWN], *(["…"] if len(tops) > _SHOWN else [])])
    said = _("it left {count} new files: {paths}", count=len(new), paths=shown)
    if len(new) == 1:
        said = _("it left a new file: {path}", path=new[0])
    return _("{said} (ignore or remove them: they count as somebody's work)", said=said)


def _parted(path: str) -> tuple[str, str, str]:
    return path.partition("/")


def metered(row: GateRow) -> bool:
    """Whether running it costs more than time."""
    return (row.cost or "").partition(":")[0].strip(" `*").casefold() in ("money", "risk")


def ways(row: GateRow) -> str:
    """What to do about a gate whose program cannot be started."""
    line = f"{row.id} cannot start"
    verify = f"loopgraph gate run {row.id}"
    return _(
        "Install it in the project's own environment, or: loopgraph gap add {line} "
        "--priority P0 --write-set none --verify {verify}",
        line=shlex.quote(line),
        verify=shlex.quote(verify),
    )


def clean(output: str) -> list[str]:
    """The lines at the end of an output, without terminal codes, its credentials taken out."""
    kept = quoting.visible(output.replace("\r\n", "\n")[-OUTPUT:], keep="\n\t")
    lines = kept.split("\n")
    for secret in secrets.find(kept):
        lines[secret.line - 1] = f"[{secret.kind} was here]"
    return lines[:-1] if lines[-1] == "" else lines


def observed(run: Run, said: str) -> tuple[str, bool]:
    """A check of a milestone and its outcome, from `M-1.2=pass`."""
    check, mark, outcome = (part.strip() for part in said.rpartition("="))
    outcome = outcome.casefold()
    if not mark or outcome not in ("pass", "fail"):
        raise UsageError(
            _("no result"), where=f"--result {said}", fix=_("Say CHECK=pass or CHECK=fail.")
        )
    spec = parts.spec(run)
    known = [one.id for m in spec.milestones for one in results.checks(m.id, m.exit_checks)]
    gates = [one.id for one in spec.gates if not one.command]
    every = [*known, *(one.id for one in spec.gates)]
    check = next((id_ for id_ in every if id_.casefold() == check.casefold()), check)
    if check in [one.id for one in spec.gates if one.command]:
        raise RefusedError(
            _("{check} is a command", check=check), where=f"--result {said}", fix=_("Run it.")
        )
    if check not in (*known, *gates):
        raise UsageError(
            _("no such check"), where=f"--result {said}", fix=nearest(check, known + gates)
        )
    return check, outcome == "pass"
