"""What counts as evidence: facts that point at something, actions that somebody could do now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from loopgraph.model.messages import _

_EMPTY: Final = """
continue / keep going / go on / go ahead / proceed / keep working / continue working / carry on
continue the work / finish / finish it / finish the task / finish the rest / do the rest / the rest
next / next step / next steps / more / more work / work on it / wrap up / various / tbd / todo
to do / none / nothing / n/a / na / etc / and so on / improve / improve further / polish / test
test it / verify / see above / as discussed / 继续 / 继续推进 / 继续做 / 继续处理 / 继续执行
继续完成 / 推进 / 下一步 / 后续 / 后续优化 / 进一步优化 / 优化 / 完善 / 完成任务 / 完成剩余
剩余工作 / 收尾 / 处理 / 待定 / 暂无 / 无 / 同上 / 等等 / 测试 / 验证
"""
EMPTY_PHRASES: Final = frozenset(
    phrase.strip() for line in _EMPTY.splitlines() for phrase in line.split(" / ") if phrase.strip()
)
"""Phrases that say nothing to do, however they are dressed."""
PEOPLE: Final = (
    "owner", "user", "reviewer", "maintainer", "supervisor", "executor", "team",
    "用户", "负责人", "审核", "主人", "维护者",
)  # fmt: skip
PROGRAMS: Final = (
    "pytest", "tox", "nox", "ruff", "mypy", "npm", "npx", "pnpm", "yarn", "cargo", "git", "gh",
    "docker", "kubectl", "curl", "bash", "python", "python3", "node", "loopgraph", "terraform",
)  # fmt: skip
"""Commands that are named without backticks, and are no ordinary words."""

_DRESS: Final = " \t.,;:!?…。，；：！？、*`\"'()（）<>[]「」“”-"
_BREAKS: Final = str.maketrans(dict.fromkeys("，。；、（）：「」", " "))
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-"
_HEX: Final = "0123456789abcdef"
_HASH: Final = range(7, 41)
_LONGEST_ENDING: Final = 8
_NO_POINTERS: Final = ("e.g", "i.e", "a.m", "p.m", "and/or", "n/a", "w/o", "he/she", "yes/no")


def points(said: str) -> bool:
    """Whether a text names something to look at: a path, a command, an id, a commit, an address."""
    spans = said.split("`")[1::2] if said.count("`") > 1 else []
    words = [word.strip(_DRESS) for word in said.translate(_BREAKS).split()]
    named = any(mark in said for mark in (" @", " #")) or said[:1] in ("@", "#")
    return named or any(span.strip() for span in spans) or any(map(_is_pointer, words))


def _is_pointer(word: str) -> bool:
    return word.casefold() not in _NO_POINTERS and (
        word.casefold() in PROGRAMS
        or ("/" in word and any(part.strip(".") for part in word.split("/")) and len(word) > 1)
        or _is_file(word)
        or _is_id(word)
        or _is_commit(word)
    )


def _is_file(word: str) -> bool:
    stem, dot, ending = word.rpartition(".")
    named = ending.isascii() and ending.isalnum() and not ending.isdigit()
    return bool(dot and stem and named) and len(ending) <= _LONGEST_ENDING


def _is_id(word: str) -> bool:
    """`GAP-012`, `D-3`, `M-1`, `R12`, `F1`."""
    letters, dash, number = word.rpartition("-")
    if dash:
        return bool(letters) and number.isdigit() and not letters.strip(_LETTERS)
    return word[:1] in ("R", "F", "M") and word[1:].isdigit()


def _is_commit(word: str) -> bool:
    mixed = not word.isdigit() and not word.isalpha()
    return mixed and len(word) in _HASH and not word.casefold().strip(_HEX)


def vague(action: str) -> str:
    """Why a next action is none that somebody could do now; empty where it is one."""
    plain = " ".join(action.strip(_DRESS).casefold().split())
    if not plain or plain in EMPTY_PHRASES:
        return _("it says nothing to do")
    if not (points(action) or _names_somebody(plain)):
        return _("it names no path, command, id or person")
    return ""


def _names_somebody(plain: str) -> bool:
    words = [word.strip(_DRESS) for word in plain.split()]
    return any(person in words or (not person.isascii() and person in plain) for person in PEOPLE)


def unpointed(verified: Iterable[str]) -> tuple[str, ...]:
    """The facts that say nothing to look at."""
    return tuple(fact for fact in verified if not points(fact))
