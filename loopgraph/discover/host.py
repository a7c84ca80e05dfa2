"""Which host is authoring this run: what its processes leave behind for us to see."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from loopgraph.hosts import HOSTS
from loopgraph.model.facts import HostFact

_DEPTH: Final = 32


def authoring_host(
    environ: Mapping[str, str],
    which: Callable[[str], str | None],
    processes: Callable[[], Sequence[str]],
) -> HostFact | None:
    """The host by its environment markers, else by a calling process, else by its client.

    A client on PATH proves least: it is there, but somebody else may have called.
    """
    for name, host in HOSTS.items():
        for mark in host.ENVIRONMENT:
            if environ.get(mark):
                return HostFact(name, "environment", mark)
    callers = processes()
    for caller in callers:
        for name, host in HOSTS.items():
            if caller in host.PROCESSES:
                return HostFact(name, "process", caller)
    clients = [
        HostFact(name, "PATH", client)
        for name, host in HOSTS.items()
        for client in [next((each for each in host.EXECUTABLES if which(each)), "")]
        if client
    ]
    return clients[0] if clients else None


def here(environ: Mapping[str, str]) -> HostFact | None:
    """The authoring host of this very process."""

    def which(name: str) -> str | None:
        from shutil import which as find  # noqa: PLC0415  only where nothing surer is known

        return find(name, path=environ.get("PATH", os.defpath))

    return authoring_host(environ, which, callers)


def callers() -> list[str]:
    """Names of the processes that called this one, the nearest first; empty without /proc."""
    names: list[str] = []
    pid = os.getppid()
    while pid > 1 and len(names) < _DEPTH:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
                stat = file.read(4096)
        except OSError:
            break
        # The name stands in parentheses and may hold some itself: the last one ends it.
        name, _, rest = stat.partition("(")[2].rpartition(")")
        names.append(name)
        fields = rest.split()
        if len(fields) < 2 or not fields[1].isdigit():  # noqa: PLR2004
            break
        pid = int(fields[1])
    return names
