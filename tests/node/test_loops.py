"""Loops by command: texts in, texts out."""

from __future__ import annotations

import json
import re

import pytest

from loopgraph.edges import loops as edge
from loopgraph.edges.loops import Settings
from loopgraph.edges.places import GLOBAL, PROJECT
from loopgraph.model.commands import NAMES
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError
from loopgraph.node import evidence, loops
from tests.node.said import ANN, BOB, LATER, PERSON, after, agent, call, everywhere, made, with_loop

FILE = ".longgraph/loops/fix.md"
INDEX = ".longgraph/loops/index.json"
COPY = ".omx/ralph-loop.local.md"


def index(files):
    return json.loads(files[INDEX])


def proven(files, session="ann-1", task=None):
    """The same, with evidence that lets a loop be done."""
    values = {"last_verified": ("`pytest` passes",), "next_actions": ("tell the owner",)}
    who = call(agent(ANN)) if session else call()
    change = evidence.change(files, who, session=ANN if session else None, task=task, values=values)
    return after(files, change)


# Starting ------------------------------------------------------------------------------------


def test_a_new_loop_says_all_that_the_hook_and_the_session_need():
    files = made(prompt="Fix every test.", session="ann-1")
    assert set(files) == {FILE, INDEX, ".longgraph/state/ann-1.json"}
    head, _, body = files[FILE].removeprefix("---\n").partition("---\n")
    assert head == (
        "iteration: 1\n"
        "max_iterations: 50\n"
        'completion_promise: "DONE"\n'
        'session_id: "ann-1"\n'
        'started_at: "2026-01-02T03:04:05+00:00"\n'
        "auto_chunk: true\n"
        "max_output_chars: 800\n"
        "non_interactive: true\n"
        "reporting: final_only\n"
    )
    assert body.startswith("Fix every test.\n\n")
    assert "<promise>DONE</promise>" in body
    assert "800 characters" in body
    assert json.loads(files[".longgraph/state/ann-1.json"])["goal"] == "Fix every test."
    assert index(files)["tasks"]["fix"]["session_id"] == "ann-1"
    assert index(files)["active"] == "fix"


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(max_iterations=0, promise=None, auto_chunk=False, max_output_chars=5),
        Settings(strict=True, goal="adopt"),
    ],
)
@pytest.mark.parametrize("hook", [True, False])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_loop_always_asks_nobody_and_reports_at_the_end(settings, hook, lang):
    change = loops.init(
        {}, call(), task="fix", prompt="Fix.", settings=settings, lang=lang, hook=hook
    )
    written = after({}, change)[FILE]
    assert "\nnon_interactive: true\nreporting: final_only\n" in written
    asks, reports = {
        "en": ("Do not ask whether to go on", "No interim report"),
        "zh": ("不要询问是否继续", "不做中途汇报"),
    }[lang]
    assert asks in written
    assert reports in written


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_without_a_hook_the_prompt_says_to_go_on_by_itself(lang):
    def body(*, hook):
        change = loops.init(
            {}, call(), task="fix", prompt="Fix.", settings=Settings(), lang=lang, hook=hook
        )
        return edge.read("fix", FILE, after({}, change)[FILE]).prompt

    alone = {"en": "go on by yourself", "zh": "自己继续"}[lang]
    assert alone in body(hook=False)
    assert alone not in body(hook=True)
    assert "loopgraph loop done fix" in body(hook=False)
    assert "<promise>" not in body(hook=False)


def test_with_a_fixed_answer_no_word_is_demanded_in_it():
    loop = edge.read("fix", FILE, made(strict=True)[FILE])
    assert loop.strict
    assert loop.promise is None
    assert "promise" not in loop.prompt
    assert "loopgraph loop done fix" in loop.prompt


