"""Help that teaches: panels, examples that work, and no wall of text."""

from __future__ import annotations

import re
import shlex

import pytest

from loopgraph.cli import COMMANDS
from loopgraph.cli.completion import proposals
from loopgraph.cli.usage import EXAMPLES, PANELS
from loopgraph.views.topics import TOPICS

LINES = [(command, line) for command, lines in EXAMPLES.items() for line in lines]


def test_the_program_alone_prints_its_help(cli, tmp_path):
    alone = cli(cwd=tmp_path)
    assert alone == cli("--help", cwd=tmp_path)
    assert (alone.code, alone.err) == (0, "")


def test_a_group_alone_prints_its_help(cli, tmp_path):
    assert cli("presets", cwd=tmp_path) == cli("presets", "--help", cwd=tmp_path)


def test_each_command_stands_in_one_known_panel(cli, tmp_path):
    assert {panel for _, panel in COMMANDS} <= set(PANELS)
    shown = cli("--help", cwd=tmp_path).out
    for title in {PANELS[panel] for _, panel in COMMANDS}:
        assert f"\n{title}:\n" in shown
    assert "\nCommands:\n" not in shown


@pytest.mark.parametrize("command", ["", *(name for name, _ in COMMANDS)])
def test_help_is_narrow_whole_and_no_wall(cli, tmp_path, command):
    shown = cli(*command.split(), "--help", cwd=tmp_path).out
    lines = shown.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert len(lines) <= (65 if command else len(COMMANDS) + 30)  # a line each, and its frame
    assert "..." not in shown.replace("[ARGS]...", "")
    if command in EXAMPLES:
        assert shown.rstrip().endswith(EXAMPLES[command][-1].rstrip())


@pytest.mark.parametrize(("command", "line"), LINES)
def test_an_example_names_commands_and_options_that_exist(command, line):
    call = re.search(r"\$\((.*?)\)", line)
    words = shlex.split(call[1] if call else line.partition(" > ")[0].partition("   ")[0])
    assert words[0] == "loopgraph"
    assert not command or words[1] == command
    path = [words[1]]
    if len(words) > 2 and words[2] in proposals([words[1], ""]):
        path.append(words[2])
    known = proposals([*path, "--"])
    assert not [word for word in words if word.startswith("--") and word not in known]


@pytest.mark.parametrize("topic", TOPICS)
def test_each_topic_of_help_is_explained(cli, tmp_path, topic):
    done = cli("help", topic, cwd=tmp_path)
    assert done.code == 0
    assert len(done.out.splitlines()) > 3
