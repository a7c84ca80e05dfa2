"""Mutants: for each clause a change of its code that one of its cases must notice.

`python -m tests.hook.mutants` tries them all (`nox -s mutants`); the suite tries a few.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[2]


class Mutant(NamedTuple):
    """A change of one place."""

    clause: str
    module: str
    """Below `loopgraph/`."""
    old: str
    new: str


MUTANTS = tuple(
    Mutant(*row)
    for row in (
        ("A1", "hook/decide.py", "if over is None and claim.strict and stop.active:", "if False:"),
        ("A2", "hook/guard.py", "if wrong:", "if False:"),
        ("A2", "hook/guard.py", 'if (event or "") not in dialect.EVENTS:', "if False:"),
        ("A3", "plain/works.py", "if isinstance(listed, dict):", "if listed is not None:"),
        ("A3", "plain/works.py", 'if isinstance(record.get("active_plan"), str):', "if False:"),
        ("A4", "plain/works.py", "if age > newest:", "if age >= newest:"),
        ("A4", "plain/works.py", "return self.status in GOES_ON", "return True"),
        ("A4", "plain/works.py", 'f"opencode:{written}"', 'f"{host}:{written}"'),
        ("A4", "plain/works.py", "work.began if work.updated is None else work.updated", "work.began"),
        ("A5", "hook/sources/plan.py", "main = os.path.normpath(os.path.join(base, work.plan))", "main = base + '/' + work.plan"),
        ("A5", "hook/sources/plan.py", 'if relative.split(os.sep)[0] != ".." and os.path.isfile(other):', "if True:"),
        ("A6", "plain/plan.py", 'if not number or number[0] == "0" or', "if not number or"),
        ("A6", "plain/plan.py", 'return DONE if mark in "xX" else OTHER', 'return DONE if mark == "x" else OTHER'),
        ("A6", "plain/plan.py", 'return "" if mark == "`" and "`" in rest else kept', "return kept"),
        ("A6", "plain/plan.py", 'if line[:3] != "- [" or line[4:6] != "] "', 'if line[:3] != "- ["'),
        ("A7", "plain/answer.py", "if lines and lines[0] == _GREETING:", "if False:"),
        ("A7", "plain/answer.py", "any(line and not _marks(line) for line in lines[1:])", "True"),
        ("A8", "hook/valves.py", "data.lower()", "data"),
        ("A8", "hook/valves.py", 'b"context_too_large",', ""),
        ("A9", "hook/directive.py", "parts.append(values[name.strip()] + after if known", "parts.append(values[name.strip()][:3] + after if known"),
        ("A9", "hook/directive.py", "plain.replace(\"`\", \"'\")", "plain"),
        ("B1", "plain/loopfile.py", "return self._text[:start] + blank + value + self._text[end:]", "return self._text[:start] + blank + value + self._text[start:]"),
        ("B1", "plain/loopfile.py", 'if "iteration" not in self.values', 'if "max_iterations" not in self.values'),
        ("B2", "hook/sources/loop.py", "if 0 < loop.max_iterations <= loop.iteration:", "if 0 < loop.max_iterations < loop.iteration:"),
        ("B2", "hook/sources/loop.py", "if answer.promised(said, loop.promise):", "if False:"),
        ("B3", "hook/sources/loop.py", "twins = [file for file, other in whole if other.prompt == loop.prompt]", "twins = [first]"),
        ("guard.session", "plain/places.py", 'in ("", "null", "none", "undefined")', 'in ("none",)'),
        ("guard.types", "hook/guard.py", "if not isinstance(value, kind) or", "if False or"),
        ("guard.events", "hook/guard.py", "loud=False)\n    wrong", "loud=True)\n    wrong"),
        ("guard.bytes", "plain/jsontext.py", 'raise ValueError(f"{name} is not JSON")', "return 0"),
        ("guard.bytes", "plain/jsontext.py", "if text[end:].strip(_BLANKS):", "if False:"),
        ("guard.twins", "hook/decide.py", "clock.started < answered <= clock.now()", "0 < answered <= clock.now()"),
        ("guard.twins", "hook/decide.py", "    if again:\n        if not case.dry:", "    if False:\n        if not case.dry:"),
        ("guard.twins", "hook/decide.py", 'if again and memory.word("answer") == "go":', "if False:"),
        ("dialect.claude", "hook/dialects/claude_code.py", 'PREFIX = "claude-code", "claude"', 'PREFIX = "claude-code", "codex"'),
        ("dialect.codex", "hook/dialects/codex.py", '"active": ("stop_hook_active",),', '"active": ("stop_hook_active",), "count": ("last_assistant_message",),'),
        ("dialect.codex", "hook/dialects/__init__.py", 'payload.get("turn_id") is not None', "False"),
        ("dialect.grok", "hook/dialects/grok.py", 'payload.get("reason") not in (None, "end_turn")', "False"),
        ("dialect.cursor", "hook/dialects/cursor.py", 'payload.get("status") not in (None, "completed")', "False"),
        ("dialect.cursor", "hook/dialects/cursor.py", "CAP = 5", "CAP = 8"),
        ("dialect.gemini", "hook/dialects/gemini.py", '"message": ("prompt_response",),', ""),
        ("dialect.copilot", "hook/dialects/copilot.py", 'payload.get("stopReason") not in (None, "end_turn")', "False"),
        ("valve.owner", "hook/decide.py", "    if stopped:", "    if False:"),
        ("valve.marker", "plain/answer.py", 'MARKERS = (BLOCKED, "ulw-execute-blocked-external")', 'MARKERS = ("ulw-execute-blocked-external",)'),
        ("valve.block", "hook/decide.py", 'memory.word("blocked") == at and memory.word("blocked_turn") != stop.turn', "False"),
        ("valve.block", "hook/valves.py", "return at if said and isinstance(at, str)", "return at if isinstance(at, str)"),
        ("valve.waits", "hook/sources/plan.py", "elif not checklist.remaining and checklist.others:", "elif False:"),
        ("valve.pressure", "hook/valves.py", 'elif kind != "talk" and', "elif"),
        ("valve.pressure", "hook/valves.py", "answers.add(_name(record) or line)", "answers.add(len(answers))"),
        ("valve.pressure", "hook/valves.py", "if len(answers) >= FORGOTTEN:", "if False:"),
        ("valve.flight", "hook/valves.py", "if status not in _FINISHED:", "if True:"),
        ("valve.flight", "hook/decide.py", "if valves.in_flight(stop):", "if False:"),
        ("valve.error", "hook/valves.py", ".startswith(HOST_ERRORS)", ".startswith(('API',))"),
        ("valve.error", "hook/decide.py", "if valves.host_error(stop):", "if False:"),
        ("count.cap", "hook/decide.py", "cap = max(1, _cap(case) - 1)", "cap = max(1, _cap(case))"),
        ("count.cap", "hook/decide.py", "cap = int(said) if int(said) > 0 else None", "pass"),
        ("count.prompt", "hook/decide.py", 'prompt = bool(stop.turn) and stop.turn != memory.word("turn")', "prompt = stop.turn != memory.word('turn')"),
        ("count.prompt", "hook/decide.py", "if not same or prompt or ticked:", "if not same or ticked:"),
        ("count.total", "hook/decide.py", "elif total >= ALL and not claim.endless:", "elif total >= ALL:"),
        ("count.total", "hook/decide.py", "total=total + 1", "total=total"),
        ("count.stalled", "hook/decide.py", "        stalls += 1", "        stalls += 0"),
        ("count.stalled", "hook/decide.py", 'best = max(claim.ticked, memory.number("ticked")) if same else claim.ticked', "best = claim.ticked"),
        ("count.stalled", "hook/decide.py", ' or marks != memory.word("marks")', ""),
        ("count.tree", "hook/decide.py", "elif quiet >= TREE_ONLY and moved:", "elif False:"),
        ("count.tree", "hook/progress.py", "if not name.startswith(_OURS)", "if True"),
        ("count.tree", "hook/progress.py", "*sorted(folders)", ""),
        ("count.tree", "hook/progress.py", "PATHS - len(names)", "0"),
        ("count.tree", "hook/progress.py", 'entry.name.startswith(".") or ', ""),
        ("count.tree", "hook/progress.py", " or entry.name in _BULK", ""),
        ("count.tree", "hook/progress.py", " or entry.name.endswith(_LOG)", ""),
        ("count.tree", "hook/progress.py", "waiting.append(entry.path)", "pass"),
        ("count.tree", "hook/progress.py", "_number(_without(paths, own))", "_number(paths)"),
        ("count.unwritable", "hook/decide.py", "            if case.stop.active:\n", "            if False:\n"),
        ("count.unwritable", "hook/decide.py", "acted = claim.act is None or claim.act()", "acted = claim.act is None or claim.act() or True"),
        ("count.log", "hook/stop.py", "if case.memory.broken:", "if False:"),
        ("count.log", "hook/memory.py", "return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0", "return value"),
        ("reentry", "hook/sources/plan.py", 'return said == "strict"', "return found.boulder"),
        ("plan.records", "hook/world.py", 'claude = stop.dialect.PREFIX == "claude" and os.path.isabs(project)', "claude = os.path.isabs(project)"),
        ("plan.records", "hook/world.py", "        folder = parent\n", "        break\n"),
        ("plan.foreign", "plain/rivals.py", "return any(sign in text for text in said for sign in signs)", "return True"),
        ("plan.foreign", "hook/rivals.py", "return any(sign in name for name in names for sign in signs)", "return False"),
        ("plan.foreign", "hook/rivals.py", "if isinstance(known, list) and tool in known:", "if False:"),
        ("plan.rows", "plain/plan.py", "found = [(at, row) for at, row, _ in boxed if not _label(row[1])]", "found = [(at, row) for at, row, _ in boxed]"),
        ("plan.rows", "plain/plan.py", '.removeprefix("\\ufeff")', ""),
        ("plan.rows", "plain/plan.py", ".casefold() in _ASIDE", ".casefold() in ()"),
        ("plan.rows", "plain/plan.py", "return end if end is not None else -_next_structured(lines, at)", "return end if end is not None else len(lines)"),
        ("plan.rows", "plain/plan.py", 'mark = "-->"', 'mark = ""'),
        ("plan.marks", "plain/plan.py", 'return DONE if mark in "xX" else OTHER', "return DONE"),
        ("plan.marks", "hook/sources/plan.py", "if not checklist.rows:", "if False:"),
        ("plan.worktree", "hook/sources/plan.py", "linked = known or worlds.linked(worktree, world.git)", "linked = True"),
        ("plan.worktree", "hook/world.py", "os.path.realpath(one) == os.path.realpath(other)", "False"),
        ("plan.outside", "hook/sources/plan.py", 'return main if world.inside(main, [base, world.root]) else ""', "return main"),
        ("plan.outside", "plain/plan.py", "LIMIT = 4 * 1024 * 1024", "LIMIT = 400 * 1024 * 1024"),
        ("plan.directive", "hook/directive.py", "if own is not None and own.strip():", "if False:"),
        ("plan.directive", "hook/directive.py", 'shown["MODE"] = _MODES.get(values.get("MODE") or "", "")', 'shown["MODE"] = ""'),
        ("loop.promise", "plain/answer.py", "if start < 0 or (start > 0 and not ends_only):", "if start < 0:"),
        ("loop.promise", "plain/answer.py", "said = said if found is None else found", "said = said or found"),
        ("loop.promise", "plain/answer.py", "        if fence:", "        if False:"),
        ("loop.bytes", "hook/sources/loop.py", '_ENCODING = ("utf-8", "surrogateescape")', '_ENCODING = ("utf-8", "replace")'),
        ("loop.bytes", "plain/loopfile.py", "ends = [end for end in (comment, tab) if end >= 0]", "ends = []"),
        ("loop.corrupt", "hook/sources/loop.py", 'if file.owner == "plugin":', "if False:"),
        ("loop.corrupt", "hook/sources/loop.py", "return alone or file.why != loopfile.NO_FRONT_MATTER", "return True"),
        ("loop.bound", "hook/sources/loop.py", "        if places.same_session(session, stop.session, stop.dialect.PREFIX):\n            return True", "        if not session or places.same_session(session, stop.session, stop.dialect.PREFIX):\n            return True"),
        ("loop.bound", "plain/places.py", 'return named in (bare, f"{host}:{bare}")', "return bare_id(named) == bare"),
        ("loop.endless", "hook/sources/loop.py", "found.counted = loop.max_iterations <= loopfile.ENDLESS", "found.counted = False"),
        ("loop.strict", "hook/sources/loop.py", "if loop.promise is not None and not loop.strict:", "if loop.promise is not None:"),
        ("loop.cancelled", "hook/sources/loop.py", "    if not loop.active:", "    if False:"),
        ("B3", "hook/sources/loop.py", "return not loop.active, -when", "return False, -when"),
        ("loop.cancelled", "hook/sources/loop.py", "if not loop.copy_of]", "]"),
        ("loop.global", "hook/sources/loop.py", 'candidates.append((f"{world.home}/{places.GLOBAL_LOOP}", "omx"))', "pass"),
        ("run.item", "plain/law.py", "    if current and gate != PENDING and not waiting:", "    if False:"),
        ("run.item", "hook/sources/run.py", "if item is None and not ledger.due:", "if item is None:"),
        ("run.status", "hook/sources/run.py", "if ledger.status != law.ACTIVE:", "if False:"),
        ("run.audit", "plain/law.py", "bound = gate == PENDING or waiting", "bound = waiting"),
        ("run.audit", "plain/law.py", "        return next(free, None)", "        return None"),
        ("run.item", "plain/law.py", "sorted(debts, key=_urgency)", "debts"),
        ("run.audit", "plain/law.py", 'if not waits(f"{one.id}: {one.text}", self._cards)', "if True"),
        ("run.audit", "plain/law.py", ' and header.word(status or "") != "closed"', ""),
        ("run.audit", "plain/law.py", "taken=[*write_set(self._audited), *planned]", "taken=write_set(self._audited)"),
        ("run.audit", "plain/law.py", "if not bound or (wanted and disjoint(", "if not bound or (disjoint("),
        ("run.seam", "plain/law.py", "last - first >= cap > 0", "last - first > cap > 0"),
        ("run.seam", "plain/law.py", "if now == PENDING and before != PENDING:", "if now == PENDING:"),
        ("run.seam", "plain/law.py", "    if converged:", "    if False:"),
        ("run.seam", "hook/sources/run.py", 'found.let_go.remember = {"fire": [slug]}', "pass"),
        ("run.seam", "hook/sources/run.py", 'if "FIRE_OUTPUT_FLOOR=" in prompt and', "if False and"),
        ("run.cards", "hook/decide.py", "any(card not in before for card in claim.cards)", "False"),
        ("run.cards", "plain/law.py", "        if named & {", "        if set() & {"),
        ("valve.owner", "hook/decide.py", "claim.ended = claim.ended or bound.ended", "pass"),
        ("valve.waits", "hook/decide.py", "claim.let_go = claim.let_go or bound.let_go", "pass"),
        ("run.role", "hook/sources/run.py", 'if binding.get("role") != "executor":', "if False:"),
        ("run.role", "hook/sources/run.py", 'if paths.inside(slug) != slug or "/" in slug or slug == ".":', "if False:"),
    )
)  # fmt: skip


def source(mutant: Mutant) -> str:
    """The module as it is."""
    return (PROJECT / "loopgraph" / mutant.module).read_text("utf-8")


def sample() -> list[Mutant]:
    """A few of them, for every day."""
    return list(MUTANTS[::20])


def killed(mutant: Mutant, folder: Path) -> bool:
    """Whether a case of the clause fails on a copy of the package with this change."""
    package = folder / "loopgraph"
    if not package.exists():
        ignored = shutil.ignore_patterns("__pycache__")
        for name in ("loopgraph/hook", "loopgraph/plain", "loopgraph/disk", "loopgraph/model"):
            shutil.copytree(PROJECT / name, folder / name, ignore=ignored)
        shutil.copy(PROJECT / "loopgraph/__init__.py", package)
    changed = package / mutant.module
    changed.write_text(source(mutant).replace(mutant.old, mutant.new), "utf-8")
    try:
        return bool(_failing(folder, mutant.clause))
    finally:
        changed.write_text(source(mutant), "utf-8")


def _failing(folder: Path, clause: str) -> int:
    done = subprocess.run(
        [sys.executable, "-P", "-B", PROJECT / "tests/hook/replay.py", clause],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "No module named" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done.returncode


def main() -> int:
    """Try every mutant; 1 where one survives."""
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        for clause in sorted({mutant.clause for mutant in MUTANTS}):
            if not killed(Mutant(clause, "hook/stop.py", "", ""), Path(folder)):
                continue
            survivors.append(f"{clause} fails as it is")
        survivors += [
            f"{mutant.clause}: {mutant.module}: {mutant.old!r}"
            for mutant in MUTANTS
            if not killed(mutant, Path(folder))
        ]
    sys.stdout.write("".join(f"survived: {line}\n" for line in survivors))
    sys.stdout.write(f"{len(MUTANTS)} mutants, {len(survivors)} survivors\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
