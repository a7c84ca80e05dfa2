"""What is asked, in which order, and what is not: questions are data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopgraph.author import interview, packs
from loopgraph.author.interview import Answers, Question
from loopgraph.model.facts import Facts, Found, FoundGate
from loopgraph.model.spec import Answer, Milestone
from loopgraph.resources import data

TESTS = FoundGate("test", "pytest", "pytest <path>", "seconds", "pyproject.toml", 3)
OTHER = FoundGate("test", "tox", "", "minutes", "tox.ini", 1)
STAGES = tuple(Milestone(f"M-{n}", f"stage {n}", "checks", "surface", "src") for n in (1, 2))


def facts(*gates: FoundGate) -> Facts:
    return Facts(project=Found("orders", ""), gates=gates)


def pack(name: str = "deliver") -> packs.Pack:
    source = (data("presets") / f"{name}.yaml").read_text("utf-8")
    made = packs.parse(source, name=name, where="built-in", origin="built-in", lang="en")
    return replace(made, milestones=())


def given(**said: str) -> dict[str, Answer]:
    return {key: Answer(key, value, "command line") for key, value in said.items()}


def keys(wanted: packs.Pack, found: Facts, said: Answers) -> list[str]:
    return [question.key for question in interview.open_questions(found, wanted, said)]


def test_the_order_is_proof_authority_the_packs_own_milestones_and_gate():
    whole = replace(pack("converge"), proof="", milestones=STAGES)
    assert keys(whole, facts(), given(goal="tidy up")) == [
        "north_star.proof",
        "authority",
        "surface",
    ]
    said = given(goal="tidy up", authority="A", surface="keep")
    assert keys(whole, facts(), said) == ["north_star.proof", "milestones", "gate"]


@pytest.mark.parametrize("name", ["converge", "deliver", "research"])
def test_no_interview_asks_more_than_three(name):
    wanted = replace(pack(name), proof="", milestones=STAGES)
    assert len(keys(wanted, facts(TESTS, OTHER), given(goal="x"))) == interview.LIMIT


@pytest.mark.parametrize(
    ("goal", "proof", "asked"),
    [
        ("make search faster", "", True),
        ("cut p95 of search to 20 ms", "", False),
        ("make search faster", "the pack says it", False),
    ],
)
def test_the_proof_is_asked_only_where_neither_goal_nor_pack_implies_one(goal, proof, asked):
    wanted = replace(pack(), proof=proof)
    assert ("north_star.proof" in keys(wanted, facts(TESTS), given(goal=goal))) is asked


@pytest.mark.parametrize(
    ("gates", "letters"),
    [
        ((TESTS,), None),
        ((TESTS, OTHER), ["pytest", "tox", "observe"]),
        ((), ["observe", ""]),
    ],
)
def test_the_gate_is_asked_where_none_or_several_were_found(gates, letters):
    said = given(goal="x", authority="A", compatibility="additive", rollout="direct")
    found = interview.open_questions(facts(*gates), pack(), said)
    assert [[option.value for option in ask.options] for ask in found] == (
        [letters] if letters else []
    )


def test_milestones_are_asked_only_with_two_different_splits():
    said = given(goal="x", authority="A", compatibility="additive", rollout="direct")
    assert keys(pack(), facts(TESTS), said) == []
    assert keys(replace(pack(), milestones=STAGES[:1]), facts(TESTS), said) == []
    assert keys(replace(pack(), milestones=STAGES), facts(TESTS), said) == ["milestones"]
    staged = replace(pack(), milestones=STAGES)
    assert not interview.open_questions(facts(TESTS), staged, said, split=False)


def test_authority_c_brings_its_drafted_bar_along():
    question = interview.authority({}, "Migrate the orders table", "en")
    step = interview.step(question, "C", "owner")
    said = {answer.key: answer.value for answer in step.answers}
    assert said["authority"] == "C"
    assert said["authority.bar"].startswith("A schema change goes ahead once")
    alone = interview.step(question, "A", "owner").answers
    assert [answer.key for answer in alone] == ["authority"]


class Scripted:
    """An asker that answers from a list; None goes back."""

    origin = "owner"

    def __init__(self, *answers: str | None) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    def __call__(self, question: Question, number: int, /) -> str | None:
        self.asked.append((question.key, number))
        return self.answers.pop(0)


def ask(*names: str):
    def questions(said: Answers) -> tuple[Question, ...]:
        return tuple(Question(name, name, ()) for name in names if name not in said)

    return questions


def test_going_back_forgets_one_answer_and_asks_it_again():
    asker = Scripted("1", "2", None, "3", "4")
    steps = interview.hold(ask("a", "b", "c"), asker)  # type: ignore[arg-type]
    assert asker.asked == [("a", 1), ("b", 2), ("c", 3), ("b", 2), ("c", 3)]
    assert {key: answer.value for key, answer in interview.said(steps).items()} == {
        "a": "1",
        "b": "3",
        "c": "4",
    }


def test_going_back_from_the_first_question_stays_there():
    asker = Scripted(None, None, "1")
    steps = interview.hold(ask("a"), asker)  # type: ignore[arg-type]
    assert asker.asked == [("a", 1)] * 3
    assert interview.said(steps)["a"].source == "owner"


def test_the_limit_holds_however_many_stay_open():
    asker = Scripted("1", "2", "3", "4")
    interview.hold(ask("a", "b", "c", "d"), asker)  # type: ignore[arg-type]
    assert len(asker.asked) == interview.LIMIT
