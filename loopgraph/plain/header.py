"""What the Stop hook, `check` and `status` read in a ledger: header, slice, cards, debt rows.

Plain tuples out, nothing refused. None means unknown: a field that is missing, or one that
says something nobody can read as its value, is not zero. The body of a section comes in as
`(number, line)` pairs without code and comments.
"""

from __future__ import annotations

from loopgraph.plain import quoting, tables, text

FIELDS = (
    "Current milestone",
    "Round",
    "Last round net lines",
    "Next unclosed work item",
    "Last directive folded",
    "Highest ids",
    "Convergence tracker",
    "Discovery tracker",
    "Milestone gate",
    "Run status",
)
"""Field names of the Status header."""

SLICE = ("Item", "Write set", "Context", "Verify", "Done when")
"""Field names of the Current slice."""

CARD_COLUMNS = ("ID", "Decision", "Recommended", "Others", "Why now")
GAP_COLUMNS = ("ID", "Priority", "Milestone", "Write set", "Verify", "One line")
"""What the header of a canonical table says."""

_CARD_TITLES = (("id",), ("decision",), ("recommend",), ("other",), ("why",))
_GAP_TITLES = (
    ("id",),
    ("priority",),
    ("milestone",),
    ("write",),
    ("verify",),
    ("one line", "line", "gap"),
)
SCORE_TITLES = (("gate",), ("status", "state"), ("evidence", "next"))
"""By what the columns of the Gate scoreboard are known."""

_FLAT = str.maketrans(
    "\u2212\uff0d\ufe63\u2010\u2011\uff0b\uff1a\uff08\uff09\uff0c\uff0f\uff5c\u3000\u00a0"
    "０１２３４５６７８９",
    "-----+:(),/|  0123456789",
)
_DIGITS = "0123456789"
_LONG = 10
"""No number and no kind of id of a run has so many characters."""
_BLANKS = " \t\u00a0\u3000"
_EMPHASIS = "*_`"
_NOTE = ("yet", "(", "—", "–", "-", ":", ";", ",", ".")
_NOTED = ("(", "—", "–", "-", ":", ";", ",", ".")
_NONE = ("", "-", "—", "–", "none", "n/a", "无", "暂无")


def flat(value: str) -> str:
    """Minus signs, full-width digits and punctuation, and wide blanks as ASCII."""
    return value if value.isascii() else value.translate(_FLAT)


def is_none(value: str) -> bool:
    """Whether a value says that there is nothing: `none`, `（none）`, `(none — see …)`, a dash."""
    said = flat(value).strip(" \t()*_`.。").casefold()
    if said in _NONE:
        return True
    for name in ("none", "无", "暂无"):
        rest = said.removeprefix(name).lstrip(" \t")
        if rest != said and rest.startswith(_NOTE):
            return True
    return False


def word(value: str) -> str:
    """The word that a field says: what its first code span holds, else what comes before a note."""
    said = flat(value).strip(" \t*_")
    if said.startswith("`"):
        return said[1:].partition("`")[0].strip(" \t*_").casefold()
    for end in " \t(,;。；|":
        said = said.partition(end)[0]
    return said.strip("*_`.").casefold()


def _whole(digits: str) -> int | None:
    """A number of a size that a run may have; longer ones are no number at all."""
    return int(digits) if 0 < len(digits) < _LONG else None


def _digits_end(said: str, at: int) -> int:
    while said[at : at + 1] in _DIGITS and at < len(said):
        at += 1
    return at


def number(value: str) -> int | None:
    """The number that a field begins with (`9`, `**9**`, `R9`, `+400`)."""
    said = flat(value).strip(" \t*_`").removeprefix("R").removeprefix("+")
    return _whole(said[: len(said) - len(said.lstrip(_DIGITS))])


def signed(value: str) -> int | None:
    """The signed number that a field begins with."""
    said = flat(value).replace("–", "-").strip(" \t*_`")
    found = number(said.removeprefix("-").lstrip(" "))
    return -found if found is not None and said.startswith("-") else found


def net(value: str) -> tuple[int, int] | None:
    """Lines added and removed (`+18/−4`); one number alone is a balance."""
    said = flat(value).replace("–", "-").strip(" \t*_`")
    first, slash, second = said.partition("/")
    added = signed(first)
    if added is None:
        return None
    if not slash:
        return max(added, 0), max(-added, 0)
    removed = number(second.strip(" \t*_`").lstrip("-").lstrip(" "))
    return None if removed is None or added < 0 else (added, removed)