def test_a_loop_without_a_promise_is_ended_by_a_command():
    loop = edge.read("fix", FILE, made(promise=None)[FILE])
    assert loop.promise is None
    assert "loopgraph loop done fix" in loop.prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "---\niteration: 9\n---\nx",
        "a\n---\nb",
        "iteration: 9",
        "x\r\ny\r\n",
        "\ufeffx",
        "{x} $& %s",
    ],
)
def test_no_prompt_is_taken_for_front_matter(prompt):
    loop = edge.read("fix", FILE, made(prompt=prompt)[FILE])
    assert loop.iteration == 1
    assert loop.prompt.startswith(prompt.rstrip())


@pytest.mark.parametrize(
    "promise", ['say "x"', "back\\slash", "null", "全部完成", "# no comment", "a: b", "~"]
)
def test_a_promise_is_read_back_as_it_was_said(promise):
    assert edge.read("fix", FILE, made(promise=promise)[FILE]).promise == promise


@pytest.mark.parametrize(
    "promise", ["", "  ", "two\nlines", "</promise>", "a<promise>b", "\x1b[31m"]
)
def test_a_promise_that_no_answer_could_say_is_refused(promise):
    with pytest.raises(UsageError, match="one line of text"):
        made(promise=promise)


@pytest.mark.parametrize("task", ["", " ", "a b", "../x", "a/b", ".hidden", "con", "x" * 61, "-x"])
def test_a_name_that_is_no_file_on_every_system_is_refused(task):
    with pytest.raises(UsageError):
        made(task)


@pytest.mark.parametrize("task", ["omx", "claude"])
def test_the_names_of_other_tools_loops_are_taken(task):
    with pytest.raises(UsageError, match="another tool"):
        made(task)


@pytest.mark.parametrize("prompt", ["", "  \n\t\n"])
def test_a_prompt_says_something(prompt):
    with pytest.raises(UsageError, match="says nothing"):
        made(prompt=prompt)


def test_a_prompt_that_no_host_passes_on_whole_is_told_and_a_huge_one_refused():
    change = loops.init({}, call(), task="fix", prompt="x" * 9000, settings=Settings(), lang="en")
    assert any("hosts cut it" in line for line in change.says)
    with pytest.raises(UsageError, match="larger than"):
        made(prompt="x" * (1 << 20))


@pytest.mark.parametrize(
    ("settings", "hook", "told"),
    [
        (
            Settings(),
            True,
            (
                f"{FILE} written",
                "It holds nobody yet. Paste into the session that is to do it:",
                "Run `loopgraph loop bind fix`, then follow what it prints.",
            ),
        ),
        (
            Settings(session="ann-1"),
            True,
            (f"{FILE} written", "Session ann-1 goes on until it ends."),
        ),
        (
            Settings(session="ann-1", max_iterations=0),
            True,
            (
                f"{FILE} written",
                "Session ann-1 goes on until it ends.",
                "It has no limit of its own: without progress the hook lets it go.",
            ),
        ),
        (
            Settings(session="ann-1", max_iterations=0),
            False,
            (
                f"{FILE} written",
                f"No hook holds it. Paste into the session: Read {FILE} and follow it.",
            ),
        ),
    ],
)
def test_whoever_makes_a_loop_is_told_what_comes_next(settings, hook, told):
    change = loops.init(
        {}, call(), task="fix", prompt="Fix.", settings=settings, lang="en", hook=hook
    )
    assert change.says == told


@pytest.mark.parametrize("task", ["fix", "FIX"])
def test_a_second_loop_of_the_same_name_is_refused(task):
    with pytest.raises(RefusedError, match="there is such a loop"):
        with_loop(made("fix"), task, "again", "")


@pytest.mark.parametrize("written", ["ann-1", "claude:ann-1"])
def test_a_session_runs_one_loop(written):
    with pytest.raises(RefusedError, match="ann-1 runs fix"):
        with_loop(made(session=written), "other", "x", "ann-1")


