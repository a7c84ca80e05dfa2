"""Two hundred histories: each planted breach is found where it was planted, and nothing else is."""

from __future__ import annotations

from random import Random  # noqa: TID251  always with a seed

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopgraph.audit import replay
from loopgraph.disk import git, history
from loopgraph.node import finish, gates
from tests.audit import lives
from tests.audit.exported import export
from tests.audit.plants import PLANTS, Plant

LENGTH = 70
SEEDS = range(1, 3 + settings().max_examples // 1000)
"""The fuzz profile plants each breach into many more lives."""
EXAMPLES = max(settings().max_examples // 10, 1)
"""A tenth of what other laws are tried with: each is a whole life."""


def said(report):
    return [(one.step.label, one.finding.rule) for one in report.breaches]


def planted(plant: Plant, how: str, seed: int):
    """A history with this breach in it, and the place of the commit that has it first."""
    stages = lives.stages(LENGTH, seed)
    random = Random(f"{plant.name} {how} {seed}")
    for _ in range(60):
        place = random.randrange(3, len(stages))
        last = max(place - random.randrange({"each": 1, "several": 4, "squashed": 9}[how]), 0)
        life, before = stages[place].copy(random.randrange(1 << 30)), stages[last].copy(seed)
        if not plant.plant(life, before):
            continue
        frames = [*lives.committed(stages[: last + 1], how, random)[:-1], before.files]
        for _ in range(random.randrange(4) if how != "each" and not plant.fades else 0):
            life.go()
        at = len(frames)
        frames.append(dict(life.files))
        after = []
        for _ in range(random.randrange(9)):
            life.go()
            after.append(dict(life.files))
        return frames + (after if how == "each" else after[-1:]), at
    return None


@pytest.mark.parametrize("how", lives.HOW)
@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_a_planted_breach_is_found_with_its_commit_and_nothing_else_is(plant, how):
    made = [found for seed in SEEDS if (found := planted(plant, how, seed))]
    assert made
    for frames, at in made:
        assert said(replay.replay(*lives.history(frames))) == [(str(at), plant.rule)]


@settings(max_examples=EXAMPLES)
@given(
    st.integers(10, 1 << 20), st.integers(2, 60), st.sampled_from(sorted(lives.HOW)), st.integers()
)
def test_a_lawful_history_is_silent(seed, length, how, commits):
    stages = tuple(lives.stages.__wrapped__(length, seed))
    frames = lives.committed(stages, how, Random(commits))
    assert replay.replay(*lives.history(frames)) == ((), ())


@pytest.mark.parametrize("number", range(8))
def test_the_same_is_found_in_a_real_repository(tmp_path, number):
    plant = PLANTS[number * len(PLANTS) // 8]
    found = planted(plant, ("each", "squashed")[number % 2], SEEDS[0])
    frames, at = found or ([one.files for one in lives.stages(LENGTH, number)], None)
    run, commits = export(frames, tmp_path)
    asked = git.ask(run)
    with history.Blobs(asked) as blobs:
        report = replay.replay(history.read(run, blobs, asked), blobs)
    assert said(report) == ([] if at is None else [(commits[at], plant.rule)])


def judged(*steps):
    """A life whose milestone is accepted and folded, then more steps; a state behind each."""
    life = lives.Life(7)
    for step in (lives.Life.request, lives.Life.accept, lives.Life.fold, *steps):
        assert step(life)
        yield dict(life.files)


def taken_back(life):
    """Somebody opens the gate of a milestone that is passed, by hand."""
    life.edit("ledger.md", "Milestone gate: `passed`", "Milestone gate: `open`")
    return True


def test_behind_an_accept_only_a_redo_opens_the_gate_again():
    first = dict(lives.Life(7).files)
    lawful = [first, *judged(lives.Life.redo, lives.Life.fold, lives.Life.request)]
    assert replay.replay(*lives.history(lawful)) == ((), ())
    assert replay.replay(*lives.history([first, lawful[-1]])) == ((), ())
    unlawful = [first, *judged(taken_back)]
    assert ("4", "LG602") in said(replay.replay(*lives.history(unlawful)))


def test_the_last_accept_closes_a_run_and_breaks_no_law():
    life = lives.Life(7)
    frames = [dict(life.files)]
    for _ in range(3):
        for step in (lives.Life.request, lives.Life.accept, lives.Life.fold, lives.Life.go_on):
            assert step(life)
            frames.append(dict(life.files))
    for row in life.ledger.scoreboard:
        life.do("gate set", gates.change, row.gate, status="closed", evidence="green")
    assert life.request()
    assert life.do("finish exit-ready", finish.exit_ready, why="the proof passed")
    frames.append(dict(life.files))
    assert life.accept()
    assert life.fold()
    frames.append(dict(life.files))
    assert life.ledger.status == "closed"
    assert replay.replay(*lives.history(frames)) == ((), ())
