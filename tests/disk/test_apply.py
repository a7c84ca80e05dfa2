"""A change is carried out whole, and nothing is ever lost."""

import json
import os
from functools import partial
from typing import Any

import pytest

from loopgraph.disk import apply as disk
from loopgraph.disk import floor
from loopgraph.disk.apply import Act, apply
from loopgraph.edges.change import Change, Move
from loopgraph.model.errors import BusyError, RefusedError, UnreadableError, UsageError
from tests.disk.second_tries import moves_nothing, refuses, writes_nothing

ACT = Act("2026-01-02T03:04:05+00:00", "executor", "claude:1", ("round", "record"))
ROUND = "- R1 2026-01-02 | one | changed: a | verify: ok | net +1/-0 | next: two\n"
HEAD = "# x — longgraph Ledger\r\nhand-written\r\n## Rounds log\r\n\r\n"
LEDGER = f"{HEAD}{ROUND}- R2 stays\n<!-- keep -->\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ledger.md").write_text(LEDGER, "utf-8", newline="")
    (tmp_path / "archive").mkdir()
    return tmp_path


def rotate(run, *, text=ROUND):
    live = run.files["ledger.md"]
    return Change(
        live={"ledger.md": live.replace(text, "")},
        moves=(Move("R1", "ledger.md", "rounds", text),),
    )


def text(path):
    return path.read_bytes().decode("utf-8")


def test_an_entry_goes_to_the_archive_word_for_word_and_every_other_byte_stays(folder):
    apply(folder, rotate, ACT)
    assert text(folder / "ledger.md") == LEDGER.replace(ROUND, "")
    assert text(folder / "archive/rounds.md").endswith(f"\n\n{ROUND}")
    assert not (folder / disk.PENDING).exists()


def test_each_command_leaves_one_line_in_the_acts(folder):
    apply(folder, rotate, ACT)
    apply(folder, lambda run: Change(live={"ledger.md": run.files["ledger.md"] + "more\n"}), ACT)
    first, second = (json.loads(line) for line in disk.acts(folder))
    assert (first["node"], first["command"], first["moved"]) == (
        "executor",
        ["round", "record"],
        ["R1"],
    )
    assert second["files"]["ledger.md"] != first["files"]["ledger.md"]


def test_an_act_says_what_its_command_found_there(folder):
    grown = lambda run: Change(live={"ledger.md": run.files["ledger.md"] + "more\n"})  # noqa: E731
    apply(folder, grown, ACT)
    apply(folder, grown, ACT)
    (folder / "ledger.md").write_bytes((folder / "ledger.md").read_bytes() + b"by hand\n")
    apply(folder, grown, ACT)
    first, second, third = (json.loads(line) for line in disk.acts(folder))
    assert second["was"] == first["files"]
    assert third["was"] != second["files"]


def test_what_a_command_refuses_leaves_no_trace(folder):
    def refuse(_):
        raise RefusedError("no")

    with pytest.raises(RefusedError):
        apply(folder, refuse, ACT)
    assert text(folder / "ledger.md") == LEDGER
    assert list(disk.acts(folder)) == []


def test_a_hand_edit_in_between_survives(folder):
    seen: list[object] = []

    def slow(run):
        if not seen:
            edited = text(folder / "ledger.md").replace("hand-written", "edited by hand")
            (folder / "ledger.md").write_text(edited, "utf-8", newline="")
        seen.append(run)
        return rotate(run)

    apply(folder, slow, ACT)
    assert len(seen) == 2
    assert text(folder / "ledger.md") == LEDGER.replace("hand-written", "edited by hand").replace(
        ROUND, ""
    )


