"""The table of commands, the command line and the words of the spec are one."""

import importlib

from loopgraph import cli
from loopgraph.model.commands import COMMANDS

GROUPS = [name for name, panel in cli.COMMANDS if panel == "Keep"]


def commands_of(name):
    module = importlib.import_module(f"loopgraph.cli.{name}")
    if not hasattr(module, "app"):
        return [name]
    return [f"{name} {own_name(one)}" for one in module.app.registered_commands]


def own_name(info):
    return info.name or info.callback.__name__


def test_each_command_that_keeps_a_run_is_in_the_table_and_no_other():
    there = {command for name in GROUPS for command in commands_of(name)} - {"trust"}
    known = {one.name for one in COMMANDS if one.name.split()[0] in GROUPS}
    assert known == there


def test_the_table_stands_in_order_and_names_each_command_once():
    names = [one.name for one in COMMANDS]
    assert names == sorted(set(names))


def test_each_says_what_it_does_in_a_few_words():
    for one in COMMANDS:
        assert 10 < len(one.says) < 100, one.name
        assert one.says[0].islower()
        assert not one.says.endswith(".")
