"""The wizard as a person meets it: keys pressed in a real terminal of 80 columns and 24 rows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from loopgraph.disk import runs
from loopgraph.model.columns import width
from tests.cli.test_new import GOAL
from tests.terminal.screen import CTRL_C, DOWN, ENTER, ESC, Terminal

READY = "Ctrl-C: end"
SUMMARY = "> write the run"


def answers(repository: Path) -> dict[str, tuple[str, str]]:
    """What the only run recorded."""
    (run,) = runs.all_runs(repository)
    return {each.key: (each.value, each.source) for each in runs.record_of(run).spec.answers}


def asked(shown: str) -> int:
    return shown.count(", of at most 3")


def test_letters_answer_without_enter_and_at_most_three_questions_are_asked(wizard, repository):
    person = wizard("new", "converge")
    person.until("(recommended)")
    person.press("b")
    person.until("Nothing outside uses this code")
    person.press("b")
    person.until(SUMMARY)
    person.press(ENTER)
    assert person.end() == 0
    assert asked(person.screen.whole()) <= 3
    found = answers(repository)
    assert found["authority"] == ("B", "owner")
    assert found["surface"] == ("private", "owner")


@pytest.mark.parametrize(("letter", "choice"), [("a", "A"), ("b", "B"), ("c", "C"), ("C", "C")])
def test_each_letter_chooses_its_own_option(wizard, repository, letter, choice):
    person = wizard("new", "converge", "--set", "surface=keep")
    person.until("(recommended)")
    person.press(letter)
    person.until(SUMMARY)
    person.press(ENTER)
    assert person.end() == 0
    assert answers(repository)["authority"] == (choice, "owner")


def test_enter_takes_the_recommended_one_and_arrows_move(wizard, repository):
    person = wizard("new", "deliver", GOAL)
    person.until("What may the agents do")
    person.until(READY)
    person.press(ENTER)
    person.until("Question 2")
    person.until(READY)
    person.press(DOWN)
    person.until("> b)")
    person.press(ENTER)
    person.until("Question 3")
    person.until(READY)
    person.press(ENTER)
    person.until(SUMMARY)
    person.press(ENTER)
    assert person.end() == 0
    found = answers(repository)
    assert (found["authority"][0], found["compatibility"][0]) == ("A", "breaking")
    assert found["rollout"] == ("direct", "owner")


def test_c_is_a_named_preauthorization_with_its_evidence_bar(wizard, repository):
    person = wizard("new", "deliver", "Migrate the orders table to a new schema")
    person.until("c) A, and one decision of yours allowed ahead: A schema change")
    person.until(READY)
    person.press("c")
    for number in (2, 3):
        person.until(f"Question {number}")
        person.until("(recommended)")
        person.press("a")
    person.until(SUMMARY)
    person.press(ENTER)
    assert person.end() == 0
    (run,) = runs.all_runs(repository)
    assert "· PRE-AUTH · A schema change goes ahead once" in (run / "directives.md").read_text(
        "utf-8"
    )


def test_esc_goes_back_and_the_other_answer_counts(wizard, repository):
    person = wizard("new", "converge")
    person.until("(recommended)")
    person.press("b")
    person.until("Nothing outside")
    person.until(READY)
    person.press(ESC)
    person.until_again("Question 1", 2)
    person.until("b) local edits")
    person.until(READY)
    person.press("a")
    person.until_again("Question 2", 2)
    person.until("Nothing outside")
    person.press("a")
    person.until(SUMMARY)
    person.press(ESC)
    person.until_again("Question 2", 3)
    person.until("Nothing outside")
    person.press("b")
    person.until(SUMMARY)
    person.press(ENTER)
    assert person.end() == 0
    found = answers(repository)
    assert (found["authority"][0], found["surface"][0]) == ("A", "private")


def test_back_is_also_a_line_that_can_be_chosen(wizard):
    person = wizard("new", "converge")
    person.until("(recommended)")
    person.press("a")
    person.until("Nothing outside")
    person.until("   back")
    person.press(DOWN + DOWN)
    person.until(" > back")
    person.press(ENTER)
    person.until_again("Question 1", 2)
    person.until("b) local edits")
    person.press(CTRL_C)
    assert person.end() == 130


@pytest.mark.parametrize("after", range(4))
def test_ctrl_c_anywhere_leaves_no_file_and_says_one_line(wizard, repository, after):
    person = wizard("new", "deliver", GOAL)
    for number in range(1, after + 1):
        person.until(f"Question {number}")
        person.until("(recommended)")
        person.press("a")
    person.until(SUMMARY if after == 3 else f"Question {after + 1}")
    person.until(READY)
    person.press(CTRL_C)
    assert person.end() == 130
    shown = person.screen.whole()
    assert shown.endswith("loopgraph: interrupted; nothing was written")
    assert shown.count("loopgraph:") == 1
    assert not (repository / ".longgraph").exists()


@pytest.mark.parametrize("text", ["Make search", ""])
def test_ctrl_c_at_the_goal_leaves_no_file(wizard, repository, text):
    person = wizard("new", "deliver")
    person.until_last(">")
    person.press(text)
    person.until_last(f">  {text}".rstrip())
    person.press(CTRL_C)
    assert person.end() == 130
    assert not (repository / ".longgraph").exists()


def test_without_goal_and_preset_the_goal_is_asked_and_the_preset_recommended(wizard, repository):
    person = wizard("new")
    person.until("What should be true when the run ends?")
    person.until_last(">")
    person.press(f"Which queue library should we use for orders?{ENTER}")
    for number in (2, 3):
        person.until(f"Question {number}")
        person.until("(recommended)")
        person.press("a")
    person.until(SUMMARY)
    assert asked(person.screen.whole()) == 3
    assert "research  [taken for the word “which”]" in person.screen.whole()
    person.press(ENTER)
    assert person.end() == 0
    assert answers(repository)["goal"] == ("Which queue library should we use for orders?", "owner")


def test_a_line_of_the_summary_is_opened_by_its_letter_and_changed(wizard, repository):
    person = wizard("new", "converge", "--set", "authority=B", "--set", "surface=keep")
    person.until(SUMMARY)
    letter = letter_of(person, "may change")
    person.press(letter)
    person.until("Which folder may be changed?")
    person.until_last(">")
    person.press(f"nowhere{ENTER}")
    person.until_again("! scope", 1)
    person.until(SUMMARY)
    person.press(letter)
    person.until_again("Which folder may be changed?", 2)
    person.until_last(">")
    person.press(f"tests{ENTER}")
    person.until(SUMMARY)
    person.press(letter_of(person, "runs in"))
    person.until("Where do the agents run?")
    person.until(READY)
    person.press("b")
    person.until(SUMMARY)
    person.press(ENTER)
    assert person.end() == 0
    found = answers(repository)
    assert found["scope"][1] == found["host"][1] == "owner"
    (run,) = runs.all_runs(repository)
    assert runs.record_of(run).spec.nodes[0].host == found["host"][0] != "claude-code"


def letter_of(person: Terminal, label: str) -> str:
    """The letter at the left of the last row with this label."""
    rows = [line for line in person.screen.whole().splitlines() if line[4:].startswith(f"{label} ")]
    return rows[-1][1]


def test_a_knob_is_changed_from_the_summary_within_its_bounds(wizard, repository):
    person = wizard("new", "converge", "--set", "authority=B", "--set", "surface=keep")
    person.until(SUMMARY)
    letter = letter_of(person, "fine-tuning")
    person.press(letter)
    person.until("Change a number")
    person.until_last(">")
    person.press(f"FIRE_ROUND_CAP=300{ENTER}")
    person.until("Allowed: 1 to 50")
    person.until(SUMMARY)
    person.press(letter)
    person.until_again("Change a number", 2)
    person.until_last(">")
    person.press(f"fire_round_cap=5{ENTER}")
    person.until(SUMMARY)
    person.press(ENTER)
    assert person.end() == 0
    (run,) = runs.all_runs(repository)
    knob = runs.record_of(run).spec.knobs["FIRE_ROUND_CAP"]
    assert (knob.value, knob.source) == (5, "owner")


@pytest.mark.parametrize("columns", [40, 80])
def test_nothing_is_wider_than_the_terminal_and_no_word_is_lost(wizard, columns):
    person = wizard("new", "converge", columns=columns)
    person.until("(recommended)") if columns == 80 else person.until("Ctrl-C")
    person.press("a")
    person.until("Question 2")
    person.until("back")
    person.press("a")
    person.until(SUMMARY)
    shown = person.screen.whole()
    assert all(width(line) <= columns for line in shown.splitlines())
    flat = " ".join(shown.split())
    proof = "found fewer new qualifying candidates than YIELD_FLOOR."
    assert proof in flat
    assert "…" not in shown
    person.press(CTRL_C)
    assert person.end() == 130


CHINESE = pytest.mark.parametrize(
    ("arguments", "environ"),
    [(["--lang", "zh"], {}), ([], {"LC_ALL": "zh_CN.UTF-8"})],
    ids=["--lang", "LC_ALL"],
)


@CHINESE
def test_the_wizard_speaks_chinese_when_told_or_when_the_locale_does(
    wizard, repository, arguments, environ
):
    person = wizard("new", "converge", *arguments, **environ)
    person.until(" > a)")
    person.press("c")
    person.until_again("第 2 问", 1)
    person.until(" > a)")
    person.press(ESC)
    person.until_again("第 1 问", 2)
    person.until(" > a)")
    person.press("b")
    person.until_again("第 2 问", 2)
    person.until(" > a)")
    person.press("b")
    person.until("2026-01-02-converge/")
    person.until(" > ")
    person.press(ENTER)
    assert person.end() == 0
    shown = person.screen.whole()
    assert all(width(line) <= 80 for line in shown.splitlines())
    found = answers(repository)
    assert (found["authority"][0], found["surface"][0]) == ("B", "private")
    (run,) = runs.all_runs(repository)
    assert runs.record_of(run).spec.lang == "zh"


@CHINESE
@pytest.mark.parametrize("after", range(3))
def test_ctrl_c_in_chinese_leaves_no_file_either(wizard, repository, arguments, environ, after):
    person = wizard("new", "converge", *arguments, **environ)
    for number in range(1, after + 1):
        person.until_again(f"第 {number} 问", 1)
        person.until(" > a)")
        person.press("a")
    person.until("2026-01-02-converge/" if after == 2 else f"第 {after + 1} 问")
    person.until("Ctrl-C")
    person.settle()
    person.press(CTRL_C)
    assert person.end() == 130
    last = person.screen.whole().splitlines()[-1]
    assert last.startswith("loopgraph: ")
    assert "nothing" not in last
    assert not (repository / ".longgraph").exists()


def test_no_color_means_no_colour(wizard):
    person = wizard("new", "converge")
    person.until("(recommended)")
    person.press(CTRL_C)
    assert person.end() == 130
    assert not person.screen.colours - {"39", "49"}


def test_a_terminal_that_can_only_print_gets_numbered_lines(wizard, repository):
    person = wizard("new", "converge", TERM="dumb")
    person.until("Your choice")
    person.press("b\n")
    person.until("Question 2")
    person.until_again("Your choice", 2)
    person.press("0\n")
    person.until_again("Question 1", 2)
    person.until_again("Your choice", 3)
    person.press("\n")
    person.until_again("Your choice", 4)
    person.press("b\n")
    person.until("1) write the run")
    person.press(letter_of(person, "may change") + "\n")
    person.until("Your line")
    person.press("tests\n")
    person.until_again("1) write the run", 2)
    person.press("1\n")
    assert person.end() == 0
    assert "\x1b" not in person.raw
    found = answers(repository)
    assert (found["authority"][0], found["surface"][0], found["scope"][0]) == (
        "A",
        "private",
        "tests",
    )


@pytest.mark.parametrize("key", [CTRL_C, "\x04"])
def test_a_dumb_terminal_is_left_without_a_file_too(wizard, repository, key):
    person = wizard("new", "converge", TERM="dumb")
    person.until("Your choice")
    person.press(key)
    assert person.end() == 130
    assert not (repository / ".longgraph").exists()
    assert person.screen.whole().endswith("nothing was written")


def test_yes_never_asks_even_at_a_terminal(wizard, repository):
    person = wizard("new", "converge", "--yes")
    assert person.end() == 0
    assert asked(person.screen.whole()) == 0
    assert len(runs.all_runs(repository)) == 1


def test_a_goal_that_needs_no_graph_is_refused_before_any_question(wizard, repository):
    person = wizard("new", "deliver", "Fix the typo in README.md")
    assert person.end() == 1
    shown = person.screen.whole()
    assert asked(shown) == 0
    assert "plain task" in " ".join(shown.split())
    assert not (repository / ".longgraph").exists()


def test_where_no_gate_was_found_the_owner_names_one(wizard, repository):
    for path in ("pyproject.toml", "CONTRIBUTING.md"):
        (repository / path).unlink()
    shutil.rmtree(repository / "tests")
    person = wizard("new", "converge", "--set", "authority=A", "--set", "surface=keep")
    person.until("No test or check command was found. What")
    person.until("b) a command of your own")
    person.until(READY)
    person.press("b")
    person.until_last(">")
    person.press(ESC)
    person.until_again("b) a command of your own", 1)
    person.until(READY)
    person.press("b")
    person.until_last(">")
    person.press(f"make smoke{ENTER}")
    person.until(SUMMARY)
    person.press(ENTER)
    assert person.end() == 0
    assert answers(repository)["gate"] == ("make smoke", "owner")
