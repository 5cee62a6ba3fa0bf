"""What ``auto`` asks its engines, and the ways to make it simpler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.base import Statistics
from mpisog.engines.session import Session
from mpisog.formulas.atoms import Fire, holds
from mpisog.nets.model import PetriNet
from mpisog.reductions.driver import reduce, shorten
from mpisog.reductions.reduction import Reduction
from mpisog.spotglue.automata import (
    Automaton,
    counterexample_automaton,
    has_violation,
    stutter_closure,
    without_letters,
)
from mpisog.spotglue.ltl import BoundFormula, with_truths
from mpisog.state_equation.prover import StructuralProver
from mpisog.trace.lasso import Lasso


@dataclass(frozen=True)
class Question:
    """Does the net have a word that the automaton accepts? Its atoms are those of the formula."""

    session: Session
    bound: BoundFormula
    automaton: Automaton
    lift: Callable[[Lasso], Lasso]
    """From a run of this net to one of the net that was asked about."""
    closed: bool = False
    """Whether words were added: then a run need not be a counterexample, but none is a proof."""
    figures: Statistics = field(default_factory=dict)
    """Of the reduction that led here."""

    @property
    def net(self) -> PetriNet:
        """The net."""
        return self.session.net


def ask(session: Session, bound: BoundFormula, budget: Budget) -> Question:
    """The question as it is."""
    return Question(session, bound, _violations(bound, budget), lambda lasso: lasso)


def settled(
    question: Question, prover: StructuralProver, slice: Budget, budget: Budget
) -> Question:
    """Without atoms and letters that the state equation settles within the slice of time."""
    if truths := prover.truths(question.bound.atoms, slice):
        bound = with_truths(question.bound, truths)
        question = replace(question, bound=bound, automaton=_violations(bound, budget))
    atoms = question.bound.atoms
    automaton = without_letters(
        question.automaton,
        lambda cube: prover.never([(atoms[i], truth) for i, truth in cube], slice),
    )
    return replace(question, automaton=automaton)


def ends_well(
    question: Question, prover: StructuralProver, slice: Budget, budget: Budget | None = None
) -> bool:
    """Whether how runs begin, and how they end where transitions run dry, excludes violations.

    Endings are excluded within the slice of time; what is left of them is judged whenever.
    """
    net, atoms = question.net, question.bound.atoms
    first = [
        (number, holds(atom, net, net.initial, None))
        for number, atom in enumerate(atoms)
        if not isinstance(atom, Fire)
    ]
    endings = [
        [(atoms.index(atom), truth) for atom, truth in ending]
        for ending in prover.endings(atoms, slice)
    ]
    return not has_violation(question.bound, first, endings, budget or slice)


def reduced(question: Question, config: RunConfig, budget: Budget) -> Question:
    """On a smaller net, if rules apply."""
    reduction = reduce(question.net, question.bound, config.reduce, budget)
    if not reduction.rules:
        return question
    return _on_reduced_net(question, reduction, _violations(reduction.bound, budget), budget)


def closed(question: Question, budget: Budget) -> Question:
    """With all words that differ in repetitions only, so on a still smaller net."""
    reduction = shorten(question.net, question.bound, budget)
    automaton = stutter_closure(_violations(reduction.bound, budget), budget)
    return replace(_on_reduced_net(question, reduction, automaton, budget), closed=True)


def _on_reduced_net(
    question: Question, reduction: Reduction, automaton: Automaton, budget: Budget
) -> Question:
    return Question(
        question.session.family.of(reduction.net, budget),
        reduction.bound,
        automaton,
        lambda lasso: question.lift(reduction.lift(lasso)),
        figures=reduction.statistics,
    )


def _violations(bound: BoundFormula, budget: Budget) -> Automaton:
    return counterexample_automaton(bound, budget, delayed=False, single_acceptance=False)
