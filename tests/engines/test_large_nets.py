"""What is done differently on large nets, against what is done on others."""

from __future__ import annotations

import os
import sys
from collections import Counter
from random import Random
from types import SimpleNamespace

import pytest

import mpisog
from benchmarks.large_formulas import FAMILIES
from mpisog import Verdict, _native
from mpisog.budget import Budget
from mpisog.engines import resources, schedule
from mpisog.engines.dfs import Strategy, _native_search
from mpisog.engines.problem import Problem
from mpisog.formulas.native import native_atom
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import PetriNet
from mpisog.spotglue.ltl import bind
from mpisog.spotglue.tables import native_automaton, tabulate
from mpisog.state_equation import equation, recurrence
from tests.engines.test_schedule_random import check_search
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.checker import Net
from tests.reference.generate import random_formula, random_net

SAMPLE = 40
MANY = int(os.environ.get("MPISOG_RANDOM_PAIRS", "1000"))
SECONDS = 3.0


@pytest.fixture
def as_large(monkeypatch):
    """A switch that makes every net count as large."""

    def switch(on: bool) -> None:
        monkeypatch.undo()
        if on:
            monkeypatch.setattr(resources, "LARGE", 0)
            monkeypatch.setattr(schedule, "DIAGRAM_PLACES", 0)
            monkeypatch.setattr(equation, "SMALL_NONZEROS", 0)
            monkeypatch.setattr(equation, "WHOLE_NONZEROS", 0)
            monkeypatch.setattr(recurrence, "WHOLE_NONZEROS", 0)

    return switch


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("large", [False, True])
def test_verdicts_known_by_construction(family, large, as_large):
    size = 3 if family.name in ("epidemic", "grid_walk") else 4
    as_large(large)
    cases = family.easy(size) + family.harder(size)
    results = mpisog.check_many(
        generate(family.name, size), [formula for formula, _ in cases], timeout=100
    )
    for (formula, holds), result in zip(cases, results, strict=True):
        assert result.verdict is (Verdict.TRUE if holds else Verdict.FALSE), formula


def test_searches_in_place_agree(as_large):
    as_large(True)
    check_search(120)


@pytest.mark.slow
def test_many_searches_in_place_agree(as_large):
    as_large(True)
    check_search(3 * MANY)


def copies(rng: Random, net: Net, formula: ltl.Formula) -> tuple[PetriNet, str]:
    """The net several times, disjoint or with a place in common; the formula is about the first."""
    shared = rng.choice([None, rng.choice(sorted(net.initial))])
    initial: dict[str, int] = {}
    transitions: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    for copy in range(rng.randint(2, 4)):

        def name(element: str, copy: int = copy) -> str:
            return element if copy == 0 or element == shared else f"{element}_{copy}"

        initial |= {name(place): tokens for place, tokens in net.initial.items()}
        for transition, (takes, gives) in net.transitions.items():
            transitions[name(transition)] = (
                {name(place): weight for place, weight in takes.items()},
                {name(place): weight for place, weight in gives.items()},
            )
    return to_mpisog(Net(initial, transitions)), ltl.text(formula)


def check_copies(count: int, as_large) -> None:
    seen: Counter[str] = Counter()
    for number in range(count):
        rng = Random(f"copies {number}")
        net = random_net(rng)
        scaled, formula = copies(rng, net, random_formula(rng, net))
        as_large(False)
        plain = mpisog.check(scaled, formula, timeout=SECONDS)
        as_large(True)
        large = mpisog.check(scaled, formula, timeout=SECONDS)
        seen.update([f"plain {plain.verdict}", f"large {large.verdict}"])
        if Verdict.UNKNOWN not in (plain.verdict, large.verdict):
            assert plain.verdict is large.verdict, f"{scaled}\n{formula}"
            seen["both"] += 1
    assert seen["both"] >= 0.8 * count, seen
    assert min(seen["large TRUE"], seen["large FALSE"]) >= count / 10, seen


def test_copies_of_nets_have_the_same_verdicts(as_large):
    check_copies(SAMPLE, as_large)


@pytest.mark.slow
def test_many_copies_of_nets_have_the_same_verdicts(as_large):
    check_copies(MANY, as_large)


def test_a_search_that_is_repeated_refers_to_its_callback_once(as_large):
    """It is repeated without the interpreter's lock, which counting references needs."""

    class Poll:
        def __call__(self, markings: int, firings: int) -> bool:
            seen.append((markings, sys.getrefcount(self)))
            return False

    as_large(True)
    seen: list[tuple[int, int]] = []
    net = generate("kanban", 4)
    problem = Problem(net, bind(Property("bounded", f'G "{net.places[0].id} <= 99"'), net))
    atoms = [native_atom(atom) for atom in problem.bound.atoms]
    automaton = native_automaton(tabulate(problem.automaton(Budget())))
    shared = resources.Resources(net).of(net, Budget())
    search = _native_search(shared, atoms, automaton, Strategy(), SimpleNamespace(poll=Poll()))
    assert search.run() == _native.ProductOutcome.empty
    markings, references = zip(*seen, strict=True)
    assert list(markings) != sorted(markings), "the second search was not seen"
    assert len(set(references)) == 1