def test_an_earlier_state_of_the_session_is_set_aside_not_trusted():
    files = after({}, loops.done(proven(made(session="ann-1")), call(), task="fix"))
    files = {".longgraph/state/ann-1.json": files[".longgraph/state/ann-1.json"]}
    again = with_loop(files, "next", "Next.", "ann-1")
    assert json.loads(again[".longgraph/state/ann-1.json"])["last_verified"] == []
    assert again[".longgraph/state/ann-1.1.json"] == files[".longgraph/state/ann-1.json"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_prompt_names_only_commands_that_there_are(lang):
    named = set()
    for settings in (Settings(), Settings(strict=True), Settings(promise=None)):
        change = loops.init({}, call(), task="fix", prompt="Fix.", settings=settings, lang=lang)
        body = after({}, change)[FILE]
        named |= set(re.findall(r"`loopgraph ([a-z]+ [a-z]+)", body))
    assert named == {"state set", "loop done"}
    assert named <= NAMES


# Several sessions ----------------------------------------------------------------------------


def test_several_sessions_run_several_loops():
    files = with_loop(made("one", session="ann-1"), "two", "Second.", "bob-2")
    assert loops.named(files, call(agent(ANN)), None).task == "one"
    assert loops.named(files, call(agent(BOB)), None).task == "two"
    assert loops.named(files, call(), None).task == index(files)["active"] == "one"
    del files[INDEX]
    with pytest.raises(UsageError, match="2 loops here, and none was named"):
        loops.named(files, call(), None)


def test_binding_changes_the_session_and_no_other_byte():
    files = made()
    change = loops.bind(files, call(agent(ANN)), task=None, session=ANN)
    assert change.files[FILE] == files[FILE].replace('session_id: ""', 'session_id: "ann-1"')
    assert "Fix it." in "\n".join(change.says)


def test_the_evidence_follows_the_loop_to_its_session():
    files = proven(made(), session=None, task="fix")
    bound = after(files, loops.bind(files, call(), task="fix", session=ANN))
    assert ".longgraph/state/fix.json" not in bound
    assert bound[".longgraph/state/ann-1.json"] == files[".longgraph/state/fix.json"]


def test_the_sessions_earlier_state_is_set_aside_for_the_one_that_follows_the_loop():
    files = proven(made(), session=None, task="fix")
    files[".longgraph/state/ann-1.json"] = '{"goal": "earlier"}'
    bound = after(files, loops.bind(files, call(), task="fix", session=ANN))
    assert bound[".longgraph/state/ann-1.json"] == files[".longgraph/state/fix.json"]
    assert bound[".longgraph/state/ann-1.1.json"] == '{"goal": "earlier"}'


def test_a_loop_without_any_state_gets_one_when_it_is_bound():
    files = {FILE: made()[FILE]}
    bound = after(files, loops.bind(files, call(), task="fix", session=ANN))
    assert json.loads(bound[".longgraph/state/ann-1.json"])["goal"] == "Fix it."


def test_an_answer_has_at_least_one_character():
    assert made(max_output_chars=1)
    with pytest.raises(UsageError, match="at least 1"):
        made(max_output_chars=0)


def test_a_cancelled_loop_says_so_in_its_evidence():
    files = made(session="ann-1")
    left = after(files, loops.cancel(files, call(), task="fix"))
    assert json.loads(left[".longgraph/state/ann-1.json"])["current_phase"] == "cancelled"


def test_a_person_may_hand_a_loop_to_another_session_and_an_agent_may_not():
    files = made(session="ann-1")
    taken = after(files, loops.bind(files, call(PERSON), task="fix", session=BOB))
    assert edge.read("fix", FILE, taken[FILE]).session == "bob-2"
    with pytest.raises(RefusedError, match="another session"):
        loops.bind(files, call(agent(BOB)), task="fix", session=BOB)


def test_a_session_that_runs_a_loop_is_bound_to_no_second():
    files = with_loop(made("one", session="ann-1"), "two", "Second.", "")
    with pytest.raises(RefusedError, match="ann-1 runs one"):
        loops.bind(files, call(), task="two", session=ANN)


def test_binding_needs_a_session():
    with pytest.raises(UsageError) as told:
        loops.bind(made(), call(), task="fix", session=None)
    assert "loopgraph loop bind fix" in told.value.fix


@pytest.mark.parametrize("end", [loops.done, loops.cancel])
def test_an_agent_ends_no_loop_of_another_session(end):
    with pytest.raises(RefusedError, match="another session"):
        end(made(session="ann-1"), call(agent(BOB)), task="fix")


# Ending --------------------------------------------------------------------------------------


def test_a_loop_with_evidence_is_done_and_gone():
    files = proven(made(session="ann-1"))
    left = after(files, loops.done(files, call(agent(ANN)), task=None))
    assert FILE not in left
    assert index(left) == {"version": 1, "active": None, "tasks": {}}
    assert json.loads(left[".longgraph/state/ann-1.json"])["current_phase"] == "done"


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({}, "last_verified says nothing"),
        ({"next_actions": ["edit a.py"]}, "last_verified says nothing"),
        ({"last_verified": ["it works"]}, "points at nothing"),
        ({"last_verified": ["`make` passes"]}, "next_actions is empty"),
        ({"last_verified": ["`make` passes"], "next_actions": ["continue"]}, "nothing to do"),
        ({"last_verified": ["`make` passes"], "next_actions": ["think"]}, "names no path"),
    ],
)
def test_without_evidence_a_loop_is_done_only_where_somebody_says_anyway(values, why):
    place = ".longgraph/state/ann-1.json"
    files = made(session="ann-1")
    files[place] = json.dumps({**json.loads(files[place]), **values})
    with pytest.raises(RefusedError, match=why):
        loops.done(files, call(), task="fix")
    assert FILE not in after(files, loops.done(files, call(), task="fix", anyway=True))


