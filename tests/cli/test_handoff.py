from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopgraph.edges import record
from loopgraph.model.spec import RunSpec
from tests.conftest import Cli, Maker
from tests.hosts_text.samples import RUN, SLUG, run


def write(root: Path, spec: RunSpec) -> Path:
    folder = root / ".longgraph" / spec.slug
    folder.mkdir(parents=True)
    (folder / "run.yaml").write_text(record.write(spec, {}), "utf-8")
    (folder / "ledger.md").write_text("Run status: `active`\n", "utf-8")
    return folder


@pytest.fixture
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("a client") / "claude"
    path.write_text("#!/bin/sh\n", "utf-8")
    path.chmod(0o755)
    return path


def test_it_prints_the_handoff_of_the_only_run(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, run("claude-code", "claude-code"))
    done = cli("handoff", cwd=tmp_path)
    assert done.code == 0, done.err
    assert f"\n/loop 10m Execute the existing runtime node at {RUN}/executor.md." in done.out
    assert f"Workspace: {tmp_path.resolve()}\n" in done.out
    assert done.err == ""


def test_it_stores_nothing(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, run("claude-code", None))
    before = sorted(tmp_path.rglob("*"))
    cli("handoff", SLUG, cwd=tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_the_client_that_was_named_is_printed_with_its_path(
    cli: Cli, tmp_path: Path, client: Path
) -> None:
    write(tmp_path, run("shell", None))
    done = cli("handoff", "--client", str(client), cwd=tmp_path)
    assert f"fire '{client}' -p " in done.out


def test_a_client_found_on_path_is_printed_with_its_path(
    cli: Cli, tmp_path: Path, client: Path
) -> None:
    write(tmp_path, run("shell", None))
    done = cli("handoff", cwd=tmp_path, PATH=str(client.parent))
    assert f"fire '{client}' -p " in done.out
    assert "no client was found" in cli("handoff", cwd=tmp_path, PATH="/nowhere").out


def test_a_client_that_is_not_there_is_refused(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, run("shell", None))
    done = cli("handoff", "--client", "/nowhere/claude", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err == "loopgraph: --client /nowhere/claude: no such executable\n"


def test_another_shell_can_be_asked_for(cli: Cli, tmp_path: Path, client: Path) -> None:
    write(tmp_path, run("shell", None))
    done = cli("handoff", "--shell", "powershell", "--client", str(client), cwd=tmp_path)
    assert "```powershell\n& {\n" in done.out
    assert cli("handoff", "--shell", "fish", cwd=tmp_path).code == 2


def test_automations_are_named_only_when_asked_for(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, run("codex", None))
    assert "an automation" not in cli("handoff", cwd=tmp_path).out
    assert "Or an automation" in cli("handoff", "--with-automation", cwd=tmp_path).out


def test_a_host_that_was_not_compiled_in_is_refused_with_1(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, run("claude-code", None))
    done = cli("handoff", "--host", "codex", cwd=tmp_path)
    assert (done.code, done.out) == (1, "")
    assert "Make a successor run" in done.err
    assert done.err.count("\n") == 1


def test_the_way_to_another_host_is_a_command_that_works(
    cli: Cli, make: Maker, repository: Path
) -> None:
    make("deliver", "Rate limits hold for each client", "--host", "claude-code")
    said = cli("handoff", "--host", "shell", cwd=repository).err
    words = said.strip().rpartition("Make a successor run: loopgraph ")[2].split()
    assert words[:2] == ["new", "--from"]
    done = cli(*words, "--yes", cwd=repository)
    assert done.code == 0, done.err


def test_a_host_is_found_by_a_word_of_its_title_for_a_new_run_too(cli: Cli, tmp_path: Path) -> None:
    done = cli("new", "converge", "--yes", "--host", "cron", cwd=tmp_path)
    assert (done.code, "Did you mean shell?" in done.err) == (2, True)


def test_a_host_that_nobody_knows_is_refused_with_2_and_the_nearest(
    cli: Cli, tmp_path: Path
) -> None:
    write(tmp_path, run("claude-code", None))
    done = cli("handoff", "--host", "gork", cwd=tmp_path)
    assert done.code == 2
    assert "Did you mean grok?" in done.err


def test_json_is_the_same_handoff(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, run("grok", "grok"))
    found = json.loads(cli("handoff", "--json", cwd=tmp_path).out)
    assert found["schema"] == "loopgraph/handoff/1"
    assert found["text"] == cli("handoff", cwd=tmp_path).out
    assert [node["role"] for node in found["nodes"]] == ["executor", "supervisor"]


def test_a_run_in_another_place_than_its_prompts_say_gets_no_line(cli: Cli, tmp_path: Path) -> None:
    folder = write(tmp_path, run("claude-code", None))
    moved = folder.rename(folder.with_name("renamed"))
    done = cli("handoff", str(moved), cwd=tmp_path)
    assert (done.code, done.out) == (1, "")
    assert RUN in done.err


def test_a_run_without_a_record_says_so(cli: Cli, tmp_path: Path) -> None:
    folder = write(tmp_path, run("claude-code", None))
    (folder / "run.yaml").unlink()
    done = cli("handoff", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "run.yaml" in done.err


def test_hosts_list_and_show(cli: Cli, tmp_path: Path) -> None:
    assert cli("hosts", "list", cwd=tmp_path).out.startswith("claude-code ")
    assert cli("hosts", "show", "codex", cwd=tmp_path).out.startswith("Codex\n")
    found = json.loads(cli("hosts", "show", "codex", "--json", cwd=tmp_path).out)
    assert (found["schema"], len(found["hosts"])) == ("loopgraph/hosts/1", 1)
    assert (
        json.loads(cli("hosts", "list", "--json", cwd=tmp_path).out)["hosts"][4]["name"] == "shell"
    )
    wrong = cli("hosts", "show", "cluade-code", cwd=tmp_path)
    assert wrong.code == 2
    assert wrong.err == "loopgraph: cluade-code: no such host. Did you mean claude-code?\n"
