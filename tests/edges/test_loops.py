"""Loop files: what is written is read back, and what was not asked about stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.edges import jsonfile
from loopgraph.edges import loops as edge
from loopgraph.edges.loops import Settings

SEED = """---
iteration: 1
max_iterations: 50
completion_promise: "DONE"
session_id: "omx-7"
started_at: "2026-04-11T01:40:00Z"
auto_chunk: true
max_output_chars: 800
non_interactive: true
reporting: final_only
---
任务：修好所有测试
"""

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1)
SETTINGS = st.builds(
    Settings,
    max_iterations=st.integers(-5, 10**6),
    promise=st.none() | WORDS.filter(str.strip).map(str.strip),
    session=WORDS.map(str.strip),
    started_at=st.just("2026-01-02T03:04:05+00:00"),
    auto_chunk=st.booleans(),
    max_output_chars=st.integers(1, 10**5),
    strict=st.booleans(),
    goal=st.sampled_from(["", "adopt"]),
)


@given(settings=SETTINGS, prompt=TEXTS.filter(str.strip))
def test_what_is_written_is_read_back(settings, prompt):
    loop = edge.read("t", "t.md", edge.write(settings, prompt))
    assert not loop.problem
    # With the file's own last line end a carriage return makes one line end.
    assert loop.prompt == prompt.removesuffix("\r")
    assert loop.iteration == 1
    assert loop.max_iterations == settings.max_iterations
    assert loop.promise == settings.promise
    assert loop.session == settings.session
    assert loop.strict == settings.strict


HEADS = st.lists(
    st.sampled_from(
        [
            "# a comment", "theirs: [1, 2]", "", "  nested: x", "max_iterations: 9", "- item",
            "started_at: '2026-01-01'", "reporting:   final_only   # why", 'x: "---"',
        ]
    ),
    unique=True,
)  # fmt: skip


@given(head=HEADS, body=TEXTS.filter(str.strip), end=st.sampled_from(["\n", "\r\n"]))
def test_binding_keeps_every_other_byte(head, body, end):
    lines = ["---", "iteration: 3", *head, 'session_id: "a"', "---"]
    source = "".join(line + end for line in lines) + body
    bound = edge.with_session(source, "b")
    assert bound == source.replace('session_id: "a"', 'session_id: "b"', 1)
    assert edge.read("", "", bound).session == "b"
    assert edge.with_session(bound, "a") == source


@given(head=HEADS, body=TEXTS.filter(str.strip), end=st.sampled_from(["\n", "\r\n"]))
def test_a_key_that_was_not_there_comes_last_and_alone(head, body, end):
    source = "".join(line + end for line in ["---", "iteration: 3", *head, "---"]) + body
    bound = edge.with_session(source, "b")
    assert bound.replace(f'session_id: "b"{end}', "", 1) == source
    assert edge.read("", "", bound).prompt == edge.read("", "", source).prompt


def test_bytes_that_are_no_text_come_back_as_they_were():
    raw = SEED.encode() + b"\xff\xfe \x80"
    source = raw.decode("utf-8", "surrogateescape")
    bound = edge.with_session(source, "x").encode("utf-8", "surrogateescape")
    assert bound == raw.replace(b"omx-7", b"x")


def test_the_seeds_own_file_is_read_whole():
    loop = edge.read("t", "t.md", SEED)
    assert loop == edge.Loop(
        "t", "t.md", foreign=False, iteration=1, max_iterations=50, promise="DONE",
        session="omx-7", started_at="2026-04-11T01:40:00Z", prompt="任务：修好所有测试",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("source", "state"),
    [
        ("", "broken"),
        ("just text", "broken"),
        ("---\niteration: x\n---\np", "broken"),
        ("---\niteration: 1\n---\n  \n", "broken"),
        ("---\niteration: 1\n", "broken"),
        ("---\niteration:3\n---\np", "unbound"),
        ("---\niteration: 1\nactive: false\nsession_id: a\n---\np", "stopped"),
        ('---\niteration: 1\nsession_id: " "\n---\np', "unbound"),
        (SEED, "bound"),
    ],
)
def test_a_loop_is_broken_stopped_bound_or_unbound(source, state):
    assert edge.read("t", "t.md", source).state == state


@given(source=st.text())
def test_any_text_is_read_without_a_traceback(source):
    edge.read("t", "t.md", source)


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)


@given(value=st.dictionaries(st.text(), VALUES).filter(lambda value: "version" not in value))
def test_json_that_is_written_is_read_back(value):
    assert jsonfile.read(jsonfile.write(value), "x") == value
