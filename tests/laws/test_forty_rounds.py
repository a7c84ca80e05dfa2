"""The script of forty rounds holds from its first command to its last."""

import os

from tests.forty_rounds import Play, forked, prepared, process


def test_forty_rounds_lose_nothing_and_stay_within_their_caps(tmp_path):
    workspace, home = prepared(tmp_path), tmp_path / "home"
    home.mkdir()
    runner = forked if hasattr(os, "fork") else process
    play = Play(workspace, runner(workspace, home), lambda _: None)
    play.play()
    assert play.count > 150
    assert play.ledger.status == "closed"
