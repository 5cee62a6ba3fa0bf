"""The result of reducing: the net, the formula over it, and the way back for counterexamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from mpisog import _native
from mpisog.errors import InternalError, LimitReached, Unbounded
from mpisog.formulas.atoms import Atom
from mpisog.formulas.native import from_native
from mpisog.nets.model import PetriNet, Place, Transition
from mpisog.nets.semantics import enabled, unbounded_reason
from mpisog.spotglue.ltl import BoundFormula, rebind
from mpisog.trace.lasso import Lasso

Word = tuple[int, ...]
"""Firings of the original net."""

LONGEST_ENDING = 1_000_000
"""Firings that may be added to a counterexample: more would take too long to replay."""


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
    atoms: tuple[Atom | bool, ...]
    """What the atoms of the original formula are over the reduced net."""

    def lift(self, lasso: Lasso) -> Lasso:
        """The run of the original net that a run of the reduced one stands for.

        Raises ``Unbounded`` when its cycle only ever adds tokens to a place that was removed, and
        ``LimitReached`` when it would become too long.
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
    return Reduction(net, net, bound, {}, (), (), bound.atoms)


def finished(
    original: PetriNet, bound: BoundFormula, native: _native.Reduction, rules: Mapping[str, int]
) -> Reduction:
    """What native code has left, with the original's names."""
    kept = [original.places[place] for place in native.places]
    words = tuple(tuple(word) for word in native.words)
    net = PetriNet(
        original.name,
        tuple(Place(p.id, p.name, tokens) for p, tokens in zip(kept, native.tokens, strict=True)),
        _transitions(original, native, words),
    )
    atoms = [from_native(atom) for atom in native.atoms]
    first = tuple(native.first)
    return Reduction(original, net, rebind(bound, atoms), rules, first, words, tuple(atoms))


def _transitions(
    original: PetriNet, native: _native.Reduction, words: Sequence[Word]
) -> tuple[Transition, ...]:
    used = set(original.place_index) | set(original.transition_index)
    result = []
    for (pre, post), word in zip(native.transitions, words, strict=True):
        id, name = original.transitions[word[0]].id, original.transitions[word[0]].name
        if len(word) > 1:
            id = name = _fresh_id(original, word, used)
        result.append(Transition(id, name, tuple(pre), tuple(post)))
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
    """Go on to a dead marking: what was removed may have something left to do.

    The rules make sure that nothing of it is visible and that it ends, whatever is chosen.
    """
    net, steps = lasso.net, list(lasso.prefix)
    marking = _after(net, net.initial, lasso.prefix)
    takers: dict[int, list[int]] = {}
    for index, transition in enumerate(net.transitions):
        for place, _ in transition.pre:
            takers.setdefault(place, []).append(index)
    # What has become enabled takes from a place that has gained tokens.
    candidates = list(range(len(net.transitions)))
    added = 0
    while candidates:
        index = candidates.pop()
        transition = net.transitions[index]
        if not enabled(transition, marking):
            continue
        times = _repetitions(transition, marking)
        added += times
        if added > LONGEST_ENDING:
            raise LimitReached(f"the counterexample has more than {LONGEST_ENDING} steps")
        steps += [index] * times
        _fire(transition, marking, times)
        candidates += [taker for place, _ in transition.post for taker in takers.get(place, ())]
    return Lasso(net, tuple(steps), ())


def _repetitions(transition: Transition, marking: Sequence[int]) -> int:
    """How often in a row an enabled transition can fire."""
    given = dict(transition.post)
    losses = [(p, w, w - given.get(p, 0)) for p, w in transition.pre if w > given.get(p, 0)]
    if not losses:
        raise InternalError("the end of a reduced net's counterexample goes on for ever")
    return 1 + min((marking[p] - weight) // loss for p, weight, loss in losses)


def _check_growth(lasso: Lasso) -> None:
    """A cycle that can fire and only adds tokens shows that the net is unbounded."""
    entry = _after(lasso.net, lasso.net.initial, lasso.prefix)
    again = _after(lasso.net, entry, lasso.cycle)
    gained = [i for i, (a, b) in enumerate(zip(entry, again, strict=True)) if b > a]
    if gained and all(b >= a for a, b in zip(entry, again, strict=True)):
        raise Unbounded(unbounded_reason(lasso.net, gained[0]))


def _after(net: PetriNet, marking: Sequence[int], steps: Word) -> list[int]:
    after = list(marking)
    for step in steps:
        _fire(net.transitions[step], after, 1)
    return after


def _fire(transition: Transition, marking: list[int], times: int) -> None:
    """In place: a step costs what it changes."""
    for place, weight in transition.pre:
        marking[place] -= times * weight
    for place, weight in transition.post:
        marking[place] += times * weight
