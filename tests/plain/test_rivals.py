"""Whether a file of settings registers the hook of another tool."""

from __future__ import annotations

import json

import pytest

from loopgraph.plain import rivals

HOOK = {"hooks": [{"type": "command", "command": "node ralph-loop.js"}]}


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"enabledPlugins": {"ralph-loop@official": True}}, True),
        ({"enabledPlugins": {"ralph-loop@official": False}}, False),
        ({"enabledPlugins": ["ralph-loop"]}, False),
        ({"hooks": {"Stop": [HOOK]}}, True),
        ({"hooks": {"Stop": {"deep": [[{"name": "ralph-wiggum"}]]}}}, True),
        ({"hooks": {"Start": [HOOK]}}, False),
        ({"hooks": [HOOK]}, False),
        ({"note": "ralph-loop", "hooks": {"Stop": [3, None, {"command": "true"}]}}, False),
        ({"hooks": {"Stop": [{"ralph-loop": 1}]}}, False),
        ({"hooks": {"Stop": []}}, False),
        (["ralph-loop"], True),
    ],
)
def test_a_tool_is_named_by_a_plugin_that_is_on_or_a_text_of_its_stop_hook(settings, named):
    assert rivals.names(json.dumps(settings), rivals.SIGNS["plugin"]) is named


def test_what_is_no_json_names_a_tool_wherever_it_says_its_name():
    assert rivals.names("# no ralph-loop here", rivals.SIGNS["plugin"])
    assert not rivals.names("# nothing here", rivals.SIGNS["plugin"])
