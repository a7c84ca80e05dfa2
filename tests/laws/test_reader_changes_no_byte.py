"""What stands in a run does not depend on the language of whoever runs its commands."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.forty_rounds import Play, Runner, Said, forked, prepared, process


class Heard(Play):
    """The script of forty rounds, said by somebody who reads another language."""

    def no(self, *arguments: str, says: str, by: str | None = "executor", **extra: str) -> Said:
        return super().no(*arguments, says="" if says else says, by=by, **extra)


def played(workspace: Path, locale: str) -> tuple[dict[str, bytes], list[str]]:
    """The files of the run at its end, and everything that was answered."""
    home = workspace.parent / "home"
    home.mkdir()
    start: Runner = (forked if hasattr(os, "fork") else process)(workspace, home)
    heard: list[str] = []

    def say(*arguments: str, now: str, **extra: str) -> Said:
        lang = ("--lang", "en") if arguments[0] == "new" else ()
        said = start(*arguments, *lang, now=now, LC_ALL=locale, **extra)
        heard.append(said.out + said.err)
        return said

    play = Heard(workspace, say, lambda _: None)
    play.play()
    texts = [*play.run.glob("*.md"), *play.run.glob("*.yaml"), *play.run.glob("archive/*.md")]
    return {path.name: path.read_bytes() for path in texts}, heard


def test_a_run_kept_in_a_chinese_locale_has_the_bytes_of_one_kept_in_english(tmp_path):
    (tmp_path / "en").mkdir()
    workspace = prepared(tmp_path / "en")
    other = shutil.copytree(workspace, tmp_path / "zh" / workspace.name)
    english, said = played(workspace, "C.UTF-8")
    chinese, heard = played(other, "zh_CN.UTF-8")
    assert english == chinese
    assert len(said) == len(heard)
    assert said != heard
