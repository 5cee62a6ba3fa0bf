"""What ``auto`` is made of, each part against the reference checker on random nets and formulas.

On small nets the first search decides, so the other parts are asked here one by one.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cache
from random import Random

import pytest

import mpisog
from mpisog import Verdict
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines import resources as resources_module
from mpisog.engines.dfs import Dfs, Order, Strategy
from mpisog.engines.endings import Endings
from mpisog.engines.local_proof import LocalProof
from mpisog.engines.problem import Decides, Problem
from mpisog.engines.resources import Resources
from mpisog.engines.sog import Sog
from mpisog.engines.symbolic import Symbolic
from mpisog.engines.transformations import reduce, simplify, stutter_close
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
    """Random nets with formulas: the problem, and how the reference judges it."""
    return list(_pairs(count))


def _pairs(count: int):
    for number in range(count):
        rng = Random(f"schedule {number}")
        net = random_net(rng)
        formula = random_formula(rng, net)
        bound = bind(Property("f", ltl.text(formula)), to_mpisog(net))
        yield net, formula, Problem(to_mpisog(net), bound), holds(net, formula, MOST_MARKINGS)


def assert_right(net, formula, problem, finding, expected) -> None:
    """The verdict, and the lasso as the reference replays it."""
    case = f"{net}\n{ltl.text(formula)}\n{problem.bound.formula}"
    assert (finding.counterexample is None) == expected, case
    if finding.counterexample is not None:
        lasso = problem.lift(finding.counterexample)
        assert is_counterexample(net, formula, lasso.prefix_ids, lasso.cycle_ids), case


def find(problem, strategy=STRATEGIES[0]):
    return Dfs(strategy).run(problem, Resources(problem.net), Budget())


def edges(problem):
    return problem.automaton(Budget()).num_edges()


def check_search(count: int) -> None:
    seen: Counter[bool] = Counter()
    for net, formula, problem, expected in pairs(count):
        for strategy in STRATEGIES:
            assert_right(net, formula, problem, find(problem, strategy), expected)
        seen[expected] += 1
    assert min(seen[True], seen[False]) >= count / 4


def check_symbolic(count: int, backend: str) -> None:
    """It proves what holds, and says of everything else that it is violated."""
    config = replace(CONFIG, backend=backend)
    for _, _, problem, expected in pairs(count):
        with nullcontext() if expected else pytest.raises(LimitReached, match="violated"):
            Symbolic().run(problem, Resources(problem.net, config), Budget())


def check_simpler(count: int) -> None:
    simpler: Counter[str] = Counter()
    for net, formula, problem, expected in pairs(count):
        resources = Resources(problem.net)
        less = simplify(problem, resources, Budget())
        assert_right(net, formula, less, find(less), expected)
        assert (less is problem) == ("simplify" not in less.steps)
        simpler["simplified"] += edges(less) < edges(problem)
        with suppress(LimitReached):
            Endings().run(less, resources, Budget())
            assert expected, f"{net}\n{ltl.text(formula)}"
            simpler["ended"] += 1
        small = reduce(less, resources, Budget())
        assert_right(net, formula, small, find(small), expected)
        simpler["reduced"] += "reduce" in small.steps
    assert min(simpler[name] for name in ("simplified", "ended", "reduced")) >= count / 10


def check_closed(count: int) -> None:
    """More words: a proof is one for the formula, and a run counts if it violates that."""
    proofs = 0
    for net, formula, problem, expected in pairs(count):
        more = stutter_close(problem, Resources(problem.net), Budget())
        invariant = is_stutter_invariant(problem.bound, Budget())
        assert (more is None) == (invariant or problem.bound.has_events)
        if more is None:
            continue
        assert more.decides is Decides.PROOFS
        for finding in (find(more), Sog().run(more, Resources(more.net), Budget())):
            if finding.counterexample is None:
                assert expected, f"{net}\n{ltl.text(formula)}"
                proofs += 1
    assert proofs >= count / 100


def check_local_proofs(count: int) -> None:
    """What a few places exclude is excluded, with and without what linear programs exclude."""
    proofs = 0
    for net, formula, problem, expected in pairs(count):
        resources = Resources(problem.net)
        for less in (problem, simplify(problem, resources, Budget())):
            with suppress(LimitReached):
                LocalProof().run(less, resources, Budget(2.0))
                assert expected, f"{net}\n{ltl.text(formula)}"
                proofs += 1
    assert proofs >= count / 10


def check_shared(count: int) -> None:
    """Reduced with two other formulas about the net in mind, then for the formula itself."""
    seen: Counter[str] = Counter()
    for number, (net, formula, problem, expected) in enumerate(pairs(count)):
        rng = Random(f"shared {number}")
        others = [random_formula(rng, net) for _ in range(2)]
        asked = [bind(Property("f", ltl.text(other)), problem.net) for other in others]
        resources = Resources(problem.net, bounds=(problem.bound, *asked))
        for other in asked:  # whoever comes first makes what is shared
            reduce(Problem(problem.net, other), resources, Budget())
        small = reduce(problem, resources, Budget())
        assert_right(net, formula, small, find(small), expected)
        seen["shared"] += small.steps.count("reduce") > 0
        seen["twice"] += small.steps.count("reduce") > 1
    assert seen["shared"] >= count / 10
    assert seen["twice"] >= count / 20


def check_auto(count: int) -> None:
    for net, formula, _, expected in pairs(count):
        result = mpisog.check(to_mpisog(net), ltl.text(formula))
        assert result.verdict is (Verdict.TRUE if expected else Verdict.FALSE)


def test_every_order_of_search_agrees():
    check_search(SAMPLE)


@pytest.mark.parametrize("backend", ["mdd", "bits"])
def test_symbolic_proofs_agree(backend):
    check_symbolic(SAMPLE, backend)


def test_simpler_problems_have_the_same_answer():
    check_simpler(SAMPLE)


def test_the_stutter_closure_proves_only_what_holds():
    check_closed(SAMPLE)


def test_local_proofs_agree():
    check_local_proofs(SAMPLE)


def test_reductions_shared_by_formulas_agree(monkeypatch):
    monkeypatch.setattr(resources_module, "LARGE", 0)
    check_shared(SAMPLE)


@pytest.mark.slow
def test_many_reductions_shared_by_formulas_agree(monkeypatch):
    monkeypatch.setattr(resources_module, "LARGE", 0)
    check_shared(MANY)


def test_auto_agrees():
    check_auto(SAMPLE)


@pytest.mark.slow
def test_thousands_agree():
    check_search(MANY)
    check_symbolic(MANY, "mdd")
    check_simpler(MANY)
    check_closed(MANY)
    check_local_proofs(MANY)
    check_auto(MANY)
