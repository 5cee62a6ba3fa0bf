"""Nets that are not bounded: what is found is right, and what is not found ends in time."""

from __future__ import annotations

import os
import time
from collections import Counter
from contextlib import suppress
from random import Random

import pytest

import mpisog
from mpisog import Verdict
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.bfs import Bfs
from mpisog.engines.local_proof import LocalProof
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.errors import LimitReached
from mpisog.formulas.properties import Property
from mpisog.nets.model import make_net
from mpisog.spotglue.ltl import bind
from mpisog.trace.replay import is_counterexample as replays
from mpisog.verdict import Result
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.checker import Net, is_counterexample, violated_nearby
from tests.reference.generate import free_net, random_formula

SAMPLE = 12
MANY = int(os.environ.get("MPISOG_RANDOM_PAIRS", "2000"))
SECONDS = 1.0
GRACE = 4.0
"""Seconds of processor time that a run may take longer."""
LONGEST = 500
"""Steps of a counterexample that the reference replays too."""
NEARBY = 60
"""Markings among which the reference looks for a violation."""


def is_unbounded(net: Net, most: int = 200) -> bool:
    """Whether, near the initial marking, one strictly covers one that it comes from."""
    first = net.freeze(net.initial)
    parents = {first: None}
    queue = [first]
    for marking in queue:
        for name in net.enabled(net.thaw(marking)):
            after = net.freeze(net.fire(name, net.thaw(marking)))
            if after in parents:
                continue
            parents[after] = marking
            queue.append(after)
            if len(queue) > most:
                return False
            ancestor = marking
            while ancestor is not None:
                if all(a >= b for a, b in zip(after, ancestor, strict=True)):
                    return True
                ancestor = parents[ancestor]
    return False


def check_pairs(count: int, start: int = 0) -> Counter[str]:
    seen: Counter[str] = Counter()
    number = start
    while seen["pairs"] < count:
        number += 1
        rng = Random(f"unbounded {number}")
        net = free_net(rng)
        if not is_unbounded(net):
            continue
        formula = random_formula(rng, net)
        started = time.process_time()
        result = mpisog.check(to_mpisog(net), ltl.text(formula), timeout=SECONDS)
        taken = time.process_time() - started
        assert taken < SECONDS + GRACE, (number, taken)
        judge(number, net, formula, result)
        seen.update(["pairs", str(result.verdict)])
    return seen


def judge(number: int, net: Net, formula: ltl.Formula, result: Result) -> None:
    case = f"{number}\n{net}\n{ltl.text(formula)}\n{result}"
    if result.verdict is Verdict.UNKNOWN:
        assert result.reason, case
    elif result.verdict is Verdict.TRUE:
        assert not violated_nearby(net, formula, NEARBY), case
    elif len(result.trace.steps) <= LONGEST:
        trace = result.trace
        assert is_counterexample(net, formula, trace.prefix_ids, trace.cycle_ids), case


def check_local_proofs(count: int) -> None:
    """What a few places exclude is not found nearby; they need no bound on tokens."""
    proofs = 0
    for number in range(count):
        rng = Random(f"unbounded proofs {number}")
        net = free_net(rng)
        if not is_unbounded(net):
            continue
        formula = random_formula(rng, net)
        model = to_mpisog(net)
        problem = Problem(model, bind(Property("f", ltl.text(formula)), model))
        with suppress(LimitReached):
            LocalProof().run(problem, Resources(model), Budget(SECONDS))
            assert not violated_nearby(net, formula, NEARBY), f"{net}\n{ltl.text(formula)}"
            proofs += 1
    assert proofs >= count / 50


def test_local_proofs():
    check_local_proofs(100)


@pytest.mark.slow
def test_many_local_proofs():
    check_local_proofs(MANY)


def test_random_pairs():
    seen = check_pairs(SAMPLE)
    assert seen["FALSE"], seen


@pytest.mark.slow
def test_many_random_pairs():
    seen = check_pairs(MANY)
    assert min(seen["FALSE"], seen["TRUE"]) >= MANY / 20, seen


def test_breadth_first_finds_what_is_near_whatever_its_tokens():
    """Ten tokens at once are three steps away, beside a place that anything can be put into."""
    net = make_net(
        "n",
        {"a": 1, "b": 0, "c": 0, "many": 0, "tank": 0},
        {
            "fill": ([], ["tank"]),
            "one": (["a"], ["b"]),
            "two": (["b"], ["c"]),
            "three": ({"c": 1}, {"many": 10}),
            "stay": ({"many": 10}, {"many": 10}),
        },
    )
    bound = bind(Property("p", 'F G "many <= 3"'), net)
    resources = Resources(net, RunConfig())
    lasso = Bfs().run(Problem(net, bound), resources, Budget(10.0)).counterexample
    assert replays(lasso, bound, Budget())
    assert lasso.prefix_ids == ["one", "two", "three"]
    assert lasso.cycle_ids == ["stay"]


def test_every_formula_of_a_batch_is_told_that_the_net_is_unbounded():
    """The first finds it out; those behind it go without the searches that would find it again."""
    net = make_net("n", {"a": 1, "b": 0, "c": 0}, {"t": (["a"], ["a", "b"]), "u": (["b"], ["c"])})
    results = mpisog.check_many(net, ["G F c", "F c"], timeout=0.7)
    for result in results:
        assert result.verdict is Verdict.UNKNOWN
        assert result.reason.startswith("the net is unbounded: tokens pile up in place"), result
