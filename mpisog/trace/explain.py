"""What a counterexample shows: which atoms change, what holds when, and why the formula fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from mpisog.budget import Budget
from mpisog.formulas.atoms import Fire, observed_places
from mpisog.formulas.wording import Wording
from mpisog.nets.model import Marking
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.parts import Subformula, subformulas
from mpisog.spotglue.tables import Tables, tabulate
from mpisog.spotglue.words import Letter, violations
from mpisog.trace.automaton_run import accepting_run
from mpisog.trace.lasso import Lasso, Markings
from mpisog.trace.reasons import Reason, reasons
from mpisog.trace.replay import letters
from mpisog.trace.truth import Truth, foreseen, truths

TOGETHER = "nothing that may come satisfies all parts together; as this run goes on:"


@dataclass(frozen=True)
class Explanation:
    """A counterexample with what it shows; instant i is before firing i + 1."""

    lasso: Lasso
    wording: Wording
    bound: BoundFormula
    letters: Sequence[Letter]
    parts: Sequence[Subformula]
    """Of the formula, the whole last."""
    truths: Sequence[Truth]
    """By part and instant."""
    known: Sequence[Truth]
    """What of that the steps up to the seal tell; without a seal all."""
    automaton: Tables
    """Of the words that violate the formula."""
    states: Sequence[int]
    """Of the automaton, by instant."""
    reasons: Sequence[Reason]
    """Why the formula fails, step by step."""
    conjunct: int | None
    """The part that fails, when the formula is a conjunction."""

    @cached_property
    def markings(self) -> Markings:
        """By instant, and the one after the last step."""
        return self.lasso.markings()

    @property
    def last_instant(self) -> int:
        """Where the counterexample ends: sealed, dead, or before the cycle's last step."""
        if self.lasso.sealed is not None:
            return min(self.lasso.sealed, len(self.letters) - 1)
        return len(self.letters) - 1

    @cached_property
    def observed(self) -> frozenset[int]:
        """Places that atoms look at."""
        net = self.lasso.net
        return frozenset().union(*(observed_places(atom, net) for atom in self.bound.atoms))

    @cached_property
    def events(self) -> frozenset[int]:
        """Atoms that speak of firings: at an instant one is true of what fires next."""
        return _events(self.bound)

    def turned(self, instant: int) -> list[tuple[int, bool]]:
        """Atoms that are true where they were not, or the other way round, with their truth."""
        before = self.letters[instant - 1] if instant else frozenset[int]()
        now = self.letter(instant)
        return sorted((atom, atom in now) for atom in before ^ now)

    def letter(self, instant: int) -> Letter:
        """What holds at an instant, also after the last step: the cycle begins again."""
        beyond = instant >= len(self.letters)
        return self.letters[len(self.lasso.prefix) if beyond else instant]

    @cached_property
    def atom_names(self) -> list[str]:
        """How the atoms are written, long ones cut."""
        return [self.wording.atom(atom, short=True) for atom in self.bound.atoms]

    @cached_property
    def key_instants(self) -> set[int]:
        """Those that the reasons speak of."""
        return {instant for reason in self.reasons for instant in reason.instants}


def _events(bound: BoundFormula) -> frozenset[int]:
    return frozenset(n for n, atom in enumerate(bound.atoms) if isinstance(atom, Fire))


def explain(lasso: Lasso, bound: BoundFormula, budget: Budget, *, ids: bool = False) -> Explanation:
    """The explanation of a counterexample that has been replayed."""
    wording = Wording(lasso.net, ids)
    names = [wording.atom(atom, short=True) for atom in bound.atoms]
    parts = subformulas(bound, names)
    word = letters(lasso, bound)
    start = len(lasso.prefix)
    true = known = truths(parts, word, start)
    told = true, start
    before: list[Reason] = []
    if lasso.sealed is not None:
        known = foreseen(parts, (*word, word[start])[: lasso.sealed + 1], _events(bound))
        if known[-1][0] is False:
            told = known, len(known[-1])
        else:  # no part alone is false for certain
            before = [Reason(TOGETHER, (lasso.sealed,))]
    automaton = tabulate(violations(bound, budget))
    root = parts[-1]
    failing = next((child for child in root.children if not true[child][0]), None)
    markings = lasso.markings()
    return Explanation(
        lasso,
        wording,
        bound,
        word,
        parts,
        true,
        known,
        automaton,
        accepting_run(automaton, word, start),
        [*before, *reasons(parts, *told, _Words(lasso, bound, wording, markings))],
        failing if root.operator == "&" else None,
    )


@dataclass(frozen=True)
class _Words:
    """What reasons need to speak of the run."""

    lasso: Lasso
    bound: BoundFormula
    wording: Wording
    markings: Sequence[Marking]

    def value(self, atom: int, instant: int) -> str | None:
        return self.wording.value(self.bound.atoms[atom], self.markings[instant])

    def fired(self, instant: int) -> str | None:
        firings = (*self.lasso.prefix, *self.lasso.cycle)
        return self.wording.transition(firings[instant]) if instant < len(firings) else None

    def is_event(self, atom: int) -> bool:
        return isinstance(self.bound.atoms[atom], Fire)
