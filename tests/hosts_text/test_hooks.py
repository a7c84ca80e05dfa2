"""What a client runs at the end of a turn: it answers, from any path, and its end holds nobody."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from loopgraph.disk import alive
from loopgraph.hook import dialects
from loopgraph.hosts import hooks
from loopgraph.model.errors import RefusedError

CLIENTS = sorted(hooks.BY_NAME)
ODD = [
    "plain",
    "two words",
    "it's",
    'a "quote"',
    "$HOME",
    "`date`",
    "中文",
    "a;b&c|d",
    "-n",
    "\\",
    "%p%",
    "!x",
]

posix = pytest.mark.skipif(os.name == "nt", reason="the form for a POSIX shell")


def ran(command, said=b"{}", **environ):
    return subprocess.run(
        ["/bin/sh", "-c", command], input=said, env={"PATH": os.environ["PATH"], **environ},
        capture_output=True, check=False,
    )  # fmt: skip


def python_at(place, does=f'exec {sys.executable} "$@"'):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
    place.chmod(0o755)
    return str(place)


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_gets_an_answer_in_its_own_form(client):
    command = hooks.command(sys.executable, windows=os.name == "nt", host=client)
    assert alive.problem(client, command, os.environ) == ""


@pytest.mark.parametrize("client", CLIENTS)
def test_each_payload_is_of_the_client_that_sends_it(client):
    said = hooks.payload(client, "s", "/w")
    assert dialects.name_of(said) == client
    assert "{" not in json.dumps(said)[1:-1]


def test_every_client_with_a_dialect_can_be_told():
    assert set(CLIENTS) == set(dialects.NAMES)


@posix
@pytest.mark.parametrize("name", ODD)
def test_a_python_at_any_path_answers(tmp_path, name):
    command = hooks.command(python_at(tmp_path / name / "python"), windows=False)
    assert alive.problem("claude-code", command, os.environ) == ""


@posix
def test_a_python_that_is_gone_lets_every_turn_end(tmp_path):
    done = ran(hooks.command(str(tmp_path / "gone" / "python"), windows=False))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@posix
@pytest.mark.parametrize("code", [1, 2, 127, 130])
def test_whatever_python_ends_with_the_client_sees_0(tmp_path, code):
    place = python_at(tmp_path / "python", f"echo usage >&2; exit {code}")
    done = ran(hooks.command(place, windows=False))
    assert (done.returncode, done.stdout) == (0, b"")


@posix
def test_a_folder_or_a_text_in_the_place_of_python_lets_every_turn_end(tmp_path):
    (tmp_path / "text").write_text("x", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    for name in ("text", "folder"):
        done = ran(hooks.command(str(tmp_path / name), windows=False))
        assert (done.returncode, done.stdout) == (0, b"")


@posix
def test_nothing_of_the_workspace_or_the_variables_is_taken_for_ours(tmp_path, monkeypatch):
    for name in ("json.py", "sitecustomize.py", "loopgraph.py"):
        (tmp_path / name).write_text("raise SystemExit(3)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    command = hooks.command(sys.executable, windows=False)
    assert alive.problem("claude-code", command, os.environ) == ""


@pytest.mark.parametrize("path", ["", "/a\nb/python", "/a\0b", "/a\udc80/python"])
def test_a_path_that_no_command_line_carries_is_refused(path):
    with pytest.raises(RefusedError):
        hooks.command(path, windows=False)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (r"C:\Users\A B\python.exe", '"C:/Users/A B/python.exe" -I -m loopgraph hook stop'),
        (r"C:\中文\it's\python.exe", '"C:/中文/it\'s/python.exe" -I -m loopgraph hook stop'),
    ],
)
def test_the_form_for_windows_is_taken_by_cmd_and_by_a_posix_shell(path, said):
    assert hooks.command(path, windows=True) == said


@pytest.mark.parametrize(
    "path", [r"C:\%p%\python.exe", r"C:\$x\p.exe", 'C:\\"\\p.exe', r"C:\!\p.exe"]
)
def test_what_a_shell_of_windows_would_touch_is_refused(path):
    with pytest.raises(RefusedError):
        hooks.command(path, windows=True)


def test_copilot_on_windows_is_told_in_powershell():
    said = hooks.command(r"C:\it's\python.exe", windows=True, host="copilot")
    assert said == (
        r"if (Test-Path -LiteralPath 'C:\it''s\python.exe') "
        r"{ & 'C:\it''s\python.exe' -I -m loopgraph hook stop }; exit 0"
    )
    assert set(hooks.BY_NAME["copilot"].handler(said)) == {"type", "powershell", "timeoutSec"}


@pytest.mark.parametrize(
    ("path", "is_passing"),
    [
        ("/home/ada/.cache/uv/archive-v0/x/bin/python", True),
        ("/home/ada/.cache/uv/environments-v2/x/bin/python", True),
        ("/home/ada/.local/pipx/.cache/x/bin/python", True),
        (r"C:\Users\ada\AppData\Local\uv\archive-v0\x\python.exe", True),
        ("/home/ada/.local/share/uv/tools/loopgraph/bin/python", False),
        ("/home/ada/.local/pipx/venvs/loopgraph/bin/python", False),
        ("/usr/bin/python3", False),
    ],
)
def test_a_python_made_for_one_call_is_known(path, is_passing):
    assert hooks.passing(path) is is_passing


def test_what_codex_has_trusted_stays_word_for_word_the_same():
    """A change of any of these makes every owner trust the hook anew."""
    handler = hooks.BY_NAME["codex"].handler(hooks.command("/opt/python", windows=False))
    assert dict(handler) == {
        "type": "command",
        "command": "test -x /opt/python || exit 0; /opt/python -I -m loopgraph hook stop || exit 0",
        "timeout": 10,
        "statusMessage": "loopgraph: checking the plan",
    }


@posix
@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("cat >/dev/null; echo nothing of use", "no answer"),
        ("cat >/dev/null; echo '{}'", "no answer"),
        ("cat >/dev/null; echo oh dear >&2", "oh dear"),
        ("exit 3", "exit 3"),
    ],
)
def test_what_does_not_answer_is_told_why(does, why):
    assert why in alive.problem("claude-code", does, os.environ)


@posix
def test_what_never_ends_is_ended(monkeypatch):
    monkeypatch.setattr(alive, "PATIENCE", 0.3)
    assert alive.problem("claude-code", "exec sleep 60", os.environ) == "it does not end"


@posix
def test_the_trial_touches_nothing_of_the_user(tmp_path):
    environ = {**os.environ, "HOME": str(tmp_path), "LOOPGRAPH_STATE": str(tmp_path / "state")}
    command = hooks.command(sys.executable, windows=False)
    assert alive.problem("claude-code", command, environ) == ""
    assert list(tmp_path.iterdir()) == []
