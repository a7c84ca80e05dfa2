"""Play a story: real commands, edits and commits on a repository of its own, told as a page.

A story is a YAML file. `repository` is what lies in the workspace at the beginning, or the name of
the story that begins alike; `language` is that of its people. `steps` is what happens, in order,
each at its own pinned moment:

    tell: TEXT                    a part of the page; [[FILE|WORDS]] or [[FILE|WORDS|TEXT]]
                                  points to the line with WORDS
    executor|supervisor|owner: …  words of a loopgraph command, spoken in that role
    anyone: …                     the same without a role
    edit: {PATH: CHANGE}          write TEXT whole, or {append: …}, {replace: [OLD, NEW]},
                                  {remove: true}, {repeat: N, text: … with {n}}
    run: WORDS                    another program, on the page

A command may have `exit` (0 if left out), `says` (words of its output), `show` (on the page: true,
or the number of lines) and `minutes` (since the step before; 2 if left out).
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

PROJECT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import loopgraph  # noqa: E402
from loopgraph.cli import main as program  # noqa: E402
from loopgraph.edges import record  # noqa: E402

ROLES: Final = ("executor", "supervisor", "owner", "anyone")
STEPS: Final = (*ROLES, "tell", "edit", "run")
ALSO: Final = ("exit", "says", "show", "minutes")
MADE: Final = "<!-- Made by examples/make.py out of story.yaml: change that, then run it. -->\n"
_POINTER: Final = re.compile(r"\[\[([^|\]]+)\|([^|\]]+)(?:\|([^\]]+))?\]\]")
_WIDTH: Final = 96
_FORKS: Final = hasattr(os, "fork")
_KEPT: Final = ("PATHEXT", "SYSTEMROOT", "COMSPEC", "TEMP", "TMP", "TMPDIR")


class Stage:
    """Where a story is played: its workspace, its HOME, and the moment."""

    def __init__(self, folder: Path, story: Mapping[str, Any]) -> None:
        self.workspace, self.home = folder / story["name"], folder / "home"
        self.home.mkdir()
        self.now = datetime.fromisoformat(story["begins"])
        self.language = story.get("language", "en")

    def environ(self) -> dict[str, str]:
        """Nothing of this machine's user gets in."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        return {
            **kept,
            "PATH": path,
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "LOOPGRAPH_CONFIG": str(self.home / "config"),
            "LOOPGRAPH_NOW": self.now.isoformat(),
            "LANG": "zh_CN.UTF-8" if self.language == "zh" else "C.UTF-8",
            "PYTHONUTF8": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }

    def run(self, *words: str) -> str:
        """Run another program as the owner, at this moment; return what it says."""
        who = {f"GIT_{role}_NAME": "Ada" for role in ("AUTHOR", "COMMITTER")}
        mail = {f"GIT_{role}_EMAIL": "ada@example.invalid" for role in ("AUTHOR", "COMMITTER")}
        when = {f"GIT_{role}_DATE": self.now.isoformat() for role in ("AUTHOR", "COMMITTER")}
        done = subprocess.run(
            [shutil.which(words[0], path=self.environ()["PATH"]) or words[0], *words[1:]],
            cwd=self.workspace,
            env={**self.environ(), **who, **mail, **when},
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=True,
        )
        return done.stdout

    def loopgraph(self, words: tuple[str, ...]) -> tuple[int, str]:
        """Run a command; return its exit code, and what it printed."""
        if _FORKS:
            return self._forked(words)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "loopgraph", *words],
            cwd=self.workspace,
            env={**self.environ(), "PYTHONPATH": str(PROJECT)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def _forked(self, words: tuple[str, ...]) -> tuple[int, str]:
        """The same in a child of this process, which has the program loaded already."""
        environ = self.environ()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if child == 0:
                code = 70
                try:
                    os.chdir(self.workspace)
                    os.environ.clear()
                    os.environ.update(environ)
                    os.dup2(out.fileno(), 1)
                    os.dup2(err.fileno(), 2)
                    sys.argv = ["loopgraph", *words]
                    sys.stdout = os.fdopen(1, "w", encoding="utf-8")
                    sys.stderr = os.fdopen(2, "w", encoding="utf-8")
                    code = program(words)
                except BaseException:
                    traceback.print_exc()
                    raise
                finally:
                    sys.stdout.flush()
                    sys.stderr.flush()
                    os._exit(code)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode("utf-8"))
        return code, "".join(texts)


# Playing ---------------------------------------------------------------------------------------


def _warm() -> None:
    """Load most of the program once, so that no child has to."""
    for module in pkgutil.walk_packages(loopgraph.__path__, "loopgraph."):
        if not module.name.startswith(("loopgraph.__main__", "loopgraph.cli.")):
            importlib.import_module(module.name)
    importlib.import_module("loopgraph.cli.keeping")


