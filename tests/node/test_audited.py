"""How far the supervisor has audited, and at which tips of the repositories."""

from __future__ import annotations

import pytest

from loopgraph.model.errors import LoopgraphError
from loopgraph.node import directives, rounds
from loopgraph.node.rounds import Said
from tests.node.desk import NOW, Desk


@pytest.fixture
def desk():
    desk = Desk(name="deliver")
    desk.do(rounds.record, Said("a", ("src/a.py",), "ok", ("evidence/r.txt",), "+1/-0", "b"))
    return desk


def audited(desk, **named):
    desk.do(directives.audited, by="supervisor", **{"through": 1, **named})
    part = desk.files["directives.md"].split("## Supervisor state")[1].split("\n## ")[0]
    return [field for line in part.split("\n") for field in line.split(" | ")]


def refused(desk, **named):
    with pytest.raises(LoopgraphError) as caught:
        desk.do(directives.audited, by="supervisor", **{"through": 1, **named})
    return str(caught.value)


def test_an_audit_is_noted_with_its_moment(desk):
    noted = audited(desk)
    assert f"Last tick: {NOW}" in noted
    assert "Audited through: R1" in noted
    assert desk.last.says == ("Audited through R1.",)


@pytest.mark.parametrize(
    ("tips", "now", "noted"),
    [
        ("main a1b2c3d", None, "main a1b2c3d"), ("main a1", "main b2", "main a1"),
        (None, "main a1b2c3d", "main a1b2c3d"), (None, "m|ai`n a1", "main a1"),
        (None, "Highest-ids a1", "branch a1"),
    ],
)  # fmt: skip
def test_the_tips_are_those_that_somebody_names_else_those_of_git(desk, tips, now, noted):
    assert f"Repo tips: {noted}" in audited(desk, tips=tips, now=now)


@pytest.mark.parametrize("tips", ["", "main | a1", "Highest ids: D-9", "x" * 301])
def test_tips_that_would_say_something_else_in_the_file_are_refused(desk, tips):
    assert "no tips of repositories" in refused(desk, tips=tips)


def test_an_audit_goes_forward_and_no_further_than_the_log(desk):
    assert "--through R2: the log goes to R1" in refused(desk, through=2)
    audited(desk)
    audited(desk)
    assert "R1 is audited already. It only goes forward." in refused(desk, through=0)


@pytest.mark.parametrize(("said", "number"), [("R9", 9), ("9", 9), ("R0", 0)])
def test_a_round_is_read_as_it_is_said(said, number):
    assert directives.number(said) == number


def test_what_is_no_round_is_refused():
    with pytest.raises(LoopgraphError, match=r"--through soon: no round\. Say R9\."):
        directives.number("soon")
