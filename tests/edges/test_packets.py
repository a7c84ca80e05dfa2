"""What a correction may forbid: no folder as a whole, and something to do instead."""

from __future__ import annotations

import pytest

from loopgraph.edges import packets, run
from tests.check import compiled

KNOWN = frozenset({"src/orders", "tests"})


@pytest.mark.parametrize(
    ("said", "folder"),
    [
        ("src/orders/ until D-009", "src/orders/"), ("Close `src/orders`.", "src/orders"),
        ("Close (`src/orders`).", "src/orders"), ("Close ./src/orders, now", "src/orders"),
        ("Close src/orders now", "src/orders"), ("Close .github/", ".github/"),
        ("docs/api/", "docs/api/"), ("docs/api", ""), ("src/**", "src/**"),
        ("src/*", "src/*"), ("src/*.*", "src/*.*"), ("src/*.py", ""),
        ("src/orders/totals.py", ""), ("(src/orders/),", "src/orders/"),
        ("see https://a.b/c/", ""), ("src/orders/, but totals.py", ""),
        ("src/orders/ except totals.py", ""), ("only src/orders/", ""), ("src/orders/ 可以", ""),
        ("不要动 src/orders/。", "src/orders/"), ("everything in docs/FAX; stop", "docs/FAX"),
        ("Everything below `lib`.", "lib"), ("everything, and nothing", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_folder_is_closed_as_a_whole_where_nothing_of_it_stays_allowed(said, folder):
    assert packets.closed_folder(said, KNOWN) == folder


@pytest.mark.parametrize(
    ("said", "folder"),
    [
        ("tests", "tests"), ("`tests`", "tests"), ("tests until D-009", "tests"),
        ("tests: they are slow", "tests"), ("tests, while M-2 is audited", "tests"),
        ("tests (slow)", "tests"), ("tests — slow", "tests"), ("tests/", "tests/"),
        ("tests are slow", ""), ("the tests", ""), ("mend the tests until they pass", ""),
        ("the folder tests", "tests"), ("the tests folder", "tests"), ("tests, directory", "tests"),
        ("目录 tests 直到 D-009", "tests"), ("the folder docs", ""), ("docs until D-009", ""),
        ("tests formatting until D-009", ""), ("tests wholesale renames", ""),
        ("tests Until D-009", "tests"), ("tests，直到 D-009", "tests"), ("* wildcard imports", ""),
        ("folder", ""), (".", "."), ("./ for now", "./"), ("`*`", "*"), ("** until D-9", "**"),
    ],
)  # fmt: skip
def test_a_bare_name_is_a_folder_where_it_is_known_and_what_is_closed(said, folder):
    assert packets.closed_folder(said, KNOWN) == folder


def test_the_words_of_a_text_are_told_without_their_marks():
    assert packets.words("Close `src/a`, (tests) and ./lib/. `src/a`; — .") == (
        "Close", "src/a", "tests", "and", "lib/", "—",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("action", "forbids"),
    [
        ("Do not touch the tests.", True), ("don’t mend it; never", True), ("no new file", True),
        ("leave the tests alone", True), ("and do not go on, and never wait", True),
        ("不要动测试。", True), ("别改；禁止提交", True),
        ("Do not touch a.py, b.py and c/d.", True),
        ("Do not touch a.py, mend b.py instead", False), ("mend it", False), ("", False),
        ("tests", False), ("Nothing is lost: mend it", True), ("notice the limit", False),
        ("先改测试，不要动代码", False), ("Do not wait. Run the tests now.", False),
    ],
)  # fmt: skip
def test_an_action_only_forbids_where_each_clause_does(action, forbids):
    assert packets.only_forbids(action) is forbids


def test_what_discovery_saw_is_known_to_be_a_folder():
    found = run.read(compiled.files())
    assert packets.folders(found) == {"src/orders", "src/reports", "tests"}
    assert packets.folders(found._replace(record=None)) == frozenset()
