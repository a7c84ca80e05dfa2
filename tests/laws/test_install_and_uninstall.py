"""What is put into a file of settings comes out again, and no other byte was touched."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from loopgraph.disk import installed
from loopgraph.disk.installed import Target
from loopgraph.edges import hookfile, jsonspans
from loopgraph.hosts import hooks
from loopgraph.model.errors import UnreadableError

COMMAND = "test -x /opt/空 || exit 0; '/opt/空 a$b' -I -m loopgraph hook stop || exit 0"
ENTRY = {"type": "command", "command": COMMAND}
SHAPE = hooks.BY_NAME["claude-code"].shape
OTHER = {"type": "command", "command": "true"}

blanks = st.text(" \t\n\r", max_size=3)
keys = st.sampled_from(["hooks", "Stop", "stop", "AfterAgent", "a", "", "b\\c", '"', "键", "env"])
scalars: Any = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.floats(allow_nan=False, allow_infinity=False)
)


@st.composite
def written(draw, value):
    """A value as JSON, with blanks wherever JSON allows them."""
    gap = lambda: draw(blanks)  # noqa: E731
    if isinstance(value, dict):
        inner = [
            f"{gap()}{json.dumps(key, ensure_ascii=draw(st.booleans()))}{gap()}:"
            f"{gap()}{draw(written(entry))}{gap()}"
            for key, entry in value.items()
        ]
        return "{" + (",".join(inner) or gap()) + "}"
    if isinstance(value, list):
        inner = [f"{gap()}{draw(written(entry))}{gap()}" for entry in value]
        return "[" + (",".join(inner) or gap()) + "]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
groups: Any = st.just({"hooks": [OTHER]}) | st.just({}) | st.just({"hooks": []}) | values


@st.composite
def settings(draw):
    """A file of settings in any manner, with or without hooks of others."""
    said = draw(st.dictionaries(keys, values, max_size=3))
    if draw(st.booleans()):
        stops = st.lists(groups, max_size=3)
        hooks_ = draw(st.dictionaries(keys, values, max_size=2))
        said["hooks"] = {**hooks_, "Stop": draw(stops)} if draw(st.booleans()) else hooks_
    return (
        draw(st.sampled_from(["", jsonspans.BOM]))
        + draw(blanks)
        + draw(written(said))
        + draw(blanks)
    )


def put(text):
    """The change that our entry makes; None where the file is refused."""
    try:
        return hookfile.with_entry(text, ENTRY, SHAPE, "file")
    except (UnreadableError, ValueError):
        return None


def said(text):
    return jsonspans.value(text) if text.strip(f"{jsonspans.BOM} \t\r\n") else {}


@given(settings())
def test_our_entry_is_one_piece_at_the_end_of_the_list_and_nothing_else_changes(text):
    change = put(text)
    if change is None:
        return
    assert change.clean == text
    pieces = change.text.split(change.inserted)
    assert text in {
        change.inserted.join(pieces[:at]) + change.inserted.join(pieces[at:])
        for at in range(1, len(pieces))
    }
    before, after = said(text), said(change.text)
    stops = after["hooks"]["Stop"]
    assert stops.pop() == {"hooks": [ENTRY]}
    if not stops and "Stop" not in before.get("hooks", {}):
        del after["hooks"]["Stop"]
    if not after["hooks"] and "hooks" not in before:
        del after["hooks"]
    assert after == before


@given(settings())
def test_twice_is_once(text):
    change = put(text)
    if change is None:
        return
    again = put(change.text)
    assert again is not None
    assert again.text == change.text


@given(settings())
def test_our_entry_goes_without_a_record_and_leaves_what_others_said(text):
    change = put(text)
    if change is None:
        return
    left = hookfile.without(change.text, SHAPE, "file", made=change.made)
    assert hookfile.mine(left, SHAPE, "file") == ()
    assert said(left) == said(text)


@given(st.binary(max_size=20) | settings().map(str.encode))
def test_install_and_uninstall_give_the_bytes_from_before(tmp_path_factory, data):
    place = tmp_path_factory.mktemp("file") / "settings.json"
    place.write_bytes(data)
    state = place.parent / "state"
    target = Target("claude-code", "user", "", str(place), SHAPE, ENTRY)
    try:
        installed.install(target, state)
    except (UnreadableError, ValueError):
        assert place.read_bytes() == data
        return
    assert place.read_bytes() != data
    assert installed.install(target, state).outcome == "same"
    assert installed.uninstall(target, state).outcome == "restored"
    assert place.read_bytes() == data
    assert [entry.name for entry in (state / "originals").iterdir()] == []


@given(settings(), st.sampled_from([None, 0, 1, 3, "\t"]), st.booleans())
def test_after_any_reformatting_and_addition_only_ours_goes(tmp_path_factory, text, indent, more):
    place = tmp_path_factory.mktemp("file") / "settings.json"
    place.write_bytes(text.encode())
    state = place.parent / "state"
    target = Target("claude-code", "user", "", str(place), SHAPE, ENTRY)
    try:
        installed.install(target, state)
    except (UnreadableError, ValueError):
        return
    there: Any = jsonspans.value(place.read_bytes().decode())
    before = said(text)
    if more:
        there["theirs"] = before["theirs"] = [1]
        there["hooks"]["Stop"].append({"hooks": [OTHER]})
        before.setdefault("hooks", {}).setdefault("Stop", []).append({"hooks": [OTHER]})
    place.write_text(json.dumps(there, indent=indent), encoding="utf-8")
    installed.uninstall(target, state)
    assert jsonspans.value(place.read_bytes().decode()) == before


comments = st.sampled_from(["", " ", "\n", "// a } comment\n", '/* a " one */', "/**/", "//\n"])


@st.composite
def commented(draw, value):
    """A value as JSON with comments wherever blanks are lawful."""
    gap = lambda: draw(comments)  # noqa: E731
    if isinstance(value, dict):
        inner = [
            f"{gap()}{json.dumps(key)}{gap()}:{gap()}{draw(commented(entry))}{gap()}"
            for key, entry in value.items()
        ]
        return "{" + (",".join(inner) or gap()) + "}"
    if isinstance(value, list):
        inner = [f"{gap()}{draw(commented(entry))}{gap()}" for entry in value]
        return "[" + (",".join(inner) or gap()) + "]"
    return json.dumps(value)


LOOSE = hooks.BY_NAME["gemini"].shape


@given(st.data())
def test_where_comments_are_lawful_every_one_of_them_stays(data):
    hooks_ = data.draw(st.none() | st.lists(st.just({"hooks": [OTHER]}) | st.just({}), max_size=2))
    whole = data.draw(st.dictionaries(st.sampled_from(["a", "//", "b"]), values, max_size=2))
    if hooks_ is not None:
        whole["hooks"] = {"AfterAgent": hooks_}
    text = data.draw(comments) + data.draw(commented(whole)) + data.draw(comments)
    change = hookfile.with_entry(text, ENTRY, LOOSE, "file")
    assert len(hookfile.mine(change.text, LOOSE, "file")) == 1
    assert any(
        change.text[:at] + change.text[at + len(change.inserted) :] == text
        for at in range(len(change.text))
    )
    left = hookfile.without(change.text, LOOSE, "file", made=change.made)
    assert hookfile.mine(left, LOOSE, "file") == ()
    assert jsonspans.value(left, comments=True) == jsonspans.value(text, comments=True)
    for mark in ("// a } comment", '/* a " one */'):
        assert left.count(mark) == text.count(mark)
