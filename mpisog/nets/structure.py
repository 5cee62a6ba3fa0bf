"""What a net's structure says about its behaviour, for ``mpisog info``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mpisog.nets.bounds import PlaceWeightings
from mpisog.nets.model import PetriNet, Place, Transition
from mpisog.nets.semiflows import Flow, effects, place_semiflows, transition_semiflows

_Test = Callable[[list[int], list[int]], object]
"""Of a place's makers and takers."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """Weights by node id; ``constant`` is the weighted token sum of a place invariant."""

    weights: tuple[tuple[str, int], ...]
    constant: int | None = None


@dataclass(frozen=True, slots=True)
class NetFacts:
    """Facts about a net; ``None`` means that the answer is not known or not cheap."""

    name: str
    places: int
    transitions: int
    arcs: int
    tokens: int
    largest_weight: int
    self_loops: int
    source_places: tuple[str, ...]
    sink_places: tuple[str, ...]
    source_transitions: tuple[str, ...]
    sink_transitions: tuple[str, ...]
    isolated: tuple[str, ...]
    net_class: str
    place_invariants: tuple[Invariant, ...] | None
    transition_invariants: tuple[Invariant, ...] | None
    token_sum_constant: bool
    conservative: bool | None
    structurally_bounded: bool | None
    one_safe: bool | None


def net_facts(net: PetriNet, seconds: float = 4.0) -> NetFacts:
    """All facts, in about ``seconds`` at most; what does not fit into the time is ``None``."""
    p_flows = place_semiflows(net, seconds / 4)
    t_flows = transition_semiflows(net, seconds / 4)
    weightings = PlaceWeightings(net, time.monotonic() + seconds / 2)
    conservative = _conservative(net, p_flows, weightings)
    nodes = _Neighbours(net)
    return NetFacts(
        name=net.name,
        places=len(net.places),
        transitions=len(net.transitions),
        arcs=net.arc_count,
        tokens=sum(net.initial),
        largest_weight=max((w for t in net.transitions for _, w in (*t.pre, *t.post)), default=0),
        self_loops=sum(len(dict(t.pre).keys() & dict(t.post).keys()) for t in net.transitions),
        source_places=nodes.source_places(),
        sink_places=nodes.sink_places(),
        source_transitions=_ids(t for t in net.transitions if t.post and not t.pre),
        sink_transitions=_ids(t for t in net.transitions if t.pre and not t.post),
        isolated=nodes.isolated(),
        net_class=nodes.net_class(),
        place_invariants=_place_invariants(net, p_flows),
        transition_invariants=_invariants(net.transitions, t_flows),
        token_sum_constant=_token_sum_constant(net),
        conservative=conservative,
        structurally_bounded=conservative or weightings.structurally_bounded(),
        one_safe=_one_safe(net, p_flows, weightings),
    )


class _Neighbours:
    """Which transitions put tokens into a place, and which take them out."""

    def __init__(self, net: PetriNet) -> None:
        self._net = net
        self._makers: list[list[int]] = [[] for _ in net.places]
        self._takers: list[list[int]] = [[] for _ in net.places]
        for index, transition in enumerate(net.transitions):
            for place, _ in transition.post:
                self._makers[place].append(index)
            for place, _ in transition.pre:
                self._takers[place].append(index)

    def source_places(self) -> tuple[str, ...]:
        """Places that only lose tokens."""
        return self._places(lambda made, taken: not made and taken)

    def sink_places(self) -> tuple[str, ...]:
        """Places that only gain tokens."""
        return self._places(lambda made, taken: made and not taken)

    def isolated(self) -> tuple[str, ...]:
        """Places and transitions without arcs."""
        places = self._places(lambda made, taken: not made and not taken)
        return places + _ids(t for t in self._net.transitions if not t.pre and not t.post)

    def net_class(self) -> str:
        """The smallest of the usual classes the net belongs to."""
        transitions = self._net.transitions
        if any(weight != 1 for t in transitions for _, weight in (*t.pre, *t.post)):
            return "weighted"
        if all(len(t.pre) == 1 == len(t.post) for t in transitions):
            return "state machine"
        pairs = zip(self._makers, self._takers, strict=True)
        if all(len(made) == 1 == len(taken) for made, taken in pairs):
            return "marked graph"
        if self._free_choice():
            return "free choice"
        return "extended free choice" if self._extended_free_choice() else "ordinary"

    def _free_choice(self) -> bool:
        """Where a place has several takers, it is the only input of each."""
        inputs = [len(t.pre) for t in self._net.transitions]
        return all(len(taken) < 2 or all(inputs[t] == 1 for t in taken) for taken in self._takers)

    def _extended_free_choice(self) -> bool:
        """Transitions that share an input share them all."""
        inputs = [tuple(place for place, _ in t.pre) for t in self._net.transitions]
        return all(inputs[t] == inputs[taken[0]] for taken in self._takers for t in taken)

    def _places(self, test: _Test) -> tuple[str, ...]:
        triples = zip(self._net.places, self._makers, self._takers, strict=True)
        return _ids(place for place, made, taken in triples if test(made, taken))


def _ids(nodes: Iterable[Place | Transition]) -> tuple[str, ...]:
    return tuple(node.id for node in nodes)


def _token_sum_constant(net: PetriNet) -> bool:
    return all(sum(change.values()) == 0 for change in effects(net))


def _conservative(
    net: PetriNet, flows: Sequence[Flow] | None, weightings: PlaceWeightings
) -> bool | None:
    if _token_sum_constant(net):
        return True
    if flows is None:
        return weightings.conservative()
    # The sum of all semiflows is the widest of them.
    return len({place for flow in flows for place, _ in flow}) == len(net.places)


def _one_safe(
    net: PetriNet, flows: Sequence[Flow] | None, weightings: PlaceWeightings
) -> bool | None:
    if max(net.initial, default=0) > 1:
        return False
    safe = {
        place for flow in flows or () for place, weight in flow if _value(net, flow) < 2 * weight
    }
    return True if len(safe) == len(net.places) else weightings.one_safe()


def _value(net: PetriNet, flow: Flow) -> int:
    return sum(weight * net.initial[place] for place, weight in flow)


def _place_invariants(net: PetriNet, flows: Sequence[Flow] | None) -> tuple[Invariant, ...] | None:
    if flows is None:
        return None
    return tuple(Invariant(_named(net.places, flow), _value(net, flow)) for flow in flows)


def _invariants(
    nodes: Sequence[Transition], flows: Sequence[Flow] | None
) -> tuple[Invariant, ...] | None:
    return None if flows is None else tuple(Invariant(_named(nodes, flow)) for flow in flows)


def _named(
    nodes: Sequence[Place] | Sequence[Transition], flow: Flow
) -> tuple[tuple[str, int], ...]:
    return tuple((nodes[index].id, weight) for index, weight in flow)
