"""What a loop's prompt says beside the task: how to work when nobody is asked meanwhile."""

from __future__ import annotations

from typing import Final, NamedTuple

from loopgraph.hosts.base import Text, say
from loopgraph.model.languages import Language


class Hints(NamedTuple):
    """What the prompt spells out, since no hook adds a word to it."""

    task: str
    promise: str | None
    strict: bool
    """Answers have a fixed form, and nothing else may stand in them."""
    chunk: bool
    limit: int
    """Characters of an answer."""
    hook: bool
    """A Stop hook gives the prompt again; without one the session goes on by itself."""
    flags: str
    """What every `loopgraph loop` and `state` command of this loop carries, such as ` --global`."""


_HEAD: Final[Text] = {
    "en": "How to work on this (set by `loopgraph loop`):",
    "zh": "工作方式（由 `loopgraph loop` 设定）：",
}
_NO_HOOK: Final[Text] = {
    "en": "Nothing sends you back to work here. Write no hook JSON, and do not end your turn after "
    "a part: go on by yourself until all of it is done.",
    "zh": "这里没有钩子把你送回工作。不要输出钩子 JSON，"
    "也不要做完一部分就结束：自己继续，直到全部完成。",
}
_ASK: Final[Text] = {
    "en": "Do not ask whether to go on. Stop only before a destructive step, where a right is "
    'missing, or at a major fork: then write `loopgraph state set --blocked "REASON"{flags}` and '
    "give that reason alone.",
    "zh": "不要询问是否继续。只有遇到破坏性步骤、权限不足或重大分支时才停下：写 "
    '`loopgraph state set --blocked "原因"{flags}`，并且只说明原因。',
}
_REPORT: Final[Text] = {
    "en": "No interim report unless one was asked for: report once, when everything is done.",
    "zh": "除非用户要求，不做中途汇报：全部完成后一次性总结。",
}
_CHUNK: Final[Text] = {
    "en": "Work in pieces that can be finished and verified one at a time. Keep an answer below "
    "{limit} characters.",
    "zh": "拆成可以逐个完成并验证的小块。每次回答不超过 {limit} 个字符。",
}
_STATE: Final[Text] = {
    "en": "After each piece, and nowhere else, write down how far you are: "
    '`loopgraph state set --verified "FACT, and the file or command that shows it" '
    '--next "NEXT ACTION, and the file or command it is about"{flags}`. A guess is no fact.',
    "zh": "每完成一块，只把进展写进状态："
    '`loopgraph state set --verified "事实，以及证明它的文件或命令" '
    '--next "下一个动作，以及它针对的文件或命令"{flags}`。猜测不是事实。',
}
_STRICT: Final[Text] = {
    "en": "The required format of the answer comes first: not a word about progress, or about what "
    "is left, belongs in it. When everything is done and verified: "
    "`loopgraph loop done {task}{flags}`.",
    "zh": "以要求的输出格式为准：进展和剩余工作一个字也不写进回答。全部完成并验证后运行："
    "`loopgraph loop done {task}{flags}`。",
}
_PROMISE: Final[Text] = {
    "en": "When everything is done and verified, and not before, end your answer with this line "
    "alone:\n\n  <promise>{promise}</promise>",
    "zh": "全部完成并验证之后（绝不提前），用单独的一行结束回答：\n\n"
    "  <promise>{promise}</promise>",
}
_BY_COMMAND: Final[Text] = {
    "en": "This ends with a command, when everything is done and verified: "
    "`loopgraph loop done {task}{flags}`.",
    "zh": "全部完成并验证后，用命令结束：`loopgraph loop done {task}{flags}`。",
}


def body(prompt: str, hints: Hints, lang: Language) -> str:
    """The whole prompt of a loop: the task as it was given, then how to work on it."""
    lines = [
        *([] if hints.hook else [_NO_HOOK]),
        _ASK,
        _REPORT,
        *([_CHUNK] if hints.chunk else []),
        _STATE,
        _end(hints),
    ]
    said = [
        say(
            line,
            lang,
            flags=hints.flags,
            limit=hints.limit,
            task=hints.task,
            promise=hints.promise or "",
        )
        for line in lines
    ]
    rules = "".join(f"- {line}\n" for line in said)
    return f"{prompt.rstrip()}\n\n{say(_HEAD, lang)}\n\n{rules}".rstrip("\n")


def _end(hints: Hints) -> Text:
    if hints.strict:
        return _STRICT
    return _BY_COMMAND if hints.promise is None or not hints.hook else _PROMISE


def language(text: str) -> Language:
    """The language that somebody wrote a task in."""
    return "zh" if any("\u4e00" <= char <= "\u9fff" for char in text) else "en"
