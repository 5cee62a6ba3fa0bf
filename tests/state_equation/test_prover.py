"""What is proved holds in every reachable marking, and what should be proved is."""

from __future__ import annotations

from random import Random

import pytest

from mpisog.budget import Budget
from mpisog.formulas.atoms import Comparison, Dead, Fireable, holds
from mpisog.formulas.names import resolve_atom
from mpisog.nets.model import make_net
from mpisog.state_equation.equation import StateEquation
from mpisog.state_equation.prover import StructuralProver
from mpisog.state_equation.recurrence import finite_transitions
from mpisog.state_equation.rounding import integers
from mpisog.state_equation.systems import systems
from tests.helpers import to_mpisog
from tests.nets.exploring import reachable
from tests.reference.generate import random_net

MUTEX = make_net(
    "mutex",
    {"idle1": 1, "idle2": 1, "lock": 1, "crit1": 0, "crit2": 0},
    {
        "in1": (["idle1", "lock"], ["crit1"]),
        "in2": (["idle2", "lock"], ["crit2"]),
        "out1": (["crit1"], ["idle1", "lock"]),
        "out2": (["crit2"], ["idle2", "lock"]),
    },
)

CHAIN = make_net(
    "chain",
    {"a": 2, "b": 0, "c": 0, "d": 1, "e": 0},
    {"ab": (["a"], ["b"]), "bc": (["b"], ["c"]), "de": (["d"], ["e"]), "ed": (["e"], ["d"])},
)


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("crit1 + crit2 <= 1", True),
        ("crit1 + crit2 + lock == 1", True),
        ("crit1 + crit2 >= 2", False),
        ("crit1 >= 2", False),
        ("lock != 1", None),
        ("crit1 >= 1", None),
        ("fireable(in1)", None),
        ("fireable(in1, out1)", None),
    ],
)
def test_atoms_of_a_mutex(text, truth):
    atom = resolve_atom(text, MUTEX)
    expected = {} if truth is None else {atom: truth}
    assert StructuralProver(MUTEX).truths([atom], Budget()) == expected


def test_atoms_that_exclude_each_other():
    both = [(resolve_atom(text, MUTEX), True) for text in ("fireable(out1)", "fireable(out2)")]
    assert StructuralProver(MUTEX).never(both, Budget())
    one = [(resolve_atom("fireable(out1)", MUTEX), True), (resolve_atom("lock", MUTEX), False)]
    assert not StructuralProver(MUTEX).never(one, Budget())


def test_implied_atoms():
    two, one = (resolve_atom(f"a >= {n}", CHAIN) for n in (2, 1))
    assert StructuralProver(CHAIN).never([(two, True), (one, False)], Budget())
    assert not StructuralProver(CHAIN).never([(two, False), (one, True)], Budget())


def test_transitions_that_run_dry():
    names = {CHAIN.transitions[t].id for t in finite_transitions(CHAIN, 1)}
    assert names == {"ab", "bc"}
    assert finite_transitions(MUTEX, 1) == frozenset()


def test_endings():
    empty, moving = resolve_atom("a == 0", CHAIN), resolve_atom("d", CHAIN)
    endings = StructuralProver(CHAIN).endings([empty, moving], Budget())
    assert sorted(endings, key=str) == sorted([[(empty, True)], [(empty, False)]], key=str)
    assert StructuralProver(MUTEX).endings([resolve_atom("lock", MUTEX)], Budget()) == []


def test_a_net_that_ends_ends_with_nothing_fireable():
    net = make_net("end", {"p": 3, "q": 0}, {"t": (["p"], ["q"])})
    some, enabled = resolve_atom("p", net), resolve_atom("fireable(t)", net)
    assert StructuralProver(net).endings([some, enabled], Budget()) == [
        [(some, False), (enabled, False)]
    ]


def test_no_time_proves_nothing_and_is_not_remembered():
    equation, (system,) = (
        StateEquation(MUTEX),
        systems([(resolve_atom("lock >= 2", MUTEX), True)], MUTEX),
    )
    assert not equation.excludes(system, 0)
    assert equation.excludes(system, 1)


def test_a_wrong_weighting_is_not_believed(monkeypatch):
    """Whatever the solver says, only what checks in integers counts."""
    equation, (system,) = (
        StateEquation(MUTEX),
        systems([(resolve_atom("crit1", MUTEX), True)], MUTEX),
    )
    for weights in ([0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [-1, 0, 0, 1, 0]):
        monkeypatch.setattr(equation._whole, "find", lambda *_, w=weights: ([1], w))
        equation._answers.clear()
        assert not equation.excludes(system, 1)


def test_rounding():
    assert integers([0.5, 1 / 3 + 1e-9, 2.0]) == [3, 2, 12]


def random_atom(rng, net):
    kind = rng.randrange(4)
    if kind == 0:
        return Dead()
    if kind == 1:
        chosen = rng.sample(range(len(net.transitions)), min(2, len(net.transitions)))
        return Fireable(tuple(sorted(chosen)))
    places = sorted(rng.sample(range(len(net.places)), min(rng.randint(1, 2), len(net.places))))
    terms = tuple((place, rng.choice((-1, 1, 2))) for place in places)
    return Comparison(terms, rng.choice(("<=", ">=", "==", "!=", "<", ">")), rng.randint(-1, 4))


def test_random_nets():
    """Never a claim that some reachable marking refutes, and enough claims to mean something."""
    claims = endings_known = 0
    for seed in range(60):
        rng = Random(f"state_equation {seed}")
        net = to_mpisog(random_net(rng))
        if not net.transitions or not net.places:
            continue
        prover, markings = StructuralProver(net), reachable(net)
        atoms = [random_atom(rng, net) for _ in range(3)]
        for atom, truth in prover.truths(atoms, Budget()).items():
            claims += 1
            assert all(holds(atom, net, marking, None) == truth for marking in markings)
        literals = [(atom, rng.random() < 0.5) for atom in atoms[:2]]
        if prover.never(literals, Budget()):
            claims += 1
            assert not any(
                all(holds(a, net, marking, None) == truth for a, truth in literals)
                for marking in markings
            )
        endings = prover.endings(list(dict.fromkeys(atoms)), Budget())
        endings_known += bool(endings)
        dead = [m for m in markings if holds(Dead(), net, m, None)]
        for marking in dead if endings else ():
            assert any(all(holds(a, net, marking, None) == t for a, t in e) for e in endings)
    assert claims >= 15
    assert endings_known >= 6
