"""`loopgraph compile`: the record gives the run back, and a changed word is seen."""

import shutil

import pytest

from tests.cli.test_new import GOAL, HOSTS


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("pack", ["converge", "deliver", "research"])
def test_a_record_compiles_to_the_same_bytes(make, cli, tmp_path, pack):
    run = make(pack, GOAL)
    done = cli("compile", str(run / "run.yaml"), "-o", str(tmp_path / "again"), cwd=tmp_path)
    assert done.code == 0, done.err
    assert files(tmp_path / "again") == files(run)


@pytest.mark.parametrize("host", HOSTS)
def test_a_fresh_run_equals_its_record(make, cli, host):
    run = make("deliver", GOAL, "--host", host)
    assert cli("compile", str(run), "--check", cwd=run).code == 0


def test_a_run_is_found_by_its_name_and_an_unknown_one_is_named(make, cli):
    run = make("deliver", GOAL)
    assert cli("compile", run.name, "--check", cwd=run.parents[1]).code == 0
    lost = cli("compile", "no-such-run", "--check", cwd=run.parents[1])
    assert (lost.code, lost.err.count("\n")) == (2, 1)
    assert "no such run" in lost.err


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("executor.md", "verified", "checked"),
        ("supervisor.md", "Never", "Rarely"),
        ("ops.md", "No credential value", "Any credential value"),
    ],
)
def test_one_changed_word_in_a_frozen_part_is_named_with_its_line(make, cli, file, old, new):
    run = make("deliver", GOAL)
    text = (run / file).read_text(encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    (run / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    compared = cli("compile", str(run), "--check", cwd=run)
    assert compared.code == 1
    assert compared.out.startswith(f"{run / file}:{line}: ")
    checked = cli("check", cwd=run)
    assert checked.code == 1
    assert f"/{file}:" in checked.out


def test_what_a_node_may_change_is_no_difference(make, cli):
    run = make("deliver", GOAL)
    for file, old, new in [
        ("ledger.md", "Round: 0", "Round: 1"),
        ("ops.md", "none known yet", "the tests need a free port"),
    ]:
        text = (run / file).read_text(encoding="utf-8")
        assert old in text
        (run / file).write_text(text.replace(old, new), encoding="utf-8")
    assert cli("compile", str(run), "--check", cwd=run).code == 0


def test_line_ends_that_a_checkout_turned_are_no_difference(make, cli):
    run = make("deliver", GOAL)
    for path in run.glob("*.md"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert cli("compile", str(run), "--check", cwd=run).code == 0


def test_a_folder_that_is_there_is_never_compiled_into(make, cli):
    run = make("deliver", GOAL)
    before = files(run)
    done = cli("compile", str(run / "run.yaml"), "-o", str(run), cwd=run)
    assert done.code == 1
    assert files(run) == before


def test_a_run_of_another_version_is_compared_by_its_digests_and_says_so(make, cli):
    run = make("deliver", GOAL)
    record = (run / "run.yaml").read_text(encoding="utf-8")
    (run / "run.yaml").write_text(
        record.replace("loopgraph: 0.", "loopgraph: 9."), encoding="utf-8"
    )
    same = cli("compile", str(run), "--check", cwd=run)
    assert same.code == 0
    assert "recorded digests are compared" in same.err
    (run / "executor.md").write_text("changed\n", encoding="utf-8")
    assert cli("compile", str(run), "--check", cwd=run).code == 1


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (
            lambda text: text.replace("schema: loopgraph/run/1", "schema: other/9"),
            "its schema is not loopgraph/run/1",
        ),
        (lambda text: text.replace("goal:", "gaol:", 1), "Did you mean goal?"),
        (lambda text: text.replace("lang: en", "lang: xx"), "lang"),
        (lambda text: text + "\n  bad: [", "not valid YAML"),
        (
            lambda text: text.replace("lang: en", "lang: !!python/name:os.system en"),
            "not valid YAML",
        ),
    ],
)
def test_a_record_that_is_none_is_refused_with_what_is_wrong(make, cli, tmp_path, spoil, says):
    run = make("deliver", GOAL)
    file = tmp_path / "run.yaml"
    shutil.copy(run / "run.yaml", file)
    file.write_text(spoil(file.read_text(encoding="utf-8")), encoding="utf-8")
    done = cli("compile", str(file), "-o", str(tmp_path / "out"), cwd=tmp_path)
    assert done.code == 2
    assert says in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "out").exists()
