"""Sentences of our own that a compile puts into files, by language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loopgraph.model.spec import Language

LANGUAGES: Final[tuple[Language, ...]] = ("en",)
"""Languages that templates, packs and this table are complete in."""

SENTENCES: Final[Mapping[str, Mapping[Language, str]]] = {
    "authority.A": {
        "en": "Edit and verify inside the root without asking. The supervisor may make local "
        "checkpoint commits of audited rounds."
    },
    "authority.A.no-supervisor": {
        "en": "Edit and verify inside the root without asking. No commit: the owner commits."
    },
    "authority.B": {
        "en": "Edit and verify inside the root without asking. Nobody commits in this run."
    },
    "authority.never": {
        "en": "Not granted: push, pull request, destructive git, production or remote change, "
        "secrets or real data, spending beyond the budget, a lowered bar."
    },
    "scope.path": {"en": "Change nothing outside {scope}."},
    "owner.schema": {"en": "database schema or any other DDL"},
    "owner.remote": {"en": "credentials, remote environments, production"},
    "owner.data": {"en": "real or personal data leaving where it is"},
    "owner.spend": {"en": "spending beyond the budget in ops.md"},
    "owner.bar": {"en": "lowering a gate, a metric bar or an acceptance check"},
    "owner.contract": {"en": "changing a published name, format or interface"},
    "owner.push": {"en": "push, pull request, release, destructive git"},
    "single.exit": {"en": "the proof of the North Star and every gate of ops.md"},
    "single.surface": {"en": "everything that changed since the Starting snapshot"},
    "single.outcome": {"en": "the North Star holds"},
    "slice.survey": {
        "en": "Survey: read the scope, run the gates once, register at least five independent debt rows"
    },
    "slice.survey.done": {
        "en": "five or more rows stand in the Debt & gap register, each with write set and verify"
    },
    "slice.sweep": {
        "en": "First sweep of {area}: run each detector, measure its baseline, register at least "
        "five candidates"
    },
    "slice.sweep.none": {
        "en": "First sweep of {area}: choose detectors that fit this stack, write each with its "
        "blind spot into Detectors of ops.md, measure its baseline, register at least five candidates"
    },
    "slice.sweep.done": {
        "en": "baselines stand in ops.md and five or more candidates in the Debt & gap register"
    },
    "slice.first": {"en": "{id}: the smallest slice that brings its outcome nearer"},
    "slice.first.done": {"en": "one behaviour works through its real consumer and the verify passes"},
    "slice.goal": {"en": "The smallest slice of the North Star that a gate can decide"},
    "row.proof": {"en": "North Star: its proof"},
    "row.proof.next": {"en": "observed at the end, by the supervisor"},
    "row.proof.next.owner": {"en": "observed at the end, by the owner"},
    "row.milestone": {"en": "{id}: exit checks"},
    "row.milestone.next": {"en": "not begun"},
    "row.gate": {"en": "{id} {name}"},
    "row.gate.next": {"en": "baseline: the first round runs it and writes the result here"},
    "gap.no-gate": {
        "en": "no gate command was found; find or build the narrowest one that decides this goal"
    },
    "fact.class": {"en": "Repository class, inferred: {value}."},
    "fact.sources": {"en": "Production code: {value}."},
    "fact.tests": {"en": "Tests: {value}."},
    "fact.surface": {"en": "Others depend on {value}."},
    "fact.earlier": {"en": "Earlier runs, not continued here: {value}."},
    "context.instructions": {"en": "before the first edit, and when a convention is in doubt"},
    "context.instructions.verify": {"en": "its own commands run as it says"},
    "context.gate": {"en": "when a gate is changed or fails to start"},
    "context.gate.verify": {"en": "{command}"},
    "context.sources": {"en": "when choosing the write set of a slice"},
    "context.sources.verify": {"en": "the narrow gate of that path"},
    "gate.observation": {"en": "observation"},
    "gate.test": {"en": "tests"},
    "gate.lint": {"en": "lint"},
    "gate.types": {"en": "types"},
    "gate.build": {"en": "build"},
    "gate.format": {"en": "format"},
    "gate.ci": {"en": "CI"},
    "gate.owner": {"en": "owner's gate"},
    "blind.vulture": {
        "en": "names reached by reflection, a registry, a template or another package"
    },
    "blind.ruff": {"en": "anything beyond one file: an export that nobody imports looks used"},
    "blind.coverage": {"en": "code that only tests reach looks used, code that only production reaches unused"},
    "blind.deptry": {"en": "imports by name at run time, plug-ins, tools called as programs"},
    "blind.knip": {"en": "dynamic imports and files that only a configuration names"},
    "blind.jscpd": {"en": "twins with other names, another order or another language"},
    "blind.exports": {"en": "exports used by another package or by name at run time"},
    "blind.dependencies": {"en": "packages that only a configuration or a script names"},
    "blind.cargo": {"en": "dependencies of other features, targets and build scripts"},
    "blind.go": {"en": "code reached by reflection, other build tags or other modules"},
    "blind.other": {"en": "not stated yet: any use outside the code that it reads"},
    "write.scope": {"en": "inside {scope}"},
    "write.root": {"en": "inside the root"},
    "survey.write": {"en": "none (ledger and ops only)"},
}


def say(key: str, lang: Language, /, **values: str) -> str:
    """One sentence, its values put in literally (a brace in a value stays a brace)."""
    text = SENTENCES[key].get(lang) or SENTENCES[key]["en"]
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text
