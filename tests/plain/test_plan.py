"""The checklist of a plan, held against the originals' own expressions."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.plain import plan

HEAD = re.compile(
    r"##[ \t]+(TODOs|Final Verification Wave)[ \t]*#*[ \t]*\Z", re.IGNORECASE | re.ASCII
)
ROW = {
    "todos": re.compile(r"- \[([ xX])\] ([1-9][0-9]*\. .+)\Z", re.DOTALL),
    "final verification wave": re.compile(r"- \[([ xX])\] ([Ff][1-9][0-9]*\. .+)\Z", re.DOTALL),
}
PLAIN = re.compile(r"[-*][ \t]*\[[ \t]*([xX]?)[ \t]*\][ \t]+(.+)\Z", re.DOTALL)


def original(text: str) -> tuple[int, int, str | None]:
    """Done and open rows and the next label, by the expressions of the original; no fences."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    structured = any(HEAD.match(line) for line in lines)
    section, found = "", []
    for line in lines:
        if re.match(r"#{1,2}(?=[ \t]|\Z)", line):
            head = HEAD.match(line)
            section = head[1].lower() if head else ""
        pattern = ROW.get(section) if structured else PLAIN
        row = pattern and pattern.match(line)
        if row:
            found.append((row[1].strip() != "", row[2]))
    label = next((label for done, label in found if not done), None)
    return sum(done for done, _ in found), sum(not done for done, _ in found), label


LINES = st.sampled_from(
    [
        "## TODOs", "## todos ##", "##TODOs", "## TODOs x", "# Plan", "## Other", "#", "##", "#x",
        "## Final Verification Wave", "### Part", "#### Part", " ## TODOs", "##\tTODOs\t",
        "- [ ] 1. a", "- [x] 2. b", "- [X] 3. c", "- [ ] F1. d", "- [x] f2. e", "- [ ] 01. f",
        "- [ ]  4. g", "-  [ ] 5. h", "* [ ] 6. i", "  - [ ] 7. j", "- [ ] 8.k", "- [ ] 9. ",
        "-[x] 10. l", "- [ ] F. m", "", "text", "\ttext", "> - [ ] 1. x", "+ [ ] 1. y",
    ]
)  # fmt: skip


@given(st.lists(LINES, max_size=30), st.sampled_from(["\n", "\r\n"]))
def test_without_the_decided_differences_we_read_what_the_original_reads(lines, end):
    text = end.join(lines)
    labelled = any(pattern.match(line) for line in lines for pattern in ROW.values()) and any(
        HEAD.match(line) for line in lines
    )
    done, remaining, label = original(text)
    found = plan.read(text)
    if found.structured and not (labelled and done + remaining):
        return  # rows without labels count here, which is a decision of ours
    assert (found.completed, found.remaining, found.next) == (done, remaining, label)
    assert found.total == done + remaining


@given(
    st.text()
    | st.binary()
    | st.lists(LINES | st.sampled_from(["```", "~~~", "<!--", "-->", "- ```"])).map("\n".join)
)
def test_any_bytes_are_a_plan_and_its_rows_are_lines_of_it(source):
    found = plan.read(source)
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    lines = text.removeprefix("\ufeff").split("\n")
    assert found.total + found.others == len(found.rows)
    assert [row.line for row in found.rows] == sorted({row.line for row in found.rows})
    for row in found.rows:
        assert lines[row.line - 1].removesuffix("\r").endswith(row.label)
    assert (found.next is None) == (found.remaining == 0)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("```\n- [ ] a\n", [1]),
        ("- [ ] a\n<!-- x\n- [ ] b\n", [2]),
        ("## TODOs\n```\n## TODOs\n~~~\n", [2, 4]),
        ("```\n```\n", []),
    ],
)
def test_what_nothing_closes_is_named_by_its_line(source, lines):
    assert plan.read(source).unclosed == lines


