"""The skill: a form that every client takes, and no command in it that does not exist."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from loopgraph import resources
from loopgraph.cli import build
from loopgraph.node import start

TEXT = (resources.data("templates") / "skill" / "SKILL.md").read_text("utf-8")
_, HEAD, BODY = TEXT.split("---\n", 2)
FIELDS = yaml.safe_load(HEAD)
CALLS = [" ".join(call.split()) for call in re.findall(r"`(loopgraph [^`]+)`", BODY)]
SWITCHES = re.findall(r"`(--[a-z-]+)", BODY)
PROGRAM = get_command(build())

STANDARD = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}


def command(words):
    """The command that these words call, and what is left of them."""
    found: Any = PROGRAM
    while words and words[0] in getattr(found, "commands", {}):
        found, words = found.commands[words[0]], words[1:]
    return found, words


def test_its_head_is_what_the_standard_allows():
    assert set(FIELDS) <= STANDARD
    name, said = FIELDS["name"], FIELDS["description"]
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 64
    assert 0 < len(said) <= 1024
    assert len(FIELDS["compatibility"]) <= 500
    assert not re.search(r"[<>]", said), "some clients refuse a description with tags"
    assert all(isinstance(value, str) for value in FIELDS.values())


def test_it_grants_itself_nothing():
    assert "allowed-tools" not in FIELDS


def test_it_is_short_enough_to_be_read_whole():
    assert len(BODY.splitlines()) < 500
    assert len(BODY.split()) < 1500


@pytest.mark.parametrize("call", CALLS)
def test_every_command_it_names_exists_with_these_options(call):
    found, left = command(call.split()[1:])
    assert not hasattr(found, "commands"), f"{call}: only a group"
    options = {name for one in found.params for name in (*one.opts, *one.secondary_opts)}
    assert {word for word in left if word.startswith("--")} <= options
    needed = [one.opts[0] for one in found.params if one.required]
    arguments = [name for name in needed if not name.startswith("--")]
    assert {name for name in needed if name.startswith("--")} <= set(left)
    assert len(arguments) <= len([word for word in left if not word.startswith("--")])


def test_every_option_it_names_alone_is_one_of_a_command_it_names():
    named = [command(call.split()[1:])[0] for call in CALLS]
    options = {
        name
        for one in named
        for param in one.params
        for name in (*param.opts, *param.secondary_opts)
    }
    assert SWITCHES
    assert set(SWITCHES) - {"--help"} <= options


@pytest.mark.parametrize(
    "phrase",
    [
        "long task", "keep going", "go on", "finish it all", "don't stop", "must complete",
        "长任务", "长期任务", "持续任务", "继续", "继续推进", "一直做完", "全部做完", "不要停",
        "必须完成",
    ],
)  # fmt: skip
def test_it_is_called_by_the_words_of_long_tasks(phrase):
    assert phrase in FIELDS["description"]


def test_the_words_that_begin_a_task_at_once_are_named_in_both_languages():
    said = FIELDS["description"]
    (words,) = [words for mode, words in start.WORDS if mode == "at-once" and "keep going" in words]
    assert [word for word in words if word in said and word.isascii()]
    assert [word for word in words if word in said and not word.isascii()]


def test_it_says_when_not_to_be_used_and_that_the_form_of_an_answer_comes_first():
    assert "Not for" in FIELDS["description"]
    assert "JSON only means JSON only" in BODY


def test_it_names_no_path_of_a_machine():
    assert not re.search(r"(?<![\w.`~])/(home|usr|opt|Users)\b", TEXT)
    assert str(Path.home()) not in TEXT
