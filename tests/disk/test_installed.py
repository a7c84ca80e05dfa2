"""A piece of ours in somebody's file: in, out, and every other byte as it was."""

from __future__ import annotations

import json
import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from loopgraph.disk import installed
from loopgraph.disk.installed import Target
from loopgraph.edges import hookfile
from loopgraph.hosts import hooks
from loopgraph.model.errors import LoopgraphError, RefusedError, UnreadableError, UsageError

SAID = hooks.command("/opt/python", windows=False)
CLAUDE, CODEX = hooks.BY_NAME["claude-code"], hooks.BY_NAME["codex"]
GEMINI, CURSOR = hooks.BY_NAME["gemini"], hooks.BY_NAME["cursor"]

BYHAND = '"/old/python" -I -m loopgraph hook stop'
OTHERS = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}'

ODD = {
    "missing": None,
    "empty": b"",
    "blank": b" \r\n\t\r\n",
    "only a BOM": b"\xef\xbb\xbf",
    "an empty object": b"{}",
    "an empty object over lines": b"{\n\n}\n",
    "no final newline": b'{\n  "model": "x"\n}',
    "CRLF": b'{\r\n  "model": "x",\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n',
    "a lone CR": b'{\r "model": "x"\r}\r',
    "a BOM": b'\xef\xbb\xbf{\n  "model": "x"\n}\n',
    "tabs": b'{\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
    "seven blanks": b'{\n       "a": {\n              "b": [1,\n                2]\n       }\n}\n',
    "a mess": b'{ "a" :1 ,\n"hooks"\t:{ "PreToolUse":[ ] ,"x":0}\n  ,"b":[1 ,2 ]}  \n\n',
    "one line": b'{"a":1,"hooks":{"Stop":[],"other":{}}}',
    "hooks of others": OTHERS.encode(),
    "hooks of others over lines": json.dumps(json.loads(OTHERS), indent=4).encode(),
    "a key twice": b'{"hooks": 1, "hooks": {"Stop": []}}',
    "other letters": '{"环境": "值", "é": "\\u00e9\\ud83d\\ude00"}'.encode(),
    "numbers as they are": b'{"a": 1.0, "b": 1e5, "c": -0, "d": 12345678901234567890123}',
    "a group without hooks": b'{"hooks": {"Stop": [{}, {"matcher": "x"}, 3, null]}}',
}


def target(place: Path, client=CLAUDE, said=SAID) -> Target:
    return Target(client.name, "user", "", str(place), client.shape, client.handler(said))


def laid(place: Path, data: bytes | None) -> Path:
    if data is not None:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return place


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def place(tmp_path):
    return tmp_path / "home" / ".client" / "settings.json"


def there(folder: Path) -> dict[str, bytes | str | None]:
    """Everything below a folder: bytes of files, aims of links, None for folders."""
    return {
        path.relative_to(folder).as_posix(): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else None
        for path in sorted(folder.rglob("*"))
    }


# In and out ----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_an_odd_file_is_what_it_was_afterwards(tmp_path, state, place, data):
    home = tmp_path / "home"
    home.mkdir()
    laid(place, data)
    before = there(home)
    assert installed.install(target(place), state).outcome == "added"
    once = there(home)
    text = place.read_bytes().decode("utf-8-sig")
    (mine,) = hookfile.mine(text, CLAUDE.shape, "")
    assert mine.handler == target(place).handler
    assert installed.install(target(place), state).outcome == "same"
    assert there(home) == once
    done = installed.uninstall(target(place), state).outcome
    assert done == ("deleted" if data is None else "restored")
    assert there(home) == before
    assert installed.records(state) == {}


