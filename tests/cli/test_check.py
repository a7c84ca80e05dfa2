"""`loopgraph check` as a process: what it prints, and the exit code it ends with."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.check.compiled import files
from tests.conftest import PROJECT

SLUG = "2026-01-02-deliver-every-order-can-be-exported"
RUN = f".longgraph/{SLUG}"
STRAY = (
    f"{RUN}/notes.md:1:1 LG103 (warning) notes.md belongs to no node and no edge\n"
    "    Move what matters to the ledger, ops.md or evidence/, and delete the file.\n"
)
PASTE = (
    f"{RUN}/handoff.md:1:1 LG102 the handoff is stored in the run\n"
    "    Delete it; `loopgraph handoff` prints it whenever it is needed.\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with one clean run."""
    run = tmp_path / "shop" / RUN
    (run / "archive").mkdir(parents=True)
    (run / "evidence").mkdir()
    for name, text in files().items():
        (run / name).write_text(text, encoding="utf-8", newline="\n")
    return tmp_path / "shop"


def stray(root: Path) -> None:
    (root / RUN / "notes.md").write_text("x\n", encoding="utf-8")


def paste(root: Path) -> None:
    (root / RUN / "handoff.md").write_text("x\n", encoding="utf-8")


def test_a_clean_workspace_is_silent(cli, root):
    assert cli("check", cwd=root) == (0, "", "")


def test_a_warning_is_told_and_fails_only_where_asked(cli, root):
    stray(root)
    assert cli("check", cwd=root) == (0, STRAY, "")
    assert cli("check", "--strict", cwd=root) == (1, STRAY, "")


def test_an_error_ends_with_one(cli, root):
    paste(root)
    stray(root)
    assert cli("check", cwd=root) == (1, PASTE + STRAY, "")


@pytest.mark.parametrize("name", [RUN, SLUG, "deliver-every-order-can-be-exported"])
def test_a_run_is_named_by_folder_or_by_name(cli, root, name):
    paste(root)
    assert cli("check", name, cwd=root) == (1, PASTE, "")


def test_paths_are_seen_from_the_current_folder_and_absolute_where_given_so(cli, root):
    paste(root)
    below = root / "src" / "deep"
    below.mkdir(parents=True)
    assert cli("check", cwd=below).out == PASTE.replace(".longgraph", "../../.longgraph", 1)
    absolute = str(root / RUN)
    assert cli("check", absolute, cwd=root).out == PASTE.replace(RUN, absolute, 1)


def test_every_run_is_checked_and_only_the_named_ones_where_named(cli, root):
    paste(root)
    shutil.copytree(root / RUN, root / ".longgraph" / "2026-01-03-other")
    done = cli("check", cwd=root)
    assert done.code == 1
    assert done.out.count(" LG102 ") == 2
    assert cli("check", SLUG, cwd=root).out == PASTE


def test_rules_are_chosen_on_the_command_line(cli, root):
    paste(root)
    stray(root)
    assert cli("check", "--ignore", "LG102", cwd=root) == (0, STRAY, "")
    assert cli("check", "--select", "LG102,LG2", cwd=root) == (1, PASTE, "")
    assert cli("check", "--select", "LG102", "--select", "LG103", cwd=root).out == PASTE + STRAY


