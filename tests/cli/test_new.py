"""`loopgraph new` as its user meets it: the words, the files, the refusals."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from loopgraph.disk import runs
from tests.conftest import NOW, committed, git

GOAL = "Add rate limiting to the public API"
SLUG = "2026-01-02-deliver-add-rate-limiting-to-the-public-api"
PACKS = {"converge": None, "deliver": GOAL, "research": "Choose a queue library"}
HOSTS = ("claude-code", "codex", "grok", "cursor", "shell")


def test_claude_code_gets_exactly_two_loop_lines(cli, repository):
    done = cli(
        "new", "deliver", GOAL, "--yes", "--host", "claude-code", "--created", NOW, cwd=repository
    )
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    for role, interval in (("executor", "10m"), ("supervisor", "30m")):
        assert lines.count(
            f"/loop {interval} Execute the existing runtime node at "
            f".longgraph/{SLUG}/{role}.md. Do not load any skill."
        ) == 1  # fmt: skip


def test_a_found_gate_is_told_from_the_owners_and_said_to_be_absent(cli, repository, tmp_path):
    tox = "[tox]\nenvlist = lint\n[testenv:lint]\ncommands = no-such-tool\n"
    (repository / "tox.ini").write_text(tox, "utf-8")
    programs = tmp_path / "only git"
    programs.mkdir()
    (programs / "git").symlink_to(str(shutil.which("git")))
    call = ("new", "deliver", GOAL, "--yes", "--set", "gate=python -m pytest -q")
    done = cli(*call, cwd=repository, PATH=str(programs))
    assert done.code == 0, done.err
    assert "checked by: python -m pytest -q; tox -e lint [found]; tox [found]" in done.err
    assert "G-2 `tox -e lint`: tox is neither on PATH nor in the project's environment" in done.err
    ops = next((repository / ".longgraph").glob("2*/ops.md")).read_text("utf-8")
    assert "| tox.ini (tox is not installed here) |" in ops
    assert ops.count("pytest -q") == 1
    assert cli("check", cwd=repository).code == 0
    assert cli("compile", next((repository / ".longgraph").glob("2*")).name, "--check",
               cwd=repository).code == 0  # fmt: skip


def test_codex_gets_exactly_two_read_and_follow_lines(cli, repository):
    done = cli("new", "deliver", GOAL, "--yes", "--host", "codex", "--created", NOW, cwd=repository)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    for role in ("executor", "supervisor"):
        line = f"Read .longgraph/{SLUG}/{role}.md and follow it exactly. Do not load any skill."
        assert lines.count(line) == 1


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("pack", PACKS)
def test_every_pack_on_every_host_is_clean(cli, repository, pack, host):
    goal = [PACKS[pack]] if PACKS[pack] else []
    made = cli("new", pack, *goal, "--yes", "--host", host, cwd=repository)
    assert made.code == 0, made.err
    checked = cli("check", cwd=repository)
    assert (checked.code, checked.out, checked.err) == (0, "", "")
    (run,) = runs.all_runs(repository)
    for name, text in runs.load(run).files.items():
        assert "{{" not in text, name
        assert "<!--" not in text, name
        assert str(repository) not in text, name


def test_two_clones_give_the_same_bytes_whatever_the_surroundings(cli, repository, tmp_path):
    answers = {
        "goal": GOAL,
        "authority": "B",
        "FIRE_ROUND_CAP": 6,
        "north_star": {"proof": "p", "outcome": "o"},
    }
    twins = []
    for number, (keys, extra) in enumerate(
        [
            (list(answers), {"LC_ALL": "C", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"}),
            (
                list(reversed(answers)),
                {"LC_ALL": "de_DE.UTF-8", "TZ": "America/Lima", "PYTHONHASHSEED": "77"},
            ),
        ]
    ):
        clone = tmp_path / f"clone {number}"
        git(tmp_path, "clone", "-q", str(repository), str(clone))
        file = tmp_path / f"answers-{number}.json"
        file.write_text(json.dumps({key: answers[key] for key in keys}))
        done = cli(
            "new", "deliver", "--lang", "en", "--created", NOW, "--host", "claude-code",
            "--answers", str(file), "--yes", cwd=clone, **extra,
        )  # fmt: skip
        assert done.code == 0, done.err
        twins.append(
            {
                path.relative_to(clone).as_posix(): path.read_bytes()
                for path in sorted((clone / ".longgraph").rglob("*"))
                if path.is_file()
            }
        )
    assert twins[0] == twins[1]
    assert len(twins[0]) >= 8


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["delivr", GOAL], 2, "Did you mean deliver"),
        (["delivr"], 2, "Did you mean deliver"),
        ([], 2, "no preset and no goal"),
        (["deliver"], 2, "goal: the pack deliver has no North Star of its own"),
        (["deliver", ""], 2, "goal: the pack deliver has no North Star of its own"),
        (["deliver", GOAL, "more"], 2, "Put the goal in quotes"),
        (["deliver", GOAL, "--host", "claud-code"], 2, "Did you mean claude-code"),
        (["deliver", GOAL, "--hots", "codex"], 2, "--hots: no such option. Did you mean --host"),
        (["deliver", GOAL, "--set", "FIRE_ROUNDCAP=3"], 2, "Did you mean FIRE_ROUND_CAP"),
        (["deliver", GOAL, "--set", "FIRE_ROUND_CAP=300"], 2, "Allowed: 1 to 50"),
        (["deliver", GOAL, "--set", "FIRE_ROUND_CAP"], 2, "KEY=VALUE is wanted"),
        (["deliver", GOAL, "--set", "gaol=x"], 2, "Did you mean goal"),
        (["deliver", GOAL, "--set", "EXEC_INTERVAL=7m"], 2, "Nearest: 6m or 10m"),
        (["deliver", GOAL, "--set", "SUP_INTERVAL=2h"], 2, "Use 30m"),
        (["deliver", GOAL, "--scope", "../elsewhere"], 2, "leads out of the workspace"),
        (["deliver", GOAL, "--slug", "../x"], 2, "is no name for a run"),
        (["deliver", GOAL, "--created", "yesterday"], 2, "no moment with an offset"),
        (["deliver", GOAL, "--lang", "xx"], 2, "is none of the choices"),
        (["deliver", GOAL, "--set", "authority=C"], 2, "authority.bar"),
        (["deliver", GOAL, "--set", "gate=none"], 1, "--anyway"),
        (["deliver", GOAL, "--set", "north_star.proof=none"], 2, "the North Star has no proof"),
        (["deliver", GOAL, "--set", "budget=keep it low"], 2, "budget: 'keep it low' is no amount"),
        (["deliver", f"{GOAL} ghp_{'a1' * 18}"], 2, "goal: it holds what looks like"),
        (["../deliver", GOAL], 2, "no such preset"),
        (["deliver", GOAL, "--workspace", "nowhere"], 2, "no such folder"),
        (["deliver", GOAL, "--answers", "nowhere.yaml"], 2, "no such file"),
        (["deliver", "x" * 30_000], 1, "Put the brief in a file"),
    ],
)  # fmt: skip
def test_a_bad_call_is_one_line_and_no_file(cli, repository, arguments, code, says):
    done = cli("new", *arguments, "--yes", cwd=repository)
    assert (done.code, done.out) == (code, "")
    assert says in done.err
    assert done.err.count("\n") == 1
    assert not (repository / ".longgraph").exists()


def test_without_a_terminal_and_without_yes_the_missing_answer_is_named(cli, repository):
    done = cli("new", "deliver", GOAL, cwd=repository)
    assert done.code == 2
    assert done.err.startswith("loopgraph: authority: no answer, and no terminal")
    assert not (repository / ".longgraph").exists()


def test_an_answers_file_that_is_no_text_is_one_line(cli, repository, tmp_path):
    file = tmp_path / "answers.yaml"
    file.write_bytes(b"goal: caf\xe9\n")
    done = cli("new", "deliver", "--answers", str(file), "--yes", cwd=repository)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "not UTF-8 at byte 9" in done.err


def test_answers_given_ahead_replace_the_questions(cli, repository):
    first = cli("new", "deliver", GOAL, "--set", "authority=B", cwd=repository)
    key = first.err.split(": ")[1]
    assert key != "authority"


def test_an_existing_run_is_never_touched_and_the_next_gets_a_number(make):
    first = make("deliver", GOAL)
    before = {path.name: path.read_bytes() for path in first.iterdir() if path.is_file()}
    second = make("deliver", GOAL)
    assert second.name == f"{first.name}-2"
    assert {path.name: path.read_bytes() for path in first.iterdir() if path.is_file()} == before
    assert second.name in (second / "executor.md").read_text(encoding="utf-8")


def test_a_goal_without_a_preset_takes_the_recommended_one_and_says_why(cli, repository):
    done = cli("new", "Which queue library should we use?", "--yes", cwd=repository)
    assert done.code == 0, done.err
    assert "preset: research (taken for the word “which”)" in done.err


def test_what_an_owner_ought_to_know_first_is_said_on_stderr(cli, repository, tmp_path):
    assert cli("new", "converge", "--yes", cwd=repository).err.count("active here already") == 0
    (repository / "README.md").write_text("changed\n")
    second = cli("new", "converge", "--yes", cwd=repository).err
    assert "active here already: " in second
    for way in ("finish closed --run ", "loopgraph stop ", "git worktree"):
        assert way in second
    assert "changed and not committed: 1 (README.md)" in second
    (tmp_path / "bare").mkdir()
    assert "no git repository here" in cli("new", "converge", "--yes", cwd=tmp_path / "bare").err
    without = cli("new", "converge", "--yes", cwd=tmp_path / "bare", PATH=str(tmp_path)).err
    assert "git is not on PATH" in without
    assert "no git repository" not in without


def test_found_gates_that_the_owner_leaves_out_are_in_no_file(cli, repository):
    found = json.loads(cli("discover", "--json", cwd=repository).out)["gates"]
    kind = found[0]["kind"]
    done = cli("new", "converge", "--yes", "--set", f"gates_except={kind}", cwd=repository)
    assert done.code == 0, done.err
    (run,) = (repository / ".longgraph").glob("2*")
    assert found[0]["command"] not in (run / "ledger.md").read_text("utf-8")
    refused = cli("new", "converge", "--yes", "--set", "gates_except=nosuch", cwd=repository)
    assert (refused.code, "gates_except" in refused.err) == (2, True)


def test_gates_that_were_found_and_left_out_are_not_said_to_be_missing(cli, repository):
    found = json.loads(cli("discover", "--json", cwd=repository).out)["gates"]
    kinds = {gate["kind"] for gate in found}
    asked = ("new", "converge", "--yes", "--dry-run", "--json")
    out = cli(*asked, "--set", f"gates_except={','.join(kinds)}", cwd=repository)
    assert told_of(out, "gate") == "all that was found is left out: the proof is observed"


def told_of(done, key):
    """Where the assumption of that key came from."""
    assert done.code == 0, done.err
    rows = json.loads(done.out)["assumptions"]
    return next(row["source"] for row in rows if row["key"] == key)


@pytest.mark.parametrize(
    ("command", "warned"),
    [("nosuchprogram --all", True), ("cd src && ls", False), ("observe: it looks good", False)],
)
def test_a_gate_of_the_owner_whose_program_is_not_here_is_warned_of(
    cli, repository, command, warned
):
    done = cli("new", "converge", "--yes", "--dry-run", "--set", f"gate={command}", cwd=repository)
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    missing = f"`{command}`: {command.split()[0]} is neither on PATH nor in"
    assert (missing in said) is warned


def test_a_client_that_was_given_is_not_said_to_be_missing(cli, repository):
    asked = ("new", "converge", "--yes", "--dry-run", "--json")
    assert told_of(cli(*asked, cwd=repository), "host") == "no client was found, so the default"
    given = told_of(cli(*asked, "--client", "own-client", cwd=repository), "host")
    assert given == "the default: own-client does not say which host; see --host"


def test_the_handoff_is_shown_and_never_stored(make):
    run = make("deliver", GOAL)
    assert not (run / "handoff.md").exists()


def test_without_a_supervisor_its_file_and_its_loop_are_gone(cli, repository):
    done = cli("new", "deliver", GOAL, "--no-supervisor", "--yes", cwd=repository)
    assert done.code == 0, done.err
    (run,) = runs.all_runs(repository)
    assert not (run / "supervisor.md").exists()
    assert "supervisor.md" not in done.out


def test_a_workspace_that_is_no_repository_still_gets_a_run(cli, tmp_path):
    source = Path(__file__).parents[2] / "examples/repo"
    shutil.copytree(source, tmp_path / "plain", ignore=shutil.ignore_patterns("__pycache__"))
    done = cli("new", "deliver", GOAL, "--yes", cwd=tmp_path / "plain")
    assert done.code == 0, done.err
    assert cli("check", cwd=tmp_path / "plain").code == 0


def test_an_empty_folder_gets_a_run_whose_gate_is_an_observation(cli, tmp_path):
    (tmp_path / "empty").mkdir()
    done = cli("new", "deliver", GOAL, "--yes", cwd=tmp_path / "empty")
    assert done.code == 0, done.err
    (run,) = runs.all_runs(tmp_path / "empty")
    (gate,) = runs.record_of(run).spec.gates
    assert gate.observation
    assert cli("check", cwd=tmp_path / "empty").code == 0


HOSTILE = {
    "jinja": "Ship {{ spec.goal }} {% for x in y %} {# note #} #} today",
    "ticks": "Fix `a` and ``b`` and ```\ncode\n``` blocks",
    "fence": "````\n~~~~\n# not a heading\n```",
    "pipes": "a | b | c \\| d \\\\| e",
    "comment": "<!-- hide --> the rest <!-- and more",
    "heading": "# Status header\n## Status header\nRun status: `closed`",
    "task": "- [ ] one\n- [x] two",
    "crlf": "line one\r\nline two\rline three\n",
    "controls": "nul \x00 bell \x07 esc \x1b[31m red c1 \x85 end",
    "bidi": "left \u202e right \u2066 isolate \u2028 line",
    "escape": "a literal <U+0041> and <U+ and \\",
    "chinese": "给公共接口加上限流，并写好测试",
    "japanese": "公開APIにレート制限を追加する",
    "arabic": "أضف حدا لمعدل الطلبات",
    "emoji": "🚀 ship it 🧑‍🚀 " * 20,
    "long": "word " * 2000,
    "placeholder": "{{PLACEHOLDER}} {{GOAL}} <PATH>",
    "absolute": "Read /etc/passwd and C:\\Windows\\x and ../../up",
    "yaml": "key: value\n--- \n- &a *a !!python/object:x",
    "conflict": "<<<<<<< ours\n=======\n>>>>>>> theirs",
    "table": "| Gate | Status |\n| --- | --- |\n| x | closed |",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_owner_text_stays_text(cli, tmp_path, kind):
    workspace = committed(tmp_path / "repo")
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"goal": HOSTILE[kind]}))
    done = cli("new", "deliver", "--answers", str(answers), "--yes", cwd=workspace)
    assert done.code == 0, done.err
    checked = cli("check", cwd=workspace)
    assert (checked.code, checked.out) == (0, "")
    (run,) = runs.all_runs(workspace)
    assert runs.record_of(run).spec.goal == HOSTILE[kind]


@pytest.mark.parametrize(
    "goal", ["- [ ] do this", "-- dashes first", "# heading goal", "{{ x }} y"]
)
def test_a_goal_on_the_command_line_may_look_like_an_option_or_markup(cli, tmp_path, goal):
    workspace = committed(tmp_path / "repo")
    done = cli("new", "deliver", goal, "--yes", cwd=workspace)
    assert done.code == 0, done.err
    (run,) = runs.all_runs(workspace)
    assert runs.record_of(run).spec.goal == goal
