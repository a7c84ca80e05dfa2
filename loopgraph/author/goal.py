"""What a goal's own words say: does it need a graph, can it be checked, which call does it meet."""

# ruff: noqa: E501  a pattern is read as one line

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

from loopgraph.model.languages import Language

Misfit = Literal["small", "eye"]
"""One self-contained edit, or a success that needs a person's eye every time."""

_LONG: Final[Mapping[Language, int]] = {"en": 90, "zh": 30}
"""Characters beyond which a goal is no longer plainly one edit."""

_MANY: Final[Mapping[Language, str]] = {
    "en": r"\b(all|every|each|any|across|everywhere|throughout|whole|entire|and|then|also|both)\b"
    r"|[;,\n]|[.!?]\s+\S",
    "zh": r"所有|全部|每|各|整个|全面|并|以及|和|然后|同时|还要|[；;，,。\n].*\S",
}
"""Words that speak of more than one edit: where one stands, the goal is none of the small ones."""

SMALL: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": (
        r"(fix|correct) (a|an|the|one|this|that) (single |small )?(typo|spelling( mistake| error)?)( in \S+( \S+)?)?",
        r"rename (the |one |a )?(local )?(variable|function|method|class|constant|file|parameter) \S+ (to|into) \S+",
        r"(bump|raise|set|change) the version( number)? (from \S+ )?to \S+",
        (
            r"(add|remove|delete) (a|one|the|this) (missing |single |stray )?"
            r"(comment|docstring|semicolon|comma|newline|blank line|log line|print statement|import)"
            r"( (in|to|from|at) \S+( \S+)?)?"
        ),
        r"change (the|a) (label|title|wording|text|colou?r) of (the|a) \S+( \S+)? (from \S+ )?to .{1,30}",
    ),
    "zh": (
        r"(修正|修复|改正|改)(一下)?(这个|那个|一个|一处|个|处)(拼写错误|错别字|笔误)",
        r"(把|将)(变量|函数|方法|类|常量|文件|参数)\s*\S+\s*(重命名为|改名为|改成)\s*\S+",
        r"(把|将)版本号?(改成|改为|升到|升级到)\s*\S+",
        r"(加|添加|删除|删掉|去掉)(上)?(一行|一个|一条|这行|这个|这条)(注释|日志|空行|分号|逗号|导入|打印语句)",
        r"(把|将)\S{1,12}(的)?(文案|标题|颜色|文字)(改成|改为|换成)\S{1,12}",
    ),
}
"""Goals that are one self-contained edit, each as a whole."""

EYE: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": (
        (
            r"make (it|this|the [\w-]+( [\w-]+)?|our [\w-]+( [\w-]+)?) (look |feel )?(much |more |a bit |a lot )?"
            r"(prettier|nicer|beautiful|pretty|elegant|modern|stylish|attractive|sexy|fancy|cool|fresh|slick)"
        ),
        (
            r"(design|draw|find|pick) (me |us )?(a|an) (\w+ )?(beautiful|pretty|nice|catchy|stylish|cool) "
            r"(logo|icon|colou?r scheme|slogan|name|banner|illustration)( for .{1,40})?"
        ),
        r"(write|compose) (me |us )?(a|an) (\w+ )?(poem|song|short story|joke|love letter)( about .{1,60})?",
    ),
    "zh": (
        r"(让|把|将)?\S{1,16}?(做得|改得|变得|弄得|看起来|看上去|显得)?(更|再|更加)(好看|漂亮|美观|精美|优雅|时尚|高级|有设计感)(一些|一点|些|点)?",
        r"(帮我|给我|为\S{1,12})?(设计|画|想|起|取)(一个|一幅|一张|个)?(好看的|漂亮的|好听的|响亮的)\S{0,10}?(标志|图标|配色|口号|名字|插画|海报)",
        r"(帮我|给我)?写(一首|一篇|一个|首|篇|个)\S{0,12}?(诗|歌词|散文|情书|笑话)",
    ),
}
"""Goals whose success only a person's taste decides, each as a whole."""