@pytest.mark.parametrize("data", [one for one in ODD.values() if one], ids=[
    name for name, one in ODD.items() if one
])  # fmt: skip
def test_what_goes_in_keeps_the_manner_of_the_file(state, place, data):
    laid(place, data)
    installed.install(target(place), state)
    text = place.read_bytes()
    assert (b"\r\n" in text) == (b"\r\n" in data)
    assert text.count(b"\n") == text.count(b"\r\n") or b"\r\n" not in data
    assert text.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")
    if data.lstrip(b"\xef\xbb\xbf").strip():
        assert text.endswith(data[-1:])


def test_it_is_written_with_the_indentation_that_is_there(state, place):
    laid(place, b'{\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n')
    installed.install(target(place), state)
    lines = place.read_text("utf-8").split("\n")
    assert lines[3] == "\t\t\t{"
    assert lines[4] == '\t\t\t\t"hooks": ['
    assert lines[-4:] == ["\t\t]", "\t}", "}", ""]


def test_a_link_stays_a_link_and_what_it_names_is_written(tmp_path, state, place):
    real = laid(tmp_path / "dotfiles" / "claude.json", b'{"a": 1}')
    place.parent.mkdir(parents=True)
    place.symlink_to(real)
    before = there(tmp_path)
    done = installed.install(target(place), state)
    assert (done.outcome, done.real) == ("added", str(real))
    assert place.is_symlink()
    assert hookfile.mine(real.read_text("utf-8"), CLAUDE.shape, "")
    assert installed.uninstall(target(place), state).outcome == "restored"
    after = {name: said for name, said in there(tmp_path).items() if not name.startswith("state")}
    assert after == before


def test_a_link_to_nothing_yet_and_a_linked_folder(tmp_path, state, place):
    aim = tmp_path / "dotfiles" / "hooks"
    aim.mkdir(parents=True)
    place.parent.parent.mkdir(parents=True)
    place.parent.symlink_to(aim)
    place.symlink_to(aim / "not yet.json")
    before = there(aim)
    assert installed.install(target(place), state).outcome == "added"
    assert (aim / "not yet.json").is_file()
    assert installed.uninstall(target(place), state).outcome == "deleted"
    assert there(aim) == before


def test_links_that_go_round_are_refused(state, place):
    place.parent.mkdir(parents=True)
    place.symlink_to(place)
    with pytest.raises(LoopgraphError):
        installed.install(target(place), state)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o644, 0o755])
def test_the_mode_stays(state, place, mode):
    laid(place, b"{}")
    place.chmod(mode)
    installed.install(target(place), state)
    assert stat.S_IMODE(place.stat().st_mode) == mode
    installed.uninstall(target(place), state)
    assert stat.S_IMODE(place.stat().st_mode) == mode


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_a_read_only_file_is_refused_by_install_and_by_uninstall(state, place, mode, linked):
    real = laid(place.with_name("of the owner.json") if linked else place, b"{}")
    if linked:
        place.symlink_to(real)
    real.chmod(mode)
    for dry in (True, False):
        with pytest.raises(UsageError, match="read-only"):
            installed.install(target(place), state, dry=dry)
    assert (real.read_bytes(), installed.records(state)) == (b"{}", {})
    real.chmod(0o644)
    installed.install(target(place), state)
    within = real.read_bytes()
    real.chmod(mode)
    assert installed.install(target(place), state).outcome == "same"
    for dry in (True, False):
        with pytest.raises(UsageError, match="read-only"):
            installed.uninstall(target(place), state, dry=dry)
    assert real.read_bytes() == within
    real.chmod(0o644)
    assert installed.uninstall(target(place), state).outcome == "restored"
    assert real.read_bytes() == b"{}"


def test_a_file_that_was_made_for_us_and_is_read_only_now_is_not_deleted(state, place):
    installed.install(target(place), state)
    place.chmod(0o444)
    with pytest.raises(UsageError, match="read-only"):
        installed.uninstall(target(place), state)
    place.chmod(0o644)
    assert installed.uninstall(target(place), state).outcome == "deleted"


