"""Every host, by one harness: its table entry, its line, its timer step."""

from __future__ import annotations

import re

import pytest

from loopgraph.author import compiler
from loopgraph.hook import dialects
from loopgraph.hosts import HOSTS, clients, hooks
from loopgraph.hosts.base import Expiry, say
from loopgraph.hosts.marks import MARKS
from loopgraph.model import intervals
from loopgraph.model.graph import Role
from loopgraph.model.languages import Language
from loopgraph.plain.places import PREFIXES
from tests.hosts_text.samples import ROLES, RUN, SLUG, client_of, launch, run

CASES = [(host, role) for host in HOSTS for role in ROLES]
LOOPS = [(h, r) for h, r in CASES if HOSTS[h].CAPABILITIES.loop and not HOSTS[h].per_tick(r)]
AUTHORING = re.compile(r"(?i)\b(set ?up|create|write|plan|make|build|add|draft|generate)\b")


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_says_who_it_is_and_how_that_is_known(name: str) -> None:
    host = HOSTS[name]
    assert name == host.NAME
    assert host.TITLE
    assert re.fullmatch(r"20\d\d-\d\d(-\d\d)?", host.CHECKED.date)
    assert host.CHECKED.version or name == "shell"
    assert host.EXECUTABLES


def test_no_mark_belongs_to_two_hosts() -> None:
    for marks in ("ENVIRONMENT", "PROCESSES"):
        all_marks = [mark for host in HOSTS.values() for mark in getattr(host, marks)]
        assert len(all_marks) == len(set(all_marks))
    titles = [host.TITLE for host in HOSTS.values()]
    assert not [(a, b) for a in titles for b in titles if a != b and a in b]


def test_expiry_is_the_smaller_of_measured_and_documented() -> None:
    assert Expiry(30, 7).days == 7
    assert Expiry(3, 7).days == 3
    assert Expiry(documented=7).days == 7
    assert Expiry().days is None
    assert HOSTS["claude-code"].CAPABILITIES.expiry_days == 7
    assert HOSTS["grok"].CAPABILITIES.expiry_days == 7


@pytest.mark.parametrize("name", HOSTS)
def test_every_legal_interval_reads_back_from_the_line(name: str) -> None:
    host = HOSTS[name]
    for interval in intervals.legal(host.CAPABILITIES.minimum):
        told = host.handoff(launch(minutes=interval.minutes, client=client_of(name)), "en")
        if told.line.startswith("/loop"):
            assert intervals.parse(told.line.split()[1]) == interval


@pytest.mark.parametrize(("name", "role"), CASES)
def test_a_line_is_one_line_that_reads_and_follows(name: str, role: Role) -> None:
    line = HOSTS[name].handoff(launch(role, client=client_of(name)), "en").line
    if not line:
        assert HOSTS[name].per_tick(role)
        return
    assert len(line.splitlines()) == 1
    assert line == line.strip()
    assert f"{RUN}/{role}.md" in line
    assert SLUG in line
    assert re.match(r"(/loop \d+[mhd] Execute the existing|Read) ", line)
    assert line.endswith("Do not load any skill.")
    assert not AUTHORING.search(line)
    assert "\\" not in line
    assert "{" not in line


@pytest.mark.parametrize(("name", "role"), LOOPS)
def test_on_a_loop_host_the_line_has_exactly_this_shape(name: str, role: Role) -> None:
    assert HOSTS[name].handoff(launch(role), "en").line == (
        f"/loop 10m Execute the existing runtime node at {RUN}/{role}.md. Do not load any skill."
    )


def test_the_claude_code_supervisor_is_pasted_in_the_same_form() -> None:
    line = HOSTS["claude-code"].handoff(launch("supervisor", minutes=30), "en").line
    assert line.startswith("/loop 30m Execute the existing runtime node at ")


@pytest.mark.parametrize("role", ROLES)
def test_on_codex_the_line_has_exactly_this_shape(role: Role) -> None:
    assert HOSTS["codex"].handoff(launch(role), "en").line == (
        f"Read {RUN}/{role}.md and follow it exactly. Do not load any skill."
    )


def test_the_cursor_supervisor_is_a_process_per_tick() -> None:
    told = HOSTS["cursor"].handoff(launch("supervisor", client="agent"), "en")
    assert told.line == ""
    assert told.per_tick is not None
    assert "agent -p --force --trust 'Read " in told.per_tick.script


@pytest.mark.parametrize(("name", "role"), CASES)
def test_a_timer_step_fits_a_prompt(name: str, role: Role) -> None:
    step = HOSTS[name].timer_step(launch(role, root=""), "en")
    assert len(step.splitlines()) <= 6
    assert len(step) <= 1200
    assert "{" not in step
    assert "\n#" not in f"\n{step}"
    assert not re.search(r"(^|[\s`])/(?!loop)\w", step), "an absolute path"
    assert "\n\n" not in step


@pytest.mark.parametrize(("name", "role"), CASES)
def test_a_timer_step_is_the_same_for_every_workspace(name: str, role: Role) -> None:
    host = HOSTS[name]
    here, there = launch(role, root="/a", client="x"), launch(role, root="/b", client="y")
    assert host.timer_step(here, "en") == host.timer_step(there, "en")


