"""From a run over aggregates to a lasso of the net.

The run is a sequence of visits: an aggregate is entered, left by an observed step at once or after
waiting, or by an unobserved step. Aggregates that share a number may have been entered through
different sets, so the sets are computed afresh along the run, forwards and in the same way (a set
whose growth is limited depends on all of its entry set); the markings are then chosen backwards
(what leads to the marking chosen last). A cycle of aggregates may need several rounds before a
marking repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from mpisog.errors import InternalError
from mpisog.formulas.atoms import Dead
from mpisog.nets.model import Marking
from mpisog.sog.aggregate import Parts, parts
from mpisog.sog.divergence import CycleMemory
from mpisog.sog.expansion import WAITING
from mpisog.sog.kripke import FIRST_SINK, ROOT, PulledGraph
from mpisog.sog.observation import Label
from mpisog.symbolic.protocol import Domain, StateSet, Step, with_label
from mpisog.trace.ending import some_ending
from mpisog.trace.lasso import Lasso
from mpisog.trace.paths import Path, some_path

S = TypeVar("S", bound=StateSet)

Position = tuple[int, int]
"""Aggregate number and mode, see ``kripke``."""


@dataclass(frozen=True)
class Visit:
    """One aggregate of the run: its label, the mode in which it is left, the label after it.

    ``part`` is which part of ``frontier`` comes next, where that is taken apart.
    """

    label: Label
    mode: int
    next_label: Label
    part: int = 0


class Concretiser(Generic[S]):
    """Finds the lasso behind an accepting run."""

    def __init__(self, graph: PulledGraph, domain: Domain[S]) -> None:
        self._graph = graph
        self._domain = domain
        self._observation = graph.observation
        self._takes_apart = graph.observation.aggregate_markings is not None
        self._start = self._domain.singleton(graph.observation.net.initial)

    def lasso(self, prefix: Sequence[Position], cycle: Sequence[Position]) -> Lasso:
        """A firing sequence and cycle that the run stands for."""
        prefix = [position for position in prefix if position[0] != ROOT]
        if cycle[0][0] <= FIRST_SINK:
            while prefix[-1][0] <= FIRST_SINK:  # the sink is one state, however often it is seen
                prefix = prefix[:-1]
            return self._stuttering(prefix)
        if cycle[0][1] < 0:  # begin where an aggregate is entered, not in the middle of its visit
            prefix, cycle = [*prefix, cycle[0]], [*cycle[1:], cycle[0]]
        visits = self._visits([*prefix, *cycle, cycle[0]])
        before = sum(1 for _, mode in prefix if mode >= 0)
        return self._cycling(visits[:before], visits[before:])

    def _visits(self, positions: Sequence[Position]) -> list[Visit]:
        """Visits between entries; the last position only says where the last visit leads."""
        entries = [i for i, (_, mode) in enumerate(positions) if mode >= 0]
        visits = []
        for here, following in pairwise(entries):
            mode = positions[following - 1][1]  # of the entry itself, or of the step after waiting
            numbers = [positions[i][0] for i in (here, following)]
            labels = [self._graph.label(number) for number in numbers]
            visits.append(Visit(labels[0], mode, labels[1], self._part(*numbers)))
        return visits

    def _part(self, number: int, following: int) -> int:
        """Which of the successors with the same label the run goes to."""
        if not self._takes_apart:
            return 0
        label = self._graph.label(number)
        targets = self._graph.targets(number, WAITING)
        alike = [target for target in targets if self._graph.label(target) == label]
        return alike.index(following) if following in alike else 0

    def _stuttering(self, prefix: Sequence[Position]) -> Lasso:
        """The run stays in the aggregate entered last, or goes on as it likes."""
        visits = self._visits(prefix)
        entries = self._forward(self._start, visits)
        number = prefix[-1][0]
        net = self._observation.net
        if not self._graph.can_stutter(number):
            start = self._near(entries[-1])
            stem, cycle = some_ending(net, start, self._domain.budget)
        else:
            start, stem, cycle = self._staying(self._graph.label(number), entries[-1])
        return Lasso(net, (*self._backward(entries, visits, start), *stem), cycle)

    def _staying(self, label: Label, entry: S) -> tuple[Marking, tuple[int, ...], tuple[int, ...]]:
        """A start, firings from it to a dead marking or silent cycle, and the cycle's."""
        found = self._parts(label, entry)
        silent = self._silent(label)
        if lasso := self._domain.explicit_lasso(entry, found.closed, silent):
            return lasso
        dead = self._domain.filter(found.closed, Dead())
        cycle: tuple[int, ...] = ()
        if dead:
            goal = self._domain.singleton(self._near(dead))
        else:
            silent_cycle = self._cycle(label, found.closed)
            cycle, goal = silent_cycle.firings, self._domain.singleton(silent_cycle.start)
        last = self._path(entry, goal, silent, found.closed)
        return last.start, last.firings, cycle

    def _cycle(self, label: Label, states: S) -> Path:
        """A silent cycle through some marking of the set."""
        steps = self._observation.cycle_steps(label)
        start = CycleMemory(self._domain, steps).find(states)
        if start is None:
            raise InternalError("an aggregate that should have a silent cycle has none")
        return self._path(start, start, steps, states, at_least_one=True)

    def _cycling(self, prefix: Sequence[Visit], cycle: Sequence[Visit]) -> Lasso:
        """Rounds of the cycle, until a marking repeats."""
        entries = self._forward(self._start, prefix)
        first = self._forward(entries[-1], cycle)
        # A round ends with the set that the last aggregate leads to: the same after every round.
        round_entries = [first[-1], *first[1:]]
        meeting, period = self._period(round_entries, cycle, entries[-1])
        firings: list[int] = []
        here = meeting
        if not self._domain.contains(entries[-1], here):
            firings = self._backward(first, cycle, here)
            here = self._undo(here, firings)
        firings[:0] = self._backward(entries, prefix, here)
        return Lasso(self._observation.net, tuple(firings), period)

    def _period(
        self, entries: Sequence[S], cycle: Sequence[Visit], wished: S
    ) -> tuple[Marking, tuple[int, ...]]:
        """Go back round by round until a marking comes again; it and the firings of its cycle."""
        here = self._near((entries[-1] & wished) or entries[-1])
        visited = [here]
        paths: list[list[int]] = []
        while True:
            paths.append(self._backward(entries, cycle, here))
            here = self._undo(here, paths[-1])
            if here in visited:
                rounds = paths[visited.index(here) :]
                return here, tuple(firing for path in reversed(rounds) for firing in path)
            visited.append(here)

    def _near(self, states: S) -> Marking:
        """A marking that is much like the initial one: the ways to it are shorter than to most."""
        return self._domain.nearest(states, self._observation.net.initial)

    def _undo(self, marking: Marking, firings: Sequence[int]) -> Marking:
        """The marking from which the firings lead to this one."""
        before = list(marking)
        for firing in firings:
            transition = self._observation.net.transitions[firing]
            for place, weight in transition.pre:
                before[place] += weight
            for place, weight in transition.post:
                before[place] -= weight
        return tuple(before)

    def _forward(self, entry: S, visits: Sequence[Visit]) -> list[S]:
        """The entry set of each visit, and of what comes after the last."""
        entries = [entry]
        for visit in visits:
            entries.append(self._leave(visit, entries[-1]))
        return entries

    def _leave(self, visit: Visit, entry: S) -> S:
        found = self._parts(visit.label, entry)
        if self._stays(visit) and self._observation.precise:
            return self._part_beyond(visit, found)
        reached = self._domain.image(self._leaving(visit, found), self._last_steps(visit))
        reached = with_label(self._domain, reached, self._observation.state_atoms, visit.next_label)
        return reached | self._silent_ends(visit, found)

    def _part_beyond(self, visit: Visit, found: Parts[S]) -> S:
        if found.next_entry is None:
            return found.frontier
        rest = found.frontier - found.next_entry
        return rest if visit.part or not found.next_entry else found.next_entry

    def _silent_ends(self, visit: Visit, found: Parts[S]) -> S:
        """What ends the visit although the steps that lead there are silent ones."""
        if self._dies(visit):
            return found.deadlocks
        return found.frontier if self._stays(visit) else self._domain.empty()

    def _backward(self, entries: Sequence[S], visits: Sequence[Visit], end: Marking) -> list[int]:
        """Firings through all visits to a marking that the last one leads to."""
        firings: list[int] = []
        for visit, entry in zip(reversed(visits), reversed(entries[: len(visits)]), strict=True):
            path = self._visit_path(visit, entry, end)
            firings[:0] = path.firings
            end = path.start
        return firings

    def _visit_path(self, visit: Visit, entry: S, end: Marking) -> Path:
        """From some marking of the entry set, through the aggregate, to the marking after it."""
        domain = self._domain
        found = self._parts(visit.label, entry)
        if found.next_entry is not None and not found.closed:  # nothing happens, see ``parts``
            return Path(end, (), end)
        silent = self._silent(visit.label)
        if domain.contains(self._silent_ends(visit, found), end):
            there = domain.singleton(end)
            return self._path(entry, there, silent, found.closed, at_least_one=True)
        steps = self._last_steps(visit)
        before = domain.preimage(domain.singleton(end), steps) & self._leaving(visit, found)
        if visit.mode > 0:
            inner = Path(domain.pick(before), (), domain.pick(before))
        else:
            inner = self._inner_path(visit, entry, before, silent, found)
        here, there = domain.singleton(inner.end), domain.singleton(end)
        last = self._path(here, there, steps, domain.empty(), at_least_one=True)
        return Path(inner.start, inner.firings + last.firings, end)

    def _inner_path(
        self, visit: Visit, entry: S, goal: S, silent: tuple[Step, ...], found: Parts[S]
    ) -> Path:
        """Silent steps to where the aggregate is left; an observed step must have waited."""
        goal = self._domain.singleton(self._near(goal))
        if visit.mode == WAITING:
            return self._path(entry, goal, silent, found.closed)
        unready = goal & (entry - found.ready)
        if unready:
            start = self._domain.pick(unready)
            return Path(start, (), start)
        return self._path(entry, goal, silent, found.closed, at_least_one=True)

    def _leaving(self, visit: Visit, found: Parts[S]) -> S:
        """The markings from which the visit can end."""
        if visit.mode == WAITING:
            return found.ready | found.closed
        return found.ready if visit.mode > 0 else found.closed

    def _last_steps(self, visit: Visit) -> tuple[Step, ...]:
        if visit.mode == WAITING:
            return self._observation.steps(visit.label).exits
        return (Step(self._observation.events[abs(visit.mode) - 1]),)

    def _dies(self, visit: Visit) -> bool:
        flipped = self._observation.dead_flipped(visit.label)
        return visit.mode == WAITING and flipped is not None and flipped == visit.next_label

    def _stays(self, visit: Visit) -> bool:
        """Whether an unobserved step leads to another aggregate of the same label."""
        return visit.mode == WAITING and visit.next_label == visit.label

    def _silent(self, label: Label) -> tuple[Step, ...]:
        return self._observation.steps(label).silent

    def _parts(self, label: Label, entry: S) -> Parts[S]:
        return parts(self._domain, self._observation, label, entry)

    def _path(
        self, sources: S, goal: S, steps: tuple[Step, ...], within: S, at_least_one: bool = False
    ) -> Path:
        path = some_path(self._domain, sources, goal, steps, within, at_least_one=at_least_one)
        if path is None:
            raise InternalError("a run over aggregates has no firing sequence")
        return path
