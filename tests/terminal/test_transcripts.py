"""The transcripts in docs/ are what the wizard shows."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import PROJECT


def test_the_transcripts_are_what_the_wizard_shows():
    done = subprocess.run(
        [sys.executable, PROJECT / "docs/transcripts.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
