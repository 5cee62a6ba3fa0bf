"""What weightings of classes exclude is excluded, and they miss nothing that is alike."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

from mpisog.nets.model import make_net
from mpisog.nets.semantics import successors
from mpisog.nets.semiflows import effects
from mpisog.state_equation import quotient
from mpisog.state_equation.program import Program
from mpisog.state_equation.quotient import Quotient
from tests.helpers import to_mpisog
from tests.reference.checker import Net
from tests.reference.generate import random_net

SECONDS = 10.0


def excludes(net, system):
    return Quotient(net.initial, effects(net)).excludes(system, time.monotonic() + SECONDS)


def readers_and_writers(readers):
    places = {f"lock{i}": 1 for i in range(readers)} | {f"reads{i}": 0 for i in range(readers)}
    locks = [f"lock{i}" for i in range(readers)]
    transitions = {"begin": (["idle", *locks], ["writes"]), "end": (["writes"], ["idle", *locks])}
    for i in range(readers):
        transitions[f"in{i}"] = ([f"lock{i}"], [f"reads{i}"])
        transitions[f"out{i}"] = ([f"reads{i}"], [f"lock{i}"])
    return make_net("readers", places | {"idle": 1, "writes": 0}, transitions)


def at_least(net, weights, bound):
    terms = [
        (number, factor)
        for number, place in enumerate(net.places)
        if (factor := weights.get(place.id.rstrip("0123456789"), 0))
    ]
    return tuple(terms), bound


def test_sums_over_all_copies():
    net = readers_and_writers(500)
    assert excludes(net, (at_least(net, {"reads": 1}, 501),))
    assert not excludes(net, (at_least(net, {"reads": 1}, 500),))
    assert excludes(net, (at_least(net, {"reads": 1}, 1), at_least(net, {"writes": 500}, 500)))


def test_one_of_many_copies():
    net = readers_and_writers(500)
    one = ((net.places.index(next(p for p in net.places if p.id == "reads7")), 1),)
    writes = at_least(net, {"writes": 1}, 1)
    assert excludes(net, ((one, 2),))
    assert excludes(net, ((one, 1), writes))
    assert not excludes(net, ((one, 1),))


def test_refining_that_stops_early(monkeypatch):
    monkeypatch.setattr(quotient, "MOST_CLASSES", 2)
    places = {f"p{i}": int(i == 3) for i in range(20)}
    steps = {f"t{i}": ([f"p{i}"], [f"p{(i + 1) % 20}"]) for i in range(20)}
    net = make_net("ring", places, steps)
    assert excludes(net, ((((7, 1),), 2),))
    assert not excludes(net, ((((7, 1),), 1),))


def copies(rng, net):
    """The net several times, disjoint or with a place in common, and who is a copy of whom."""
    shared = rng.choice([None, rng.choice(sorted(net.initial))])
    initial, transitions = {}, {}
    for copy in range(rng.randint(1, 3)):

        def name(element, copy=copy):
            return element if element == shared else f"{element}_{copy}"

        initial |= {name(place): tokens for place, tokens in net.initial.items()}
        for transition, sides in net.transitions.items():
            transitions[f"{transition}_{copy}"] = tuple(
                {name(place): weight for place, weight in side.items()} for side in sides
            )
    return to_mpisog(Net(initial, transitions))


def random_system(rng, net):
    """About all copies of some places, or about one."""
    alike = rng.random() < 0.7
    rows = []
    for _ in range(rng.randint(1, 2)):
        kind = [place.id.split("_")[0] if alike else place.id for place in net.places]
        factor_of = {k: rng.choice((-1, 0, 1, 2)) for k in sorted(set(kind))}
        terms = tuple((n, factor_of[k]) for n, k in enumerate(kind) if factor_of[k])
        rows.append((terms, rng.randint(-2, 8)))
    return tuple(rows)


def some_markings(net, most):
    found, todo = {net.initial}, [net.initial]
    while todo and len(found) < most:
        for _, after in successors(net, todo.pop()):
            if after not in found:
                found.add(after)
                todo.append(after)
    return found


def solves(marking, system):
    return all(sum(c * marking[p] for p, c in terms) >= bound for terms, bound in system)


def test_random_nets():
    seen = Counter()
    for number in range(80):
        rng = Random(f"quotient {number}")
        net = copies(rng, random_net(rng))
        markings = some_markings(net, 500)
        for _ in range(3):
            system = random_system(rng, net)
            found = excludes(net, system)
            if found:
                assert not any(solves(marking, system) for marking in markings), (net, system)
            if Program(net.initial, effects(net)).excludes(system, SECONDS):
                assert found, f"{net}\n{system}"
            seen[found] += 1
    assert min(seen.values()) >= 30, seen
