"""Change: what a command wants written to a run. Decided here, carried out in disk/apply.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding


class Move(NamedTuple):
    """Text that leaves a live file for the archive, word for word."""

    id: str
    """What it is: `R3`, `GAP-004`, `D-002` … For people and for recovery."""
    file: str
    """The live file it leaves."""
    archive: str
    """The archive it goes to, without folder and number: `rounds`, `gaps`, `directives` …"""
    text: str
    """Whole lines, each with its line end."""
    instead: str = ""
    """What stands in their place in the live file, where an entry is written anew."""


class Change(NamedTuple):
    """New texts of live files and what was moved out of them; nothing has been done yet."""

    live: Mapping[str, str] = {}
    """The whole new text of each changed file, by name."""
    moves: tuple[Move, ...] = ()
    """Every one of these texts is gone from `live`, and goes to the archive first."""
    evidence: Mapping[str, str] = {}
    """New files below `evidence/`, by path there."""
    copies: Mapping[str, str] = {}
    """Files below `archive/`, by path there, written before anything else; one that is there
    stays as it is."""
    says: tuple[str, ...] = ()
    """Lines for whoever ran the command."""
    findings: tuple[Finding, ...] = ()
    """What was done all the same, and ought to be known."""


Command = Callable[[Run], Change]
"""Decides what to change; it may be asked again when the files changed meanwhile."""
