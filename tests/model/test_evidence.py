"""What counts as evidence."""

from __future__ import annotations

import pytest

from loopgraph.model import evidence


@pytest.mark.parametrize(
    "said",
    [
        "12 tests pass: `pytest tests/cli`",
        "src/a.py compiles",
        "the file a.py is gone",
        "see README.md.",
        "GAP-012 is closed",
        "R12 landed",
        "done in 3f2a1bc",
        "https://ci.example.invalid/7 is green",
        "pytest passes",
        "fixes #12",
        "@ann agreed",
        "测试通过：`pytest`",
        "结果在 out/log.txt。",
        "（见 a/b.md）",
    ],
)
def test_a_fact_that_names_something_points(said):
    assert evidence.points(said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "it works",
        "all tests pass",
        "100 percent",
        "2.5 seconds",
        "1234567 rows",
        "e.g. this",
        "good and/or bad",
        "``",
        "at 9 a.m.",
        "well-known",
        "state-of-the-art",
        "全部通过",
        "// ...",
    ],
)
def test_a_fact_that_names_nothing_does_not(said):
    assert not evidence.points(said)


@pytest.mark.parametrize("phrase", sorted(evidence.EMPTY_PHRASES))
def test_an_empty_phrase_is_no_action_however_it_is_dressed(phrase):
    for said in (phrase, f"- {phrase}.", f"“{phrase}”", phrase.upper(), f" {phrase}… "):
        assert evidence.vague(said) == "it says nothing to do"


@pytest.mark.parametrize(
    "said", ["think it over", "make it better", "do what is left", "继续努力下去", "run the checks"]
)
def test_an_action_names_what_it_is_about(said):
    assert evidence.vague(said) == "it names no path, command, id or person"


@pytest.mark.parametrize(
    "said",
    [
        "continue with src/a.py",
        "run `make check`",
        "run pytest -k x",
        "close GAP-003",
        "ask the owner which of the two",
        "请用户确认端口",
        "给 reviewer 看 a.md",
    ],
)
def test_an_action_that_somebody_could_do_now_is_one(said):
    assert not evidence.vague(said)


def test_the_facts_that_point_at_nothing_are_told():
    assert evidence.unpointed(["`a`", "b", "c.py", "d"]) == ("b", "d")


@pytest.mark.parametrize(
    ("said", "pointed"),
    [
        ("`", False), ("a ` b", False), ("` `", False), ("` ` and `b`", True), ("a `b` c", True),
        ("ask @ann", True), ("a@b", False), ("see #12", True), ("#12", True), ("a#12", False),
        ("D-3", True), ("-3", False), ("d-3", False), ("D-x", False), ("A-B-3", True),
        ("R1", True), ("F1", True), ("M12", True), ("R", False), ("Rx", False), ("S1", False),
        ("3f2a1bc", True), ("3f2a1b", False), ("abcdefa", False), ("1234567", False),
        ("3F2A1BC", True), ("3f2a1bg", False), ("a1" * 20, True), ("a1" * 20 + "b", False),
        ("a.b", True), (".b", False), ("a.", False), ("a.2", False), ("a.b-c", False),
        ("a.abcdefgh", True), ("a.abcdefghi", False), ("a.é", False),
        ("a/b", True), ("/", False), ("./..", False), ("/a", True), ("Pytest", True),
        ("N/A", False), ("I.E", False),
    ],
)  # fmt: skip
def test_a_pointer_is_known_by_its_form(said, pointed):
    assert evidence.points(said) is pointed


@pytest.mark.parametrize(
    ("said", "somebody"),
    [
        ("ask the owner", True), ("ask the “owner”.", True), ("ask the owners", False),
        ("ask 维护者们", True), ("Ask The TEAM", True), ("teamwork", False),
    ],
)  # fmt: skip
def test_an_action_may_name_a_person_in_place_of_a_thing(said, somebody):
    assert (evidence.vague(said) == "") is somebody
