"""What lies in the workspace, or is gone from the machine, bends no turn."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.hosts.conftest import ALL

PROMPT = "Go on until the promise is true."
BEGIN = {"run": f'loopgraph loop init job --prompt "{PROMPT}"'}
BLOCKED = {"say": "<loopgraph-blocked>\nThe network is down."}
SHADOWS = (
    "json.py", "os.py", "re.py", "encodings/__init__.py", "loopgraph/__init__.py",
    "loopgraph/__main__.py", "sitecustomize.py", "usercustomize.py",
)  # fmt: skip


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_files_of_the_workspace_are_never_taken_for_ours(desk):
    marker = desk.base / "was-here"
    for name in SHADOWS:
        desk.write(name, f"open({str(marker)!r}, 'w')\nraise SystemExit(2)\n")
    first = desk.turn("Go.", BEGIN, {"say": "Not yet."}, BLOCKED)
    assert first.whole, first
    assert [reason[: len(PROMPT)] for reason in first.reasons] == [PROMPT], first
    desk.more["PYTHONPATH"] = str(desk.workspace)
    second = desk.turn(
        "Go on.", {"say": "Not yet."}, {"say": "<promise>DONE</promise>"}, resume=first.session
    )
    assert second.whole, second
    assert [reason[: len(PROMPT)] for reason in second.reasons] == [PROMPT]
    answers = [(one["answer"], one["why"]) for one in desk.decisions()]
    assert answers == [("block", "block"), ("go", "blocked"), ("block", "block"), ("go", "promise")]
    assert not marker.exists()


@pytest.fixture
def own_python(desk):
    """An interpreter of its own, where the program can be taken away."""
    home = desk.base / "own python"
    (home / "bin").mkdir(parents=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = home / "lib" / version / "site-packages"
    packages.mkdir(parents=True)
    base = Path(sys.base_prefix) / "bin" / version
    (home / "pyvenv.cfg").write_text(f"home = {base.parent}\n", "utf-8")
    (home / "bin/python").symlink_to(base)
    ours = [str(PROJECT), *(path for path in sys.path if path.endswith("-packages"))]
    (packages / "loopgraph.pth").write_text("\n".join(ours), "utf-8")
    desk.must("uninstall", desk.host)
    desk.python = home / "bin/python"
    desk.install()
    return home


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_program_or_an_interpreter_that_is_gone_lets_turns_end(desk, own_python):
    first = desk.turn("Go.", BEGIN, {"say": "Not yet."}, BLOCKED)
    assert [reason[: len(PROMPT)] for reason in first.reasons] == [PROMPT], first
    desk.python = Path(sys.executable)
    (pth,) = own_python.rglob("loopgraph.pth")
    away = [(pth, desk.base / "the package"), (own_python, desk.base / "the interpreter")]
    for number, (there, elsewhere) in enumerate(away):
        there.rename(elsewhere)
        turn = desk.turn("Go on.", {"say": "Still not."}, resume=first.session)
        assert (turn.whole, turn.reasons, turn.answer) == (True, [], "Still not."), turn
        assert len(desk.decisions()) == 2, number
    # The loop has stood open all the while: with both in place again it is held.
    for there, elsewhere in reversed(away):
        elsewhere.rename(there)
    last = desk.turn("Go on.", {"say": "Still not."}, BLOCKED, resume=first.session)
    assert (last.whole, len(last.reasons)) == (True, 1), last
