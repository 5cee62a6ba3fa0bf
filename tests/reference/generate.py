"""Random nets and formulas over them, drawn from a ``random.Random``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from tests.reference.checker import Marking, Net, TooLarge
from tests.reference.ltl import BINARY, Atom, Formula, core, negation, subformulas

MOST_MARKINGS = 300
LARGEST = 2**31 - 1
"""Tokens at first and weights."""
MOST_PROMISES = 6
"""Next and until operators: the tableau doubles with each."""


def random_net(rng: Random) -> Net:
    """A net with at most ``MOST_MARKINGS`` markings, and not too few as a rule."""
    least = rng.choice((1, 2, 4, 8, 16, 32))
    while True:
        net = _any_net(rng)
        try:
            found = net.markings(MOST_MARKINGS)
        except TooLarge:
            continue
        if len(found) >= least:
            return _scaled(rng, net, found) if rng.random() < 0.15 else net


def free_net(rng: Random) -> Net:
    """A net that need not be bounded: source transitions, growth, weights of all sizes."""
    places = [f"p{i}" for i in range(rng.randint(1, 5))]
    initial = {place: rng.choice((0, 0, 1, 1, 2, 3, *_HUGE)) for place in places}
    names = [f"t{i}" for i in range(rng.randint(1, 5))]
    weights = rng.choice(((1, 1, 2), (1, 1, 1, 2, *_HUGE)))
    return Net(
        initial, {n: (_arcs(rng, places, weights), _arcs(rng, places, weights)) for n in names}
    )


_HUGE = (2**16, LARGEST)


def _scaled(rng: Random, net: Net, markings: Sequence[Marking]) -> Net:
    """The same net with all that concerns some places multiplied: the same graph, large numbers."""
    chosen = rng.sample(list(net.initial), rng.randint(1, len(net.initial)))
    weights = [w for sides in net.transitions.values() for side in sides for w in side.values()]
    most = max(1, *weights, *(tokens for marking in markings for tokens in marking))
    factor = rng.choice((2**16, LARGEST // most))

    def scaled(bag: Mapping[str, int]) -> dict[str, int]:
        return {p: n * factor if p in chosen else n for p, n in bag.items()}

    return Net(
        scaled(net.initial), {t: (scaled(a), scaled(b)) for t, (a, b) in net.transitions.items()}
    )


def _any_net(rng: Random) -> Net:
    places = [f"p{i}" for i in range(rng.randint(1, 6))]
    initial = {place: rng.choice((0, 0, 1, 1, 2, 3)) for place in places}
    names = [f"t{i}" for i in range(rng.randint(1, 6))]
    return Net(initial, {name: _transition(rng, places) for name in names})


def _transition(rng: Random, places: list[str]) -> tuple[dict[str, int], dict[str, int]]:
    takes, gives = _arcs(rng, places), _arcs(rng, places)
    if rng.random() < 0.1:
        gives = {**gives, **takes}  # a self-loop: what is taken is given back
    elif not takes or rng.random() < 0.8:  # growth is for a few: most nets must be bounded
        while sum(gives.values()) > sum(takes.values()):
            gives.popitem()
    return takes, gives


def _arcs(
    rng: Random, places: list[str], weights: Sequence[int] = (1, 1, 1, 2, 3)
) -> dict[str, int]:
    """None at all, for a source or a sink, is a possibility."""
    count = rng.choice((0, 1, 1, 1, 1, 2, 2, 3))
    return {place: rng.choice(weights) for place in rng.sample(places, min(count, len(places)))}


def random_formula(rng: Random, net: Net) -> Formula:
    """A random tree, or one of the shapes that are known to be treacherous."""
    while True:
        formula = _tree(rng, net, rng.randint(1, 4)) if rng.random() < 0.55 else _shape(rng, net)
        if rng.random() < 0.2:
            formula = ("X", formula)
        if 0 < _promises(formula) <= MOST_PROMISES or formula[0] == "ap":
            return formula


def _promises(formula: Formula) -> int:
    parts = set(subformulas(core(negation(formula))))
    return sum(part[0] in ("U", "X") for part in parts)


def _tree(rng: Random, net: Net, depth: int) -> Formula:
    if depth == 0 or rng.random() < 0.1:
        return _proposition(rng, net)
    if rng.random() < 0.45:
        return (rng.choice(("not", "X", "F", "G", "F", "G")), _tree(rng, net, depth - 1))
    return (rng.choice(BINARY), _tree(rng, net, depth - 1), _tree(rng, net, depth - 1))


def _proposition(rng: Random, net: Net) -> Formula:
    if rng.random() < 0.03:
        return rng.choice((("true",), ("false",)))
    return ("ap", event(rng, net) if rng.random() < 0.45 else state_atom(rng, net))


def event(rng: Random, net: Net) -> Atom:
    return ("fire", rng.choice(list(net.transitions)))


def state_atom(rng: Random, net: Net) -> Atom:
    kind = rng.random()
    if kind < 0.1:
        return ("dead",)
    if kind < 0.35:
        names = list(net.transitions)
        return ("fireable", tuple(rng.sample(names, rng.randint(1, min(3, len(names))))))
    places = rng.sample(list(net.initial), rng.randint(1, min(3, len(net.initial))))
    terms = tuple((rng.choice((1, 1, 1, 2, -1, -2)), place) for place in places)
    bound = max(-LARGEST, min(LARGEST, rng.randint(-2, 3) * _unit(net, places[0])))
    return ("cmp", terms, rng.choice(("<=", ">=", "==", "!=", "<", ">")), bound)


def _unit(net: Net, place: str) -> int:
    """What the tokens of a place are multiples of, as a rule."""
    weights = [side[place] for sides in net.transitions.values() for side in sides if place in side]
    return min([net.initial[place] or LARGEST, *weights]) if weights else 1


def _shape(rng: Random, net: Net) -> Formula:
    one, two = ("ap", event(rng, net)), ("ap", event(rng, net))
    p, q = ("ap", state_atom(rng, net)), ("ap", state_atom(rng, net))
    shapes: list[Formula] = [
        one,
        ("not", one),
        ("U", one, two),
        ("F", ("and", one, p)),
        ("G", ("implies", one, ("F", two))),
        ("U", p, one),
        ("G", ("implies", one, ("X", q))),
        ("W", ("not", one), two),
        ("M", one, p),
        ("R", one, p),
        ("G", ("F", ("or", one, ("ap", ("dead",))))),
        ("implies", ("G", ("F", one)), ("G", ("F", two))),
        ("F", ("G", ("not", one))),
        ("X", ("not", two)),
        ("U", ("implies", one, p), ("and", two, ("X", q))),
        ("G", ("implies", p, ("F", q))),
    ]
    return rng.choice(shapes)
