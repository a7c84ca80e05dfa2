"""The small states of a run that the rules of a history show their examples on."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from loopgraph.model.contract import contract_line
from loopgraph.plain import header as columns

Files = dict[str, str]

_LEDGER: Final = f"{contract_line('ledger')}\n\n"
_HEAD: Final = f"| {' | '.join(columns.GAP_COLUMNS)} |\n|{'---|' * len(columns.GAP_COLUMNS)}\n"
GAP: Final = "| GAP-001 | P2 | M-1 | src/limits.py | pytest tests/limits | no test reads it |"
OTHER_GAP: Final = "| GAP-002 | P1 | M-1 | src/catalog.py | pytest tests/catalog | it is slow |"


def prompt(said: str) -> Files:
    """A run that is a prompt with one line of text."""
    return {"executor.md": f"{contract_line('executor')}\n\n{said}\n"}


def header(*lines: str) -> Files:
    """A ledger that is a Status header."""
    said = "".join(f"{line}\n" for line in lines)
    return {"ledger.md": f"{_LEDGER}## Status header\n\n{said}"}


def ledger(*lines: str) -> Files:
    """A ledger with a Status header, and with a log of those lines that are rounds."""
    found = header(*(line for line in lines if not line.startswith("- R")))
    rounds = "".join(f"{line}\n" for line in lines if line.startswith("- R"))
    return {"ledger.md": f"{found['ledger.md']}\n## Rounds log\n\n{rounds}"}


def log(numbers: Iterable[int]) -> Files:
    """A ledger that is a log of rounds."""
    return ledger("Run status: `active`", *(round_line(number) for number in numbers))


def round_line(number: int, item: str = "a slice", net: str = "+3/-1", tag: str = "") -> str:
    """One recorded round."""
    rest = "changed: src/limits.py | verify: pass"
    return f"- R{number} 2026-11-30{tag} | {item} | {rest} | net {net} | next: more"


def tracker(rounds: int, flag: str) -> str:
    """A Convergence tracker."""
    return (
        f"Convergence tracker: rounds since last 5: **{rounds}** | "
        f"net lines since last +400: **+38** | **next round converges: {flag}**"
    )


def register(*rows: str) -> Files:
    """A ledger with these debt rows."""
    lines = "".join(f"{row}\n" for row in rows)
    return {"ledger.md": f"{_LEDGER}## Debt & gap register\n\n{_HEAD}{lines}"}


def queue(*packets: str) -> Files:
    """Directives with these corrections."""
    said = "\n".join(packets)
    return {"directives.md": f"{contract_line('directives')}\n\n## Corrections\n\n{said}"}


def packet(verdict: str) -> str:
    """A correction."""
    return (
        f"D-001 · 2026-11-30 · {verdict}\nContext: R9\nAction: go on\n"
        "Verify: pytest tests/limits\nStop: none\n"
    )


def acts(node: str, command: str) -> Files:
    """A log with one act, which wrote the directives."""
    packets = queue(packet(command.split()[1].replace("accept", "accept · M-1")))
    if command.startswith("directive"):
        packets = queue(packet("plan"))
    return {"evidence/acts.jsonl": _act(node, command, packets)}


def noted(*states: Files) -> Files:
    """The last of these states, and an act of the executor for each."""
    lines = "".join(_act("executor", "ops set", files) for files in states)
    return {**states[-1], "evidence/acts.jsonl": lines}


def _act(node: str, command: str, files: Files) -> str:
    digests = {name: sha256(text.encode()).hexdigest() for name, text in files.items()}
    line = {"time": "2026-11-30T09:00:00+00:00", "node": node, "command": command.split()}
    return json.dumps({**line, "files": digests}) + "\n"
