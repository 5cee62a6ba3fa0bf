"""From problems to problems that are easier. One that does not apply gives nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mpisog.budget import Budget
from mpisog.engines.problem import Decides, Problem
from mpisog.engines.resources import Resources, is_large
from mpisog.errors import LimitReached
from mpisog.nets.model import PetriNet
from mpisog.reductions import driver
from mpisog.reductions.reduction import Reduction
from mpisog.spotglue.automata import (
    Cube,
    is_stutter_invariant,
    may_count_instants,
    stutter_closure,
    violations_survive_shortening,
    without_letters,
)
from mpisog.spotglue.ltl import with_truths

Transformation = Callable[[Problem, Resources, Budget], Problem | None]

SIMPLIFY_SHARE = 0.1
SIMPLIFY_LARGE_SHARE = 0.3
"""Of the time that is left, what linear programs about atoms and letters get."""

REDUCE_SHARE = 0.2
"""The same for the question whether a formula counts instants, and what follows."""

CLOSE_SHARE = 0.1

SURVIVAL_SECONDS = 2.0
"""For the question whether shortened words violate a formula that longer ones violate."""

MUCH_SMALLER = 0.9
"""How small, compared with what any formula allows, a net of shortened words must be."""


def simplify(problem: Problem, resources: Resources, budget: Budget) -> Problem:
    """Without atoms and letters that the state equation excludes within a slice of time."""
    prover = resources.of(problem.net, budget).prover  # loading the solver is not in the slice
    share = SIMPLIFY_LARGE_SHARE if is_large(problem.net) else SIMPLIFY_SHARE
    slice = Budget(budget.share(share), within=budget)
    changed = bool(truths := prover.truths(problem.bound.atoms, slice))
    bound = with_truths(problem.bound, truths) if truths else problem.bound
    simpler = replace(problem, bound=bound, steps=(*problem.steps, "simplify"), violations=[])
    given = simpler.automaton(budget) if truths else problem.automaton(budget)

    def never(cube: Cube) -> bool:
        nonlocal changed
        found = prover.never([(bound.atoms[i], truth) for i, truth in cube], slice)
        changed = changed or found
        return found

    automaton = without_letters(given, never)
    return replace(simpler, violations=[automaton]) if changed else problem


def reduce(problem: Problem, resources: Resources, budget: Budget) -> Problem:
    """On a smaller net, if rules apply that the settings allow."""
    level = resources.config.reduce
    seconds = budget.share(REDUCE_SHARE)
    found = budget.attempt(seconds, lambda part: _reduced(problem, level, resources, part))
    if isinstance(found, LimitReached):  # whether the formula counts instants is a costly question
        return reduce_safely(problem, resources, budget)
    return found


def reduce_safely(problem: Problem, resources: Resources, budget: Budget) -> Problem:
    """The same with rules that fit any formula."""
    level = "none" if resources.config.reduce == "none" else "safe"
    return _reduced(problem, level, resources, budget)


def shorten(problem: Problem, resources: Resources, budget: Budget) -> Problem | None:
    """On shorter words, for a formula that counts instants, if the net becomes much smaller.

    Reductions shorten words, they never lengthen them. That no run is found counts when every
    violating word still violates once it is shortened.
    """
    if not _counts_instants(problem, resources, budget):
        return None
    reduction = driver.shorten(problem.net, problem.bound, budget)
    if _size(reduction.net) > MUCH_SMALLER * _size(problem.net):
        return None
    survive = budget.attempt(
        SURVIVAL_SECONDS, lambda part: violations_survive_shortening(problem.bound, part)
    )
    decides = Decides.PROOFS if survive is True else Decides.COUNTEREXAMPLES
    return _on_reduced_net(problem, reduction, "shorten", decides)


def stutter_close(problem: Problem, resources: Resources, budget: Budget) -> Problem | None:
    """With all words that differ in repetitions only, so on a still smaller net."""
    if not _counts_instants(problem, resources, budget):
        return None
    found = budget.attempt(budget.share(CLOSE_SHARE), lambda part: _closed(problem, part))
    return None if isinstance(found, LimitReached) else found


def number_markings(problem: Problem, resources: Resources, budget: Budget) -> Problem | None:
    """The same, with sets of numbered markings from now on where ``auto`` chooses their kind.

    Nothing with a team: it would have to wait for the list of all markings.
    """
    if resources.team is not None:
        return None
    resources.of(problem.net, budget).enumerate(budget)
    return problem


def _counts_instants(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """Whether shorter words are allowed and may be other words for the formula."""
    bound = problem.bound
    if resources.config.reduce != "full" or bound.has_events or not may_count_instants(bound):
        return False
    return not is_stutter_invariant(bound, budget)


def _closed(problem: Problem, budget: Budget) -> Problem:
    reduction = driver.shorten(problem.net, problem.bound, budget)
    shorter = _on_reduced_net(problem, reduction, "stutter_close", Decides.PROOFS)
    closure = stutter_closure(shorter.automaton(budget), budget)
    return replace(shorter, violations=[closure])


def _reduced(problem: Problem, level: str, resources: Resources, budget: Budget) -> Problem:
    """First by what is done once for all formulas, then by the rest."""
    if problem.net is resources.net and resources.shared_reductions is not None:
        shared = resources.shared_reductions.of(problem.bound, level, budget)
        if shared is not None:
            problem = _on_reduced_net(problem, shared, "reduce", problem.decides)
    reduction = driver.reduce(problem.net, problem.bound, level, budget)
    if not reduction.rules:
        return problem
    return _on_reduced_net(problem, reduction, "reduce", problem.decides)


def _on_reduced_net(problem: Problem, reduction: Reduction, step: str, decides: Decides) -> Problem:
    return Problem(
        reduction.net,
        reduction.bound,
        lambda lasso: problem.lift(reduction.lift(lasso)),
        decides,
        (*problem.steps, step),
        {**problem.figures, **reduction.statistics},
    )


def _size(net: PetriNet) -> int:
    return len(net.places) + len(net.transitions)
