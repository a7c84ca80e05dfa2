"""What a machine lacks for a run, each line with what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.hosts import HOSTS, clients
from loopgraph.model.machine import HookHere, Level, Line, Machine, Program, Trust
from loopgraph.model.messages import N_, _

GIT: Final = (2, 31)
"""Older ones take configuration from the environment in no form that this program uses."""


def lines(machine: Machine) -> tuple[Line, ...]:
    """Every line, topic by topic."""
    looks = (_hooks, _clients, _loopgraph, _path, _python, _git, _locale, _folders, _runs)
    return tuple(line for look in looks for line in look(machine))


def _hooks(machine: Machine) -> Iterator[Line]:
    for hook in machine.hooks:
        for said in hook.broken:
            yield Line(
                "todo",
                "hooks",
                _("{title} cannot read {file}", title=hook.title, file=said),
                _("Mend it: until then nothing in it counts."),
            )
        if hook.off and hook.files:
            yield Line("todo", "hooks", off(hook.title, hook.off), _("Take that setting out."))
        yield from _registered(hook) if hook.files else _absent(hook)
        for tool, file in hook.rivals:
            yield Line("note", "hooks", rival(hook.title, tool, file))


def off(title: str, file: str) -> str:
    """That a setting switches every hook off."""
    return _("{title} runs no hook at all: {file} switches them off", title=title, file=file)


def rival(title: str, tool: str, file: str) -> str:
    """That another tool's hook runs as well, and what is left to it."""
    return _(
        "{title} runs another tool's hook as well ({file}); its records, {what}, are left to it",
        title=title,
        file=file,
        what=_RIVALS[tool],
    )


_RIVALS: Final = {"omo": ".omo", "omx": ".omx", "plugin": ".claude/ralph-loop.local.md"}
"""Which records are another tool's."""


def _absent(hook: HookHere) -> Iterator[Line]:
    if hook.here:
        yield Line(
            "note",
            "hooks",
            _("{title}: no Stop hook, so no session is sent back to work", title=hook.title),
            _("To register it: {command}", command=f"loopgraph install {hook.client}"),
        )


def _registered(hook: HookHere) -> Iterator[Line]:
    """A hook that is there: what keeps it from working, else that it works."""
    wrong = [*_twice(hook), *_dead(hook), *_untrusted(hook)]
    yield from wrong
    if hook.off or any(line.level == "todo" for line in wrong):
        return
    parts = [_("{title}: the Stop hook is in {file}", title=hook.title, file=hook.files[0])]
    parts += [_("it answers")] if hook.answers == "" else []
    parts += [_("it is trusted")] if hook.trust == "trusted" else []
    parts += [_("unverified {date}", date=hook.unverified)] if hook.unverified else []
    yield Line("ok", "hooks", _("; ").join(parts))


def _twice(hook: HookHere) -> Iterator[Line]:
    if len(hook.files) > 1:
        yield Line(
            "todo",
            "hooks",
            _(
                "{title} runs the Stop hook from several places: {files}",
                title=hook.title,
                files=", ".join(hook.files),
            ),
            _("Take one out: {command}", command=hook.undo)
            if hook.undo
            else _("Take all but one out."),
        )


def _dead(hook: HookHere) -> Iterator[Line]:
    again = _("Register it anew: {command}", command=_again(hook))
    if hook.gone:
        what = _("its Python is gone: {path}", path=hook.python)
    elif hook.answers:
        what = _("it does not answer: {problem}", problem=hook.answers)
    elif hook.shim:
        what = _("it starts a shim of {tool}: {path}", tool=hook.shim, path=hook.python)
        again = _(
            "It costs 60 to 90 ms at every end of a turn. From the real Python: {command}",
            command=_again(hook),
        )
    else:
        if hook.command and hook.answers is None:
            yield Line(
                "note",
                "hooks",
                _(
                    "{title}: the hook in {file} was not tried, since it was not installed by "
                    "this user",
                    title=hook.title,
                    file=hook.files[0],
                ),
                again,
            )
        return
    yield Line("todo", "hooks", _("{title}: {what}", title=hook.title, what=what), again)


def _again(hook: HookHere) -> str:
    return f"loopgraph install {hook.client}" + (" --user" if "--user" in hook.undo else "")


