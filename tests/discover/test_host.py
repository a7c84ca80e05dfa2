"""Which host is authoring: markers first, then callers, then clients."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from loopgraph.discover.host import authoring_host, callers
from loopgraph.hosts import HOSTS
from loopgraph.model.facts import HostFact

CASES = [
    # environment, callers, clients on PATH
    ({"CLAUDECODE": "1"}, [], [], HostFact("claude-code", "environment", "CLAUDECODE")),
    ({"CODEX_THREAD_ID": "x"}, [], [], HostFact("codex", "environment", "CODEX_THREAD_ID")),
    ({"CLAUDECODE": ""}, [], [], None),
    ({"PATH": "/bin"}, ["bash", "claude", "zsh"], [], HostFact("claude-code", "process", "claude")),
    ({}, ["bash", "codex", "claude"], [], HostFact("codex", "process", "codex")),
    ({}, ["claudette"], [], None),
    ({}, ["bash"], ["codex"], HostFact("codex", "PATH", "codex")),
    ({}, [], ["codex", "claude"], HostFact("claude-code", "PATH", "claude")),
    ({"CURSOR_AGENT": "1"}, ["codex"], [], HostFact("cursor", "environment", "CURSOR_AGENT")),
    ({}, ["codex"], ["claude"], HostFact("codex", "process", "codex")),
    ({}, [], [], None),
]  # fmt: skip


@pytest.mark.parametrize(("environ", "names", "clients", "expected"), CASES)
def test_the_surest_sign_decides(environ, names, clients, expected):
    def which(name: str) -> str | None:
        return f"/opt/{name}" if name in clients else None

    assert authoring_host(environ, which, lambda: names) == expected


@pytest.mark.parametrize("name", [name for name, host in HOSTS.items() if host.ENVIRONMENT])
def test_every_marker_of_a_host_leads_to_it(name):
    for mark in HOSTS[name].ENVIRONMENT:
        found = authoring_host({mark: "1"}, lambda _: None, list)
        assert found == HostFact(name, "environment", mark)


def test_callers_are_not_asked_where_the_environment_says_it():
    def asked():
        raise AssertionError

    assert authoring_host({"CLAUDECODE": "1"}, lambda _: None, asked) is not None


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no /proc here")  # noqa: PTH112
def test_callers_are_the_processes_above_this_one():
    script = "from loopgraph.discover.host import callers; print(callers()[0])"
    shell = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -c "{script}"; true', sys.executable],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert shell.stdout.strip() in {"sh", "dash", "bash"}
    assert callers()
