"""A stream that is closed, full or not read to its end is no reason for a traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the shell's words are sh's")


def shell(cli, words, redirect, cwd):
    call = shlex.join([sys.executable, "-m", "loopgraph", *words])
    done = subprocess.run(
        ["bash", "-c", f"{call} {redirect}"],
        cwd=cwd, env=cli.environ({}), capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize("redirect", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("words", "code"), [(["hosts", "list"], 0), (["check", "no"], 2)])
def test_a_closed_stream_changes_neither_work_nor_code(cli, tmp_path, words, code, redirect):
    found, told = shell(cli, words, redirect, tmp_path)
    assert found == code
    assert "Traceback" not in told


@pytest.mark.parametrize("words", [["hosts", "list"], ["--help"], ["discover", "--json"]])
def test_a_reader_who_leaves_early_is_no_failure(cli, tmp_path, words):
    assert shell(cli, words, "| true; exit ${PIPESTATUS[0]}", tmp_path) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="only there is a device that is always full")
@pytest.mark.parametrize("redirect", [">/dev/full", ">/dev/full 2>/dev/full"])
def test_output_that_nobody_can_keep_is_told_and_counts(cli, tmp_path, redirect):
    code, told = shell(cli, ["hosts", "list"], redirect, tmp_path)
    assert code == 2
    assert told in ("", "loopgraph: no space left on device\n")


@pytest.mark.skipif(sys.platform != "linux", reason="only there is a device that is always full")
def test_an_error_that_nobody_can_read_still_has_its_code(cli, tmp_path):
    assert shell(cli, ["check", "no"], "2>/dev/full", tmp_path)[0] == 2


def test_an_error_repeats_no_more_of_a_text_than_helps(cli, tmp_path):
    code, told = shell(cli, ["check", "x" * 5_000], "", tmp_path)
    assert code == 2
    assert told.count("\n") == 1
    assert len(told) < 500


def test_what_the_system_refuses_is_one_line_too(cli, tmp_path):
    code, told = shell(cli, ["compile", "y" * 5_000, "--check"], "", tmp_path)
    assert code == 2
    assert told.startswith("loopgraph: yyy")
    assert told.count("\n") == 1