def test_a_hand_edit_survives_until_the_last_moment(folder, monkeypatch):
    """The archive has the entry already when somebody saves the live file."""
    replace, seen = floor.replace, []

    def slow(path, *given, **named):
        done = replace(path, *given, **named)
        if not path.endswith("rounds.md"):
            return done
        seen.append(path)
        edited = text(folder / "ledger.md").replace("hand-written", "edited by hand")
        (folder / "ledger.md").write_text(edited, "utf-8", newline="")
        return done

    monkeypatch.setattr(floor, "replace", slow)
    kept = {"evidence": {"gates/a.json": "once"}}
    apply(folder, lambda run: rotate(run)._replace(**kept), ACT)
    assert len(seen) == 2  # the first try took its own back
    assert text(folder / "ledger.md") == LEDGER.replace("hand-written", "edited by hand").replace(
        ROUND, ""
    )
    assert text(folder / "archive/rounds.md").count(ROUND) == 1
    assert [place.name for place in (folder / "evidence/gates").iterdir()] == ["a.json"]
    assert not (folder / disk.PENDING).exists()
    assert not list(folder.rglob("*.draft"))


def in_turn(*commands):
    """A command that decides otherwise at each try."""
    left = iter(commands)

    def decide(run):
        return next(left)(run)

    return decide


def files(folder):
    """Every file of a run but the lock and the log of acts, with its bytes."""
    return {
        place.relative_to(folder).as_posix(): place.read_bytes()
        for place in folder.rglob("*")
        if place.is_file() and place.name not in (disk.LOCK, disk.ACTS)
    }


@pytest.fixture
def edits(folder, monkeypatch):
    """Somebody saves the ledger as soon as the archive has the entry, in each try; how often."""
    replace, seen = floor.replace, []

    def slow(path, *given, **named):
        done = replace(path, *given, **named)
        if path.endswith("rounds.md") and ROUND.encode() in given[0]:
            seen.append(path)
            with (folder / "ledger.md").open("ab") as ledger:
                ledger.write(b"by hand\n")
        return done

    monkeypatch.setattr(floor, "replace", slow)
    return seen


def all_kinds(run):
    """A change that writes in every place where one may."""
    kept = {"evidence": {"gates/a.json": "once"}, "copies": {"plans/one.md": "whole"}}
    return rotate(run)._replace(**kept)


OLD = ("", "# x: archived rounds\n\n- R0 older\n", f"# x: archived rounds\n\n{ROUND}", "no end")


@pytest.mark.parametrize("old", [None, *OLD])
@pytest.mark.parametrize("then", [refuses, moves_nothing, writes_nothing])
def test_a_try_that_ends_without_its_step_leaves_no_trace(folder, edits, then, old):
    """The second try refuses, or moves nothing: the entry is live, and no archive claims it."""
    if old is not None:
        (folder / "archive/rounds.md").write_text(old, "utf-8", newline="")
    before = files(folder)
    try:
        apply(folder, in_turn(all_kinds, then), ACT)
    except RefusedError:
        assert then is refuses
    assert edits
    more = "more\n" if then is moves_nothing else ""
    kept = {**before, "ledger.md": (LEDGER + "by hand\n" * len(edits) + more).encode()}
    assert files(folder) == kept
    assert apply(folder, writes_nothing, ACT).settled == ()
    assert files(folder) == kept


def test_a_ledger_that_is_saved_again_and_again_keeps_its_entries(folder, edits):
    before = files(folder)
    with pytest.raises(BusyError):
        apply(folder, all_kinds, ACT)
    assert len(edits) > 2
    kept = {**before, "ledger.md": (LEDGER + "by hand\n" * len(edits)).encode()}
    assert files(folder) == kept
    assert apply(folder, writes_nothing, ACT).settled == ()
    assert files(folder) == kept


def test_what_somebody_wrote_into_the_archive_meanwhile_stays(folder, monkeypatch):
    replace = floor.replace

    def slow(path, *given, **named):
        done = replace(path, *given, **named)
        if path.endswith("rounds.md") and b"by hand" not in given[0]:
            for place in ("archive/rounds.md", "ledger.md"):
                with (folder / place).open("ab") as edited:
                    edited.write(b"by hand\n")
        return done

    monkeypatch.setattr(floor, "replace", slow)
    with pytest.raises(RefusedError):
        apply(folder, in_turn(rotate, refuses), ACT)
    assert text(folder / "archive/rounds.md") == "by hand\n"
    assert text(folder / "ledger.md") == f"{LEDGER}by hand\n"
    assert not (folder / disk.PENDING).exists()


