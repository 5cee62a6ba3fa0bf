"""A disagreement made small: net and formula lose parts as long as two answers still differ."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from mpisog.errors import InputError
from mpisog.nets.model import NetBuilder, PetriNet
from mpisog.spotglue.dialects import smaller_formulas

Differ = Callable[[PetriNet, str], bool]
"""Whether the two still disagree."""


@dataclass(frozen=True)
class Reproduction:
    """A net and a formula on which two configurations disagree."""

    net: PetriNet
    formula: str


def shrink(found: Reproduction, differ: Differ, seconds: float) -> Reproduction:
    """The smallest that was found in the time: no single step makes it smaller then."""
    deadline = time.monotonic() + seconds
    improved = True
    while improved:
        improved = False
        for candidate in _candidates(found):
            if time.monotonic() > deadline:
                return found
            if _differs(candidate, differ):
                found, improved = candidate, True
                break
    return found


def _differs(candidate: Reproduction, differ: Differ) -> bool:
    try:
        return differ(candidate.net, candidate.formula)
    except InputError:  # a part that the formula needs is gone
        return False


def _candidates(found: Reproduction) -> Iterator[Reproduction]:
    """First large steps, then small ones."""
    transitions = len(found.net.transitions)
    size = transitions // 2
    while size >= 1:
        for begin in range(0, transitions, size):
            gone = range(begin, min(transitions, begin + size))
            yield replace(found, net=without(found.net, transitions=set(gone)))
        size //= 2
    for formula in smaller_formulas(found.formula):
        yield replace(found, formula=formula)
    for place in range(len(found.net.places)):
        yield replace(found, net=without(found.net, places={place}))
    for place, tokens in enumerate(found.net.initial):
        if tokens:
            yield replace(found, net=with_tokens(found.net, place, tokens // 2))
            yield replace(found, net=with_tokens(found.net, place, tokens - 1))


def without(
    net: PetriNet, places: Collection[int] = (), transitions: Collection[int] = ()
) -> PetriNet:
    """The net without some of its nodes and their arcs."""
    builder = NetBuilder(net.name)
    for number, place in enumerate(net.places):
        if number not in places:
            builder.place(place.id, place.initial, place.name)
    for number, transition in enumerate(net.transitions):
        if number in transitions:
            continue
        builder.transition(transition.id, transition.name)
        for side, inwards in ((transition.pre, True), (transition.post, False)):
            for place_number, weight in side:
                if place_number not in places:
                    ends = (net.places[place_number].id, transition.id)
                    builder.arc(*(ends if inwards else ends[::-1]), weight)
    return builder.build()


def with_tokens(net: PetriNet, place: int, tokens: int) -> PetriNet:
    """The net with another initial marking of a place."""
    places = list(net.places)
    places[place] = replace(places[place], initial=tokens)
    return replace(net, places=tuple(places))
