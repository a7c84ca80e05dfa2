"""A workspace with a real client in it: turns are run, and looked at afterwards."""

from __future__ import annotations

import functools
import html
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from tests.conftest import PROJECT, Result
from tests.hosts import model
from tests.hosts.clients import Client

PATIENCE: Final = 90
"""Seconds until a client that does not end is a failure."""
SITTING: Final = 300
"""The same where a person ends it."""
_KEY: Final = "sk-ant-scripted-no-such-key"
_APART: Final = (
    ("unshare", "-n", "-p", "--fork", "--kill-child", "--mount-proc"),
    ("unshare", "-rn", "-p", "--fork", "--kill-child", "--mount-proc"),
    ("unshare", "-n"),
    ("unshare", "-rn"),
)
"""Ways into a network of its own, and into processes that end together; the best one first."""
_ALLOWED: Final = ("--permission-mode", "acceptEdits", "--allowedTools", "Bash")
"""As the handoff says; its last word takes every word that follows."""
_FEEDBACK: Final = re.compile(
    r"Stop hook feedback:\n(.*?)(?:\n</system-reminder>|\Z)"
    r"|<hook_prompt[^>]*>(.*?)</hook_prompt>",
    re.DOTALL,
)
"""How Claude Code and Codex hand a hook's reason on to the model."""
_FAILED: Final = re.compile(
    r"^(?:Exit code|Process exited with code) [1-9].*", re.MULTILINE | re.DOTALL
)
"""How they tell the model that its command has failed."""


