"""The checker's side: a graph that asks builders for what Spot pulls."""

from __future__ import annotations

from collections.abc import Callable

from mpisog.sog.expansion import WAITING
from mpisog.sog.observation import Label, Observation
from mpisog.team.messages import (
    AskInitial,
    AskSuccessors,
    Identity,
    Node,
    Successors,
)
from mpisog.team.plan import FIRST_BUILDER

Ask = Callable[[int, AskInitial | AskSuccessors], Successors]
"""Sends a question to a rank and waits for its answer; raises when there will be none."""


class RemoteGraph:
    """Aggregates by number, in order of discovery; their sets are elsewhere."""

    def __init__(self, observation: Observation, ask: Ask) -> None:
        self.observation = observation
        self._ask = ask
        self._nodes: list[Node] = []
        self._numbers: dict[Identity, int] = {}
        self.edges = 0
        self._answers: dict[tuple[int, int], tuple[tuple[int, ...], list[int]]] = {}

    @property
    def size(self) -> int:
        """How many aggregates the checker has seen."""
        return len(self._nodes)

    def initial(self) -> int:
        """The aggregate of the initial marking."""
        if not self._nodes:
            self._take(self._ask(FIRST_BUILDER, AskInitial()))
        return 0

    def label(self, number: int) -> Label:
        """Of all markings of the aggregate."""
        return self._nodes[number].label

    def can_stutter(self, number: int) -> bool:
        """Whether there is a run that never leaves the aggregate."""
        return self._nodes[number].can_stutter

    def ready_events(self, number: int) -> tuple[int, ...]:
        """The observed transitions that can fire at once on entry."""
        return self._nodes[number].ready_events

    def waited_events(self, number: int) -> tuple[int, ...]:
        """The observed transitions that can fire after waiting."""
        return self._answer(number, WAITING)[0]

    def targets(self, number: int, mode: int) -> list[int]:
        """The aggregates that follow when one is left in that mode."""
        return self._answer(number, mode)[1]

    def _answer(self, number: int, mode: int) -> tuple[tuple[int, ...], list[int]]:
        if (number, mode) not in self._answers:
            node = self._nodes[number]
            answer = self._ask(node.holder, AskSuccessors(node.identity, mode))
            self.edges += len(answer.nodes)
            self._answers[number, mode] = (answer.waited_events, self._take(answer))
        return self._answers[number, mode]

    def _take(self, answer: Successors) -> list[int]:
        return [self._number(node) for node in answer.nodes]

    def _number(self, node: Node) -> int:
        number = self._numbers.setdefault(node.identity, len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(node)
        return number
