"""The engine against the reference checker on random nets and formulas, fixed seeds."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mpisog
from mpisog import Verdict
from mpisog.spotglue.emptiness import ALGORITHMS
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.checker import holds, is_counterexample
from tests.reference.generate import MOST_MARKINGS, random_formula, random_net

SAMPLE = 300
MANY = int(os.environ.get("MPISOG_RANDOM_PAIRS", "3200"))
VERDICTS = {True: Verdict.TRUE, False: Verdict.FALSE}


def compare(rng: Random, emptiness: str = "cou99") -> set[str]:
    """Check one random pair; gives the classes it belongs to."""
    net = random_net(rng)
    formula = random_formula(rng, net)
    expected = holds(net, formula, MOST_MARKINGS)
    result = mpisog.check(to_mpisog(net), ltl.text(formula), engine="explicit", emptiness=emptiness)
    case = f"{net}\n{ltl.text(formula)}"
    assert result.verdict is VERDICTS[expected], case
    if not expected:
        assert result.trace is not None, case
        lasso = result.trace.prefix_ids, result.trace.cycle_ids
        assert is_counterexample(net, formula, *lasso), f"{case}\n{lasso}"
    return classes(net, formula, expected, result.trace)


def classes(net, formula, expected, trace) -> set[str]:
    heads = {part[0] for part in ltl.subformulas(formula)}
    kinds = {atom[0] for atom in ltl.atoms(formula)}
    markings = net.markings(MOST_MARKINGS)
    found = {str(expected), *(f"atom {kind}" for kind in kinds)}
    found |= {"X"} & heads
    if "fire" in kinds:
        found |= {"event", f"event {expected}"}
    if any(not net.enabled(net.thaw(marking)) for marking in markings):
        found.add("deadlock")
    if trace is not None:
        found.add("ends dead" if trace.ends_dead else "cycle")
    arcs = list(net.transitions.values())
    if any(weight > 1 for arc in arcs for side in arc for weight in side.values()):
        found.add("weights")
    if any(set(takes) & set(gives) for takes, gives in arcs):
        found.add("self-loop")
    if any(not takes or not gives for takes, gives in arcs):
        found.add("source or sink")
    if len(markings) >= 16:
        found.add("16 markings or more")
    return found


LEAST = {
    "True": 0.25,
    "False": 0.25,
    "X": 0.25,
    "event": 0.4,
    "event True": 0.1,
    "event False": 0.2,
    "atom dead": 0.05,
    "atom fireable": 0.1,
    "atom cmp": 0.3,
    "deadlock": 0.2,
    "ends dead": 0.08,
    "cycle": 0.15,
    "weights": 0.3,
    "self-loop": 0.2,
    "source or sink": 0.2,
    "16 markings or more": 0.2,
}
"""The share of the pairs that each class must have, so that the sample means something."""


def assert_well_mixed(seen: Counter[str], pairs: int) -> None:
    print(f"{pairs} pairs:", ", ".join(f"{name} {count}" for name, count in sorted(seen.items())))
    assert {name for name, share in LEAST.items() if seen[name] < share * pairs} == set()


def test_a_sample_agrees():
    seen: Counter[str] = Counter()
    for seed in range(SAMPLE):
        seen.update(compare(Random(f"pair {seed}")))
    assert_well_mixed(seen, SAMPLE)


@pytest.mark.slow
def test_thousands_agree():
    seen: Counter[str] = Counter()
    for seed in range(MANY):
        seen.update(compare(Random(f"many {seed}")))
    assert_well_mixed(seen, MANY)


@pytest.mark.parametrize("emptiness", ALGORITHMS)
def test_every_emptiness_check_agrees(emptiness):
    seen: Counter[str] = Counter()
    for seed in range(40):
        seen.update(compare(Random(f"{emptiness} {seed}"), emptiness))
    assert seen["True"] >= 5
    assert seen["False"] >= 5


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_hypothesis_finds_no_difference(rng):
    compare(rng)
