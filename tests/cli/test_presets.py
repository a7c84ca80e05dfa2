"""`loopgraph presets` and `loopgraph schema` as their user meets them."""

from __future__ import annotations

import json

import fastjsonschema
import pytest
import yaml


def test_init_then_check_then_list_then_show(cli, tmp_path):
    done = cli("presets", "init", "tidy-docs", "--workspace", str(tmp_path), cwd=tmp_path)
    file = ".loopgraph/presets/tidy-docs.yaml"
    assert (done.code, done.out) == (
        0, f"{file} written. Edit it, then: loopgraph presets check {file}\n",
    )  # fmt: skip
    checked = cli("presets", "check", file, cwd=tmp_path)
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.startswith(f"{file}: a whole pack, version ")
    listed = cli("presets", "list", cwd=tmp_path)
    assert listed.out.startswith(f"tidy-docs ({file})\n")
    shown = cli("presets", "show", "tidy-docs", cwd=tmp_path)
    assert shown.out.startswith(f"tidy-docs ({file}), version ")


def test_init_overwrites_nothing(cli, tmp_path):
    cli("presets", "init", "tidy", cwd=tmp_path)
    file = tmp_path / ".loopgraph/presets/tidy.yaml"
    file.write_text("mine\n")
    again = cli("presets", "init", "tidy", cwd=tmp_path)
    assert (again.code, again.out) == (1, "")
    assert again.err == (
        "loopgraph: .loopgraph/presets/tidy.yaml: it exists already. Take another name.\n"
    )
    assert file.read_text() == "mine\n"


def test_check_says_no_with_the_key_and_exit_code_one(cli, tmp_path):
    (tmp_path / "tidy.yaml").write_text("slug: tidy\nnodes: []\n")
    done = cli("presets", "check", "tidy.yaml", cwd=tmp_path)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "loopgraph: pack tidy (tidy.yaml): nodes: unknown part. A pack sets text, knobs and "
        "emphasis; it cannot add a node, an edge, a file or a timer\n"
    )


@pytest.mark.parametrize(
    ("text", "said"), [(None, "no such file"), ("a: [", "not valid YAML"), ("\udcff", "not UTF-8")]
)
def test_check_of_what_cannot_be_read_ends_with_two(cli, tmp_path, text, said):
    if text is not None:
        (tmp_path / "tidy.yaml").write_bytes(text.encode("utf-8", "surrogateescape"))
    done = cli("presets", "check", "tidy.yaml", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_pack_that_cannot_be_used_is_listed_with_the_reason(cli, tmp_path):
    folder = tmp_path / ".loopgraph/presets"
    folder.mkdir(parents=True)
    for name, text in {"torn": "slug: torn\n", "converge": "", "My Own": ""}.items():
        (folder / f"{name}.yaml").write_text(text)
    done = cli("presets", "list", "--json", cwd=tmp_path)
    assert done.code == 0
    answer = json.loads(done.out)
    assert answer["schema"] == "loopgraph/presets/1"
    problems = {(entry["name"], entry["origin"]): entry["problem"] for entry in answer["presets"]}
    assert problems[("converge", "workspace")] == "it bears the name of a built-in pack"
    assert "it is missing" in problems[("torn", "workspace")]
    assert problems[("My Own", "workspace")] == "a pack is named like its file"
    for name in ("converge", "deliver", "research"):
        assert problems[(name, "built-in")] == ""


def test_a_users_folder_is_a_shelf(cli, tmp_path):
    shelf = tmp_path / "mine/presets"
    shelf.mkdir(parents=True)
    cli("presets", "init", "tidy", cwd=tmp_path)
    (tmp_path / ".loopgraph/presets/tidy.yaml").rename(shelf / "tidy.yaml")
    done = cli("presets", "show", "tidy", cwd=tmp_path, LOOPGRAPH_CONFIG=str(tmp_path / "mine"))
    assert done.code == 0
    assert "mine/presets/tidy.yaml" in done.out


def test_a_language_that_nobody_speaks_is_refused(cli, tmp_path):
    done = cli("presets", "show", "deliver", "--lang", "fr", cwd=tmp_path)
    assert (done.code, done.err) == (2, "loopgraph: --lang fr: no such language. Known: en, zh\n")


def test_an_unknown_preset_is_answered_with_the_nearest(cli, tmp_path):
    done = cli("presets", "show", "delivr", cwd=tmp_path)
    assert done.code == 2
    assert done.err == "loopgraph: delivr: no such preset. Did you mean deliver?\n"


def test_the_schema_of_a_pack_holds_for_a_new_one(cli, tmp_path):
    schema = json.loads(cli("schema", "pack", cwd=tmp_path).out)
    cli("presets", "init", "tidy", cwd=tmp_path)
    text = (tmp_path / ".loopgraph/presets/tidy.yaml").read_text("utf-8")
    fastjsonschema.compile(schema)(yaml.safe_load(text))


def test_the_schema_of_a_run_holds_for_a_new_one(cli, make):
    path = make("research", "Choose a queue library")
    schema = json.loads(cli("schema", "run", cwd=path).out)
    record = yaml.safe_load((path / "run.yaml").read_text("utf-8"))
    accepts = fastjsonschema.compile(schema)
    accepts(record)
    del record["north_star"]
    with pytest.raises(fastjsonschema.JsonSchemaException):
        accepts(record)


def test_an_unknown_schema_is_answered_with_the_nearest(cli, tmp_path):
    done = cli("schema", "packs", cwd=tmp_path)
    assert (done.code, done.err) == (
        2, "loopgraph: packs: no such schema. Did you mean pack?\n",
    )  # fmt: skip