def steps(source: str) -> int:
    """How many lines of code reading takes."""
    count = 0

    def trace(_frame: object, event: str, _value: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        plan.read(source)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize(
    "part",
    [
        "```x\n## TODOs\n",
        "<!-- a\n## TODOs\n",
        "- [ ] 1. a\n",
        "- - - - x\n",
        "~~~a\n",
        "```\n~~~\n",
    ],
)
def test_reading_takes_steps_in_proportion(part):
    assert steps(part * 2000) < 11 * steps(part * 200)


@pytest.mark.parametrize(
    ("opens", "hides"),
    [
        ("```", True), ("- ```", True), ("1. ```", True), ("12) ```", True), ("- 1. ```", True),
        ("* + ~~~", True), ("1: ```", False), ("1.```", False), ("-```", False), ("a. ```", False),
        ("1. ", False), ("- ", False), ("- ``", False), ("- ```a`b", False),
    ],
)  # fmt: skip
def test_a_fence_opens_behind_the_marks_of_a_list_too(opens, hides):
    mark = "~~~" if "~" in opens else "```"
    found = plan.read(f"{opens}\n- [ ] hidden\n{mark}\n- [ ] shown\n{mark}\n- [x] last\n{mark}")
    labels = [row.label for row in found.rows]
    assert ("hidden" not in labels) == hides


def test_below_a_row_a_fence_may_be_indented_deeply_and_elsewhere_it_is_code():
    fence = "      ```\n- [ ] hidden\n      ```\n"
    for before, labels in (("- [ ] a\n", ["a"]), ("", ["hidden"])):
        found = plan.read(f"{before}{fence}")
        assert [row.label for row in found.rows] == labels


@pytest.mark.parametrize(
    ("source", "labels"),
    [
        ("## TODOs\n- [ ] 1. a\n- [ ] 02. b\n- [ ] F1. c\n- [ ] 12. d\n", ["1. a", "12. d"]),
        ("## TODOs\n- [ ] 1.a\n- [ ] 1. \n- [ ] 1. b\n", ["1. b"]),
        ("## Final Verification Wave\n- [ ] F1. a\n- [ ] 1. b\n- [ ] f12. c\n- [ ] F0. d\n",
         ["F1. a", "f12. c"]),
        ("## TODOs\n- [ ] a\n- [ ] b\n", ["a", "b"]),
        ("## TODOs\n### Notes\n- [ ] 1. a\n#### More\n- [ ] 2. b\n### Part\n- [ ] 3. c\n",
         ["3. c"]),
        ("## TODOs\n### QA:\n- [ ] 1. a\n## Other\n- [ ] 2. b\n## TODOs\n- [ ] 3. c\n", ["3. c"]),
        ("## TODOs\n### Part\n#### Notes\n- [ ] 1. a\n", ["1. a"]),
        ("# x\n* [ ] a\n-  [x]  b\n- [ ]c\n- [xx] d\n- [] e\n", ["a", "b", "e"]),
    ],
)  # fmt: skip
def test_a_row_counts_by_its_section_and_its_label(source, labels):
    assert [row.label for row in plan.read(source).rows] == labels


@pytest.mark.parametrize(
    ("source", "labels"),
    [
        ("```\n- [ ] a\n````\n- [ ] b\n", ["b"]), ("````\n- [ ] a\n```\n- [ ] b\n````\n", []),
        ("~~~\n- [ ] a\n```\n~~~\n- [ ] b\n", ["b"]), ("<!-- x -->\n- [ ] a\n", ["a"]),
        ("<!--\n- [ ] a\n--> x\n- [ ] b\n", ["b"]), ("    ```\n- [ ] a\n    ```\n", ["a"]),
        ("```\n- [ ] a\n    ```\n- [ ] b\n```\n- [ ] c\n", ["c"]),
        ("```\n- [ ] a\n~~~\n- [ ] b\n~~~\n", []),
    ],
)  # fmt: skip
def test_what_a_fence_or_a_comment_holds_is_no_row(source, labels):
    assert [row.label for row in plan.read(source).rows] == labels