@pytest.mark.parametrize(("name", "role"), LOOPS)
def test_on_a_loop_host_a_node_ends_its_own_timer_by_slug(name: str, role: Role) -> None:
    step = HOSTS[name].timer_step(launch(role), "en")
    assert f"`{SLUG}/{role}.md`" in step
    assert "compare" in step
    assert "`closed`" in step
    assert ("audited its last round" in step) == (role == "supervisor")
    assert ("`stalled`" in step) == (role != "supervisor")
    assert "STOP" in step
    assert "list again" in step
    assert "Never" in step
    assert "end the fire" in step
    assert f"{RUN}/{role}.md. Do not load" not in step, "it matches by slug, not by the sentence"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_claude_code_node_knows_its_job_where_the_list_cuts_its_name(lang: Language) -> None:
    """`CronList` shows 79 characters of a prompt: the whole name fits a short run alone."""
    host = HOSTS["claude-code"]
    long = launch()._replace(slug=f"{SLUG}-to-the-api", run=f"{RUN}-to-the-api")
    shown = host.handoff(long, lang).line.removeprefix("/loop 10m ")[:79]
    assert shown.endswith(f"/{SLUG[:31]}")
    assert f"`{SLUG[:31]}…`" in host.timer_step(long, lang)
    short = launch()._replace(slug="2026-01-02-go", run=".longgraph/2026-01-02-go")
    assert "…" not in host.timer_step(short, lang)


def test_the_two_nodes_of_a_run_never_match_each_other_nor_a_numbered_twin() -> None:
    twin = launch()._replace(slug=f"{SLUG}-2")
    tokens = [launch("executor").token, launch("supervisor").token, twin.token]
    assert not [(a, b) for a in tokens for b in tokens if a != b and a in b]


@pytest.mark.parametrize("role", ROLES)
def test_a_codex_node_arms_one_named_wakeup_or_says_once_that_it_cannot(role: Role) -> None:
    step = HOSTS["codex"].timer_step(launch(role), "en")
    token = f"`{SLUG}/{role}.md`"
    assert "If a tool here schedules wakeups of this thread" in step
    assert f"named {token}" in step
    assert "only if that name is missing" in step
    assert "say once" in step
    assert "one process per tick" in step
    assert "prints it) brings you back; end the fire" in step
    assert "delete the wakeup of that name, look again" in step
    assert "automation" not in step.lower()


@pytest.mark.parametrize(("name", "role"), CASES)
def test_only_where_the_timers_table_is_a_node_writes_its_id(name: str, role: Role) -> None:
    step = HOSTS[name].timer_step(launch(role), "en")
    assert ("Timers table" in step) == HOSTS[name].CAPABILITIES.timers_table
    if "Timers table" in step:
        assert "touch no other" in step


@pytest.mark.parametrize(("name", "role"), CASES)
def test_a_timer_step_leaves_an_outer_timer_alone(name: str, role: Role) -> None:
    step = HOSTS[name].timer_step(launch(role), "en")
    outer = "- If your shell has `LOOPGRAPH_NODE` set, an outer timer"
    assert step.startswith((outer, "- An outer process starts you"))


def test_a_process_per_tick_is_told_that_the_end_of_a_fire_ends_its_timer() -> None:
    said = "- An outer process starts you: to end your timer, end the fire."
    assert {HOSTS["shell"].timer_step(launch(role), "en") for role in ROLES} == {said}
    assert HOSTS["cursor"].timer_step(launch("supervisor"), "en") == said
    assert HOSTS["cursor"].timer_step(launch("executor"), "en") != said


@pytest.mark.parametrize("name", HOSTS)
def test_a_compiled_prompt_carries_the_timer_step(name: str) -> None:
    spec = run(name, name)
    for node in spec.nodes:
        step = HOSTS[name].timer_step(compiler.launch(spec, node.role), "en")
        assert compiler.timer_step(spec, node.role) == step.strip()


def test_a_text_without_the_wanted_language_is_said_in_english() -> None:
    assert say({"en": "hello {who}"}, "zh", who="{x} {who}") == "hello {x} {who}"
    assert say({"en": "hello", "zh": "你好"}, "zh") == "你好"


@pytest.mark.parametrize("name", HOSTS)
def test_a_run_in_another_language_keeps_its_lines(name: str) -> None:
    for role in ROLES:
        at = launch(role, client=client_of(name))
        assert HOSTS[name].handoff(at, "zh").line == HOSTS[name].handoff(at, "en").line


@pytest.mark.parametrize("client", clients.CLIENTS, ids=lambda client: client.names[0])
def test_a_headless_command_line_has_the_prompt_once_and_no_bypass(client: clients.Client) -> None:
    for name in client.names:
        words = clients.words(f"/opt/bin/{name}", "the prompt")
        assert words[0] == f"/opt/bin/{name}"
        assert words.count("the prompt") == 1
        assert not [word for word in words if "\0" in word]
        assert not [word for word in words if "dangerously" in word or "bypass" in word]


@pytest.mark.parametrize(
    ("executable", "name"),
    [
        ("claude", "claude"),
        ("/opt/Claude/claude", "claude"),
        (r"C:\npm\codex.cmd", "codex"),
        (r"C:\Program Files\x\Claude.EXE", "claude"),
        ("agent", "cursor-agent"),
        ("./opencode.ps1", "opencode"),
        ("claude-code", None),
        ("", None),
    ],
)
def test_a_client_is_known_by_the_name_of_its_file(executable: str, name: str | None) -> None:
    found = clients.kind(executable)
    assert (found.names[0] if found else None) == name
    assert bool(clients.words(executable, "p")) == bool(name)


def test_every_table_of_clients_tells_the_same_of_their_sessions() -> None:
    assert set(MARKS) == set(dialects.NAMES) == set(hooks.BY_NAME)
    for name, marks in MARKS.items():
        assert marks.prefix == dialects.load(name).PREFIX
        assert f"{marks.prefix}:" in PREFIXES
        assert not marks.session or marks.session in marks.environment
