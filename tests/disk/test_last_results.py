"""The newest result of a gate, among files whose names tell when they were written."""

from __future__ import annotations

import pytest

from loopgraph.disk import evidence, last_results
from loopgraph.node import results
from loopgraph.node.results import Result

NOW = "2026-01-02T03:04:05+00:00"


@pytest.mark.parametrize("count", [1, 2, 3, 11])
def test_of_results_of_one_second_the_one_written_last_counts(tmp_path, count):
    folder = tmp_path / "evidence" / results.FOLDER
    folder.mkdir(parents=True)
    for number in range(1, count + 1):
        more = f"-{number}" if number > 1 else ""
        result = Result("G-1", "executor", NOW, number == count, "", str(number))
        place = folder / f"2026-01-02T03-04-05-00-00-G-1-executor{more}.json"
        place.write_text(results.write(result, {}), "utf-8")
    (newest,) = last_results.newest(tmp_path, ["G-1", "G-2"])
    assert (newest.passed, newest.evidence) == (True, str(count))
    gathered = evidence.results(tmp_path)
    assert results.newest(gathered, "G-1", ("executor",)) == newest
    assert results.last(gathered, "G-1") == newest
