"""Write down what a person sees in the wizard, from a real terminal of 80 columns and 24 rows.

    python docs/transcripts.py            write docs/transcripts/
    python docs/transcripts.py --check    change nothing; exit 1 and name what is out of step

Needs a system with pseudo-terminals; the screen is the one that tests/terminal/ uses.
"""

# ruff: noqa: INP001  a script beside pages, not a package

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.conftest import NOW, committed  # noqa: E402
from tests.terminal.screen import CTRL_C, ENTER, ESC, Terminal  # noqa: E402

FOLDER = ROOT / "docs" / "transcripts"
LAST = 8
"""Lines of what comes after the wizard."""
SHOWN_AT = "/home/ada/bookshelf"
NAMES = {ENTER: "Enter", ESC: "Esc", CTRL_C: "Ctrl-C"}


class Step(NamedTuple):
    """What is waited for, and which keys are pressed then."""

    waits: str
    """Text on the screen; after `^` the beginning of its last line."""
    keys: str


class Page(NamedTuple):
    """One transcript."""

    name: str
    title: str
    says: str
    arguments: tuple[str, ...]
    environ: dict[str, str]
    steps: tuple[Step, ...]


CALL = ("new", "converge", "--host", "claude-code")
PAGES = (
    Page(
        "wizard.en",
        "The wizard, in English",
        "The first question is answered by a letter; Esc goes back from the second; in the summary "
        "a letter opens a line to change it.",
        CALL,
        {},
        (
            Step(" > a)", "c"),
            Step("Nothing outside", ESC),
            Step(" > a)", "a"),
            Step("Nothing outside", "b"),
            Step(" > write the run", "h"),
            Step("^>", f"bookshelf{ENTER}"),
            Step(" > write the run", ENTER),
        ),
    ),
    Page(
        "wizard.zh",
        "The wizard, in Chinese",
        "The same keys. The language comes from the locale, here `LC_ALL=zh_CN.UTF-8`; `--lang zh` "
        "does the same.",
        CALL,
        {"LC_ALL": "zh_CN.UTF-8"},
        (
            Step(" > a)", "c"),
            Step("b)", ESC),
            Step(" > a)", "a"),
            Step("b)", "b"),
            Step("\n n  ", "h"),
            Step("^>", f"bookshelf{ENTER}"),
            Step("\n n  ", ENTER),
        ),
    ),
    Page(
        "wizard.ctrl-c",
        "Ctrl-C in the wizard",
        "One line, exit code 130, and no file.",
        CALL,
        {},
        (Step(" > a)", "a"), Step("Nothing outside", CTRL_C)),
    ),
    Page(
        "wizard.dumb",
        "The wizard where a terminal can only print",
        "With `TERM=dumb` the choices are lines, and an answer ends with Enter.",
        CALL,
        {"TERM": "dumb"},
        (Step("Your choice", "b\n"), Step("Nothing outside", "0\n"), Step("2", CTRL_C)),
    ),
)


def blocks(page: Page, folder: Path) -> Iterator[str]:
    """Each screen, with the keys that were pressed at it."""
    repository = committed(folder / "bookshelf")
    # The gates of the example start `python`: whether there is one would be said.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environ = {
        "PATH": path, "HOME": str(folder), "PYTHONPATH": str(ROOT), "NO_COLOR": "1",
        "TERM": "xterm-256color", "LOOPGRAPH_NOW": NOW, **page.environ,
    }  # fmt: skip
    command = [sys.executable, "-m", "loopgraph", *page.arguments]
    with Terminal(command, cwd=repository, environ=environ) as person:
        before: list[str] = []
        for step in page.steps:
            wait = person.until_last if step.waits.startswith("^") else person.until
            wait(step.waits.removeprefix("^"))
            person.settle()
            now = person.screen.whole().splitlines()
            yield "\n".join(new(before, now))
            yield pressed(step.keys)
            before = now
            person.press(step.keys)
            person.settle()
        code = person.end()
        last = new(before, person.screen.whole().splitlines())
        yield "\n".join([*last[:LAST], *(["…"] if last[LAST:] else [])])
        yield f"*exit code {code}*"


def new(before: list[str], now: list[str]) -> list[str]:
    """The lines of a screen from the first that was not there before."""
    pairs = zip(before, now, strict=False)
    same = next((at for at, (old, line) in enumerate(pairs) if old != line), len(before))
    return now[same:]


def pressed(keys: str) -> str:
    """Keys as a reader knows them."""
    said = keys.rstrip("\r\n")
    words = [f"`{said}`"] if said and said not in NAMES else []
    words += [NAMES[said]] if said in NAMES else []
    words += ["Enter"] if keys != said and keys not in NAMES else []
    words = words or [NAMES.get(keys, "Enter")]
    return f"*pressed: {', '.join(words)}*"


def written(page: Page) -> str:
    """A transcript as a page."""
    with tempfile.TemporaryDirectory(prefix="loopgraph-transcript-") as name:
        folder = Path(name).resolve()
        parts = list(blocks(page, folder))
    shown = [
        part if part.startswith("*") else f"````text\n{part.strip(chr(10))}\n````" for part in parts
    ]
    call = " ".join(["loopgraph", *page.arguments])
    says = fill(f"Made by docs/transcripts.py; 80×24, `NO_COLOR=1`. {page.says}", 100)
    head = f"# {page.title}\n\n{says}\n"
    text = head + f"\n    {call}\n\n" + "\n\n".join(shown) + "\n"
    return text.replace(str(folder / "bookshelf"), SHOWN_AT)


def main(arguments: list[str]) -> int:
    """Write or check every transcript; the exit code."""
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = 0
    for page in PAGES:
        path = FOLDER / f"{page.name}.md"
        text = written(page)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        name = path.relative_to(ROOT).as_posix()
        if arguments:
            sys.stderr.write(f"{name} is not what the wizard shows: python docs/transcripts.py\n")
        else:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            sys.stdout.write(f"{name}\n")
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
