"""Measure loopgraph beside its peers and write docs/benchmarks.md: `python benchmarks/run.py`.

Run it by `nox -s bench`: it needs loopgraph, copier and cookiecutter installed beside this
interpreter, and git. Whole processes are timed, in turns: each round starts every program of a
comparison once, in changing order. What counts is the median over the rounds of the ratio within
a round, since whatever else the machine does then hits both.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import histories
import peers

from loopgraph.author import compiler
from loopgraph.edges import record

ROOT = Path(__file__).resolve().parent.parent
NEW = ("new", "deliver", "Add rate limiting to the public API", "--yes", "--host=claude-code")
BIN = Path(sys.executable).parent


class Program(NamedTuple):
    """One process to time."""

    label: str
    command: tuple[str, ...]
    folder: Path
    fresh: Callable[[], object] = lambda: None
    """Done before each start, untimed."""
    codes: tuple[int, ...] = (0,)
    """Exit codes that mean that it did its work."""
    stdin: bytes = b""
    says: bytes = b""
    """What its output must hold, so that nothing is timed that did something else."""


class Comparison(NamedTuple):
    """One line of the table: what is ours, what it is held against, and how close it must come."""

    what: str
    ours: Program
    peer: Program
    must: float | None
    stretch: float | None


class Measured(NamedTuple):
    """Medians over the rounds."""

    ratio: float
    cpu_ratio: float
    ours: float
    peer: float
    """Milliseconds."""


class Spent(NamedTuple):
    """What one process took, in seconds."""

    wall: float
    cpu: float


def start(program: Program, environ: Mapping[str, str]) -> Spent:
    """Run a program once."""
    program.fresh()
    cpu = os.times()
    begin = time.perf_counter()
    done = subprocess.run(
        program.command, cwd=program.folder, env=environ, input=program.stdin,
        capture_output=True, check=False,
    )  # fmt: skip
    wall = time.perf_counter() - begin
    after = os.times()
    if done.returncode not in program.codes or program.says not in done.stdout:
        sys.exit(f"{program.label} failed:\n{done.stderr.decode(errors='replace')}")
    used = after.children_user + after.children_system - cpu.children_user - cpu.children_system
    return Spent(wall, used)


def measure(comparison: Comparison, rounds: int, environ: Mapping[str, str]) -> Measured:
    """Run both programs of a comparison in turns."""
    pair = (comparison.ours, comparison.peer)
    for program in pair:
        start(program, environ)  # fills caches; not counted
    spent: list[tuple[Spent, Spent]] = []
    for number in range(rounds):
        order = (0, 1) if number % 2 else (1, 0)
        taken = {index: start(pair[index], environ) for index in order}
        spent.append((taken[0], taken[1]))
    return Measured(
        statistics.median(ours.wall / peer.wall for ours, peer in spent),
        # The clock of CPU time ticks 100 times a second: only the sum over all rounds is exact.
        sum(ours.cpu for ours, _ in spent) / max(sum(peer.cpu for _, peer in spent), 0.01),
        statistics.median(ours.wall for ours, _ in spent) * 1000,
        statistics.median(peer.wall for _, peer in spent) * 1000,
    )


def remove(path: Path) -> Callable[[], None]:
    """An act that makes sure that `path` is not there."""
    return lambda: shutil.rmtree(path, ignore_errors=True)


def tool(name: str) -> str:
    """A program that is installed beside this interpreter."""
    found = shutil.which(name, path=str(BIN))
    if found is None:
        sys.exit(f"{name} is not installed beside {sys.executable}; run: nox -s bench")
    return found


def prepare(work: Path, environ: Mapping[str, str]) -> Path:
    """A repository with one run in it; returns the run."""
    repository = work / "bookshelf"
    subprocess.run([sys.executable, ROOT / "dev.py", "repo", repository], check=True)
    subprocess.run(
        [tool("loopgraph"), *NEW], cwd=repository, env=environ, check=True, capture_output=True
    )
    (made,) = (repository / ".longgraph").glob("2*")
    return made.rename(work / made.name)


def plain(value: object, *, row: bool = False) -> object:
    """A value as JSON has it: parts by name, but by place in a row, which a loop takes apart."""
    if isinstance(value, tuple) and hasattr(value, "_asdict") and not row:
        return plain(value._asdict())
    if isinstance(value, (tuple, list)):
        return [plain(part, row=True) for part in value]
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


def pad(run: Path, folder: Path, lines: int = 120) -> Path:
    """A copy of the run whose files have at least so many lines, as they have in mid-life."""
    copied = Path(shutil.copytree(run, folder))
    for path in copied.glob("*.md"):
        text = path.read_text("utf-8")
        missing = max(lines - text.count("\n") - 3, 0)
        notes = "".join(f"- note {number}: nothing to act on\n" for number in range(missing))
        path.write_text(f"{text}\n## Notes\n\n{notes}", "utf-8", newline="\n")
    return copied


def write_context(run: Path, file: Path) -> None:
    """The run's template context as plain data, every decision taken, for the bare script."""
    contexts: dict[str, dict[str, object]] = {}
    render = compiler.render

    def noting(template: str, lang: str, /, **context: object) -> str:
        context.pop("cache_folder", None)
        contexts[template] = context
        return render(template, lang, **context)  # type: ignore[arg-type]

    compiler.render = noting
    compiler.compile_run(record.read((run / "run.yaml").read_text("utf-8")).spec)
    compiler.render = render
    own = ("contract_line", "timer_step")
    common = {key: value for key, value in contexts["ledger.md"].items() if key not in own}
    files = {name: {key: context[key] for key in own} for name, context in contexts.items()}
    text = json.dumps(plain({"common": common, "files": files}), ensure_ascii=False)
    file.write_text(text, "utf-8")


