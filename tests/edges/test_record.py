"""run.yaml: what is frozen, what a record says, and what is no record."""

from __future__ import annotations

import pytest

from loopgraph import __version__
from loopgraph.edges import jsonfile, record, run, yamlfile
from loopgraph.model import contract, knobs
from loopgraph.model.errors import UnreadableError
from tests.check import compiled

FILES = dict(compiled.files())
SOURCE = FILES["run.yaml"]


# What is frozen ---------------------------------------------------------------------------------


def test_a_change_of_a_frozen_part_changes_its_digest_and_no_other():
    before = record.frozen_parts(FILES)
    sections = [f"ops.md#{title}" for title in contract.OPS_FROZEN]
    assert list(before) == ["executor.md", "supervisor.md", *sections]
    assert len(set(before.values())) == len(before)
    for name, part in [("executor.md", "executor.md"), ("supervisor.md", "supervisor.md")]:
        after = record.frozen_parts({**FILES, name: f"{FILES[name]}x\n"})
        assert {key for key in before if before[key] != after[key]} == {part}
    for title in contract.OPS_FROZEN:
        head = f"## {title}\n"
        assert head in FILES["ops.md"]
        changed = FILES["ops.md"].replace(head, f"{head}\nmore\n")
        after = record.frozen_parts({**FILES, "ops.md": changed})
        assert {key for key in before if before[key] != after[key]} == {f"ops.md#{title}"}


def test_a_section_that_is_gone_counts_as_empty_and_line_ends_as_nothing():
    before = record.frozen_parts(FILES)
    gone = FILES["ops.md"].replace("## Spend budget\n", "## Money\n")
    after = record.frozen_parts({**FILES, "ops.md": gone})
    assert after["ops.md#Spend budget"] == record.digest("")
    crlf = {name: text.replace("\n", "\r\n") for name, text in FILES.items()}
    assert record.frozen_parts(crlf) == before
    assert record.frozen_parts({}) == {}
    cut = FILES["ops.md"].rstrip("\n")
    assert record.frozen_parts({**FILES, "ops.md": cut}) == before


# What a record says -----------------------------------------------------------------------------


def test_a_record_is_read_back_with_its_version_and_its_digests():
    found = record.read(SOURCE)
    assert found.version == __version__
    assert found.frozen == record.frozen_parts(FILES)
    written = record.write(found.spec, found.frozen)
    assert written == SOURCE
    assert "\ncarried:" not in written
    assert "\nadopted:" not in written


def test_what_a_record_need_not_say():
    lines = SOURCE.split("\n")
    at = lines.index("frozen:")
    bare = [line for line in lines[:at] if not line.startswith("loopgraph:")]
    found = record.read("\n".join(bare) + "\n")
    assert (found.version, found.frozen) == ("", {})
    assert found.spec == record.read(SOURCE).spec


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("schema: loopgraph/run/1", "schema: loopgraph/run/9", "run.yaml",
         "its schema is not loopgraph/run/1"),
        ("schema: loopgraph/run/1", "schema: loopgraph/run/1\nodd: 1", "run.yaml",
         "unknown key 'odd'"),
        ("schema: loopgraph/run/1", "schema: loopgraph/run/1\nfrozn: 1", "run.yaml",
         "unknown key 'frozn'"),
    ],
)  # fmt: skip
def test_what_is_no_record_of_ours_is_refused(old, new, where, what):
    with pytest.raises(UnreadableError) as refused:
        record.read(SOURCE.replace(old, new, 1))
    assert (refused.value.where, refused.value.what) == (where, what)
    if "frozn" in what:
        assert refused.value.fix == "Did you mean frozen?"


@pytest.mark.parametrize("source", ["[]", "3", "", "a: b\n"])
def test_another_file_is_no_record(source):
    with pytest.raises(UnreadableError, match=r"run\.yaml: its schema is not"):
        record.read(source)