def test_rules_are_chosen_in_the_workspace_and_the_command_line_wins(cli, root):
    paste(root)
    stray(root)
    (root / "pyproject.toml").write_text('[tool.loopgraph]\nignore = ["LG102"]\n')
    assert cli("check", cwd=root) == (0, STRAY, "")
    assert cli("check", "--ignore", "LG103", cwd=root) == (1, PASTE, "")
    (root / ".loopgraph.toml").write_text('select = ["LG5"]\n')
    assert cli("check", cwd=root) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "xml"], "xml: no such format. Known: github, json, sarif, text"),
        (["--format", "jsn"], "jsn: no such format. Did you mean json?"),
        (["--select", "LG9"], "select LG9: no such rule. Did you mean LG"),
        (["--explain", "LG1"], "LG1: no such rule. Did you mean LG"),
        (["nowhere"], "nowhere: no such run."),
        (["--mend"], "no such option: --mend"),
        (["."], ": no file of a run is here"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line_and_ends_with_two(cli, root, arguments, said):
    done = cli("check", *arguments, cwd=root)
    assert (done.code, done.out) == (2, "")
    assert said.casefold() in done.err.casefold()
    assert done.err.startswith("loopgraph: ")
    assert done.err.count("\n") == 1


def test_a_wrong_setting_of_the_workspace_ends_with_two(cli, root):
    (root / ".loopgraph.toml").write_text('ignores = ["LG103"]\n')
    assert cli("check", cwd=root) == (
        2,
        "",
        "loopgraph: .loopgraph.toml: unknown key 'ignores'. Did you mean ignore?\n",
    )


def test_without_any_run_there_is_nothing_to_check(cli, tmp_path):
    done = cli("check", cwd=tmp_path)
    assert done.code == 2
    assert "no run here" in done.err


def test_the_formats_for_machines(cli, root):
    paste(root)
    done = cli("check", "--format", "json", cwd=root)
    (finding,) = json.loads(done.out)["findings"]
    assert (done.code, finding["rule"], finding["file"]) == (1, "LG102", f"{RUN}/handoff.md")
    done = cli("check", "--format", "sarif", cwd=root)
    (result,) = json.loads(done.out)["runs"][0]["results"]
    assert (done.code, result["ruleId"]) == (1, "LG102")
    done = cli("check", "--format", "github", cwd=root)
    assert done.out.startswith(f"::error file={RUN}/handoff.md,line=1,col=1,title=LG102::")


def test_a_clean_run_is_a_whole_document_where_machines_read(cli, root):
    assert json.loads(cli("check", "--format", "json", cwd=root).out)["findings"] == []
    assert json.loads(cli("check", "--format", "sarif", cwd=root).out)["runs"][0]["results"] == []


def test_explain_needs_no_run(cli, tmp_path):
    done = cli("check", "--explain", "lg102", cwd=tmp_path)
    assert done.code == 0
    assert done.out.startswith("LG102 stored-handoff (error)\n")


def test_files_that_are_no_text_are_told_not_followed(cli, root):
    run = root / RUN
    (run / "ledger.md").write_bytes(b"caf\xe9\n")
    (run / "ops.md").unlink()
    (run / "ops.md").symlink_to("/etc/hostname")
    done = cli("check", cwd=root)
    assert done.code == 1
    assert [line for line in done.out.splitlines() if not line.startswith(" ")] == [
        f"{RUN}/ledger.md:1:1 LG109 ledger.md can't be read: not UTF-8 at byte 3",
        f"{RUN}/ops.md:1:1 LG109 ops.md can't be read: a symbolic link is not followed here",
    ]


def test_a_terminal_cannot_be_steered_by_a_file_name(cli, root):
    (root / RUN / "a\x1b[31mred.md").write_text("x\n", encoding="utf-8")
    done = cli("check", cwd=root)
    assert "\x1b" not in done.out
    assert "a<U+001B>[31mred.md" in done.out


def test_the_hook_for_other_repositories_and_the_documented_one_call_this_command(cli, root):
    (offered,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    page = (PROJECT / "docs" / "rules.md").read_text(encoding="utf-8")
    snippet, ci = (part.partition("```")[0] for part in page.split("```yaml\n")[1:3])
    ((local,),) = (repo["hooks"] for repo in yaml.safe_load(snippet)["repos"])
    for key in ("id", "name", "entry", "files", "pass_filenames"):
        assert local[key] == offered[key]
    paste(root)
    for command in (local["entry"], yaml.safe_load(ci)[0]["run"]):
        program, *arguments = command.split()
        assert program == "loopgraph"
        assert cli(*arguments, cwd=root).code == 1
    assert re.search(local["files"], f"{RUN}/ledger.md")
    assert not re.search(local["files"], "docs/longgraph/ledger.md")


def test_checking_changes_no_byte(cli, root):
    paste(root)
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    cli("check", cwd=root)
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before
