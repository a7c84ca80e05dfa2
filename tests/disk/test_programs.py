"""A program is here where PATH has it, or the environment of the project."""

import pytest

from loopgraph.disk import programs


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
