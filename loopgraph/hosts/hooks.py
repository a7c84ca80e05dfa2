"""Where each client keeps its hooks and skills, in what form, and what its owner has to do once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

from loopgraph.edges.hookfile import Handler, Shape
from loopgraph.hosts.base import Checked
from loopgraph.model.errors import RefusedError
from loopgraph.model.messages import N_, _

Scope = Literal["project", "user"]
Base = Literal["root", "home"]

SECONDS: Final = 10
"""What the hook may take. Codex trusts a hook by a digest of it, so this number never changes."""
SAYS: Final = "loopgraph: checking the plan"
"""What Codex shows meanwhile; it never changes either."""


class Place(NamedTuple):
    """A file, or all of a folder's, that a client reads hooks from."""

    base: Base
    """`home` is the client's own folder, or what its variable names."""
    path: str
    """Below the base; `folder/*.json` is every such file."""
    shape: Shape | None = None
    """None where it is no JSON: then only words are looked for."""
    of: str = ""
    """The client whose folder `home` is; empty for the same client."""


class Hooked(NamedTuple):
    """One client with a hook for the end of a turn."""

    name: str
    title: str
    executable: str
    checked: Checked
    shape: Shape
    handler: Callable[[str], Handler]
    """What it is told, for a command."""
    project: str
    """The file of the project scope, below the root."""
    user: str
    """The file of the user scope, below the client's own folder."""
    home: tuple[str, str]
    """The variable that names the client's own folder, and what it is below HOME without."""
    skills: tuple[str, str]
    """Where skills are: below the root, and below HOME."""
    steps: Mapping[Scope, tuple[str, ...]]
    """What the owner has to do before it counts, one sentence an entry."""
    also: tuple[Place, ...] = ()
    """What it reads besides the two files."""

    def places(self) -> tuple[Place, ...]:
        """Everything it reads, its own two files first."""
        own = (Place("root", self.project, self.shape), Place("home", self.user, self.shape))
        return (*own, *self.also)


def _plain(said: str) -> Handler:
    return {"type": "command", "command": said, "timeout": SECONDS}


def _codex(said: str) -> Handler:
    return {**_plain(said), "statusMessage": SAYS}


def _cursor(said: str) -> Handler:
    return {"command": said}


def _gemini(said: str) -> Handler:
    # Its times are milliseconds.
    return {"name": "loopgraph", "type": "command", "command": said, "timeout": SECONDS * 1000}


def _copilot(said: str) -> Handler:
    key = "powershell" if said.startswith(_TEST_PATH) else "bash"
    return {"type": "command", key: said, "timeoutSec": SECONDS}


_TEST_PATH: Final = "if (Test-Path"

_STOP: Final = Shape(("hooks", "Stop"))
_CODEX: Final = Shape(("hooks", "Stop"), only=("description", "hooks"))
_CURSOR: Final = Shape(("hooks", "stop"), grouped=False, head=(("version", 1),))
_GEMINI: Final = Shape(("hooks", "AfterAgent"), comments=True)
_COPILOT: Final = Shape(("hooks", "agentStop"), grouped=False, head=(("version", 1),))

_MACHINE: Final = N_("Keep {file} out of commits: the command is a path of this machine.")

HOOKED: Final[tuple[Hooked, ...]] = (
    Hooked(
        "claude-code",
        "Claude Code",
        "claude",
        Checked("2.1.332", "2026-11", "run"),
        _STOP,
        _plain,
        ".claude/settings.local.json",
        "settings.json",
        ("CLAUDE_CONFIG_DIR", ".claude"),
        (".claude/skills", ".claude/skills"),
        {
            "project": (
                N_(
                    "It counts in sessions that are started in {root}: Claude Code reads no "
                    "settings of a folder above."
                ),
                N_("Start `claude` there once and trust the folder, if you have not yet."),
                _MACHINE,
            ),
            "user": (N_("It counts in every session, and speaks only where something is bound."),),
        },
        also=(Place("root", ".claude/settings.json", _STOP),),
    ),
    Hooked(
        "codex",
        "Codex",
        "codex",
        Checked("0.171.0", "2026-11", "run"),
        _CODEX,
        _codex,
        ".codex/hooks.json",
        "hooks.json",
        ("CODEX_HOME", ".codex"),
        (".agents/skills", ".agents/skills"),
        {
            "project": (
                N_(
                    "First trust the project: start `codex` in {root} and say yes, or it reads "
                    "nothing of .codex/."
                ),
                N_(
                    "Then trust the hook: `codex` asks at its start (or: /hooks). Until then it "
                    "passes over the hook, and `codex exec` does so without a word."
                ),
                _MACHINE,
            ),
            "user": (
                N_(
                    "Trust the hook: `codex` asks at its start (or: /hooks). Until then it "
                    "passes over the hook, and `codex exec` does so without a word."
                ),
            ),
        },
        also=(Place("root", ".codex/config.toml"), Place("home", "config.toml")),
    ),
    Hooked(
        "grok",
        "Grok Build",
        "grok",
        Checked("1.0.6", "2026-08", "documentation"),
        _STOP,
        _plain,
        ".grok/hooks/loopgraph.json",
        "hooks/loopgraph.json",
        ("GROK_HOME", ".grok"),
        (".agents/skills", ".agents/skills"),
        {
            "project": (
                N_("Trust the folder: /hooks-trust in `grok`, or start it with --trust."),
                _MACHINE,
            ),
            "user": (),
        },
        also=(
            Place("root", ".grok/hooks/*.json", _STOP),
            Place("home", "hooks/*.json", _STOP),
            Place("root", ".claude/settings.json", _STOP),
            Place("home", "settings.json", _STOP, of="claude-code"),
            Place("root", ".cursor/hooks.json", _CURSOR),
        ),
    ),
    Hooked(
        "cursor",
        "Cursor",
        "cursor-agent",
        Checked("", "2026-08", "documentation"),
        _CURSOR,
        _cursor,
        ".cursor/hooks.json",
        "hooks.json",
        ("", ".cursor"),
        (".agents/skills", ".cursor/skills"),
        {
            "project": (
                N_("`agent -p` is reported to run no stop hook: it counts in sessions only."),
                _MACHINE,
            ),
            "user": (
                N_("`agent -p` is reported to run no stop hook: it counts in sessions only."),
            ),
        },
    ),
    Hooked(
        "gemini",
        "Gemini CLI",
        "gemini",
        Checked("0.55.1", "2026-08", "documentation"),
        _GEMINI,
        _gemini,
        ".gemini/settings.json",
        "settings.json",
        ("", ".gemini"),
        (".agents/skills", ".agents/skills"),
        {
            "project": (
                N_("Start `gemini` there once: it asks about hooks of a project that are new."),
                _MACHINE,
            ),
            "user": (),
        },
    ),
    Hooked(
        "copilot",
        "GitHub Copilot CLI",
        "copilot",
        Checked("1.0.78", "2026-08", "documentation"),
        _COPILOT,
        _copilot,
        ".github/hooks/loopgraph.json",
        "hooks/loopgraph.json",
        ("COPILOT_HOME", ".copilot"),
        (".agents/skills", ".agents/skills"),
        {
            "project": (
                N_("Start `copilot` in {root} once and trust the folder, if you have not yet."),
                _MACHINE,
            ),
            "user": (),
        },
        also=(
            Place("root", ".github/hooks/*.json", _COPILOT),
            Place("home", "hooks/*.json", _COPILOT),
        ),
    ),
)
"""Every client that can be told, in the order they are shown."""