@pytest.mark.unprivileged
@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root gives files away"
)
def test_a_file_of_somebody_else_is_refused_though_its_folder_is_ours(state, place):
    laid(place, b"{}")
    place.chmod(0o644)
    os.chown(place, 1234, 2345)  # root without its rights is as anybody
    with pytest.raises(UsageError, match="read-only"):
        installed.install(target(place), state)
    assert (place.read_bytes(), place.stat().st_uid) == (b"{}", 1234)


def test_a_hard_link_is_never_parted_from_its_other_name(state, place):
    other = place.parent.parent / "dotfiles.json"
    laid(place, b"{}")
    os.link(place, other)
    for dry in (True, False):
        with pytest.raises(RefusedError, match="hard link"):
            installed.install(target(place), state, dry=dry)
    other.unlink()
    installed.install(target(place), state)
    os.link(place, other)
    for dry in (True, False):
        with pytest.raises(RefusedError, match="hard link"):
            installed.uninstall(target(place), state, dry=dry)
    assert place.samefile(other)
    other.unlink()
    assert installed.uninstall(target(place), state).outcome == "restored"


def test_of_a_file_that_was_made_for_us_one_name_goes_and_the_other_stays(state, place, tmp_path):
    installed.install(target(place), state)
    os.link(place, tmp_path / "kept.json")
    assert installed.uninstall(target(place), state).outcome == "deleted"
    assert b"hook stop" in (tmp_path / "kept.json").read_bytes()


def test_a_skill_that_is_read_only_is_neither_renewed_nor_deleted(state, tmp_path):
    file = tmp_path / "skills" / "SKILL.md"
    installed.install_skill(str(file), b"one", "claude-code x", state)
    file.chmod(0o444)
    with pytest.raises(UsageError, match="read-only"):
        installed.install_skill(str(file), b"two", "claude-code x", state)
    with pytest.raises(UsageError, match="read-only"):
        installed.uninstall_skill(str(file), "claude-code x", state)
    assert file.read_bytes() == b"one"
    file.chmod(0o644)
    assert installed.uninstall_skill(str(file), "claude-code x", state).outcome == "deleted"


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root gives files away"
)
def test_the_owner_stays(state, place):
    laid(place, b"{}")
    os.chown(place, 1234, 2345)
    installed.install(target(place), state)
    assert (place.stat().st_uid, place.stat().st_gid) == (1234, 2345)
    installed.uninstall(target(place), state)
    assert (place.stat().st_uid, place.stat().st_gid) == (1234, 2345)


def test_what_was_kept_of_a_file_is_for_its_user_alone(state, place):
    laid(place, b'{"env": {"KEY": "value"}}')
    installed.install(target(place), state)
    (kept,) = (state / "originals").iterdir()
    assert kept.read_bytes() == b'{"env": {"KEY": "value"}}'
    if sys.platform != "win32":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert stat.S_IMODE((state / installed.RECORD).stat().st_mode) == 0o600


def test_a_dry_run_says_the_same_and_writes_nothing(tmp_path, state, place):
    for data, outcome in ((b"{}", "added"), (None, "added")):
        laid(place, data)
        before = there(tmp_path)
        assert installed.install(target(place), state, dry=True).outcome == outcome
        assert there(tmp_path) == before
        place.unlink(missing_ok=True)
    laid(place, b"{}")
    installed.install(target(place), state)
    before = there(tmp_path)
    assert installed.uninstall(target(place), state, dry=True).outcome == "restored"
    assert there(tmp_path) == before


def test_taking_out_what_is_not_there_leaves_no_trace(tmp_path, state, place):
    laid(place, OTHERS.encode())
    before = there(tmp_path)
    assert installed.uninstall(target(place), state).outcome == "absent"
    assert there(tmp_path) == before


# Edited since --------------------------------------------------------------------------------