_TRUST: Final[dict[Trust, tuple[str, str]]] = {
    "untrusted": (
        N_("{title}: the hook is registered and not trusted yet, so it is passed over"),
        N_("Start `codex` in the workspace: it asks about the hook (or: /hooks)."),
    ),
    "modified": (
        N_("{title}: the hook was changed since it was trusted, so it is passed over"),
        N_("Start `codex` in the workspace: it asks about the hook (or: /hooks)."),
    ),
    "project": (
        N_("{title} does not list the hook: it does not trust this project yet"),
        N_("Start `codex` in the workspace and trust it; then trust the hook."),
    ),
    "unknown": (
        N_("{title} could not be asked whether it trusts the hook"),
        N_("See /hooks in `codex`: until it is trusted it is passed over."),
    ),
}


def _untrusted(hook: HookHere) -> Iterator[Line]:
    if hook.trust in _TRUST:
        says, fix = _TRUST[hook.trust]
        level: Level = "note" if hook.trust == "unknown" else "todo"
        yield Line(level, "hooks", _(says, title=hook.title), _(fix))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _checked(name: str) -> str:
    """The version on which the facts about a client were checked; empty for none."""
    hosts = [host for key, host in HOSTS.items() if key != "shell" and name in host.EXECUTABLES]
    client = clients.kind(name)
    return hosts[0].CHECKED.version if hosts else client.checked.version if client else ""


def _clients(machine: Machine) -> Iterator[Line]:
    found = [client for client in machine.clients if client.path]
    if not found:
        names = ", ".join(client.name for client in machine.clients)
        yield Line(
            "todo",
            "clients",
            _("no client is on PATH: {names}", names=names),
            _("Install one, or put its folder on PATH; a run is compiled without it."),
        )
        return
    for client in found:
        yield _client(client)
    missing = [client.name for client in machine.clients if not client.path]
    if missing:
        yield Line("note", "clients", _("not found: {names}", names=", ".join(missing)))


def _client(client: Program) -> Line:
    problem = _unasked(client, "clients")
    if problem:
        return problem
    said = f"{client.name} {client.version} ({client.path})"
    known = _checked(client.name)
    if not known:
        return Line("ok", "clients", said)
    width = len(_numbers(known))
    here, there = _numbers(client.version)[:width], _numbers(known)
    if here == there:
        return Line("ok", "clients", _("{said}: as checked", said=said))
    if here > there:
        return Line(
            "note",
            "clients",
            _("{said}: newer than {known}, which was checked", said=said, known=known),
            _("If its timer or hook behaves otherwise, compare: loopgraph hosts list"),
        )
    return Line(
        "todo",
        "clients",
        _("{said}: older than {known}, which was checked", said=said, known=known),
        _("Update it: what the handoff says of it may not hold."),
    )


def _unasked(program: Program, topic: str) -> Line | None:
    """What is said of a program that gave no version."""
    said = f"{program.name} ({program.path})"
    if program.problem == "inside":
        return Line(
            "note",
            topic,
            _("{said}: inside the workspace, so it was not started", said=said),
            _("Install it elsewhere if others write here."),
        )
    if program.problem:
        what = (
            _("{said}: it did not say its version in time", said=said)
            if program.problem == "slow"
            else _("{said}: it fails, or says no version", said=said)
        )
        fix = _("Run {path} --version yourself; reinstall it if it fails.", path=program.path)
        return Line("todo", topic, what, fix)
    return None


def _loopgraph(machine: Machine) -> Iterator[Line]:
    program = machine.loopgraph
    if not program.path:
        yield Line(
            "todo",
            "loopgraph",
            _("loopgraph is not on PATH, and nodes call it by its name"),
            _("Add this folder to PATH: {folder}", folder=machine.scripts)
            if machine.scripts
            else _("Install it for your user, as with: uv tool install loopgraph"),
        )
        return
    said = f"loopgraph {program.version} ({program.path})".replace("  ", " ")
    problem = _unasked(program, "loopgraph")
    if problem:
        yield problem
    elif program.version != machine.version:
        yield Line(
            "todo",
            "loopgraph",
            _(
                "{said}: this is {version}, and nodes get the other",
                said=said,
                version=machine.version,
            ),
            _("Update the one on PATH, or put this one before it."),
        )
    elif not program.shim:
        yield Line("ok", "loopgraph", said)
    if program.shim:
        yield Line(
            "todo",
            "loopgraph",
            _("{path} is a shim of {tool}", path=program.path, tool=program.shim),
            _(
                "It costs about 60 to 90 ms at every call and every end of a turn, and changes "
                "with the folder: put the real command's folder before it on PATH."
            ),
        )


