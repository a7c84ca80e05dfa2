"""`loop start`: words decide, and what they decide is written."""

from __future__ import annotations

import pytest

from loopgraph.edges import loops as edge
from loopgraph.edges.loops import Settings
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.node import loops, plans, start
from tests.node.said import after, call, everywhere


def begun(text, files=None, *, mode=None, task=None, who=None):
    return start.start(
        files or {},
        who or call(),
        text=text,
        mode=mode,
        task=task,
        settings=Settings(),
        lang=None,
    )


@pytest.mark.parametrize(
    ("text", "mode", "word"),
    [
        ("Plan the migration to pytest", "plan-first", "plan"),
        ("First a scheme, then we talk", "plan-first", "scheme"),
        ("Reach consensus on the API", "plan-first", "consensus"),
        ("think first about caching", "plan-first", "think first"),
        ("Just do it: rename foo to bar", "at-once", "just do it"),
        ("go on with the rename", "at-once", "go on"),
        ("work it to the end", "at-once", "to the end"),
        ("No plan, just do it", "at-once", "no plan"),
        ("Write only a plan for the move", "plan-only", "only a plan"),
        ("Plan it but don’t execute anything", "plan-only", "don't execute"),
        ("keep going, but plan first", "plan-first", "plan"),
        ("先写个方案", "plan-first", "方案"),
        ("先想清楚再动手", "plan-first", "先想清楚"),
        ("计划一下迁移，然后做到底", "plan-first", "计划"),
        ("直接做，不要停", "at-once", "直接做"),
        ("继续推进", "at-once", "继续"),
        ("这个任务一直做完", "at-once", "一直做完"),
        ("不用计划，做到底", "at-once", "不用计划"),
        ("只要方案，不要动手", "plan-only", "只要方案"),
        ("Rename foo to bar in the planet module", "plan-first", ""),
        ("Explanation of aplanar geometry", "plan-first", ""),
    ],
)
def test_the_words_of_a_task_decide_how_it_is_begun(text, mode, word):
    assert start.choose(text) == (mode, word)


def test_every_word_is_found_in_a_sentence_of_its_own():
    assert all(word == word.casefold() for _, words in start.WORDS for word in words)
    firsts = {word: mode for mode, words in reversed(start.WORDS) for word in words}
    for word, mode in firsts.items():
        found = start.choose(f"… {word.capitalize()}, …")
        assert word == found.word or found.word in word, word
        assert found.mode == mode or firsts[found.word] == found.mode


@pytest.mark.parametrize("mode", start.MODES)
def test_a_mode_that_the_owner_names_is_taken(mode):
    assert start.choose("plan and just do it", mode) == (mode, "")
    assert "as --mode says" in begun("Anything", mode=mode).says[0]


def test_a_mode_that_is_none_is_refused():
    with pytest.raises(UsageError, match="no such mode"):
        start.choose("x", "at-onec")


def test_at_once_writes_a_loop_and_tells_the_word():
    change = begun("Just do it: rename foo")
    loop = edge.read("", "", change.files[".longgraph/loops/just-do-it-rename-foo.md"])
    assert loop.prompt.startswith("Just do it: rename foo\n")
    assert change.says[0].startswith("at-once, by the word 'just do it'")
    assert any("loopgraph loop bind just-do-it-rename-foo" in line for line in change.says)


@pytest.mark.parametrize(
    ("text", "rule", "then"),
    [
        ("plan the move", "before the owner has approved", "plan start .longgraph/plans/"),
        ("only a plan of it", "nothing is executed", "plan check .longgraph/plans/"),
        ("写个计划", "批准", "plan start .longgraph/plans/"),
        ("只要计划", "不执行", "plan check .longgraph/plans/"),
    ],
)
def test_a_plan_is_written_first_and_nothing_is_executed(text, rule, then):
    change = begun(text)
    ((path, written),) = change.files.items()
    assert path.startswith(".longgraph/plans/")
    assert rule in written
    assert f"```text\n{text}\n```" in written
    assert then in change.says[-1]
    assert plans.needs_approval(written)
    assert not plans.checklist(written).rows


@pytest.mark.parametrize(
    "text", ["plan\n## TODOs\n- [ ] 1. mine", "plan ```\n- [x] 1. x", "plan {title} {rule} {task}"]
)
def test_the_owners_words_are_no_rows_of_the_plan(text):
    ((_, written),) = begun(text).files.items()
    assert text in written
    filled = written.replace("## TODOs\n\n## Final", "## TODOs\n\n- [ ] 1. real\n\n## Final")
    assert [row.label for row in plans.checklist(filled).rows] == ["1. real"]


def test_the_same_words_twice_make_two_tasks():
    files = after({}, begun("just do it"))
    assert ".longgraph/loops/just-do-it-2.md" in begun("just do it", files).files


def test_a_long_task_has_a_short_name_and_a_plan_says_when_it_goes_on():
    change = begun("plan the move of every table of the shop to another database")
    (path,) = change.files
    assert path == ".longgraph/plans/plan-the-move-of-every-table-of-the-shop.md"
    assert change.says[-1].startswith("On the owner's approval: ")
    assert begun("only a plan").says[-1].startswith("When its rows are written: ")


def test_a_name_without_any_letter_is_a_task():
    assert ".longgraph/plans/task.md" in begun("?!").files
    assert ".longgraph/plans/omx-2.md" in begun("omx").files


def test_a_plan_that_is_there_is_not_written_over():
    files = after({}, begun("plan x", task="x"))
    with pytest.raises(RefusedError, match="there is such a plan"):
        begun("plan x", files, task="x")


def test_a_plan_has_a_workspace():
    with pytest.raises(UsageError, match="belongs to a workspace"):
        begun("plan x", who=everywhere())


def test_nothing_said_begins_nothing():
    with pytest.raises(UsageError, match="nothing was said"):
        begun("  ")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"{'a' * 20} {'b' * 19} c", f"{'a' * 20}-{'b' * 19}"),
        (f"{'a' * 20} {'b' * 20} c", "a" * 20), ("a" * 40, "a" * 40), ("a" * 41, "a" * 40),
        ("fix it's (all)", "fix-it-s-all"), ("修复 测试", "修复-测试"),
    ],
)  # fmt: skip
def test_a_name_is_made_of_as_many_words_as_have_room(text, name):
    assert start.task_name(text, set()) == name


def test_a_name_that_is_taken_gets_a_number():
    assert start.task_name("fix", {"fix"}) == "fix-2"
    assert start.task_name("fix", {"fix", "fix-2"}) == "fix-3"
    assert start.task_name("claude", set()) == "claude-2"


def test_why_a_task_is_begun_so_is_told_first():
    assert begun("rename foo").says[0] == (
        "plan-first, since no word decides (for the work at once say --mode at-once): "
        "a plan first; it is executed only when the owner approves it"
    )
    assert begun("rename foo", mode="plan-only").says[0] == (
        "plan-only, as --mode says: a plan and nothing else"
    )


def test_a_start_asks_for_the_loops_and_the_plans():
    assert set(start.wanted(call())) == {*loops.wanted(call().layout), ".longgraph/plans/*.md"}


@pytest.mark.parametrize("task", ["../x", "a b", ".hidden", "con"])
def test_a_plan_has_a_name_that_is_a_file_on_every_system(task):
    with pytest.raises(UsageError, match="is no name for a task"):
        begun("plan x", task=task)