def test_a_value_of_another_type_is_named_by_its_path():
    with pytest.raises(UnreadableError) as refused:
        record.convert({"a": [1, "x"]}, dict[str, list[int]], "f.yaml")
    assert refused.value.where == "f.yaml: [...][1]"
    assert refused.value.what.startswith("expected `int`")
    with pytest.raises(UnreadableError) as refused:
        record.convert("x", int, "f.yaml")
    assert refused.value.where == "f.yaml"


def test_a_knob_is_the_records_else_its_default():
    assert record.knob(record.read(SOURCE), "GAP_CAP") == 12
    for knob in knobs.KNOBS:
        assert record.knob(None, knob.name) == knob.default
    assert record.knob(None, "NO_SUCH") is None


def test_a_run_whose_record_is_broken_is_read_all_the_same_with_the_reason():
    found = run.read({**FILES, "run.yaml": "goal: one\ngoal: two\n"}, {"x": "too large"})
    assert found.record is None
    assert found.record_problem.startswith("run.yaml:2: not valid YAML: the key goal stands twice")
    assert found.others == {"x": "too large"}
    assert found.ledger()
    whole = run.read(FILES)
    assert (whole.record_problem, whole.others) == ("", {})
    assert run.read({}).record is None
    assert (run.read({}).ledger(), run.read({}).directives(), run.read({}).ops()) == (None,) * 3


def test_the_published_schema_knows_every_key_and_no_other():
    found = record.schema()
    assert found["$schema"] == record.DIALECT
    spec = found["$defs"]["RunSpec"]
    assert spec["additionalProperties"] is False
    assert list(spec["properties"])[:3] == ["schema", "loopgraph", "contract"]
    assert spec["properties"]["schema"] == {"const": record.SCHEMA}
    assert spec["properties"]["frozen"]["additionalProperties"] == {"type": "string"}
    assert spec["required"][0] == "schema"


# YAML -------------------------------------------------------------------------------------------

MARKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("mark", MARKS)
def test_no_mark_turns_the_order_of_a_written_line(mark):
    written = record.dump_yaml({"a": f"x{mark}y", "b": "z"})
    assert written == f'a: "x\\u{ord(mark):04X}y"\nb: z\n'
    assert record.load_yaml(written, "f") == {"a": f"x{mark}y", "b": "z"}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("one\ntwo\n", "a: |\n  one\n  two\n"), ("one", "a: one\n"),
        (" one\ntwo", "a: |2-\n   one\n  two\n"), ("a\tb\nc", 'a: "a\\tb\\nc"\n'),
        ("中文 😀", "a: 中文 😀\n"), ("x" * 300 + " y", f"a: {'x' * 300} y\n"),
        ([1, [2]], "a:\n- 1\n- - 2\n"),
    ],
)  # fmt: skip
def test_a_text_is_written_as_it_is_read_best_and_comes_back(value, written):
    said = record.dump_yaml({"a": value})
    if not (isinstance(value, str) and value.startswith(" ")):
        assert said == written
    assert record.load_yaml(said, "f") == {"a": value}


def test_what_stands_twice_is_written_twice():
    inner = {"x": 1}
    assert record.dump_yaml({"a": inner, "b": inner}) == "a:\n  x: 1\nb:\n  x: 1\n"


def test_half_a_character_is_refused_with_how_it_begins():
    with pytest.raises(UnreadableError) as refused:
        record.dump_yaml({"a": f"{'x' * 59}\ud800yz"})
    assert refused.value.what == "a text is not valid Unicode"
    assert refused.value.where == f"'{'x' * 59}\\ud800'"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("a: 1\nb:\n  c: 2\n  d: 3\n", {"a": 1, "b": 2, "b.c": 3, "b.d": 4}),
        ("- a\n", {}), ("", {}), ("a: [\n", {}), ("? [x]\n: 1\nb: 2\n", {"b": 3}),
        ("a: {b: {c: 1}}\n", {"a": 1, "a.b": 1}),
    ],
)  # fmt: skip
def test_the_line_of_each_key_is_known(source, lines):
    assert record.key_lines(source) == lines


