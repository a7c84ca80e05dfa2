"""A person at the client's own terminal program."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import pytest

from tests.hosts.desk import Desk

if sys.platform == "win32":
    pytest.skip("no pseudo-terminal of this kind on Windows", allow_module_level=True)

from tests.terminal.screen import DOWN, ENTER, PATIENCE, UP, Terminal

_PASTE: Final = "\x1b[200~{}\x1b[201~"


@contextmanager
def sits(desk: Desk, *steps: Mapping[str, Any]) -> Iterator[Terminal]:
    """Start the client in a terminal, its model with these answers."""
    command = desk.case(desk.interactive, steps, terminal=True)
    with Terminal(
        command, cwd=desk.workspace, environ=os.environ, columns=100, rows=40
    ) as terminal:
        yield terminal


def ready(terminal: Terminal, desk: Desk) -> None:
    """Wait until the client takes a prompt; one that has just drawn its first frame is deaf."""
    terminal.until("Ask Codex to do anything" if desk.client.is_codex else "accept edits on")
    terminal.settle(1.0)


def prompts(terminal: Terminal, text: str) -> None:
    """Paste a prompt, and send it off once it is seen."""
    terminal.press(_PASTE.format(text))
    terminal.until(text.rsplit(maxsplit=1)[-1])
    terminal.settle()
    terminal.press(ENTER)


def chooses(terminal: Terminal, number: int, choice: str) -> None:
    """Move to a choice of a list, and take it."""
    for _ in range(30):
        terminal.settle(1.0)
        shown = terminal.screen.shown()
        if f"› {number}. {choice}" in shown:
            terminal.press(ENTER)
            return
        terminal.press(DOWN if any(f"› {n}." in shown for n in range(1, number)) else UP)
    raise AssertionError(terminal.screen.whole())


def eventually(true: Callable[[], bool], terminal: Terminal, patience: float = PATIENCE) -> None:
    """Keep the terminal going until something outside of it has happened."""
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, terminal.screen.whole()
        terminal.settle(0.5)
