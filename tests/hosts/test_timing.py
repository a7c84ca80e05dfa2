"""What is said of the hook's cost: noise and a busy machine are no verdict, a slow hook is one."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise
from statistics import NormalDist

import pytest

from tests.hosts import clients, timing
from tests.hosts.timing import Pair


def chance(*what: object) -> float:
    """A number of the normal distribution, the same one for the same question."""
    said = sha256(repr(what).encode()).digest()[:6]
    return NormalDist().inv_cdf((int.from_bytes(said, "big") + 0.5) / 2**48)


def turns(
    *, adds: float, noise: float, pairs: int, seed: int = 0, stretch: float = 1
) -> list[Pair]:
    """Pairs as a machine might give them: the start of a client varies more than its end."""
    found = []
    for number in range(pairs):
        begin = [600 + noise * chance(seed, number, "begin", side) for side in (0, 1)]
        rest = [60 + noise / 4 * chance(seed, number, "rest", side) for side in (0, 1)]
        rest[1] += adds * stretch
        without, hooked = (sum(parts) for parts in zip(begin, rest, strict=True))
        found.append(Pair(without, hooked, rest[0], rest[1], adds, (12 * stretch, 12)))
    return found


@pytest.mark.parametrize(("adds", "pairs"), [(150, 3), (400, 3), (90, 9), (100, 9)])
@pytest.mark.parametrize("seed", range(20))
def test_a_slow_hook_is_over_the_limit(adds, pairs, seed):
    """By what comes after the answer, however much the start of a client varies."""
    said = timing.figures(turns(adds=adds, noise=50, pairs=pairs, seed=seed))
    assert said.over
    assert "NO" in timing.verdict(said)


def tried(*, adds: float, noise: float, seed: int, stretch: float) -> list[bool]:
    """Whether it was over, try by try."""

    def more(pairs: int) -> list[Pair]:
        counted.append(pairs)
        return turns(
            adds=adds, noise=noise, pairs=pairs, seed=seed + 1000 * len(counted), stretch=stretch
        )

    counted: list[int] = []
    first = more(3)
    said = [one.over for one in timing.tries(first, more)]
    assert counted == [3, 9, 9][: len(said)]
    return said


@pytest.mark.parametrize(("noise", "stretch"), [(90, 1), (600, 3)])
def test_noise_alone_is_never_over_it_each_time(noise, stretch):
    said = [tried(adds=25, noise=noise, seed=seed, stretch=stretch) for seed in range(300)]
    assert any(len(one) > 1 for one in said), "the noise is too small to prove anything"
    assert not any(one[-1] for one in said)


def test_a_slow_hook_is_over_it_each_time():
    assert tried(adds=300, noise=50, seed=1, stretch=1) == [True, True, True]


def test_a_busy_machine_is_no_slow_hook_and_hides_none():
    assert not timing.figures(turns(adds=30, noise=5, pairs=9, stretch=3)).over
    assert timing.figures(turns(adds=100, noise=5, pairs=9, stretch=3)).over


def test_the_figures_are_those_of_the_pairs():
    pairs = [
        Pair(500, 530, 50, 90, 20, (10, 10)),
        Pair(700, 750, 50, 80, 30, (14, 10)),
        Pair(600, 640, 50, 70, None, (12, 10)),
    ]
    said = timing.figures(pairs)
    assert (said.without, said.hooked, said.adds, said.median) == (600, 640, 40, 40)
    assert said.error == pytest.approx(10 / 3**0.5)
    assert (said.after, said.hook, said.stretch) == (30, 25, 1.2)


def test_the_model_waits_evenly_over_one_step():
    waits = timing.waits(8)
    assert len({round(after - before, 9) for before, after in pairwise(waits)}) == 1
    assert sum(waits) / len(waits) == pytest.approx(timing.STEP / 2)
    assert max(waits) < timing.STEP


def test_the_page_holds_a_table_of_the_pinned_clients():
    """Another pin asks for another measurement."""
    text = timing.PAGE.read_text("utf-8")
    table = text.partition(timing.FIRST)[2].partition(timing.LAST)[0]
    lines = [line for line in table.splitlines() if line.startswith("| c") and "client" not in line]
    versions = [pin["version"] for pin in clients.PINS["clients"].values()]
    assert [line.split("|")[1].split()[-1] for line in lines] == [
        version for version in versions for _session in timing.SESSIONS
    ]
    adds, after = ([line.split("|")[at].split("±") for line in lines] for at in (5, 7))
    assert all(float(mean) <= timing.LIMIT for mean, _error in adds)
    assert all(float(mean) + 2 * float(error) <= timing.LIMIT for mean, error in after)
    assert timing.renewed(text, f"{table.strip()}\n") == text
