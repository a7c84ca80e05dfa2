"""An answers file: what an owner decided ahead, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from loopgraph.author import interview
from loopgraph.author.packs import Pack, PackQuestion
from loopgraph.edges import record
from loopgraph.model.errors import UsageError, nearest
from loopgraph.model.knobs import KNOBS, allowed
from loopgraph.model.messages import N_, _
from loopgraph.model.spec import Answer, Milestone

USER_KEYS: Final = (
    *("host", "supervisor_host", "client", "supervisor", "lang", "shell", "authority", "budget"),
)
"""What may stand in a user's defaults beside knobs: what a person decides once for every run."""

_NESTED: Final = ("north_star", "authority")
_MILESTONE: Final = ("outcome", "exit_checks", "audit_surface", "write_set")
_MOST: Final = 9


class Given(NamedTuple):
    """What an answers file says."""

    answers: dict[str, Answer]
    milestones: tuple[Milestone, ...]


def read(source: str, where: str) -> dict[str, object]:
    """The file's keys, nested ones as `north_star.proof`; knobs and packs are checked later."""
    data = record.load_yaml(source, where, words=True)
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise UsageError(_("an answers file is a map of keys to answers"), where=where)
    flat: dict[str, object] = {}
    for key, value in data.items():
        if key in _NESTED and isinstance(value, dict):
            flat.update({f"{key}.{inner}": found for inner, found in value.items()})
        else:
            flat[str(key)] = value
    return {key: value for key, value in flat.items() if value is not None}


def place(name: str, where: str, lines: Mapping[str, int]) -> str:
    """Where a key stands in a file, as an error names it."""
    line = lines.get(name)
    return f"{where}:{line}: {name}" if line else f"{where}: {name}"


def accept(
    flat: Mapping[str, object], pack: Pack | None, where: str, lines: Mapping[str, int]
) -> Given:
    """Check every key and value of an answers file against a pack and the tables."""
    milestones: tuple[Milestone, ...] = ()
    answers: dict[str, Answer] = {}
    for name, value in flat.items():
        if name == "milestones" and isinstance(value, list):
            milestones = _milestones(value, where)
        else:
            answers[name] = interview.accept(
                name, value, "answers file", pack, where=place(name, where, lines)
            )
    return Given(answers, milestones)


def _milestones(rows: list[object], where: str) -> tuple[Milestone, ...]:
    if not 1 <= len(rows) <= _MOST:
        raise UsageError(
            _("one to {most} milestones are allowed", most=_MOST), where=f"{where}: milestones"
        )
    wrong = {number: "; ".join(_wrong(row)) for number, row in enumerate(rows, 1)}
    bad = {number: said for number, said in wrong.items() if said}
    if bad:
        first, *more = bad
        others = [f"milestones[{number}]: {bad[number]}" for number in more]
        raise UsageError(
            "; ".join([bad[first], *others]),
            where=f"{where}: milestones[{first}]",
            fix=_("An example: loopgraph help answers"),
        )
    return tuple(
        Milestone(f"M-{number}", *(row[key].strip() for key in _MILESTONE))
        for number, row in enumerate(rows, 1)
        if isinstance(row, dict)
    )


_KINDS: Final[Mapping[type, str]] = {
    list: N_("a list"), dict: N_("a map"), bool: N_("a truth value"), int: N_("a number"),
    float: N_("a number"),
}  # fmt: skip
"""What stands where text is wanted, as YAML and JSON call it."""


def _wrong(row: object) -> Iterator[str]:
    """All that is wrong with an entry: what is missing, of another kind, or not known."""
    if not isinstance(row, dict):
        yield _("a map with {keys} is wanted", keys=", ".join(_MILESTONE))
        return
    for key in _MILESTONE:
        found = row.get(key)
        if found is None or (isinstance(found, str) and not found.strip()):
            yield _("{key} is missing", key=key)
        elif not isinstance(found, str):
            yield not_text(key, found)
    for key in row:
        if key not in _MILESTONE:
            near = nearest(str(key), _MILESTONE)
            yield _("unknown key {key}", key=repr(key)) + (f" ({near})" if near else "")


def not_text(key: str, found: object) -> str:
    """What is said where another kind of value stands in the place of text."""
    kind = _(_KINDS.get(type(found), "something else"))
    return _("{key}: text is wanted, not {kind}", key=key, kind=kind)


def example() -> tuple[str, ...]:
    """Milestones of one's own, as an answers file has them."""
    return (
        "milestones:",
        _("- outcome: Orders are stored in the new table, and the old one is still read"),
        _("  exit_checks: G-1; a restart keeps an order that was placed before it"),
        "  audit_surface: src/orders/store.py, tests/orders/",
        "  write_set: src/orders/, tests/orders/",
    )


def skeleton(
    given: Mapping[str, str] | None = None,
    *,
    preset: str = "PRESET",
    questions: Iterable[PackQuestion] = (),
    milestones: Iterable[Milestone] = (),
) -> str:
    """A commented answers file to edit: every key, its choices, every knob with its bounds.

    What is given already stands there without the comment mark, so that the file alone repeats it.
    """
    said = dict(given or {})
    lines = [
        _("# Answers for: loopgraph new {preset} --answers FILE", preset=preset),
        _("# Every key is optional: take away the mark before one to give it."),
        "",
    ]
    for key in interview.KEYS:
        means = _(key.means)
        choices = _(" One of: {names}.", names=", ".join(key.choices)) if key.choices else ""
        lines += [_("# {means}.", means=means[:1].upper() + means[1:]) + choices]
        lines += [*_filled(key.name, said), ""]
        if key.name == "milestones" and (rows := list(milestones)):
            lines[-2:] = [*_stages(rows), ""]
        elif key.name == "milestones" and key.name not in said:
            lines[-2:-1] = [_("# Or milestones of your own:"), *_marked(example()), lines[-2]]
    asked = list(questions)
    if asked:
        lines += [_("# Questions of the preset {preset}.", preset=preset), ""]
    for question in asked:
        values = "".join(f"#   {option.value}: {option.text}\n" for option in question.options)
        lines += [f"# {question.text}\n{values.rstrip()}", *_filled(question.key, said), ""]
    lines += [_("# Knobs: only what should differ."), ""]
    for knob in KNOBS:
        default = "" if knob.default is None else str(knob.default)
        lines += [
            _("# {meaning} ({bounds})", meaning=_(knob.meaning), bounds=allowed(knob)),
            *_filled(knob.name, said, default),
            "",
        ]
    return "\n".join(lines)


def _filled(key: str, given: Mapping[str, str], otherwise: str = "") -> list[str]:
    if key not in given:
        return [f"#{key}: {otherwise}".rstrip()]
    return record.dump_yaml({key: given[key]}).rstrip("\n").split("\n")


def _marked(lines: Iterable[str]) -> list[str]:
    return [f"#   {line}" for line in lines]


def _stages(rows: Iterable[Milestone]) -> list[str]:
    data = [{name: getattr(row, name) for name in _MILESTONE} for row in rows]
    return record.dump_yaml({"milestones": data}).rstrip("\n").split("\n")
