"""Dead markings by propositional satisfiability.

The solver is CryptoMiniSat. What may take long or much memory runs in a child process, which can
be killed at any time and has a memory limit of its own.
"""

from __future__ import annotations

from array import array

from mpisog.budget import Budget
from mpisog.spotglue.automata import in_child

SMALL = 50_000
"""Bytes of clauses that are tried here first."""
FEW_CONFLICTS = 500
"""A solver's conflicts until such a problem goes to a child, too: some milliseconds."""


def satisfying(clauses: bytes, variables: int, budget: Budget) -> list[int] | None:
    """The true ones among the first variables in a model of the clauses, or nothing.

    ``clauses`` are 32-bit literals; every clause ends with a zero.
    """
    budget.check()
    answer = UNDECIDED
    if len(clauses) <= SMALL:
        answer = _solve(clauses, variables, FEW_CONFLICTS)
    if answer == UNDECIDED:
        answer = in_child(lambda: _solve(clauses, variables, None), budget)
    return None if answer == UNSATISFIABLE else [int(number) for number in answer.split()]


UNDECIDED, UNSATISFIABLE = "undecided", "unsatisfiable"


def _solve(clauses: bytes, variables: int, conflicts: int | None) -> str:
    """The true variables, or one of the words above; texts are what a child can say."""
    # Start-up time: only formulas whose violations may end dead need the solver.
    from pycryptosat import Solver

    literals = array("i")
    literals.frombytes(clauses)
    solver = Solver(threads=1)
    solver.add_clauses(literals)
    limit = {} if conflicts is None else {"confl_limit": conflicts}
    satisfiable, model = solver.solve(**limit)
    if satisfiable is None:
        return UNDECIDED
    if not satisfiable:
        return UNSATISFIABLE
    # The model ends with the last variable that a clause has.
    true = (number for number, truth in enumerate(model[: variables + 1]) if truth)
    return " ".join(map(str, true))
