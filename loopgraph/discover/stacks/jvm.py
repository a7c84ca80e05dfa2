"""Gates of Java, Kotlin and Scala projects: Maven and Gradle, with the goals that CI asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from loopgraph.discover import config
from loopgraph.discover.ci import Step, is_plain
from loopgraph.discover.languages import Layout
from loopgraph.discover.stacks.offer import Offer
from loopgraph.discover.tree import Tree, join


class _Build(NamedTuple):
    """A build tool: what shows that it is used, and how it is started."""

    stack: str
    marks: tuple[str, ...]
    """The wrapper first, then the build files."""
    wrapper: str
    program: str
    inside: str
    """The option for a sub-folder."""
    goals: tuple[str, ...]
    """Goals that run the tests, the strongest first."""
    format: tuple[str, str]
    """What the build file holds when a formatter is configured, and the goal that checks."""


_BUILDS: Final = (
    _Build(
        "maven", ("mvnw", "pom.xml"), "./mvnw", "mvn", " -f {}/pom.xml", ("verify", "test"),
        (r"<artifactId>spotless-maven-plugin</artifactId>", "spotless:check"),
    ),
    _Build(
        "gradle", ("gradlew", "build.gradle", "build.gradle.kts"), "./gradlew", "gradle", " -p {}",
        ("build", "check", "test"), (r"\bcom\.diffplug\.spotless\b", "spotlessCheck"),
    ),
)  # fmt: skip
_CODE: Final = (".java", ".kt", ".scala", ".groovy")
_PART = re.compile(
    r"\s(-pl|--projects|-P\w*|--activate-profiles|--tests|-Dtest\w*|-Dmaven\.test\w*|-DskipTests"
    r"|-x|-p|-am|--also-make|-f)\b|\s:\S"
)
"""Options that leave a part of the project, or its tests, out."""


def offers(tree: Tree, folder: str, layout: Layout, steps: Sequence[Step]) -> Iterator[Offer]:
    """Every gate that a build file in this folder implies."""
    start = "" if folder == "." else f"{folder}/"
    tested = any(p.startswith(start) and p.endswith(_CODE) for p in layout.test_files)
    for build in _BUILDS:
        found = [join(folder, mark) for mark in build.marks if tree.has(join(folder, mark))]
        if not found:
            continue
        wrapped = tree.has(build.marks[0])
        program = build.wrapper if wrapped else build.program
        inside = build.inside.format(folder) if folder != "." else ""
        said = _in_ci(program, build, steps)
        if said and folder == ".":
            command, step = said
            yield Offer(
                build.stack, "test", command, step.file, step.line, in_ci=True, cost="minutes"
            )
        elif tested:
            yield Offer(
                build.stack, "test", f"{program}{inside} test", found[0], 1,
                in_ci=said is not None, cost="minutes",
            )  # fmt: skip
        shape, goal = build.format
        file = next((path for path in found if config.line(tree.text(path), shape)), "")
        if file:
            line = config.line(tree.text(file), shape)
            yield Offer(
                build.stack, "format", f"{program}{inside} {goal}", file, line, cost="minutes"
            )


def _in_ci(program: str, build: _Build, steps: Sequence[Step]) -> tuple[str, Step] | None:
    """CI's own line with the strongest goal; only its goal where the line holds a variable."""
    for goal in build.goals:
        shape = re.compile(rf"{re.escape(program)}\s(.*\s)?{goal}(\s|$)")
        lines = [step for step in steps if step.folder == "." and shape.match(step.command)]
        whole = [step for step in lines if not _PART.search(step.command)]
        if not whole:
            continue
        plain = next((step for step in whole if is_plain(step.command)), None)
        if plain:
            return plain.command, plain
        return f"{program} {goal}", whole[0]
    return None