CHECKABLE: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": (
        r"`[^`\n]+`",
        r"\b(pass(es|ing)?|green|exit(s)? (with )?0|exit code)\b",
        r"\b(until|no more|zero|at most|at least|fewer than|less than|below|under|within) \S*\d",
        r"\b(until|no more|zero|no) (\w+ ){0,3}(failures?|errors?|warnings?|findings|duplicates?|regressions?)\b",
        r"\d+(\.\d+)? ?(%|percent|ms|s|seconds|minutes|MB|MiB|GB|KB|kB|req/s|rps|x)(?!\w)",
    ),
    "zh": (
        r"`[^`\n]+`",
        r"(全部|都|能|测试)通过|零(失败|错误|告警|警告|重复)",
        r"(不超过|不低于|不少于|至少|至多|最多|低于|高于|小于|大于|以内|降到|提升到|提高到)\s*\d",
        r"\d+(\.\d+)?\s*(%|％|毫秒|秒|分钟|倍|MB|GB|KB)",
        r"没有(任何)?(失败|错误|告警|警告|重复)",
    ),
}
"""Words of an outcome that anyone can check."""

Call = Literal["schema", "remote", "data", "spend", "contract", "push"]
"""A decision of the owner's list that a goal may meet on its way."""

ON_PATH: Final[Mapping[Call, Mapping[Language, str]]] = {
    "schema": {
        "en": r"\b(schemas?|migrat(e|es|ion|ions|ing)|tables?|columns?|database|postgres\w*|mysql|sqlite|ddl|index(es)?)\b",
        "zh": r"数据库|表结构|建表|迁移|字段|索引|模式变更",
    },
    "push": {
        "en": r"\b(release|publish|git push|push to|pull request|deploy to (pypi|npm)|tag a release)\b",
        "zh": r"发布|推送|合并请求|打标签|发版",
    },
    "remote": {
        "en": r"\b(deploy|deployment|production|staging|cloud|kubernetes|k8s|terraform|aws|gcp|azure|credentials?)\b",
        "zh": r"部署|生产环境|线上|预发|云|凭据|凭证|密钥",
    },
    "spend": {
        "en": r"\b(llm|gpt|openai|anthropic|paid|tokens|gpu|metered|billing|quota)\b",
        "zh": r"付费|费用|计费|大模型|额度|算力",
    },
    "data": {
        "en": r"\b(real data|customer data|personal data|user data|gdpr|pii|anonymi[sz]e)\b",
        "zh": r"真实数据|用户数据|个人信息|客户数据|脱敏",
    },
}
"""Words of a goal that speak for one such decision; the first in this order that is met counts."""

_IGNORE: Final = re.IGNORECASE


def misfit(goal: str) -> Misfit | None:
    """What kind of goal needs no graph this plainly is; None for any doubt."""
    said = " ".join(goal.split()).rstrip(".!。！")
    kinds: tuple[tuple[Misfit, Mapping[Language, tuple[str, ...]]], ...] = (
        ("small", SMALL),
        ("eye", EYE),
    )
    for lang, most in _LONG.items():
        if len(said) > most or re.search(_MANY[lang], said, _IGNORE):
            continue
        for kind, patterns in kinds:
            if any(re.fullmatch(_polite(pattern), said, _IGNORE) for pattern in patterns[lang]):
                return kind
    return None


def _polite(pattern: str) -> str:
    return rf"(please |can you |请|麻烦)?(?:{pattern})( please)?"


def checkable(goal: str) -> bool:
    """Whether a goal's own words name an outcome that anyone can check."""
    return any(
        re.search(pattern, goal, _IGNORE) for patterns in CHECKABLE.values() for pattern in patterns
    )


def call_on_path(goal: str) -> Call:
    """The decision of the owner's list that this goal most likely meets; names and formats else."""
    for call, words in ON_PATH.items():
        if any(re.search(pattern, goal, _IGNORE) for pattern in words.values()):
            return call
    return "contract"
