"""What is asked of an engine: whether the net has a run whose word violates the formula.

Transformations (``transformations.py``) make problems from problems; nothing else does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from mpisog.budget import Budget
from mpisog.engines.base import Statistics
from mpisog.nets.model import PetriNet
from mpisog.spotglue.automata import Automaton, counterexample_automaton
from mpisog.spotglue.ltl import BoundFormula
from mpisog.trace.lasso import Lasso


class Decides(Enum):
    """What an answer says about the problem that all began with.

    Where it is not both, a run is a candidate: it counts when it violates the original formula.
    """

    BOTH = "both"
    """A run is a counterexample, and that there is none is a proof."""
    PROOFS = "proofs"
    """Words were added: that there is no run is a proof."""
    COUNTEREXAMPLES = "counterexamples"
    """Words were dropped: that there is no run says nothing."""


def unchanged(lasso: Lasso) -> Lasso:
    """The way back from the original net to itself."""
    return lasso


@dataclass(frozen=True, eq=False)
class Problem:
    """A net, a formula, and how answers about them become answers about the original ones."""

    net: PetriNet
    bound: BoundFormula
    lift: Callable[[Lasso], Lasso] = unchanged
    """From a run of this net to one of the original net."""
    decides: Decides = Decides.BOTH
    steps: tuple[str, ...] = ()
    """The transformations that changed something on the way here."""
    figures: Statistics = field(default_factory=dict)
    """Of these."""
    violations: list[Automaton] = field(default_factory=list)
    """The automaton, once it is made; ask for it by ``automaton``."""

    def automaton(self, budget: Budget) -> Automaton:
        """Of the violating words, perhaps without some that the net does not have.

        Translated when first needed. It is never changed: who needs another one makes a copy.
        """
        if not self.violations:
            self.violations.append(counterexample_automaton(self.bound, budget))
        return self.violations[0]
