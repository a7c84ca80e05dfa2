"""A program is here where PATH has it, or the environment of the project."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from loopgraph.disk import programs
from tests.conftest import PROJECT


@pytest.mark.parametrize("folder", [".venv/bin", "venv/bin", "node_modules/.bin", "vendor/bin"])
def test_a_program_of_the_projects_own_environment_is_here(tmp_path, folder):
    environ = {"PATH": str(tmp_path / "bin")}
    assert programs.absent(tmp_path, ["no-tool", "no-tool", ""], environ) == ("no-tool",)
    place = tmp_path / folder / "no-tool"
    place.parent.mkdir(parents=True)
    place.write_text("#!/bin/sh\n")
    place.chmod(0o755)
    assert programs.absent(tmp_path, ["no-tool"], environ) == ()
    assert programs.absent(tmp_path, [f"{folder}/no-tool", "./gone"], environ) == ("./gone",)


def test_a_program_on_the_path_and_one_of_the_shell_are_here(tmp_path):
    place = tmp_path / "bin/no-tool"
    place.parent.mkdir()
    place.write_text("#!/bin/sh\n")
    place.chmod(0o755)
    environ = {"PATH": str(place.parent)}
    assert programs.absent(tmp_path / "x", ["no-tool", "cd", "test"], environ) == ()
    assert programs.absent(tmp_path, ["no-tool"], {}) == ("no-tool",)


# The interpreter ------------------------------------------------------------------------------


def environment(folder: Path) -> Path:
    """An interpreter in an environment of its own."""
    (folder / "bin").mkdir(parents=True)
    base = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    (folder / "pyvenv.cfg").write_text(f"home = {base.parent}\n", "utf-8")
    (folder / "bin/python").symlink_to(base)
    return folder / "bin/python"


def as_it_says(called: str, cwd: Path) -> str:
    """Its own path, as a Python that was called like this tells it."""
    said = "from loopgraph.disk import programs; print(programs.interpreter())"
    done = subprocess.run(
        [called, "-c", said], cwd=cwd, env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_the_interpreter_has_no_detour_in_its_path(tmp_path):
    """Through a link, too: the folder of the call is where the link leads."""
    python = environment(tmp_path / "venv")
    (tmp_path / "work").mkdir()
    (tmp_path / "far").mkdir()
    (tmp_path / "far/link").symlink_to("../work")
    for work in (tmp_path / "work", tmp_path / "far/link"):
        assert as_it_says("../venv/bin/python", work) == str(python)
        assert as_it_says("./../venv//bin/./python", work) == str(python)
