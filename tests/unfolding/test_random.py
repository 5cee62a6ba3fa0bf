"""The engine against the reference checker and against ``explicit``, on random 1-safe nets."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

import mpisog
from mpisog import Verdict
from mpisog.errors import NetError
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.checker import holds, is_counterexample
from tests.unfolding.pairs import (
    MOST_MARKINGS,
    any_net,
    formula_with_next,
    formula_without_next,
    safe_markings,
    safe_net,
)

SAMPLE = 250
MANY = int(os.environ.get("MPISOG_RANDOM_PAIRS", "10000"))


def compare(seed: str, draw_formula=formula_without_next, reduce: str = "none") -> Counter[str]:
    """Both engines on one pair; every FALSE has been replayed before it is given."""
    rng = Random(seed)
    net = safe_net(rng)
    text = ltl.text(draw_formula(rng, net))
    expected = mpisog.check(to_mpisog(net), text, engine="explicit", reduce=reduce).verdict
    result = mpisog.check(to_mpisog(net), text, engine="unfolding", reduce=reduce)
    assert result.verdict is expected, f"{net}\n{text}"
    return classes(net, text, result)


def classes(net, text: str, result) -> Counter[str]:
    found = {str(result.verdict), str(result.statistics.get("mode"))}
    found |= {word for word in ("fire(", "fireable(", "dead") if word in text}
    if result.trace is not None:
        found.add("ends dead" if result.trace.ends_dead else "cycle")
    if any(set(takes) & set(gives) for takes, gives in net.transitions.values()):
        found.add("self-loop")
    return Counter(found)


LEAST = {
    "TRUE": 0.2,
    "FALSE": 0.3,
    "basic": 0.4,
    "guarded": 0.1,
    "all": 0.02,
    "fire(": 0.2,
    "fireable(": 0.1,
    "dead": 0.05,
    "ends dead": 0.1,
    "cycle": 0.2,
    "self-loop": 0.3,
}
"""The share of the pairs that each class must have, so that the sample means something."""


def assert_well_mixed(seen: Counter[str], pairs: int) -> None:
    print(f"{pairs} pairs:", ", ".join(f"{name} {count}" for name, count in sorted(seen.items())))
    assert {name for name, share in LEAST.items() if seen[name] < share * pairs} == set()


def test_a_sample_agrees_with_the_reference():
    for number in range(SAMPLE):
        rng = Random(f"unfolding reference {number}")
        net = safe_net(rng)
        formula = formula_without_next(rng, net)
        expected = holds(net, formula, MOST_MARKINGS)
        result = mpisog.check(to_mpisog(net), ltl.text(formula), engine="unfolding", reduce="none")
        case = f"{net}\n{ltl.text(formula)}"
        assert result.verdict is (Verdict.TRUE if expected else Verdict.FALSE), case
        if result.trace is not None:
            lasso = result.trace.prefix_ids, result.trace.cycle_ids
            assert is_counterexample(net, formula, *lasso), f"{case}\n{lasso}"


def test_a_sample_agrees():
    seen: Counter[str] = Counter()
    for number in range(2 * SAMPLE):
        seen += compare(f"unfolding {number}")
    assert_well_mixed(seen, 2 * SAMPLE)


def test_a_sample_agrees_on_reduced_nets():
    for number in range(SAMPLE):
        compare(f"unfolding reduced {number}", reduce="full")


def test_a_sample_agrees_where_linear_programs_exclude_livelocks(monkeypatch):
    monkeypatch.setattr("mpisog.engines.unfolding.LARGE", 0)
    for number in range(SAMPLE // 2):
        compare(f"unfolding programs {number}")


def test_a_sample_with_next_agrees():
    seen: Counter[str] = Counter()
    for number in range(SAMPLE):
        seen += compare(f"unfolding next {number}", formula_with_next)
    assert seen["all"] >= 0.6 * SAMPLE


def test_nets_that_are_not_safe_are_told():
    """Never a verdict on one that differs from the right one, and mostly an error."""
    errors: list[str] = []
    for number in range(SAMPLE):
        rng = Random(f"unsafe {number}")
        while safe_markings(net := any_net(rng)) is not None:
            pass
        try:
            result = mpisog.check(
                to_mpisog(net), "G F p0", engine="unfolding", reduce="none", timeout=5
            )
        except NetError as error:
            errors.append(str(error))
        else:  # violated before the place was found, or blocked by the automaton
            other = mpisog.check(to_mpisog(net), "G F p0", engine="dfs", timeout=2)
            assert other.verdict in (result.verdict, Verdict.UNKNOWN), net
    assert len(errors) >= SAMPLE / 2
    assert all("not 1-safe: place 'p" in error for error in errors)


@pytest.mark.slow
def test_thousands_agree():
    seen: Counter[str] = Counter()
    for number in range(MANY):
        seen += compare(f"unfolding many {number}")
    assert_well_mixed(seen, MANY)


@pytest.mark.slow
def test_a_thousand_with_next_agree():
    modes: Counter[str] = Counter()
    number = 0
    while modes["all"] < MANY / 10:
        modes += compare(f"unfolding many next {number}", formula_with_next)
        number += 1


@pytest.mark.slow
def test_thousands_agree_on_reduced_nets():
    for number in range(MANY // 4):
        compare(f"unfolding many reduced {number}", reduce="full")
