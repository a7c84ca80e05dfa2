"""Random sequences of loop commands, played against a model of a few lines."""

from __future__ import annotations

import json

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from loopgraph.edges import loops as edge
from loopgraph.edges.loops import Settings
from loopgraph.edges.places import PROJECT
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.node import loops
from loopgraph.node.speaker import Session
from tests.node.said import NOW, agent, call
from tests.node.said import after as carried_out

TASKS = st.sampled_from(["a", "b", "c"])
SESSIONS = st.sampled_from([Session(name, "claude") for name in ("ann", "bob")])


class Loops(RuleBasedStateMachine):
    """`model` holds each living task with its session; `files` what the commands made of it."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, str] = {}
        self.model: dict[str, str] = {}
        self.off: set[str] = set()

    def play(self, command, *, lawful: bool) -> None:
        """Carry a command out, or see it refused and nothing changed."""
        try:
            self.files = carried_out(self.files, command())
        except (RefusedError, UsageError):
            assert not lawful
        else:
            assert lawful

    @rule(task=TASKS, session=st.none() | SESSIONS)
    def init(self, task, session):
        id_ = session.id if session else ""
        lawful = task not in self.model and not (id_ and id_ in self.model.values())
        self.play(
            lambda: loops.init(
                self.files,
                call(agent(session) if session else call().speaker),
                task=task,
                prompt=f"Do {task}.",
                settings=Settings(session=id_),
                lang="en",
            ),
            lawful=lawful,
        )
        if lawful:
            self.model[task] = id_

    @rule(task=TASKS, session=SESSIONS, by_agent=st.booleans())
    def bind(self, task, session, by_agent):
        others = [one for name, one in self.model.items() if name != task]
        lawful = task in self.model and session.id not in others
        if by_agent and self.model.get(task) not in (None, "", session.id):
            lawful = False
        who = call(agent(session)) if by_agent else call()
        self.play(lambda: loops.bind(self.files, who, task=task, session=session), lawful=lawful)
        if lawful:
            self.model[task] = session.id

    @rule(task=TASKS, session=st.none() | SESSIONS, ends=st.sampled_from(["cancel", "done"]))
    def end(self, task, session, ends):
        lawful = task in self.model
        if session and self.model.get(task) not in (None, "", session.id):
            lawful = False
        who = call(agent(session)) if session else call()
        if ends == "cancel":
            self.play(lambda: loops.cancel(self.files, who, task=task), lawful=lawful)
        else:
            self.play(lambda: loops.done(self.files, who, task=task, anyway=True), lawful=lawful)
        if lawful:
            del self.model[task]
            self.off.discard(task)

    @rule(task=TASKS, active=st.booleans())
    def switch(self, task, active):
        self.play(
            lambda: loops.switch(self.files, call(), task=task, active=active),
            lawful=task in self.model,
        )
        if task in self.model:
            (self.off.discard if active else self.off.add)(task)

    @rule(task=TASKS)
    def activate(self, task):
        self.play(lambda: loops.activate(self.files, call(), task=task), lawful=task in self.model)

    @rule()
    def sync(self):
        self.play(lambda: loops.sync(self.files, call()), lawful=True)

    @rule()
    def lose_the_index(self):
        self.files.pop(PROJECT.registry, None)

    @rule(task=TASKS)
    def the_hook_ends_it(self, task):
        """The hook removes a loop and its copy, and knows no index."""
        if self.files.pop(PROJECT.loop(task), None) is not None:
            del self.model[task]
            self.off.discard(task)
            copy = self.files.get(PROJECT.single)
            if copy and edge.read("", "", copy).copy_of == task:
                del self.files[PROJECT.single]

    @invariant()
    def the_loops_are_those_of_the_model(self):
        found = edge.in_folder(self.files, PROJECT)
        assert {loop.task: loop.session for loop in found} == self.model
        assert {loop.task for loop in found if not loop.active} == self.off
        assert all(loop.prompt.startswith(f"Do {loop.task}.\n") for loop in found)

    @invariant()
    def a_session_runs_one_loop(self):
        bound = [session for session in self.model.values() if session]
        assert len(bound) == len(set(bound))

    @invariant()
    def the_index_can_be_made_anew_from_the_files(self):
        synced = carried_out(self.files, loops.sync(self.files, call()))
        if PROJECT.registry in synced:
            found = json.loads(synced[PROJECT.registry])
            assert set(found["tasks"]) == set(self.model)
            assert found["active"] is None or found["active"] in self.model
        assert carried_out(synced, loops.sync(synced, call(now=NOW))) == synced

    @invariant()
    def no_copy_outlives_its_loop(self):
        copy = self.files.get(PROJECT.single)
        if copy is not None:
            assert edge.read("", "", copy).copy_of in self.model

    @invariant()
    def every_living_loop_has_evidence(self):
        for loop in edge.in_folder(self.files, PROJECT):
            assert loops.evidence_path(self.files, PROJECT, loop) in self.files


TestLoops = Loops.TestCase
TestLoops.settings = settings(max_examples=60, stateful_step_count=25)
