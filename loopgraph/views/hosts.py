"""Hosts as a person reads them: a list, one host, and the tables of the reference pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loopgraph.hosts import HOSTS, clients, nearest
from loopgraph.hosts.base import Checked, Host
from loopgraph.model import columns, intervals
from loopgraph.model.errors import UsageError
from loopgraph.model.messages import N_, _
from loopgraph.plain import quoting

SCHEMA: Final = "loopgraph/hosts/1"

_PROMPT: Final = "PROMPT"
_WIDTH: Final = 80


def named(name: str) -> Host:
    """The host of that name, or a refusal with the nearest one."""
    if name not in HOSTS:
        raise UsageError(_("no such host"), where=name, fix=nearest(name))
    return HOSTS[name]


def facts(host: Host) -> dict[str, str]:
    """What the module says, one label and one short text each."""
    can = host.CAPABILITIES
    return {
        N_("Name"): host.NAME,
        N_("Checked"): _checked(host.CHECKED),
        "`/loop`": _yes(said=can.loop),
        N_("Started from outside"): _yes(said=can.background),
        N_("One process per tick"): _yes(said=can.headless),
        N_("Stop hook"): _("yes: {command}", command=f"`loopgraph install {host.NAME}`")
        if can.hooks
        else _("no"),
        N_("Fresh ticks by itself"): _yes(said=can.fresh_supervisor),
        N_("Shortest interval"): str(can.minimum),
        N_("Intervals"): ", ".join(str(i) for i in intervals.legal(can.minimum)),
        N_("Timer ends after"): _expiry(host),
        N_("Nodes note timer ids"): _yes(said=can.timers_table),
        N_("Cheap tier"): can.fanout_tier or _("none"),
        N_("Client on PATH"): ", ".join(host.EXECUTABLES),
        N_("Known by environment"): ", ".join(host.ENVIRONMENT) or _("nothing"),
        N_("Known by process"): ", ".join(host.PROCESSES) or _("nothing"),
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
        ways = [_("/loop in a session") if can.loop else _("one process per tick")]
        if can.expiry_days:
            ways.append(_("timer ends after {days} days", days=can.expiry_days))
        said = _(
            "{title}: {ways} ({checked})",
            title=_(host.TITLE),
            ways=_(", ").join(ways),
            checked=_checked(host.CHECKED),
        )
        rows.append(f"{name:{width}}  {said}\n")
    return "".join(rows)


def shown(host: Host) -> str:
    """One host, a fact a line."""
    told = {_(label).replace("`", ""): said for label, said in facts(host).items()}
    width = max(map(columns.width, told))
    rows = (
        columns.hang(said, _WIDTH, f"{columns.pad(label, width)}  ", cut=False)
        for label, said in told.items()
    )
    return "\n".join((_(host.TITLE), "", *rows)) + "\n"


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
    return _("yes") if said else _("no")


def _checked(checked: Checked) -> str:
    how = _("run") if checked.how == "run" else _("by its documentation")
    return _(", ").join(filter(None, (checked.version, checked.date, how)))


def _expiry(host: Host) -> str:
    expiry = host.CAPABILITIES.expiry
    if expiry.days is None:
        return _("never") if not host.CAPABILITIES.loop else _("no limit documented")
    both = ((N_("{days} measured"), expiry.measured), (N_("{days} documented"), expiry.documented))
    known = _(", ").join(_(how, days=days) for how, days in both if days is not None)
    return _("{days} days ({known})", days=expiry.days, known=known)