@pytest.mark.parametrize("name", ["archive/rounds.md", "evidence/gates/a.json", "ledger.md"])
def test_a_disk_that_is_full_leaves_no_trace(folder, monkeypatch, name):
    replace = floor.replace

    def full(path, *given, **named):
        if path.endswith(name):
            raise OSError(28, "No space left on device")
        return replace(path, *given, **named)

    (folder / "archive/gaps.md").write_text("# x: archived gaps\n", "utf-8", newline="")
    before = files(folder)
    moved = Move("GAP-001", "ledger.md", "gaps", "- R2 stays\n")
    both = lambda run: all_kinds(run)._replace(  # noqa: E731
        live={"ledger.md": HEAD}, moves=(moved, *rotate(run).moves)
    )
    with monkeypatch.context() as patched:
        patched.setattr(floor, "replace", full)
        with pytest.raises(UsageError, match="no space left"):
            apply(folder, both, ACT)
    assert files(folder) == before
    assert apply(folder, writes_nothing, ACT).settled == ()
    assert files(folder) == before


def test_a_step_that_was_made_keeps_its_archive_though_it_ends_in_an_error(folder, monkeypatch):
    replace = floor.replace

    def late(path, *given, **named):
        done = replace(path, *given, **named)
        if path.endswith("ledger.md"):
            raise OSError(5, "Input/output error")
        return done

    with monkeypatch.context() as patched:
        patched.setattr(floor, "replace", late)
        with pytest.raises(UsageError, match="input/output"):
            apply(folder, rotate, ACT)
    apply(folder, writes_nothing, ACT)
    assert ROUND not in text(folder / "ledger.md")
    assert text(folder / "archive/rounds.md").count(ROUND) == 1
    assert not (folder / disk.PENDING).exists()


def interrupted(folder, *, live):
    """What a kill between archive and live file leaves."""
    apply(folder, rotate, ACT)
    (folder / "ledger.md").write_text(live, "utf-8", newline="")
    (folder / disk.PENDING).write_text(
        json.dumps([Move("R1", "ledger.md", "rounds", ROUND)._asdict()]), "utf-8"
    )


def test_an_interrupted_move_is_finished_by_the_next_command(folder):
    interrupted(folder, live=LEDGER)
    done = apply(folder, lambda _: Change(), ACT)
    assert done.settled == ("R1 had reached the archive; it is out of ledger.md now",)
    assert text(folder / "ledger.md") == LEDGER.replace(ROUND, "")
    assert not (folder / disk.PENDING).exists()


def test_an_entry_that_differs_is_kept_in_both(folder):
    changed = LEDGER.replace("| one |", "| one, corrected |")
    interrupted(folder, live=changed)
    done = apply(folder, lambda _: Change(), ACT)
    assert "both kept" in done.settled[0]
    assert text(folder / "ledger.md") == changed


def test_an_archive_that_is_full_is_followed_by_the_next(folder, monkeypatch):
    monkeypatch.setattr(disk, "ROLL", 220)
    for number in range(1, 5):
        line = f"- R{number} {'x' * 60}\n"
        live = (folder / "ledger.md").read_text("utf-8") + line
        (folder / "ledger.md").write_text(live, "utf-8")
        apply(folder, partial(rotate, text=line), ACT)
    names = [place.name for _, place in disk.numbered(folder / "archive", "rounds")]
    assert names[:2] == ["rounds.md", "rounds-2.md"]
    whole = "".join(text(folder / "archive" / name) for name in names)
    assert [f"- R{n} " in whole for n in range(1, 5)] == [True] * 4


def test_a_note_that_nobody_can_read_stops_the_command_and_stays(folder):
    (folder / disk.PENDING).write_text("{", "utf-8")
    with pytest.raises(UnreadableError, match="what was being moved"):
        apply(folder, rotate, ACT)
    assert text(folder / "ledger.md") == LEDGER


@pytest.mark.parametrize(
    "said",
    [[5], ["x"], [None], [[]], [True], [{}], {"a": 1}, {}, "", "x", 5, None, [{"text": "x"}]],
)
def test_a_note_of_another_shape_moves_nothing_and_stays(folder, said):
    (folder / disk.PENDING).write_text(json.dumps(said), "utf-8")
    with pytest.raises(UnreadableError, match="what was being moved"):
        apply(folder, rotate, ACT)
    assert text(folder / "ledger.md") == LEDGER
    assert json.loads(text(folder / disk.PENDING)) == said


