"""What lies beside a run is told short, whatever somebody has written into it."""

import json

import pytest

from loopgraph.disk import beside


def note(run, found):
    folder = run / "evidence/snapshots"
    folder.mkdir(parents=True)
    (folder / "R1.json").write_text(
        json.dumps({"schema": "loopgraph/snapshot/1", "name": "R1", "found": found}), "utf-8"
    )


def test_what_was_found_of_a_round_is_told_a_line_each(tmp_path):
    note(tmp_path, [{"rule": "claim", "message": "a.py did not change"}, {"rule": "stall"}, 5])
    assert beside.told(tmp_path, [1, 2]) == ("R1 claim: a.py did not change",)


@pytest.mark.parametrize(("count", "more"), [(5, 0), (6, 1), (4000, 3995)])
def test_of_many_findings_the_first_are_told_and_the_others_counted(tmp_path, count, more):
    note(tmp_path, [{"rule": "claim", "message": f"no {n}"} for n in range(count)])
    first = tuple(f"R1 claim: no {n}" for n in range(5))
    rest = (f"R1: {more} more in evidence/snapshots",) if more else ()
    assert beside.told(tmp_path, [1]) == first + rest


@pytest.mark.parametrize(
    ("rule", "message"), [("claim", "x" * 9000), ("y" * 9000, ""), ("claim", "two words\n" * 900)]
)
def test_a_long_finding_is_one_short_line(tmp_path, rule, message):
    note(tmp_path, [{"rule": rule, "message": message}])
    (line,) = beside.told(tmp_path, [1])
    assert len(line) == len("R1 ") + 200
    assert line.endswith("…")
    assert "\n" not in line


def test_a_finding_of_the_full_length_is_told_whole(tmp_path):
    message = "x" * (200 - len("claim: "))
    note(tmp_path, [{"rule": "claim", "message": message}])
    assert beside.told(tmp_path, [1]) == (f"R1 claim: {message}",)