EDITS = {
    "a key of theirs": (
        b'{\n  "model": "x"\n}\n',
        lambda text: text.replace('"x"', '"y", "more": [1,2]'),
        b'{\n  "model": "y", "more": [1,2]\n}\n',
    ),
    "a hook of theirs behind ours": (
        b'{"hooks": {"Stop": []}}',
        lambda text: text.replace("]}]}}", ']}, {"hooks": []}]}}'),
        b'{"hooks": {"Stop": [{"hooks": []}]}}',
    ),
    "a hook of theirs before ours": (
        b'{"hooks": {"Stop": []}}',
        lambda text: text.replace('"Stop": [', '"Stop": [{"hooks": []}, '),
        b'{"hooks": {"Stop": [{"hooks": []}]}}',
    ),
    "another event beside ours": (
        b"{}",
        lambda text: text.replace('"Stop"', '"SessionEnd": [1],\n    "Stop"'),
        b'{\n  "hooks": {\n    "SessionEnd": [1]\n  }\n}',
    ),
    "only blanks": (
        b'{"a": 1}',
        lambda text: text + "\n\n",
        b'{"a": 1}\n\n',
    ),
    "their handler in our group": (
        b'{"hooks": {"Stop": []}}',
        lambda text: text.replace("]}]}}", ', {"type": "command", "command": "theirs"}]}]}}'),
        b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}',
    ),
    "our entry taken out by hand": (
        b'{"hooks": {"Stop": []}}',
        lambda _: '{"hooks": {"Stop": [ ]}, "b": 2}',
        b'{"hooks": {"Stop": [ ]}, "b": 2}',
    ),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_after_an_edit_of_theirs_only_our_piece_goes(state, place, edit):
    before, change, after = edit
    laid(place, before)
    installed.install(target(place), state)
    edited = change(place.read_text("utf-8"))
    assert edited != place.read_text("utf-8")
    place.write_text(edited, encoding="utf-8")
    json.loads(edited)
    assert installed.uninstall(target(place), state).outcome in ("taken", "absent")
    assert place.read_bytes() == after
    assert installed.records(state) == {}


def test_a_file_that_was_made_for_us_and_holds_more_now_stays(state, place):
    installed.install(target(place), state)
    said = json.loads(place.read_text("utf-8"))
    place.write_text(json.dumps({**said, "model": "x"}, indent=1), encoding="utf-8")
    assert installed.uninstall(target(place), state).outcome == "taken"
    assert json.loads(place.read_text("utf-8")) == {"model": "x"}


def test_a_file_that_was_made_for_us_and_only_reformatted_goes(state, place):
    for client in (CLAUDE, CURSOR):
        installed.install(target(place, client), state)
        said = json.loads(place.read_text("utf-8"))
        place.write_text(json.dumps(said), encoding="utf-8")
        assert installed.uninstall(target(place, client), state).outcome == "deleted"
        assert not place.parent.exists()


def test_a_folder_that_holds_more_now_stays(state, place):
    installed.install(target(place), state)
    (place.parent / "theirs").write_text("x", encoding="utf-8")
    installed.uninstall(target(place), state)
    assert [entry.name for entry in place.parent.iterdir()] == ["theirs"]


def test_without_our_record_the_entry_is_found_by_what_it_runs(state, place):
    laid(place, b'{"a": 1, "hooks": {"Stop": [{"hooks": []}]}}')
    installed.install(target(place), state)
    (state / installed.RECORD).unlink()
    assert installed.uninstall(target(place), state).outcome == "taken"
    assert place.read_bytes() == b'{"a": 1, "hooks": {"Stop": [{"hooks": []}]}}'


@pytest.mark.parametrize(
    "record",
    ["", "[]", "{", '{"version": 1, "files": {"x": 1}}', '{"files": {"/x": {"after": 1}}}'],
)
def test_a_record_that_says_nothing_never_makes_anybody_lose_a_file(state, place, record):
    laid(place, b'{"a": 1}')
    state.mkdir()
    (state / installed.RECORD).write_text(record, encoding="utf-8")
    try:
        installed.install(target(place), state)
        installed.uninstall(target(place), state)
    except LoopgraphError:
        pass
    assert place.read_bytes() == b'{"a": 1}'


