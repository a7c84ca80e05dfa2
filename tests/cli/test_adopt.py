"""`adopt RUN`: older and hand-written runs come to the contract of today, and nothing is lost."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from loopgraph.disk import runs
from loopgraph.model import contract
from tests.cli.test_dry_run import everything
from tests.conftest import NOW

FOREIGN = Path(__file__).parents[1] / "cases" / "foreign"
LOOK_ALIKES = sorted(case.name for case in FOREIGN.iterdir())

EXECUTOR = """\
# What to do

You drive `tillroll`. Milestones in order: M1 both ways → M2 move the old → M3 switch over.

## North Star

| # | Goal | Verified by |
| --- | --- | --- |
| G1 | Receipts land in the bucket | `make test` |
| G2 | Old ones are there, too | key diff empty |
"""
DIRECTIVES = """\
# tillroll — Directives

## STANDING

- S-001: never touch `legacy/`
- no new dependency

## Corrections

Newest last.

D-004 · 2026-09-16 — the key diff was never run → run it from outside
D-003 · 2026-09-15 — **M2 accepted** → go on
"""


def placed(root: Path, case: str = "move-receipts", **texts: str) -> Path:
    """A look-alike of an older run in a workspace of its own, with some files said otherwise."""
    run = root / ".longgraph" / f"2026-09-14-{case}"
    shutil.copytree(FOREIGN / case, run)
    for name, text in texts.items():
        (run / f"{name}.md").write_bytes(text.encode("utf-8"))
    return run


def adopted(cli, run: Path, *arguments: str, code: int = 0):
    done = cli("adopt", run.name, *arguments, cwd=run.parents[1], LOOPGRAPH_NOW=NOW)
    assert done.code == code, done.out + done.err
    return done


def texts(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.glob("*.md")}


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_an_older_run_is_accepted_by_check_afterwards_and_kept_whole_beside(cli, tmp_path, case):
    run = placed(tmp_path, case)
    before = texts(run)
    assert cli("check", "--strict", cwd=tmp_path).code == 1
    adopted(cli, run)
    checked = cli("check", "--format", "json", cwd=tmp_path)
    assert checked.code == 0, checked.out
    (copies,) = (run / "archive").glob("adopted-v*")
    assert texts(copies) == before
    for name, artifact in contract.ARTIFACTS.items():
        if (run / name).exists():
            assert (run / name).read_text("utf-8").startswith(contract.contract_line(artifact))
    assert cli("compile", str(run), "--check", cwd=tmp_path).code == 0


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_adopting_twice_is_adopting_once(cli, tmp_path, case):
    run = placed(tmp_path, case)
    adopted(cli, run)
    before = everything(run)
    assert "nothing to do" in adopted(cli, run).out
    assert everything(run) == before


def test_a_run_that_was_compiled_here_is_left_alone(cli, make, repository):
    run = make("deliver", "Answer each request that names no shelf with an error that says so.")
    before = everything(run)
    done = cli("adopt", cwd=repository)
    assert (done.code, everything(run)) == (0, before)


def test_what_ledger_and_log_said_reads_the_same_afterwards(cli, tmp_path):
    run = placed(tmp_path)
    was = runs.load(run).ledger()
    adopted(cli, run)
    now = runs.load(run).ledger()
    assert was
    assert now
    same = ("status", "gate", "round", "net", "next_item", "folded", "convergence")
    for name in same:
        before, after = getattr(was, name), getattr(now, name)
        # Lines move: every other value stays.
        assert before[1:] == after[1:] if name == "convergence" else before == after, name
    assert now.milestone == "M-3"
    assert now.highest == {"GAP": 2, "OB": 1}
    told = [(r.number, r.date, r.converge, r.item, r.net, r.next) for r in now.rounds]
    assert told == [(r.number, r.date, r.converge, r.item, r.net, r.next) for r in was.rounds]
    assert not any(entry.block for entry in now.rounds)
    assert now.rounds[-1].verify == "narrow 9 passed; `make test` and the replay green; " + (
        was.rounds[-1].verify or ""
    )


def test_lines_that_are_no_field_stay_where_they_were(cli, tmp_path):
    odd = "> A quoted line.\n\nProse | with a pipe, `code`, and  two blanks.\n\t- deep\n"
    text = (FOREIGN / "move-receipts" / "ledger.md").read_text("utf-8")
    text = text.replace("## Starting snapshot\n", f"## Starting snapshot\n\n{odd}")
    text += "\n## Our own notes\n\n```\n## Rounds log\n```\n<!-- kept -->\n"
    run = placed(tmp_path, ledger=text)
    adopted(cli, run)
    now = (run / "ledger.md").read_text("utf-8")
    assert odd in now
    assert now.endswith("\n## Our own notes\n\n```\n## Rounds log\n```\n<!-- kept -->\n")


def test_line_ends_and_a_mark_of_byte_order_stay_as_they_are(cli, tmp_path):
    text = (FOREIGN / "price-parser" / "ledger.md").read_text("utf-8")
    run = placed(tmp_path, "price-parser", ledger="\ufeff" + text.replace("\n", "\r\n"))
    adopted(cli, run)
    now = (run / "ledger.md").read_bytes()
    assert now.startswith("\ufeffRuntime contract:".encode())
    assert now.count(b"\n") == now.count(b"\r\n")


def test_the_record_says_what_the_prompt_says(cli, tmp_path):
    run = placed(tmp_path, executor=EXECUTOR)
    adopted(cli, run, "--host", "codex")
    record = runs.load(run).record
    assert record
    spec = record.spec
    assert spec.north_star.outcome == "Receipts land in the bucket; Old ones are there, too"
    assert spec.north_star.proof == "`make test`; key diff empty"
    assert [(m.id, m.outcome) for m in spec.milestones] == [
        ("M-1", "both ways"),
        ("M-2", "move the old"),
        ("M-3", "switch over"),
    ]
    assert (spec.project, spec.adopted, spec.slug) == ("tillroll", "by-hand", run.name)
    assert (spec.node("supervisor"), spec.authority.commits) == (None, False)
    assert [node.host for node in spec.nodes] == ["codex"]
    prompt = (run / "executor.md").read_text("utf-8")
    assert EXECUTOR in prompt  # the person's own words stay, whole


def test_corrections_become_packets_and_folded_ones_go_to_the_archive(cli, tmp_path):
    run = placed(tmp_path, directives=DIRECTIVES)
    done = adopted(cli, run)
    queue = runs.load(run).directives()
    assert queue
    (packet,) = queue.corrections
    said = {name: field.text for name, field in packet.fields.items()}
    assert (packet.id, packet.date, packet.verdict) == ("D-004", "2026-09-16", "plan")
    assert said == {
        "Context": "the key diff was never run",
        "Action": "run it from outside",
        "Verify": "unknown",
        "Stop": "none",
    }
    archive = (run / "archive" / "directives.md").read_text("utf-8")
    assert "D-003 · 2026-09-15 — **M2 accepted** → go on\n" in archive
    assert "Newest last.\n" in archive
    assert [(e.id, e.kind, e.text) for e in queue.standing] == [
        ("S-001", "SCOPE", "never touch `legacy/`"),
        ("S-002", "SCOPE", "no new dependency"),
    ]
    assert queue.state
    assert queue.state.highest == {"D": 4, "S": 2, "OB": 1}
    assert "D-004 was no packet of four fields" in done.err


def test_rounds_that_lack_a_number_go_to_the_archive_rather_than_gain_one(cli, tmp_path):
    text = (FOREIGN / "move-receipts" / "ledger.md").read_text("utf-8")
    bare = "- R6 | nobody wrote down when, nor how much | next: promote M2\n"
    old = next(line for line in text.splitlines(keepends=True) if line.startswith("- R6"))
    run = placed(tmp_path, ledger=text.replace(old, bare + "- a remark of somebody\n"))
    adopted(cli, run)
    ledger = runs.load(run).ledger()
    assert ledger
    assert [entry.number for entry in ledger.rounds] == [7, 8, 9]
    archive = (run / "archive" / "rounds.md").read_text("utf-8")
    assert bare in archive
    assert "- R5 2026-09-14" in archive
    assert "- a remark of somebody\n" in archive


def test_a_log_with_the_newest_on_top_is_turned_round(cli, tmp_path):
    lines = [
        f"- R{n} 2026-10-02 | step {n} | changed: a.py | verify: pass | net +1/-0 | next: more"
        for n in (3, 2, 1)
    ]
    text = (FOREIGN / "price-parser" / "ledger.md").read_text("utf-8")
    head = text[: text.index("### Round 1")]
    run = placed(tmp_path, "price-parser", ledger=head + "\n".join(lines) + "\n")
    adopted(cli, run)
    assert (run / "ledger.md").read_text("utf-8").endswith("\n".join(reversed(lines)) + "\n")


def test_an_id_of_an_archive_is_never_given_again(cli, tmp_path):
    run = placed(tmp_path, "price-parser")
    (run / "archive").mkdir()
    (run / "archive" / "gaps.md").write_text("| GAP-017 | P2 | x |\n", encoding="utf-8")
    adopted(cli, run)
    ledger = runs.load(run).ledger()
    assert ledger
    assert ledger.highest["GAP"] == 17


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("ledger.md", b"# x \xff\n", "not UTF-8"),
        ("run.yaml", b"schema: something/else\n", "its schema is not"),
        ("ops.md", b"Runtime contract: `longgraph.loop-graph.ops/v9`\n", "contract v9"),
        ("ledger.md", b"## Status header\n\na\n\n## Rounds log\n\n## Rounds log\n", ""),
    ],
)
def test_what_cannot_be_understood_is_refused_and_nothing_changes(
    cli, tmp_path, name, content, says
):
    run = placed(tmp_path)
    (run / name).write_bytes(content)
    before = everything(run)
    done = cli("adopt", run.name, cwd=tmp_path)
    if not says:  # read as far as it goes: check tells of the rest
        assert done.code == 1
        assert "findings are left" in done.err
        return
    assert done.code != 0
    assert says in done.err
    assert everything(run) == before


def test_a_node_adopts_nothing(cli, tmp_path):
    run = placed(tmp_path)
    before = everything(run)
    for extra in ({"LOOPGRAPH_NODE": "executor"}, {"CLAUDECODE": "1"}):
        done = cli("adopt", run.name, cwd=tmp_path, **extra)
        assert (done.code, done.out) == (1, "")
        assert "the owner's" in done.err
        assert everything(run) == before


def test_a_call_that_was_killed_midway_is_finished_by_the_next(cli, tmp_path):
    run = placed(tmp_path)
    whole = placed(tmp_path / "beside")
    before = texts(run)
    adopted(cli, whole)
    (run / "archive" / "adopted-v4").mkdir(parents=True)
    for name, data in before.items():
        (run / "archive" / "adopted-v4" / name).write_bytes(data)
    shutil.copy(whole / "ledger.md", run / "ledger.md")
    adopted(cli, run)
    assert texts(run) == texts(whole)
    assert texts(run / "archive" / "adopted-v4") == before


def test_a_chinese_run_is_adopted_in_chinese(cli, tmp_path):
    run = placed(
        tmp_path, "price-parser", executor="# 任务\n\n" + "把价格解析的每种写法都测到。" * 40
    )
    adopted(cli, run)
    assert "本次运行接管之后，文件怎样保存" in (run / "executor.md").read_text("utf-8")
    assert cli("check", cwd=tmp_path).code == 0


def test_the_answer_as_json_names_what_changed(cli, tmp_path):
    run = placed(tmp_path)
    answer = json.loads(adopted(cli, run, "--json").out)
    assert answer["schema"] == "loopgraph/act/1"
    assert answer["files"] == ["directives.md", "executor.md", "ledger.md", "ops.md", "run.yaml"]
    assert {finding["rule"] for finding in answer["findings"]} == {"adopt"}


def test_the_run_goes_on_by_commands(cli, tmp_path):
    run = placed(tmp_path)
    adopted(cli, run)
    assert cli("round", "start", "--as", "executor", cwd=tmp_path).code == 0
    recorded = cli(
        "round", "record", "--as", "executor", "--item", "M-3", "--changed", "src/a.py",
        "--result", "pass", "--evidence", "make test", "--next", "GAP-002", "--net", "+1/-0",
        cwd=tmp_path,
    )  # fmt: skip
    assert recorded.code == 0, recorded.err
    assert cli("check", cwd=tmp_path).code == 0
