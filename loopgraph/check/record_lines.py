"""Where something stands in run.yaml: a finding about the record names its line."""

from __future__ import annotations

from loopgraph.check.files import RECORD
from loopgraph.edges.run import Run


def line_of(run: Run, *steps: str) -> int:
    """The line that begins with the last step, after the lines of the steps before it.

    List markers and indentation are passed over; 0 where a step is not found.
    """
    number = 0
    lines = run.files.get(RECORD, "").split("\n")
    for step in steps:
        for index in range(number, len(lines)):
            if lines[index].lstrip(" -{").startswith(step):
                number = index + 1
                break
        else:
            return 0
    return number
