"""Freshly compiled runs, for rules to be silent on and for breaches to be planted in."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache

from loopgraph.author import compiler, packs, resolve
from loopgraph.author.packs import Pack
from loopgraph.edges import record
from loopgraph.edges import run as edge
from loopgraph.edges.run import Run
from loopgraph.hosts import HOSTS
from loopgraph.model import languages
from loopgraph.model.facts import DirtyPath, Facts, Found, FoundGate, GapSeed, Language, Repository
from loopgraph.model.spec import Answer, RunSpec
from loopgraph.resources import data

PACKS = ("converge", "deliver", "research")
FACTS = Facts(
    project=Found("orders", "pyproject.toml", 2),
    repositories=(
        Repository(".", "main", "a1b2c3d", (DirtyPath("notes.md", ".M", "e69de29"),), 1, "0" * 64),
    ),
    instructions=(Found("AGENTS.md", "AGENTS.md"),),
    gates=(
        FoundGate("test", "pytest -q", "pytest -q <path>", "minutes", "pyproject.toml", 9),
        FoundGate("lint", "ruff check", "", "seconds", "pyproject.toml", 12),
    ),
    languages=(Language("Python", 40),),
    sources=("src/orders", "src/reports"),
    tests=("tests",),
    detectors=(Found("vulture", "pyproject.toml", 12),),
    gaps=tuple(
        GapSeed("P2", f"src/orders/{name}", "pytest -q", f"no test reads {name}")
        for name in ("totals", "export", "stock")
    ),
)
GOAL = "Every order can be exported."


@cache
def pack(name: str, lang: languages.Language = "en") -> Pack:
    """A built-in pack in one language."""
    source = (data("presets") / f"{name}.yaml").read_text(encoding="utf-8")
    return packs.parse(source, name=name, where="built-in", origin="built-in", lang=lang)


def spec(
    name: str = "deliver",
    *,
    facts: Facts = FACTS,
    lang: languages.Language = "en",
    absent: tuple[str, ...] = (),
    **answers: str,
) -> RunSpec:
    """A run of that pack with these answers."""
    given = {"goal": GOAL, "host": "claude-code", "lang": lang, **answers}
    return resolve.resolve(
        resolve.Wish(
            facts=facts,
            pack=pack(name, lang),
            answers={key: Answer(key, value, "owner") for key, value in given.items()},
            milestones=(),
            created=datetime(2026, 1, 2, tzinfo=UTC),
            host=None,
            absent=absent,
        )
    )


@cache
def files(
    name: str = "deliver", lang: languages.Language = "en", **answers: str
) -> Mapping[str, str]:
    """The files of such a run."""
    return compiler.compile_run(spec(name, facts=FACTS, lang=lang, absent=(), **answers))


def run(found: Mapping[str, str]) -> Run:
    """The run that these files are."""
    return edge.read(dict(found))


def refrozen(found: Mapping[str, str]) -> dict[str, str]:
    """The same files with the hashes of their frozen parts taken anew."""
    old = record.read(found["run.yaml"])
    return {**found, "run.yaml": record.write(old.spec, record.frozen_parts(found))}


OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"authority": "B", "scout": "Look for slow queries."},
    {"milestones": "single", "scope": "src/orders"},
    {"supervisor": "no", "milestones": "single"},
    {"goal": " ".join([GOAL] * 60)},
)


def every() -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every pack on every host in every language with every option that it allows."""
    for name, host, lang, options in itertools.product(PACKS, HOSTS, languages.LANGUAGES, OPTIONS):
        if options.get("supervisor") == "no" and pack(name).text.supervisor_required:
            continue
        yield f"{name} {host} {lang} {' '.join(options)}", files(name, lang, host=host, **options)
