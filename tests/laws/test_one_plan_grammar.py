"""The commands count the rows of a plan as the Stop hook does, whatever its bytes."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from loopgraph.disk import beside, places
from loopgraph.node import plans
from loopgraph.plain import plan as grammar
from loopgraph.views import plans as view

LINES = st.sampled_from(
    [
        "## TODOs", "## Final Verification Wave", "## Other", "# Top", "### QA", "- [ ] 1. a",
        "- [x] 2. b", "- [X] F1. c", "- [ ] F2. d", "- [-] 3. e", "- [ ] plain", "* [ ] f",
        "-[x] g", "  - [ ] nested", "```", "~~~~", "<!--", "-->", "    - [ ] 9. code", "text",
        "\ufeff## TODOs", "- [ ] 4. \u2028x", "- ```", "\xff",
    ]
)  # fmt: skip
ENDS = st.sampled_from([b"\n", b"\r\n", b""])
PLANS = st.lists(
    st.tuples(LINES.map(lambda line: line.encode()) | st.binary(max_size=12), ENDS)
).map(lambda lines: b"".join(line + end for line, end in lines))


def said(found):
    rows = [(row.line, row.state, row.label) for row in found.rows]
    return rows, found.completed, found.remaining, found.total, found.others, found.unclosed


@given(data=PLANS)
def test_a_plan_is_counted_alike_by_hook_and_commands(tmp_path_factory, data):
    base = tmp_path_factory.mktemp("plan")
    (base / "p.md").write_bytes(data)
    text = places.load(base, ("p.md",))["p.md"]
    assert said(plans.checklist(text)) == said(grammar.read(data))


@given(data=PLANS)
def test_what_is_wrong_with_a_plan_follows_from_its_rows(data):
    found = grammar.read(data)
    levels = [level for level, _, _ in plans.problems(found)]
    assert ("error" in levels) == (not found.total or bool(found.unclosed))
    assert levels.count("warning") == found.others


@given(data=PLANS)
def test_status_counts_a_plan_as_the_hook_and_plan_check_do(tmp_path_factory, data):
    base = tmp_path_factory.mktemp("plan")
    run = base / ".longgraph/r"
    run.mkdir(parents=True)
    (base / "p.md").write_bytes(data)
    works = {"version": 1, "works": {"w": {"active_plan": "p.md", "status": "active"}}}
    (base / ".longgraph/plans.json").write_text(json.dumps(works), "utf-8")
    (shown,) = beside.look(run).plans
    counted = grammar.read(data)
    checked = view.check_data("p.md", plans.checklist(places.load(base, ("p.md",))["p.md"]))
    assert (shown.open, shown.total) == (counted.remaining, counted.total)
    assert (shown.open, shown.total) == (checked["remaining"], checked["total"])
