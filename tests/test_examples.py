"""The example runs are what the commands of their README write today."""

import re
import subprocess
import sys

from tests.conftest import PROJECT


def test_the_examples_are_what_loopgraph_writes_now():
    done = subprocess.run(
        [sys.executable, PROJECT / "examples/make.py", "--check"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_each_command_in_the_readme_is_the_one_that_made_its_folder():
    shown = dict(
        re.findall(
            r"\| `(\w+)/` \| `loopgraph new (.*) --yes",
            (PROJECT / "examples/README.md").read_text("utf-8"),
        )
    )
    made = (PROJECT / "examples/make.py").read_text("utf-8")
    assert set(shown) == {"deliver", "converge", "research"}
    for pack, words in shown.items():
        goal = re.search(r'"(.*)"', words)
        assert words.startswith(pack)
        assert f'"{pack}": ({goal[0] + "," if goal else ""})' in made
