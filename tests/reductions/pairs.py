"""Random nets with something to reduce, and formulas over them."""

from __future__ import annotations

from random import Random

from tests.reference.checker import Net, TooLarge
from tests.reference.generate import MOST_MARKINGS, random_formula, random_net, state_atom
from tests.reference.ltl import Formula


def random_pair(rng: Random) -> tuple[Net, Formula]:
    """A net and a formula, most of them of the kinds that rules are for."""
    kinds = (random_net, sparse_net, process_net, choice_net)
    net = rng.choices(kinds, (0.2, 0.3, 0.3, 0.2))[0](rng)
    kind = rng.choices((random_formula, state_formula, counting_formula), (0.3, 0.5, 0.2))[0]
    return net, kind(rng, net)


def sparse_net(rng: Random) -> Net:
    """Chains, choices, forks, joins and loops: most places have few neighbours."""
    while True:
        places = [f"p{i}" for i in range(rng.randint(2, 10))]
        initial = {place: rng.choice((0, 0, 0, 0, 1, 1, 2)) for place in places}
        names = [f"t{i}" for i in range(rng.randint(2, 10))]
        net = Net(initial, {name: _transition(rng, places) for name in names})
        net = _with_twins(rng, net)
        try:
            if len(net.markings(MOST_MARKINGS)) >= rng.choice((1, 2, 3, 5)):
                return net
        except TooLarge:
            continue


def process_net(rng: Random) -> Net:
    """A few cycles with choices, joined by resources and messages: agglomerations find much."""
    while True:
        initial: dict[str, int] = {f"r{i}": rng.choice((0, 1, 1, 2)) for i in range(2)}
        transitions: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
        for process in "abc"[: rng.randint(1, 3)]:
            places = [f"{process}{i}" for i in range(rng.randint(2, 4))]
            initial |= dict.fromkeys(places, 0) | {places[0]: rng.choice((1, 1, 1, 2))}
            steps = [*zip(places, [*places[1:], places[0]], strict=True)]
            steps += [tuple(rng.sample(places, 2)) for _ in range(rng.choice((0, 0, 1, 2)))]
            steps = steps[rng.choice((0, 0, 1)) :]  # now and then the cycle has a gap
            for number, (here, there) in enumerate(steps):
                takes, gives = {here: 1}, {there: 1}
                if rng.random() < 0.25:
                    takes[rng.choice(("r0", "r1"))] = 1
                if rng.random() < 0.25:
                    gives[rng.choice(("r0", "r1"))] = 1
                transitions[f"{process}{process}{number}"] = takes, gives
        net = _with_twins(rng, Net(initial, transitions))
        try:
            net.markings(MOST_MARKINGS)
        except TooLarge:
            continue
        return net


def choice_net(rng: Random) -> Net:
    """A token that decides between ways; each may have to wait for another token, or for ever."""
    initial = {"a": 1, "r": rng.choice((0, 0, 1)), "s": rng.choice((0, 0, 1))}
    transitions: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    for way in range(rng.randint(2, 3)):
        initial |= {f"b{way}": 0, f"c{way}": 0}
        waits = {rng.choice("rs"): 1} if rng.random() < 0.6 else {}
        transitions[f"t{way}"] = {"a": 1}, {f"b{way}": 1}
        transitions[f"u{way}"] = {f"b{way}": 1, **waits}, {f"c{way}": 1}
        if rng.random() < 0.6:
            back = {rng.choice("rs"): 1} if rng.random() < 0.6 else {}
            transitions[f"v{way}"] = {f"c{way}": 1}, {"a": 1, **back}
    net = Net(initial, transitions)
    try:
        net.markings(MOST_MARKINGS)
    except TooLarge:
        return choice_net(rng)
    return net


def _transition(rng: Random, places: list[str]) -> tuple[dict[str, int], dict[str, int]]:
    weight = 2 if rng.random() < 0.1 else 1
    takes = dict.fromkeys(rng.sample(places, rng.choice((1, 1, 1, 1, 2))), weight)
    gives = dict.fromkeys(rng.sample(places, rng.choice((0, 1, 1, 1, 1, 1, 2))), weight)
    if rng.random() < 0.1:
        read = rng.choice(places)
        takes[read] = gives[read] = 1
    return takes, gives


def _with_twins(rng: Random, net: Net) -> Net:
    """Now and then a place or a transition that does nearly what another does."""
    initial, transitions = dict(net.initial), dict(net.transitions)
    if rng.random() < 0.3:
        place = rng.choice(list(initial))
        initial["twin"] = initial[place] + rng.choice((-1, 0, 0, 1)) * bool(initial[place])
        for name, (takes, gives) in transitions.items():
            transitions[name] = (
                {**takes, **({"twin": takes[place]} if place in takes else {})},
                {**gives, **({"twin": gives[place]} if place in gives else {})},
            )
    if rng.random() < 0.3:
        name = rng.choice(list(transitions))
        takes, gives = transitions[name]
        extra = {rng.choice(list(initial)): 1} if rng.random() < 0.5 else {}
        transitions["again"] = (
            {p: takes.get(p, 0) + extra.get(p, 0) for p in {**takes, **extra}},
            {p: gives.get(p, 0) + extra.get(p, 0) for p in {**gives, **extra}},
        )
    return Net(initial, transitions)


def state_formula(rng: Random, net: Net) -> Formula:
    """Stutter-invariant, without events: what agglomerations are for."""
    p, q = (("ap", _atom(rng, net)) for _ in range(2))
    return rng.choice(
        [
            ("F", p),
            ("G", p),
            ("G", ("F", p)),
            ("F", ("G", p)),
            ("U", p, q),
            ("W", p, q),
            ("R", p, q),
            ("M", p, q),
            ("G", ("implies", p, ("F", q))),
            ("G", ("implies", p, ("U", p, q))),
            ("F", ("and", p, ("F", ("and", q, ("F", ("not", p)))))),
            ("implies", ("G", ("F", p)), ("G", ("F", q))),
            ("U", ("not", p), ("or", ("G", q), ("G", ("not", q)))),
            ("or", ("G", p), ("G", ("not", p))),
            ("xor", ("F", ("G", p)), ("F", ("G", q))),
            ("W", ("U", p, q), ("G", ("not", q))),
        ]
    )


def counting_formula(rng: Random, net: Net) -> Formula:
    """Can count instants, without events."""
    p, q = (("ap", _atom(rng, net)) for _ in range(2))
    return rng.choice(
        [
            ("X", p),
            ("X", ("X", p)),
            ("G", ("implies", p, ("X", q))),
            ("G", ("or", p, ("X", p))),
            ("F", ("and", p, ("X", p))),
            ("implies", p, ("X", ("not", p))),
            ("U", p, ("and", q, ("X", q))),
            ("X", ("F", ("and", p, ("X", q)))),
            ("F", ("G", ("or", p, ("X", q)))),
        ]
    )


def _atom(rng: Random, net: Net) -> tuple:
    kind = rng.random()
    if kind < 0.4:
        return ("cmp", ((1, rng.choice(list(net.initial))),), ">=", 1)
    return ("dead",) if kind < 0.55 else state_atom(rng, net)
