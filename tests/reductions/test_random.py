"""Verdicts on reduced nets are those of the original ones, for each rule alone and all together.

The judge is the explicit engine on the original net, itself judged by the reference checker in
tests/engines. Each counterexample is lifted and must be a run of the original net that violates
the formula, for the replayer and for the reference.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.explicit import Explicit
from mpisog.engines.sog import Sog, unfit
from mpisog.formulas.properties import Property
from mpisog.nets.model import PetriNet
from mpisog.reductions.driver import RULES, reduce, shorten
from mpisog.reductions.reduction import Reduction
from mpisog.spotglue.automata import is_stutter_invariant, violations_survive_shortening
from mpisog.spotglue.ltl import BoundFormula, bind
from mpisog.trace.lasso import Lasso
from mpisog.trace.replay import certify
from mpisog.trace.replay import is_counterexample as is_violation
from tests.engines.running import run_engine
from tests.helpers import to_mpisog
from tests.reductions.pairs import random_pair
from tests.reference import ltl
from tests.reference.checker import Net, is_counterexample

SAMPLE = 200
MANY = int(os.environ.get("MPISOG_RANDOM_PAIRS", "4000"))

CHOICES = {"all": RULES, **{rule.name: (rule,) for rule in RULES}}


def find(net: PetriNet, bound: BoundFormula) -> Lasso | None:
    return run_engine(Explicit(), net, bound).counterexample


def compare(rng: Random) -> Counter[str]:
    """One pair; gives how often each choice of rules did something, by verdict."""
    net, formula = random_pair(rng)
    model = to_mpisog(net)
    bound = bind(Property("random", ltl.text(formula)), model)
    expected = find(model, bound) is None
    seen: Counter[str] = Counter()
    for name, rules in CHOICES.items():
        reduction = reduce(model, bound, "full", Budget(), rules)
        if not reduction.rules:
            continue
        case = f"{name}: {net}\n{ltl.text(formula)}\n{reduction.net}\n{reduction.bound}"
        found = find(reduction.net, reduction.bound)
        assert (found is None) is expected, case
        if found is not None:
            assert_lifts(net, formula, bound, reduction.lift(found), case)
        if name == "all" and unfit(reduction.bound, Budget()) is None:
            seen += compare_sog(rng, reduction, bound, expected, case)
        seen[f"{name} {expected}"] += 1
    if not bound.has_events and not is_stutter_invariant(bound, Budget()):
        seen += compare_shortened(net, formula, bound, model, expected)
    return seen


def compare_sog(
    rng: Random, reduction: Reduction, bound: BoundFormula, expected: bool, case: str
) -> Counter[str]:
    """Reduced nets may be degenerate, without places or transitions: engines must take them."""
    config = RunConfig(backend=rng.choice(["auto", "mdd", "bits", "explicit"]))
    found = run_engine(Sog(), reduction.net, reduction.bound, config)
    assert (found.counterexample is None) is expected, (case, config)
    if found.counterexample is not None:
        certify(reduction.lift(found.counterexample), bound, Budget())
    return Counter([f"sog {expected}"])


def compare_shortened(
    net: Net, formula: ltl.Formula, bound: BoundFormula, model: PetriNet, expected: bool
) -> Counter[str]:
    """What shortened words say of a formula that is not stutter-invariant, where it is said."""
    short = shorten(model, bound, Budget())
    case = f"{net}\n{ltl.text(formula)}\n{short.net}\n{short.bound}"
    found = find(short.net, short.bound)
    if found is None:
        certain = violations_survive_shortening(bound, Budget())
    else:
        lifted = short.lift(found)
        certain = is_violation(lifted, bound, Budget())
        ids = lifted.prefix_ids, lifted.cycle_ids
        assert is_counterexample(net, formula, *ids) is certain, f"{case}\n{ids}"
    assert not certain or (found is None) is expected, case
    return Counter([f"shortened {expected}"] if certain and short.rules else [])


def assert_lifts(
    net: Net, formula: ltl.Formula, bound: BoundFormula, lasso: Lasso, case: str
) -> None:
    certify(lasso, bound, Budget())
    ids = lasso.prefix_ids, lasso.cycle_ids
    assert is_counterexample(net, formula, *ids), f"{case}\n{ids}"


def run(pairs: int, seed: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(pairs):
        seen += compare(Random(f"{seed} {number}"))
    print(f"{pairs} pairs:", ", ".join(f"{name} {count}" for name, count in sorted(seen.items())))
    for name in (*CHOICES, "shortened", "sog"):
        for verdict in (True, False):
            assert seen[f"{name} {verdict}"] >= pairs // 200, (name, verdict, seen)


def test_a_sample_agrees():
    run(SAMPLE, "sample")


@pytest.mark.slow
def test_thousands_agree():
    run(MANY, "many")
