"""Rewrite the parts of the documentation that are made from tables of the program.

    python docs/generate.py            rewrite them
    python docs/generate.py --check    change nothing; exit 1 and name what is out of step

A made part stands between `<!-- made: NAME -->` and `<!-- end -->`, and is never edited by hand.
To add one: put the two marks into a page and a line into PARTS.
"""

# ruff: noqa: INP001  a script beside pages, not a package

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from typer.main import get_command

from loopgraph.audit import rules as audit
from loopgraph.check.rules import RULES
from loopgraph.cli import build, usage
from loopgraph.hosts import HOSTS
from loopgraph.views import hosts, rules

ROOT = Path(__file__).resolve().parent.parent
END = "<!-- end -->"


class Part(NamedTuple):
    """One part of one page that a table says better than a person."""

    page: str
    """Relative to the project's root."""
    name: str
    """As in its first mark."""
    made: Callable[[], str]
    """Its text, with a line end at its end."""


PARTS: tuple[Part, ...] = (
    *(
        Part(f"references/{name}.md", "facts", partial(hosts.reference_table, host))
        for name, host in HOSTS.items()
    ),
    Part("references/shell.md", "clients", hosts.clients_table),
    Part("docs/rules.md", "rules", partial(rules.page, RULES)),
    Part("docs/audit.md", "rules", partial(rules.page, audit.RULES)),
    Part("docs/commands.md", "commands", lambda: usage.reference(get_command(build()))),
)


def renewed(text: str, part: Part) -> str:
    """The page with that part as it should be."""
    first = f"<!-- made: {part.name} -->\n"
    before, mark, rest = text.partition(first)
    _, end, after = rest.partition(END)
    if not mark or not end:
        sys.exit(f"{part.page}: no {first.strip()} with an {END} after it")
    return f"{before}{first}\n{part.made()}\n{END}{after}"


def pages() -> Iterator[tuple[Path, str, str]]:
    """Each page with its text as it is and as it should be."""
    for page in dict.fromkeys(part.page for part in PARTS):
        path = ROOT / page
        found = text = path.read_text(encoding="utf-8")
        for part in PARTS:
            if part.page == page:
                text = renewed(text, part)
        yield path, found, text


def main(arguments: list[str]) -> int:
    """Rewrite or check every page; the exit code."""
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = [(path, text) for path, found, text in pages() if text != found]
    for path, text in stale:
        name = path.relative_to(ROOT).as_posix()
        if arguments:
            sys.stderr.write(f"{name} is out of step with its tables: python docs/generate.py\n")
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
            sys.stdout.write(f"{name}\n")
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
