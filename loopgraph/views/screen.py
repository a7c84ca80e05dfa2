"""Where one run stands, on one screen: what waits for the owner first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from loopgraph.model.columns import hang
from loopgraph.model.messages import N_, _
from loopgraph.plain.quoting import visible
from loopgraph.views.status import Card, Converging, File, Plan, Session, Status, Timer

_WIDTH: Final = 100
_CUT: Final = 160
"""Characters of one line; `show` and `--json` have the whole."""
_CARD: Final = 600


def text(status: Status) -> str:
    """The screen: what waits for the owner first."""
    lines = [
        _cut(f"{status.run}{f' ({status.pack})' if status.pack else ''}"),
        *_owner(status),
        *_progress(status),
        *_work(status),
        *_log(status),
        *_around(status),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _owner(status: Status) -> Iterator[str]:
    for stop in status.stops:
        by = _(", ").join(filter(None, (stop.who, stop.when)))
        why = f": {stop.why}" if stop.why else ""
        yield _said(N_("Stopped"), f"{stop.file}{f' ({by})' if by else ''}{why}")
    for card in status.cards:
        yield ""
        yield from _card(card)
    if status.cards:
        yield ""
    if status.waits and status.waits != "card":
        own = any(status.run in stop.file for stop in status.stops)
        yield _cut(
            _(
                _WAITS[status.waits],
                run=status.run,
                milestone=status.milestone or "M-n",
                of=f" {status.run}" if own else "",
            )
        )


def _card(card: Card) -> Iterator[str]:
    yield _fold(_("Decision needed: {said} [{id}]", said=card.decision or "?", id=card.id or "?"))
    if card.why:
        yield _fold(_("Why now: {said}", said=card.why))
    for letter, option in card.options.items():
        mark = _("{letter} (Recommended)", letter=letter) if letter == "A" else letter
        yield _fold(f"{mark} — {option}")
    if card.relayed:
        yield _fold(_("A node says that you chose {letter}.", letter=card.relayed))
    letters = " / ".join(card.options)
    yield _fold(_("Answer {letters} with: {command}", letters=letters, command=card.answer))


_WAITS: Final[Mapping[str, str]] = {
    "stop": N_("Waits for you: loopgraph resume{of} lifts the stop."),
    "closing": N_("Waits for you: loopgraph finish closed {run} --why TEXT ends it."),
    "audit": N_("Waits for you: loopgraph promote accept {milestone}, or redo."),
}


def _progress(status: Status) -> Iterator[str]:
    yield _said(N_("Status"), status.status_said or status.status)
    yield _said(N_("Milestone"), status.milestone_said or status.milestone)
    yield _said(N_("Gate"), status.gate)
    net = _(", ") + f"+{status.net.added}/-{status.net.removed}" if status.net else ""
    yield _said(N_("Round"), None if status.round is None else f"{status.round}{net}")
    yield _said(N_("Convergence"), _tracker(status.convergence))
    if status.discovery:
        yield _said(N_("Discovery"), status.discovery)
    if status.directives is not None or status.folded:
        yield _said(N_("Folded"), _folding(status))
    if status.audited is not None:
        yield _said(N_("Audited"), f"R{status.audited}")


def _tracker(found: Converging | None) -> str | None:
    if found is None:
        return None
    return _(
        "{k} of {every} rounds, net {m} of {cap}: {due}",
        k=_number(found.rounds),
        every=_number(found.every),
        m=_number(found.net, sign=True),
        cap=_number(found.cap, sign=True),
        due={True: _("due"), False: _("not due"), None: "?"}[found.due],
    )


def _number(value: int | None, *, sign: bool = False) -> str:
    if value is None:
        return "?"
    return f"{value:+}" if sign else str(value)


def _folding(status: Status) -> str | None:
    waiting = status.directives or ()
    if not waiting:
        return status.folded
    ids = _(", ").join(" ".join(filter(None, (d.id, d.verdict, d.boundary))) for d in waiting)
    return _(
        "{folded}; to fold {count} of {cap}: {ids}",
        folded=status.folded or _("unknown"),
        count=len(waiting),
        cap=_number(status.directive_cap),
        ids=ids,
    )


def _work(status: Status) -> Iterator[str]:
    if status.slice:
        yield _said(N_("Slice"), status.slice.item)
        if status.slice.verify:
            yield _said(N_("Verify"), status.slice.verify)
    legal = status.legal
    if legal and (not status.slice or legal.text != status.slice.item):
        yield _said(N_("Next"), _pair(legal.id, legal.text) if legal.id else legal.text)
    if status.open_gates is not None:
        names = _(", ").join(
            f"{row.gate or '?'} ({row.status or '?'})" for row in status.open_gates
        )
        counted = _("{open} of {all}", open=len(status.open_gates), all=_number(status.gates))
        yield _said(N_("Open gates"), _pair(counted, names) if names else counted)
    if status.gaps is not None:
        found = _(", ").join(f"{name} {count}" for name, count in status.gaps.items() if count)
        yield _said(N_("Gaps"), found or _("none"))


def _log(status: Status) -> Iterator[str]:
    if status.rounds is not None:
        yield _pair(_("Rounds"), "" if status.rounds else _("none")).rstrip()
    for one in status.rounds or ():
        net = f" +{one.added}/-{one.removed}" if one.added is not None else ""
        tag = " CONVERGE" if one.converge else ""
        way = f" {_('under way')}" if one.under_way else ""
        yield _cut(f"  R{one.number} {one.date or '?'}{tag}{net}{way} | {one.item or '?'}", _WIDTH)


def _around(status: Status) -> Iterator[str]:
    if status.files:
        yield _said(N_("Files"), _("; ").join(_file(one) for one in status.files))
    if status.timers:
        yield _said(N_("Timers"), _("; ").join(_timer(one) for one in status.timers))
    if status.sessions:
        yield _said(N_("Sessions"), _("; ").join(_session(one) for one in status.sessions))
    for plan in status.plans:
        yield _said(N_("Plan"), _plan(plan))
    for loop in status.loops:
        most = _("no limit") if loop.most is None else str(loop.most)
        said = _("{task}: {count} of {most}", task=loop.task, count=loop.iteration, most=most)
        yield _said(N_("Loop"), said + _("; ") + loop.session)
    for problem in status.problems:
        yield _said(N_("Unreadable"), problem)
    if status.errors is not None:
        counts = _(
            "errors {errors}, warnings {warnings}", errors=status.errors, warnings=status.warnings
        )
        more = (
            _(": loopgraph check {run}", run=status.run) if status.errors or status.warnings else ""
        )
        yield _said(N_("Check"), f"{counts}{more}")


def _file(one: File) -> str:
    size = f"{one.bytes / 1024:.1f}"
    cap = "?" if one.byte_cap is None else f"{one.byte_cap / 1024:.0f}"
    return _(
        "{name} {lines} of {most} lines, {size} of {cap} KiB",
        name=one.name,
        lines=one.lines,
        most=_number(one.line_cap),
        size=size,
        cap=cap,
    )


def _timer(one: Timer) -> str:
    said = _("{node} every {interval}", node=one.node, interval=one.interval or _("unknown"))
    named = f" [{one.id}]" if one.id else ""
    last = _(", ") + _("last act {time}", time=one.last) if one.last else ""
    return f"{said}{named}{last}"


def _session(one: Session) -> str:
    blocked = f" ({_('blocked: {why}', why=one.blocked)})" if one.blocked else ""
    return f"{one.id} {one.node}{blocked}"


def _plan(plan: Plan) -> str:
    if plan.open is None:
        return _pair(plan.id, f"{_('unknown')} ({plan.plan})")
    counts = _("{open} of {total} rows open", open=plan.open, total=plan.total)
    return _pair(plan.id, f"{counts} ({plan.plan})")


def _said(label: str, value: str | None) -> str:
    said = value if value is not None else _("unknown")
    return _cut(_pair(_(label), said))


def _pair(label: str, value: str) -> str:
    return _("{label}: {value}", label=label, value=value)


def _cut(said: str, most: int = _CUT) -> str:
    indent = " " * (len(said) - len(said.lstrip(" ")))
    plain = indent + " ".join(visible(said).split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _fold(said: str) -> str:
    return hang(_cut(said, _CARD), _WIDTH, "  ", "    ")
