"""Random 1-safe nets and formulas over them."""

from __future__ import annotations

from random import Random

from tests.reductions.pairs import state_formula
from tests.reference.checker import Net
from tests.reference.generate import random_formula
from tests.reference.ltl import Formula, subformulas

MOST_MARKINGS = 400

Transitions = dict[str, tuple[dict[str, int], dict[str, int]]]


def safe_markings(net: Net) -> int | None:
    """How many markings a net has, or nothing if it is not 1-safe or has too many."""
    found = {net.freeze(net.initial)}
    todo = list(found)
    while todo:
        marking = net.thaw(todo.pop())
        for name in net.enabled(marking):
            after = net.freeze(net.fire(name, marking))
            if max(after) > 1 or len(found) > MOST_MARKINGS:
                return None
            if after not in found:
                found.add(after)
                todo.append(after)
    return len(found)


def safe_net(rng: Random) -> Net:
    """A net of one of the kinds below, with at most ``MOST_MARKINGS`` markings."""
    kinds = (any_net, state_machines, state_machine, concurrent_net)
    kind = rng.choices(kinds, (0.4, 0.35, 0.1, 0.15))[0]
    least = rng.choice((1, 2, 3, 4, 6))
    while True:
        net = kind(rng)
        if net.transitions and (safe_markings(net) or 0) >= least:
            return net


def any_net(rng: Random) -> Net:
    """Arcs at random; self-loops, sources, sinks, and inputs that are never enough."""
    places = [f"p{i}" for i in range(rng.randint(1, 7))]
    initial = {place: rng.choice((0, 0, 1)) for place in places}
    transitions: Transitions = {}
    for number in range(rng.randint(1, 8)):
        takes = dict.fromkeys(_some(rng, places, (0, 1, 1, 1, 2, 2, 3)), 1)
        gives = dict.fromkeys(_some(rng, places, (0, 1, 1, 1, 2, 2)), 1)
        if rng.random() < 0.2:
            gives = {**gives, **takes}
        if takes and rng.random() < 0.04:
            takes[next(iter(takes))] = 2
        transitions[f"t{number}"] = takes, gives
    return Net(initial, transitions)


def state_machines(rng: Random) -> Net:
    """Processes that go on alone or meet, with resources and read arcs."""
    initial: dict[str, int] = {f"r{i}": rng.choice((0, 1)) for i in range(rng.randint(0, 2))}
    shared = list(initial)
    steps: list[tuple[str, str]] = []
    for process in "abcd"[: rng.randint(2, 4)]:
        places = [f"{process}{i}" for i in range(rng.randint(1, 4))]
        initial |= dict.fromkeys(places, 0) | {rng.choice(places): 1}
        ring = list(zip(places, [*places[1:], places[0]], strict=True))
        steps += ring[rng.choice((0, 0, 1)) :]
        steps += [(rng.choice(places), rng.choice(places)) for _ in range(rng.choice((0, 0, 1)))]
    transitions: Transitions = {}
    for number, (here, there) in enumerate(steps):
        takes, gives = {here: 1}, {there: 1}
        if rng.random() < 0.3:
            other = rng.choice(steps)
            if other[0] != here and other[1] != there:
                takes[other[0]] = gives[other[1]] = 1
        if shared and rng.random() < 0.3:
            takes[rng.choice(shared)] = 1
        if shared and rng.random() < 0.3:
            gives[rng.choice(shared)] = 1
        if rng.random() < 0.25:
            read = rng.choice(list(initial))
            takes[read] = gives[read] = 1
        transitions[f"t{number}"] = takes, gives
    return Net(initial, transitions)


def state_machine(rng: Random) -> Net:
    """One token: no concurrency, many ways to the same marking."""
    places = [f"p{i}" for i in range(rng.randint(2, 6))]
    initial = {place: int(number == 0) for number, place in enumerate(places)}
    count = rng.randint(2, 9)
    return Net(
        initial,
        {f"t{i}": ({rng.choice(places): 1}, {rng.choice(places): 1}) for i in range(count)},
    )


def concurrent_net(rng: Random) -> Net:
    """Forks and joins beside loops."""
    initial = {"a": 1, "b": 0, "c": 0, "d": 0, "e": 0}
    transitions: Transitions = {
        "fork": ({"a": 1}, {"b": 1, "c": 1}),
        "join": ({"d": 1, "e": 1}, {"a": 1}),
        "left": ({"b": 1}, {"d": 1}),
        "right": ({"c": 1}, {"e": 1}),
    }
    for number in range(rng.randint(1, 3)):
        initial |= {f"x{number}": 1, f"y{number}": 0}
        there, back = ({f"x{number}": 1}, {f"y{number}": 1}), ({f"y{number}": 1}, {f"x{number}": 1})
        if rng.random() < 0.4:
            read = rng.choice("abcde")
            there[0][read] = there[1][read] = 1
        transitions[f"there{number}"] = there
        if rng.random() < 0.8:
            transitions[f"back{number}"] = back
    for name in rng.sample(list(transitions), rng.choice((0, 0, 1, 2))):
        del transitions[name]
    for number in range(rng.choice((0, 0, 1))):
        transitions[f"extra{number}"] = (
            {rng.choice(list(initial)): 1},
            {rng.choice(list(initial)): 1},
        )
    return Net(initial, transitions)


def _some(rng: Random, places: list[str], counts: tuple[int, ...]) -> list[str]:
    return rng.sample(places, min(rng.choice(counts), len(places)))


def formula_without_next(rng: Random, net: Net) -> Formula:
    """Stutter-invariant, about states, events or both."""
    if rng.random() < 0.35:
        return state_formula(rng, net)
    while True:
        formula = random_formula(rng, net)
        if all(part[0] != "X" for part in subformulas(formula)):
            return formula


def formula_with_next(rng: Random, net: Net) -> Formula:
    """One that has an X somewhere; whether it matters is another question."""
    while True:
        formula = random_formula(rng, net)
        if any(part[0] == "X" for part in subformulas(formula)):
            return formula
