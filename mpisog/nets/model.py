"""The immutable place/transition net every other room works on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

from mpisog.errors import NetError, nearest

Marking = tuple[int, ...]
"""Tokens per place, in the order of ``PetriNet.places``."""

Arcs = tuple[tuple[int, int], ...]
"""(place index, weight) pairs, sorted by place, each place once, weights positive."""

MAX_TOKENS = 2**31 - 1
"""Largest initial token count and arc weight; more is an input error, not silent overflow."""


Side = Sequence[str] | Mapping[str, int]
"""The inputs or outputs of a transition: places, or their weights."""

SHARED = -1
"""Stands for the index of a name that is not unique."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place: ``id`` is unique in the net, ``name`` is what people call it."""

    id: str
    name: str
    initial: int = 0


@dataclass(frozen=True, slots=True)
class Transition:
    """A transition with the tokens it needs (``pre``) and those it makes (``post``)."""

    id: str
    name: str
    pre: Arcs
    post: Arcs


@dataclass(frozen=True)
class PetriNet:
    """A P/T net with weighted arcs and an initial marking. Build one with ``NetBuilder``."""

    name: str
    places: tuple[Place, ...]
    transitions: tuple[Transition, ...]
    units: tuple[tuple[int, ...], ...] = field(default=(), compare=False, repr=False)
    """Sets of places of which the net's file says that each holds one token at most: hints."""

    def __repr__(self) -> str:
        size = f"{len(self.places)} places, {len(self.transitions)} transitions"
        return f"<net {self.name!r}, {size}>"

    def __hash__(self) -> int:
        """Made once: nets are looked up often, and this goes through all of a large one."""
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        """For other processes, where strings have other hashes: nothing that is derived."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.places, self.transitions))

    @cached_property
    def initial(self) -> Marking:
        """The initial marking."""
        return tuple(place.initial for place in self.places)

    @cached_property
    def place_index(self) -> Mapping[str, int]:
        """Place id to index."""
        return {place.id: index for index, place in enumerate(self.places)}

    @cached_property
    def transition_index(self) -> Mapping[str, int]:
        """Transition id to index."""
        return {transition.id: index for index, transition in enumerate(self.transitions)}

    @cached_property
    def place_names(self) -> Mapping[str, int]:
        """Place name to index; a name that several places share maps to ``SHARED``."""
        return _by_name(place.name for place in self.places)

    @cached_property
    def transition_names(self) -> Mapping[str, int]:
        """Transition name to index; a name that several transitions share maps to ``SHARED``."""
        return _by_name(transition.name for transition in self.transitions)

    @cached_property
    def element_names(self) -> frozenset[str]:
        """Every id and name of a place or transition."""
        tables = (self.place_index, self.place_names, self.transition_index, self.transition_names)
        return frozenset().union(*tables)

    @cached_property
    def effects(self) -> tuple[Mapping[int, int], ...]:
        """For each transition, what firing adds to each place; places that keep theirs are out."""
        return tuple(map(_effect, self.transitions))

    @cached_property
    def arc_count(self) -> int:
        """Number of arcs, a self-loop counting twice."""
        return sum(len(t.pre) + len(t.post) for t in self.transitions)


class NetBuilder:
    """Collects places, transitions and arcs in any order; ``build`` checks and freezes them.

    Arcs name node ids and may come before their nodes. Parallel arcs add up. Errors carry the
    line that was given with the element.
    """

    def __init__(self, name: str = "net") -> None:
        self.name = name
        self._places: dict[str, Place] = {}
        self._transitions: dict[str, str] = {}
        self._arcs: list[tuple[str, str, int, int | None]] = []

    def place(
        self, id: str, initial: int = 0, name: str | None = None, line: int | None = None
    ) -> None:
        """Add a place with its initial tokens."""
        self._claim(id, line)
        _check_count(initial, f"initial marking of place '{id}'", line, least=0)
        self._places[id] = Place(id, name or id, initial)

    def transition(self, id: str, name: str | None = None, line: int | None = None) -> None:
        """Add a transition."""
        self._claim(id, line)
        self._transitions[id] = name or id

    def arc(self, source: str, target: str, weight: int = 1, line: int | None = None) -> None:
        """Add an arc between a place and a transition, either way round."""
        _check_count(weight, f"weight of the arc from '{source}' to '{target}'", line, least=1)
        self._arcs.append((source, target, weight, line))

    def build(self) -> PetriNet:
        """The finished net, or a ``NetError`` that names the element at fault."""
        places = tuple(self._places.values())
        index = {place.id: i for i, place in enumerate(places)}
        pre: dict[str, Counter[int]] = {id: Counter() for id in self._transitions}
        post: dict[str, Counter[int]] = {id: Counter() for id in self._transitions}
        for source, target, weight, line in self._arcs:
            if source in index and target in post:
                pre[target][index[source]] += weight
            elif source in pre and target in index:
                post[source][index[target]] += weight
            else:
                raise self._bad_arc(source, target, line)
        transitions = tuple(
            Transition(id, name, self._freeze(pre[id], id), self._freeze(post[id], id))
            for id, name in self._transitions.items()
        )
        return PetriNet(self.name, places, transitions)

    def _claim(self, id: str, line: int | None) -> None:
        if not id:
            raise NetError("a node has an empty id", line=line)
        if id in self._places or id in self._transitions:
            raise NetError(f"the id '{id}' is used twice", line=line)

    def _bad_arc(self, source: str, target: str, line: int | None) -> NetError:
        arc = f"the arc from '{source}' to '{target}'"
        for end in (source, target):
            if end not in self._places and end not in self._transitions:
                known = [*self._places, *self._transitions]
                return NetError(
                    f"{arc} ends at '{end}', which does not exist",
                    line=line,
                    hint=nearest(end, known),
                )
        kind = "places" if source in self._places else "transitions"
        return NetError(f"{arc} joins two {kind}", line=line)

    @staticmethod
    def _freeze(arcs: Counter[int], transition: str) -> Arcs:
        for weight in arcs.values():
            _check_count(weight, f"weight of an arc at transition '{transition}'", None, least=1)
        return tuple(sorted(arcs.items()))


def _effect(transition: Transition) -> dict[int, int]:
    change = {place: -weight for place, weight in transition.pre}
    for place, weight in transition.post:
        change[place] = change.get(place, 0) + weight
    return change if all(change.values()) else {p: d for p, d in change.items() if d}


def _by_name(names: Iterable[str]) -> dict[str, int]:
    table: dict[str, int] = {}
    for index, name in enumerate(names):
        table[name] = SHARED if name in table else index
    return table


def _check_count(value: int, what: str, line: int | None, least: int) -> None:
    if not hasattr(value, "__index__"):
        raise NetError(f"the {what} is {value!r}, it must be a whole number", line=line)
    if value < least:
        raise NetError(f"the {what} is {value}, it must be at least {least}", line=line)
    if value > MAX_TOKENS:
        raise NetError(f"the {what} is larger than {MAX_TOKENS}", line=line)


def make_net(
    name: str,
    places: Mapping[str, int],
    transitions: Mapping[str, tuple[Side, Side]],
) -> PetriNet:
    """A net in one expression: ``make_net("n", {"p": 2, "q": 0}, {"t": ({"p": 2}, ["q"])})``.

    A side of a transition lists places, or gives the weights of arcs; a place listed twice is an
    arc of weight two. A place that is only used by a transition must still be declared.
    """
    builder = NetBuilder(name)
    for place, tokens in places.items():
        builder.place(place, tokens)
    for transition, (inputs, outputs) in transitions.items():
        builder.transition(transition)
        for place, weight in _weights(inputs):
            builder.arc(place, transition, weight)
        for place, weight in _weights(outputs):
            builder.arc(transition, place, weight)
    return builder.build()


def _weights(side: Side) -> Iterable[tuple[str, int]]:
    if isinstance(side, str):  # it would be taken for a list of its letters
        raise NetError(f"'{side}' is one place, not a list of places", hint=f"write ['{side}']")
    return side.items() if isinstance(side, Mapping) else ((place, 1) for place in side)