def test_what_is_cancelled_is_gone_with_its_copy():
    files = made(session="ann-1")
    files = after(files, loops.sync(files, call()))
    assert COPY in files
    left = after(files, loops.cancel(files, call(), task="fix"))
    assert not {FILE, COPY} & set(left)
    assert after(left, loops.sync(left, call())).keys() == left.keys()


def test_a_broken_loop_can_be_cancelled_but_not_bound():
    files = {FILE: "no front matter"}
    with pytest.raises(RefusedError, match="cannot be read"):
        loops.bind(files, call(), task="fix", session=ANN)
    assert FILE not in after(files, loops.cancel(files, call(), task="fix"))


def test_the_owners_stop_of_a_loop_is_one_key():
    files = made(session="ann-1")
    off = after(files, loops.switch(files, call(), task="fix", active=False))
    assert off[FILE] == files[FILE].replace("final_only\n", "final_only\nactive: false\n")
    on = after(off, loops.switch(off, call(), task="fix", active=True))
    assert on[FILE] == off[FILE].replace("active: false", "active: true")
    assert index(off)["tasks"]["fix"]["state"] == "stopped"
    assert index(on)["tasks"]["fix"]["state"] == "bound"


# The index -----------------------------------------------------------------------------------


@pytest.mark.parametrize("broken", [None, "", "{", "[]", '{"version": 9}', '{"tasks": 3}'])
def test_sync_makes_the_index_anew_from_the_files(broken):
    files = with_loop(made("one", session="ann-1"), "two", "Second.", "bob-2")
    damaged = {path: text for path, text in files.items() if path != INDEX}
    if broken is not None:
        damaged[INDEX] = broken
    tasks = index(after(damaged, loops.sync(damaged, call())))["tasks"]
    assert tasks == index(files)["tasks"]


def test_a_broken_index_is_not_written_over_by_the_way():
    files = {**made(), INDEX: "{"}
    with pytest.raises(UnreadableError, match="not valid JSON"):
        loops.activate(files, call(), task="fix")


def test_the_index_keeps_what_others_wrote_and_the_moment_of_what_did_not_change():
    files = with_loop(made("one"), "two", "Second.", "")
    said = {**index(files), "theirs": [1]}
    said["tasks"]["one"]["note"] = "kept"
    files[INDEX] = json.dumps(said)
    change = loops.bind(files, call(now=LATER), task="two", session=ANN)
    found = json.loads(after(files, change)[INDEX])
    assert found["theirs"] == [1]
    assert found["tasks"]["one"] == said["tasks"]["one"]
    assert found["tasks"]["two"]["updated_at"] == LATER