def same_files(ours: Path, theirs: Path) -> None:
    """End where the bare script did not write what compile wrote."""
    for path in sorted(theirs.iterdir()):
        if path.read_bytes() != (ours / path.name).read_bytes():
            sys.exit(f"bare_jinja.py writes another {path.name} than loopgraph compile")


def markdownlint(folder: Path) -> str:
    """Install markdownlint-cli2 into `folder`; its path, or why it can't be had after `!`."""
    npm = shutil.which("npm")
    if npm is None:
        return "!npm is not installed"
    done = subprocess.run(
        [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder,
         "markdownlint-cli2"],
        check=False, capture_output=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    script = folder / "node_modules" / "markdownlint-cli2" / "markdownlint-cli2-bin.mjs"
    return str(script) if done.returncode == 0 and script.exists() else "!npm could not install it"


def comparisons(work: Path, run: Path, linter: str) -> list[Comparison]:
    """Every comparison that can be made here."""
    python, loopgraph = sys.executable, tool("loopgraph")
    repository = work / "bookshelf"
    floor = Program("python -I -S -c pass", (python, "-I", "-S", "-c", "pass"), work)
    record = str(run / "run.yaml")
    new = Program(
        "loopgraph new --yes", (loopgraph, *NEW), repository, remove(repository / ".longgraph")
    )
    found = [
        Comparison(
            "`loopgraph --version`",
            Program("loopgraph --version", (loopgraph, "--version"), work), floor, None, None,
        ),
        Comparison(
            "`loopgraph new --yes`, discovery included", new,
            Program(
                "copier copy --defaults",
                (tool("copier"), "copy", "--quiet", "--defaults", str(work / "copier"),
                 str(work / "copied")),
                work, remove(work / "copied"),
            ),
            0.6, 0.4,
        ),
        Comparison(
            "`loopgraph new --yes`, discovery included", new,
            Program(
                "cookiecutter --no-input",
                (tool("cookiecutter"), "--no-input", "--output-dir", str(work / "cut"),
                 str(work / "cookiecutter")),
                work, remove(work / "cut"),
            ),
            0.9, 0.6,
        ),
        Comparison(
            "`loopgraph compile run.yaml`",
            Program(
                "loopgraph compile", (loopgraph, "compile", record, "-o", str(work / "compiled")),
                work, remove(work / "compiled"),
            ),
            Program(
                "a bare Jinja2 script",
                (python, str(ROOT / "benchmarks" / "bare_jinja.py"), str(work / "context.json"),
                 str(ROOT / "templates" / "en"), str(work / "bare")),
                work, remove(work / "bare"),
            ),
            1.6, 0.9,
        ),
    ]  # fmt: skip
    found += hooks(work, floor)
    found += looks(work, run)
    if not linter.startswith("!"):
        padded = work / "padded"
        texts = [str(path) for path in sorted(padded.glob("*.md"))]
        node = shutil.which("node") or "node"
        found.append(
            Comparison(
                "`loopgraph check` of five files",
                Program("loopgraph check", (loopgraph, "check", str(padded)), work, codes=(0, 1)),
                Program("markdownlint-cli2", (node, linter, *texts), padded, codes=(0, 1)),
                0.3, 0.15,
            )
        )  # fmt: skip
    return found


def looks(work: Path, run: Path) -> list[Comparison]:
    """What is called all day: status and a recorded round; and check beside large archives."""
    python, loopgraph = sys.executable, tool("loopgraph")
    place = work / "looked"
    kept = place / ".longgraph" / run.name
    shutil.copytree(run, kept)
    # A snapshot is git's own work: the line is about keeping the files.
    (place / ".loopgraph.toml").write_text('snapshots = "off"\n', "utf-8")
    bare = Program("python -I -c pass", (python, "-I", "-c", "pass"), work)
    status = Program("loopgraph status", (loopgraph, "status"), place, says=b"Status: `active`")

    def again() -> None:
        shutil.rmtree(kept)
        shutil.copytree(run, kept)

    words = ("--result", "ok", "--changed", "a.py", "--net", "+1/-0", "--next", "b")
    record = Program(
        "loopgraph round record", (loopgraph, "round", "record", *words, "--as", "executor"),
        place, again, says=b"R1 recorded",
    )  # fmt: skip
    large, small = (archived(run, work / f"archived-{size}", size) for size in (5, 1))
    return [
        Comparison("`loopgraph status`", status, bare, 9, 6),
        Comparison("`loopgraph round record`, no snapshot", record, status, 1.5, 1.2),
        Comparison(
            ARCHIVES,
            Program("loopgraph check, 5 MB", (loopgraph, "check", str(large)), work, codes=(0, 1)),
            Program("the same, 1 MB", (loopgraph, "check", str(small)), work, codes=(0, 1)),
            6, None,
        ),
    ]  # fmt: skip


ARCHIVES = "`loopgraph check`, 5 MB of archives"
MEGABYTE = 1_000_000


def archived(run: Path, folder: Path, size: int) -> Path:
    """A copy of the run at its caps, beside archives of so many megabytes."""
    copied = pad(run, folder, lines=190)
    archive = copied / "archive"
    archive.mkdir(exist_ok=True)
    round_ = (
        "- R{} 2026-01-02 | one item | changed: src/a.py | verify: pytest, 12 passed; "
        "evidence: evidence/log.txt | net +3/-1 | next: the next one\n"
    )
    number = 0
    for part in range(1, size + 1):
        text = "# archived rounds\n\n"
        while len(text) < MEGABYTE:
            number += 1
            text += round_.format(number)
        name = "rounds.md" if part == 1 else f"rounds-{part}.md"
        (archive / name).write_text(text, "utf-8", newline="\n")
    return copied


ROUNDS = 10
"""Rounds of one process, so that what its start costs weighs little."""


def snapshots(work: Path, run: Path, environ: Mapping[str, str], files: int = 20_000) -> Comparison:
    """What ten rounds add for snapshots of a large repository, beside ten times git status."""
    root = work / "large"
    for number in range(files):
        place = root / f"part{number % 200}" / f"file{number}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"value = {number}\n" * 20, "utf-8")
    git = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.invalid")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "all")):
        subprocess.run([*git, *words], cwd=root, env=environ, check=True)
    kept = Path(shutil.copytree(run, root / ".longgraph" / run.name))
    script = str(ROOT / "benchmarks" / "snapshot.py")
    command = (sys.executable, script, str(kept), str(ROUNDS))
    ours = Program("ten snapshots", command, work, says=b"changed.txt")
    loop = f"for number in {' '.join(map(str, range(ROUNDS)))}; do git status; done"
    peer = Program("git status", ("sh", "-c", loop), root, says=b"changed.txt")
    what = f"the snapshot of a round, taken and kept: {files:,} files, one changed"
    return Comparison(what, ours, peer, 3, 2)


AUDIT = "`loopgraph audit` of 10,000 commits"


def audits(work: Path, run: Path) -> Comparison:
    """A long history beside a tenth of it: commits a second, and whether that is linear."""

    def audit(commits: int) -> Program:
        made = histories.write(run, commits, work / f"history-{commits}")
        command = (tool("loopgraph"), "audit", str(made))
        return Program(f"loopgraph audit of {commits:,} commits", command, work)

    return Comparison(AUDIT, audit(10_000), audit(1_000), 11, 10)


def hooks(work: Path, floor: Program) -> list[Comparison]:
    """The Stop hook in the form that is registered: it blocks, and writes its count."""
    state = work / ".local" / "state" / "loopgraph" / "sessions"
    transcripts = {"small": 40, "large": 50_000}
    record = {"type": "user", "message": {"role": "user", "content": "x" * 1000}}
    for name, lines in transcripts.items():
        text = (json.dumps(record) + "\n") * lines
        (work / f"{name}.jsonl").write_text(text, "utf-8")

    def stop(rows: int, transcript: str, label: str) -> Program:
        folder = work / f"plan-{rows}"
        (folder / ".longgraph").mkdir(parents=True, exist_ok=True)
        plan = "".join(f"- [ ] {row + 1}. One row of this plan\n" for row in range(rows))
        (folder / "plan.md").write_text(f"## TODOs\n{plan}", "utf-8")
        record = {"active_plan": "plan.md", "status": "active", "session_ids": ["bench"]}
        works = json.dumps({"works": {"w": record}})
        (folder / ".longgraph" / "plans.json").write_text(works, "utf-8")
        payload = {
            "session_id": "bench", "transcript_path": str(work / f"{transcript}.jsonl"),
            "cwd": str(folder), "prompt_id": "p", "permission_mode": "default",
            "hook_event_name": "Stop", "stop_hook_active": False,
            "last_assistant_message": "One row is done.", "background_tasks": [],
        }  # fmt: skip
        return Program(
            label, (sys.executable, "-I", "-m", "loopgraph", "hook", "stop"), folder,
            remove(state), stdin=json.dumps(payload).encode(), says=b'"block"',
        )  # fmt: skip

    small = stop(20, "small", "the same, a plan of 20, a small transcript")
    node = shutil.which("node")
    found = [
        Comparison("`loopgraph hook stop`, a plan of 20", small, floor, 2.3, 1.8),
        Comparison("… a plan of 2,000", stop(2000, "small", "hook"), small, 1.3, 1.1),
        Comparison("… a transcript of 50 MB", stop(20, "large", "hook"), small, 1.15, 1.05),
    ]
    if node:
        peer = Program("node -e 0", (node, "-e", "0"), work)
        found.append(Comparison("`loopgraph hook stop`, a plan of 20", small, peer, 0.33, 0.22))
    return found


def machine() -> list[str]:
    """What this was measured on, one line each."""
    model = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        names = [line for line in cpus.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    packages = ("typer", "jinja2", "msgspec", "PyYAML", "copier", "cookiecutter")
    return [
        f"{model}, {os.cpu_count()} cores; {platform.system()}",
        f"{platform.python_implementation()} {platform.python_version()}",
        f"loopgraph {version('loopgraph')}; "
        + ", ".join(f"{name} {version(name)}" for name in packages),
    ]


def report(rows: Sequence[tuple[Comparison, Measured]], notes: Sequence[str], rounds: int) -> str:
    """The page."""
    lines = [
        "# Benchmarks",
        "",
        f"Made by `nox -s bench`. Each figure is a median over {rounds} rounds in which both",
        "programs run in turn, whole processes, caches warm. The ratio is taken within a round;",
        "milliseconds are this machine's alone. CPU is the ratio of processor time over all",
        "rounds. Below 1 we are the quicker.",
        "",
        "| what | compared with | ratio | CPU | must | stretch | ours, ms | theirs, ms |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for comparison, found in rows:
        goals = [f"≤ {goal:g}" if goal else "–" for goal in (comparison.must, comparison.stretch)]
        lines.append(
            f"| {comparison.what} | {comparison.peer.label} | **{found.ratio:.2f}** | "
            f"{found.cpu_ratio:.2f} | {goals[0]} | {goals[1]} | {found.ours:.0f} | "
            f"{found.peer:.0f} |"
        )
    return "\n".join([*lines, "", *(f"- {note}" for note in notes), ""])


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--only", default="", help="comparisons whose name holds this; no page")
    options = parser.parse_args()
    # A pinned clock keeps the run's name; byte code has to be cached, as in real use.
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "LOOPGRAPH_DIR", "CI")
    environ = {key: value for key, value in os.environ.items() if key not in dropped}
    environ["LOOPGRAPH_NOW"] = "2026-01-02T03:04:05+00:00"

    with tempfile.TemporaryDirectory(prefix="loopgraph-bench-") as made:
        work = Path(made)
        environ["XDG_CACHE_HOME"] = str(work / "cache")
        environ["HOME"] = environ["USERPROFILE"] = str(work)  # cookiecutter keeps answers there
        run = prepare(work, environ)
        padded = pad(run, work / "padded")
        write_context(run, work / "context.json")
        templates = ROOT / "templates" / "en"
        theirs = peers.copier(templates, work / "copier")
        peers.cookiecutter(templates, work / "cookiecutter")
        own = [(templates / f"{name}.md.j2").read_text("utf-8") for name in peers.NAMES]
        linter = markdownlint(work / "npm")
        rows = []
        others = (snapshots(work, run, environ), audits(work, run))
        for comparison in (*comparisons(work, run, linter), *others):
            if options.only not in comparison.what + comparison.peer.label:
                continue
            found = measure(comparison, options.rounds, environ)
            rows.append((comparison, found))
            print(f"{found.ratio:6.2f}  {comparison.what} / {comparison.peer.label}", flush=True)
            if (work / "bare").exists():
                same_files(work / "compiled", work / "bare")
        lines = sum(path.read_text("utf-8").count("\n") for path in padded.glob("*.md"))
        notes = [
            *machine(),
            f"Our five templates: {peers.size(own)}.",
            f"The peers' five: {peers.size(theirs)}.",
            "The bare script gets plain data and writes the same five files, byte for byte.",
            f"The five files that are checked hold {lines} lines."
            + (f" markdownlint-cli2 was not measured: {linter[1:]}." if linter[0] == "!" else ""),
        ]
        for comparison, found in rows:
            if comparison.what == ARCHIVES:
                speed = 5000 / found.ours
                notes.append(f"{ARCHIVES}: {speed:.0f} MB/s (must ≥ 15, stretch ≥ 40).")
            if comparison.what == AUDIT:
                speed = 10_000_000 / found.ours
                notes.append(f"{AUDIT}: {speed:,.0f} a second (must ≥ 4,000, stretch ≥ 8,000).")
        if not linter.startswith("!"):
            package = Path(linter).with_name("package.json")
            node = subprocess.run(["node", "--version"], capture_output=True, check=False)
            notes.insert(
                3,
                f"markdownlint-cli2 {json.loads(package.read_text('utf-8'))['version']}, "
                f"Node {node.stdout.decode().strip()}",
            )
    if not options.only:
        (ROOT / "docs" / "benchmarks.md").write_text(
            report(rows, notes, options.rounds), "utf-8", newline="\n"
        )


if __name__ == "__main__":
    main()
