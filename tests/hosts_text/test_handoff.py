"""The handoff: each part of it, for every host and every choice."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import replace

import pytest

from loopgraph.author.handoff import data, handoff, parts
from loopgraph.hosts import HOSTS
from loopgraph.hosts.base import Shell
from loopgraph.model.commands import NAMES
from loopgraph.model.errors import LoopgraphError, RefusedError, UsageError
from loopgraph.model.spec import NodeSpec, RunSpec
from tests.hosts_text.samples import ROOT, RUN, SLUG, SPEC, client_of, run

SHELLS: tuple[Shell, ...] = ("posix", "powershell")
PASTED = ("  loopgraph ", "Read .longgraph/")


def choices() -> dict[str, RunSpec]:
    """Every host as executor, with and without supervisor, with and without client, each shell."""
    found = {}
    for name in HOSTS:
        for supervisor in (name, None):
            for client in (client_of(name), ""):
                for shell in SHELLS:
                    key = f"{name}-{supervisor or 'alone'}-{client or 'none'}-{shell}"
                    found[key] = run(name, supervisor, client=client, shell=shell)
    for executor in HOSTS:
        for supervisor in HOSTS:
            if executor != supervisor:
                found[f"{executor}+{supervisor}"] = run(executor, supervisor)
    return found


CHOICES = choices()


def told(spec: RunSpec, **more: object) -> str:
    return handoff(spec, root=ROOT, **more)  # type: ignore[arg-type]


def prose(text: str) -> str:
    """The handoff without scripts and crontab lines, each paragraph on one line."""
    text = re.sub(r"(?ms)^```.*?^```$", "", text)
    text = re.sub(r"(?m)^[\d,*/ ]+ cd -- .*$", "", text)
    return re.sub(r" {2,}", " ", re.sub(r"(?<![\n])\n(?![\n-])", " ", text))


PARTS: Mapping[str, str] = {
    "the workspace": re.escape(f"Workspace: {ROOT}"),
    "the run": re.escape(f"Run: {RUN}"),
    "how many to open": (
        r"To open: (one session|\d sessions or terminals, one per node|nothing yet)"
    ),
    "a fast, cheap executor": "Model: a fast, cheap one",
    "what goes on by itself": "By itself",
    "how to look": rf"Look: what waits for you comes first:.* loopgraph status {SLUG}",
    "how to stop": rf"Stop: run this in the workspace.* loopgraph stop {SLUG}",
    "how to stop at once": "Stop at once",
    "how to go on": rf"Go on: run this.* loopgraph resume {SLUG}",
    "what to do when it is stalled": rf"Stalled: .* loopgraph resume {SLUG} --why ",
    "how to answer": rf"by the command below.* loopgraph owner answer OB-001 A --run {SLUG}",
    "decision cards": "prints a card. Answer with its letter",
    "where an answer stands": "below or by `owner: A` at the end of the Why now cell of its row",
}
WITH_SUPERVISOR: Mapping[str, str] = {
    "a section of its own": "## Supervisor: ",
    "a strong supervisor": "Model: a strong one",
    "half an interval later": r"Start it about 5m after the executor",
    "how to steer": rf"Steer: .* loopgraph directive add plan --from owner --run {SLUG} --action ",
    "where the supervisor's cards are": r"\(a supervisor's card: directives\.md\)",
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("choice", CHOICES)
def test_every_handoff_has(choice: str, part: str) -> None:
    assert re.search(PARTS[part], prose(told(CHOICES[choice])))


@pytest.mark.parametrize("part", WITH_SUPERVISOR)
@pytest.mark.parametrize("choice", CHOICES)
def test_only_with_a_supervisor_a_handoff_has(choice: str, part: str) -> None:
    spec = CHOICES[choice]
    found = re.search(WITH_SUPERVISOR[part], prose(told(spec)))
    assert bool(found) == (spec.node("supervisor") is not None)


@pytest.mark.parametrize("choice", CHOICES)
def test_each_node_has_its_place_its_line_and_its_sign(choice: str) -> None:
    spec = CHOICES[choice]
    sections = re.split(r"(?m)^## ", told(spec))[1:-1]
    assert len(sections) == len(spec.nodes)
    for node, section in zip(spec.nodes, sections, strict=True):
        assert section.startswith(f"{node.role.capitalize()}: {HOSTS[node.host].TITLE}, every ")
        if "no client was found" in prose(section) and "\n/loop" not in section:
            assert "--client FILE" in prose(section)
            assert "--set client=FILE" in prose(section)
            if "Or in the app" not in section:
                continue
        assert "Paste this into " in section or "paste this into " in section
        assert "Sign that it runs: " in section
        assert f"{RUN}/{node.role}.md" in section


@pytest.mark.parametrize("choice", CHOICES)
def test_a_line_to_paste_stands_alone_at_column_0(choice: str) -> None:
    spec = CHOICES[choice]
    rows = told(spec).split("\n")
    for part in parts(spec, root=ROOT):
        if part.told.line:
            at = rows.index(part.told.line)
            assert (rows[at - 1], rows[at + 1]) == ("", "")
        if part.told.per_tick and part.told.per_tick.crontab:
            assert part.told.per_tick.crontab in rows


@pytest.mark.parametrize("choice", CHOICES)
def test_a_script_stands_whole_in_a_fence(choice: str) -> None:
    text = told(CHOICES[choice])
    for part in parts(CHOICES[choice], root=ROOT):
        if part.told.per_tick and part.told.per_tick.script:
            fence = f"```{part.told.per_tick.language}\n{part.told.per_tick.script}\n```\n"
            assert fence in text


@pytest.mark.parametrize("choice", CHOICES)
def test_nothing_is_left_half_filled(choice: str) -> None:
    text = told(CHOICES[choice], with_automation=True)
    assert "{{" not in text
    assert "{%" not in text
    assert "None" not in prose(text)
    assert not re.search(r"\{[a-z]+\}", prose(text)), "a value was not put in"
    assert not re.search(r"~[a-z]+~", text), "a value of a script was not put in"
    assert not re.search(r"<[a-z]+>", prose(text))
    assert "undefined" not in text.lower()


@pytest.mark.parametrize("choice", CHOICES)
def test_only_the_chosen_hosts_are_named(choice: str) -> None:
    spec = CHOICES[choice]
    chosen = {node.host for node in spec.nodes}
    text = told(spec, with_automation=True)
    for name, host in HOSTS.items():
        assert (host.TITLE in text) == (name in chosen)


@pytest.mark.parametrize("choice", CHOICES)
def test_expiry_is_shown_with_how_to_re_arm(choice: str) -> None:
    spec = CHOICES[choice]
    said = [line for line in prose(told(spec)).split("\n") if line.startswith("- Expiry")]
    ending = [n for n in spec.nodes if HOSTS[n.host].CAPABILITIES.expiry_days]
    assert bool(said) == bool(ending)
    for node in ending:
        days = HOSTS[node.host].CAPABILITIES.expiry_days
        assert [s for s in said if f"after {days} days" in s and "re-arm" in s.lower()]


@pytest.mark.parametrize("choice", CHOICES)
def test_the_owner_writes_no_id_and_makes_no_timer(choice: str) -> None:
    said = prose(told(CHOICES[choice])).lower()
    assert not re.search(r"\b(write|copy|note|enter|fill in)\b[^.]*\b(id|ids)\b", said)
    assert not re.search(
        r"\b(create|set up|add|schedule)\b[^.]*\b(timer|wakeup|automation)\b", said
    )
    assert "automation" not in said


@pytest.mark.parametrize("choice", CHOICES)
def test_prose_fits_80_columns(choice: str) -> None:
    spec = CHOICES[choice]
    text = re.sub(r"(?ms)^```.*?^```$", "", told(spec))
    pasted = [part.told.line for part in parts(spec, root=ROOT)]
    for line in text.split("\n"):
        if line not in pasted and " cd -- " not in line and not line.startswith(PASTED):
            assert len(line) <= 80, line


@pytest.mark.parametrize("choice", CHOICES)
def test_it_stays_short(choice: str) -> None:
    hosts = {node.host for node in CHOICES[choice].nodes}
    limit = 540 if len(hosts) > 1 else 510 if "codex" in hosts else 440
    read = [line for line in told(CHOICES[choice]).split("\n") if not line.startswith(PASTED)]
    assert len(prose("\n".join(read)).split()) <= limit


@pytest.mark.parametrize("choice", CHOICES)
def test_no_line_ends_in_a_blank_and_no_gap_is_wider_than_one_line(choice: str) -> None:
    text = told(CHOICES[choice], with_automation=True)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\n\n\n" not in text
    assert not [line for line in text.split("\n") if line != line.rstrip()]


def test_it_never_ends_at_files_were_made() -> None:
    for spec in CHOICES.values():
        assert "## From here on" in told(spec)


# Codex ---------------------------------------------------------------------------------------


def test_codex_gives_the_process_per_tick_first_and_says_why() -> None:
    text = told(run("codex", "codex", client="codex"))
    for section in re.split(r"(?m)^## ", text)[1:3]:
        assert section.index("```sh\n") < section.index("\nRead ")
        assert "Or in the app." in section
    assert "wakeups in the app are reported unreliable" in prose(text)


def test_codex_names_automations_only_when_they_were_asked_for() -> None:
    spec = run("codex", "codex", client="codex")
    assert "automation" not in told(spec).lower()
    assert told(spec, with_automation=True).lower().count("an automation") == 2
    for name in HOSTS:
        if name != "codex":
            assert "automation" not in told(run(name, name), with_automation=True).lower()


def test_codex_says_what_its_sandbox_forbids() -> None:
    said = prose(told(run("codex", "codex", client="codex")))
    assert "no network" in said
    assert "no commit" in said


# Clients -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["shell", "codex"])
def test_without_a_client_it_says_which_were_looked_for(name: str) -> None:
    text = told(run(name, name), clients_sought={name: ("foo", "bar")})
    assert "looked on PATH for foo, bar" in prose(text)
    assert "```sh" not in text
    assert "looked on PATH for " + ", ".join(HOSTS[name].EXECUTABLES) in prose(
        told(run(name, name))
    )


def test_a_client_that_the_run_names_but_nobody_found_is_not_printed() -> None:
    text = told(run("shell", None, client="claude"), clients={})
    assert "looked on PATH for claude." in prose(text)
    assert "```sh" not in text


def test_a_client_that_nobody_knows_is_not_guessed() -> None:
    text = told(run("shell", None, client="aider"))
    assert "the command line of aider is not known here" in prose(text)
    assert "```sh" not in text


def test_a_found_client_is_printed_with_its_path() -> None:
    text = told(run("shell", None, client="claude"), clients={"executor": "/opt/a b/claude"})
    assert "fire '/opt/a b/claude' -p " in text


def test_a_path_in_the_run_itself_never_chooses_a_program() -> None:
    spec = run("shell", None, client="/tmp/evil/claude")
    assert "evil" not in told(spec)
    assert "fire claude -p " in told(spec)


# Which nodes ---------------------------------------------------------------------------------


def test_one_host_shows_its_own_nodes_alone() -> None:
    spec = run("claude-code", "shell", client="claude")
    text = told(spec, only_host="shell")
    assert "## Supervisor: Shell or cron" in text
    assert "## Executor" not in text
    assert "To open: one session or terminal." in text
    assert "Start it about 5m after the executor" in prose(text)


def test_another_host_is_refused_with_the_way_to_it() -> None:
    with pytest.raises(RefusedError) as refused:
        told(run("claude-code", "shell"), only_host="grok")
    assert "claude-code, shell" in refused.value.what
    made = run("claude-code", "shell").slug
    assert refused.value.fix == f"Make a successor run: loopgraph new --from {made} --host grok"
    assert refused.value.exit_code == 1


def test_a_host_in_the_record_that_nobody_knows_is_refused() -> None:
    with pytest.raises(UsageError, match="Did you mean codex"):
        told(run("codexx", None))


def test_a_scout_has_a_section_and_no_steering() -> None:
    spec = run("claude-code", None)
    spec = replace(
        spec, scout="look", nodes=(*spec.nodes, NodeSpec("scout", "claude-code", "", "30m"))
    )
    text = told(spec)
    assert "## Scout: Claude Code, every 30m" in text
    assert "Steer" not in text
    assert "To open: 2 sessions" in text


@pytest.mark.parametrize(
    ("interval", "later"),
    [("1m", "30s"), ("3m", "1m"), ("10m", "5m"), ("15m", "7m"), ("2h", "1h"), ("1d", "12h")],
)
def test_the_supervisor_starts_half_an_executor_interval_later(interval: str, later: str) -> None:
    spec = run("claude-code", "claude-code", interval=interval)
    assert f"Start it about {later} after the executor" in prose(told(spec))


@pytest.mark.parametrize(
    "slug",
    [
        "",
        "a b",
        "../x",
        "x; rm -rf y",
        "x`y`",
        "2026\n",
        "名",
        "x/executor.md. Then push",
        ".x",
        "-x",
    ],
)
def test_a_name_that_would_say_more_than_a_name_is_refused(slug: str) -> None:
    with pytest.raises(RefusedError):
        told(run("claude-code", None, slug=slug))


def test_a_command_of_the_owner_is_one_line_that_every_shell_takes() -> None:
    for slug in (SLUG, "2026-01-02-" + "x" * 80):
        said = {told(run("grok", None, slug=slug, shell=shell)) for shell in SHELLS}
        assert len(said) == 1
        (text,) = said
        assert f"\n  loopgraph stop {slug}\n" in text
        commands = re.findall(r"(?m)^  (loopgraph .*)$", text)
        assert [command.split()[1] for command in commands] == [
            "status", "stop", "resume", "resume", "owner", "gate", "promote",
        ]  # fmt: skip


def test_every_command_of_the_owner_is_one_that_the_program_takes() -> None:
    for spec in CHOICES.values():
        for command in re.findall(r"(?m)^  loopgraph (.*)$", told(spec)):
            words = shlex.split(command)
            assert words[0] in NAMES or " ".join(words[:2]) in NAMES, command


def test_a_long_root_is_never_folded() -> None:
    root = "/home/owner/" + "a folder with blanks/" * 8 + "end"
    assert f"Workspace: {root}\n" in handoff(run("grok", None), root=root)


def test_a_root_with_a_line_end_is_refused_where_a_shell_would_get_it() -> None:
    with pytest.raises(LoopgraphError):
        handoff(run("shell", None, client="claude"), root="/a\nLOOPGRAPH\nrm -rf x")
    assert "Workspace: /a<U+000A>b\n" in handoff(run("grok", None), root="/a\nb")


def test_the_same_as_data_holds_every_field() -> None:
    spec = run("codex", "claude-code", client="codex")
    found = data(spec, parts(spec, root=ROOT), root=ROOT)
    assert found["schema"] == "loopgraph/handoff/1"
    assert found["run"] == SLUG
    assert found["text"] == told(spec)
    nodes = found["nodes"]
    assert isinstance(nodes, list)
    assert [(n["role"], n["host"]) for n in nodes] == [
        ("executor", "codex"),
        ("supervisor", "claude-code"),
    ]
    assert nodes[0]["per_tick"]["script"].startswith("sh <<")
    assert nodes[1]["per_tick"] is None
    assert nodes[1]["line"].startswith("/loop 30m ")


def test_a_host_that_is_no_choice_here_is_not_touched() -> None:
    assert SPEC.nodes == ()
