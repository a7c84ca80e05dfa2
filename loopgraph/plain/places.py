"""Where everything lives that a Stop hook reads and a command writes: names and shapes.

Below the root, forward slashes; joined with a root by `"/".join`, which every system opens.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = ".longgraph"

STOP = ".longgraph/STOP"
"""The owner's stop for a whole workspace; a run's own is `<run>/STOP`. Text for people: who, when,
why. That the file is there is the whole meaning; nothing but `resume` removes it."""
RUN_STOP = "STOP"

LOCK = ".longgraph/.lock"
"""Taken by every command that writes below `.longgraph/`. The hook takes it where it is there, and
never makes it."""

BINDINGS = ".longgraph/.bindings.json"
"""`{"version": 1, "sessions": {ID: {"run": SLUG, "role": ROLE, "at": INSTANT, "goal": …}}}`.
ID is a session id, with its host's prefix (`claude:`, `codex:`) or bare for any host's."""

PLANS = ".longgraph/plans.json"
"""`{"version": 1, "works": {ID: {"active_plan", "plan_name", "status", "session_ids": [ID…],
"worktree_path", "started_at", "updated_at", "mode", "endless", "reentry", "evidence"}}}`, and
what others wrote there. Read by `plain.works`."""
PLAN_LEDGERS = ".longgraph/plans"
"""Holds `<id>.ledger.jsonl` of each work."""

LOOPS = ".longgraph/loops"
"""Holds `<task>.md` of each loop: front matter and prompt, read by `plain.loopfile`. The session id
in the front matter is the binding; the index is derived from the files."""
LOOP_INDEX = ".longgraph/loops/index.json"
"""`{"version": 1, "active": TASK, "tasks": {TASK: {"file", "session_id", "state", "created_at",
"updated_at"}}}`"""

STATES = ".longgraph/state"
"""Holds `<session>.json` of each session: the evidence state."""

BLOCKED = ".longgraph/blocked"
"""Holds `<session>.json` of each session that reported an outside blocker by command:
`{"version": 1, "session": ID, "reason": …, "until": …, "at": INSTANT}`. It counts until the
session's next prompt; `resume` and `unbind` remove it."""

BOULDER = ".omo/boulder.json"
BOULDER_LEDGER = ".omo/ulw-execute/ledger.jsonl"
SEED_LOOP = ".omx/ralph-loop.local.md"
SEED_STATES = ".omx/state"
PLUGIN_LOOP = ".claude/ralph-loop.local.md"
"""The records of other tools, relative to a workspace."""
GLOBAL_FOLDER = ".codex/.omx"
GLOBAL_LOOPS = ".codex/.omx/ralph-loops"
GLOBAL_LOOP = ".codex/.omx/ralph-loop.local.md"
GLOBAL_LOOP_INDEX = ".codex/.omx/ralph-loops/index.json"
"""Relative to the user's home."""

DIRECTIVE = "directive.md"
"""The owner's own text for a plan's continuation, in the configuration folder."""
SETTINGS = "hook.json"
"""`{"omo_reentry": "strict" | "progress"}` in the configuration folder."""

_PRIME = 2**128 - 159
_SAFE = "abcdefghijklmnopqrstuvwxyz0123456789-_"
_LONG = 80
PREFIXES = ("claude:", "codex:", "opencode:", "grok:", "cursor:", "gemini:", "copilot:")


def digest(data: bytes) -> str:
    """A fingerprint of 32 hexadecimal digits: enough to see a change, no proof against a forger."""
    return f"{int.from_bytes(b'1' + data, 'big') % _PRIME:032x}"


def file_name(session: str) -> str:
    """The name of a session's file, without its ending: the bare id where that is a safe name."""
    bare = bare_id(session)
    if 0 < len(bare) <= _LONG and not bare.strip(_SAFE):
        return bare
    kept = "".join(char if char in _SAFE else "-" for char in bare[:24].lower())
    return f"{kept}.{digest(bare.encode('utf-8', 'surrogatepass'))}"


def bare_id(session: str) -> str:
    """A session id without its host's prefix."""
    for prefix in PREFIXES:
        if session.startswith(prefix):
            return session[len(prefix) :]
    return session


def named_id(session: str | None) -> str | None:
    """A session id that can name somebody; None for an empty, a blank one and the word null."""
    said = (session or "").strip()
    if not said or bare_id(said).strip().casefold() in ("", "null", "none", "undefined"):
        return None
    return said


def same_session(written: str | None, session: str, host: str) -> bool:
    """Whether an id in a record of ours means a session of a host; a bare one means any host's.

    `host` is a prefix without its colon: `claude`, `codex`, ….
    """
    named, wanted = named_id(written), named_id(session)
    if named is None or wanted is None:
        return False
    bare = bare_id(wanted)
    return named in (bare, f"{host}:{bare}")


def state_folder(environ: Mapping[str, str], platform: str) -> str | None:
    """The user's state folder, which may not exist; None where nothing says where a home is.

    LOOPGRAPH_STATE names another; else XDG_STATE_HOME, `%LOCALAPPDATA%` on Windows,
    `~/.local/state`.
    """
    if environ.get("LOOPGRAPH_STATE"):
        return environ["LOOPGRAPH_STATE"]
    variables = ("XDG_STATE_HOME", "LOCALAPPDATA" if platform == "win32" else "")
    return _below_home(environ, variables, ".local/state")


def config_folder(environ: Mapping[str, str], platform: str) -> str | None:
    """The user's configuration folder, as `disk.config` finds it."""
    if environ.get("LOOPGRAPH_CONFIG"):
        return environ["LOOPGRAPH_CONFIG"]
    own = {"win32": ("APPDATA", "AppData/Roaming"), "darwin": ("", "Library/Application Support")}
    variable, below = own.get(platform, ("", ".config"))
    return _below_home(environ, ("XDG_CONFIG_HOME", variable), below)


def _below_home(environ: Mapping[str, str], variables: tuple[str, ...], below: str) -> str | None:
    for variable in variables:
        value = environ.get(variable) if variable else None
        # A relative value is to be ignored, says the XDG base directory specification.
        if value and (value[0] in "/\\" or value[1:2] == ":"):
            return f"{value}/loopgraph"
    home = environ.get("HOME") or environ.get("USERPROFILE")
    return f"{home}/{below}/loopgraph" if home else None
