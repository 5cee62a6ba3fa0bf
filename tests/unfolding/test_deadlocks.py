"""The solver behind dead markings, and its limits."""

from __future__ import annotations

import time
from array import array
from itertools import combinations, product
from random import Random

import pytest

from mpisog.budget import Budget
from mpisog.errors import LimitReached
from mpisog.unfolding import deadlocks
from mpisog.unfolding.deadlocks import satisfying

Clauses = list[list[int]]


def solve(clauses: Clauses, variables: int, budget: Budget | None = None) -> list[int] | None:
    literals = array("i", [literal for clause in clauses for literal in (*clause, 0)])
    return satisfying(literals.tobytes(), variables, budget or Budget())


def satisfied(clauses: Clauses, true: set[int]) -> bool:
    return all(any((literal > 0) == (abs(literal) in true) for literal in c) for c in clauses)


def pigeonholes(holes: int) -> Clauses:
    """One pigeon more than holes: resolution needs exponentially many steps."""
    sits = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
    clashes = [[-a, -b] for column in zip(*sits, strict=True) for a, b in combinations(column, 2)]
    return sits + clashes


@pytest.mark.parametrize("small", [0, deadlocks.SMALL])
def test_random_clauses_against_all_assignments(small, monkeypatch):
    monkeypatch.setattr(deadlocks, "SMALL", small)
    answers = set()
    for seed in range(40):
        rng = Random(seed)
        clauses = [
            [rng.choice((-1, 1)) * v for v in rng.sample(range(1, 7), rng.randint(1, 3))]
            for _ in range(rng.randint(4, 22))
        ]
        found = solve(clauses, 6)
        sets = ({v for v, bit in enumerate(bits, 1) if bit} for bits in product((0, 1), repeat=6))
        possible = any(satisfied(clauses, true) for true in sets)
        assert (found is not None) == possible
        if found is not None:
            assert satisfied(clauses, set(found))
        answers.add(possible)
    assert answers == {True, False}


def test_no_true_variable_is_a_model_too():
    assert solve([[-1], [-2]], 2) == []


def test_time_is_kept_although_the_solver_would_go_on():
    started = time.monotonic()
    with pytest.raises(LimitReached, match="time limit"):
        solve(pigeonholes(14), 14 * 15, Budget(0.4))
    assert time.monotonic() - started < 5  # of one that takes hours; nothing is measured
