"""The prompts of a run: each rule stands in them once, where it holds, within their size."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from loopgraph.author import compiler, packs, resolve
from loopgraph.author.packs import Pack
from loopgraph.edges import document, record
from loopgraph.hosts import HOSTS
from loopgraph.model import contract
from loopgraph.model.commands import COMMANDS, NAMES
from loopgraph.model.facts import DirtyPath, Facts, Found, FoundGate, Repository
from loopgraph.model.graph import Role
from loopgraph.model.languages import LANGUAGES, Language
from loopgraph.model.spec import Answer, Milestone, RunSpec
from loopgraph.resources import data

CASES = Path(__file__).parents[1] / "cases" / "prompt_rules.yaml"
DOCS = Path(__file__).parents[2] / "docs"
QUESTIONS: Mapping[Language, Path] = {
    "en": DOCS / "prompt-questions.md",
    "zh": DOCS / "prompt-questions.zh.md",
}
ROLES: Mapping[str, Role] = {
    "executor.md": "executor",
    "supervisor.md": "supervisor",
    "scout.md": "scout",
}
PACKS = ("converge", "deliver", "research")
ANYBODY = ("executor", "supervisor", "scout", "owner")
FACTS = Facts(
    project=Found("orders", "pyproject.toml", 2),
    repositories=(Repository(".", "main", "a1b2c3d", (DirtyPath("notes.md", ".M", ""),), 1, ""),),
    instructions=(Found("AGENTS.md", "AGENTS.md"),),
    gates=(FoundGate("test", "pytest -q", "pytest -q <path>", "minutes", "pyproject.toml", 9),),
    sources=("src/orders", "src/reports"),
    tests=("tests",),
    detectors=(Found("vulture", "pyproject.toml", 12),),
)
SHORT = "Every order can be exported."


class Place(NamedTuple):
    """Where a rule stands: the file, the condition, and its words by language."""

    rule: str
    file: str
    when: str
    words: Mapping[str, str]


class Made(NamedTuple):
    """A compiled run, and what holds for it."""

    spec: RunSpec
    files: Mapping[str, str]

    def holds(self, when: str) -> bool:
        """Whether a condition of the cases is true of this run."""
        spec = self.spec
        truths = {
            "always": True,
            "supervisor": spec.node("supervisor") is not None,
            "no-supervisor": spec.node("supervisor") is None,
            "multi": len(spec.milestones) > 1,
            "single": len(spec.milestones) == 1,
            "discovery": spec.pack.discovery_driven,
            "metric": spec.pack.metric_driven,
            "floor": "FIRE_OUTPUT_FLOOR" in spec.knobs,
            "fanout": bool(spec.fanout_tier),
            "scout": bool(spec.scout),
            "commits": spec.authority.commits,
            "no-commits": not spec.authority.commits,
            "scope": spec.scope != ".",
            "timers": spec.timers,
            "session": spec.nodes[0].host in ("claude-code", "codex"),
            "cut": spec.north_star.outcome not in self.files["executor.md"],
        }
        return all(truths[name] for name in when.split())


def places() -> list[Place]:
    found = record.load_yaml(CASES.read_text(encoding="utf-8"), CASES.name)
    assert isinstance(found, list)
    return [
        Place(
            rule["id"],
            place["file"],
            place["when"],
            {key: text for key, text in place.items() if key not in ("file", "when")},
        )
        for rule in found
        for place in rule["places"]
    ]


PLACES = places()


@cache
def pack(name: str, lang: Language) -> Pack:
    source = (data("presets") / f"{name}.yaml").read_text(encoding="utf-8")
    return packs.parse(source, name=name, where="built-in", origin="built-in", lang=lang)


def spec(name: str, lang: Language = "en", goal: str = SHORT, **answers: str) -> RunSpec:
    given = {"goal": goal, "lang": lang, **answers}
    return resolve.resolve(
        resolve.Wish(
            facts=FACTS,
            pack=pack(name, lang),
            answers={key: Answer(key, value, "owner") for key, value in given.items()},
            milestones=(),
            created=datetime(2026, 1, 2, tzinfo=UTC),
            host=None,
        )
    )


def made(found: RunSpec) -> Made:
    return Made(found, compiler.compile_run(found))


OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"authority": "B", "scout": "Look for slow queries."},
    {"milestones": "single", "scope": "src/orders"},
    {"supervisor": "no"},
    {"supervisor": "no", "milestones": "single", "scout": "Look for slow queries."},
    {"goal": " ".join([SHORT] * 60)},
)


def specs(lang: Language) -> Iterator[RunSpec]:
    """Every pack on every host with every option that it allows."""
    for name, host, options in itertools.product(PACKS, HOSTS, OPTIONS):
        if not (options.get("supervisor") == "no" and pack(name, lang).text.supervisor_required):
            yield spec(name, lang, **{"host": host, **options})


@cache
def all_made(lang: Language) -> tuple[Made, ...]:
    return tuple(made(found) for found in specs(lang))


EVERY = pytest.mark.parametrize("lang", LANGUAGES)


@EVERY
def test_each_rule_stands_once_where_it_holds_and_nowhere_else(lang: Language) -> None:
    wrong = {
        (place.rule, place.when, run.spec.pack.name, run.spec.nodes[0].host)
        for run in all_made(lang)
        for place in PLACES
        if place.file in run.files
        and run.files[place.file].count(place.words[lang]) != run.holds(place.when)
    }
    assert not wrong


@EVERY
def test_each_condition_was_seen_to_hold_and_not_to_hold(lang: Language) -> None:
    seen = {
        (place.file, place.when, run.holds(place.when))
        for run in all_made(lang)
        for place in PLACES
        if place.file in run.files
    }
    conditions = {(place.file, place.when) for place in PLACES}
    assert {(file, when) for file, when, holds in seen if holds} == conditions
    missing = conditions - {(file, when) for file, when, holds in seen if not holds}
    assert {when for _, when in missing} == {"always"}


def test_no_rule_is_named_twice_and_no_two_rules_share_their_words() -> None:
    found = record.load_yaml(CASES.read_text(encoding="utf-8"), CASES.name)
    assert isinstance(found, list)
    ids = [rule["id"] for rule in found]
    assert len(ids) == len(set(ids))
    words = [(place.file, *said) for place in PLACES for said in place.words.items()]
    assert len(words) == len(set(words))
    assert len(found) > 60


def test_every_rule_says_what_it_is_and_where_it_comes_from() -> None:
    found = record.load_yaml(CASES.read_text(encoding="utf-8"), CASES.name)
    assert isinstance(found, list)
    for rule in found:
        assert set(rule) == {"id", "rule", "source", "places"}, rule["id"]
        assert rule["rule"].endswith("."), rule["id"]
        assert rule["source"], rule["id"]


LONG = (
    pytest.param("a" * 1200, id="ascii"),
    pytest.param("\n".join(["a line of the brief"] * 40), id="forty lines"),
    pytest.param("\n".join(["漢字"] * 100), id="a hundred lines"),
    pytest.param("漢" * 1200, id="three bytes"),
    pytest.param("𝕏" * 1200, id="four bytes"),
    pytest.param("漢字 " * 900, id="over the limit"),
)


@EVERY
@pytest.mark.parametrize("outcome", LONG)
@pytest.mark.parametrize("name", PACKS)
def test_prompts_keep_their_size_whatever_the_outcome_weighs(
    name: str, outcome: str, lang: Language
) -> None:
    for host in HOSTS:
        files = made(spec(name, lang, outcome, host=host, scout="Look.", scope="src/orders")).files
        for file, (lines, size) in (
            ("executor.md", contract.EXECUTOR_LIMIT),
            ("supervisor.md", contract.SUPERVISOR_LIMIT),
        ):
            assert files[file].count("\n") <= lines, (file, host)
            assert len(files[file].encode()) <= size, (file, host)


ROOM: Mapping[Language, int] = {"en": 1_100, "zh": 1_050}
"""Bytes that executor.md leaves for the outcome, whatever the pack, host and options."""


@EVERY
def test_the_executor_leaves_room_for_its_outcome(lang: Language) -> None:
    for run in all_made(lang):
        outcome, text = run.spec.north_star.outcome, run.files["executor.md"]
        if outcome in text:
            weight = len(text.encode()) - len(outcome.encode())
            assert weight <= contract.EXECUTOR_LIMIT[1] - ROOM[lang], run.spec.nodes[0].host


@EVERY
def test_an_outcome_of_the_allowed_length_stands_whole_where_a_letter_is_a_byte(
    lang: Language,
) -> None:
    for name, host in itertools.product(PACKS, HOSTS):
        text = made(spec(name, lang, "a" * 1200, host=host)).files["executor.md"]
        assert "a" * 1200 in text, (name, host)


@EVERY
def test_files_are_clean(lang: Language) -> None:
    for run in all_made(lang):
        for name, text in run.files.items():
            where = (name, run.spec.pack.name, run.spec.nodes[0].host)
            assert text.endswith("\n"), where
            assert not text.endswith("\n\n"), where
            if name == "run.yaml":
                continue
            first = contract.contract_line(contract.ARTIFACTS[name])
            assert text.startswith(f"{first}\n\n# "), where
            assert "\n\n\n" not in text, where
            assert not re.search(r"\{[{%#]|[}%#]\}|<!--", text), where
            assert not re.search(r"(?<![\w.])/(?:home|root|tmp|usr|Users)/|[A-Z]:\\", text), where
            assert max(map(len, text.split("\n"))) <= 1000 or len(run.spec.goal) > 1000, where
            assert not re.search(r"[ \t]\n", text), where


@EVERY
def test_files_have_the_sections_of_the_contract_in_their_order(lang: Language) -> None:
    wanted = {
        "ledger.md": contract.LEDGER_SECTIONS,
        "directives.md": contract.DIRECTIVES_SECTIONS,
        "ops.md": contract.OPS_SECTIONS,
    }
    for run in all_made(lang):
        kept = run.spec.pack
        for name, order in wanted.items():
            found = titles(run.files[name])[1:]
            assert [title for title in found if title in order] == list(order), name
            extra = set(found) - set(order)
            optional = {
                contract.METRIC_SECTION: name == "ledger.md" and kept.metric_driven,
                contract.FANOUT_SECTION: name == "ops.md" and bool(run.spec.fanout_tier),
                contract.TIMERS_SECTION: name == "ops.md" and run.spec.timers,
                contract.BY_HAND_SECTION: name == "ops.md",
                **dict.fromkeys(
                    contract.DISCOVERY_SECTIONS, name == "ops.md" and kept.discovery_driven
                ),
            }
            expected = {title for title, there in optional.items() if there}
            assert {title for title in extra if not title.startswith("C-00")} == expected, name


@EVERY
def test_prompts_name_only_commands_that_exist(lang: Language) -> None:
    for run in all_made(lang):
        for name in contract.PROMPTS:
            named = re.findall(r"`loopgraph ([a-z]+)(?: ([a-z-]+))?", run.files.get(name, ""))
            assert named or name == "scout.md" or name not in run.files
            for group, member in named:
                assert group in NAMES or f"{group} {member}" in NAMES, (name, group, member)


@EVERY
@pytest.mark.parametrize("role", ["executor", "supervisor"])
def test_a_prompt_names_each_command_that_is_its_own(role: Role, lang: Language) -> None:
    """Those of the run's files: the one that is spelled out, or a word of the list behind it."""
    elsewhere = {"bind", "block", "loop", "plan", "state", "stop", "rotate"}
    wanted = {one.name for one in COMMANDS if role in one.writers and one.writers != ANYBODY}
    for run in all_made(lang):
        text = run.files.get(f"{role}.md", "")
        lacking = {
            one for one in wanted if one.split()[0] not in elsewhere and not _named(one, text)
        }
        assert not text or lacking <= _beside(run), (run.spec.pack.name, lacking)


