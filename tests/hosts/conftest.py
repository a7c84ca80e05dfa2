"""The real clients: fetched where they are missing, or left out with a reason that was given.

These tests are marked `clients`. The suite leaves them out, since the clients are large; `nox -s
hosts` runs them, and there they have to run: only LOOPGRAPH_NO_CLIENTS, which says why, lets them
be passed over, and any other skip fails the run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hosts import clients
from tests.hosts.desk import Desk

WHY_NOT = os.environ.get("LOOPGRAPH_NO_CLIENTS", "").strip()
CLAUDES = ("claude", "claude-node20")
ALL = clients.NAMES


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "client" in getattr(item, "fixturenames", ()):
            item.add_marker("clients")
            if WHY_NOT:
                item.add_marker(pytest.mark.skip(reason=f"LOOPGRAPH_NO_CLIENTS: {WHY_NOT}"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A skip that nobody has given a reason for is a failure."""
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or "not clients" in session.config.option.markexpr:
        return  # one of several processes, of which one reports; or nobody asked for the clients
    here = [one for one in reporter.stats.get("skipped", []) if "tests/hosts/" in one.nodeid]
    if here and not WHY_NOT:
        reporter.ensure_newline()
        reporter.write_line(f"failed: {len(here)} skipped, and LOOPGRAPH_NO_CLIENTS says no reason")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


Opener = Callable[..., Desk]


@pytest.fixture(scope="session")
def client() -> Callable[[str], clients.Client]:
    """A client by its name."""
    return clients.get


@pytest.fixture
def desk(
    request: pytest.FixtureRequest, client, repository: Path, tmp_path: Path
) -> Iterator[Desk]:
    """The example repository with a client in it and our hook installed.

    `@pytest.mark.parametrize("desk", ["codex"], indirect=True)` says which client.
    """
    base = tmp_path / "desk"
    base.mkdir()
    with Desk(client(request.param), repository, base) as one:
        one.install()
        yield one
