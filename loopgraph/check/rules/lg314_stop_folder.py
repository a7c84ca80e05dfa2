"""LG314: a Stop that covers a whole folder says what stays allowed."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges import packets
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find packets that close a folder, a trailing slash or a glob over one."""
    found = run.directives()
    folders = packets.folders(run)
    for packet in found.corrections if found else ():
        names = ("Stop", "Action") if packet.verdict == "stop" else ("Stop",)
        for field in (packet.fields.get(name) for name in names):
            target = packets.closed_folder(field.text, folders) if field and not field.empty else ""
            if field and target:
                says = _(
                    "{id} closes {folder} and does not say what stays allowed",
                    id=packet.id,
                    folder=target,
                )
                yield RULE.at(live.DIRECTIVES, field.line, says)
                break


RULE = Rule(
    id="LG314",
    name="stop-folder",
    why="A closed folder takes every lawful item in it away, and the run stands still.",
    fix=N_("Name the files, or list what stays allowed in the folder, with a reason and an end."),
    bad=live.directives("Corrections", live.PACKET.replace("Stop: none", "Stop: src/ until D-002")),
    good=live.directives(
        "Corrections", live.PACKET.replace("Stop: none", "Stop: src/limits.py until D-002")
    ),
    check=check,
    fixable="What should stay allowed is the supervisor's to say.",
)
