"""`doctor` on hooks: where they are, whether they are trusted and answer, and what to do."""

from __future__ import annotations

import json
import os
import sys

import pytest

from loopgraph.disk import codex_trust
from tests.cli import test_doctor
from tests.cli.test_doctor import SAYS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fake clients are sh scripts")

bench = test_doctor.bench
CODEX = "test \"$1\" = app-server || { echo 'codex-cli 0.171.0'; exit; }\nread a; read b; read c\n"


def serves(bench, *hooks, before="", answer=None):
    """A Codex whose server lists these hooks."""
    said = answer or json.dumps({"id": 2, "result": {"data": [{"hooks": list(hooks)}]}})
    bench.program("codex", f"{CODEX}{before}\necho '{said}'")


def install(bench, *arguments):
    done = bench.cli("install", *arguments, cwd=bench.root)
    assert done.code == 0, done.err


def file(bench, name):
    return bench.root / name


def test_a_client_without_the_hook_is_told_how_to_get_it(bench):
    found = bench.lines("hooks", 0)
    assert [level for level, _, _ in found] == ["note", "note"]
    assert found[0][1].startswith("Claude Code: no Stop hook")
    assert [fix for _, _, fix in found] == [
        "To register it: loopgraph install claude-code",
        "To register it: loopgraph install codex",
    ]


def test_a_client_that_is_not_here_is_passed_over(bench):
    assert not [says for _, says, _ in bench.lines("hooks", 0) if "Gemini" in says]


def test_a_hook_that_is_well_is_said_to_answer(bench):
    install(bench, "claude-code")
    place = file(bench, ".claude/settings.local.json")
    level, says, _ = bench.lines("hooks", 0)[0]
    assert (level, says) == ("ok", f"Claude Code: the Stop hook is in {place}; it answers")


def test_a_client_nobody_has_held_it_against_is_marked_with_the_date(bench):
    bench.program("gemini", "echo 0.55.1")
    install(bench, "gemini")
    (says,) = [says for _, says, _ in bench.lines("hooks", 0) if "Gemini" in says]
    assert says.endswith("; it answers; unverified 2026-08")


HOOK = {"command": "x loopgraph hook stop", "trustStatus": "trusted"}


@pytest.mark.parametrize(
    ("hooks", "level", "words"),
    [
        ([HOOK], "ok", "it is trusted"),
        ([{**HOOK, "trustStatus": "managed"}], "ok", "it is trusted"),
        ([{**HOOK, "trustStatus": "untrusted"}], "todo", "not trusted yet"),
        ([{**HOOK, "trustStatus": "modified"}], "todo", "changed since it was trusted"),
        ([{**HOOK, "trustStatus": "of a new kind"}], "todo", "not trusted yet"),
        ([{"command": "theirs", "trustStatus": "trusted"}], "todo", "does not trust this project"),
        ([], "todo", "does not trust this project"),
    ],
)
def test_codex_itself_is_asked_whether_it_trusts_the_hook(bench, hooks, level, words):
    serves(bench, *hooks)
    install(bench, "codex")
    found = [line for line in bench.lines("hooks", int(level == "todo")) if "Codex" in line[1]]
    assert found[0][0] == level
    assert words in found[0][1]
    assert found[0][2] or level == "ok"


@pytest.mark.parametrize(
    "server",
    [
        "echo rubbish; exit 1",
        "echo '[]'; echo 3; echo '{\"id\": 2, \"error\": {}}'",
        'echo \'{"id": 2, "result": []}\'',
        'echo \'{"id": 2, "result": {"data": 3}}\' >&2',
        "head -c 3000000 /dev/zero",
    ],
)
def test_a_codex_that_does_not_answer_is_unknown_and_never_waited_for(bench, server):
    for tool in ("head", "cat"):
        bench.program(tool, f'exec /usr/bin/{tool} "$@"')
    bench.program("codex", f"{CODEX}{server}")
    install(bench, "codex")
    found = [line for line in bench.lines("hooks", 0) if "Codex" in line[1]]
    assert found[0][0] == "note"
    assert "could not be asked" in found[0][1]
    assert "/hooks" in found[0][2]