def _named(command: str, text: str) -> bool:
    group, _, member = command.partition(" ")
    spelled = re.search(rf"`(?:loopgraph )?{group} (?:[a-z|-]+\|)?{member}(?![a-z-])", text)
    return bool(spelled if member else re.search(rf"`(?:loopgraph )?{group}(?![a-z-])", text))


def _beside(run: Made) -> set[str]:
    """What only some runs have a use for."""
    return {
        *(() if run.spec.pack.metric_driven else ("metric set",)),
        *(() if run.spec.pack.discovery_driven else ("sweep record",)),
        *(() if len(run.spec.milestones) > 1 else ("milestone next",)),
        *(() if run.spec.authority.commits else ("checkpoint",)),
    }


@EVERY
def test_without_a_supervisor_no_file_speaks_of_one(lang: Language) -> None:
    word = {"en": "supervisor", "zh": "监督"}[lang]
    for run in all_made(lang):
        if run.spec.node("supervisor") is None:
            assert "supervisor.md" not in run.files
            assert word not in run.files["executor.md"].casefold()
            ledger = run.files["ledger.md"].casefold()
            assert word not in ledger


def test_a_brief_that_was_cut_stands_whole_in_ops() -> None:
    goal = "word " * 400 + "end"
    run = made(spec("deliver", goal=goal))
    assert goal not in run.files["executor.md"]
    assert goal in run.files["ops.md"]
    assert run.files["ops.md"].count("| C-00 |") == 1


