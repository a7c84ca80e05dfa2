"""Plays a continuation case: files, Stops, and what must be true of each answer and afterwards.

A case is data in tests/cases/continuation/. `python replay.py CLAUSE…` plays the cases of some
clauses without a test framework, and exits 1 at the first that fails: the mutants use it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from loopgraph.hook import dialects
from loopgraph.hook import stop as hook
from loopgraph.hook.clock import Clock

CASES = Path(__file__).parents[1] / "cases" / "continuation"
SHAPES: dict[str, dict[str, Any]] = {
    "claude": {
        "session_id": "s-1",
        "transcript_path": "",
        "cwd": "$ROOT",
        "prompt_id": "p-1",
        "permission_mode": "default",
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        "last_assistant_message": "One row is done.",
        "background_tasks": [],
        "session_crons": [],
    },
    "codex": {
        "session_id": "s-1",
        "turn_id": "t-1",
        "transcript_path": None,
        "cwd": "$ROOT",
        "hook_event_name": "Stop",
        "model": "m",
        "permission_mode": "default",
        "stop_hook_active": False,
        "last_assistant_message": "One row is done.",
    },
    "grok": {
        "sessionId": "s-1",
        "cwd": "$ROOT",
        "hookEventName": "Stop",
        "reason": "end_turn",
        "stopHookActive": False,
        "lastAssistantMessage": "One row is done.",
    },
    "cursor": {
        "conversation_id": "s-1",
        "workspace_roots": ["$ROOT"],
        "hook_event_name": "stop",
        "status": "completed",
        "loop_count": 0,
    },
    "gemini": {
        "session_id": "s-1",
        "cwd": "$ROOT",
        "hook_event_name": "AfterAgent",
        "prompt": "go on",
        "prompt_response": "One row is done.",
        "stop_hook_active": False,
    },
    "copilot": {
        "sessionId": "s-1",
        "cwd": "$ROOT",
        "transcriptPath": "",
        "stopReason": "end_turn",
    },
}
"""What each host sends."""


def cases() -> list[dict[str, Any]]:
    """Every case, with the clauses that it is about."""
    found = []
    for path in sorted(CASES.glob("*.yaml")):
        if path.stem != "clauses":
            found += yaml.safe_load(path.read_text("utf-8"))
    return found


def clauses() -> dict[str, str]:
    """Every clause and decision, and what it says."""
    found: dict[str, str] = yaml.safe_load((CASES / "clauses.yaml").read_text("utf-8"))
    return found


def snapshot(folder: Path) -> dict[str, bytes | str]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


class Scene:
    """A workspace, a home and a state folder for one case."""

    def __init__(self, base: Path) -> None:
        self.root, self.home, self.state = base / "ws", base / "home", base / "state"
        for folder in (self.root, self.home):
            folder.mkdir(parents=True)

    def filled(self, value: Any) -> Any:
        """A value with the places of this scene in it."""
        if isinstance(value, str):
            for name in ("root", "home", "state"):
                value = value.replace(f"${name.upper()}", str(getattr(self, name)))
            return value
        if isinstance(value, dict):
            return {self.filled(key): self.filled(entry) for key, entry in value.items()}
        return [self.filled(entry) for entry in value] if isinstance(value, list) else value

    def write(self, files: dict[str, Any] | None, base: Path | None = None) -> None:
        """Write files; None removes one."""
        for name, text in self.filled(files or {}).items():
            path = (base or self.root) / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(text, dict):
                self._special(path, text)
            else:
                path.write_bytes(text if isinstance(text, bytes) else text.encode())

    @staticmethod
    def _special(path: Path, what: dict[str, Any]) -> None:
        if "link" in what:
            path.symlink_to(what["link"])
        elif "folder" in what:
            path.mkdir()
        elif "index" in what:
            path.write_bytes(index(what["index"]))
        elif "repeat" in what:
            path.write_text(what["repeat"] * int(what["times"]), encoding="utf-8")

    def environ(self, extra: dict[str, str] | None) -> dict[str, str]:
        """The environment of the hook."""
        return {
            "HOME": str(self.home),
            "LOOPGRAPH_STATE": str(self.state),
            "LOOPGRAPH_NOW": "2026-01-02T03:04:05Z",
            **self.filled(extra or {}),
        }

    def payload(self, stop: dict[str, Any]) -> bytes:
        """What the host sends."""
        if "stdin" in stop:
            raw = self.filled(stop["stdin"])
            return raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass")
        said = self.filled({**SHAPES[stop.get("host", "claude")], **stop.get("payload", {})})
        for name in stop.get("without", []):
            said.pop(name)
        return json.dumps(said).encode()


def index(names: list[str]) -> bytes:
    """A git index of version 2 that tracks some paths."""
    entries = b""
    for name in names:
        entry = bytes(60) + len(name).to_bytes(2, "big") + name.encode()
        entries += entry + bytes(8 - len(entry) % 8)
    return b"DIRC" + (2).to_bytes(4, "big") + len(names).to_bytes(4, "big") + entries + bytes(20)


def play(case: dict[str, Any], base: Path) -> None:
    """Play a case; AssertionError where it is not as it says."""
    scene = Scene(base)
    scene.write(case.get("files"))
    scene.write(case.get("home"), scene.home)
    expected = snapshot(scene.root)
    clock = Clock({}, fresh=False)
    for number, written in enumerate(case["stops"]):
        stop = {"host": case.get("host", "claude"), **written}
        told = f"{case['name']}: Stop {number + 1}"
        scene.write(stop.get("home"), scene.home)
        if stop.get("before"):
            scene.write(stop["before"])
            expected = snapshot(scene.root)
        environ = scene.environ({**case.get("env", {}), **stop.get("env", {})})
        for _ in range(stop.get("times", 1)):
            if not stop.get("twin"):  # the twin began before its elder's answer
                clock = Clock(environ, fresh=False)
            judge(hook.respond(scene.payload(stop), environ, clock), scene.filled(stop), told)
        for name, text in scene.filled(stop.get("after", {})).items():
            expected.pop(name, None)
            if text is not None:
                expected[name] = text if isinstance(text, bytes) else text.encode()
        now = snapshot(scene.root)
        assert now == expected, f"{told}: {difference(expected, now)}"
    for name, text in scene.filled(case.get("home_after", {})).items():
        path = scene.home / name
        assert (path.read_bytes().decode() if path.exists() else None) == text, name


def judge(answer: hook.Answer, stop: dict[str, Any], told: str) -> None:
    """Hold an answer against what the case says of it."""
    out = json.loads(answer.out) if answer.out else {}
    host = "claude-code" if stop["host"] == "claude" else stop["host"]
    block = "decision" in out or "followup_message" in out
    reason = out.get("reason") or out.get("followup_message") or ""
    assert set(out) <= set(dialects.load(host).KEYS), f"{told}: {out}"
    assert "\n" not in answer.err, told
    assert block == (stop["answer"] == "block"), f"{told}: {answer.trail}"
    shown = stop.get("shown", "")
    assert shown in out.get("systemMessage", ""), f"{told}: {out}"
    assert block or shown or not out, f"{told}: {out}"
    if "why" in stop:
        assert answer.trail[-1].startswith(f"let go: {stop['why']}: "), f"{told}: {answer.trail}"
    if "reason" in stop:
        assert reason == stop["reason"], f"{told}: {reason!r}"
    if "err" in stop:
        said = stop["err"] in answer.err if stop["err"] else not answer.err
        assert said, f"{told}: {answer.err!r}"
    missing = [text for text in stop.get("has", []) if text not in reason]
    assert not missing, f"{told}: {missing} is not in {reason!r}"
    there = [text for text in stop.get("lacks", []) if text in reason]
    assert not there, f"{told}: {there} is in {reason!r}"


def difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    names = sorted(set(one) | set(other))
    return "; ".join(
        f"{name}: {one.get(name)!r} is now {other.get(name)!r}"
        for name in names
        if one.get(name) != other.get(name)
    )


def main(wanted: list[str]) -> int:
    for case in cases():
        if not set(case["clauses"]) & set(wanted):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                play(case, Path(folder))
            except Exception as fault:  # noqa: BLE001
                sys.stdout.write(f"{type(fault).__name__}: {fault}"[:300])
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