def test_a_loop_that_the_hook_ended_leaves_the_index_at_the_next_command():
    files = with_loop(made("one"), "two", "Second.", "")
    del files[".longgraph/loops/one.md"]
    assert list(index(after(files, loops.sync(files, call())))["tasks"]) == ["two"]


def test_the_active_task_is_the_one_that_was_activated():
    files = with_loop(made("one"), "two", "Second.", "")
    chosen = after(files, loops.activate(files, call(), task="two"))
    assert loops.named(chosen, call(), None).task == "two"


def test_the_copy_for_other_tools_is_the_active_loop_and_says_so():
    files = made(session="ann-1")
    copied = after(files, loops.sync(files, call()))
    assert copied[COPY] == files[FILE].replace("final_only\n", 'final_only\ntask: "fix"\n')
    again = after(copied, loops.sync(copied, call()))
    assert again == copied


def test_a_single_file_that_is_no_copy_is_somebodys_loop_and_stays():
    theirs = "---\niteration: 3\n---\ntheirs"
    files = {**made(), COPY: theirs}
    change = loops.sync(files, call())
    assert COPY not in change.files
    assert any(COPY in line for line in change.says)


# Other tools' files --------------------------------------------------------------------------

PLUGIN = """---
active: true
iteration: 4
session_id: other
max_iterations: 0
completion_promise: "COMPLETE"
started_at: "2026-03-01T00:00:00Z"
# a comment
theirs: [1, 2]
---

Build the thing.\r
"""


@pytest.mark.parametrize(
    ("name", "path", "written"),
    [("omx", COPY, '"ann-1"'), ("claude", ".claude/ralph-loop.local.md", "ann-1")],
)
def test_other_tools_loops_are_read_and_bound_in_their_own_form(name, path, written):
    files = {path: PLUGIN}
    loop = loops.named(files, call(), name)
    assert (loop.iteration, loop.promise, loop.session) == (4, "COMPLETE", "other")
    bound = loops.bind(files, call(), task=name, session=ANN)
    assert bound.files[path] == PLUGIN.replace("session_id: other", f"session_id: {written}")
    assert INDEX not in bound.files
    assert loops.done(files, call(), task=name).files[path] is None


def test_evidence_is_asked_for_where_there_is_none_and_of_others_only_where_there_is_some():
    own = {FILE: made(session="ann-1")[FILE]}
    with pytest.raises(RefusedError, match="last_verified says nothing"):
        loops.done(own, call(), task="fix")
    files = {COPY: PLUGIN.replace("other", "ann-1")}
    assert loops.done(files, call(), task="omx").files[COPY] is None
    files[".longgraph/state/ann-1.json"] = "{}"
    with pytest.raises(RefusedError, match="last_verified says nothing"):
        loops.done(files, call(), task="omx")


def test_another_tools_loop_is_not_activated_here():
    with pytest.raises(UsageError, match="another tool"):
        loops.activate({COPY: PLUGIN}, call(), task="omx")


def test_the_global_registry_has_its_own_place_and_its_commands_say_so():
    change = loops.init({}, everywhere(), task="fix", prompt="Fix.", settings=Settings(), lang="en")
    assert set(change.files) == {
        ".codex/.omx/ralph-loops/fix.md",
        ".codex/.omx/ralph-loops/index.json",
        ".codex/.omx/state/long-term-task/fix.json",
    }
    assert "--global" in after({}, change)[".codex/.omx/ralph-loops/fix.md"]
    assert any("--global" in line for line in change.says)
    synced = after({}, loops.sync(after({}, change), everywhere()))
    assert edge.read("", "", synced[".codex/.omx/ralph-loop.local.md"]).copy_of == "fix"


def test_each_scope_reads_its_own_files():
    assert not set(loops.wanted(PROJECT)) & set(loops.wanted(GLOBAL))