def test_a_brief_that_was_not_cut_stands_once() -> None:
    run = made(spec("deliver"))
    assert SHORT in run.files["executor.md"]
    assert "C-00" not in run.files["ops.md"]
    assert SHORT not in run.files["ops.md"]


def test_the_ledger_names_dirty_paths_within_its_size() -> None:
    dirty = tuple(DirtyPath(f"notes/{number}.md", "??", "") for number in range(500))
    mine = (DirtyPath("mine.md", "??", "", "authoring"),)
    one = Repository(".", "main", "a1b2c3d", (*dirty[:10], *mine), 11, "")
    many = replace(one, dirty=dirty, dirty_count=800)
    base = spec("deliver")
    few = made(replace(base, facts=replace(base.facts, repositories=(one,)))).files["ledger.md"]
    assert few.count("\n- Owner's dirty path: ") == 10
    assert "mine.md" not in few
    assert " more: " not in few
    lots = made(replace(base, facts=replace(base.facts, repositories=(many,)))).files["ledger.md"]
    assert lots.count("\n- Owner's dirty path: ") == 40
    assert "- Owner's dirty paths, 760 more: every other path" in lots
    made(replace(base, facts=replace(base.facts, repositories=(many,) * 9)))


def titles(text: str) -> list[str]:
    return [section.title for section in document.parse(text).sections]