def test_bytes_that_somebody_changed_in_our_keeping_are_not_put_back(state, place):
    laid(place, b'{"a": 1}')
    installed.install(target(place), state)
    (kept,) = (state / "originals").iterdir()
    kept.write_bytes(b"rubbish")
    assert installed.uninstall(target(place), state).outcome == "taken"
    assert place.read_bytes() == b'{"a": 1}'


# Earlier entries of ours ---------------------------------------------------------------------


def by_hand(said: str, indent: int | None = None) -> bytes:
    entry = {"hooks": [{"type": "command", "command": said}]}
    other = {"hooks": [{"type": "command", "command": "theirs"}]}
    return json.dumps({"hooks": {"Stop": [entry, other]}}, indent=indent).encode()


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "said",
    [BYHAND, "loopgraph hook stop", "python3 -m loopgraph hook stop --host codex"],
)
def test_an_earlier_entry_is_replaced_in_its_place(state, place, said, indent):
    laid(place, by_hand(said, indent))
    assert installed.install(target(place), state).outcome == "replaced"
    stops = json.loads(place.read_bytes())["hooks"]["Stop"]
    assert stops[0] == {"hooks": [dict(target(place).handler)]}
    assert len(stops) == 2
    assert installed.uninstall(target(place), state).outcome == "restored"
    left = json.loads(place.read_bytes())["hooks"]["Stop"]
    assert left == [{"hooks": [{"type": "command", "command": "theirs"}]}]


def test_of_several_earlier_entries_one_is_left(state, place):
    ours = {"type": "command", "command": BYHAND}
    theirs = {"type": "command", "command": "theirs"}
    stops = [{"hooks": [ours, ours]}, {"hooks": [ours, theirs, ours]}, {"hooks": [ours]}]
    laid(place, json.dumps({"hooks": {"Stop": stops}}).encode())
    assert installed.install(target(place), state).outcome == "replaced"
    found = json.loads(place.read_bytes())["hooks"]["Stop"]
    assert found == [{"hooks": [dict(target(place).handler)]}, {"hooks": [theirs]}]


def test_an_entry_from_another_python_is_replaced_and_the_way_back_stays(state, place):
    laid(place, b'{ "a":1 }')
    other = target(place, said=hooks.command("/another/python", windows=False))
    installed.install(target(place), state)
    assert installed.install(other, state).outcome == "replaced"
    assert len(hookfile.mine(place.read_text("utf-8"), CLAUDE.shape, "")) == 1
    assert installed.uninstall(other, state).outcome == "restored"
    assert place.read_bytes() == b'{ "a":1 }'


@pytest.mark.parametrize(
    "said",
    [
        "loopgraph",
        "loopgraph check",
        "hook stop",
        "echo hooks stop loopgraph",
        "longgraph hook stop",
    ],
)
def test_what_only_looks_like_ours_is_somebody_elses(state, place, said):
    laid(place, by_hand(said))
    assert installed.install(target(place), state).outcome == "added"
    assert installed.uninstall(target(place), state).outcome == "restored"
    assert place.read_bytes() == by_hand(said)


def test_codex_keeps_the_place_of_every_other_hook(state, place):
    laid(place, OTHERS.encode())
    installed.install(target(place, CODEX), state)
    before, after = json.loads(OTHERS), json.loads(place.read_bytes())
    assert after["hooks"]["Stop"][:1] == before["hooks"]["Stop"]
    assert set(after) == {"hooks"}
    assert after["hooks"]["Stop"][1]["hooks"][0]["timeout"] == 10
    assert after["hooks"]["Stop"][1]["hooks"][0]["statusMessage"] == "loopgraph: checking the plan"


# Refused -------------------------------------------------------------------------------------

