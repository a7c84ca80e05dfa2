"""A plugin as files: what several clients take, made for one machine."""

from __future__ import annotations

import json

import pytest

from loopgraph.edges import hookfile, plugin

HANDLER = {"type": "command", "command": "py -m loopgraph hook stop"}
FILES = plugin.files(HANDLER, skill="# skill\n", version="1.2.3", python="/usr/py", folder="/p q")


def test_a_plugin_has_its_hook_its_skill_and_its_own_marketplace():
    assert set(FILES) == {
        ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "hooks/hooks.json",
        "skills/loopgraph/SKILL.md", "README.md",
    }  # fmt: skip
    assert FILES["skills/loopgraph/SKILL.md"] == "# skill\n"
    manifest = json.loads(FILES[plugin.MANIFEST])
    assert (manifest["name"], manifest["version"]) == ("loopgraph", "1.2.3")
    market = json.loads(FILES[plugin.MARKETPLACE])
    assert [(one["name"], one["source"]) for one in market["plugins"]] == [("loopgraph", "./")]
    assert all(text.endswith("\n") and not text.endswith("\n\n") for text in FILES.values())


def test_its_hook_is_ours_and_stands_where_a_client_looks_for_it():
    found = hookfile.mine(FILES[plugin.HOOKS], hookfile.Shape(("hooks", "Stop")), "f")
    assert [dict(one.handler) for one in found] == [HANDLER]


def test_its_page_names_the_python_and_the_folder_that_it_was_made_for():
    page = FILES[plugin.README]
    assert "at `/usr/py`" in page
    assert "claude plugin marketplace add /p q --scope project" in page
    assert "codex plugin marketplace add /p q\n" in page
    assert "{" not in page


@pytest.mark.parametrize(
    ("manifest", "ours"),
    [
        (FILES[plugin.MANIFEST], True), ('{"name": "other"}', False), ('["loopgraph"]', False),
        ('"loopgraph"', False), ("{", False), ("", False), ("{}", False),
    ],
)  # fmt: skip
def test_a_plugin_is_ours_by_its_name(manifest, ours):
    assert plugin.is_ours(manifest) is ours
