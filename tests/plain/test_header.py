"""Header values: read however people and agents write them; unknown is None, never zero."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.plain import header, quoting
from tests.plain.test_quoting import HOSTILE

WORDS = [
    ("`active`", "active"),
    ("active", "active"),
    ("**Active**", "active"),
    ("`passed` (by D-002)", "passed"),
    ("n/a (single goal)", "n/a"),
    ("`N/A`（单一目标）", "n/a"),
    ("stalled（等待）", "stalled"),
    ("pending-audit, since R7", "pending-audit"),
    ("`open|passed`", "open|passed"),
    ("**`closed`**", "closed"),
    ("done.", "done"),
    ("`unclosed span", "unclosed span"),
    ("", ""),
]


@pytest.mark.parametrize(("value", "word"), WORDS)
def test_a_word_is_what_stands_in_code_or_before_a_note(value, word):
    assert header.word(value) == word


NUMBERS = [
    ("9", 9),
    ("**9**", 9),
    ("R9", 9),
    ("９", 9),
    ("+400", 400),
    ("9 (begun)", 9),
    ("007", 7),
    ("", None),
    ("—", None),
    ("none", None),
    ("nine", None),
    ("9" * 30, None),
    ("²", None),
]


@pytest.mark.parametrize(("value", "number"), NUMBERS)
def test_a_number_is_what_a_field_begins_with(value, number):
    assert header.number(value) == number


NETS = [
    ("+18/−4", (18, 4)),
    ("+18/-4", (18, 4)),
    ("＋18／－4", (18, 4)),
    ("+18 / –4", (18, 4)),
    ("**+0/-0**", (0, 0)),
    ("+250/-0 (claimed +10/-0)", (250, 0)),
    ("18/4", (18, 4)),
    ("+58", (58, 0)),
    ("−12", (0, 12)),
    ("0", (0, 0)),
    ("", None),
    ("none", None),
    ("+/-", None),
    ("+x/-y", None),
    ("-3/-4", None),
]


@pytest.mark.parametrize(("value", "net"), NETS)
def test_net_lines_are_read_with_any_minus(value, net):
    assert header.net(value) == net


IDS = [
    ("GAP-012 | OB-004", ["GAP-012", "OB-004"]),
    ("C-01, C-02 and C-1", ["C-01", "C-02", "C-1"]),
    ("(D-003)", ["D-003"]),
    ("D\u2011003、GAP－２", ["D-003", "GAP-2"]),
    ("xGAP-1 GAP-1a gap-1 GAP- -1 GAP-1_2", []),
    ("D-" + "1" * 40, []),
    ("A" * 40 + "-1", []),
    ("D-001–D-003", ["D-001", "D-003"]),
    ("src/GAP-7.py", ["GAP-7"]),
]


@pytest.mark.parametrize(("value", "ids"), IDS)
def test_ids_are_found_wherever_they_stand(value, ids):
    assert [written for _, _, written in header.ids(value)] == ids


MILESTONES = [
    ("M3 cutover", "M3"),
    ("M-1 the thinnest slice", "M-1"),
    ("**M-02**", "M-02"),
    ("M３", "M3"),
    ("single goal", None),
    ("Migration", None),
    ("M", None),
    ("M-", None),
    ("M1a", None),
    ("", None),
]


@pytest.mark.parametrize(("value", "id_"), MILESTONES)
def test_a_milestone_is_an_id_at_the_beginning(value, id_):
    assert header.milestone(value) == id_


def test_ids_are_the_same_however_they_are_written():
    assert header.same_id("M3", ["M-1", "M-3"])
    assert header.same_id("M-03", ["M3"])
    assert not header.same_id("M-30", ["M-3"])


FOLDED = [
    ("D-003", 3),
    ("`D-014` (redo)", 14),
    ("none", 0),
    ("（none）", 0),
    ("none yet", 0),
    ("无", 0),
    ("-", 0),
    ("", None),
    ("three", None),
    ("GAP-003", None),
    ("nonesuch", None),
]


@pytest.mark.parametrize(("value", "number"), FOLDED)
def test_the_watermark_is_zero_only_where_it_says_none(value, number):
    assert header.folded(value) == number


HIGHEST = [
    ("GAP-012 | OB-004", {"GAP": 12, "OB": 4}),
    ("GAP-003 | none", {"GAP": 3, "OB": 0}),
    ("none | none", {"GAP": 0, "OB": 0}),
    ("GAP none | OB none", {"GAP": 0, "OB": 0}),
    ("GAP-003 | `OB` none", {"GAP": 3}),
    ("none | OB-002", {"GAP": 0, "OB": 2}),
    ("OB-002 ｜ GAP-001", {"GAP": 1, "OB": 2}),
    ("GAP-003", {"GAP": 3}),
    ("", {}),
]


@pytest.mark.parametrize(("value", "highest"), HIGHEST)
def test_highest_ids_tell_none_from_unknown(value, highest):
    assert header.highest(value, ("GAP", "OB")) == highest


TRACKERS = [
    (
        (
            "rounds since last 5: **4** | net lines since last +400: **+58** | "
            "**next round converges: no**"
        ),
        (4, 5, 58, 400, False),
    ),
    (
        "rounds since last 6：0｜net lines since last ＋200：−12｜next round converges：yes",
        (0, 6, -12, 200, True),
    ),
    (
        "rounds since last: 4 | net lines since last: +5 | converges: `Yes`",
        (4, None, 5, None, True),
    ),
    (
        "rounds since last 5: — | net lines since last +400: ? | converges: maybe",
        (None, 5, None, 400, None),
    ),
    ("", (None, None, None, None, None)),
]


@pytest.mark.parametrize(("value", "tracker"), TRACKERS)
def test_the_convergence_tracker_is_read_part_by_part(value, tracker):
    assert header.convergence(value) == tracker


SWEEPS = [
    ("area 2 of 5 | refill 3/4 | sweep yields 7, 2 (floor 3)", ("2", 5, 3, 4, 7, 2, 3)),
    (
        "area src/api of 5 | refill 0/0 | sweep yields none, none (floor 3)",
        ("src/api", 5, 0, 0, None, None, 3),
    ),
    ("", (None,) * 7),
]


@pytest.mark.parametrize(("value", "tracker"), SWEEPS)
def test_the_discovery_tracker_is_read_part_by_part(value, tracker):
    assert header.discovery(value) == tracker


NONE = [
    *[
        (said, True)
        for said in ("none", "None.", "(none)", "（none）", "none (see D-002)", "—", "", "无")
    ],
    *[(said, True) for said in ("(none — folded through D-003)", "none yet", "**none**", "暂无")],
    *[(said, False) for said in ("none of it", "nonesuch", "0", "src/", "not yet", "无关")],
]


@pytest.mark.parametrize(("said", "nothing"), NONE)
def test_none_is_told_from_words_that_begin_like_it(said, nothing):
    assert header.is_none(said) is nothing


DATES = [
    ("R9 2026-07-20", "2026-07-20"),
    ("Round 9 — 2026-07-20", "2026-07-20"),
    ("(2026-02-30)", "2026-02-30"),
    ("D-1 · 2026-07-20 · redo", "2026-07-20"),
    ("2026-7-20", None),
    ("20260720", None),
    ("2026-07-20T09", None),
    ("", None),
]


@pytest.mark.parametrize(("said", "day"), DATES)
def test_a_date_is_found_whether_there_is_such_a_day_or_not(said, day):
    assert header.date(said) == day


LABELS = [
    ("Round: 9", ("Round", "9")),
    ("- Round: 9", ("Round", "9")),
    ("- **Round**: 9", ("Round", "9")),
    ("**Round:** 9", ("Round", "9")),
    ("round：９", ("Round", "９")),
    ("* `Round`: 9", ("Round", "9")),
    ("Write set: *.py", ("Write set", "*.py")),
    ("- **Write set**: *.py", ("Write set", "*.py")),
    ("Write set:", ("Write set", "")),
    ("Rounds: 9", None),
    ("Round 9", None),
    ("The Round: 9", None),
]


@pytest.mark.parametrize(("line", "found"), LABELS)
def test_a_field_is_a_name_and_a_colon_whatever_is_around_it(line, found):
    assert header.label(line, ("Round", "Write set")) == found


def read(*lines: str) -> dict[str, str]:
    found = header.fields(list(enumerate(lines, 1)), header.FIELDS)
    return {name: value for name, (_, value) in found.items()}


def test_fields_share_a_line_between_pipes():
    line = "Current milestone: M-1 a | b | Round: 3 | Last round net lines: +1/-2"
    assert read(line) == {
        "Current milestone": "M-1 a | b",
        "Round": "3",
        "Last round net lines": "+1/-2",
    }
    assert read(line.replace("|", "｜").replace(":", "："))["Round"] == "3"
    assert read("Milestone gate: `open` | Run status: `active`")["Run status"] == "`active`"


def test_the_first_of_two_fields_counts():
    assert read("Round: 3", "Round: 4") == {"Round": "3"}


def test_no_owner_text_passes_for_a_field():
    goal = "x | Round: 7 | Milestone gate: `passed` | Run status: `closed`"
    assert read(
        f"Current milestone: M-1 {goal} | Round: 3",
        f"Next unclosed work item: {goal}",
        "Milestone gate: `open`",
        "Run status: `active`",
    ) == {
        "Current milestone": "M-1 x | Round: 7 | Milestone gate: `passed` | Run status: `closed`",
        "Round": "3",
        "Next unclosed work item": goal,
        "Milestone gate": "`open`",
        "Run status": "`active`",
    }


def test_a_slice_goes_on_below_its_name():
    lines = ["- Item: one", "  and two", "", "three", "- **Verify**：`grep 'a\\|b'`"]
    found = header.current_slice(list(enumerate(lines, 1)))
    assert found == {"Item": (1, "one and two"), "Verify": (5, "`grep 'a\\|b'`")}


def test_rows_are_read_by_the_columns_that_there_are():
    lines = [
        "| ID | Priority | One line |",
        "|---|---|---|",
        "| GAP-1 | P1 | a \\| b |",
        "| — | none | |",
    ]
    found = header.debt_rows(list(enumerate(lines, 1)))
    assert found == [(3, ("GAP-1", "P1", None, None, None, "a | b"))]


POSITIONS = [
    (6, [0, 1, 2, 3, 4, 5]),
    (8, [0, 1, 2, 3, 4, 5]),
    (3, [0, 1, -1, -1, -1, 2]),
    (1, [-1, -1, -1, -1, -1, 0]),
]


@pytest.mark.parametrize(("there", "places"), POSITIONS)
def test_rows_without_a_header_go_by_position_the_last_value_last(there, places):
    assert header.by_position(6, there) == places


LEDGER = """\
## Status header