BAD = {
    "half": (CLAUDE, b'{"hooks": '),
    "a comment": (CLAUDE, b'{\n  // mine\n  "a": 1\n}'),
    "a trailing comma": (CLAUDE, b'{"a": 1,}'),
    "two values": (CLAUDE, b"{} {}"),
    "NaN": (CLAUDE, b'{"a": NaN}'),
    "a list": (CLAUDE, b"[]"),
    "hooks is a list": (CLAUDE, b'{"hooks": []}'),
    "hooks is null": (CLAUDE, b'{"hooks": null}'),
    "Stop is an object": (CLAUDE, b'{"hooks": {"Stop": {}}}'),
    "not UTF-8": (CLAUDE, b'{"a": "\xff"}'),
    "UTF-16": (CLAUDE, '{"a": 1}'.encode("utf-16")),
    "too deep": (CLAUDE, b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    "a key that Codex refuses": (CODEX, b'{"$schema": "x", "hooks": {}}'),
    "a comment that never ends": (GEMINI, b"{} /* "),
}


@pytest.mark.parametrize(("client", "data"), BAD.values(), ids=BAD)
def test_a_file_that_cannot_be_read_is_refused_and_stays(tmp_path, state, place, client, data):
    laid(place, data)
    for act in (installed.install, installed.uninstall):
        with pytest.raises(UnreadableError) as refused:
            act(target(place, client), state)
        assert str(place) in refused.value.where
    assert place.read_bytes() == data
    assert installed.records(state) == {}


def test_a_folder_a_device_and_a_large_file_are_refused(state, tmp_path):
    large = laid(tmp_path / "large.json", b" " * (5 * 1024 * 1024))
    for one in (tmp_path, large, Path(os.devnull)):
        with pytest.raises(UnreadableError):
            installed.install(target(one), state)


@pytest.mark.unprivileged
@pytest.mark.parametrize("linked", [False, True])
def test_a_folder_that_cannot_be_written_is_told_in_a_line(tmp_path, state, place, linked):
    real = laid(tmp_path / "store" / "file.json" if linked else place, b"{}")
    if linked:
        place.parent.mkdir(parents=True)
        place.symlink_to(real)
    real.parent.chmod(0o500)
    try:
        with pytest.raises(UsageError) as refused:
            installed.install(target(place), state)
    finally:
        real.parent.chmod(0o700)
    assert real.read_bytes() == b"{}"
    assert [entry.name for entry in real.parent.iterdir()] == [real.name]
    assert refused.value.what == "cannot write: permission denied"
    assert refused.value.where == str(real.parent)
    assert installed.install(target(place), state).outcome == "added"
    installed.uninstall(target(place), state)
    assert real.read_bytes() == b"{}"


def test_a_file_where_a_folder_should_be_is_told_in_a_line(tmp_path, state):
    file = laid(tmp_path / "file", b"x")
    for place in (file / "settings.json", file / "below" / "settings.json"):
        with pytest.raises(LoopgraphError) as refused:
            installed.install(target(place), state)
        assert refused.value.what.startswith("cannot write: ")
        assert refused.value.where == str(place.parent)


# Comments, where they are lawful -------------------------------------------------------------

COMMENTED = [
    b'// mine\n{\n  "a": 1, // of a\n  /* b */ "b": 2 // last\n}\n',
    b'{\n  "hooks": {\n    // none yet\n  }\n}',
    b'{"hooks": {"AfterAgent": [ /* here */ ]}}',
    b'{\n  "hooks": {\n    "AfterAgent": [\n      {"hooks": []} // theirs\n// more\n    ]\n  }}',
    b"// nothing but this",
    b"/* nothing but this */\n",
    b'{"a": "http://x/*"}',
]


@pytest.mark.parametrize("data", COMMENTED)
def test_comments_stay_where_the_client_takes_them(state, place, data):
    laid(place, data)
    made = target(place, GEMINI)
    assert installed.install(made, state).outcome == "added"
    text = place.read_text("utf-8")
    assert len(hookfile.mine(text, GEMINI.shape, "")) == 1
    rest = text
    for comment in ("// mine", "// of a", "// last", "// theirs", "// more", "/* here */"):
        assert (comment in rest) == (comment.encode() in data)
    (state / installed.RECORD).unlink()
    assert installed.uninstall(made, state).outcome == "taken"
    left = place.read_text("utf-8")
    assert hookfile.mine(left, GEMINI.shape, "") == ()
    for comment in ("// mine", "// of a", "// last", "// theirs", "// more", "/* here */"):
        assert (comment in left) == (comment.encode() in data)
    place.write_bytes(data)
    installed.install(made, state)
    assert installed.uninstall(made, state).outcome == "restored"
    assert place.read_bytes() == data


# Side by side --------------------------------------------------------------------------------


def test_many_at_once_are_one_entry(state, place):
    laid(place, b"{}")
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: installed.install(target(place), state), range(16)))
    assert sorted(one.outcome for one in done) == ["added"] + ["same"] * 15
    assert len(hookfile.mine(place.read_text("utf-8"), CLAUDE.shape, "")) == 1
    installed.uninstall(target(place), state)
    assert place.read_bytes() == b"{}"


