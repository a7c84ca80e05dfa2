"""Sentences of our own that a compile puts into files, by language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loopgraph.model.facts import GapKind
from loopgraph.model.languages import Language
from loopgraph.model.messages import filled

SENTENCES: Final[Mapping[str, Mapping[Language, str]]] = {
    "authority.A": {
        "en": "Edit and verify inside the root without asking. The supervisor may make local "
        "checkpoint commits of audited rounds.",
        "zh": "在工作区内编辑和验证，无需请示。审计过的轮次，监督者可做本地检查点提交。",
    },
    "authority.A.no-supervisor": {
        "en": "Edit and verify inside the root without asking. No commit: the owner commits.",
        "zh": "在工作区内编辑和验证，无需请示。不做任何提交：由负责人提交。",
    },
    "authority.B": {
        "en": "Edit and verify inside the root without asking. Nobody commits in this run.",
        "zh": "在工作区内编辑和验证，无需请示。本次运行谁都不提交。",
    },
    "authority.never": {
        "en": "Not granted: push, pull request, destructive git, production or remote change, "
        "secrets or real data, spending beyond the budget, a lowered bar.",
        "zh": "未授权：push、pull request、破坏性 git 操作、生产或远程环境的变更、"
        "密钥或真实数据、超出预算的花费、降低门槛。",
    },
    "scope.path": {"en": "Change nothing outside {scope}.", "zh": "除 {scope} 外，什么都不改。"},
    "owner.schema": {"en": "database schema, any DDL", "zh": "数据库结构变更及其他 DDL"},
    "owner.remote": {
        "en": "credentials, remote environments, production",
        "zh": "凭据、远程环境、生产环境",
    },
    "owner.data": {
        "en": "real or personal data leaving its place",
        "zh": "真实数据或个人数据离开原位置",
    },
    "owner.spend": {"en": "spending beyond the budget in ops.md", "zh": "超出 ops.md 预算的花费"},
    "owner.bar": {
        "en": "lowering a gate, a bar or a check",
        "zh": "降低门禁、指标门槛或验收检查",
    },
    "owner.contract": {
        "en": "changing a published name, format or interface",
        "zh": "改动已公开的名字、格式或接口",
    },
    "owner.push": {
        "en": "push, pull request, release, destructive git",
        "zh": "push、pull request、发布、破坏性 git 操作",
    },
    "owner.commit": {"en": "any commit", "zh": "任何提交"},
    "owner.name": {
        "en": "removing a name that outside code may use",
        "zh": "删除工作区外的代码可能用到的名字",
    },
    "owner.metric": {"en": "changing what a metric measures", "zh": "改变指标的测量口径"},
    "bar.schema": {
        "en": "A schema change goes ahead once it and its reverse both ran on a scratch copy, "
        "every gate is at its baseline or better, and the round line names both outputs.",
        "zh": "数据库结构可以变更，前提是：变更和回退都已在临时副本上跑通，每道门禁不低于基线，"
        "轮次行写明两次的输出。",
    },
    "bar.remote": {
        "en": "A change to a staging environment goes ahead once its dry run was read and "
        "recorded, its way back was tried, and every gate is at its baseline or better; "
        "production never.",
        "zh": "预发环境可以变更，前提是：演练（dry run）结果已读过并记录，退路已试过，"
        "每道门禁不低于基线；生产环境绝不动。",
    },
    "bar.data": {
        "en": "A data set that the owner named is read where it lies once the query is written "
        "down; nothing of it is copied, printed or sent, and the round line names the row count.",
        "zh": "负责人点名的数据集可以在原位置读取，前提是查询语句已先写下；内容不复制、"
        "不打印、不外发，轮次行写明行数。",
    },
    "bar.spend": {
        "en": "Metered work goes ahead within the budget of ops.md once a pilot of at most a tenth "
        "measured its price and the round line names both numbers.",
        "zh": "按量计费的工作可以在 ops.md 的预算内进行，前提是：先用不超过十分之一的规模试跑、"
        "测出单价，轮次行写明这两个数。",
    },
    "bar.contract": {
        "en": "A published name, format or interface may be extended, never broken, once every "
        "caller in the root runs unchanged under its gate and the round line names them.",
        "zh": "已公开的名字、格式或接口可以扩展，不得破坏，前提是："
        "工作区内每个调用方不作改动就通过各自的门禁，轮次行写明是哪些。",
    },
    "bar.push": {
        "en": "The work branch, never the main one, may be pushed without force once the milestone "
        "was accepted and every gate is at its baseline or better.",
        "zh": "工作分支（绝不是主分支）可以推送，不得强推，前提是：里程碑已获 `accept`，"
        "每道门禁不低于基线。",
    },
    "proof.goal": {
        "en": "What the outcome names was measured, the round line says how, and it holds; every "
        "gate is at its baseline or better.",
        "zh": "目标里写明的结果已经测过并成立，轮次行写明怎么测的；每道门禁不低于基线。",
    },
    "proof.consumer": {
        "en": "The outcome was observed once through its real consumer, and every gate is at its "
        "baseline or better.",
        "zh": "已通过真实使用方观察到一次目标结果，且每道门禁不低于基线。",
    },
    "proof.test": {
        "en": "{command} passes, with a new test that fails without the change.",
        "zh": "{command} 通过，其中包含一个去掉本次改动就会失败的新测试。",
    },
    "single.exit": {
        "en": "the proof of the North Star and every gate of ops.md",
        "zh": "North Star 的 Proof 和 ops.md 的每道门禁",
    },
    "single.surface": {
        "en": "everything that changed since the Starting snapshot",
        "zh": "Starting snapshot 以来的全部改动",
    },
    "single.outcome": {"en": "the North Star holds", "zh": "North Star 成立"},
    "slice.survey": {
        "en": "Survey: look at the scope's layout, run each gate once, register at least five "
        "independent debt rows (behaviours not covered yet, missing tests on the way and open "
        "questions count)",
        "zh": "摸底：看清范围内的目录结构，把门禁各跑一遍，登记至少五条互不依赖的债务行"
        "（尚未覆盖的行为、途中缺的测试、有待弄清的问题都算）",
    },
    "slice.survey.verify": {
        "en": "the rows stand in ledger.md and each gate's result in its Baseline line",
        "zh": "ledger.md 里有这些行，Baseline 行里有每道门禁的结果",
    },
    "slice.survey.done": {
        "en": "five or more rows stand in the Debt & gap register, each with write set and verify; "
        "layouts were read, not every file",
        "zh": "Debt & gap register 有五条以上，每条都写明写集和验证；读的是结构，不是每个文件",
    },
    "slice.sweep": {
        "en": "First sweep of {area}: run each detector, measure its baseline, register at least "
        "five candidates",
        "zh": "首次扫描 {area}：跑每个检测器，测出基线，登记至少五个候选",
    },
    "slice.sweep.none": {
        "en": "First sweep of {area}: choose detectors that fit this stack, write each with its "
        "blind spot into Detectors of ops.md, measure its baseline, register at least five "
        "candidates",
        "zh": "首次扫描 {area}：选出适合本技术栈的检测器，连同盲点写进 ops.md 的 Detectors，"
        "测出基线，登记至少五个候选",
    },
    "slice.sweep.verify": {
        "en": "each detector, run once more, gives the number that ops.md has as its baseline",
        "zh": "每个检测器再跑一遍，得到的数与 ops.md 里的基线一致",
    },
    "slice.sweep.done": {
        "en": "baselines stand in ops.md and five or more candidates in the Debt & gap register",
        "zh": "基线已写进 ops.md，Debt & gap register 有五个以上候选",
    },
    "slice.first": {
        "en": "{id}: the smallest slice that brings its outcome nearer",
        "zh": "{id}：最能推进其结果的最小切片",
    },
    "slice.first.done": {
        "en": "one behaviour works through its real consumer and the verify passes",
        "zh": "一个行为经真实使用方跑通，验证通过",
    },
    "slice.goal": {
        "en": "The smallest slice of the North Star that a gate can decide",
        "zh": "North Star 中能由门禁判定的最小切片",
    },
    "row.proof": {"en": "North Star: its proof", "zh": "North Star 的 Proof"},
    "row.proof.next": {
        "en": "closes when you saw it pass, before `exit-ready`; the supervisor runs it again "
        "before `accept`",
        "zh": "你看到它通过即关闭，先于 `exit-ready`；监督者在 `accept` 之前再跑一遍",
    },
    "row.proof.next.owner": {
        "en": "closes when you saw it pass, before `exit-ready`; the owner looks again before "
        "`accept`",
        "zh": "你看到它通过即关闭，先于 `exit-ready`；负责人在 `accept` 之前再看一遍",
    },
    "row.milestone": {"en": "{id}: exit checks", "zh": "{id}：出口检查"},
    "row.milestone.next": {
        "en": "not begun; closes when they are green, the gate says whether it was accepted",
        "zh": "尚未开始；检查全绿即关闭，是否获 `accept` 看门禁",
    },
    "row.gate": {"en": "{id} {name}", "zh": "{id} {name}"},
    "row.gate.next": {
        "en": "run it before the first edit, note the result in the Baseline line above; closed "
        "while no worse than that",
        "zh": "首次改动前跑一遍，结果记入上面的 Baseline 行；不比它差就是 closed",
    },
    "gap.no-gate": {
        "en": "no gate command was found; find or build the narrowest one that decides this goal",
        "zh": "没找到门禁命令；找出或写出能判定本目标的、范围最小的一条",
    },
    "gap.no-test-gate": {
        "en": "No test gate: no file here says how this project is tested",
        "zh": "没有测试门禁：这里没有文件写明本项目怎么测试",
    },
    "gap.no-test-gate.verify": {
        "en": "a new command runs the tests and exits 0",
        "zh": "有一条新命令运行测试并以 0 退出",
    },
    "gap.no-tests": {
        "en": "No test files: nothing pins the behaviour of {about}",
        "zh": "没有测试文件：{about} 的行为无从保证",
    },
    "gap.no-tests.verify": {
        "en": "a first test fails when the behaviour is broken",
        "zh": "有第一个测试，行为被改坏时它会失败",
    },
    "gap.untested": {
        "en": "No test is named after {about} or a file in it ({count} code files)",
        "zh": "没有测试以 {about} 或其中的文件命名（{count} 个代码文件）",
    },
    "gap.untested.verify": {
        "en": "a test of it fails when its behaviour is broken",
        "zh": "有测它的测试，行为被改坏时会失败",
    },
    "gap.detector": {
        "en": "A detector is set up ({about}) and its findings are not registered yet",
        "zh": "已配好检测器（{about}），但它的发现还没登记",
    },
    "gap.marks": {
        "en": "{count} TODO or FIXME marks in one file",
        "zh": "一个文件里有 {count} 处 TODO 或 FIXME",
    },
    "gap.marks.verify": {
        "en": "fewer than {least} such marks are left in it",
        "zh": "这类标记剩下不到 {least} 处",
    },
    "fact.class": {
        "en": "Repository class, inferred: {value}.",
        "zh": "仓库类别（推断）：{value}。",
    },
    "fact.sources": {"en": "Production code: {value}.", "zh": "生产代码：{value}。"},
    "fact.tests": {"en": "Tests: {value}.", "zh": "测试：{value}。"},
    "fact.surface": {"en": "Others depend on {value}.", "zh": "外部依赖于：{value}。"},
    "fact.earlier": {
        "en": "Earlier runs, not continued here: {value}.",
        "zh": "更早的运行，此处不接续：{value}。",
    },
    "carried.run": {
        "en": "Successor of {value}, whose files stay as they are.",
        "zh": "接续 {value}，它的文件保持原样。",
    },
    "carried.gate": {
        "en": "Open in the run before: {gate} ({status}): {next}.",
        "zh": "上一次运行中仍未关闭：{gate}（{status}）：{next}。",
    },
    "carried.metric": {
        "en": "Metric anchor of the run before: {value}.",
        "zh": "上一次运行的指标基准：{value}。",
    },
    "carried.more": {
        "en": "{count} more debt rows stand in the register of {value}.",
        "zh": "{value} 的登记表里还有 {count} 条债务行。",
    },
    "context.instructions": {
        "en": "before the first edit, and when a convention is in doubt",
        "zh": "首次改动之前，以及对约定有疑问时",
    },
    "context.instructions.verify": {
        "en": "its own commands run as it says",
        "zh": "其中的命令照它所说能跑通",
    },
    "context.gate": {
        "en": "when a gate is changed or fails to start",
        "zh": "门禁有改动，或启动不了时",
    },
    "context.gate.verify": {"en": "{command}", "zh": "{command}"},
    "context.sources": {"en": "when choosing the write set of a slice", "zh": "为切片选定写集时"},
    "context.sources.verify": {"en": "the narrow gate of that path", "zh": "该路径的小范围门禁"},
    "gate.observation": {"en": "observation", "zh": "观察"},
    "gate.test": {"en": "tests", "zh": "测试"},
    "gate.lint": {"en": "lint", "zh": "lint"},
    "gate.types": {"en": "types", "zh": "类型检查"},
    "gate.build": {"en": "build", "zh": "构建"},
    "gate.format": {"en": "format", "zh": "格式"},
    "gate.ci": {"en": "CI", "zh": "CI"},
    "gate.owner": {"en": "owner's gate", "zh": "负责人指定的门禁"},
    "gate.absent": {
        "en": "{source} ({program} is not installed here)",
        "zh": "{source}（这里没有安装 {program}）",
    },
    "blind.vulture": {
        "en": "names reached by reflection, a registry, a template or another package",
        "zh": "经反射、注册表、模板或其他包用到的名字",
    },
    "blind.ruff": {
        "en": "anything beyond one file: an export that nobody imports looks used",
        "zh": "单个文件之外的一切：没人导入的导出也显得在用",
    },
    "blind.coverage": {
        "en": "code that only tests reach looks used, code that only production reaches unused",
        "zh": "只有测试跑到的代码显得在用，只有生产环境跑到的代码显得没用",
    },
    "blind.deptry": {
        "en": "imports by name at run time, plug-ins, tools called as programs",
        "zh": "运行时按名字导入的、插件，以及当作程序调用的工具",
    },
    "blind.knip": {
        "en": "dynamic imports and files that only a configuration names",
        "zh": "动态导入，以及只在配置里出现的文件",
    },
    "blind.jscpd": {
        "en": "twins with other names, another order or another language",
        "zh": "换了名字、顺序或语言的双份实现",
    },
    "blind.exports": {
        "en": "exports used by another package or by name at run time",
        "zh": "被其他包使用，或运行时按名字使用的导出",
    },
    "blind.dependencies": {
        "en": "packages that only a configuration or a script names",
        "zh": "只在配置或脚本里出现的包",
    },
    "blind.cargo": {
        "en": "dependencies of other features, targets and build scripts",
        "zh": "其他 feature、target 和构建脚本用到的依赖",
    },
    "blind.go": {
        "en": "code reached by reflection, other build tags or other modules",
        "zh": "经反射、其他构建标签或其他模块用到的代码",
    },
    "blind.other": {
        "en": "not stated yet: any use outside the code that it reads",
        "zh": "尚未写明：它读不到的代码里的任何使用",
    },
    "adopted.outcome": {
        "en": "what executor.md of {run} says",
        "zh": "{run} 的 executor.md 所写的目标",
    },
    "adopted.proof": {
        "en": "every exit condition of executor.md is seen to hold",
        "zh": "executor.md 的每一条退出条件都亲眼看到成立",
    },
    "adopted.done": {
        "en": "the item is finished and its verify passes",
        "zh": "该项已完成，验证通过",
    },
    "adopted.title": {
        "en": "How the files are kept since this run was adopted",
        "zh": "本次运行接管之后，文件怎样保存",
    },
    "adopted.executor": {
        "en": "- Goals, red lines, gates and stop conditions above hold unchanged. Where the text "
        "above describes the form of a file otherwise than the file itself, the file's form "
        "holds.\n"
        "- Keep ledger and ops.md by commands, each with `--as executor`: `loopgraph round start` "
        "and `loopgraph round record` for every round, `loopgraph slice set`, "
        "`loopgraph gate set`, `loopgraph gap add`, `loopgraph gap close`, "
        "`loopgraph directive fold`, "
        "`loopgraph promote request`, `loopgraph owner ask`, `loopgraph finish exit-ready`.\n"
        "- `unknown` in a file means that nobody wrote it down: replace it once it is seen.\n"
        "- ops.md names gates, policies and the context index; `loopgraph check` says what is "
        "wrong with a file.",
        "zh": "- 上文的目标、红线、门禁和停止条件一概不变。上文所写的文件格式若与文件本身不同，"
        "以文件为准。\n"
        "- 台账和 ops.md 用命令维护，每条都带 `--as executor`：每一轮用 `loopgraph round start` 和 "
        "`loopgraph round record`，此外有 `loopgraph slice set`、`loopgraph gate set`、"
        "`loopgraph gap add`、`loopgraph gap close`、`loopgraph directive fold`、"
        "`loopgraph promote request`、`loopgraph owner ask`、`loopgraph finish exit-ready`。\n"
        "- 文件里的 `unknown` 表示没有人写过：看到事实后就替换。\n"
        "- ops.md 写有门禁、政策和上下文索引；`loopgraph check` 会指出文件哪里不对。",
    },
    "adopted.supervisor": {
        "en": "- Your audits, red lines and authority above hold unchanged. Where the text above "
        "describes the form of a file otherwise than the file itself, the file's form holds.\n"
        "- Keep directives.md by commands, each with `--as supervisor`: `loopgraph audited`, "
        "`loopgraph directive add`, `loopgraph directive rotate`, `loopgraph gate run`, "
        "`loopgraph promote accept`, `loopgraph promote redo`, `loopgraph owner ask`.\n"
        "- No commit is granted unless STANDING of directives.md says so.",
        "zh": "- 上文的审计、红线和权限一概不变。上文所写的文件格式若与文件本身不同，以文件为准。\n"
        "- directives.md 用命令维护，每条都带 `--as supervisor`：`loopgraph audited`、"
        "`loopgraph directive add`、`loopgraph directive rotate`、`loopgraph gate run`、"
        "`loopgraph promote accept`、`loopgraph promote redo`、`loopgraph owner ask`。\n"
        "- 除非 directives.md 的 STANDING 写明，否则无权提交。",
    },
    "write.scope": {"en": "inside {scope}", "zh": "{scope} 之内"},
    "write.root": {"en": "inside the root", "zh": "工作区之内"},
    "survey.write": {"en": "none (ledger and ops only)", "zh": "none（只写台账和 ops.md）"},
}


def say(key: str, lang: Language, /, **values: str) -> str:
    """One sentence, its values put in literally (a brace in a value stays a brace)."""
    return filled(SENTENCES[key].get(lang) or SENTENCES[key]["en"], values)


MARKS: Final = 5
"""As many TODO or FIXME marks in one file are a debt row."""


def gap(kind: GapKind, lang: Language, *, about: str, count: int) -> str:
    """What a debt row of discovery says."""
    return say(f"gap.{kind}", lang, about=about, count=str(count))


def gap_verify(kind: GapKind, lang: Language) -> str:
    """What shows that such a debt is gone where no command of the project does."""
    return say(f"gap.{kind}.verify", lang, least=str(MARKS))
