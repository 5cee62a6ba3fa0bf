"""Which transitions move the automaton, and when that is enough.

A transition is visible when it is observed or may change the truth of a state atom. All others
fire without the automaton, which keeps them concurrent. How far that goes depends on whether the
formula sees delays (``spotglue.delays``); docs/unfolding.md has the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from mpisog import _native
from mpisog.budget import Budget
from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable
from mpisog.nets.model import PetriNet, Transition
from mpisog.spotglue.automata import is_stutter_invariant
from mpisog.spotglue.delays import may_see_delays
from mpisog.spotglue.ltl import BoundFormula

Role = _native.UnfoldingRole

FEW_VISIBLE = 0.3
"""The share of the transitions up to which concurrency makes up for the unfolding."""


class Mode(Enum):
    """How much of the net the automaton takes part in."""

    basic = "basic"
    """Visible transitions only; for formulas that do not see delays."""
    guarded = "guarded"
    """What puts tokens before observed transitions is visible, too; others may move it or not."""
    all = "all"
    """Every transition: full LTL, without concurrency."""


def choose_mode(bound: BoundFormula, budget: Budget) -> Mode:
    """The mode with the most concurrency in which verdicts are right."""
    if not is_stutter_invariant(bound, budget):
        return Mode.all
    if not may_see_delays(bound, budget):
        return Mode.basic
    return Mode.all if any(isinstance(atom, Dead) for atom in bound.atoms) else Mode.guarded


def choose_roles(net: PetriNet, atoms: Iterable[Atom], mode: Mode) -> list[Role]:
    """What each transition does."""
    if mode is Mode.all:
        return [Role.visible] * len(net.transitions)
    visible = visible_transitions(net, atoms)
    if mode is Mode.basic:
        return [Role.visible if t in visible else Role.invisible for t in _numbers(net)]
    observed = [atom.transition for atom in atoms if isinstance(atom, Fire)]
    before = {place for t in observed for place, _ in net.transitions[t].pre}
    visible |= {t for t in _numbers(net) if any(p in before for p, _ in net.transitions[t].post)}
    return [Role.visible if t in visible else Role.copied for t in _numbers(net)]


def may_pay(net: PetriNet, bound: BoundFormula) -> bool:
    """Whether unfolding is worth a try: tokens and weights of one, and few visible transitions.

    That the net is 1-safe is not certain: the unfolding finds out.
    """
    weights = (w for t in net.transitions for _, w in (*t.pre, *t.post))
    if max(net.initial, default=0) > 1 or max(weights, default=1) > 1:
        return False
    return len(visible_transitions(net, bound.atoms)) <= FEW_VISIBLE * len(net.transitions)


def visible_transitions(net: PetriNet, atoms: Iterable[Atom]) -> set[int]:
    """Observed transitions, and those that may change the truth of a state atom but ``dead``."""
    weights: list[dict[int, int]] = []
    tested: set[int] = set()
    visible: set[int] = set()
    for atom in atoms:
        match atom:
            case Fire(fired):
                visible.add(fired)
            case Comparison(terms, _, _):
                weights.append(dict(terms))
            case Fireable(transitions):
                tested |= {place for t in transitions for place, _ in net.transitions[t].pre}
            case Dead():  # judged where runs end
                pass
    for number, transition in enumerate(net.transitions):
        change = _change(transition)
        if not tested.isdisjoint(change) or any(
            sum(weight.get(place, 0) * tokens for place, tokens in change.items())
            for weight in weights
        ):
            visible.add(number)
    return visible


def _change(transition: Transition) -> dict[int, int]:
    change = dict(transition.post)
    for place, weight in transition.pre:
        change[place] = change.get(place, 0) - weight
    return {place: tokens for place, tokens in change.items() if tokens}


def _numbers(net: PetriNet) -> range:
    return range(len(net.transitions))
