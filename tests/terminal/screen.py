"""A program in a real pseudo-terminal, and what a person would see on its screen."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self
from unicodedata import combining, east_asian_width

ENTER, ESC, CTRL_C, CTRL_D, UP, DOWN = "\r", "\x1b", "\x03", "\x04", "\x1b[A", "\x1b[B"
PATIENCE = 60.0
"""Seconds until something that does not come is a failure; nothing waits for them to pass."""

_SEQUENCE = re.compile(
    r"\x1b(?:\[([?>=]?)([\d;]*)([ -/]*[@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()].|[^\[\]()])"
)
_UNFINISHED = re.compile(r"\x1b(?:\[[?>=]?[\d;]*[ -/]*|\][^\x07\x1b]*|[()])?$")


class Screen:
    """The rows of a terminal, and the lines that have left it at the top."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.gone: list[str] = []
        self.x = self.y = 0
        self.top, self.bottom = 0, rows - 1
        """The rows that scroll."""
        self.colours: set[str] = set()
        """Every sequence that chose a colour."""
        self._rest = ""

    def feed(self, data: str) -> str:
        """Show what a program wrote; the answer that it asked the terminal for."""
        data, answer, at = self._rest + data, "", 0
        found = _UNFINISHED.search(data)
        self._rest = data[found.start() :] if found else ""
        data = data[: found.start()] if found else data
        while at < len(data):
            sequence = _SEQUENCE.match(data, at)
            if sequence:
                answer += self._obey(sequence[1] or "", sequence[2] or "", sequence[3] or "")
                if sequence[0] == "\x1bM":
                    self._up()
                at = sequence.end()
            else:
                self._put(data[at])
                at += 1
        return answer

    def _put(self, char: str) -> None:
        if char == "\r":
            self.x = 0
        elif char == "\n":
            self._down()
        elif char == "\b":
            self.x = max(0, self.x - 1)
        elif char >= " " and char != "\x7f":
            wide = 0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1
            if self.x + wide > self.columns:
                self.x = 0
                self._down()
            if wide:
                self.cells[self.y][self.x] = char
                if wide > 1:
                    self.cells[self.y][self.x + 1] = ""
                self.x += wide

    def _down(self) -> None:
        if self.y != self.bottom:
            self.y = min(self.y + 1, self.rows - 1)
            return
        row = self.cells.pop(self.top)
        if self.top == 0:
            self.gone.append("".join(row).rstrip())
        self.cells.insert(self.bottom, [" "] * self.columns)

    def _up(self) -> None:
        if self.y != self.top:
            self.y = max(self.y - 1, 0)
            return
        self.cells.pop(self.bottom)
        self.cells.insert(self.top, [" "] * self.columns)

    def _obey(self, private: str, parameters: str, final: str) -> str:  # noqa: C901  a table
        numbers = [int(part or 0) for part in parameters.split(";")] if parameters else [0]
        count = max(1, numbers[0])
        match final:
            case "A":
                self.y = max(0, self.y - count)
            case "B":
                self.y = min(self.rows - 1, self.y + count)
            case "C":
                self.x = min(self.columns - 1, self.x + count)
            case "D":
                self.x = max(0, self.x - count)
            case "G":
                self.x = min(self.columns, count) - 1
            case "H" | "f":
                self.y = min(self.rows, count) - 1
                self.x = min(self.columns, max(1, numbers[1] if len(numbers) > 1 else 1)) - 1
            case "r" if not private:
                last = numbers[1] if len(numbers) > 1 else self.rows
                self.top, self.bottom = count - 1, min(last, self.rows) - 1
                self.x = self.y = 0
            case "J":
                self._erase(numbers[0])
            case "K":
                first = 0 if numbers[0] else self.x
                last = self.x + 1 if numbers[0] == 1 else self.columns
                self.cells[self.y][first:last] = [" "] * (last - first)
            case "m":
                self.colours |= {f"{n}" for n in numbers if 30 <= n <= 49 or 90 <= n <= 107}
            case "n" if not private and numbers[0] == 6:
                return f"\x1b[{self.y + 1};{self.x + 1}R"
        return ""

    def _erase(self, kind: int) -> None:
        if kind == 2:
            self.cells = [[" "] * self.columns for _ in range(self.rows)]
            return
        self.cells[self.y][self.x :] = [" "] * (self.columns - self.x)
        for row in range(self.y + 1, self.rows):
            self.cells[row] = [" "] * self.columns

    def shown(self) -> str:
        """What stands on the screen now."""
        return "\n".join("".join(row).rstrip() for row in self.cells).rstrip()

    def whole(self) -> str:
        """The same with everything that scrolled away above."""
        return "\n".join([*self.gone, self.shown()])


class Terminal:
    """A program that believes it talks to a person."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        environ: Mapping[str, str],
        columns: int = 80,
        rows: int = 24,
    ) -> None:
        self.screen = Screen(columns, rows)
        self.raw = ""
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._process = subprocess.Popen(
            command, cwd=cwd, env=dict(environ), stdin=slave, stdout=slave, stderr=slave,
            close_fds=True, start_new_session=True, preexec_fn=_own_terminal,  # noqa: PLW1509
        )  # fmt: skip
        os.close(slave)
        os.set_blocking(self._master, False)
        self._bytes = b""

    def _pump(self, wait: float) -> bool:
        """Take in what was written; False at the end."""
        ready, _, _ = select.select([self._master], [], [], wait)
        if not ready:
            return True
        try:
            data = os.read(self._master, 1 << 16)
        except BlockingIOError:
            return True
        except OSError:  # the other side is closed
            return False
        if not data:
            return False
        self._bytes += data
        text = self._bytes.decode("utf-8", "ignore")
        self._bytes = self._bytes[len(text.encode()) :]
        self.raw += text
        answer = self.screen.feed(text)
        if answer:
            os.write(self._master, answer.encode())
        return True

    def until(self, text: str) -> str:
        """Wait until the screen shows this; the screen."""
        return self._until(lambda: text in self.screen.shown(), repr(text))

    def until_again(self, text: str, times: int) -> str:
        """Wait until this was shown that often, counting what scrolled away."""
        return self._until(lambda: self.screen.whole().count(text) >= times, f"{times} × {text!r}")

    def until_last(self, text: str) -> str:
        """Wait until the last line of the screen begins with this."""
        return self._until(
            lambda: (self.screen.shown().splitlines() or [""])[-1].startswith(text),
            f"line {text!r}",
        )

    def settle(self, quiet: float = 0.4) -> None:
        """Wait until nothing was written for a while; for pictures, never for a verdict."""
        last = -1
        while last != len(self.raw):
            last = len(self.raw)
            self._pump(quiet)

    def _until(self, seen, what: str) -> str:
        end = time.monotonic() + PATIENCE
        while not seen():
            alive = self._pump(0.2)
            if not alive and not seen():
                raise AssertionError(f"ended without {what}:\n{self.screen.whole()}")
            if time.monotonic() > end:
                raise AssertionError(f"no {what} on:\n{self.screen.whole()}")
        return self.screen.shown()

    def press(self, keys: str) -> None:
        """Press keys as a person does: nothing more until something happened."""
        os.write(self._master, keys.encode())

    def end(self) -> int:
        """Wait for the program's end; its exit code."""
        end = time.monotonic() + PATIENCE
        while self._pump(0.2):  # the terminal itself says when its last user has gone
            assert time.monotonic() < end, self.screen.whole()
        code = self._process.wait(PATIENCE)
        os.close(self._master)
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        with contextlib.suppress(OSError):
            os.close(self._master)


def _own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
