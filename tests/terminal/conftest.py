"""A wizard in a pseudo-terminal, in a repository of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conftest import NOW, Cli

if sys.platform == "win32":
    pytest.skip("no pseudo-terminal of this kind on Windows", allow_module_level=True)

from tests.terminal.screen import Terminal

Wizard = Callable[..., Terminal]


@pytest.fixture
def wizard(cli: Cli, repository: Path) -> Iterator[Wizard]:
    """Start `loopgraph` at a terminal: `wizard("new", "deliver", TERM="dumb")`."""
    with ExitStack() as stack:

        def start(*arguments: str, columns: int = 80, rows: int = 24, **extra: str) -> Terminal:
            told = {"TERM": "xterm-256color", "NO_COLOR": "1", "LOOPGRAPH_NOW": NOW, **extra}
            command = [sys.executable, "-m", "loopgraph", *arguments]
            environ = cli.environ(told)
            terminal = Terminal(
                command, cwd=repository, environ=environ, columns=columns, rows=rows
            )
            return stack.enter_context(terminal)

        yield start