@pytest.mark.parametrize(
    "said",
    [
        {"file": "../outside.md"},
        {"file": "../outside.md", "text": "", "instead": "planted\n"},
        {"file": "run.yaml"},
        {"archive": "../rounds"},
        {"text": " \n"},
        {"instead": 3},
        {"file": ["ledger.md"]},
        {"text": "- R1 \ud800\n"},
        {"more": "words"},
    ],
)
def test_a_note_that_no_command_of_ours_has_written_moves_nothing(folder, said):
    apply(folder, rotate, ACT)
    outside = folder.parent / "outside.md"
    outside.write_text(ROUND, "utf-8")
    note = Move("R1", "ledger.md", "rounds", ROUND)._asdict()
    (folder / disk.PENDING).write_text(json.dumps([{**note, **said}]), "utf-8")
    with pytest.raises(UnreadableError, match="what was being moved"):
        apply(folder, lambda _: Change(), ACT)
    assert text(outside) == ROUND


@pytest.mark.parametrize("name", ["../../x.md", "a/../../../x.md", "/nowhere/x.md", "\x00.md"])
@pytest.mark.parametrize("part", ["live", "evidence", "copies"])
def test_nothing_is_written_outside_the_run(folder, name, part):
    said: Any = {part: {name: "x"}}
    with pytest.raises(UnreadableError, match=r"leads out|no such file"):
        apply(folder, lambda _: Change(**said), ACT)
    places = [os.path.normpath(f"{base}/{name}") for base in (folder, folder / "evidence")]
    assert not [place for place in places if os.path.lexists(place)]
    assert not list(folder.rglob("x.md"))


NEW = "- R1 2026-01-02 | one and two | changed: a | verify: ok | net +1/-0 | next: two\n"


def rewritten(run):
    """An entry is written anew, and its old words go to the archive."""
    live = run.files["ledger.md"].replace(ROUND, NEW)
    return Change(live={"ledger.md": live}, moves=(Move("R1", "ledger.md", "rounds", ROUND, NEW),))


def test_an_interrupted_rewriting_leaves_the_new_words_in_the_old_place(folder):
    apply(folder, rewritten, ACT)
    note = json.dumps([Move("R1", "ledger.md", "rounds", ROUND, NEW)._asdict()])
    for live in (LEDGER, LEDGER.replace(ROUND, NEW)):
        (folder / "ledger.md").write_text(live, "utf-8", newline="")
        (folder / disk.PENDING).write_text(note, "utf-8")
        done = apply(folder, lambda _: Change(), ACT)
        assert text(folder / "ledger.md") == LEDGER.replace(ROUND, NEW)
        assert not any("both kept" in line for line in done.settled)


def test_a_move_takes_whole_lines_and_no_tail_of_another(folder):
    double = LEDGER.replace(ROUND, f"x {ROUND}{ROUND}")
    interrupted(folder, live=double)
    apply(folder, lambda _: Change(), ACT)
    assert text(folder / "ledger.md") == LEDGER.replace(ROUND, f"x {ROUND}")


def test_drafts_of_a_killed_command_are_taken_away(folder):
    for place in (".ledger.md.draft", "archive/.rounds.md.draft"):
        (folder / place).write_text("half")
    apply(folder, lambda _: Change(), ACT)
    assert list(folder.rglob("*.draft")) == []


def test_an_act_that_cannot_be_noted_is_done_all_the_same(folder):
    (folder / "evidence").mkdir()
    (folder / "evidence/acts.jsonl").mkdir()
    done = apply(folder, rotate, ACT)
    assert "not noted" in done.warning
    assert text(folder / "ledger.md") == LEDGER.replace(ROUND, "")


def kept(_, *, said):
    return Change(evidence={"gates/a.json": said})


def test_two_results_of_one_moment_are_both_kept(folder):
    for said in ("one", "two"):
        apply(folder, partial(kept, said=said), ACT)
    texts = sorted(path.read_text() for path in (folder / "evidence/gates").iterdir())
    assert texts == ["one", "two"]
