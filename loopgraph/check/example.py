"""The small run that rules show their bad and good examples on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loopgraph.edges import run
from loopgraph.edges.run import Run
from loopgraph.model.contract import contract_line
from loopgraph.model.messages import _

SLUG: Final = "2026-11-30-deliver-rate-limits"

RECORD: Final = """\
schema: loopgraph/run/1
loopgraph: 0.1.0
contract: longgraph.loop-graph/v6
slug: 2026-11-30-deliver-rate-limits
created: '2026-11-30T09:00:00+00:00'
lang: en
project: shop
goal: Limit the rate of each client
north_star:
  outcome: A client over its limit gets 429.
  proof: pytest tests/test_limits.py
pack:
  name: deliver
  version: 0123456789ab
  origin: built-in
  slug: deliver
  item: one slice
  discovery_driven: false
  metric_driven: false
  plan: []
  guards: []
  audits: []
  supervisor_required: true
  emphasis: {executor: [], supervisor: [], ledger: [], directives: [], ops: []}
authority: {choice: A, commits: true, bar: '', owner_only: [push]}
scope: .
scout: ''
nodes:
- {role: executor, host: shell, client: agent, interval: 10m}
- {role: supervisor, host: shell, client: agent, interval: 30m}
fanout_tier: ''
timers: false
shell: posix
knobs:
  FIRE_ROUND_CAP: {value: 8, source: default}
  CONVERGE_EVERY: {value: 5, source: default}
  NET_LINE_CAP: {value: 400, source: default}
  KEEP_ROUNDS: {value: 5, source: default}
  OPEN_DIRECTIVE_CAP: {value: 8, source: default}
  STANDING_CAP: {value: 12, source: default}
  GAP_CAP: {value: 12, source: default}
  OWNER_CAP: {value: 6, source: default}
  METRIC_CAP: {value: 12, source: default}
  FILE_LINE_CAP: {value: 200, source: default}
  FILE_BYTE_CAP: {value: 24576, source: default}
  EXEC_INTERVAL: {value: 10m, source: default}
  SUP_INTERVAL: {value: 30m, source: default}
milestones:
- {id: M-1, outcome: limits hold, exit_checks: G-1, audit_surface: src/, write_set: src/}
gates:
- {id: G-1, name: tests, command: pytest, observation: '', narrow: '', cost: seconds,
  amount: '', batched: false, source: owner}
scopes: []
context: []
detectors: []
areas: []
production: []
budget: ''
answers: []
facts:
  project: {value: shop, file: '', line: 0}
frozen: {}
"""
"""A whole record; rules change the one line that they are about."""


_GATES: Final = (
    "| ID | Gate | Command or observation | Narrow form | Cost | Batched | Source |",
    "|---|---|---|---|---|---|---|",
)


def record(old: str = "", new: str = "") -> dict[str, str]:
    """A run that is this record alone, with one text replaced."""
    return {"run.yaml": RECORD.replace(old, new)}


def prompt(body: str, *, name: str = "executor") -> str:
    """A prompt of this contract with one line of text."""
    return f"{contract_line(name)}\n\n{body}\n"


def ops(body: str) -> dict[str, str]:
    """A run that is an ops.md with one text."""
    return {"ops.md": prompt(body, name="ops")}


def gates(*rows: str) -> dict[str, str]:
    """A run that is an ops.md with these gates."""
    return ops("\n".join(("## Gates", "", *_GATES, *rows)))


def read(files: Mapping[str, str]) -> Run:
    """An example as a run; a byte that is no UTF-8 stands in it as its surrogate escape."""
    texts: dict[str, str] = {}
    others: dict[str, str] = {}
    for name, text in files.items():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            before = text[: error.start].encode("utf-8")
            others[name] = _("not UTF-8 at byte {start}", start=len(before))
        else:
            texts[name] = text
    return run.read(texts, others)
