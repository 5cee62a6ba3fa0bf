"""What is next for a property; who runs units has the clock and the processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mpisog.budget import Interrupted
from mpisog.engines.base import Finding, Statistics
from mpisog.engines.schedule import Stage
from mpisog.engines.task import Task
from mpisog.engines.unit import Undecided, Why
from mpisog.errors import InputError, LimitReached

NOTHING_FOUND = "no counterexample found with few tokens in every place"
"""In an unbounded net."""


class Course:
    """A task's way through the stages.

    Stages may be handed out before those before them have ended. A round comes after all of the
    round before it, and only if more time may help.
    """

    def __init__(self, task: Task, stages: Sequence[Stage]) -> None:
        self.task = task
        self._stages = stages
        self._next = 0
        self._running: set[int] = set()
        self._late_rounds: set[int] = set()
        """Those in which a stage ran out of time."""
        self.finding: Finding | None = None
        self.failure: Undecided | None = None
        """Why the last stage that gave up did."""
        self.unbounded: Undecided | None = None
        self.error: InputError | None = None
        self.log: dict[str, float] = {}
        """The stages that ran, and their seconds."""

    @property
    def stage(self) -> Stage | None:
        """The one that is next, if there is one."""
        return self._stages[self._next] if self._next < len(self._stages) else None

    @property
    def position(self) -> int:
        """How many stages have been handed out."""
        return self._next

    @property
    def is_open(self) -> bool:
        """Whether something is running or left to do."""
        return self.finding is None and bool(self._running or self._may_go_on())

    @property
    def is_quick(self) -> bool:
        """Whether a quick stage is next: these come before the long ones of other properties."""
        return self.stage is not None and self.stage.round == 0

    def next(self) -> int | None:
        """The index of a stage to run now; nothing: none, or not yet."""
        if self.finding is not None or not self._may_go_on():
            return None
        stage, previous = self.stage, self._stages[max(0, self._next - 1)]
        if stage is not None and stage.round > max(1, previous.round) and self._running:
            return None
        self._running.add(self._next)
        self._next += 1
        return self._next - 1

    def _may_go_on(self) -> bool:
        stage = self.stage
        if stage is None:
            return False
        return stage.round <= 1 or stage.round - 1 in self._late_rounds or bool(self._running)

    def note(self, index: int, outcome: Finding | Undecided, seconds: float) -> None:
        """What became of a stage."""
        self._running.discard(index)
        stage = self._stages[index]
        if isinstance(outcome, Finding):
            self.finding = self.finding or outcome
        elif outcome.why is Why.SKIPPED:
            return
        elif outcome.why is Why.KNOWN_UNBOUNDED:
            self.unbounded = self.unbounded or outcome
            return
        else:
            self.failure = outcome
            self.error = self.error or outcome.error
            if outcome.why is Why.TIME:
                self._late_rounds.add(stage.round)
            if outcome.why is Why.UNBOUNDED:
                self.unbounded = outcome
        self.log[stage.name] = seconds


class PropertyCourse:
    """A property's way to its verdict: the courses of its tasks, conjuncts or the whole formula."""

    def __init__(self, tasks: Sequence[Task], stages: Sequence[Stage]) -> None:
        self._courses = {task.number: Course(task, stages) for task in tasks}
        self.violated: Task | None = None
        """The one with the counterexample."""

    @property
    def finding(self) -> Finding | None:
        """The property's, once it is known: of the task that is violated, or when all hold."""
        if self.violated is not None:
            return self._reported(self._courses[self.violated.number].finding)
        found = [course.finding for course in self._courses.values()]
        return None if None in found else self._reported(found[-1])

    def _reported(self, finding: Finding | None) -> Finding | None:
        if finding is None:
            return None
        figures = {"phases": self.statistics["phases"], **finding.statistics}
        return replace(finding, statistics=figures)

    @property
    def statistics(self) -> Statistics:
        """What was tried, and the figures of the last stage that gave up."""
        courses = self._courses.values()
        last = next((c.failure.statistics for c in courses if c.failure is not None), {})
        spent: dict[str, float] = {}
        for name, seconds in (entry for course in courses for entry in course.log.items()):
            spent[name] = spent.get(name, 0.0) + seconds  # conjuncts go through the same stages
        phases = "; ".join(f"{name} {seconds:.2f} s" for name, seconds in spent.items())
        return {"phases": phases, **last}

    @property
    def open(self) -> int:
        """How many tasks are undecided and have something left to do."""
        return sum(course.is_open for course in self._courses.values())

    @property
    def round(self) -> int:
        """Of the stage that is next; 0 as long as that is a quick one."""
        stages = [c.stage for c in self._courses.values() if c.is_open]
        return min((stage.round for stage in stages if stage is not None), default=0)

    def next(self) -> tuple[Task, int] | None:
        """A unit to run now, of the task that is least advanced; nothing: none, or not yet."""
        if self.violated is not None:
            return None
        for course in sorted(self._courses.values(), key=lambda course: course.position):
            if (index := course.next()) is not None:
                return course.task, index
        return None

    def note(self, task: int, index: int, outcome: Finding | Undecided, seconds: float) -> None:
        """What became of a unit."""
        self._courses[task].note(index, outcome, seconds)
        if isinstance(outcome, Finding) and outcome.counterexample is not None:
            self.violated = self.violated or self._courses[task].task

    @property
    def error(self) -> InputError | None:
        """That the net is not for the engine, if that is why there is no verdict."""
        return next((c.error for c in self._undecided if c.error is not None), None)

    @property
    def _undecided(self) -> list[Course]:
        return [course for course in self._courses.values() if course.finding is None]

    def reason(self, stopped: LimitReached | None = None) -> str:
        """Why there is no verdict; ``stopped`` is the limit that ended all, if one did."""
        last = next((c.failure for c in reversed(self._undecided) if c.failure is not None), None)
        unbounded = next((c.unbounded for c in self._undecided if c.unbounded is not None), None)
        if unbounded is None or isinstance(stopped, Interrupted):
            known = stopped or last
            return known.reason if known else "no engine could decide"
        if stopped is not None:
            return f"{unbounded.reason}; {stopped.reason}"
        return unbounded.reason if last is unbounded else f"{unbounded.reason}; {NOTHING_FOUND}"
