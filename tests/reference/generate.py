"""Random nets and formulas over them, drawn from a ``random.Random``."""

from __future__ import annotations

from random import Random

from tests.reference.checker import Net, TooLarge
from tests.reference.ltl import BINARY, Atom, Formula, core, negation, subformulas

MOST_MARKINGS = 300
MOST_PROMISES = 6
"""Next and until operators: the tableau doubles with each."""


def random_net(rng: Random) -> Net:
    """A net with at most ``MOST_MARKINGS`` markings, and not too few as a rule."""
    least = rng.choice((1, 2, 4, 8, 16, 32))
    while True:
        net = _any_net(rng)
        try:
            found = len(net.markings(MOST_MARKINGS))
        except TooLarge:
            continue
        if found >= least:
            return net


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


def _arcs(rng: Random, places: list[str]) -> dict[str, int]:
    """None at all, for a source or a sink, is a possibility."""
    count = rng.choice((0, 1, 1, 1, 1, 2, 2, 3))
    return {
        place: rng.choice((1, 1, 1, 2, 3)) for place in rng.sample(places, min(count, len(places)))
    }


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
        return ("fireable", tuple(rng.sample(names, rng.randint(1, min(2, len(names))))))
    places = rng.sample(list(net.initial), rng.randint(1, min(2, len(net.initial))))
    terms = tuple((rng.choice((1, 1, 2, -1)), place) for place in places)
    return ("cmp", terms, rng.choice(("<=", ">=", "==", "!=", "<", ">")), rng.randint(-1, 3))


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
