"""Gates: the commands that a project itself uses to decide whether it is well."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from loopgraph.discover import ci
from loopgraph.discover.ci import Step
from loopgraph.discover.languages import Layout
from loopgraph.discover.stacks import deno, javascript, jvm, native, php, python, wrappers
from loopgraph.discover.stacks.offer import Offer, is_plain
from loopgraph.discover.tree import Tree, base, parent
from loopgraph.model.facts import FoundGate, GateKind

_KINDS: Final[tuple[GateKind, ...]] = ("test", "lint", "types", "build", "format", "ci")
_STACKS: Final = (
    python.offers, javascript.offers, native.offers, jvm.offers, php.offers, deno.offers,
)  # fmt: skip
_MANIFEST = re.compile(
    r"(pyproject\.toml|setup\.(py|cfg)|package\.json|Cargo\.toml|go\.mod|pom\.xml|manage\.py"
    r"|build\.gradle(\.kts)?|composer\.json|deno\.jsonc?)"
)
_NOT_A_PART = re.compile(
    r"(^|/)(node_modules|vendor|third_party|examples?|samples?|fixtures?|templates?|docs?|tests?"
    r"|playground|benchmarks?|e2e|[._][^/]+)(/|$)"
)
CAP: Final = 12
_PART_CAP: Final = 8


def find(tree: Tree, layout: Layout, *, scope: str = ".") -> tuple[FoundGate, ...]:
    """The gates of a workspace, the best first; with a scope, those of that part come first."""
    steps = ci.steps(tree)
    chosen: list[FoundGate] = []
    if scope not in {"", "."}:
        chosen += choose(_of_folder(tree, scope, layout, steps))
    own = list(_of_folder(tree, ".", layout, steps))
    around = wrappers.offers(tree, steps, python.start(tree, "pre-commit"))
    chosen += choose([*own, *around])
    tested = {offer.stack for offer in own if offer.kind == "test"}
    for folder in _parts(tree):
        inner = _of_folder(tree, folder, layout, steps)
        chosen += choose(offer for offer in inner if offer.stack not in tested)
    return _ranked(chosen)


def _of_folder(tree: Tree, folder: str, layout: Layout, steps: Sequence[Step]) -> Iterator[Offer]:
    if not is_plain(folder):
        return  # a command that names it would mean something else in some shell
    for stack in _STACKS:
        yield from stack(tree, folder, layout, steps)


def _parts(tree: Tree) -> list[str]:
    """Folders at most two deep that hold a project of their own: where the root holds none."""
    folders = {
        parent(path) for path in tree.shallow(2) if "/" in path and _MANIFEST.fullmatch(base(path))
    }
    kept = sorted(
        (folder for folder in folders if not _NOT_A_PART.search(folder)),
        key=lambda folder: (folder.count("/"), folder),
    )
    return kept[:_PART_CAP]


def choose(offers: Iterable[Offer]) -> list[FoundGate]:
    """One gate for each stack and kind: the project's own word where CI uses it, else the tool.

    The narrow form is the tool's own. A wrapper without a language (make, a script) speaks for
    the first stack that has this kind of gate where CI calls it, and alone where none has.
    """
    every = list(offers)
    out: list[FoundGate] = []
    for kind in _KINDS:
        mine = [offer for offer in every if offer.kind == kind]
        stacks = list(dict.fromkeys(o.stack for o in mine if o.stack not in {"", "ci"}))
        around = sorted((offer for offer in mine if not offer.stack), key=_worth)
        for index, stack in enumerate(stacks):
            own = [offer for offer in mine if offer.stack == stack]
            called = [o for o in around if o.in_ci and o.wrapper] if index == 0 else []
            full = min([*own, *called], key=_worth)
            narrow = full.narrow or next((offer.narrow for offer in own if offer.narrow), "")
            out.append(_gate(full, narrow))
            out += _beside(full, [*own, *called])
        hooks = [offer for offer in around if not offer.wrapper and offer.in_ci]
        literal = [offer for offer in mine if offer.stack == "ci"]
        if stacks:
            out += [_gate(offer, offer.narrow) for offer in hooks]
        else:
            first = [*around, *literal][:1]
            out += [_gate(offer, offer.narrow) for offer in first]
            out += [gate for full in first for gate in _beside(full, around)]
        out += _new_tools(literal, every, out)
    return out


def _beside(full: Offer, others: Sequence[Offer]) -> list[FoundGate]:
    """Other tasks of its kind that CI calls by their names: it does not replace them."""
    rest = [offer for offer in others if offer.named and offer.command != full.command]
    return [_gate(offer, "" if offer.part else offer.narrow, also=True) for offer in rest]


def _new_tools(
    literal: Sequence[Offer], every: Sequence[Offer], chosen: Sequence[FoundGate]
) -> list[FoundGate]:
    """Command lines of CI whose tool nothing else starts."""
    known = [offer.command for offer in every if offer.stack not in {"", "ci"}]
    known += [gate.command for gate in chosen]
    out: list[FoundGate] = []
    for offer in literal:
        tool = wrappers.tool(offer.command)
        if tool and not any(re.search(rf"\b{re.escape(tool)}\b", command) for command in known):
            first = not any(gate.kind == offer.kind for gate in chosen)
            out.append(_gate(offer, offer.narrow, also=not first))
            known.append(offer.command)
    return out


def _worth(offer: Offer) -> tuple[bool, bool, bool, bool]:
    """The least is the best; equal ones keep the order in which they were found."""
    return offer.part, not (offer.wrapper and offer.in_ci), offer.wrapper, not offer.in_ci


def _gate(offer: Offer, narrow: str, *, also: bool = False) -> FoundGate:
    return FoundGate(
        offer.kind,
        " ".join(offer.command.split()),
        narrow,
        offer.cost,
        offer.file,
        max(offer.line, 1),
        also,
    )


def _ranked(gates: Iterable[FoundGate]) -> tuple[FoundGate, ...]:
    seen: dict[str, FoundGate] = {}
    for gate in sorted(gates, key=lambda gate: (_KINDS.index(gate.kind), gate.also)):
        seen.setdefault(gate.command, gate)
    return tuple(seen.values())[:CAP]
