#!/usr/bin/env python3
"""The project's commands for a fresh machine: Python 3.11 or later and git are all they need.

    python3 dev.py example        run loopgraph on an example repository
    python3 dev.py test [ARGS]    run the tests; ARGS go to pytest
    python3 dev.py check [ARGS]   run every check that CI runs; ARGS go to nox
    python3 dev.py env            only make the environment, with every tool
    python3 dev.py repo DIR       only put the example repository at DIR

The environment is `.venv` beside this file: made once, and mended when pyproject.toml, the
interpreter or the checkout's place changes. Old interpreters read this file too, if only to be
told so: it keeps to the syntax of Python 3.6.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  the reader's Python may be any
    sys.exit("dev.py: Python 3.11 or later is needed; this is {}.{}".format(*sys.version_info))

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
GOAL = "Add rate limiting to the public API"


def surroundings() -> dict[str, str]:
    """The caller's environment, without what would bend pip, git, Python or loopgraph."""
    bent = ("PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in bent and not name.startswith(("GIT_", "LOOPGRAPH_"))
    }
    return {**kept, "PYTHONUTF8": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def run(*command: str | Path, cwd: Path = ROOT, **more: str) -> int:
    """Run a program to its end; `more` is added to its environment. Return its exit code."""
    return subprocess.call([str(part) for part in command], cwd=cwd, env={**surroundings(), **more})


def must(failure: str, *command: str | Path, cwd: Path = ROOT, **more: str) -> None:
    """Run a program that has to succeed, else end with `failure`."""
    if run(*command, cwd=cwd, **more) != 0:
        sys.exit("dev.py: " + failure)


def make_venv() -> None:
    """Make `.venv` for this interpreter, unless it is there."""
    settings = VENV / "pyvenv.cfg"
    version = "version = {}.{}.{}\n".format(*sys.version_info)
    if PYTHON.exists() and version in settings.read_text(encoding="utf-8"):
        return
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            sys.exit(
                f"dev.py: this Python lacks {module}; on Debian or Ubuntu it comes with "
                "`apt install python3-venv`"
            )
    must("venv could not make " + str(VENV), sys.executable, "-m", "venv", "--clear", VENV)


def environment(group: str = "") -> None:
    """Have the project, and a dependency group of pyproject.toml, installed in `.venv`."""
    content = (ROOT / "pyproject.toml").read_bytes()
    wanted = f"{hashlib.sha256(content).hexdigest()} {sys.version} {ROOT}"
    stamp = VENV / f"dev-{group or 'project'}.stamp"
    if PYTHON.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    print("dev.py: preparing .venv; this happens once", file=sys.stderr)
    make_venv()
    failure = "pip could not install {}; what it says is above"
    install = (PYTHON, "-m", "pip", "install", "--quiet")
    must(failure.format("its own update"), *install, "--upgrade", "pip>=25.1")
    groups = ("--group", group) if group else ()
    must(failure.format("the project"), *install, "--editable", ".", *groups)
    for link in VENV.rglob("_*loopgraph.pth"):
        # Python reads this file in the locale's encoding; a relative path is ASCII in any folder.
        link.write_text(os.path.relpath(ROOT, link.parent), encoding="ascii")
    stamp.write_text(wanted, encoding="utf-8")


def repository(folder: Path) -> None:
    """Put the example at `folder`, with one commit that is the same on every machine."""
    made = shutil.ignore_patterns("__pycache__", ".*_cache")
    shutil.copytree(ROOT / "examples" / "repo", folder, ignore=made)
    who = {f"GIT_{role}_NAME": "Example" for role in ("AUTHOR", "COMMITTER")}
    mail = {f"GIT_{role}_EMAIL": "example@invalid" for role in ("AUTHOR", "COMMITTER")}
    when = {f"GIT_{role}_DATE": "2026-01-01T00:00:00Z" for role in ("AUTHOR", "COMMITTER")}
    own = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, **who, **mail, **when}
    for step in (
        ("init", "--quiet", "--template=", "--initial-branch=main"),
        ("add", "--all"),
        ("commit", "--quiet", "--message=A small lending library"),
    ):
        must("git could not make the example repository", "git", *step, cwd=folder, **own)


def example() -> int:
    """Compile a run for the example repository, in a new temporary folder."""
    environment()
    folder = Path(tempfile.mkdtemp(prefix="loopgraph-example-")) / "bookshelf"
    repository(folder)
    print(f"$ cd {folder}\n$ loopgraph new deliver {GOAL!r} --yes --host claude-code\n", flush=True)
    new = ("-P", "-m", "loopgraph", "new", "deliver", GOAL, "--yes", "--host", "claude-code")
    path = os.pathsep.join((str(PYTHON.parent), os.environ.get("PATH", "")))
    return run(PYTHON, *new, cwd=folder, PATH=path)


def main(arguments: list[str]) -> int:
    """Do what the first argument says."""
    if shutil.which("git") is None:
        sys.exit("dev.py: git is needed and is not on PATH")
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command == "example" and not rest:
        return example()
    if command == "test":
        environment("test")
        said = "dev.py: without the real clients of tests/hosts; they run by: dev.py check -s hosts"
        print(said, file=sys.stderr)
        return run(PYTHON, "-m", "pytest", *rest)
    if command == "check":
        environment("dev")
        return run(PYTHON, "-m", "nox", *rest)
    if command == "env" and not rest:
        environment("dev")
        return 0
    if command == "repo" and len(rest) == 1:
        repository(Path(rest[0]))
        return 0
    print(__doc__, file=sys.stderr)
    return 0 if command in ("-h", "--help") else 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