def test_a_plugin_of_codex_is_told_with_where_to_look_for_its_trust(bench):
    trap = bench.root / "asked"
    bench.program("codex", f"test \"$1\" = app-server && : > '{trap}'\n{SAYS['codex']}")
    place = bench.cli.home / ".codex" / "config.toml"
    place.parent.mkdir()
    place.write_text('[plugins."loopgraph@loopgraph"]\n', encoding="utf-8")
    found = [line for line in bench.lines("hooks", 0) if "Codex" in line[1]]
    assert [level for level, _, _ in found] == ["note", "ok"]
    assert "/hooks" in found[0][2]
    assert str(place) in found[1][1]
    assert not trap.exists()


def test_a_codex_that_never_answers_is_ended(bench, monkeypatch):
    monkeypatch.setattr(codex_trust, "PATIENCE", 0.3)
    place = bench.program("codex", "exec /bin/sleep 60")
    assert codex_trust.ask(str(place), str(bench.root), os.environ) == "unknown"


def test_codex_is_asked_only_where_the_hook_is_registered(bench):
    trap = bench.root / "asked"
    bench.program("codex", f"test \"$1\" = app-server && : > '{trap}'\n{SAYS['codex']}")
    bench.lines("hooks", 0)
    assert not trap.exists()


def test_a_python_that_is_gone_is_something_to_do(bench):
    place = file(bench, ".claude/settings.local.json")
    install(bench, "claude-code")
    gone = place.read_text("utf-8").replace(sys.executable, "/no/such/python")
    place.write_text(gone, encoding="utf-8")
    level, says, fix = bench.lines("hooks", 1)[0]
    assert (level, says) == ("todo", "Claude Code: its Python is gone: /no/such/python")
    assert fix == "Register it anew: loopgraph install claude-code"


def test_a_line_that_this_user_has_not_installed_is_never_started(bench):
    trap = bench.root / "ran"
    place = file(bench, ".claude/settings.json")
    place.parent.mkdir()
    evil = f": > '{trap}'; {sys.executable} -I -m loopgraph hook stop"
    said = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": evil}]}]}}
    place.write_text(json.dumps(said), encoding="utf-8")
    found = bench.lines("hooks", 0)
    assert not trap.exists()
    assert found[0][0] == "note"
    assert "was not tried" in found[0][1]


def test_a_hook_in_two_places_is_something_to_do(bench):
    install(bench, "claude-code")
    shared = file(bench, ".claude/settings.json")
    shared.write_text(file(bench, ".claude/settings.local.json").read_text("utf-8"), "utf-8")
    level, says, fix = bench.lines("hooks", 1)[0]
    assert level == "todo"
    assert str(shared) in says
    assert fix == "Take one out: loopgraph uninstall claude-code --project"


def test_a_shim_under_the_hook_is_named_with_what_it_costs(bench, tmp_path):
    shim = bench.program("python", f'exec {sys.executable} "$@"', tmp_path / ".pyenv" / "shims")
    place = file(bench, ".claude/settings.local.json")
    install(bench, "claude-code")
    text = place.read_text("utf-8").replace(sys.executable, str(shim))
    place.write_text(text, encoding="utf-8")
    level, says, fix = bench.lines("hooks", 1)[0]
    assert (level, says) == ("todo", f"Claude Code: it starts a shim of pyenv: {shim}")
    assert "60 to 90 ms" in fix


def test_a_file_that_the_client_drops_is_something_to_do(bench):
    place = file(bench, ".claude/settings.local.json")
    place.parent.mkdir()
    place.write_text("{ // mine\n}", encoding="utf-8")
    level, says, _ = bench.lines("hooks", 1)[0]
    assert (level, says) == ("todo", f"Claude Code cannot read {place}:1: not valid JSON")


def test_a_setting_that_switches_every_hook_off_is_something_to_do(bench):
    install(bench, "claude-code")
    shared = file(bench, ".claude/settings.json")
    shared.write_text('{"disableAllHooks": true}', encoding="utf-8")
    found = bench.lines("hooks", 1)
    assert found[0][:2] == (
        "todo",
        f"Claude Code runs no hook at all: {shared} switches them off",
    )
    assert "ok" not in [level for level, says, _ in found if "Claude" in says]


def test_another_tools_hook_is_told(bench):
    place = bench.cli.home / ".claude" / "settings.json"
    place.parent.mkdir()
    said = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ralph-loop"}]}]}}
    place.write_text(json.dumps(said), encoding="utf-8")
    says = [says for _, says, _ in bench.lines("hooks", 0) if "another tool's hook" in says]
    assert [name for name in (".omx", ".claude/ralph-loop.local.md") for one in says if name in one]