def date(said: str) -> str | None:
    """The first `2026-07-20` in a text, whether there is such a day or not."""
    for token in flat(said).replace("|", " ").replace("·", " ").replace("—", " ").split():
        day = token.strip("*_`()[],;:.")
        parts = day.split("-")
        if [len(part) for part in parts] == [4, 2, 2] and not day.strip(_DIGITS + "-"):
            if day.replace("-", "").isdigit():
                return day
    return None


def ids(value: str) -> list[tuple[str, int, str]]:
    """Every id in a text (`GAP-012`, `D-3`, `M-1`): its letters, its number, as it is written."""
    said = flat(value)
    found: list[tuple[str, int, str]] = []
    at = said.find("-")
    while at >= 0:
        start = at
        while start and at - start < _LONG and "A" <= said[start - 1] <= "Z":
            start -= 1
        end = _digits_end(said, at + 1)
        size = _whole(said[at + 1 : end])
        free = not (start and _joins(said[start - 1])) and not _joins(said[end : end + 1])
        if start < at and size is not None and free:
            found.append((said[start:at], size, said[start:end]))
        at = said.find("-", at + 1)
    return found


def _joins(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")


def milestone(value: str) -> str | None:
    """The id of a milestone as it is written (`M-1`, `M3`); None for a run with a single goal."""
    said = flat(value).strip(" \t*_`")
    end = _digits_end(said, 2 if said[1:2] == "-" else 1)
    if said[:1] != "M" or said[end - 1 : end] not in _DIGITS or _joins(said[end : end + 1]):
        return None
    return said[:end] if end > 1 else None


def same_id(wanted: str, known: list[str]) -> bool:
    """Whether an id is one of those, however it is written: `M3`, `M-3`, `M-03`."""
    return bare_id(wanted) in [bare_id(one) for one in known]


def bare_id(written: str) -> tuple[str, str]:
    """Letters and number of an id, in one way of writing."""
    letters = written.rstrip(_DIGITS)
    return letters.rstrip("-"), written[len(letters) :].lstrip("0")


def folded(value: str) -> int | None:
    """The watermark: the number of the last folded directive, 0 for none."""
    if value.strip() and is_none(value):
        return 0
    return next((size for letters, size, _ in ids(value) if letters == "D"), None)


def highest(value: str, order: tuple[str, ...]) -> dict[str, int]:
    """The highest number by kind of id; a kind that is not named is absent.

    In the canonical form the kinds stand in order, and one without any id says none, with or
    without its letters (`GAP none`).
    """
    found: dict[str, int] = {}
    for letters, size, _ in ids(value):
        found[letters] = max(size, found.get(letters, 0))
    places = flat(value).split("|")
    for letters, place in zip(order, places, strict=False):
        said = place.strip().removeprefix(letters)
        if said and is_none(said):
            found.setdefault(letters, 0)
    return found


def convergence(
    value: str,
) -> tuple[int | None, int | None, int | None, int | None, bool | None]:
    """Rounds since the last convergence, their limit, net lines since, their limit, the flag."""
    said = flat(value).replace("*", "").replace("`", "").casefold()
    every, _, rounds = _after(said, "rounds since last").partition(":")
    cap, _, lines = _after(said, "net lines since last").partition(":")
    flag = word(_after(said, "converges").lstrip(" :"))
    due = {"yes": True, "no": False}.get(flag)
    return number(rounds), number(every), signed(lines), number(cap), due


def discovery(
    value: str,
) -> tuple[str | None, int | None, int | None, int | None, int | None, int | None, int | None]:
    """Area, areas in all, refill found and done, yields of the last two sweeps, their floor."""
    said = flat(value).replace("*", "").replace("`", "")
    area, _, areas = _after(said, "area").rpartition(" of ")
    found, _, done = _after(said, "refill").partition("/")
    before, _, last = _after(said, "sweep yields").partition("(")[0].partition(",")
    floor = number(said.partition("floor")[2])
    return (
        area.strip() or None,
        number(areas),
        number(found),
        number(done),
        number(before),
        number(last),
        floor,
    )


def _after(said: str, phrase: str) -> str:
    """What follows a phrase, up to the next pipe."""
    return said.partition(phrase)[2].partition("|")[0]


def unmarked(line: str) -> str:
    """A line without what may stand before its text: blanks, hashes, a list mark, emphasis."""
    said = line.strip(_BLANKS)
    if said[:1].isalnum():
        return said
    said = said.lstrip("#").lstrip(_BLANKS)
    if said[:1] in ("-", "*", "+", "•") and said[1:2] in (" ", "\t"):
        said = said[1:].lstrip(_BLANKS)
    return said.lstrip(_EMPHASIS)


def label(line: str, names: tuple[str, ...]) -> tuple[str, str] | None:
    """The field that a line begins with and its value, or None; marks around the name are none."""
    if ":" not in line and "：" not in line:
        return None
    plain = unmarked(line)
    begins = plain.casefold()
    for name, low in _lowered(names).get(begins[:1], ()):
        if not begins.startswith(low) or plain[: len(name)].casefold() != low:
            continue
        rest = plain[len(name) :].lstrip(_EMPHASIS + _BLANKS)
        if rest[:1] in (":", "："):
            value = rest[1:].strip(_BLANKS)
            closed = plain[len(name)] in _EMPHASIS
            marks = "" if closed else value[: len(value) - len(value.lstrip("*_"))]
            before = line.rstrip(_BLANKS)[: -len(plain)]
            bold = marks and before.endswith(marks)
            return name, value[len(marks) :].lstrip(_BLANKS) if bold else value
    return None


_LOWERED: dict[tuple[str, ...], dict[str, list[tuple[str, str]]]] = {}
"""Names and how they begin a line in lower case, by their first letter; there are as many entries
as kinds of section."""


def _lowered(names: tuple[str, ...]) -> dict[str, list[tuple[str, str]]]:
    found = _LOWERED.get(names)
    if found is None:
        found = _LOWERED[names] = {}
        for name in names:
            low = name.casefold()
            found.setdefault(low[:1], []).append((name, low))
    return found


def fields(
    body: list[tuple[int, str]], names: tuple[str, ...], *, wrapped: bool = False
) -> dict[str, tuple[int, str]]:
    """Each field that is there, by its name: the number of its line, and its raw value.

    A name at the beginning of a line counts first; one behind a pipe only where no line
    begins with it, so that no pipe in somebody's text can pass for a field. With `wrapped`,
    lines that begin with no name go on with the value above, up to a blank line.
    """
    found: dict[str, tuple[int, str]] = {}
    last = ""
    for at, line in body:
        named = label(line, names)
        if named:
            last = named[0] if named[0] not in found else ""
            found.setdefault(named[0], (at, named[1]))
        elif last and wrapped and line.strip(_BLANKS):
            first, value = found[last]
            found[last] = (first, f"{value} {line.strip(_BLANKS)}".strip())
        else:
            last = ""
    return found if wrapped else _behind_pipes(body, names, found)


def _behind_pipes(
    body: list[tuple[int, str]], names: tuple[str, ...], found: dict[str, tuple[int, str]]
) -> dict[str, tuple[int, str]]:
    for at, line in body:
        free = tuple(name for name in names if name not in found)
        parts = quoting.pieces(line.replace("｜", "|"))
        places: dict[str, tuple[int, str]] = {}
        for place, part in enumerate(parts):
            named = label(part, free) if place else None
            if named:
                places[named[0]] = (place, named[1])
        if not places:
            continue
        end = len(parts)
        for name, (place, value) in sorted(places.items(), key=_place, reverse=True):
            alone = place + 1 == end
            said = value.rstrip(_BLANKS) if alone else _labelled(parts[place:end], name)
            found[name] = (at, said)
            end = place
        first = label(line, names)
        if first and found[first[0]][0] == at:
            found[first[0]] = (at, _labelled(parts[:end], first[0]))
    return found


def _place(item: tuple[str, tuple[int, str]]) -> int:
    return item[1][0]


def _labelled(parts: list[str], name: str) -> str:
    named = label("|".join(parts), (name,))
    return named[1].rstrip(_BLANKS) if named else ""


def status_header(
    body: list[tuple[int, str]],
) -> tuple[
    dict[str, tuple[int, str]],
    str | None,
    str | None,
    str | None,
    int | None,
    tuple[int, int] | None,
    str | None,
    int | None,
    dict[str, int],
]:
    """Fields, status, gate, milestone, round, net lines, next item, watermark, highest ids."""
    found = fields(body, FIELDS)
    values = {name: value for name, (_, value) in found.items() if value}
    item = values.get("Next unclosed work item")
    status, gate = values.get("Run status"), values.get("Milestone gate")
    return (
        found,
        word(status) or None if status else None,
        word(gate) or None if gate else None,
        milestone(values.get("Current milestone", "")),
        number(values.get("Round", "")),
        net(values.get("Last round net lines", "")),
        quoting.unquote(item) if item else None,
        folded(values.get("Last directive folded", "")),
        highest(values.get("Highest ids", ""), ("GAP", "OB")),
    )


def current_slice(body: list[tuple[int, str]]) -> dict[str, tuple[int, str]]:
    """The fields of the slice that are there, each with its line; values are owner text."""
    return {
        name: (at, quoting.unquote(value))
        for name, (at, value) in fields(body, SLICE, wrapped=True).items()
    }


def open_cards(body: list[tuple[int, str]]) -> list[tuple[int, tuple[str | None, ...]]]:
    """Each decision card in a table: its line, and its values by CARD_COLUMNS."""
    return rows(body, _CARD_TITLES)


def options(recommended: str | None, others: str | None) -> dict[str, str]:
    """What each letter of a card stands for: A is the recommended one."""
    told = {"A": _option(recommended or "", "A")}
    rest = others or ""
    if is_none(rest):
        return told
    at_c = rest.find("; C: ")
    parts = [rest[: at_c if at_c >= 0 else None], rest[at_c + 2 :] if at_c >= 0 else ""]
    for letter, said in zip("BC", parts, strict=True):
        if said.strip():
            told[letter] = _option(said, letter)
    return told


def _option(said: str, letter: str) -> str:
    """An option without its letter: `A: keep it`, `A — keep it`."""
    plain = said.strip()
    rest = plain.removeprefix(letter).lstrip(" \t*_`)")
    if rest != plain and rest[:1] in (":", "：", "—", "–", "-"):
        return rest[1:].strip()
    return plain


def row_answer(why: str | None) -> str:
    """What an owner wrote by hand at the end of a card's Why now: `A` of `owner: A`, else empty.

    One word that is no letter, and a letter with words behind it, come back as they stand: they
    look like an answer, and answer nothing.
    """
    said = flat(why or "").strip(" \t")
    at = max(said.rfind(name) for name in ("owner", "Owner", "OWNER"))
    before, rest = said[max(at - 1, 0) : max(at, 0)], said[at + 5 :].lstrip(_EMPHASIS + " \t")
    if at < 0 or _joins(before) or before == "-" or rest[:1] != ":":
        return ""
    given = rest[1:].strip(" \t" + _EMPHASIS)
    letter = given.rstrip(" \t.。" + _EMPHASIS)
    if len(letter) == 1:
        return letter.upper()
    noted = "A" <= given[:1] <= "Z" and given[1:].lstrip(" \t" + _EMPHASIS)[:1] in _NOTED
    return given if noted or (given and len(given.split()) == 1) else ""


def chosen(values: tuple[str | None, ...]) -> str:
    """The letter by which a card, its values by CARD_COLUMNS, is answered in its row; else empty.

    A letter that the card does not have answers nothing.
    """
    letter = row_answer(values[4])
    return letter if letter and letter in options(values[2], values[3]) else ""


def debt_rows(body: list[tuple[int, str]]) -> list[tuple[int, tuple[str | None, ...]]]:
    """Each debt row: its line, and its values by GAP_COLUMNS; None where it has no such column."""
    return rows(body, _GAP_TITLES)


def score_rows(body: list[tuple[int, str]]) -> list[tuple[int, tuple[str | None, ...]]]:
    """Each row of the Gate scoreboard: its line, and its gate, status and evidence."""
    return rows(body, SCORE_TITLES)


def rows(
    body: list[tuple[int, str]], titles: tuple[tuple[str, ...], ...]
) -> list[tuple[int, tuple[str | None, ...]]]:
    """The rows of a section's tables by named column; rows that say none in each cell are none.

    Under a header that names no known column they go by position, the last value last.
    """
    found: list[tuple[int, tuple[str | None, ...]]] = []
    for _, header, cells_of in tables.tables(body):
        order = tables.columns(header, titles)
        for at, cells in cells_of:
            if all(is_none(cell) for cell in cells):
                continue
            places = order or by_position(len(titles), len(cells))
            found.append((at, tuple(_value(cells, place) for place in places)))
    return found


def by_position(wanted: int, there: int) -> list[int]:
    """Where each of the wanted columns is among fewer or more cells, without a header to ask."""
    if there >= wanted:
        return list(range(wanted))
    ahead = list(range(max(there - 1, 0)))
    return [*ahead, *[-1] * (wanted - len(ahead) - 1), there - 1]


def _value(cells: list[str], place: int) -> str | None:
    return quoting.uncell(cells[place]) if 0 <= place < len(cells) else None


def ledger(
    source: str,
) -> tuple[
    dict[str, tuple[int, str]],
    dict[str, tuple[int, str]],
    list[tuple[int, tuple[str | None, ...]]],
    list[tuple[int, tuple[str | None, ...]]],
]:
    """A whole ledger: header fields, slice fields, open cards, debt rows."""
    body = text.bodies(source)
    return (
        fields(body("Status header"), FIELDS),
        current_slice(body("Current slice")),
        open_cards(body("owner-blocked")),
        debt_rows(body("Debt & gap register")),
    )
