"""Families whose structure grows with the parameter: philosophers, rings, trains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mpisog.nets.model import PetriNet, make_net

_Transitions = dict[str, tuple[Sequence[str], Sequence[str]]]


def _indexed(marked: Mapping[str, int], indices: Sequence[int]) -> dict[str, int]:
    """Places ``stem_index``; the indices vary slowest, so that neighbours stay close."""
    return {f"{stem}_{i}": tokens for i in indices for stem, tokens in marked.items()}


def philosophers(count: int) -> PetriNet:
    """Contest form: a philosopher takes one fork, then the other, in either order."""
    places = {"Think": 1, "Fork": 1, "Catch1": 0, "Catch2": 0, "Eat": 0}
    transitions: _Transitions = {}
    for i in range(1, count + 1):
        left, right = f"Fork_{(i - 2) % count + 1}", f"Fork_{i}"
        think, eat = f"Think_{i}", f"Eat_{i}"
        transitions[f"FF1a_{i}"] = ([think, left], [f"Catch1_{i}"])
        transitions[f"FF1b_{i}"] = ([think, right], [f"Catch2_{i}"])
        transitions[f"FF2a_{i}"] = ([f"Catch1_{i}", right], [eat])
        transitions[f"FF2b_{i}"] = ([f"Catch2_{i}", left], [eat])
        transitions[f"End_{i}"] = ([eat], [think, left, right])
    name = f"Philosophers-PT-{count:06}"
    return make_net(name, _indexed(places, range(1, count + 1)), transitions)


def philo(count: int) -> PetriNet:
    """Ciardo, Luettgen and Siminiceanu's form: each hand takes its fork on its own."""
    places = {"Idle": 1, "WaitLeft": 0, "WaitRight": 0, "HasLeft": 0, "HasRight": 0}
    places |= {"Eating": 0, "Fork": 1}
    transitions: _Transitions = {}
    for i in range(1, count + 1):
        left, right = f"Fork_{(i - 2) % count + 1}", f"Fork_{i}"
        has = [f"HasLeft_{i}", f"HasRight_{i}"]
        transitions[f"GoEat_{i}"] = ([f"Idle_{i}"], [f"WaitLeft_{i}", f"WaitRight_{i}"])
        transitions[f"GetLeft_{i}"] = ([f"WaitLeft_{i}", left], [f"HasLeft_{i}"])
        transitions[f"GetRight_{i}"] = ([f"WaitRight_{i}", right], [f"HasRight_{i}"])
        transitions[f"Eat_{i}"] = (has, [f"Eating_{i}"])
        transitions[f"Release_{i}"] = ([f"Eating_{i}"], [f"Idle_{i}", left, right])
    return make_net(f"philo-{count}", _indexed(places, range(1, count + 1)), transitions)


def slotted_ring(count: int) -> PetriNet:
    """Slots go round a ring of nodes; place letters are those of Ciardo, Luettgen, Siminiceanu."""
    places = {"A": 0, "B": 0, "C": 1, "D": 0, "E": 1, "F": 0, "G": 0, "H": 0}
    transitions: _Transitions = {}
    for i in range(1, count + 1):
        a, b, c, d, e, f, g, h = (f"{letter}_{i}" for letter in places)
        after = (i - 2) % count + 1
        transitions[f"Other_{i}"] = ([a], [d])
        transitions[f"Owner_{i}"] = ([a], [b])
        transitions[f"Write_{i}"] = ([b], [d])
        transitions[f"Go_{i}"] = ([b], [h])
        transitions[f"Give_{i}"] = ([f, h], [c, e])
        transitions[f"Put_{i}"] = ([f, d], [c, g])
        transitions[f"Used_{i}"] = ([g, f"C_{after}"], [f, f"A_{after}"])
        transitions[f"Free_{i}"] = ([e, f"C_{after}"], [f, f"B_{after}"])
    return make_net(f"ring-{count}", _indexed(places, range(1, count + 1)), transitions)


def token_ring(count: int) -> PetriNet:
    """Contest form: processes 0 to ``count``, each in a state 0 to ``count``."""
    numbers = range(count + 1)
    places = {f"State_{i}_{j}": int(i == j) for i in numbers for j in numbers}
    transitions: _Transitions = {}
    for j in numbers:
        last = f"State_{count}_{j}"
        following = f"State_0_{(j + 1) % (count + 1)}"
        transitions[f"MainProcess_{j}"] = ([f"State_0_{j}", last], [following, last])
    for i in range(1, count + 1):
        transitions |= _copying_process(i, numbers)
    return make_net(f"TokenRing-PT-{count:03}", places, transitions)


def _copying_process(i: int, numbers: Sequence[int]) -> _Transitions:
    """A process that takes over its predecessor's state whenever the two differ."""
    return {
        f"OtherProcess_{i}_{j}_{k}": (
            [f"State_{i}_{j}", f"State_{i - 1}_{k}"],
            [f"State_{i}_{k}", f"State_{i - 1}_{k}"],
        )
        for j in numbers
        for k in numbers
        if j != k
    }


def circular_trains(count: int) -> PetriNet:
    """Contest form: a section may be entered once the train ahead has left the one beyond it."""
    sections = range(1, count + 1)
    places: dict[str, int] = {}
    transitions: _Transitions = {}
    for i in sections:
        before, after = (i - 2) % count + 1, i % count + 1
        places |= {f"Section_{i}": int(i % 3 == 0), f"F{i}": int(i % 3 != 0)}
        transitions[f"t{i}_to_{after}"] = (
            [f"Section_{i}", f"F{after}"],
            [f"Section_{after}", f"F{before}"],
        )
    return make_net(f"CircularTrains-PT-{count:03}", places, transitions)
