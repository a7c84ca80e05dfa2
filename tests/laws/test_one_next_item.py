"""What `next` and `status` name as the next item is what the Stop hook holds a session on."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from loopgraph.disk import beside, runs
from loopgraph.hook import stop as hook
from loopgraph.hook.clock import Clock
from loopgraph.node import fire
from loopgraph.plain.quoting import visible
from loopgraph.views import status
from tests.hook.replay import SHAPES

ITEMS = ["build the limit", "none", "", "GAP-001 mend it", "OB-001 decides", "—", "a `|` b\x1b"]
PATHS = ["src/a", "src/a/b.py", "docs", "tests/*", "none", "src/a, docs", ""]
TRACKER = (
    "rounds since last 5: **{}** | net lines since last +400: **{}** | next round converges: {}"
)
TRACKERS = [
    *(TRACKER.format(*said) for said in [("1", "+7", "no"), ("5", "+7", "yes"), ("6", "+7", "no")]),
    *(TRACKER.format(*said) for said in [("1", "+500", "?"), ("x", "y", "z")]),
    "",
]
ROWS = st.tuples(
    st.sampled_from(["GAP-001", "GAP-002", "GAP-030"]),
    st.sampled_from(["mend it", "wait for OB-001", "owner-blocked", "read a"]),
    st.sampled_from(PATHS),
)
OWED = ["", "| D-004: mend a | open | D-004 |", "| D-004: mend a | closed | seen |",
        "| D-004: OB-001 says how | `in-progress` | D-004 |", "| D-004 | open | x |"]  # fmt: skip
LEDGERS = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["`active`", "active (note)", "stalled", "closed", "", "odd"]),
        "gate": st.sampled_from(["`open`", "`pending-audit`", "passed", "n/a", ""]),
        "tracker": st.sampled_from(TRACKERS),
        "next": st.sampled_from(ITEMS),
        "item": st.sampled_from(ITEMS),
        "set": st.sampled_from(PATHS),
        "surface": st.sampled_from(PATHS),
        "card": st.sampled_from(["", "| OB-001 | which? | A: x | none | now |"]),
        "rows": st.lists(ROWS, max_size=3),
        "owed": st.sampled_from(OWED),
    }
)
PROMPT = """\
| M-n | outcome | exit checks | audit surface | planned write set |
|---|---|---|---|---|
| M-1 | one | it runs | src/a | src/a |
| M-2 | two | it runs | docs | docs/x |
"""


def ledger(said):
    rows = "\n".join(
        f"| {id_} | P1 | M-1 | {paths} | pytest | {line} |" for id_, line, paths in said["rows"]
    )
    return f"""\
# x

## Status header

Current milestone: M-1 one | Round: 3 | Last round net lines: +1/-0
Next unclosed work item: {said["next"]}
Convergence tracker: {said["tracker"]}
Milestone gate: {said["gate"]}
Run status: {said["status"]}

## Current slice

- Item: {said["item"]}
- Write set: {said["set"]}
- Verify: pytest -q

## Pending promotion

- Audit surface: {said["surface"]}

## owner-blocked

| ID | Decision | Recommended | Others | Why now |
|---|---|---|---|---|
{said["card"]}

## Gate scoreboard

| Gate | Status | Evidence / next action |
|---|---|---|
{said.get("owed", "")}

## Debt & gap register

| ID | Priority | Milestone | Write set | Verify | One line |
|---|---|---|---|---|---|
{rows}
"""  # fmt: skip


def stop(root: Path, state: Path):
    """What the hook answers to the end of a turn of the bound session."""
    bound = {"version": 1, "sessions": {"claude:s-1": {"run": "r", "role": "executor"}}}
    (root / ".longgraph/.bindings.json").write_text(json.dumps(bound), "utf-8")
    payload = json.dumps({**SHAPES["claude"], "cwd": str(root)}).encode()
    environ = {"HOME": str(state), "LOOPGRAPH_STATE": str(state)}
    answer = hook.respond(payload, environ, Clock(environ, fresh=False))
    return json.loads(answer.out)["reason"].splitlines() if answer.out else None


def line(reason, begins):
    return next((one.removeprefix(begins) for one in reason if one.startswith(begins)), None)


AUDITED = {
    "status": "`active`", "gate": "`pending-audit`", "tracker": "", "next": "none",
    "item": "none", "set": "", "surface": "src/a", "card": "",
}  # fmt: skip


@settings(max_examples=150)
@given(said=LEDGERS)
@example(said={**AUDITED, "rows": [("GAP-001", "planned", "docs"), ("GAP-002", "free", "lib")]})
@example(said={**AUDITED, "rows": [("GAP-001", "audited", "src/a/b.py")]})
@example(said={**AUDITED, "rows": [], "owed": OWED[1]})
def test_the_hook_and_next_and_status_name_one_item(tmp_path_factory, said):
    base = tmp_path_factory.mktemp("law")
    run = base / "ws/.longgraph/r"
    run.mkdir(parents=True)
    (run / "ledger.md").write_text(ledger(said), "utf-8", newline="\n")
    (run / "executor.md").write_text(PROMPT, "utf-8", newline="\n")
    read = runs.load(run)
    found = fire.hot_start(read, beside.look(run), "executor")
    shown = status.summarise(read, "r", beside.look(run))
    reason = stop(base / "ws", base / "state")

    held = found.status == "active" and (found.item is not None or bool(found.due))
    assert (reason is not None) == held
    assert (shown.legal.text if shown.legal else None) == (found.item.text if found.item else None)
    if found.item and found.item.id.startswith("D-"):
        assert found.item.id in [part.id for part in found.parts if part.kind == "work"]
    if reason is None:
        return
    named = found.item and " ".join(
        visible(f"{found.item.id}: {found.item.text}" if found.item.id else found.item.text).split()
    )
    assert line(reason, "Next item: ") == named
    assert any("convergence round is due" in one for one in reason) == bool(found.due)
    assert bool(shown.convergence and shown.convergence.due) == bool(found.due)