@pytest.mark.parametrize(
    ("source", "words", "plain"),
    [
        ("a: yes\n", "yes", True), ("a: 0012\n", "0012", 10), ("a: 1e3\n", "1e3", "1e3"),
        ("a: ~\n", None, None), ("a: 1.5\n", "1.5", 1.5), (f"a: {'9' * 100}\n", "9" * 100,
                                                          int("9" * 100)),
    ],
)  # fmt: skip
def test_where_people_write_words_a_word_stays_one(source, words, plain):
    assert yamlfile.load(source, "f", words=True) == {"a": words}
    assert yamlfile.load(source, "f", words=False) == {"a": plain}


def test_a_number_of_more_characters_than_anybody_means_is_refused_with_its_line():
    with pytest.raises(UnreadableError) as refused:
        yamlfile.load(f"a: 1\nb: {'9' * 101}\n", "f", words=False)
    assert refused.value.where == "f:2"
    assert "a number is too long" in refused.value.what


@pytest.mark.parametrize("source", ["a: \x00\n", "a: b\x07\n"])
def test_a_character_that_yaml_has_no_place_for_is_refused(source):
    with pytest.raises(UnreadableError) as refused:
        yamlfile.load(source, "f", words=False)
    assert refused.value.what.startswith("not valid YAML: ")
    assert len(refused.value.what) <= len("not valid YAML: ") + 200


# JSON files -------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [None, "", " \r\n", "\ufeff", "\ufeff \t\n"])
def test_an_absent_or_empty_file_is_an_empty_object(source):
    assert jsonfile.read(source, "f") == {}


@pytest.mark.parametrize(
    ("source", "where", "what"),
    [
        ("{\n,", "f:2", "not valid JSON"), ("\ufeff{\n\n!", "f:3", "not valid JSON"),
        ("[" * 100_000, "f", "not valid JSON"), ("[]", "f", "no JSON object"),
        ('{"version": 2}', "f", "its version is 2, not 1"),
        ('{"version": "1"}', "f", "its version is 1, not 1"),
    ],
)  # fmt: skip
def test_what_is_no_file_of_ours_is_refused_with_its_line(source, where, what):
    with pytest.raises(UnreadableError) as refused:
        jsonfile.read(source, "f")
    assert (refused.value.where, refused.value.what) == (where, what)


def test_a_file_with_a_mark_of_byte_order_is_read():
    assert jsonfile.read('\ufeff{"version": 1, "a": 2}', "f") == {"version": 1, "a": 2}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("中文 😀", "中文 😀"),
        ("a\ud800b", "a\\ud800b"),
        ("\udfff", "\\udfff"),
        ("\ue000", "\ue000"),
    ],
)  # fmt: skip
def test_letters_are_written_as_they_are_and_halves_by_their_number(text, written):
    said = jsonfile.write({"b": text, "a": [1]})
    assert said == f'{{\n  "b": "{written}",\n  "a": [\n    1\n  ]\n}}\n'
    assert jsonfile.read(said, "f") == {"b": text, "a": [1]}


def test_a_part_of_an_object_is_made_where_it_is_absent_and_refused_where_it_is_none():
    found: jsonfile.Object = {"a": {"x": 1}, "b": 3}
    assert jsonfile.section(found, "a", "f") is found["a"]
    made = jsonfile.section(found, "c", "f")
    made["y"] = 2
    assert found["c"] == {"y": 2}
    with pytest.raises(UnreadableError, match="f: `b` is no object"):
        jsonfile.section(found, "b", "f")
    assert [jsonfile.text(found, key) for key in ("b", "z")] == ["", ""]
    assert jsonfile.one_line({"a": ["中"]}) == '{"a": ["中"]}'
