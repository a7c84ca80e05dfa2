"""Whatever an owner types, the files keep their structure and give the words back."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cache

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from loopgraph.author import compiler, packs, resolve
from loopgraph.check.run_rules import findings
from loopgraph.edges import document, record, run
from loopgraph.model.errors import RefusedError
from loopgraph.model.facts import Facts, Found
from loopgraph.model.spec import Answer, Gate, Milestone, RunSpec
from loopgraph.resources import data
from tests.conftest import NOW

NASTY = st.sampled_from(
    [
        *(
            "{{",
            "}}",
            "{%",
            "%}",
            "{#",
            "#}",
            "`",
            "```",
            "~~~",
            "|",
            "\\",
            "<!--",
            "-->",
            "\n",
            "\r\n",
        ),
        *(
            "# ",
            "## Gates\n",
            "- [ ] ",
            "| a | b |\n",
            "---\n",
            "> ",
            "1. ",
            "* ",
            "\t",
            " ",
            "<U+",
            "<U+0041>",
        ),
        *(
            "\x00",
            "\x1b[0m",
            "\x85",
            "\u2028",
            "\u202e",
            "\ufeff",
            "界",
            "🚀",
            "é",
            "\\|",
            "||",
            "    code",
        ),
    ]
)
TEXT = st.lists(st.one_of(NASTY, st.text(max_size=8)), min_size=1, max_size=14).map("".join)


def spec(goal: str = "plain") -> RunSpec:
    source = (data("presets") / "deliver.yaml").read_text("utf-8")
    pack = packs.parse(source, name="deliver", where="deliver", origin="built-in", lang="en")
    return resolve.resolve(
        resolve.Wish(
            facts=Facts(project=Found("shop", "pyproject.toml", 2)),
            pack=pack,
            answers={"goal": Answer("goal", goal, "owner")},
            milestones=(),
            created=datetime.fromisoformat(NOW),
            host=None,
        )
    )


PLAIN = spec()


def told(text: str) -> RunSpec:
    """A run whose every owner text is this one; its name stays, since that is another law."""
    return replace(
        spec(text),
        slug=PLAIN.slug,
        project=text.strip() or "x",
        scopes=(text,),
        authority=replace(PLAIN.authority, choice="C", bar=text),
        milestones=tuple(Milestone(f"M-{n}", text, text, text, text) for n in (1, 2)),
        gates=(Gate("G-1", text, text, "", text, "seconds", "", batched=False, source=text),),
        budget=text,
    )


def written(text: str) -> dict[str, str]:
    """Its files; what fits no file is refused in a line, and that is another law."""
    try:
        return compiler.compile_run(told(text))
    except RefusedError as refused:
        if "would have" not in refused.what:
            raise
        reject()


def shape(files: dict[str, str]) -> dict[str, object]:
    """What a reader sees of a file's structure: headings but the title, rows by table, kinds."""
    seen: dict[str, object] = {}
    for name, text in files.items():
        if name.endswith(".md"):
            read = document.parse(text)
            seen[name] = (
                [section.title for section in read.sections if section.level > 1],
                [len(section_rows) for section_rows in map(read.table, read.sections)],
                [[len(row.cells) for row in read.table(s)] for s in read.sections if s.level == 2],
            )
    return seen


@cache
def plain_shapes() -> tuple[dict[str, object], dict[str, object]]:
    """Of a text that its prompt carries whole, and of the first one that ops.md has to carry."""
    short = shape(compiler.compile_run(told("plain words")))
    for size in range(150, 1200, 6):
        long = shape(compiler.compile_run(told("x" * size)))
        if long != short:
            return short, long
    raise AssertionError


def test_a_text_that_no_prompt_can_carry_stands_in_ops():
    short, long = plain_shapes()
    assert [name for name in short if short[name] != long[name]] == ["ops.md"]


LONG = "---\n| a | b |\n" + "\U000acab9ýdÎñ\x85\x00Éñ´\x1f⸆Â{{\x83·\\A" * 6 + "- [ ] {{## Gates\nV"


@settings(max_examples=60)
@example(LONG)
@given(TEXT.filter(str.strip))
def test_no_text_changes_the_structure_of_any_file(text):
    assert shape(written(text)) in plain_shapes()


@settings(max_examples=60)
@given(TEXT.filter(str.strip))
def test_the_record_gives_every_text_back(text):
    assert record.read(written(text)["run.yaml"]).spec == told(text)


@settings(max_examples=60)
@given(TEXT.filter(str.strip))
def test_check_finds_nothing_in_a_fresh_run_of_any_goal(text):
    try:
        files = compiler.compile_run(spec(text))
    except RefusedError:
        return
    assert findings(run.read(files)) == ()


@given(TEXT.filter(str.strip))
def test_the_same_spec_gives_the_same_bytes(text):
    assert written(text) == written(text)


@pytest.mark.parametrize(
    "name", ["executor.md", "ledger.md", "directives.md", "ops.md", "supervisor.md"]
)
def test_no_file_holds_a_control_character(name):
    files = compiler.compile_run(told("a\x00b\x1bc\x85d\u202ee"))
    assert all(char.isprintable() or char == "\n" for char in files[name])
