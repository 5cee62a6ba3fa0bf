"""When rules may be used, and what they make of a net.

The rules are native (native/reduce); each says there what it must not change and why it does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mpisog import _native
from mpisog.budget import Budget
from mpisog.errors import known_name
from mpisog.formulas.native import native_atom
from mpisog.nets.model import PetriNet
from mpisog.nets.native import native_net
from mpisog.reductions.reduction import Reduction, finished, unreduced
from mpisog.spotglue.automata import is_stutter_invariant
from mpisog.spotglue.ltl import BoundFormula

LEVELS = ("none", "safe", "full")

SECONDS = 2.0
"""What reducing may take; the rules applied until then count."""


@dataclass(frozen=True)
class Rule:
    """Applied wherever it can be."""

    number: int
    name: str
    stuttering: bool
    """Only for formulas that are stutter-invariant and have no events."""


RULES = tuple(Rule(i, *rule) for i, rule in enumerate(_native.reduction_rules()))


def reduce(
    net: PetriNet,
    bound: BoundFormula,
    level: str,
    budget: Budget,
    rules: Sequence[Rule] = RULES,
) -> Reduction:
    """Apply the rules that keep the formula's verdict, as far as the level allows."""
    fitting = fitting_rules(bound, level, budget, rules)
    return apply(net, bound, budget, fitting) if fitting else unreduced(net, bound)


def fitting_rules(
    bound: BoundFormula, level: str, budget: Budget, rules: Sequence[Rule] = RULES
) -> Sequence[Rule]:
    """Those that keep the formula's verdict and that the level allows."""
    check_level(level)
    if level == "none":
        return ()
    if level == "safe" or bound.has_events or not is_stutter_invariant(bound, budget):
        return [rule for rule in rules if not rule.stuttering]
    return rules


def shorten(
    net: PetriNet, bound: BoundFormula, budget: Budget, rules: Sequence[Rule] = RULES
) -> Reduction:
    """Apply all rules: some words lose repeated letters, none gets more.

    Each word of the original net has one here that is the same or shorter, and each word here has
    one there that is the same or longer.
    """
    return apply(net, bound, budget, rules)


def apply(net: PetriNet, bound: BoundFormula, budget: Budget, rules: Sequence[Rule]) -> Reduction:
    """Apply rules again and again until none does anything or the time is over."""
    slice = Budget(SECONDS, within=budget)
    if slice.poll():
        budget.check()
        return unreduced(net, bound)
    atoms = [native_atom(atom) for atom in bound.atoms]
    numbers = [rule.number for rule in rules]
    native = _native.reduce(native_net(net), atoms, numbers, slice.poll)
    budget.check()
    used = {rule.name: native.applied[rule.number] for rule in rules if native.applied[rule.number]}
    return finished(net, bound, native, used) if used else unreduced(net, bound)


def check_level(level: str) -> None:
    """An unknown level is an input error."""
    known_name("level of reduction", level, LEVELS)
