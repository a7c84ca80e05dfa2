"""`new --from RUN`: what must live on does, and the earlier run stays as it is."""

from __future__ import annotations

import pytest

from loopgraph.disk import runs
from tests.cli.test_dry_run import everything
from tests.cli.test_new import GOAL
from tests.conftest import NOW

LATER = "2026-02-03T04:05:06+00:00"
GAPS = """\
| GAP-041 | P2 | M-1 | src/later | pytest tests/later | the later one |
| GAP-042 | P0 | M-1 | src/`odd` \\| pipe | pytest -k odd | broken {{ now }} |
| GAP-043 | P3 | M-1 | docs | make docs | some day |
"""
ROWS = """\
| limits per tenant | in-progress | waits for the quota table |
| burst of 100 | closed | evidence/verify/12 |
"""
REGISTER = "| ID | Priority | Milestone | Write set | Verify | One line |\n"
LEDGER = {
    REGISTER + "|---|---|---|---|---|---|\n": GAPS,
    "| Gate | Status | Evidence / next action |\n|---|---|---|\n": ROWS,
}
METRICS = """
## Metric snapshot

| Metric | Baseline | Now | Target | Evidence |
|---|---|---|---|---|
| p95 of search | 120 ms | 80 ms | 50 ms | evidence/p95 |

## owner-blocked
"""
STANDING = "- S-007 · SCOPE · Leave `legacy/` alone until March.\n"


@pytest.fixture
def old(make):
    """A run in the middle of its life."""
    run = make(
        "deliver", GOAL, "--set", "authority=B", "--set", "FIRE_ROUND_CAP=5", "--host", "codex"
    )
    ledger = run / "ledger.md"
    text = ledger.read_text("utf-8")
    for head, rows in LEDGER.items():
        assert text.count(head) == 1
        text = text.replace(head, head + rows)
    text = text.replace("\n## owner-blocked\n", METRICS, 1)
    ledger.write_text(text, encoding="utf-8", newline="\n")
    directives = run / "directives.md"
    text = directives.read_text("utf-8").replace("## STANDING\n\n", f"## STANDING\n\n{STANDING}", 1)
    directives.write_text(text, encoding="utf-8", newline="\n")
    return run


def successor(cli, repository, old, *arguments: str):
    before = everything(old)
    done = cli("new", "--from", old.name, "--yes", "--created", LATER, *arguments, cwd=repository)
    assert done.code == 0, done.err
    assert everything(old) == before
    (new,) = (run for run in runs.all_runs(repository) if run != old)
    return new, done


def test_a_successor_carries_what_is_still_in_force(cli, repository, old):
    new, _ = successor(cli, repository, old)
    run = runs.load(new)
    assert run.record is not None
    kept = run.record.spec.carried
    assert kept is not None
    assert kept.run == old.name
    assert [row.text for row in kept.standing] == ["Leave `legacy/` alone until March."]
    directives = run.directives()
    assert directives is not None
    texts = [entry.text for entry in directives.standing]
    assert texts.count("Leave `legacy/` alone until March.") == 1
    assert sum(entry.said == "AUTHORITY" for entry in directives.standing) == 1
    ledger = run.ledger()
    assert ledger is not None
    gap = ledger.gaps[0]
    odd = ("P0", "src/`odd` | pipe", "pytest -k odd", "broken {{ now }}")
    assert (gap.priority, gap.write_set, gap.verify, gap.text) == odd
    assert gap.id == "GAP-001"
    rows = [(row.gate, row.said) for row in ledger.scoreboard]
    assert ("limits per tenant", "in-progress") in rows
    lines = [gap.text for gap in ledger.gaps]
    assert {"the later one", "some day"} <= set(lines)
    assert len(lines) == len(set(lines))
    snapshot = run.files["ledger.md"].partition("## Starting snapshot")[2].partition("\n## ")[0]
    assert f"Successor of {old.name}" in snapshot
    assert "limits per tenant (in-progress): waits for the quota table" in snapshot
    assert "burst of 100" not in snapshot
    assert "p95 of search: Baseline: 120 ms; Now: 80 ms; Target: 50 ms" in snapshot
    assert f"Earlier runs, not continued here: {old.name}" not in snapshot


