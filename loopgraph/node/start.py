"""`loop start`: from an owner's words to a loop, or to a plan first."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

from loopgraph.edges.loops import Settings
from loopgraph.edges.places import FOREIGN, PROJECT, Change, Files
from loopgraph.hosts.base import Text, say
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.languages import Language
from loopgraph.model.messages import N_, _
from loopgraph.node import credentials, loops, plans, wording
from loopgraph.node.loops import Call
from loopgraph.plain import places, quoting

Mode = Literal["plan-only", "plan-first", "at-once"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)

SAYS: Final[dict[Mode, str]] = {
    "plan-only": N_("a plan and nothing else"),
    "plan-first": N_("a plan first; it is executed only when the owner approves it"),
    "at-once": N_("the work at once"),
}

WORDS: Final[tuple[tuple[Mode, tuple[str, ...]], ...]] = (
    (
        "at-once",
        (
            "no plan", "no planning", "without a plan", "without planning", "skip the plan",
            "skip planning", "don't plan", "do not plan",
            "不用计划", "不要计划", "无需计划", "不需要计划", "跳过计划", "不用规划", "跳过规划",
        ),
    ),
    (
        "plan-only",
        (
            "only a plan", "only the plan", "just a plan", "just the plan", "just plan",
            "only plan", "plan only", "a plan only", "don't execute", "do not execute",
            "don't implement", "do not implement", "without executing", "nothing but a plan",
            "只要计划", "只要方案", "只做计划", "只做方案", "只出计划", "只出方案", "只写计划",
            "只写方案", "只规划", "先不执行", "不要执行", "不执行", "不要动手",
        ),
    ),
    (
        "plan-first",
        (
            "plan", "plans", "planning", "scheme", "consensus", "think first", "think it through",
            "proposal", "design first",
            "计划", "规划", "方案", "共识", "先想清楚", "想清楚", "先设计",
        ),
    ),
    (
        "at-once",
        (
            "just do it", "do it now", "go on", "go ahead", "keep going", "carry on", "to the end",
            "until it is done", "until done", "finish it all", "finish it", "don't stop",
            "do not stop", "must complete", "straight away", "at once",
            "直接做", "直接干", "直接开始", "继续", "做到底", "一直做完", "做完", "不要停", "别停",
            "马上做",
        ),
    ),
)  # fmt: skip
"""Words that decide, in both languages; the first row that has one wins."""

_UNDECIDED: Final[Mode] = "plan-first"
"""Where no word decides: a plan changes nothing, and the owner sees it first."""
_LENGTH: Final = 40

_PLAN: Final[Text] = {
    "en": """\
# Plan: {title}

Asked for:

{task}

{rule}
{mark}

<!-- One row for each result that can be verified alone, each in this form:
- [ ] 1. What is true when it is done, and the command that shows it
Rows that close the work stand in the last section:
- [ ] F1. What is checked over the whole
-->

## TODOs

## Final Verification Wave
""",
    "zh": """\
# 计划：{title}

要求：

{task}

{rule}
{mark}

<!-- 每个可以单独验证的结果写一行，形式如下：
- [ ] 1. 完成时成立的事实，以及证明它的命令
收尾的检查写在最后一节：
- [ ] F1. 对整体检查什么
-->

## TODOs

## Final Verification Wave
""",
}
_RULES: Final[dict[str, Text]] = {
    "plan-only": {
        "en": "Only the plan was asked for: nothing is executed.",
        "zh": "只要求计划：不执行。",
    },
    "plan-first": {
        "en": "Nothing is executed before the owner has approved this plan.",
        "zh": "负责人批准本计划之前不执行。",
    },
}


def wanted(call: Call) -> tuple[str, ...]:
    """The files that this command reads."""
    return (*loops.wanted(call.layout), f"{places.PLAN_LEDGERS}/*.md")


class Choice(NamedTuple):
    """What a task is begun with, and why."""

    mode: Mode
    word: str
    """The word that decided; empty where none did, or where the owner said the mode."""


def choose(text: str, mode: str | None = None) -> Choice:
    """Choose by the owner's words, or take the mode that they named."""
    if mode is not None:
        for known in MODES:
            if mode == known:
                return Choice(known, "")
        raise UsageError(_("no such mode"), where=f"--mode {mode}", fix=nearest(mode, MODES))
    said = f" {' '.join(_folded(text).split())} "
    for known, words in WORDS:
        for word in words:
            if (f" {word} " if word.isascii() else word) in said:
                return Choice(known, word)
    return Choice(_UNDECIDED, "")


