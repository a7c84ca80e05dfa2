"""`install` and `uninstall`: the hook and the skill, in and out again, told in a few lines."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor

import fastjsonschema
import pytest

from loopgraph import resources
from loopgraph.hosts import hooks
from loopgraph.views.schemas import SCHEMAS
from tests.cli.test_dry_run import everything
from tests.conftest import PROJECT, committed, git

CLIENTS = sorted(hooks.BY_NAME)


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "it's a $HOME 仓库"
    (folder / ".git").mkdir(parents=True)
    return folder


def ask(cli, work, *arguments, code=0, **extra):
    done = cli(*arguments, "--json", cwd=work, **extra)
    assert done.code == code, (done.out, done.err)
    answer = json.loads(done.out)
    if code == 0:
        fastjsonschema.compile(SCHEMAS["install"]())(answer)
    return answer


def outcomes(answer):
    return [one["outcome"] for one in answer["files"]]


@pytest.mark.parametrize("scope", ["--project", "--user"])
@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_installed_is_uninstalled_to_the_last_folder(cli, work, client, scope):
    def around():
        return everything(work), [
            path for path in sorted(cli.home.rglob("*")) if ".local" not in path.parts
        ]

    before = around()
    assert outcomes(ask(cli, work, "install", client, scope)) == ["added", "added"]
    assert around() != before
    assert outcomes(ask(cli, work, "install", client, scope)) == ["same", "same"]
    assert outcomes(ask(cli, work, "uninstall", client, scope)) == ["deleted", "deleted"]
    assert around() == before


@pytest.mark.parametrize("client", CLIENTS)
def test_a_dry_run_says_what_a_real_one_does_and_writes_nothing(cli, work, client):
    before = everything(work, cli.home)
    dry = ask(cli, work, "install", client, "--dry-run")
    assert everything(work, cli.home) == before
    assert dry["dry"] is True
    real = ask(cli, work, "install", client)
    assert {**dry, "dry": False} == real
    before = everything(work, cli.home)
    assert outcomes(ask(cli, work, "uninstall", client, "--dry-run")) == ["deleted", "deleted"]
    assert everything(work, cli.home) == before


@pytest.mark.skipif(os.name == "nt", reason="the form for a POSIX shell")
def test_what_the_client_runs_sends_a_bound_session_back(cli, work):
    cli("loop", "init", "job", "--prompt", "Go on.", "--session", "s-1", cwd=work)
    command = ask(cli, work, "install", "claude-code")["command"]
    said = json.loads((work / ".claude/settings.local.json").read_text("utf-8"))
    assert said["hooks"]["Stop"] == [
        {"hooks": [{"type": "command", "command": command, "timeout": 10}]}
    ]
    payload = {"hook_event_name": "Stop", "session_id": "s-1", "cwd": str(work)}
    payload["last_assistant_message"] = "Not yet."
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=json.dumps(payload), env=cli.environ({}), cwd=work,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert json.loads(done.stdout)["decision"] == "block"


@pytest.mark.parametrize(
    "who",
    [{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1"}, {"LOOPGRAPH_NODE": "executor"}],
)
@pytest.mark.parametrize(
    "call", [("install", "codex"), ("uninstall", "codex"), ("install", "--as-plugin", "x")]
)
def test_what_a_client_runs_is_the_owners_to_decide(cli, work, call, who):
    ask(cli, work, "install", "codex")
    before = everything(work, cli.home)
    done = cli(*call, cwd=work, **who)
    assert done.code == 1
    assert "owner" in done.err
    assert everything(work, cli.home) == before
    ask(cli, work, *call, "--dry-run", **who)


def test_broken_bindings_do_not_keep_a_hook_in(cli, work):
    ask(cli, work, "install", "codex")
    (work / ".longgraph").mkdir()
    (work / ".longgraph" / ".bindings.json").write_text("{", encoding="utf-8")
    assert outcomes(ask(cli, work, "uninstall", "codex"))[0] == "deleted"


# Told ----------------------------------------------------------------------------------------


def test_both_steps_of_codexs_trust_are_told(cli, work):
    done = cli("install", "codex", cwd=work)
    assert done.code == 0, done.err
    assert "1. First trust the project" in done.out
    assert "2. Then trust the hook" in done.out
    assert "/hooks" in done.out


def test_permissions_are_offered_and_never_written(cli, work):
    done = cli("install", "claude-code", cwd=work)
    assert '{"permissions": {"allow": ["Bash(loopgraph *)", "Edit(.longgraph/**)"]}}' in done.out
    assert "permissions" not in (work / ".claude/settings.local.json").read_text("utf-8")


def test_a_stop_of_the_owner_is_told(cli, work):
    assert cli("stop", cwd=work).code == 0
    said = ask(cli, work, "install", "claude-code")["notes"]
    assert any("loopgraph resume" in note for note in said)


def test_it_speaks_chinese(cli, work):
    done = cli("install", "codex", cwd=work, LC_ALL="zh_CN.UTF-8")
    assert done.code == 0
    assert re.search(r"[\u4e00-\u9fff]", done.out)


def test_the_hook_alone(cli, work):
    assert outcomes(ask(cli, work, "install", "codex", "--no-skill")) == ["added"]
    assert not (work / ".agents").exists()


# Refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("install",), "which client?"),
        (("install", "claud-code"), "Did you mean claude-code?"),
        (("install", "shell"), "no such client"),
        (("install", "claude"), "Did you mean claude-code?"),
        (("install", "opencode"), "opencode: loopgraph has no Stop hook for this client. It has"),
        (("install", "codex", "--project", "--user"), "Say one of them"),
        (("install", "codex", "--as-plugin", "x"), "Say --as-plugin DIR alone"),
        (("uninstall",), "which client?"),
    ],
)
def test_a_call_that_means_nothing_is_refused(cli, work, arguments, words):
    before = everything(work, cli.home)
    done = cli(*arguments, cwd=work)
    assert done.code == 2
    assert words in done.err
    assert everything(work, cli.home) == before


def test_invalid_json_is_refused_with_what_to_paste(cli, work):
    place = work / ".claude" / "settings.local.json"
    place.parent.mkdir()
    place.write_text('{\n  "a": 1,\n}\n', encoding="utf-8")
    done = cli("install", "claude-code", cwd=work)
    assert done.code == 2
    assert f"{place}:3: not valid JSON" in done.err
    paste = done.err[done.err.index("{") : done.err.rindex("}") + 1]
    (group,) = json.loads(paste)["hooks"]["Stop"]
    assert "hook stop" in group["hooks"][0]["command"]
    assert place.read_text("utf-8") == '{\n  "a": 1,\n}\n'
    assert not (work / ".claude" / "skills").exists()


STOP = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "loopgraph hook stop"}]}]}}

SECOND = {
    "the user's own": ("claude-code", "home", ".claude/settings.json", STOP),
    "the project's shared file": ("claude-code", "work", ".claude/settings.json", STOP),
    "a plugin": (
        "claude-code", "home", ".claude/settings.json",
        {"enabledPlugins": {"loopgraph@loopgraph": True}},
    ),
    "Codex for the user": ("codex", "home", ".codex/hooks.json", STOP),
    "Codex's configuration": (
        "codex", "home", ".codex/config.toml",
        "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'loopgraph hook stop'\n",
    ),
    "a plugin of Codex": (
        "codex", "home", ".codex/config.toml", '[plugins."loopgraph@loopgraph"]\nenabled = true\n',
    ),
    "Grok reads Claude's": ("grok", "home", ".claude/settings.json", STOP),
    "Grok, another file": ("grok", "work", ".grok/hooks/by hand.json", STOP),
    "Copilot, another file": (
        "copilot", "home", ".copilot/hooks/x.json",
        {"version": 1, "hooks": {"agentStop": [{"bash": "loopgraph hook stop"}]}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("second", SECOND.values(), ids=SECOND)
def test_a_second_place_is_refused_and_the_first_one_named(cli, work, second):
    client, base, name, said = second
    place = {"home": cli.home, "work": work}[base] / name
    place.parent.mkdir(parents=True)
    place.write_text(said if isinstance(said, str) else json.dumps(said), encoding="utf-8")
    before = everything(work, cli.home)
    done = cli("install", client, cwd=work)
    assert done.code == 1
    assert name in done.err
    assert "already" in done.err
    assert everything(work, cli.home) == before


NOT_SECOND = {
    "a plugin that is off": (
        "claude-code", ".claude/settings.json", '{"enabledPlugins": {"loopgraph@x": false}}'
    ),
    "a plugin of Codex that is off": (
        "codex", ".codex/config.toml", '[plugins."loopgraph@x"]\nenabled = false\n'
    ),
    "a comment": ("codex", ".codex/config.toml", "# command = 'loopgraph hook stop'\n"),
    "broken TOML": ("codex", ".codex/config.toml", "[[[\n"),
    "broken JSON": ("claude-code", ".claude/settings.json", "{"),
    "somebody else's": (
        "claude-code", ".claude/settings.json", json.dumps(STOP).replace("loopgraph", "other")
    ),
}  # fmt: skip


@pytest.mark.parametrize(("client", "name", "said"), NOT_SECOND.values(), ids=NOT_SECOND)
def test_what_is_no_hook_of_ours_is_no_second_place(cli, work, client, name, said):
    place = cli.home / name
    place.parent.mkdir(parents=True)
    place.write_text(said, encoding="utf-8")
    assert outcomes(ask(cli, work, "install", client)) == ["added", "added"]


def test_the_other_scope_is_refused_with_the_way_out(cli, work):
    ask(cli, work, "install", "claude-code", "--user")
    done = cli("install", "claude-code", cwd=work)
    assert done.code == 1
    assert "loopgraph uninstall claude-code --user" in done.err
    answer = ask(cli, work, "uninstall", "claude-code")
    assert outcomes(answer) == ["absent", "absent"]
    assert "loopgraph uninstall claude-code --user" in answer["notes"][0]


def test_a_link_from_one_scope_to_the_other_is_one_place(cli, work):
    ask(cli, work, "install", "claude-code", "--user")
    link = work / ".claude" / "settings.local.json"
    link.parent.mkdir()
    link.symlink_to(cli.home / ".claude" / "settings.json")
    assert outcomes(ask(cli, work, "install", "claude-code"))[0] == "same"


@pytest.mark.skipif(os.name == "nt", reason="a venv of POSIX")
def test_a_python_that_finds_us_only_by_its_variables_is_refused(cli, work, tmp_path):
    bare = tmp_path / "bare"
    venv.create(bare, with_pip=False, symlinks=True)
    beside = [str(PROJECT), *(path for path in sys.path if path.endswith("site-packages"))]
    done = subprocess.run(
        [str(bare / "bin" / "python"), "-m", "loopgraph", "install", "claude-code"],
        cwd=work, env={**cli.environ({}), "PYTHONPATH": os.pathsep.join(beside)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "No module named loopgraph" in done.stderr
    assert "pipx install loopgraph" in done.stderr
    assert not (work / ".claude").exists()


# Where ---------------------------------------------------------------------------------------


def test_codex_is_told_in_the_main_checkout_alone(cli, tmp_path):
    main = committed(tmp_path / "main")
    git(main, "worktree", "add", "-q", "../linked")
    linked = tmp_path / "linked"
    files = ask(cli, linked, "install", "codex")["files"]
    assert files[0]["file"] == str(main / ".codex" / "hooks.json")
    assert files[1]["file"] == str(linked / ".agents/skills/loopgraph/SKILL.md")
    assert not (linked / ".codex").exists()
    ask(cli, linked, "uninstall", "codex")
    assert not (main / ".codex").exists()


@pytest.mark.parametrize(
    ("client", "variable"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR"),
        ("codex", "CODEX_HOME"),
        ("grok", "GROK_HOME"),
        ("copilot", "COPILOT_HOME"),
    ],
)
def test_a_client_that_keeps_its_folder_elsewhere_is_found_there(
    cli, work, tmp_path, client, variable
):
    other = tmp_path / "elsewhere"
    answer = ask(cli, work, "install", client, "--user", **{variable: str(other)})
    assert answer["files"][0]["file"].startswith(str(other))


def test_a_call_in_a_folder_below_is_about_the_whole_workspace(cli, work):
    below = work / "src" / "deep"
    below.mkdir(parents=True)
    assert ask(cli, below, "install", "claude-code")["files"][0]["file"] == str(
        work / ".claude" / "settings.local.json"
    )


# Rivals --------------------------------------------------------------------------------------

RIVAL = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "npx oh-my-openagent x"}]}]}}


def test_a_rival_in_the_users_settings_is_told_and_noted_for_the_hook(cli, work):
    place = cli.home / ".claude" / "settings.json"
    place.parent.mkdir()
    place.write_text(json.dumps(RIVAL), encoding="utf-8")
    (note,) = ask(cli, work, "install", "claude-code")["notes"]
    assert str(place) in note
    noted = cli.home / ".local/state/loopgraph/rivals.json"
    assert json.loads(noted.read_text("utf-8")) == {"claude": ["omo"], "codex": []}
    place.unlink()
    cli("doctor", cwd=work)
    assert json.loads(noted.read_text("utf-8")) == {"claude": [], "codex": []}


def test_a_rival_of_one_project_is_told_and_kept_out_of_the_others(cli, work):
    place = work / ".claude" / "settings.json"
    place.parent.mkdir()
    place.write_text(json.dumps(RIVAL), encoding="utf-8")
    (note,) = ask(cli, work, "install", "claude-code")["notes"]
    assert str(place) in note
    assert not (cli.home / ".local/state/loopgraph/rivals.json").exists()


# What else decides ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        ("claude-code", ".claude/settings.json", '{"disableAllHooks": true}', "runs no hook"),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n", "runs no hook"),
        (
            "codex", ".codex/config.toml",
            "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'theirs'\n",
            "both count",
        ),
    ],
)  # fmt: skip
def test_a_setting_that_decides_is_told(cli, work, case):
    client, name, said, words = case
    place = work / name
    place.parent.mkdir()
    place.write_text(said, encoding="utf-8")
    (note,) = ask(cli, work, "install", client)["notes"]
    assert words in note
    assert str(place) in note


def test_codex_asks_anew_about_the_hooks_behind_ours_and_that_is_told(cli, work):
    ask(cli, work, "install", "codex")
    place = work / ".codex" / "hooks.json"
    said = json.loads(place.read_text("utf-8"))
    said["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "theirs"}]})
    place.write_text(json.dumps(said), encoding="utf-8")
    assert "trust them anew" in ask(cli, work, "uninstall", "codex")["notes"][0]


def test_a_file_that_broke_since_is_not_touched_and_the_way_out_is_told(cli, work):
    ask(cli, work, "install", "claude-code")
    place = work / ".claude" / "settings.local.json"
    place.write_text(place.read_text("utf-8") + "}", encoding="utf-8")
    before = everything(work)
    done = cli("uninstall", "claude-code", cwd=work)
    assert done.code == 2
    assert "take out by hand what runs: loopgraph hook stop" in done.err
    assert everything(work) == before


def test_what_is_refused_is_not_done_by_halves(cli, work):
    """A hook that has to stay keeps its skill, and a skill that has to stay keeps the hook out."""
    ask(cli, work, "install", "claude-code")
    file, skill = work / ".claude/settings.local.json", work / ".claude/skills/loopgraph/SKILL.md"
    file.chmod(0o444)
    refused = cli("uninstall", "claude-code", cwd=work)
    assert (refused.code, skill.exists()) == (2, True), refused
    assert "read-only" in refused.err
    file.chmod(0o644)
    ask(cli, work, "uninstall", "claude-code")
    assert not skill.exists()

    skill.mkdir(parents=True)
    refused = cli("install", "claude-code", cwd=work)
    assert (refused.code, file.exists()) == (2, False), refused
    assert str(skill) in refused.err
    assert "hook stop" not in refused.err


def test_without_a_home_nothing_is_guessed(cli, work):
    done = cli("install", "claude-code", cwd=work, HOME="")
    assert done.code == 2
    assert "HOME" in done.err
    assert not (work / ".claude").exists()


def test_a_state_folder_that_cannot_be_made_is_told_and_nothing_is_installed(cli, work, tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    state = str(tmp_path / "file" / "state")
    done = cli("install", "claude-code", cwd=work, LOOPGRAPH_STATE=state)
    assert done.code == 2
    assert "cannot write" in done.err
    assert not (work / ".claude").exists()


# Side by side --------------------------------------------------------------------------------


def test_two_processes_at_once_are_one_entry(cli, work):
    with ThreadPoolExecutor(4) as pool:
        calls = ["claude-code", "codex"] * 2
        done = list(pool.map(lambda client: ask(cli, work, "install", client), calls))
    assert sorted(answer["files"][0]["outcome"] for answer in done) == [
        "added", "added", "same", "same",
    ]  # fmt: skip
    for client in ("claude-code", "codex"):
        assert outcomes(ask(cli, work, "uninstall", client)) == ["deleted", "deleted"]
    assert not (work / ".claude").exists()
    assert not (work / ".codex").exists()


# A plugin ------------------------------------------------------------------------------------


def test_a_plugin_holds_the_hook_and_the_skill(cli, work):
    answer = ask(cli, work, "install", "--as-plugin", "made/plugin")
    folder = work / "made" / "plugin"
    hooks_ = json.loads((folder / "hooks/hooks.json").read_text("utf-8"))
    assert set(hooks_) == {"description", "hooks"}
    (group,) = hooks_["hooks"]["Stop"]
    assert group["hooks"][0]["command"] == answer["command"]
    skill = resources.data("templates") / "skill" / "SKILL.md"
    assert (folder / "skills/loopgraph/SKILL.md").read_bytes() == skill.read_bytes()
    for name in ("plugin", "marketplace"):
        said = json.loads((folder / f".claude-plugin/{name}.json").read_text("utf-8"))
        assert said["name"] == "loopgraph"
    assert str(folder) in (folder / "README.md").read_text("utf-8")
    again = ask(cli, work, "install", "--as-plugin", "made/plugin")
    assert set(outcomes(again)) == {"same"}
    assert not (work / ".claude").exists()


def test_a_plugin_beside_a_hook_is_told(cli, work):
    ask(cli, work, "install", "codex")
    (note,) = ask(cli, work, "install", "--as-plugin", "made")["notes"]
    assert str(work / ".codex" / "hooks.json") in note


def test_a_plugin_never_goes_into_somebody_elses_folder(cli, work):
    (work / "theirs").mkdir()
    (work / "theirs" / "README.md").write_text("mine", encoding="utf-8")
    (work / "theirs" / "code.py").write_text("1", encoding="utf-8")
    done = cli("install", "--as-plugin", "theirs", cwd=work)
    assert done.code == 1
    assert "it holds something else" in done.err
    assert (work / "theirs" / "README.md").read_text("utf-8") == "mine"


def test_a_dry_run_of_a_plugin_writes_nothing(cli, work):
    before = everything(work, cli.home)
    answer = ask(cli, work, "install", "--as-plugin", "made", "--dry-run")
    assert set(outcomes(answer)) == {"added"}
    assert everything(work, cli.home) == before