def test_a_successor_is_clean_and_compiles_to_itself(cli, repository, old):
    new, _ = successor(cli, repository, old)
    checked = cli("check", new.name, cwd=repository)
    assert (checked.code, checked.out) == (0, "")
    again = repository / "again"
    assert cli("compile", str(new / "run.yaml"), "-o", str(again), cwd=repository).code == 0
    for path in new.iterdir():
        if path.is_file():
            assert (again / path.name).read_bytes() == path.read_bytes(), path.name


def test_pack_answers_host_and_knobs_are_the_earlier_ones_unless_given(cli, repository, old):
    new, done = successor(cli, repository, old, "--set", "FIRE_ROUND_CAP=7")
    spec = runs.record_of(new).spec
    said = {answer.key: (answer.value, answer.source) for answer in spec.answers}
    assert spec.pack.name == "deliver"
    assert spec.goal == GOAL
    assert said["authority"] == ("B", "earlier run")
    assert spec.nodes[0].host == "codex"
    assert spec.knobs["FIRE_ROUND_CAP"].value == 7
    assert "loopgraph: carried over: " in done.err


def test_another_goal_keeps_the_standing_and_drops_what_was_said_of_the_old_goal(
    cli, repository, old
):
    new, _ = successor(cli, repository, old, "converge", "--host", "claude-code")
    spec = runs.record_of(new).spec
    assert spec.pack.name == "converge"
    assert spec.nodes[0].host == "claude-code"
    assert spec.carried is not None
    assert spec.carried.standing


def test_a_successor_of_a_successor_carries_nothing_twice(cli, repository, old):
    new, _ = successor(cli, repository, old)
    before = everything(new)
    call = ("new", "--from", new.name, "--yes", "--created", "2026-03-03T04:05:06+00:00")
    assert cli(*call, cwd=repository).code == 0
    assert everything(new) == before
    third = runs.all_runs(repository)[-1]
    run = runs.load(third)
    directives, ledger = run.directives(), run.ledger()
    assert directives is not None
    assert ledger is not None
    texts = [entry.text for entry in directives.standing]
    assert len(texts) == len(set(texts))
    assert "Leave `legacy/` alone until March." in texts
    lines = [gap.text for gap in ledger.gaps]
    assert len(lines) == len(set(lines))
    assert cli("check", third.name, cwd=repository).code == 0


def test_a_run_without_a_record_is_carried_on_with_a_goal_of_its_own(cli, repository, old):
    (old / "run.yaml").unlink()
    done = cli("new", "--from", old.name, "--yes", cwd=repository)
    assert done.code == 2
    assert "no preset and no goal" in done.err
    new, _ = successor(cli, repository, old, "deliver", "Finish the limits per tenant")
    kept = runs.record_of(new).spec.carried
    assert kept is not None
    assert "Leave `legacy/` alone until March." in [entry.text for entry in kept.standing]


def test_more_standing_than_the_cap_is_refused_with_the_cure(cli, repository, old):
    directives = old / "directives.md"
    more = "".join(f"- S-{n:03} · SCOPE · Rule number {n}.\n" for n in range(20, 33))
    text = directives.read_text("utf-8").replace("## STANDING\n\n", f"## STANDING\n\n{more}", 1)
    directives.write_text(text, encoding="utf-8", newline="\n")
    done = cli("new", "--from", old.name, "--yes", cwd=repository)
    assert done.code == 1
    assert "STANDING_CAP" in done.err
    assert len(runs.all_runs(repository)) == 1


def test_an_unknown_run_is_named(cli, repository, old):
    done = cli("new", "--from", "deliver-add-rat", "--yes", cwd=repository)
    assert done.code == 2
    assert old.name in done.err


def test_what_nobody_took_up_is_said_to_stay(cli, repository, old):
    cli("owner", "ask", "Keep it?", "--why", "soon", "--option", "yes", "--option", "no",
        "--run", old.name, "--as", "executor", cwd=repository)  # fmt: skip
    cli("directive", "add", "plan", "--action", "a", "--verify", "b", "--run", old.name,
        "--as", "owner", cwd=repository)  # fmt: skip
    done = cli("new", "--from", old.name, "--yes", "--dry-run", cwd=repository)
    said = " ".join(done.out.split())
    assert f"OB-001, D-001; they stay in {old.name}" in said


def test_a_record_from_before_successors_is_still_read(make):
    run = make("deliver", GOAL, "--created", NOW)
    assert "carried:" not in (run / "run.yaml").read_text("utf-8")
    assert runs.record_of(run).spec.carried is None
