"""A pack is read as data, and what would be more than that is refused."""

from __future__ import annotations

import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import fastjsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from loopgraph import resources
from loopgraph.author import interview, packs
from loopgraph.edges import record
from loopgraph.model.errors import LoopgraphError, UnreadableError, UsageError
from loopgraph.model.knobs import KNOBS
from loopgraph.model.languages import LANGUAGES
from loopgraph.model.spec import PackText

CASES = Path(__file__).parents[1] / "cases/packs"
BASE = (CASES / "base.yaml").read_text("utf-8")
REFUSALS = yaml.safe_load((CASES / "refusals.yaml").read_text("utf-8"))
BUILT_IN = {path.stem: path.read_text("utf-8") for path in resources.data("presets").glob("*.yaml")}


def parse(source, lang="en", name="tidy"):
    return packs.parse(source, name=name, where=f"{name}.yaml", origin="path", lang=lang)


def changed(case):
    """The source of a case: base.yaml with its change, or its own text."""
    if "source" in case:
        return case["source"]
    data = yaml.safe_load(BASE)
    for key, value in case.get("set", {}).items():
        holder, last = reach(data, key)
        holder[last] = value
    if "drop" in case:
        holder, last = reach(data, case["drop"])
        del holder[last]
    return record.dump_yaml(data)


def reach(data, key):
    """The container and the last step of a key such as `interview[1].options`."""
    steps = [int(n) - 1 if n else word for word, n in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key)]
    for step in steps[:-1]:
        data = data[step]
    return data, steps[-1]


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: case["title"])
def test_what_is_no_pack_is_refused_with_pack_key_and_cure(case):
    with pytest.raises(UsageError) as caught:
        parse(changed(case))
    said = str(caught.value)
    assert said.partition("pack tidy (tidy.yaml)")[2].startswith(case["says"])
    assert "\n" not in said


@pytest.mark.parametrize(
    "source",
    [
        "a: [",
        "a: !!python/object/apply:os.system [id]",
        "a: 1\n---\nb: 2\n",
        "[" * 2000,
        "a: \0",
        "? [a, b]\n: c\n",
        "? {a: b}\n: c\n",
        "{a: 1, <<: 2}",
    ],
    ids=[
        *("unclosed", "code", "two documents", "bottomless", "raw NUL"),
        *("list as a key", "mapping as a key", "merge of a number"),
    ],
)
def test_what_is_no_plain_yaml_is_unreadable(source):
    with pytest.raises(UnreadableError, match="not valid YAML"):
        parse(source)


def test_references_that_would_multiply_are_refused_before_they_do():
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    with pytest.raises(UsageError, match="no YAML aliases"):
        parse("\n".join(rows))
    merged = ["a0: &a0 {x: 1}"]
    merged += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 30)]
    with pytest.raises(UsageError, match="no YAML aliases"):
        parse("\n".join(merged))


def test_a_pack_holds_what_its_file_says():
    pack = parse(BASE)
    assert pack.text == PackText(
        name="tidy",
        version=record.digest(BASE)[:12],
        origin="path",
        slug="tidy",
        item="One page.",
        discovery_driven=False,
        metric_driven=False,
        plan=("Smallest first.",),
        guards=("No page without a reader.",),
        audits=("Build one page yourself.",),
        supervisor_required=False,
        emphasis=pack.text.emphasis,
    )
    assert pack.text.emphasis.ops == ("The build is `make docs`.",)
    assert pack.outcome == "Every page builds."
    (question,) = pack.questions
    assert [option.value for option in question.options] == ["narrow", "wide"]
    assert question.options[1].says == "Every page may change."
    assert [(row.id, row.write_set) for row in pack.milestones] == [("M-1", "docs/")]
    assert {name: (found.value, found.source) for name, found in pack.knobs.items()} == {
        "CONVERGE_EVERY": (5, "pack")
    }


@pytest.mark.parametrize(
    ("lang", "proof", "item"),
    [
        ("en", "The build says zero warnings.", "One page."),
        ("zh", "构建没有警告。", "One page."),
    ],
)
def test_a_text_is_in_the_language_of_the_run_or_else_in_english(lang, proof, item):
    pack = parse(BASE.replace("item: One page.", "item: {en: One page.}"), lang)
    assert (pack.proof, pack.text.item) == (proof, item)


def test_a_question_is_called_by_its_label_or_else_by_its_key():
    data = yaml.safe_load(BASE)
    assert parse(yaml.safe_dump(data)).questions[0].label == "reach"
    data["interview"][0]["label"] = {"en": "how far", "zh": "范围"}
    assert parse(yaml.safe_dump(data), "zh").questions[0].label == "范围"


def test_a_text_without_a_language_is_named():
    source = BASE.replace("item: One page.", "item: {en: One page.}")
    source = source.replace("audits: [Build one page yourself.]", "audits: [a, {en: b}]")
    assert packs.untranslated(source, "tidy.yaml") == ("supervisor.audits[2]", "shape.item")


def test_a_knob_of_text_speaks_the_language_of_the_run():
    floor = "knobs: {FIRE_OUTPUT_FLOOR: {en: One page., zh: 一页。}, YIELD_FLOOR: 2}"
    source = BASE.replace("knobs: {CONVERGE_EVERY: 5}", floor)
    source = source.replace("discovery_driven: false", "discovery_driven: true")
    assert parse(source, "zh").knobs["FIRE_OUTPUT_FLOOR"].value == "一页。"
    assert parse(source, "en").knobs["FIRE_OUTPUT_FLOOR"].value == "One page."