def _folded(text: str) -> str:
    """Lower case, with punctuation as blanks; an apostrophe of any kind is one."""
    plain = text.casefold().replace("’", "'")
    return "".join(char if char.isalnum() or char == "'" else " " for char in plain)


def task_name(text: str, taken: set[str]) -> str:
    """A free name for a task, from its first words."""
    words = "".join(char if char.isalnum() else " " for char in text.casefold()).split()
    name = ""
    for word in words:
        if name and len(name) + 1 + len(word) > _LENGTH:
            break
        name = f"{name}-{word}" if name else word[:_LENGTH]
    name, number = name or "task", 1
    free = name
    while free in taken or free in FOREIGN:
        number += 1
        free = f"{name}-{number}"
    return free


def start(  # noqa: PLR0913  what a task is begun with
    files: Files,
    call: Call,
    *,
    text: str,
    mode: str | None,
    task: str | None,
    settings: Settings,
    lang: Language | None,
) -> Change:
    """Begin a task as its words say: a loop at once, or a file for its plan."""
    if not text.strip():
        raise UsageError(
            _("nothing was said"), where="loop start", fix=_("Say what is to be done.")
        )
    credentials.refuse(text, "loop start")
    choice = choose(text, mode)
    language = lang or wording.language(text)
    taken = {loop.task.casefold() for loop in loops.read(files, call.layout).loops}
    taken |= {path.rpartition("/")[2].removesuffix(".md").casefold() for path in files}
    name = task or task_name(text, taken)
    if choice.mode == "at-once":
        made = loops.init(files, call, task=name, prompt=text, settings=settings, lang=language)
    else:
        made = _plan(files, call, name=name, text=text, mode=choice.mode, lang=language)
    undecided = _("since no word decides (for the work at once say --mode at-once)")
    why = _("as --mode says") if mode else undecided
    why = _("by the word {word}", word=repr(choice.word)) if choice.word else why
    chosen = _("{mode}, {why}: {said}", mode=choice.mode, why=why, said=_(SAYS[choice.mode]))
    return made._replace(says=(chosen, *made.says))


def _plan(  # noqa: PLR0913  what a plan is made of
    files: Files, call: Call, *, name: str, text: str, mode: Mode, lang: Language
) -> Change:
    if call.layout != PROJECT:
        raise UsageError(
            _("a plan belongs to a workspace"), where="--global", fix=_("Leave it out.")
        )
    loops.accept_name(name)
    path = f"{places.PLAN_LEDGERS}/{name}.md"
    if path in files:
        raise RefusedError(
            _("there is such a plan"), where=path, fix=_("Choose another name: --task.")
        )
    title, rule = quoting.inline(name), say(_RULES[mode], lang)
    # The owner's text goes in last, so that no brace in it is taken for a place.
    mark = plans.APPROVAL
    plan = say(_PLAN, lang, title=title, rule=rule, mark=mark, task=quoting.block(text.strip()))
    then = "check" if mode == "plan-only" else "start"
    when = _("When its rows are written") if mode == "plan-only" else _("On the owner's approval")
    says = (
        _("{path} written. Paste into the session:", path=path),
        _(
            "Read {path}, write its rows, check them with `loopgraph plan check {path}`, "
            "then stop.",
            path=path,
        ),
        _("{when}: loopgraph plan {then} {path}", when=when, then=then, path=path),
    )
    return Change({path: plan}, says)
