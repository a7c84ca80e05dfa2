"""The newest note of a snapshot is found whatever a killed command left before it."""

from __future__ import annotations

import json

import pytest

from loopgraph.disk import beside, snapshot_notes, snapshots


def note(run, file, **said):
    place = run / "evidence/snapshots" / file
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"name": "R3", **said}), "utf-8")


def found(word):
    return {"found": [{"rule": "LG501", "message": word}]}


@pytest.mark.parametrize("last", [1, 2, 3, 4, 11])
def test_of_several_notes_of_a_round_the_newest_is_told(tmp_path, last):
    for number in range(1, last + 1):
        note(tmp_path, f"R3{f'-{number}' if number > 1 else ''}.json", **found(f"the {number}."))
    assert beside.told(tmp_path, [3]) == (f"R3 LG501: the {last}.",)
    assert snapshots.note(tmp_path, "R3") == {"name": "R3", **found(f"the {last}.")}


def test_a_note_that_is_none_or_is_of_another_snapshot_does_not_hide_the_one_before(tmp_path):
    note(tmp_path, "R3.json", **found("whole"))
    note(tmp_path, "R3-2.json", **found("of another"), name="R4")
    (tmp_path / "evidence/snapshots/R3-3.json").write_bytes(b'{"name": "R3", "found": [\xff')
    assert beside.told(tmp_path, [3, 5]) == ("R3 LG501: whole",)
    assert [one["name"] for one in snapshot_notes.every(tmp_path)] == ["R4", "R3"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": 3}', "[" * 100_000])
def test_what_a_hand_broke_is_no_note(tmp_path, text):
    note(tmp_path, "R3.json")
    (tmp_path / "evidence/snapshots/R3.json").write_text(text, "utf-8")
    assert snapshot_notes.newest(tmp_path, "R3") is None
    assert beside.told(tmp_path, [3]) == ()
