"""The result of reducing: the net, the formula over it, and the way back for counterexamples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from mpisog.errors import InternalError, Unbounded
from mpisog.nets.model import Marking, PetriNet, Place, Transition
from mpisog.nets.semantics import fire, successors, unbounded_reason
from mpisog.reductions.working import Word, WorkingNet
from mpisog.spotglue.ltl import BoundFormula, rebind
from mpisog.trace.lasso import Lasso

_LONGEST_ENDING = 100_000
"""Firings after which a counterexample that should end has not."""


@dataclass(frozen=True)
class Reduction:
    """A net and formula with the verdict of the original ones."""

    original: PetriNet
    net: PetriNet
    bound: BoundFormula
    rules: Mapping[str, int]
    """How often each rule did something."""
    first: Word
    """What the original net fires to reach the reduced net's initial marking."""
    words: tuple[Word, ...]
    """What the original net fires for each transition of the reduced one."""

    def lift(self, lasso: Lasso) -> Lasso:
        """The run of the original net that a run of the reduced one stands for.

        Raises ``Unbounded`` when its cycle only ever adds tokens to a place that was removed.
        """
        if not self.rules:
            return lasso
        lifted = Lasso(
            self.original, self.first + self._word(lasso.prefix), self._word(lasso.cycle)
        )
        if lifted.ends_dead:
            return _ended(lifted)
        _check_growth(lifted)
        return lifted

    @property
    def statistics(self) -> dict[str, int | str]:
        """Figures for the report; none where nothing was done."""
        if not self.rules:
            return {}
        return {
            "reduced_places": len(self.net.places),
            "reduced_transitions": len(self.net.transitions),
            "rules": "; ".join(f"{name} {times}" for name, times in self.rules.items()),
        }

    def _word(self, steps: Word) -> Word:
        return tuple(chain.from_iterable(self.words[step] for step in steps))


def unreduced(net: PetriNet, bound: BoundFormula) -> Reduction:
    """Nothing done."""
    return Reduction(net, net, bound, {}, (), ())


def finished(
    original: PetriNet, bound: BoundFormula, work: WorkingNet, rules: Mapping[str, int]
) -> Reduction:
    """The net that is left, with indices of its own."""
    places = {place: index for index, place in enumerate(sorted(work.tokens))}
    transitions = {t: index for index, t in enumerate(sorted(work.pre))}
    kept = [original.places[place] for place in places]
    always = [t for t, pre in work.pre.items() if not pre]
    net = PetriNet(
        original.name,
        tuple(Place(p.id, p.name, work.tokens[i]) for i, p in zip(places, kept, strict=True)),
        _transitions(original, work, places),
    )
    return Reduction(
        original,
        net,
        rebind(bound, work.atoms.bound(places, transitions, always)),
        rules,
        tuple(work.first),
        tuple(work.words[t] for t in transitions),
    )


def _transitions(
    original: PetriNet, work: WorkingNet, places: Mapping[int, int]
) -> tuple[Transition, ...]:
    used = set(original.place_index) | set(original.transition_index)
    result = []
    for index in sorted(work.pre):
        word = work.words[index]
        id, name = original.transitions[word[0]].id, original.transitions[word[0]].name
        if len(word) > 1:
            id = name = _fresh_id(original, word, used)
        pre, post = (
            tuple(sorted((places[p], w) for p, w in bag.items()))
            for bag in (work.pre[index], work.post[index])
        )
        result.append(Transition(id, name, pre, post))
    return tuple(result)


def _fresh_id(original: PetriNet, word: Word, used: set[str]) -> str:
    """The ids of the firings, shortened, with a number where that is not unique."""
    ids = [original.transitions[t].id for t in word]
    wanted = ".".join(ids if len(ids) <= 4 else [*ids[:2], "", *ids[-2:]])
    id, number = wanted, 2
    while id in used:
        id, number = f"{wanted}.{number}", number + 1
    used.add(id)
    return id


def _ended(lasso: Lasso) -> Lasso:
    """Go on to a dead marking or around a cycle: what was removed may have something left to do.

    The rules make sure that nothing of it is visible, whatever is chosen.
    """
    marking, steps = lasso.markings()[-1], list(lasso.prefix)
    seen: dict[Marking, int] = {}
    for _ in range(_LONGEST_ENDING):
        if marking in seen:
            begin = seen[marking]
            return Lasso(lasso.net, tuple(steps[:begin]), tuple(steps[begin:]))
        seen[marking] = len(steps)
        step = next(successors(lasso.net, marking), None)
        if step is None:
            return Lasso(lasso.net, tuple(steps), ())
        steps.append(step[0])
        marking = step[1]
    raise InternalError("the end of a reduced net's counterexample goes on and on")


def _check_growth(lasso: Lasso) -> None:
    """A cycle that can fire and only adds tokens shows that the net is unbounded."""
    entry = _after(lasso.net, lasso.net.initial, lasso.prefix)
    again = _after(lasso.net, entry, lasso.cycle)
    gained = [i for i, (a, b) in enumerate(zip(entry, again, strict=True)) if b > a]
    if gained and all(b >= a for a, b in zip(entry, again, strict=True)):
        raise Unbounded(unbounded_reason(lasso.net, gained[0]))


def _after(net: PetriNet, marking: Marking, steps: Word) -> Marking:
    for step in steps:
        marking = fire(net.transitions[step], marking)
    return marking
