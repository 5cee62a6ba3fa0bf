"""What an entry set is called on every rank, and where it is in the row of what waits."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from mpisog.sog.aggregate_builder import AggregateBuilder
from mpisog.sog.observation import Observation
from mpisog.symbolic.protocol import Domain, StateSet, digest
from mpisog.team.tasks import Position

S = TypeVar("S", bound=StateSet)

COORDINATES = 16
"""Places that are looked at, at most: positions take memory as long as a set waits."""


class EntryName(NamedTuple):
    """The key is empty where there is only one rank."""

    key: bytes = b""
    position: Position = ()


def coordinates(domain: Domain[S], observation: Observation) -> list[int]:
    """The places whose tokens make a position.

    All markings of an aggregate mostly agree on what is observed, and sets that differ there have
    no node in common above: so what is observed comes first, the lowest in the diagrams before all.
    """
    order = domain.order or range(len(observation.net.places))
    observed = [place for place in reversed(order) if place in observation.places]
    others = [place for place in order if place not in observation.places]
    return [*observed, *others][:COORDINATES]


class EntryNames(Generic[S]):
    """Names of the entry sets of one observation.

    A position is made of the tokens of one marking, place by place.
    """

    def __init__(self, aggregate_builder: AggregateBuilder[S], algorithm: str) -> None:
        self._domain = aggregate_builder.domain
        self._algorithm = algorithm
        self._places = coordinates(self._domain, aggregate_builder.observation)

    def name(self, states: S) -> EntryName:
        """The same on every rank."""
        return EntryName(digest(self._domain, states, self._algorithm), self.position(states))

    def position(self, states: S) -> Position:
        """Sets near each other have much in common."""
        marking = self._domain.pick(states)
        return tuple(map(marking.__getitem__, self._places))
