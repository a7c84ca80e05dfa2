"""The example runs are what the commands of their pages write today."""

import os
import re
import subprocess
import sys

import pytest

from tests.conftest import PROJECT

EXAMPLES = PROJECT / "examples"
STORIES = sorted(path.parent.name for path in EXAMPLES.glob("*/story.yaml"))


def test_the_examples_are_what_loopgraph_writes_now_whoever_makes_them():
    elsewhere = {
        "LC_ALL": "zh_CN.UTF-8", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7",
        "LOOPGRAPH_NODE": "scout", "CLAUDECODE": "1", "GIT_AUTHOR_NAME": "somebody",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, EXAMPLES / "make.py", "--check"],
        env={**os.environ, **elsewhere}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_readme_names_every_example():
    said = (EXAMPLES / "README.md").read_text("utf-8")
    named = set(re.findall(r"^\| \[?`([\w-]+)/`", said, re.MULTILINE))
    assert named == {path.name for path in EXAMPLES.iterdir() if path.is_dir()} - {
        "repo",
        "__pycache__",
    }


def test_each_command_in_the_readme_is_the_one_that_made_its_folder():
    shown = dict(
        re.findall(
            r"\| `(\w+)/` \| `loopgraph new (.*) --yes",
            (EXAMPLES / "README.md").read_text("utf-8"),
        )
    )
    made = (EXAMPLES / "make.py").read_text("utf-8")
    assert set(shown) == {"deliver", "converge", "research"}
    for pack, words in shown.items():
        goal = re.search(r'"(.*)"', words)
        assert words.startswith(pack)
        assert f'"{pack}": ({goal[0] + "," if goal else ""})' in made


@pytest.mark.parametrize("name", STORIES)
def test_what_a_page_points_to_is_there(name):
    page = (EXAMPLES / name / "README.md").read_text("utf-8")
    pointers = re.findall(r"\]\((run[^)#]*)(?:#L(\d+))?\)", page)
    assert pointers
    for path, line in pointers:
        place = EXAMPLES / name / path
        assert place.exists()
        assert not line or len(place.read_text("utf-8").split("\n")) >= int(line)


@pytest.mark.parametrize("name", STORIES)
def test_a_story_compiles_to_itself_and_nothing_is_found_in_it(name, cli):
    run = f"examples/{name}/run"
    for command in (("compile", run, "--check"), ("check", run), ("audit", run)):
        done = cli(*command, cwd=PROJECT)
        assert (done.code, done.out) == (0, ""), command


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("{anyone: status, exit: 0}", "step 2: loopgraph status"),
        ("{anyone: status, exit: 1, says: all is well}", "step 2: loopgraph status"),
        ("{edit: {a.txt: {replace: [b, c]}}}", "a.txt has these words 0 times: 'b'"),
        ("{tells: more}", "step 2: one of executor"),
    ],
)
def test_a_story_that_no_longer_plays_names_the_step(tmp_path, step, says):
    source = tmp_path / "story.yaml"
    source.write_text(
        "{title: t, name: w, begins: '2026-01-02T03:04:05+00:00', commit: c, repository: "
        f"{{a.txt: a}}, steps: [{{tell: a part}}, {step}]}}\n"
    )
    play = "import sys, pathlib, story; story.play(*map(pathlib.Path, sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", play, source, tmp_path],
        env={**os.environ, "PYTHONPATH": str(EXAMPLES)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert says in done.stderr
