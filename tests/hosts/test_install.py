"""What `install` writes, as the real clients take it: the hook, the skill, the plugin."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from loopgraph.disk import codex_trust
from tests.hosts import model
from tests.hosts.conftest import ALL, CLAUDES
from tests.hosts.desk import apart
from tests.hosts.person import chooses, ready, sits

PROMPT = "Go on until the promise is true."
BEGIN = {"run": f'loopgraph loop init job --prompt "{PROMPT}"'}
EARLY = {"say": "Not yet."}
DONE = {"say": "<promise>DONE</promise>"}
SKILL = "Keeps a long task going until it is really done"


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_the_client_lists_the_skill_for_its_model(desk):
    turn = desk.turn("Hello.", {"say": "Hello."})
    assert SKILL in model.spoken(turn.asked[0]["body"]), turn
    assert (turn.whole, turn.reasons) == (True, [])


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_what_is_uninstalled_is_gone_for_the_client_too(desk):
    desk.must("uninstall", desk.host)
    turn = desk.turn("Hello.", BEGIN, EARLY)
    assert (turn.whole, turn.reasons, desk.log()) == (True, [], []), turn
    assert SKILL not in model.spoken(turn.asked[0]["body"])


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_hook_of_the_user_scope_holds_as_well(desk):
    desk.must("uninstall", desk.host)
    desk.install("--user")
    turn = desk.turn("Go.", BEGIN, EARLY, DONE)
    assert (turn.whole, len(turn.reasons)) == (True, 1), turn


@pytest.mark.parametrize("desk", ["codex"], indirect=True)
def test_codex_passes_over_the_hook_until_a_person_trusts_it(desk):
    desk.trusting = ()
    before = desk.turn("Go.", BEGIN, EARLY)
    assert (before.whole, before.reasons, desk.log()) == (True, [], []), before
    assert "not trusted yet" in _words(desk.owner("doctor").out)
    with sits(desk) as person:
        person.until("1 hook is new or changed")
        chooses(person, 2, "Trust all and continue")
        ready(person, desk)
    assert "it is trusted" in _words(desk.owner("doctor").out)
    after = desk.turn("Go on.", EARLY, DONE, resume=before.session)
    assert (after.whole, len(after.reasons)) == (True, 1), after


def listed(desk) -> dict[str, Any]:
    """What Codex's own server says of the hooks here; it has no network either."""
    codex = desk.base / "codex-apart"
    codex.write_text(f'#!/bin/sh\nexec {shlex.join([*apart(), str(desk.client.path)])} "$@"\n')
    codex.chmod(0o755)
    answer = codex_trust.listed(str(codex), str(desk.workspace), desk.environ())
    assert answer is not None
    (place,) = answer["data"]
    assert (place["warnings"], place["errors"]) == ([], [])
    return dict(place)


@pytest.mark.parametrize("desk", ["codex"], indirect=True)
def test_codex_lists_the_hook_without_a_warning_and_the_hooks_of_others_as_before(desk):
    desk.must("uninstall", desk.host)
    other = {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}
    desk.write(".codex/hooks.json", json.dumps({"description": "Theirs.", "hooks": other}))
    (theirs,) = listed(desk)["hooks"]
    desk.install()
    desk.install()
    before, ours = listed(desk)["hooks"]
    assert before == theirs
    assert ours["key"].endswith("/.codex/hooks.json:stop:1:0")
    assert (ours["eventName"], ours["enabled"], ours["trustStatus"]) == ("stop", True, "untrusted")
    assert (ours["timeoutSec"], ours["statusMessage"]) == (10, "loopgraph: checking the plan")
    desk.must("uninstall", desk.host)
    assert listed(desk)["hooks"] == [theirs]


def _words(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def plugin(desk):
    """A plugin, and the client without the hook of its own."""
    desk.must("uninstall", desk.host)
    desk.must("install", "--as-plugin", str(desk.base / "a plugin"))
    return desk.base / "a plugin"


def client(desk, *arguments: str) -> str:
    """A command of the client that is no turn; it has to do its work."""
    done = desk.call(arguments)
    assert done.code == 0, done
    return str(done.out + done.err)


@pytest.mark.parametrize("desk", CLAUDES, indirect=True)
def test_claude_code_finds_the_plugin_valid_and_holds_by_it(desk, plugin):
    strict = ("--strict",) if desk.client.name == "claude" else ()
    assert "Validation passed" in client(desk, "plugin", "validate", str(plugin), *strict)
    client(desk, "plugin", "marketplace", "add", str(plugin), "--scope", "project")
    client(desk, "plugin", "install", "loopgraph@loopgraph", "--scope", "project")
    turn = desk.turn("Go.", BEGIN, EARLY, DONE)
    assert SKILL in model.spoken(turn.asked[0]["body"])
    assert (turn.whole, len(turn.reasons)) == (True, 1), turn


@pytest.mark.parametrize("desk", ["codex"], indirect=True)
def test_codex_installs_the_same_plugin_and_holds_by_it(desk, plugin):
    on = ("-c", "features.plugins=true")
    desk.more["GIT_ALLOW_PROTOCOL"] = "file"  # it would fetch the vendor's list of plugins
    client(desk, *on, "plugin", "marketplace", "add", str(plugin))
    client(desk, *on, "plugin", "add", "loopgraph@loopgraph")
    turn = desk.turn("Go.", BEGIN, EARLY, DONE, options=on)
    assert SKILL in model.spoken(turn.asked[0]["body"])
    assert (turn.whole, len(turn.reasons)) == (True, 1), turn
