"""The wrapper: what is printed survives any path, and does what it says when a shell runs it."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.hosts import HOSTS, clients, wrapper
from loopgraph.hosts.base import Launch, Shell
from loopgraph.model import intervals
from loopgraph.model.errors import RefusedError
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from tests.hosts_text.samples import ROLES, RUN, SLUG, launch

SHELLS: tuple[Shell, ...] = ("posix", "powershell")

HOSTILE = [
    "plain",
    "with  two blanks",
    'it\'s "quoted"',
    "$HOME ${x} $(touch hacked) `touch hacked`",
    "100% %PATH% \\%",
    "back\\slash\\",
    "-rf",
    "--help",
    "中文 路径",
    "smart ‘quotes’ ‚low‛",
    "semi;colon & and | pipe > out",
    "wild*card [ab] ?",
    "~home {a,b} !history #comment",
    "tab\there",
]

posix = pytest.mark.skipif(os.name != "posix", reason="needs a posix shell")
SH = [sh for sh in ("sh", "dash", "bash") if shutil.which(sh)]


# Quoting -------------------------------------------------------------------------------------


def powershell_words(text: str) -> list[str]:
    """Words of PowerShell's single-quoted strings, by the language's rule for them.

    A string begins at a single quotation mark of any of the four kinds and ends at the next one
    that is not doubled; two in a row stand for one. Nothing else in it means anything.
    """
    marks = "'‘’‚‛"
    words, at = [], 0
    while at < len(text):
        assert text[at] in marks, text[at:]
        word, at = "", at + 1
        while True:
            if text[at] in marks:
                if text[at + 1 : at + 2] and text[at + 1] in marks:
                    word += text[at]
                    at += 2
                    continue
                at += 1
                break
            word += text[at]
            at += 1
        words.append(word)
        at += len(text[at:]) - len(text[at:].removeprefix(", "))
    return words


LINE = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"))


@given(LINE)
def test_a_posix_word_reads_back(text: str) -> None:
    assert shlex.split(wrapper.quoted(text, "posix")) == [text]


@given(st.lists(LINE, min_size=1, max_size=4))
def test_powershell_words_read_back(texts: list[str]) -> None:
    line = ", ".join(wrapper.quoted(text, "powershell") for text in texts)
    assert powershell_words(line) == texts


@pytest.mark.parametrize("text", HOSTILE)
def test_a_powershell_word_opens_and_closes_with_a_plain_mark(text: str) -> None:
    quoted = wrapper.quoted(text, "powershell")
    assert quoted[0] == quoted[-1] == "'"
    assert powershell_words(quoted) == [text]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("char", ["\n", "\r", "\0"])
def test_a_line_break_is_refused_since_no_quoting_holds_it(shell: Shell, char: str) -> None:
    with pytest.raises(RefusedError):
        wrapper.quoted(f"a{char}b", shell)


@posix
@pytest.mark.parametrize("sh", SH)
def test_a_shell_itself_reads_every_hostile_word_back(sh: str) -> None:
    words = " ".join(wrapper.quoted(text, "posix") for text in HOSTILE)
    done = subprocess.run(
        [sh, "-c", f"printf '%s\\n' {words}"], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.split("\n")[:-1] == HOSTILE


# A run with a client that writes down how it was called ---------------------------------------


class World:
    """A workspace with a hostile name, a run in it, and a client that writes down its words."""

    def __init__(self, folder: Path, name: str, *, role: Role = "executor") -> None:
        self.root = folder / name
        self.run = self.root / RUN
        self.run.mkdir(parents=True)
        self.status("`active`")
        self.bin = folder / f"{name} bin"
        self.bin.mkdir()
        self.calls = folder / "calls"
        self.slept = folder / "slept"
        self.client = self.bin / "claude"
        self.role = role
        self.script("sleep", f'echo "$1" >>{shlex.quote(str(self.slept))}')
        self.acts("exit 0")

    def status(self, said: str) -> None:
        text = f"# Ledger\r\n\r\nMilestone gate: `n/a`\nRun status: {said}\n\n## Rounds log\n"
        (self.run / "ledger.md").write_text(text, "utf-8", newline="")

    def script(self, name: str, body: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        path.chmod(0o755)

    def acts(self, body: str) -> None:
        """What the client does after it has written down its folder, names and words."""
        names = 'echo "$LOOPGRAPH_NODE $LOOPGRAPH_RUN"'
        calls = shlex.quote(str(self.calls))
        note = f'{{ pwd; {names}; printf "%s\\n" "$@" --; }} >>{calls}'
        self.script("claude", f"{note}\ncat >/dev/null\nledger={RUN}/ledger.md\n{body}")

    def ends_after(self, calls: int) -> None:
        count = f"$(grep -c '^--$' {shlex.quote(str(self.calls))})"
        self.acts(f'[ "{count}" -lt {calls} ] || echo "Run status: closed" >$ledger')

    def called(self) -> list[list[str]]:
        text = self.calls.read_text("utf-8") if self.calls.exists() else ""
        return [call.split("\n")[:-1] for call in text.split("--\n")[:-1]]

    def launch(self, **more: object) -> Launch:
        at = launch(self.role, root=str(self.root), client=str(self.client))
        return at._replace(**more)  # type: ignore[arg-type]

    def text(self, **more: object) -> str:
        return wrapper.per_tick(self.launch(**more), "en", ()).script

    def environ(self) -> dict[str, str]:
        return {"PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "HOME": str(self.root)}

    def start(self, text: str, sh: str = "sh") -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sh, "-c", text], cwd="/", env=self.environ(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip

    def result(self, text: str, sh: str = "sh") -> tuple[int, str]:
        process = self.start(text, sh)
        _, err = process.communicate(timeout=60)
        return process.returncode, err

    @property
    def lock(self) -> Path:
        return self.run / "evidence" / "fires" / f"{self.role}.lock"


WORDS = list(
    clients.words("claude", f"Read {RUN}/executor.md and follow it exactly. Do not load any skill.")
)[1:]


@posix
@pytest.mark.parametrize("sh", SH)
@pytest.mark.parametrize("name", HOSTILE)
def test_the_client_gets_its_words_exactly_in_the_workspace(
    tmp_path: Path, name: str, sh: str
) -> None:
    world = World(tmp_path, name)
    world.ends_after(1)
    code, err = world.result(world.text(), sh)
    assert (code, err) == (0, "loopgraph: executor: ended: a STOP file or a final Run status\n")
    assert world.called() == [[str(world.root), f"executor {SLUG}", *WORDS]]
    assert not list(tmp_path.rglob("hacked"))
    assert not world.lock.exists()


@posix
@pytest.mark.parametrize("name", HOSTILE)
def test_a_crontab_line_survives_cron_and_its_shell(tmp_path: Path, name: str) -> None:
    world = World(tmp_path, name)
    line = wrapper.per_tick(world.launch(), "en", ()).crontab
    command = " ".join(line.split(" ")[5:])
    assert line.count("\n") == 0
    # Cron ends a command at the first % without a backslash, and drops the backslashes.
    assert "%" not in command.replace("\\%", "")
    code, err = world.result(command.replace("\\%", "%"))
    assert (code, err) == (0, "")
    assert world.called() == [[str(world.root), f"executor {SLUG}", *WORDS]]
    assert not world.lock.exists()
    assert not list(tmp_path.rglob("hacked"))


@posix
@pytest.mark.parametrize("client", clients.CLIENTS, ids=lambda client: client.names[0])
def test_every_client_gets_the_prompt_as_one_word(tmp_path: Path, client: clients.Client) -> None:
    world = World(tmp_path, "work")
    world.ends_after(1)
    other = world.bin / client.names[0]
    if not other.exists():
        other.write_bytes(world.client.read_bytes())
        other.chmod(0o755)
    assert world.result(world.text(client=client.names[0]))[0] == 0
    words = clients.words(client.names[0], wrapper.pointer(world.launch()))
    assert world.called()[0][2:] == list(words)[1:]


# When it ends --------------------------------------------------------------------------------


@posix
def test_it_fires_again_after_its_interval_in_seconds(tmp_path: Path) -> None:
    world = World(tmp_path, "work")
    world.ends_after(3)
    assert world.result(world.text())[0] == 0
    assert len(world.called()) == 3
    assert world.slept.read_text().split() == ["600", "600"]


@posix
@pytest.mark.parametrize(
    ("role", "said", "fires"),
    [
        ("executor", "`closed`", False),
        ("executor", "closed", False),
        ("executor", "**closed** (goal met)", False),
        ("executor", "Closed", False),
        ("executor", "`stalled`", False),
        ("executor", "`active`", True),
        ("executor", "`exit-ready`", True),
        ("executor", "active; was closed by mistake", True),
        ("supervisor", "`closed`", False),
        ("supervisor", "`stalled`", True),
        ("scout", "stalled", False),
    ],
)
@pytest.mark.parametrize("way", ["wrapper", "cron"])
def test_it_ends_at_a_final_run_status(
    tmp_path: Path, role: Role, said: str, way: str, *, fires: bool
) -> None:
    world = World(tmp_path, "work", role=role)
    world.status(said)
    world.acts("echo 'Run status: closed' >$ledger")
    made = wrapper.per_tick(world.launch(), "en", ())
    text = made.script if way == "wrapper" else " ".join(made.crontab.split(" ")[5:])
    code, _ = world.result(text)
    assert len(world.called()) == int(fires)
    assert code == 0 or way == "cron"


@posix
def test_a_status_in_the_rounds_log_does_not_end_it(tmp_path: Path) -> None:
    world = World(tmp_path, "work")
    ledger = world.run / "ledger.md"
    ledger.write_text(ledger.read_text() + "- R1 | Run status: closed\nRun status: closed\n")
    world.ends_after(1)
    world.result(world.text())
    assert len(world.called()) == 1


@posix
@pytest.mark.parametrize(
    "decorated", ["**Run status:** closed", "> Run status： `closed`", "- run status: closed"]
)
def test_a_decorated_status_line_is_read_too(tmp_path: Path, decorated: str) -> None:
    world = World(tmp_path, "work")
    (world.run / "ledger.md").write_text(f"# L\n\n{decorated}\n", "utf-8")
    world.result(world.text())
    assert world.called() == []


@posix
@pytest.mark.parametrize("place", ["STOP", "../STOP"])
@pytest.mark.parametrize("way", ["wrapper", "cron"])
def test_a_stop_file_of_the_run_or_the_workspace_ends_it(
    tmp_path: Path, way: str, place: str
) -> None:
    world = World(tmp_path, "work")
    (world.run / place).touch()
    made = wrapper.per_tick(world.launch(), "en", ())
    world.result(made.script if way == "wrapper" else " ".join(made.crontab.split(" ")[5:]))
    assert world.called() == []


@posix
def test_a_run_that_is_gone_ends_it(tmp_path: Path) -> None:
    world = World(tmp_path, "work")
    world.acts(f"rm -r {RUN}; mkdir -p {RUN}/evidence/fires")
    assert world.result(world.text())[0] == 0
    assert len(world.called()) == 1
    shutil.rmtree(world.root)
    assert world.result(world.text())[0] == 2


@posix
def test_a_client_that_fails_at_once_is_tried_ever_later_and_then_no_more(tmp_path: Path) -> None:
    world = World(tmp_path, "work")
    world.acts("exit 3")
    code, err = world.result(world.text())
    assert code == 1
    assert len(world.called()) == 6
    assert world.slept.read_text().split() == ["1200", "2400", "4800", "9600", "14400"]
    assert "failed at once, exit 3; next try in 1200 seconds" in err
    assert err.endswith("gives up\n")
    assert not world.lock.exists()


@posix
def test_a_client_that_is_not_there_is_no_endless_loop(tmp_path: Path) -> None:
    world = World(tmp_path, "work")
    code, err = world.result(world.text(client="/nowhere/claude"))
    assert code == 1
    assert "exit 127" in err


@posix
def test_one_good_fire_forgets_the_failures(tmp_path: Path) -> None:
    world = World(tmp_path, "work")
    count = f"$(grep -c '^--$' {shlex.quote(str(world.calls))})"
    world.acts(f'case {count} in 1|3) exit 1;; 4) echo "Run status: closed" >$ledger;; esac')
    assert world.result(world.text())[0] == 0
    assert world.slept.read_text().split() == ["1200", "600", "1200"]


@posix
@pytest.mark.parametrize("limiter", ["timeout", "perl"])
def test_a_fire_that_hangs_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limiter: str
) -> None:
    if not shutil.which(limiter):
        pytest.skip(f"no {limiter} here")
    monkeypatch.setattr(wrapper, "LIMIT", 1)
    world = World(tmp_path, "work")
    real = shutil.which("sleep")
    world.acts(f'echo "Run status: closed" >$ledger; exec {real} 50')
    text = world.text()
    if limiter == "perl":
        text = text.replace("command -v timeout", "command -v no-such-timeout")
    begun = time.monotonic()
    assert world.result(text)[0] == 0
    assert time.monotonic() - begun < 30
    assert len(world.called()) == 1


# One at a time -------------------------------------------------------------------------------


def wait_for(path: Path) -> None:
    for _ in range(400):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(path)


@posix
@pytest.mark.parametrize("sh", SH)
def test_a_second_one_goes_and_the_first_leaves_cleanly_when_told(tmp_path: Path, sh: str) -> None:
    world = World(tmp_path, "work")
    real = shutil.which("sleep")
    world.acts(f"exec {real} 50")
    first = world.start(world.text(), sh)
    wait_for(world.calls)
    assert world.result(world.text(), sh)[0] == 75
    cron = " ".join(wrapper.per_tick(world.launch(), "en", ()).crontab.split(" ")[5:])
    assert world.result(cron)[0] != 0
    assert len(world.called()) == 1
    assert world.lock.exists()
    pid = int(world.lock.read_text())
    begun = time.monotonic()
    os.kill(pid, signal.SIGTERM)
    first.communicate(timeout=30)
    assert time.monotonic() - begun < 20, "the client was ended with it"
    assert not world.lock.exists()


@posix
@pytest.mark.parametrize("sh", SH)
def test_ctrl_c_ends_the_wrapper_and_its_client(tmp_path: Path, sh: str) -> None:
    world = World(tmp_path, "work")
    real = shutil.which("sleep")
    world.acts(f"echo $$ >pid; exec {real} 50")
    # Where these tests run in the background Ctrl-C is ignored, and a shell cannot undo that.
    heed = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL)"
    process = subprocess.Popen(
        [sys.executable, "-c", f"{heed}; os.execvp(sys.argv[1], sys.argv[1:])",
         shutil.which(sh) or sh, "-c", world.text()],
        env=world.environ(), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    wait_for(world.root / "pid")
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=30) != 0
    with pytest.raises(ProcessLookupError):
        os.kill(int((world.root / "pid").read_text()), 0)
    assert not world.lock.exists()


@posix
@pytest.mark.parametrize("way", ["wrapper", "cron"])
@pytest.mark.parametrize("content", ["gone", "", "nonsense"])
def test_the_lock_of_a_process_that_is_gone_is_taken_over(
    tmp_path: Path, way: str, content: str
) -> None:
    world = World(tmp_path, "work")
    world.ends_after(1)
    world.lock.parent.mkdir(parents=True)
    if content == "gone":
        done = subprocess.Popen([sys.executable, "-c", ""])
        done.wait()
        content = str(done.pid)
    world.lock.write_text(content)
    made = wrapper.per_tick(world.launch(), "en", ())
    text = made.script if way == "wrapper" else " ".join(made.crontab.split(" ")[5:])
    assert world.result(text)[0] == 0
    assert len(world.called()) == 1
    assert not world.lock.exists()


@posix
def test_both_nodes_run_beside_each_other(tmp_path: Path) -> None:
    world = World(tmp_path, "work")
    world.lock.parent.mkdir(parents=True)
    world.lock.write_text(str(os.getpid()))
    world.role = "supervisor"
    world.ends_after(1)
    assert world.result(world.text())[0] == 0
    assert len(world.called()) == 1


# Cron's fields -------------------------------------------------------------------------------


def minutes_of_day(fields: str) -> list[int]:
    """The minutes of a day at which cron fires, by crontab(5)."""
    minute, hour, *rest = fields.split()
    assert rest == ["*", "*", "*"]

    def every(field: str, size: int) -> list[int]:
        if field == "*":
            return list(range(size))
        if field.startswith("*/"):
            return list(range(0, size, int(field[2:])))
        return [int(part) for part in field.split(",")]

    return [h * 60 + m for h in every(hour, 24) for m in every(minute, 60)]


@pytest.mark.parametrize("interval", intervals.legal(Interval(1)), ids=str)
@pytest.mark.parametrize("after", [0, 5, 30, 720])
def test_cron_fires_evenly_all_day_and_over_midnight(interval: Interval, after: int) -> None:
    fires = minutes_of_day(wrapper.schedule(interval, after))
    gaps = {b - a for a, b in pairwise([*fires, fires[0] + 1440])}
    assert gaps == {interval.minutes}


def test_the_supervisor_under_cron_fires_between_the_executors() -> None:
    executor = minutes_of_day(wrapper.schedule(Interval(10)))
    supervisor = minutes_of_day(wrapper.schedule(Interval(30), 5))
    assert not set(executor) & set(supervisor)
    assert wrapper.schedule(Interval(30), 5) == "5,35 * * * *"


def test_a_command_too_long_for_cron_is_not_printed() -> None:
    made = wrapper.per_tick(launch(root="/" + "x" * 900, client="claude"), "en", ())
    assert made.crontab == ""
    assert made.script


# PowerShell ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("role", ROLES)
def test_the_powershell_wrapper_holds_its_words_whole(name: str, role: Role) -> None:
    at = launch(role, root=f"C:\\{name}", client=f"D:\\{name}\\claude.exe", shell="powershell")
    text = wrapper.per_tick(at, "en", ()).script
    rows = text.split("\n")
    found = {row.partition(" ")[0]: row for row in rows}
    place = found["Set-Location"]
    literal = place.removeprefix("Set-Location -LiteralPath ").removesuffix(" -ErrorAction Stop")
    assert powershell_words(literal) == [at.root]
    assert powershell_words(found["$client"].removeprefix("$client = ")) == [at.client]
    words = found["$words"].removeprefix("$words = @(").removesuffix(")")
    assert powershell_words(words) == list(clients.words(at.client, wrapper.pointer(at)))[1:]


def test_the_powershell_wrapper_has_lock_limit_stop_status_seconds_and_back_off() -> None:
    text = wrapper.per_tick(launch(client="codex", shell="powershell"), "en", ()).script
    for part in (
        f"{RUN}",
        "'OpenOrCreate', 'ReadWrite', 'None'",
        f"Wait-Job $job -Timeout {wrapper.LIMIT}",
        '"$run/STOP"',
        "run status[^A-Za-z]*(closed|stalled)",
        "$pause = 600",
        "[Math]::Min($pause * 2, 14400)",
        "$fails -ge 6",
        "Start-Sleep -Seconds $pause",
    ):
        assert part in text
    assert text.count("{") == text.count("}")
    assert text.count("(") == text.count(")")


def test_the_powershell_wrapper_has_no_crontab_line() -> None:
    assert wrapper.per_tick(launch(client="codex", shell="powershell"), "en", ()).crontab == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_no_argument_holds_a_double_quote_since_old_powershell_would_lose_it(shell: Shell) -> None:
    at = launch(client="claude", shell=shell)
    for client in clients.CLIENTS:
        for word in clients.words(client.names[0], wrapper.pointer(at)):
            assert '"' not in word


@pytest.mark.parametrize("name", [n for n in HOSTS if HOSTS[n].per_tick("supervisor")])
def test_every_per_tick_client_has_a_command_line(name: str) -> None:
    for role in ROLES:
        assert all(clients.kind(client) for client in HOSTS[name].per_tick(role))
