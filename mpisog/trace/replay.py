"""The independent replayer: no FALSE is shown before its lasso has passed here.

It shares nothing with the engines: the token game is ``nets.semantics``, atoms are evaluated one
by one, and Spot judges the word that comes out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mpisog.errors import InternalError
from mpisog.formulas.atoms import Atom, Fire, holds, observed_places
from mpisog.limits import Watch
from mpisog.nets.model import PetriNet
from mpisog.nets.semantics import enabled, is_dead
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.words import Letter, violates
from mpisog.trace.lasso import Lasso


def certify(lasso: Lasso, bound: BoundFormula, watch: Watch) -> None:
    """Return quietly when the lasso is a run of its net that violates the formula."""
    if not is_counterexample(lasso, bound, watch):
        raise InternalError("the counterexample found does not violate the formula")


def is_counterexample(lasso: Lasso, bound: BoundFormula, watch: Watch) -> bool:
    """Whether the run violates the formula; one that is no run of its net is an error."""
    run = _Run(lasso.net, bound.atoms)
    prefix = [run.step(transition) for transition in lasso.prefix]
    entry = tuple(run.marking)
    if lasso.ends_dead:
        if not is_dead(lasso.net, entry):
            raise InternalError("a counterexample ends in a marking that is not dead")
        cycle = [run.letter(None)]
    else:
        cycle = [run.step(transition) for transition in lasso.cycle]
        if tuple(run.marking) != entry:
            raise InternalError("the cycle of a counterexample does not close")
    return violates(bound, prefix, cycle, watch)


class _Run:
    """A run of a net, step by step; an atom is looked at again when a place it observes changes."""

    def __init__(self, net: PetriNet, atoms: Sequence[Atom]) -> None:
        self.marking = list(net.initial)
        self._net = net
        self._atoms = atoms
        self._steps = 0
        self._true: frozenset[int] = frozenset()
        self._observers: dict[int, list[int]] = defaultdict(list)
        self._events: dict[int, list[int]] = defaultdict(list)
        for number, atom in enumerate(atoms):
            for place in observed_places(atom, net):
                self._observers[place].append(number)
            if isinstance(atom, Fire):
                self._events[atom.transition].append(number)
        self._look_at(range(len(atoms)))

    def letter(self, transition: int | None) -> Letter:
        """What holds now, when this transition fires."""
        events = () if transition is None else self._events.get(transition, ())
        return self._true.union(events) if events else self._true

    def step(self, transition: int) -> Letter:
        """Fire the transition; gives the letter of that instant."""
        fired = self._net.transitions[transition]
        if not enabled(fired, self.marking):
            raise InternalError(
                f"step {self._steps} of a counterexample ({fired.id}) is not enabled"
            )
        letter = self.letter(transition)
        self._steps += 1
        for place, weight in fired.pre:
            self.marking[place] -= weight
        for place, weight in fired.post:
            self.marking[place] += weight
        touched = {n for p, _ in (*fired.pre, *fired.post) for n in self._observers.get(p, ())}
        if touched:
            self._look_at(touched)
        return letter

    def _look_at(self, numbers: Iterable[int]) -> None:
        marking = tuple(self.marking)
        true = {n for n in numbers if holds(self._atoms[n], self._net, marking, None)}
        self._true = self._true.difference(numbers) | true
