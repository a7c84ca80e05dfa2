"""A run in the middle of its life as a Chinese node writes it: read alike, and nothing to tell."""

# ruff: noqa: E501  a line of a ledger is one line

from __future__ import annotations

import pytest

from loopgraph.check import run_rules
from tests.check.compiled import files, run

HEADER = """\
Current milestone: M-2 主要行为在同一条路径上跑通 | Round: 3 | Last round net lines: +12/-3
Next unclosed work item: 导出接口支持分页（CSV 与 JSON）
Last directive folded: D-001
Highest ids: GAP-004 | OB-001
Convergence tracker: rounds since last 5: **3** | net lines since last +400: **+57** | **next round converges: no**
Milestone gate: `open`
Run status: `active`
"""
WIDE = str.maketrans({":": "：", "|": "｜", "/": "／", "-": "－"})
ROUNDS = """\
- R1 2026-01-02 | 摸底 | changed: none | verify: pytest -q：41 通过，0 失败 | net +0/-0 | next: 导出接口，C-01
- R2 2026-01-02 | 导出接口写出 CSV | changed: src/orders/export.py、tests/test_export.py | verify: pytest -q tests/test_export.py，3 通过 | net +45/-0 | next: 分页，C-01
- R3 2026-01-03 | 导出接口支持分页；空表也能导出 | changed: src/orders/export.py | verify: 5 通过（evidence/r3.txt） | net +12/-3 | next: JSON，C-01
"""
PACKET = """\
D-002 · 2026-01-03 · plan
Context: C-02，R3，src/orders/export.py:40
Action: 先给空表补一条回归测试，再做 JSON；不要改动现有用例
Verify: pytest -q tests/test_export.py
Stop: src/orders/stock.py，库存切片还在审计，到 D-004 为止
"""


def lived(header: str = HEADER) -> dict[str, str]:
    """A fresh Chinese run, three rounds later."""
    made = dict(files("deliver", "zh"))
    before, _, rest = made["ledger.md"].partition("Current milestone:")
    _, mark, after = rest.partition("\n\n## Current slice")
    ledger = before + header.rstrip("\n") + mark + after + "\n" + ROUNDS
    card = "| OB-001 | CSV 用什么编码？ | A：UTF-8 | B：GBK | 下一个切片要定 |\n"
    gap = "| GAP-004 | P2 | M-2 | src/orders/stock.py | pytest -q | 库存导出没有测试 |\n"
    ledger = ledger.replace(
        "|---|---|---|---|---|\n\n## Debt", f"|---|---|---|---|---|\n{card}\n## Debt"
    )
    ledger = ledger.replace("\n\n## Rounds log", f"\n{gap}\n## Rounds log")
    queue = made["directives.md"].replace(
        "Last tick: none | Audited through: R0 | Repo tips: none | Highest ids: D none | S-001 | OB none",
        "Last tick: 2026-01-03 09:00 | Audited through: R3 | Repo tips: a1b2c3d "
        "| Highest ids: D-002 | S-001 | OB-001",
    )
    return {**made, "ledger.md": ledger, "directives.md": f"{queue}\n{PACKET}"}


@pytest.mark.parametrize("header", [HEADER, HEADER.translate(WIDE)], ids=["ascii", "wide"])
def test_check_is_silent_and_the_values_are_read(header: str) -> None:
    found = run(lived(header))
    assert run_rules.findings(found) == ()
    ledger, queue = found.ledger(), found.directives()
    assert ledger
    assert queue
    assert (ledger.milestone, ledger.round, ledger.folded) == ("M-2", 3, 1)
    assert (ledger.gate, ledger.status) == ("open", "active")
    assert dict(ledger.highest) == {"GAP": 4, "OB": 1}
    assert ledger.convergence
    assert (ledger.convergence.k, ledger.convergence.m, ledger.convergence.due) == (3, 57, False)
    assert [(entry.number, entry.net) for entry in ledger.rounds] == [
        (1, (0, 0)), (2, (45, 0)), (3, (12, 3)),
    ]  # fmt: skip
    assert [gap.number for gap in ledger.gaps] == [1, 2, 3, 4]
    assert [packet.number for packet in queue.waiting(ledger.folded)] == [2]


@pytest.mark.parametrize(
    ("rule", "name", "old", "new"),
    [
        (
            "LG315",
            "directives.md",
            "先给空表补一条回归测试，再做 JSON；不要改动",
            "不要碰导出；不得改动",
        ),
        ("LG314", "directives.md", "src/orders/stock.py，库存切片", "src/orders/，整个目录"),
        ("LG209", "ledger.md", " | verify: 5 通过（evidence/r3.txt）", ""),
        ("LG205", "ledger.md", "Run status: `active`", "Run status：进行中"),
        ("LG303", "directives.md", "2026-01-03 · plan", "2026-01-03 · 计划"),
        ("LG404", "ops.md", "| `pytest -q` |", "| |"),
    ],
)
def test_a_breach_in_chinese_is_told(rule: str, name: str, old: str, new: str) -> None:
    made = lived()
    assert made[name].count(old) == 1, "the breach is planted in one place"
    told = run_rules.findings(run({**made, name: made[name].replace(old, new)}), select=[rule])
    assert [finding.rule for finding in told] == [rule]