BY_NAME: Final[Mapping[str, Hooked]] = {one.name: one for one in HOOKED}

WORDS: Final = ("-I", "-m", "loopgraph", "hook", "stop")
"""What follows the interpreter: `-I`, so that no file of a workspace is taken for one of ours."""


def command(python: str, *, windows: bool, host: str = "") -> str:
    """What a client runs: our hook by this interpreter, and nothing at all once that is gone.

    Whatever else fails ends with 0 as well: clients take exit 2 for an order to go on.
    """
    _fit(python, windows=windows)
    words = " ".join(WORDS)
    if not windows:
        from shlex import quote  # noqa: PLC0415  as in wrapper.py

        said = quote(python)
        return f"test -x {said} || exit 0; {said} {words} || exit 0"
    if host == "copilot":
        said = "'" + python.replace("'", "''") + "'"
        return f"{_TEST_PATH} -LiteralPath {said}) {{ & {said} {words} }}; exit 0"
    # Both cmd and a POSIX shell take this form, and neither touches what is in it.
    return f'"{python.replace(chr(92), "/")}" {words}'


_CACHES: Final = ("/uv/archive-v", "/uv/environments-v", "/uv/builds-v", "/pipx/.cache/")


def passing(python: str) -> bool:
    """Whether an interpreter was made for one call (uvx, pipx run): nobody keeps it."""
    return any(mark in python.replace("\\", "/") for mark in _CACHES)


def _fit(python: str, *, windows: bool) -> None:
    """Refuse a path that no settings file or shell carries unharmed."""
    broken = "\r\n\0" + ('"%`$!' if windows else "")
    try:
        python.encode("utf-8")
    except UnicodeEncodeError:
        broken = python
    if not python or any(char in broken for char in python):
        raise RefusedError(
            _("no command line carries the path of this Python: {path}", path=ascii(python)),
            fix=_("Install loopgraph with a Python at a plainer path."),
        )


PAYLOADS: Final[Mapping[str, Mapping[str, object]]] = {
    "claude-code": {
        "hook_event_name": "Stop",
        "session_id": "{session}",
        "cwd": "{cwd}",
        "transcript_path": "",
        "permission_mode": "default",
        "prompt_id": "1",
        "stop_hook_active": False,
        "last_assistant_message": "Done.",
        "background_tasks": [],
    },
    "codex": {
        "hook_event_name": "Stop",
        "session_id": "{session}",
        "turn_id": "1",
        "transcript_path": None,
        "cwd": "{cwd}",
        "model": "any",
        "permission_mode": "default",
        "stop_hook_active": False,
        "last_assistant_message": "Done.",
    },
    "grok": {
        "hookEventName": "Stop",
        "sessionId": "{session}",
        "cwd": "{cwd}",
        "reason": "end_turn",
        "stopHookActive": False,
        "lastAssistantMessage": "Done.",
    },
    "cursor": {
        "hook_event_name": "stop",
        "conversation_id": "{session}",
        "workspace_roots": ["{cwd}"],
        "status": "completed",
        "loop_count": 0,
    },
    "gemini": {
        "hook_event_name": "AfterAgent",
        "session_id": "{session}",
        "cwd": "{cwd}",
        "transcript_path": "",
        "prompt": "Go.",
        "prompt_response": "Done.",
        "stop_hook_active": False,
    },
    "copilot": {
        "sessionId": "{session}",
        "cwd": "{cwd}",
        "stopReason": "end_turn",
        "transcriptPath": "",
    },
}
"""What each client writes to its hook at the end of a turn, as far as a decision needs it."""


def payload(host: str, session: str, cwd: str) -> dict[str, object]:
    """The end of a turn, as that client tells it."""
    put: dict[object, str] = {"{session}": session, "{cwd}": cwd}
    return {
        key: [put.get(one, one) for one in said] if isinstance(said, list) else put.get(said, said)
        for key, said in PAYLOADS[host].items()
    }