def test_two_files_are_kept_apart(tmp_path, state):
    one, other = laid(tmp_path / "one", b"{}"), laid(tmp_path / "other", b"{}")
    installed.install(target(one), state)
    installed.install(target(other, CODEX), state)
    installed.uninstall(target(one), state)
    assert one.read_bytes() == b"{}"
    assert [Path(name).name for name in installed.records(state)] == ["other"]
    installed.uninstall(target(other, CODEX), state)
    assert other.read_bytes() == b"{}"


def test_what_a_client_writes_in_between_is_kept(state, place, monkeypatch):
    laid(place, b"{}")
    looks = []
    look = installed._look  # noqa: SLF001  the moment between reading and writing

    def interfering(file):
        found = look(file)
        looks.append(file)
        if len(looks) == 1:
            place.write_bytes(b'{"theirs": 1}')
        return found

    monkeypatch.setattr(installed, "_look", interfering)
    installed.install(target(place), state)
    said = json.loads(place.read_bytes())
    assert said["theirs"] == 1
    assert "Stop" in said["hooks"]


# Skills --------------------------------------------------------------------------------------


def test_a_skill_of_two_clients_goes_with_the_last(state, tmp_path):
    file = tmp_path / ".agents/skills/loopgraph/SKILL.md"
    assert installed.install_skill(str(file), b"one", "codex", state).outcome == "added"
    assert installed.install_skill(str(file), b"one", "gemini", state).outcome == "same"
    assert installed.install_skill(str(file), b"one", "gemini", state).outcome == "same"
    assert installed.uninstall_skill(str(file), "codex", state).outcome == "needed"
    assert file.read_bytes() == b"one"
    assert installed.uninstall_skill(str(file), "gemini", state).outcome == "deleted"
    assert not (tmp_path / ".agents").exists()


def test_a_newer_skill_takes_the_place_of_ours_and_never_of_theirs(state, tmp_path):
    file = tmp_path / "loopgraph" / "SKILL.md"
    installed.install_skill(str(file), b"one", "codex", state)
    assert installed.install_skill(str(file), b"two", "codex", state).outcome == "replaced"
    assert file.read_bytes() == b"two"
    file.write_bytes(b"mine now")
    assert installed.install_skill(str(file), b"three", "codex", state).outcome == "kept"
    assert installed.uninstall_skill(str(file), "codex", state).outcome == "kept"
    assert file.read_bytes() == b"mine now"
    assert installed.records(state) == {}


def test_a_skill_that_somebody_else_laid_there_is_left_alone(state, tmp_path):
    file = laid(tmp_path / "loopgraph" / "SKILL.md", b"theirs")
    assert installed.install_skill(str(file), b"ours", "codex", state).outcome == "kept"
    assert installed.uninstall_skill(str(file), "codex", state).outcome == "kept"
    assert file.read_bytes() == b"theirs"