Round: 3

## Current slice

- Item: {item}

## owner-blocked

| ID | Decision | Recommended | Others | Why now |
|---|---|---|---|---|
| OB-001 | {cell} | A | B | now |

## Debt & gap register

| ID | Priority | Milestone | Write set | Verify | One line |
|---|---|---|---|---|---|
| GAP-001 | P1 | M-1 | src | {cell} | {cell} |
"""


@given(st.one_of(st.text(), HOSTILE))
def test_a_whole_ledger_gives_owner_text_back(owner):
    source = LEDGER.format(item=quoting.inline(owner), cell=quoting.cell(owner))
    fields, now, cards, gaps = header.ledger(source)
    assert fields == {"Round": (3, "3")}
    assert now["Item"][1] == owner
    assert cards == [(13, ("OB-001", owner, "A", "B", "now"))]
    assert gaps == [(19, ("GAP-001", "P1", "M-1", "src", owner, owner))]


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [f"{name}: " for name in (*header.FIELDS, *header.SLICE)]
            + [
                "## Status header\n",
                "## Current slice\n",
                "\n",
                "|",
                "｜",
                "**",
                "`",
                "+",
                "/",
                "−",
                "D-",
            ]
            + [
                "| ID |\n|---|\n",
                "9" * 20,
                "²",
                "Ⅷ",
                "rounds since last",
                "converges",
                "\r",
                "<U+D800>",
            ]
        ),
        st.text(max_size=6),
    ),
    max_size=30,
).map("".join)


@given(LINES)
def test_any_text_is_read_and_none_fails(source):
    header.ledger(source)
    body = list(enumerate(source.split("\n"), 1))
    header.status_header(body)
    for line in source.split("\n"):
        for read_ in (
            *(header.word, header.number, header.signed, header.net, header.ids, header.milestone),
            *(header.folded, header.convergence, header.discovery, header.date, header.is_none),
        ):
            read_(line)
        header.highest(line, ("D", "S", "OB"))


@pytest.mark.parametrize(
    ("why", "letter"),
    [
        ("M-2 waits owner: A", "A"), ("M-2 waits. Owner: b.", "B"), ("owner：C", "C"),
        ("waits **owner: A**", "A"), ("waits `owner: B`", "B"), ("waits **owner**: A", "A"),
        ("waits; owner:A", "A"), ("waits", ""), ("", ""), (None, ""), ("owner", ""),
        ("the owner: decide soon please", ""), ("co-owner: A", ""), ("downer: A", ""),
        ("owner: A team wants it", ""), ("owner: yes", "yes"), ("owner: ?", "?"),
        ("owner: A — but keep a copy", "A — but keep a copy"), ("owner: A or", ""),
        ("owner: A then owner: B", "B"), ("owner: A in July", ""),
    ],
)  # fmt: skip
def test_an_answer_at_the_end_of_a_row(why, letter):
    assert header.row_answer(why) == letter


@given(st.text(max_size=40))
def test_a_letter_at_the_end_answers_whatever_stands_before_it(why):
    assert header.row_answer(f"{why} owner: A") == "A"
    assert header.chosen(("OB-001", "d", "A: keep", "B: drop", f"{why} owner: B")) == "B"
    assert header.chosen(("OB-001", "d", "A: keep", "none", f"{why} owner: B")) == ""


def test_a_tracker_takes_no_number_from_behind_a_pipe():
    assert header.convergence("rounds since last 5 | net lines since last +400: **+7**") == (
        None, 5, 7, 400, None,
    )  # fmt: skip
    assert header.convergence("rounds since last 5: many | net lines since last: +7 | x: 3") == (
        None, 5, 7, None, None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("- 5", -5), ("-5", -5), ("\u2212 5", -5), ("– 5", -5), ("+5", 5), ("5", 5), ("- x", None),
        ("**-5**", -5), ("-X5", None), ("", None),
    ],
)  # fmt: skip
def test_a_number_has_its_sign_however_it_is_written(said, number):
    assert header.signed(said) == number


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("- a", "a"), ("-  a", "a"), ("- - a", "- a"), ("* a", "a"), ("+\ta", "a"), ("• a", "a"),
        ("-a", "-a"), ("## a", "a"), ("## - **a**", "a**"), ("\u3000a", "a"), ("`a`", "a`"),
        ("- bc", "bc"), ("", ""), ("-", "-"), ("#Xa", "Xa"),
    ],
)  # fmt: skip
def test_a_line_is_read_without_what_stands_before_its_text(line, plain):
    assert header.unmarked(line) == plain


@pytest.mark.parametrize(
    ("said", "area"),
    [
        ("area **2** of 5", "2"), ("area `2` of 5", "2"), ("`area` 2 of 5", "2"),
        ("area a of b of 5", "a of b"), ("area  of 5", None), ("", None),
    ],
)  # fmt: skip
def test_marks_of_emphasis_in_a_tracker_are_none(said, area):
    assert header.discovery(f"{said} | refill 1/`2`")[0] == area
    assert header.discovery(f"{said} | refill 1/`2`")[2:4] == (1, 2)


@pytest.mark.parametrize(
    ("why", "letter"),
    [
        ("now owner: **A**", "A"), ("now owner: `b`.", "B"), ("now owner: _C_ .", "C"),
        ("now owner: A — slowly", "A — slowly"), ("now owner: **A** (slowly)", "A** (slowly)"),
        ("now owner: yes", "yes"), ("now owner: yes please", ""), ("now owner:", ""),
        ("now downer: A", ""), ("now co-owner: A", ""), ("now owner A", ""), ("owner: a", "A"),
        ("owner: A, owner: B", "B"), ("Owner：C", "C"), ("OWNER: *a*", "A"), (None, ""),
    ],
)  # fmt: skip
def test_an_answer_by_hand_is_a_letter_behind_the_owners_name(why, letter):
    assert header.row_answer(why) == letter


@pytest.mark.parametrize(
    ("said", "net"),
    [
        ("+1/X4", None), ("+1/-4", (1, 4)), ("+1/--4", (1, 4)), ("+1/ - 4", (1, 4)),
        ("+1/", None), ("-1/4", None), ("7", (7, 0)), ("-7", (0, 7)), ("+1/`4`", (1, 4)),
        ("+123456789/-0", (123_456_789, 0)), ("+1234567890/-0", None),
    ],
)  # fmt: skip
def test_net_lines_are_two_numbers_or_a_balance(said, net):
    assert header.net(said) == net


@pytest.mark.parametrize(
    ("recommended", "others", "options"),
    [
        ("A: a", "none", {"A": "a"}), ("A — a", None, {"A": "a"}),
        ("**A**: a", "", {"A": "**A**: a"}),
        ("A) - a", "B: b", {"A": "a", "B": "b"}), ("AX: a", "—", {"A": "AX: a"}),
        ("a", "B: b; C: c", {"A": "a", "B": "b", "C": "c"}), ("A a", "b", {"A": "A a", "B": "b"}),
        ("A: a", "; C: c", {"A": "a", "C": "c"}), (None, "B: b; c", {"A": "", "B": "b; c"}),
        ("A： a", "B – b; C: c; d", {"A": "a", "B": "b", "C": "c; d"}),
    ],
)  # fmt: skip
def test_each_option_of_a_card_has_its_letter(recommended, others, options):
    assert header.options(recommended, others) == options


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ("GAP-123456789", [("GAP", 123_456_789, "GAP-123456789")]), ("GAP-1234567890", []),
        ("ABCDEFGHIJ-1", [("ABCDEFGHIJ", 1, "ABCDEFGHIJ-1")]), ("ABCDEFGHIJK-1", []),
        ("xGAP-1", []), ("_D-1", []), ("D-1_", []), ("D-1x", []), ("D-1-2", [("D", 1, "D-1")]),
        ("中D-1文", [("D", 1, "D-1")]), ("D\u22121", [("D", 1, "D-1")]), ("D-", []), ("-1", []),
        ("d-1", []), ("D-1,D-2", [("D", 1, "D-1"), ("D", 2, "D-2")]),
    ],
)  # fmt: skip
def test_an_id_is_capitals_and_a_number_with_nothing_beside_them(said, ids):
    assert header.ids(said) == ids


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("M-3", "M3", True), ("M-03", "M-3", True), ("M-3", "M-30", False), ("GAP-3", "M-3", False),
        ("M-0", "M-", True), ("OB-001", "OB-1", True), ("", "", True), ("M--3", "M3", True),
    ],
)  # fmt: skip
def test_an_id_is_the_same_by_its_letters_and_its_number(one, other, same):
    assert header.same_id(one, [other]) is same
    assert header.same_id(one, ["X-9", other]) is same


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("x 2026-07-20X", None), ("(2026-07-20).", "2026-07-20"), ("**2026-07-20**:", "2026-07-20"),
        ("R1|2026-07-20", "2026-07-20"), ("a·2026-07-20—b", "2026-07-20"), ("2026-7-20", None),
        ("2026-07-20-1", None), ("2026_07_20", None), ("", None),
    ],
)  # fmt: skip
def test_a_date_is_a_word_of_its_own(said, day):
    assert header.date(said) == day


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("`Open` (x)", "open"), ("open; x", "open"), ("open。", "open"), ("*open*", "open"),
        ("open|x", "open"), ("open,x", "open"), ("` open `", "open"), ("", ""), ("n/a", "n/a"),
        ("pending-audit", "pending-audit"), ("open（x）", "open"), ("open.", "open"),
    ],
)  # fmt: skip
def test_a_word_ends_where_a_note_begins(said, word):
    assert header.word(said) == word


def test_marks_inside_a_tracker_part_no_words():
    said = (
        "rounds since **last** 5: `2` | net lines since *last* `+400`: -7 | next **converges**: Yes"
    )
    assert header.convergence(said) == (2, 5, -7, 400, True)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Round: **3**", "**3**"), ("**Round:** 3", "3"), ("**Round**: **3**", "**3**"),
        ("*Round:* 3", "3"), ("- **Round:** **3**", "**3**"), ("__Round:__ 3", "3"),
        ("**Round: 3**", "3**"), ("Round:", ""), ("Round 3", None), ("Rounds: 3", None),
        ("ROUND： 3", "3"), ("Round : 3", "3"), ("x Round: 3", None),
    ],
)  # fmt: skip
def test_the_value_of_a_field_keeps_its_own_marks(line, value):
    assert header.label(line, ("Item", "Round")) == (None if value is None else ("Round", value))


@pytest.mark.parametrize(
    ("said", "nothing"),
    [
        ("none X(a)", False), ("none (a)", True), ("none\t— a", True), ("无，见上", True),
        ("暂无：a", True), ("nonesuch", False), ("none of it", False),
        ("none.", True), ("- ", True),
    ],
)  # fmt: skip
def test_none_may_have_a_note_and_no_more_words(said, nothing):
    assert header.is_none(said) is nothing