def play(source: Path, folder: Path) -> dict[str, bytes]:
    """Play a story in an empty folder; return its page and its run, by name."""
    if _FORKS:
        _warm()
    story: Any = record.load_yaml(source.read_text("utf-8"), source.as_posix())
    stage = Stage(folder, story)
    for name, text in _repository(source, story).items():
        _write(stage.workspace / name, text)
    stage.run("git", "init", "--quiet", "--template=", "--initial-branch=main")
    stage.run("git", "config", "user.name", "Ada")
    stage.run("git", "config", "user.email", "ada@example.invalid")
    stage.run("git", "add", "--all")
    stage.run("git", "commit", "--quiet", f"--message={story['commit']}")
    page = [f"# {story['title']}\n", MADE]
    for number, step in enumerate(story["steps"], 1):
        where = f"{source.parent.name}/{source.name}: step {number}"
        kind = _kind(step, where)
        stage.now += timedelta(minutes=step.get("minutes", 0 if kind == "tell" else 2))
        if kind in ROLES:
            page += _command(stage, kind, step, where)
        else:
            page += _OTHERS[kind](stage, step[kind])
    (run,) = (stage.workspace / ".longgraph").glob("2*-*")
    kept = {
        f"run/{path.relative_to(run).as_posix()}": path.read_bytes()
        for path in sorted(run.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }
    text = _pointed("\n".join(page), kept, source)
    return {"README.md": text.encode(), **kept}


def _repository(source: Path, story: Mapping[str, Any]) -> Mapping[str, str]:
    files: Any = story["repository"]
    if isinstance(files, str):
        alike = source.parent.parent / files / source.name
        files = record.load_yaml(alike.read_text("utf-8"), alike.as_posix())["repository"]
    return files


def _kind(step: Mapping[str, Any], where: str) -> str:
    kinds = [name for name in STEPS if name in step]
    strange = [name for name in step if name not in (*STEPS, *ALSO)]
    if len(kinds) != 1 or strange:
        sys.exit(f"{where}: one of {', '.join(STEPS)} is wanted; found {', '.join(step)}")
    return kinds[0]


def _command(stage: Stage, role: str, step: Mapping[str, Any], where: str) -> list[str]:
    words = tuple(shlex.split(step[role]))
    if role != "anyone":
        words = (*words, "--as", role)
    code, said = stage.loopgraph(words)
    for place in (stage.workspace, stage.workspace.resolve()):
        for written in (str(place), place.as_posix()):
            said = said.replace(written, f"~/{stage.workspace.name}")
    if code != step.get("exit", 0) or step.get("says", "") not in said:
        sys.exit(f"{where}: loopgraph {shlex.join(words)}\nexit {code}\n{said}")
    if not step.get("show"):
        return []
    lines = said.rstrip("\n").split("\n") if said else []
    if step["show"] is not True and len(lines) > step["show"]:
        lines = [*lines[: step["show"]], "…"]
    if code or not lines:
        lines.append(f"(exit {code})")
    shown = "\n".join(line.rstrip() for line in (_typed(words), *lines))
    return [f"```console\n{shown}\n```\n"]


def _typed(words: tuple[str, ...]) -> str:
    """A command as it is typed: an option that does not fit goes on in the next line."""
    units: list[str] = []
    for word in words:
        piece = f'"{word}"' if re.search(r"[^\w@%+=:,./-]", word) else word
        if units and units[-1].startswith("--") and " " not in units[-1] and piece[:2] != "--":
            units[-1] += f" {piece}"
        else:
            units.append(piece)
    lines = ["$ loopgraph"]
    for unit in units:
        if len(lines[-1]) + len(unit) < _WIDTH or not unit.startswith("--"):
            lines[-1] += f" {unit}"
        else:
            lines[-1] += " \\"
            lines.append(f"    {unit}")
    return "\n".join(lines)


def _tell(_stage: Stage, text: str) -> list[str]:
    return [text]


def _run(stage: Stage, words: str) -> list[str]:
    said = stage.run(*shlex.split(words)).strip("\n")
    return [f"```console\n$ {words}\n{said}\n```\n"]


def _edit(stage: Stage, changes: Mapping[str, Any]) -> list[str]:
    for name, change in changes.items():
        place = stage.workspace / name
        old = place.read_text("utf-8") if place.exists() else ""
        if isinstance(change, str):
            _write(place, change)
        elif "append" in change:
            _write(place, old + change["append"])
        elif "repeat" in change:
            parts = (change["text"].replace("{n}", str(n)) for n in range(1, change["repeat"] + 1))
            _write(place, old + "".join(parts))
        elif "replace" in change:
            before, after = change["replace"]
            if old.count(before) != 1:
                sys.exit(f"{name} has these words {old.count(before)} times: {before!r}")
            _write(place, old.replace(before, after))
        else:
            place.unlink()
    return []


_OTHERS: Final[dict[str, Callable[[Stage, Any], list[str]]]] = {
    "tell": _tell,
    "edit": _edit,
    "run": _run,
}


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8", newline="\n")


def _pointed(page: str, kept: Mapping[str, bytes], source: Path) -> str:
    """The page with its pointers: each to the one line of the run that has the words."""

    def pointer(found: re.Match[str]) -> str:
        name, words = found[1], found[2]
        lines = kept.get(f"run/{name}", b"").decode("utf-8").split("\n")
        at = [number for number, line in enumerate(lines, 1) if words in line]
        if not at:
            sys.exit(f"{source.parent.name}: {name} has no line with: {words}")
        return f"[{found[3] or f'{name}:{at[0]}'}](run/{name}#L{at[0]})"

    return _POINTER.sub(pointer, page)
