"""Completion as a shell does it: the real shell, the real script, the word under the cursor."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from loopgraph.cli import COMMANDS
from loopgraph.cli.completion import SCRIPTS, proposals
from tests.cli.test_new import GOAL

BASH = """
eval "$(loopgraph completion bash)"
COMP_WORDS=({words}); COMP_CWORD={at}; COMP_LINE="{line}"; COMP_POINT={point}
_loopgraph loopgraph
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
autoload -Uz compinit && compinit -u -D
eval "$(loopgraph completion zsh)"
compadd() {{ while [[ $1 != -a ]]; do shift; done; shift 2; print -l -- "${{(@P)1}}" }}
_files() {{ print -- FILES }}
words=({words}); CURRENT=$(( {at} + 1 ))
typeset -A compstate
_loopgraph
"""
FISH = """
loopgraph completion fish | source
complete -C '{line}' | string split -f1 \\t
"""


@pytest.fixture
def shell(cli, repository, tmp_path):
    """What a shell offers for a line: `shell("bash", "loopgraph new con")`."""
    program = tmp_path / "bin" / "loopgraph"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m loopgraph "$@"\n')
    program.chmod(0o755)

    def offered(name: str, line: str) -> list[str]:
        if not shutil.which(name):
            pytest.skip(f"no {name} on this machine")
        words = line.split(" ")
        if name == "bash":  # bash cuts words at the equals sign before it asks
            words = [part for word in words for part in word.replace("=", " = ").split(" ")]
        quoted = " ".join(f"'{word}'" for word in words)
        script = {"bash": BASH, "zsh": ZSH, "fish": FISH}[name].format(
            words=quoted, at=len(words) - 1, line=line, point=len(line)
        )
        start = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]}[name]
        environ = cli.environ({"TERM": "xterm"})
        environ["PATH"] = f"{program.parent}:{environ['PATH']}"
        done = subprocess.run(
            [name, *start, "-c", script], cwd=repository, env=environ,
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert not done.stderr, done.stderr
        return [word.strip() for word in done.stdout.splitlines() if word.strip()]

    return offered


SHELLS = pytest.mark.parametrize("name", SCRIPTS)


@SHELLS
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("loopgraph ne", ["new", "next"]),
        ("loopgraph new con", ["converge"]),
        ("loopgraph new converge --supervisor-ho", ["--supervisor-host"]),
        ("loopgraph new converge --host c", ["claude-code", "codex", "cursor"]),
        ("loopgraph presets sh", ["show"]),
        ("loopgraph presets show re", ["research"]),
        ("loopgraph check --format sa", ["sarif"]),
        ("loopgraph help ex", ["exit-codes"]),
    ],
)
def test_a_shell_completes_commands_options_and_values(shell, name, line, words):
    assert sorted(shell(name, line)) == words


@SHELLS
def test_a_shell_completes_a_value_after_an_equals_sign(shell, name):
    found = shell(name, "loopgraph new converge --host=co")
    assert [word.removeprefix("--host=") for word in found] == ["codex"]


@SHELLS
def test_a_shell_completes_the_runs_of_this_workspace(shell, make, name):
    run = make("deliver", GOAL)
    assert shell(name, "loopgraph check 20") == [run.name]
    assert shell(name, "loopgraph new --from 20") == [run.name]


@pytest.mark.parametrize("command", [name for name, _ in COMMANDS])
def test_every_command_offers_its_options(command):
    found = proposals([command, "--"])
    assert "--help" in found
    assert all(word.startswith("--") for word in found)


def test_a_shell_without_a_script_is_named(cli, tmp_path):
    done = cli("completion", "bsh", cwd=tmp_path)
    assert done.code == 2
    assert "Did you mean bash" in done.err


def test_a_file_is_left_to_the_shell(cli, tmp_path):
    done = cli("completion", "words", "--", "new", "deliver", "--answers", "", cwd=tmp_path)
    assert (done.code, done.out) == (0, "")
