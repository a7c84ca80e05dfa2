"""Hosts as a person reads them: a list, one host, and the tables of the reference pages."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Final

from loopgraph.hosts import HOSTS, clients
from loopgraph.hosts.base import Checked, Host
from loopgraph.model import intervals
from loopgraph.model.errors import UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.plain import quoting

SCHEMA: Final = "loopgraph/hosts/1"

_PROMPT: Final = "PROMPT"
_WIDTH: Final = 80


def named(name: str) -> Host:
    """The host of that name, or a refusal with the nearest one."""
    if name not in HOSTS:
        raise UsageError(_("no such host"), where=name, fix=nearest(name, HOSTS))
    return HOSTS[name]


def facts(host: Host) -> dict[str, str]:
    """What the module says, one label and one short text each."""
    can = host.CAPABILITIES
    return {
        "Name": host.NAME,
        "Checked": _checked(host.CHECKED),
        "`/loop`": _yes(said=can.loop),
        "Started from outside": _yes(said=can.background),
        "One process per tick": _yes(said=can.headless),
        "Stop hook": f"yes: `loopgraph install {host.NAME}`" if can.hooks else "no",
        "Fresh ticks by itself": _yes(said=can.fresh_supervisor),
        "Shortest interval": str(can.minimum),
        "Intervals": ", ".join(str(i) for i in intervals.legal(can.minimum)),
        "Timer ends after": _expiry(host),
        "Nodes note timer ids": _yes(said=can.timers_table),
        "Cheap tier": can.fanout_tier or "none",
        "Client on PATH": ", ".join(host.EXECUTABLES),
        "Known by environment": ", ".join(host.ENVIRONMENT) or "nothing",
        "Known by process": ", ".join(host.PROCESSES) or "nothing",
    }


def reference_table(host: Host) -> str:
    """The table on the host's reference page."""
    rows = (f"| {label} | {quoting.cell(said)} |" for label, said in facts(host).items())
    return "\n".join(("| | |", "|---|---|", *rows)) + "\n"


def clients_table() -> str:
    """The table of headless command lines."""
    rows = []
    for client in clients.CLIENTS:
        line = " ".join(clients.words(client.names[0], _PROMPT))
        names = ", ".join(f"`{name}`" for name in client.names)
        rows.append(
            f"| {names} | `{line}` | {client.permission['en']} | {_checked(client.checked)} |"
        )
    head = ("| client | command line | may use | checked |", "|---|---|---|---|")
    return "\n".join((*head, *rows)) + "\n"


def listing() -> str:
    """Every host on one line."""
    width = max(map(len, HOSTS))
    rows = []
    for name, host in HOSTS.items():
        can = host.CAPABILITIES
        way = "/loop in a session" if can.loop else "one process per tick"
        days = f", timer ends after {can.expiry_days} days" if can.expiry_days else ""
        rows.append(f"{name:{width}}  {host.TITLE}: {way}{days} ({_checked(host.CHECKED)})\n")
    return "".join(rows)


def shown(host: Host) -> str:
    """One host, a fact a line."""
    told = {label.replace("`", ""): said for label, said in facts(host).items()}
    width = max(map(len, told))
    rows = (
        fill(f"{label:{width}}  {said}", _WIDTH, subsequent_indent=" " * (width + 2))
        for label, said in told.items()
    )
    return "\n".join((host.TITLE, "", *rows)) + "\n"


def data(hosts: Mapping[str, Host] = HOSTS) -> dict[str, object]:
    """Hosts as plain data."""
    return {
        "schema": SCHEMA,
        "hosts": [
            {
                "name": host.NAME,
                "title": host.TITLE,
                "checked": host.CHECKED._asdict(),
                "environment": list(host.ENVIRONMENT),
                "processes": list(host.PROCESSES),
                "executables": list(host.EXECUTABLES),
                "capabilities": {
                    **host.CAPABILITIES._asdict(),
                    "minimum": str(host.CAPABILITIES.minimum),
                    "expiry": host.CAPABILITIES.expiry._asdict(),
                    "expiry_days": host.CAPABILITIES.expiry_days,
                },
            }
            for host in hosts.values()
        ],
    }


def _yes(*, said: bool) -> str:
    return "yes" if said else "no"


def _checked(checked: Checked) -> str:
    how = "run" if checked.how == "run" else "by its documentation"
    return f"{checked.version + ', ' if checked.version else ''}{checked.date}, {how}"


def _expiry(host: Host) -> str:
    expiry = host.CAPABILITIES.expiry
    if expiry.days is None:
        return "never" if not host.CAPABILITIES.loop else "no limit documented"
    both = (("measured", expiry.measured), ("documented", expiry.documented))
    known = ", ".join(f"{days} {how}" for how, days in both if days is not None)
    return f"{expiry.days} days ({known})"