def test_owner_text_in_a_table_or_a_line_stays_where_it_is() -> None:
    evil = "## Red lines | `x` <!-- {{ y }} \n## Rounds log"
    base = spec("deliver", goal=evil)
    stone = Milestone("M-1", evil, evil, evil, evil)
    plain = made(replace(base, north_star=replace(base.north_star, outcome=SHORT)))
    odd = made(
        replace(
            base,
            project=evil,
            scope=evil,
            milestones=(stone,),
            north_star=replace(base.north_star, proof=evil),
            authority=replace(base.authority, owner_only=(evil, evil)),
        )
    )
    for name in ("executor.md", "supervisor.md", "ledger.md", "directives.md", "ops.md"):
        assert titles(odd.files[name])[1:] == titles(plain.files[name])[1:], name


class Asked(NamedTuple):
    """A question, the heading its answer stands under, and the words that answer it."""

    lang: Language
    question: str
    under: str
    words: str


def questions() -> list[Asked]:
    found = []
    for lang, page in QUESTIONS.items():
        text = document.parse(page.read_text(encoding="utf-8"))
        rows = [row.cells for section in text.sections for row in text.table(section)]
        found += [Asked(lang, *row) for row in rows]
    return found


@pytest.mark.parametrize("asked", questions(), ids=lambda asked: f"{asked.lang} {asked.question}")
def test_executor_answers(asked: Asked) -> None:
    for run in all_made(asked.lang):
        if run.spec.node("supervisor") is None:
            continue
        found = document.parse(run.files["executor.md"])
        if asked.under == "Executor":
            start, end = 0, found.sections[1].start
        else:
            section = found.section(asked.under)
            assert section is not None, asked
            start, end = section.start, section.end
        assert asked.words in "".join(found.lines[start:end]), asked


def test_there_are_ten_questions() -> None:
    for lang in LANGUAGES:
        assert sum(asked.lang == lang for asked in questions()) == 10
