"""What an audit costs: it grows with the commits and not faster, and nothing is read twice."""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache

import pytest

from loopgraph.audit import facts, growing, replay
from tests.audit import lives


class Plain(lives.Life):
    """A life in plain words, which are read section by section."""

    def words(self) -> str:
        return f"slice {self.random.randrange(1000)}"


@cache
def rounds(number):
    """A life of so many rounds, a state behind each."""
    life = Plain(1)
    frames = [dict(life.files)]
    while len(frames) <= number:
        if life.round():
            frames.append(dict(life.files))
    return frames


def cleared():
    for name in vars(facts):
        if hasattr(found := getattr(facts, name), "cache_clear"):
            found.cache_clear()


def calls(frames):
    """How many functions an audit calls, those of the interpreter among them."""
    states, source = lives.history(frames)
    count = 0

    def profile(_frame, event, _what):
        nonlocal count
        count += event in ("call", "c_call")

    cleared()
    sys.setprofile(profile)
    try:
        report = replay.replay(states, source)
    finally:
        sys.setprofile(None)
    assert report.breaches == ()
    return count


def test_twice_as_many_commits_cost_twice_as_much():
    few, many = calls(rounds(160)[:81]), calls(rounds(160))
    assert many < 2.3 * few


def test_a_commit_costs_a_few_hundred_calls():
    assert calls(rounds(160)) / 160 < 1500


def test_each_version_is_asked_for_once_but_for_the_archives():
    states, source = lives.history(rounds(160))
    replay.replay(states, source)
    live = {blob for step in states.steps for name, blob in step.files.items() if "/" not in name}
    asked = Counter(blob for blob in source.asked if blob in live)
    first = states.steps[0].files.values()
    assert set(asked) == live
    assert all(number <= (2 if blob in first else 1) for blob, number in asked.items())


def test_each_round_is_read_once():
    cleared()
    replay.replay(*lives.history(rounds(160)))
    lines = {line for frame in rounds(160) for line in frame["ledger.md"].split("\n")}
    assert 0 < facts._round.cache_info().misses <= len(lines)  # noqa: SLF001


@pytest.mark.parametrize("budget", [1, 1 << 16])
def test_of_too_many_versions_some_are_read_and_a_change_is_found_between_them(monkeypatch, budget):
    monkeypatch.setattr(growing, "BUDGET", budget)
    frames = [dict(frame) for frame in rounds(160)]
    name = "archive/rounds.md"
    victim = next(line for line in frames[60][name].split("\n") if line.startswith("- R3 "))
    for frame in frames[100:]:
        frame[name] = frame[name].replace(f"{victim}\n", "")
    states, source = lives.history(frames)
    report = replay.replay(states, source)
    assert [(one.step.label, one.finding.rule) for one in report.breaches] == [("100", "LG608")]
    versions = {step.files[name] for step in states.steps if name in step.files}
    read = {blob for blob in source.asked if blob in versions}
    assert len(read) < len(versions)
    assert any(note.startswith("rounds: of") for note in report.notes)