def test_a_loop_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(UsageError) as told:
        loops.named(made("fix-tests"), call(), "fix-test")
    assert told.value.fix == "Did you mean fix-tests?"


def test_a_huge_prompt_is_refused_with_its_limit_and_the_largest_is_taken():
    room = (1 << 20) - (16 << 10)
    assert made(prompt="x" * room)
    with pytest.raises(UsageError) as told:
        made(prompt="x" * (room + 1))
    assert (told.value.where, told.value.what) == ("--prompt", "larger than 1008 KiB")


def test_sync_tells_what_is_wrong_with_each_broken_loop():
    files = {**made(), ".longgraph/loops/odd.md": "no front matter"}
    change = loops.sync(files, call())
    assert change.says[0] == ".longgraph/loops/index.json: 2 loops"
    assert [line for line in change.says if line.startswith(".longgraph/loops/odd.md: ")]


def size_of(prompt):
    return len(edge.read("fix", FILE, made(prompt=prompt)[FILE]).prompt.encode())


def test_a_prompt_is_too_long_for_a_host_from_the_byte_behind_its_limit():
    spare = 9000 - size_of("x")
    for more, told in ((0, False), (1, True)):
        prompt = "x" * (1 + spare + more)
        change = loops.init({}, call(), task="fix", prompt=prompt, settings=Settings(), lang="en")
        assert size_of(prompt) == 9000 + more
        cut = [line for line in change.says if "hosts cut it at 10,000" in line]
        says = f"The prompt has {9000 + more} bytes, and hosts cut it at 10,000: name files in it."
        assert cut == ([says] if told else [])
        alone = loops.init(
            {}, call(), task="fix", prompt=prompt, settings=Settings(), lang="en", hook=False
        )
        assert not any("hosts cut" in line for line in alone.says)


@pytest.mark.parametrize(
    ("iterations", "hook", "told"),
    [(0, True, True), (-1, True, True), (1, True, False), (0, False, False)],
)
def test_a_loop_without_a_limit_says_what_lets_it_go(iterations, hook, told):
    settings = Settings(max_iterations=iterations)
    change = loops.init(
        {}, call(), task="fix", prompt="Fix.", settings=settings, lang="en", hook=hook
    )
    assert any("no limit of its own" in line for line in change.says) == told


@pytest.mark.parametrize(("long", "may"), [(60, True), (61, False)])
def test_a_tasks_name_has_a_length(long, may):
    if may:
        assert made("x" * long)
    else:
        with pytest.raises(UsageError, match="at most 60 characters"):
            made("x" * long)


@pytest.mark.parametrize("task", ["a.b", "a_b", "测试", "a-", "1"])
def test_a_name_that_is_a_file_everywhere_is_taken(task):
    assert f".longgraph/loops/{task}.md" in made(task)


@pytest.mark.parametrize(("long", "goal"), [(300, "x" * 300), (301, "x" * 299 + "…")])
def test_the_goal_of_a_state_is_the_first_line_as_far_as_it_has_room(long, goal):
    files = made(prompt=f"\n \n  {'x' * long}  \nmore")
    assert json.loads(files[".longgraph/state/fix.json"])["goal"] == goal


def test_each_earlier_state_of_a_session_is_kept_under_a_name_of_its_own():
    state = ".longgraph/state/ann-1.json"
    files = {state: '{"goal": "2"}', ".longgraph/state/ann-1.1.json": '{"goal": "1"}'}
    again = with_loop(files, "next", "Next.", "ann-1")
    assert again[".longgraph/state/ann-1.2.json"] == '{"goal": "2"}'
    assert again[".longgraph/state/ann-1.1.json"] == '{"goal": "1"}'


@pytest.mark.parametrize("session", ["ann-1", "claude:ann-1"])
def test_a_loop_that_cannot_be_read_keeps_nobody_from_another(session):
    files = {**made("one", session="ann-1")}
    path = ".longgraph/loops/one.md"
    files[path] = files[path].replace("iteration: 1", "iteration: many")
    assert edge.read("one", path, files[path]).problem
    assert ".longgraph/loops/two.md" in with_loop(files, "two", "Second.", session)


