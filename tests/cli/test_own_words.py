"""What the program says itself, in English and Chinese: nothing in another library's words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Cli, Maker

CHINESE = "zh_CN.UTF-8"
HALF_WIDTH = re.compile(r"[\u4e00-\u9fff)）”] ?[:;,]")
"""ASCII punctuation behind a Chinese word; a field's own name, such as `goal:`, stays as it is."""


@pytest.mark.parametrize(
    ("words", "english", "chinese"),
    [
        (
            ("rounds", "--jsn"),
            "No such option: --jsn. Did you mean --json?",
            "没有这个选项：--jsn。是不是 --json？",
        ),
        (("rounds", "--last", "x"), "--last: 'x' is no whole number.", "--last：'x' 不是整数。"),
        (
            ("handoff", "--shell", "x"),
            "--shell: 'x' is none of 'posix', 'powershell'.",
            "--shell：'x' 不在 'posix', 'powershell' 之中。",
        ),
        (
            ("runs", "--json=x"),
            "Option '--json' takes no value.",
            "选项 '--json' 不带值。",
        ),
        (
            ("runs", "a", "b"),
            "Got unexpected extra argument (a b).",
            "多了一个参数（a b）。",
        ),
    ],
)
def test_a_call_that_cannot_be_read_is_refused_in_our_words(
    cli: Cli, tmp_path: Path, words: tuple[str, ...], english: str, chinese: str
) -> None:
    for said, language, see in ((english, "C.UTF-8", " See: "), (chinese, CHINESE, "见：")):
        done = cli(*words, cwd=tmp_path, LC_ALL=language)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"loopgraph: {said}{see}loopgraph ")
        assert done.err.endswith(" --help\n")


def test_a_number_out_of_its_range_is_told_with_the_range(cli: Cli, tmp_path: Path) -> None:
    done = cli("rounds", "--last", "0", cwd=tmp_path)
    assert done.err.startswith("loopgraph: --last: 0 is not in the range x>=1. See:")


def test_a_chinese_reader_meets_no_punctuation_of_another_script(
    cli: Cli, make: Maker, repository: Path
) -> None:
    run = make("deliver", "给公开 API 加上限流", "--lang", "zh")
    cli("loop", "init", "fix", "--prompt", "修好测试", cwd=repository)
    (repository / "PLAN.md").write_text("## TODOs\n- [ ] 1. 一\n", "utf-8")
    cli("plan", "start", "PLAN.md", cwd=repository)
    fixed = (("status", run.name), ("plan", "show"), ("loop", "show"), ("doctor",))
    for words in fixed:
        out = cli(*words, cwd=repository, LC_ALL=CHINESE).out
        assert re.search(r"[\u4e00-\u9fff]", out), words
        assert [line for line in out.splitlines() if HALF_WIDTH.search(line)] == [], words


def test_a_chinese_reader_is_told_in_chinese_what_was_written_and_how_a_gate_went(
    cli: Cli, make: Maker, repository: Path
) -> None:
    made = cli("loop", "init", "fix", "--prompt", "修好测试", cwd=repository, LC_ALL=CHINESE)
    assert made.out.startswith("已写入 .longgraph/loops/fix.md\n")
    make("converge", "--set", "gate=git --version", "--lang", "zh")
    asked = ("gate", "run", "G-1", "--as", "executor")
    ran = cli(*asked, cwd=repository, LC_ALL=CHINESE)
    assert ran.code == 0, ran.err
    assert re.match(r"G-1 通过：退出码 0，耗时 \d+\.\d 秒\n", ran.out)
    plain = cli(*asked, cwd=repository)
    assert re.match(r"G-1 passed: exit 0 after \d+\.\d s\n", plain.out)