@pytest.mark.parametrize(
    "text",
    ["{{ goal }}", "{% for x in y %}", "{# note #}", "a | b", "<!-- c -->", "# title", "<U+0000>"],
)
def test_the_syntax_of_templates_and_markdown_is_plain_text(text):
    data = yaml.safe_load(BASE)
    data["guards"] = [text]
    assert parse(record.dump_yaml(data)).text.guards == (text,)


def test_line_ends_change_neither_the_pack_nor_its_version():
    assert parse(BASE.replace("\n", "\r\n")) == parse(BASE)


def test_another_text_is_another_version():
    assert packs.version(BASE) != packs.version(BASE + "# later\n")


@pytest.mark.parametrize(
    ("key", "file"),
    [
        ("guards", "executor.md"),
        ("supervisor.audits", "supervisor.md"),
        ("emphasis.ledger", "ledger.md"),
        ("emphasis.directives", "directives.md"),
        ("emphasis.ops", "ops.md"),
    ],
)
def test_a_pack_too_heavy_for_a_file_is_refused_with_its_weight(key, file):
    data = yaml.safe_load(BASE)
    holder, last = reach(data, key)
    holder[last] = ["x" * 500] * 7
    with pytest.raises(UsageError, match=rf"adds 3\d\d\d bytes to {file}; at most \d+"):
        parse(record.dump_yaml(data))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_built_in_pack_is_whole_and_light(name, lang):
    pack = parse(BUILT_IN[name], lang, name)
    executor, supervisor = pack.weigh()
    assert executor <= 3200
    assert supervisor <= 1200
    assert pack.text.slug == name
    assert pack.proof
    assert pack.questions
    assert pack.text.plan
    assert pack.text.guards
    assert pack.text.audits


@pytest.mark.parametrize(
    ("name", "knobs", "discovery", "metrics", "milestones"),
    [
        (
            "converge",
            {"CONVERGE_EVERY": 6, "NET_LINE_CAP": 200, "FIRE_ROUND_CAP": 8, "YIELD_FLOOR": 3},
            True,
            False,
            0,
        ),
        ("deliver", {"CONVERGE_EVERY": 5, "NET_LINE_CAP": 400}, False, False, 4),
        ("research", {"FIRE_ROUND_CAP": 6, "CONVERGE_EVERY": 4}, False, True, 4),
    ],
)
def test_a_built_in_pack_has_the_numbers_of_its_kind_of_goal(
    name, knobs, discovery, metrics, milestones
):
    pack = parse(BUILT_IN[name], name=name)
    numbers = {key: one.value for key, one in pack.knobs.items() if key != "FIRE_OUTPUT_FLOOR"}
    assert numbers == knobs
    assert ("FIRE_OUTPUT_FLOOR" in pack.knobs) is discovery
    assert (pack.text.discovery_driven, pack.text.metric_driven) == (discovery, metrics)
    assert len(pack.milestones) == milestones


def test_only_converge_brings_its_own_goal():
    own = {name for name, source in BUILT_IN.items() if parse(source, name=name).outcome}
    assert own == {"converge"}


def test_the_built_in_packs_are_the_three_that_are_promised():
    assert sorted(BUILT_IN) == ["converge", "deliver", "research"]


def test_the_published_schema_accepts_every_pack_of_ours():
    accepts = fastjsonschema.compile(packs.schema())
    skeleton = (resources.data("presets") / "skeleton.txt").read_text("utf-8")
    for source in (*BUILT_IN.values(), skeleton, BASE):
        accepts(yaml.safe_load(source))


BEYOND_SCHEMA = {
    "a line break", "a lone carriage return", "a NUL", "a control of text direction",
    "a line break in a language that is not spoken", "a line separator that only some editors show",
    "an empty text", "an interval that is none", "two options alike",
    "a question that loopgraph asks itself", "a question named like a knob",
    "an alias", "an alias that holds itself", "a key given twice",
}  # fmt: skip
"""What a JSON Schema cannot say; the reader of packs does."""


@pytest.mark.parametrize(
    "case",
    [case for case in REFUSALS if case["title"] not in BEYOND_SCHEMA],
    ids=lambda case: case["title"],
)
def test_the_published_schema_refuses_what_the_reader_refuses(case):
    accepts = fastjsonschema.compile(packs.schema())
    with pytest.raises(fastjsonschema.JsonSchemaException):
        accepts(yaml.safe_load(changed(case)))


def test_the_published_schema_knows_every_knob_with_its_bounds():
    known = packs.schema()["$defs"]["PackFile"]["properties"]["knobs"]["properties"]
    assert list(known) == [knob.name for knob in KNOBS]
    assert (known["CONVERGE_EVERY"]["minimum"], known["CONVERGE_EVERY"]["maximum"]) == (2, 50)


TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["en", "zh", "key", "text"]) | st.text(), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@given(st.text() | st.text("[]{}:,?-&*!<\"'|>% \nab", max_size=40))
def test_any_text_is_a_pack_or_one_line_of_refusal(source):
    with pytest.raises(LoopgraphError):
        parse(source)


@given(st.sampled_from(list(yaml.safe_load(BASE))), TREES)
def test_any_value_of_a_part_is_a_pack_or_a_refusal(part, value):
    data = deepcopy(yaml.safe_load(BASE)) | {part: value}
    try:
        pack = parse(yaml.safe_dump(data, allow_unicode=True))
    except LoopgraphError:
        return
    assert isinstance(pack, packs.Pack)


def test_reading_packs_loads_no_renderer_and_no_validator_of_schemas():
    code = "import sys, loopgraph.author.packs; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=CASES.parents[2],
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"jinja2", "jsonschema", "fastjsonschema", "questionary", "typer"}
    assert "yaml" in loaded


def test_no_question_of_the_interview_itself_can_be_taken_by_a_pack():
    assert {key.name.partition(".")[0] for key in interview.KEYS} <= packs.CORE_KEYS