@functools.cache
def apart() -> tuple[str, ...]:
    """The way that this machine allows; empty where there is none."""
    if shutil.which("unshare"):
        for way in _APART:
            done = subprocess.run(
                [*way, "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
            if done.returncode == 0:
                return way
    return ()


class Turn:
    """One call of a client: what it printed, and what its model was asked."""

    def __init__(self, code: int, out: str, err: str, log: str, *, steps: int) -> None:
        self.code, self.out, self.err = code, out, err
        self.steps = steps
        """How many its model's script has."""
        self.seconds = self.rest = self.work = 0.0
        """How long the client took, how long from the last answer on, and how much of a processor
        with all that it started."""
        # A call that still goes on may have a line begun.
        lines = log[: log.rfind("\n") + 1].splitlines()
        self.requests: list[dict[str, Any]] = [json.loads(line) for line in lines]

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The requests of the agent itself."""
        return [one for one in self.requests if one["which"] not in ("aside", "other")]

    @property
    def heard(self) -> list[str]:
        """What the agent was told before each of its answers."""
        return [model.last_said(one["body"]) for one in self.asked]

    @property
    def reasons(self) -> list[str]:
        """Why a hook sent the agent back, each time that one did."""
        found = (_FEEDBACK.search(text) for text in self.heard)
        return [html.unescape(one[1] or one[2]).strip() for one in found if one]

    @property
    def whole(self) -> bool:
        """The client ended well; its model was asked for each step and for no more; what the agent
        ran has worked."""
        taken = dict.fromkeys(one["which"] for one in self.asked)
        every = [str(number) for number in range(self.steps)]
        return self.code == 0 and list(taken) == every and not self.failed

    @property
    def failed(self) -> list[str]:
        """What the agent was told of its commands that did not end with 0."""
        found = (_FAILED.search(text) for text in self.heard)
        return [one[0] for one in found if one]

    @property
    def answer(self) -> str:
        """The agent's last word, as the client hands it on."""
        said = ""
        for one in self.events:
            item = one.get("item", {})
            said = item["text"] if item.get("type") == "agent_message" else said
            said = one.get("result", said)
        return str(said)

    @property
    def compacted(self) -> bool:
        """Whether the client asked for a summary, to go on with that alone."""
        return any(
            one["step"].get("say") == model.SUMMARY for one in self.requests if "step" in one
        )

    @property
    def overrun(self) -> int:
        """How often the agent was asked when its script was over."""
        return sum(one["which"] == "over" for one in self.requests)

    @property
    def events(self) -> list[dict[str, Any]]:
        """The lines of JSON on stdout."""
        return [json.loads(line) for line in self.out.splitlines() if line.startswith("{")]

    @property
    def session(self) -> str:
        """The session's id, as the client says it."""
        (found,) = {
            one.get("session_id") or one["thread_id"]
            for one in self.events
            if "session_id" in one or "thread_id" in one
        }
        return str(found)

    @property
    def result(self) -> dict[str, Any]:
        """What Claude Code says of the whole turn."""
        found: dict[str, Any] = self.events[-1]
        return found

    def __repr__(self) -> str:
        """For a failed assertion: the whole of what happened."""
        parts = [f"exit {self.code}", self.out[-2000:], self.err[-2000:]]
        for one, told in zip(self.asked, self.heard, strict=True):
            parts.append(f"--- {one['which']}: told\n{told[-1500:]}\n>>> {one['step']}")
        return "\n".join(parts)


class Desk:
    """A client, a workspace, and a HOME that nobody else has."""

    def __init__(self, client: Client, workspace: Path, base: Path) -> None:
        self.client, self.workspace, self.base = client, workspace, base
        self.home = base / "home"
        self.python = Path(sys.executable)
        self.more: dict[str, str] = {}
        """What stands in the environment besides."""
        self.at_model = ("-c", 'model_providers.scripted.base_url="http://127.0.0.1:{port}/v1"')
        self.trusting: tuple[str, ...] = ("--dangerously-bypass-hook-trust",)
        """In place of the person who trusts the hook in the client, once."""
        self._temporary = tempfile.mkdtemp(prefix="lg-")  # sockets go there: it must be short
        self._count = 0
        self.home.mkdir()
        # By their own names: what asks for a client finds it.
        self.bin = self.home / "bin"
        self.bin.mkdir()
        (self.bin / ("codex" if client.is_codex else "claude")).symlink_to(client.path)
        # A login shell, as Codex starts one for its agent, resets PATH and then reads this.
        (self.home / ".profile").write_text(f"PATH={shlex.quote(self.path)}\n", "utf-8")
        self._settle()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._temporary, ignore_errors=True)

    @property
    def host(self) -> str:
        """The client as the program names it."""
        return "codex" if self.client.is_codex else "claude-code"

    @property
    def path(self) -> str:
        """PATH: the program beside its interpreter, then the system's."""
        return f"{Path(sys.executable).parent}:{self.bin}:/usr/local/bin:/usr/bin:/bin"

    def environ(self) -> dict[str, str]:
        """The environment of a client: nothing of the user, nothing that calls out."""
        return {
            "HOME": str(self.home), "PATH": self.path, "TERM": "xterm-256color",
            "LANG": "C.UTF-8", "TMPDIR": self._temporary, "CLAUDE_CODE_TMPDIR": self._temporary,
            "ANTHROPIC_API_KEY": _KEY, "ANTHROPIC_BASE_URL": "http://127.0.0.1:{port}",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1", "DISABLE_ERROR_REPORTING": "1",
            "CODEX_HOME": str(self.home / ".codex"), "SCRIPTED_KEY": "none", **self.more,
        }  # fmt: skip

    def _settle(self) -> None:
        """What a person has answered before: onboarding, and whether this folder is trusted."""
        place = str(self.workspace.resolve())
        known = {
            "hasCompletedOnboarding": True,
            "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
            "projects": {place: {"hasTrustDialogAccepted": True}},
        }
        (self.home / ".claude.json").write_text(json.dumps(known), "utf-8")
        # The narrow form that the handoff names needs what a network of one's own needs.
        sandbox = "workspace-write" if apart() else "danger-full-access"
        codex = self.home / ".codex"
        codex.mkdir()
        (codex / "config.toml").write_text(
            f"""\
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "{sandbox}"
[sandbox_workspace_write]
exclude_slash_tmp = true
exclude_tmpdir_env_var = true
[model_providers.scripted]
name = "Scripted"
base_url = "http://127.0.0.1:9/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[features]
apps = false
plugins = false
[analytics]
enabled = false
[projects.{json.dumps(place, ensure_ascii=False)}]
trust_level = "trusted"
""",
            "utf-8",
        )

    # The owner ------------------------------------------------------------------------------

    def owner(self, *arguments: str, stdin: str = "") -> Result:
        """Run `loopgraph` as the person does, in the workspace."""
        done = subprocess.run(
            [self.python, "-I", "-m", "loopgraph", *arguments],
            cwd=self.workspace, env=self.environ(), input=stdin, capture_output=True,
            text=True, encoding="utf-8", check=False, timeout=PATIENCE,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return Result(done.returncode, done.stdout, done.stderr)

    def must(self, *arguments: str) -> str:
        """The same, and it has to do its work."""
        done = self.owner(*arguments)
        assert done.code == 0, done
        return done.out

    def install(self, *options: str) -> str:
        """Install the hook and the skill into the client."""
        return self.must("install", self.host, *options)

    def log(self) -> list[str]:
        """The hook's own log, oldest first: what it answered and the word for why."""
        lines = (line.split("  ") for line in self.must("hook", "log").splitlines())
        return [" ".join(dict.fromkeys(line[3:5])) for line in lines]

    def decisions(self) -> list[dict[str, Any]]:
        """The same as the hook has written it down."""
        log = self.home / ".local/state/loopgraph/hook.log"
        return [json.loads(line) for line in log.read_text("utf-8").splitlines()]

    # Files ----------------------------------------------------------------------------------

    def write(self, name: str, text: str) -> Path:
        """Write a file of the workspace."""
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def read(self, name: str) -> str:
        """The text of a file of the workspace."""
        return (self.workspace / name).read_text("utf-8")

    # Turns ----------------------------------------------------------------------------------

    def turn(
        self,
        prompt: str,
        *steps: Mapping[str, Any],
        resume: str = "",
        options: Sequence[str] = (),
        cwd: Path | None = None,
    ) -> Turn:
        """Give the client one prompt, its model these answers, and wait until it has ended."""
        command = self._codex if self.client.is_codex else self._claude
        return self.call(command(prompt, resume, options), *steps, cwd=cwd)

    def call(self, argv: Sequence[str], *steps: Mapping[str, Any], cwd: Path | None = None) -> Turn:
        """Run the client with these arguments until it has ended."""
        case = self.case(argv, steps, cwd=cwd)
        done = subprocess.run(
            case, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=PATIENCE + 30, cwd=PROJECT,
        )  # fmt: skip
        assert not done.stderr, done.stderr
        turn = self.last(done.returncode)
        assert turn.code != 124, turn
        return turn

    def last(self, code: int = 0) -> Turn:
        """What the last call has left."""
        place = self.base / f"call-{self._count}"
        texts = [
            (place / name).read_text("utf-8") if (place / name).exists() else ""
            for name in ("out", "err", "log")
        ]
        case = json.loads((place / "case.json").read_text("utf-8"))
        turn = Turn(code, *texts, steps=len(case["script"]))
        if (place / "seconds").exists():
            took = json.loads((place / "seconds").read_text("utf-8"))
            turn.seconds, turn.rest, turn.work = took
        return turn

    def case(
        self,
        argv: Sequence[str],
        steps: Sequence[Mapping[str, Any]],
        *,
        cwd: Path | None = None,
        terminal: bool = False,
    ) -> list[str]:
        """Write a case down; the command that runs it."""
        self._count += 1
        place = self.base / f"call-{self._count}"
        place.mkdir()
        case: dict[str, Any] = {
            "argv": [str(self.client.path), *argv], "cwd": str(cwd or self.workspace),
            "env": self.environ(), "script": steps, "log": str(place / "log"),
            "patience": SITTING if terminal else PATIENCE, "apart": bool(apart()),
        }  # fmt: skip
        if not terminal:
            case |= {"out": str(place / "out"), "err": str(place / "err")}
        (place / "case.json").write_text(json.dumps(case), "utf-8")
        inside = Path(__file__).parent / "inside.py"
        return [*apart(), sys.executable, str(inside), str(place / "case.json")]

    @property
    def interactive(self) -> tuple[str, ...]:
        """How the client is started in a terminal; its daemon would outlive the test."""
        if self.client.is_codex:
            return ("--no-alt-screen", "--no-daemon", *self.at_model, *self.trusting)
        return _ALLOWED

    def _claude(self, prompt: str, resume: str, options: Sequence[str]) -> list[str]:
        resumed = ("--resume", resume) if resume else ()
        return ["-p", prompt, "--output-format", "json", *resumed, *options, *_ALLOWED]

    def _codex(self, prompt: str, resume: str, options: Sequence[str]) -> list[str]:
        resumed = ("resume", resume) if resume else ()
        return ["exec", *resumed, "--json", *self.at_model, *self.trusting, *options, prompt]