def test_a_loop_is_bound_again_by_its_own_session_and_says_its_task():
    files = made(session="ann-1")
    change = loops.bind(files, call(agent(ANN)), task="fix", session=ANN)
    assert change.says[:2] == ("Session ann-1 is bound to fix. Its task:", "")
    assert change.files.get(FILE, files[FILE]) == files[FILE]
    assert ".longgraph/state/ann-1.json" not in change.files


def test_a_sessions_own_loop_is_meant_before_the_active_one_and_ours_before_anothers():
    files = with_loop(made("one", session="ann-1"), "two", "Second.", "")
    files = after(files, loops.activate(files, call(), task="two"))
    assert loops.named(files, call(agent(ANN)), None).task == "one"
    assert loops.named(files, call(agent(BOB)), None).task == "two"
    files[COPY] = PLUGIN.replace("other", "ann-1")
    assert loops.named(files, call(agent(ANN)), None).task == "one"


def test_where_there_is_no_loop_it_is_said_how_one_is_made():
    with pytest.raises(UsageError) as told:
        loops.named({}, call(), None)
    assert (told.value.where, told.value.what, told.value.fix) == (
        ".longgraph/loops", "no loop here", "Make one with: loopgraph loop init",
    )  # fmt: skip
    with pytest.raises(UsageError) as told:
        loops.named({}, call(), "fix")
    assert told.value.fix == "There is no loop here yet."
    files = with_loop(made("one"), "two", "Second.", "")
    del files[INDEX]
    with pytest.raises(UsageError) as told:
        loops.named(files, call(), None)
    assert told.value.fix == "Name one: one, two"


def test_a_loop_that_somebody_activated_and_that_is_gone_is_active_no_more():
    files = with_loop(made("one"), "two", "Second.", "")
    files = after(files, loops.activate(files, call(), task="two"))
    del files[".longgraph/loops/two.md"]
    assert loops.read(files, PROJECT).active == "one"


def test_what_ends_a_loop_says_so():
    files = proven(made(session="ann-1"))
    assert loops.done(files, call(), task="fix").says == (f"fix is done: {FILE} removed.",)
    assert loops.cancel(files, call(), task="fix").says == (f"fix is cancelled: {FILE} removed.",)
    off = loops.switch(files, call(), task="fix", active=False)
    assert off.says == (f"fix is stopped: {FILE}",)
    assert loops.switch(files, call(), task="fix", active=True).says == ("fix goes on.",)
    with pytest.raises(RefusedError, match="cannot be read"):
        loops.switch({FILE: "broken"}, call(), task="fix", active=False)
    chosen = loops.activate(files, call(), task="fix")
    assert chosen.says == ("fix is the active task.",)


def test_a_copy_goes_where_no_loop_is_active_and_where_its_loop_is_broken():
    files = made()
    copied = after(files, loops.sync(files, call()))
    both = with_loop(copied, "two", "Second.", "")
    said = {**index(both), "active": None}
    both[INDEX] = json.dumps(said)
    assert COPY not in after(both, loops.sync(both, call()))
    broken = {**copied, FILE: copied[FILE].replace("iteration: 1", "iteration: many")}
    assert COPY not in after(broken, loops.sync(broken, call()))
    assert COPY not in after({}, loops.sync({}, call()))


def test_where_there_was_no_index_and_is_no_loop_none_is_made():
    assert loops.sync({}, call()).files == {}
    assert INDEX in loops.sync({INDEX: "{"}, call()).files


def test_a_cancelled_loop_without_evidence_leaves_none():
    change = loops.cancel({FILE: made()[FILE]}, call(), task="fix")
    assert set(change.files) == {FILE}


def test_an_agent_ends_its_own_loop_and_one_that_nobody_runs():
    own = made(session="claude:ann-1")
    assert FILE not in after(own, loops.cancel(own, call(agent(ANN)), task="fix"))
    free = made()
    assert FILE not in after(free, loops.cancel(free, call(agent(BOB)), task="fix"))