def _path(machine: Machine) -> Iterator[Line]:
    if machine.relative:
        yield Line(
            "todo",
            "PATH",
            _(
                "PATH names the current folder or a folder relative to it: {names}",
                names=", ".join(repr(name) for name in machine.relative),
            ),
            _("Take it out: what lies in a workspace would run by a name you trust."),
        )
    else:
        yield Line("ok", "PATH", _("PATH: {count} folders, each absolute", count=len(machine.path)))
    if not machine.bare:
        yield Line(
            "note",
            "PATH",
            _("a timer of the system (cron) looks in /usr/bin and /bin only: no loopgraph there"),
            _("Set PATH in its table; a node in a session sees what this terminal sees."),
        )


def _python(machine: Machine) -> Iterator[Line]:
    yield Line("ok", "python", f"Python {machine.python} ({machine.python_path})")


def _git(machine: Machine) -> Iterator[Line]:
    git = machine.git
    wanted = ".".join(str(part) for part in GIT)
    if not git.path:
        yield Line(
            "todo",
            "git",
            _("git is not on PATH"),
            _("Install {wanted} or newer: without it, changes are not measured.", wanted=wanted),
        )
        return
    said = f"git {git.version} ({git.path})"
    problem = _unasked(git, "git")
    if problem:
        yield problem
    elif _numbers(git.version) < GIT:
        yield Line(
            "todo",
            "git",
            _("{said}: older than {wanted}", said=said, wanted=wanted),
            _("Update it."),
        )
    else:
        yield Line("ok", "git", said)
    if not machine.repository:
        yield Line(
            "note",
            "git",
            _("the workspace is in no git repository: {root}", root=machine.root),
            _(
                "First git init: without it net lines are only claimed, and nothing can be "
                "compared, restored or committed."
            ),
        )


def _locale(machine: Machine) -> Iterator[Line]:
    said = machine.locale or _("no locale set")
    if machine.encoding.replace("-", "").casefold() == "utf8":
        yield Line("ok", "locale", f"UTF-8 ({said})")
    else:
        yield Line(
            "todo",
            "locale",
            _("file names are {encoding} ({said})", encoding=machine.encoding, said=said),
            _("Set LC_ALL to a UTF-8 locale such as C.UTF-8, or PYTHONUTF8=1."),
        )


def _folders(machine: Machine) -> Iterator[Line]:
    titles = {
        "configuration": _("configuration folder"),
        "cache": _("cache folder"),
        "state": _("state folder"),
    }
    for folder in machine.folders:
        said = _("{label}: {value}", label=titles[folder.key], value=folder.path or "–")
        if folder.writable:
            yield Line("ok", "folders", said)
        else:
            yield Line(
                "todo",
                "folders",
                _("{said}: cannot be written", said=said),
                _(
                    "Make it writable, or name another with {variable}.",
                    variable=_VARIABLES[folder.key],
                ),
            )


_VARIABLES: Final = {
    "configuration": "LOOPGRAPH_CONFIG",
    "cache": "LOOPGRAPH_CACHE",
    "state": "LOOPGRAPH_STATE",
}


def _runs(machine: Machine) -> Iterator[Line]:
    count = len(machine.runs)
    active = [run.slug for run in machine.runs if run.status == "active"]
    says = _(
        "workspace {root}: {count} runs, {active} active",
        root=machine.root,
        count=count,
        active=len(active),
    )
    yield Line("ok", "runs", says)
    for run in machine.runs:
        if not run.status:
            yield Line(
                "note",
                "runs",
                _("{slug} says no Run status that is known", slug=run.slug),
                _("See: loopgraph check {slug}", slug=run.slug),
            )
