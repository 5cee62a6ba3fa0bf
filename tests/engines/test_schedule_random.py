"""What ``auto`` is made of, each part against the reference checker on random nets and formulas.

On small nets the first search decides, so the other parts are asked here one by one.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from random import Random

import pytest

import mpisog
from mpisog import Verdict
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.dfs import Order, Strategy, search
from mpisog.engines.question import ask, closed, ends_well, reduced, settled
from mpisog.engines.session import Session
from mpisog.engines.sog import explore
from mpisog.engines.symbolic import prove
from mpisog.errors import LimitReached
from mpisog.formulas.properties import Property
from mpisog.spotglue.automata import is_stutter_invariant
from mpisog.spotglue.ltl import bind
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.checker import holds, is_counterexample
from tests.reference.generate import MOST_MARKINGS, random_formula, random_net

SAMPLE = 120
MANY = int(os.environ.get("MPISOG_RANDOM_PAIRS", "3200"))
CONFIG = RunConfig()
STRATEGIES = [
    Strategy(order, seed, look_ahead)
    for order, seed in ((Order.forward, 0), (Order.backward, 0), (Order.random, 7))
    for look_ahead in (False, True)
] + [Strategy(Order.guided, seed, True, limit) for seed in (1, 2) for limit in (0, 3)]


@cache
def pairs(count: int) -> list:
    """Random nets with formulas: the question, and how the reference judges it."""
    return list(_pairs(count))


def _pairs(count: int):
    for number in range(count):
        rng = Random(f"schedule {number}")
        net = random_net(rng)
        formula = random_formula(rng, net)
        bound = bind(Property("f", ltl.text(formula)), to_mpisog(net))
        question = ask(Session(to_mpisog(net)), bound, Budget())
        yield net, formula, question, holds(net, formula, MOST_MARKINGS)


def assert_right(net, formula, question, finding, expected) -> None:
    """The verdict, and the lasso as the reference replays it."""
    case = f"{net}\n{ltl.text(formula)}\n{question.bound.formula}"
    assert (finding.counterexample is None) == expected, case
    if finding.counterexample is not None:
        lasso = question.lift(finding.counterexample)
        assert is_counterexample(net, formula, lasso.prefix_ids, lasso.cycle_ids), case


def find(question, strategy=STRATEGIES[0]):
    return search(question.session, question.bound, question.automaton, strategy, Budget())


def check_search(count: int) -> None:
    seen: Counter[bool] = Counter()
    for net, formula, question, expected in pairs(count):
        for strategy in STRATEGIES:
            assert_right(net, formula, question, find(question, strategy), expected)
        seen[expected] += 1
    assert min(seen[True], seen[False]) >= count / 4


def check_symbolic(count: int, backend: str) -> None:
    """It proves what holds, and says of everything else that it is violated."""
    config = replace(CONFIG, backend=backend)
    for _, _, q, expected in pairs(count):
        with nullcontext() if expected else pytest.raises(LimitReached, match="violated"):
            prove(q.session, q.bound, q.automaton, config, Budget())


def check_simpler(count: int) -> None:
    simpler: Counter[str] = Counter()
    for net, formula, question, expected in pairs(count):
        less = settled(question, question.session.prover, Budget(), Budget())
        assert_right(net, formula, less, find(less), expected)
        simpler["settled"] += less.automaton.num_edges() < question.automaton.num_edges()
        if ends_well(less, less.session.prover, Budget()):
            assert expected, f"{net}\n{ltl.text(formula)}"
            simpler["ended"] += 1
        small = reduced(less, CONFIG, Budget())
        assert_right(net, formula, small, find(small), expected)
        simpler["reduced"] += small is not less
    assert min(simpler[name] for name in ("settled", "ended", "reduced")) >= count / 10


def check_closed(count: int) -> None:
    """More words: a proof is one for the formula, and a run counts if it violates that."""
    proofs = 0
    for net, formula, question, expected in pairs(count):
        if question.bound.has_events:
            continue
        more = closed(question, Budget())
        for finding in (
            find(more),
            explore(more.session, more.bound, more.automaton, CONFIG, Budget()),
        ):
            if finding.counterexample is None:
                assert expected, f"{net}\n{ltl.text(formula)}"
            elif is_stutter_invariant(question.bound, Budget()):
                assert_right(net, formula, more, finding, expected)
            proofs += finding.counterexample is None and not is_stutter_invariant(
                question.bound, Budget()
            )
    assert proofs >= count / 100


def check_auto(count: int) -> None:
    for net, formula, _, expected in pairs(count):
        result = mpisog.check(to_mpisog(net), ltl.text(formula))
        assert result.verdict is (Verdict.TRUE if expected else Verdict.FALSE)


def test_every_order_of_search_agrees():
    check_search(SAMPLE)


@pytest.mark.parametrize("backend", ["mdd", "bits"])
def test_symbolic_proofs_agree(backend):
    check_symbolic(SAMPLE, backend)


def test_simpler_questions_have_the_same_answer():
    check_simpler(SAMPLE)


def test_the_stutter_closure_proves_only_what_holds():
    check_closed(SAMPLE)


def test_auto_agrees():
    check_auto(SAMPLE)


@pytest.mark.slow
def test_thousands_agree():
    check_search(MANY)
    check_symbolic(MANY, "mdd")
    check_simpler(MANY)
    check_closed(MANY)
    check_auto(MANY)
