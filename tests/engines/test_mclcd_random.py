"""MCLCD against CTL fixpoints on random nets: every form, variant and several threads."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

import mpisog
from mpisog import Verdict
from mpisog.engines.mclcd import VARIANTS
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.checker import is_counterexample
from tests.reference.ctl import FORMS, Lrl, holds
from tests.reference.generate import MOST_MARKINGS, random_net, state_atom

SAMPLE = 25
MANY = int(os.environ.get("MPISOG_RANDOM_NETS", "3000"))
VERDICTS = {True: Verdict.TRUE, False: Verdict.FALSE}
THREADS = (1, 2, 4)


def condition(rng: Random, net) -> ltl.Formula:
    """An atom, its negation, two of them connected, or a constant."""
    first, second = (("ap", state_atom(rng, net)) for _ in range(2))
    plain = [first, ("not", first), ("and", first, second), ("or", ("not", first), second)]
    return rng.choice((*plain, *plain, ("true",), ("implies", first, second)))


def compare(seed: str, reduce: str, settings: list[tuple[str, int]]) -> Counter[str]:
    rng = Random(seed)
    net = random_net(rng)
    seen: Counter[str] = Counter()
    for form in FORMS:
        formula = Lrl(form, condition(rng, net), condition(rng, net))
        expected = holds(net, formula, MOST_MARKINGS)
        case = f"{net}\n{formula.text()}"
        for variant, threads in settings:
            result = mpisog.check(
                to_mpisog(net), formula.text(), logic="lrl", engine="mclcd", reduce=reduce,
                variant=variant, threads=threads,
            )  # fmt: skip
            assert result.verdict is VERDICTS[expected], f"{case}\n{variant} {threads}"
            assert (result.trace is not None) == (expected == formula.existential), case
            if result.trace is not None:
                lasso = result.trace.prefix_ids, result.trace.cycle_ids
                assert is_counterexample(net, formula.as_ltl(), *lasso), f"{case}\n{lasso}"
        as_ltl = mpisog.check(to_mpisog(net), ltl.text(formula.as_ltl()), engine="explicit")
        assert as_ltl.verdict is VERDICTS[expected != formula.existential], case
        seen[f"{form} {expected}"] += 1
    return seen


def assert_well_mixed(seen: Counter[str], nets: int) -> None:
    for form in FORMS:
        assert min(seen[f"{form} {truth}"] for truth in (True, False)) >= 0.1 * nets, form


ALL = [(variant, threads) for variant in VARIANTS for threads in THREADS]


@pytest.mark.parametrize("reduce", ["none", "full"])
def test_a_sample_agrees(reduce):
    seen: Counter[str] = Counter()
    for number in range(SAMPLE):
        seen += compare(f"mclcd {number}", reduce, ALL)
    assert_well_mixed(seen, SAMPLE)


@pytest.mark.slow
def test_thousands_agree():
    seen: Counter[str] = Counter()
    for number in range(MANY):
        seen += compare(f"many {number}", "none", ALL)
    assert_well_mixed(seen, MANY)


def test_other_engines_agree_on_lrl():
    """They check the formula for all runs that an LRL formula is, or is the negation of."""
    for number in range(SAMPLE):
        rng = Random(f"others {number}")
        net = random_net(rng)
        for form in FORMS:
            formula = Lrl(form, condition(rng, net), condition(rng, net))
            expected = holds(net, formula, MOST_MARKINGS)
            for engine in ("auto", "explicit", "dfs"):
                result = mpisog.check(to_mpisog(net), formula.text(), logic="lrl", engine=engine)
                assert result.verdict is VERDICTS[expected], f"{net}\n{formula.text()}\n{engine}"
