"""Guards of silent steps, against brute force over all small markings."""

from __future__ import annotations

from itertools import product

import pytest

from mpisog.formulas.atoms import Comparison, Dead, Fire, Fireable, StateAtom, holds
from mpisog.nets.model import Marking, PetriNet, make_net
from mpisog.nets.semantics import enabled, fire
from mpisog.sog.observation import AGGREGATIONS, Observation
from mpisog.sog.visibility import blocked_transitions
from mpisog.symbolic.protocol import Step

MARKINGS = list(product(range(4), repeat=2))

EFFECTS = {
    "take": (["p"], []),
    "give": ([], ["p"]),
    "take2": (["p", "p"], ["q"]),
    "move": (["p"], ["q"]),
    "back": (["q"], ["p"]),
    "swap2": (["p", "q"], ["q", "q"]),
    "look": (["p"], ["p"]),
    "both": ([], ["p", "q"]),
}

NET = make_net("effects", {"p": 1, "q": 1}, EFFECTS)

ATOMS: list[StateAtom] = [
    *(
        Comparison(((0, factor),), op, bound)
        for op in ("<=", ">=", "==", "!=", "<", ">")
        for factor in (1, 2, -1, -2)
        for bound in (-3, -2, -1, 0, 1, 2, 3)
    ),
    *(
        Comparison(((0, 1), (1, factor)), op, 2)
        for op in ("<=", ">=", "==")
        for factor in (1, -1, 2)
    ),
    *(Fireable((t,)) for t in range(len(EFFECTS))),
    Fireable((0, 4)),
    Fireable((2, 5)),
]


def is_silent(atom: StateAtom, net: PetriNet, transition: int, marking: Marking) -> bool | None:
    """Whether the step keeps the atom's truth; nothing when it cannot be done."""
    if not enabled(net.transitions[transition], marking):
        return None
    after = fire(net.transitions[transition], marking)
    return holds(atom, net, marking, None) == holds(atom, net, after, None)


def allowed(step: Step, marking: Marking) -> bool:
    return all(marking[p] >= n for p, n in step.at_least) and all(
        marking[p] <= n for p, n in step.at_most
    )


@pytest.mark.parametrize("atom", ATOMS, ids=str)
def test_free_steps_are_silent_exactly_where_their_guards_hold(atom):
    observation = Observation(NET, [atom])
    for truth in (False, True):
        steps = observation.steps((truth,))
        free = {step.transition: step for step in steps.free}
        checked = {step.transition for step in steps.checked}
        exits = {step.transition for step in steps.exits}
        for marking, transition in product(MARKINGS, range(len(EFFECTS))):
            silent = is_silent(atom, NET, transition, marking)
            if silent is None or holds(atom, NET, marking, None) != truth:
                continue
            if transition not in checked:
                guarded = transition in free and allowed(free[transition], marking)
                assert silent == guarded, (transition, marking, truth)
            assert silent or transition in exits, (transition, marking, truth)


@pytest.mark.parametrize("op", ["<=", ">=", "<", ">"])
@pytest.mark.parametrize("factor", [1, 2, 3, -1])
def test_a_bound_on_one_place_never_needs_a_look_at_the_result(op, factor):
    observation = Observation(NET, [Comparison(((0, factor),), op, 3)])
    assert not any(observation.steps((truth,)).checked for truth in (False, True))


def test_deadness_is_left_to_the_closure():
    steps = Observation(NET, [Dead()]).steps((False,))
    assert len(steps.free) == len(EFFECTS)
    assert not steps.checked
    assert not steps.exits


@pytest.mark.parametrize("truth", [False, True])
@pytest.mark.parametrize("atom", [*ATOMS, Dead()], ids=str)
def test_blocked_transitions_are_never_enabled(atom, truth):
    blocked = blocked_transitions(NET, atom, truth)
    for marking in MARKINGS:
        if holds(atom, NET, marking, None) == truth:
            assert not any(enabled(NET.transitions[t], marking) for t in blocked)


def test_what_a_label_blocks():
    names = list(EFFECTS)
    take, take2, back = names.index("take"), names.index("take2"), names.index("back")
    assert take2 in blocked_transitions(NET, Comparison(((0, 1),), ">=", 2), False)
    assert take not in blocked_transitions(NET, Comparison(((0, 1),), ">=", 2), False)
    assert take in blocked_transitions(NET, Comparison(((0, 1), (1, 2)), "==", 0), True)
    assert blocked_transitions(NET, Fireable((take, back)), False) == {take, back}
    assert len(blocked_transitions(NET, Dead(), True)) == len(EFFECTS)


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("atom", [*ATOMS, Dead()], ids=str)
def test_markings_can_be_left_where_an_exit_is_enabled(atom, aggregation):
    observation = Observation(NET, [atom, Fire(0)], aggregation)
    for marking in MARKINGS:
        steps = observation.steps((holds(atom, NET, marking, None),))
        ways = [0, *(step.transition for step in steps.exits)]
        can_leave = any(enabled(NET.transitions[t], marking) for t in ways)
        assert holds(steps.leaving, NET, marking, None) == can_leave
