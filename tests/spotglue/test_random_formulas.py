"""Experiments can be repeated: a seed means the same formulas, whatever came before."""

from __future__ import annotations

import spot

from mpisog.spotglue.random_formulas import random_formulas

NAMES = [f"p{i}" for i in range(12)]


def test_a_seed_means_the_same_formulas_whatever_came_before():
    first = random_formulas(NAMES, 20, 8, seed=1)
    kept = [spot.formula(f"G {name}") for name in reversed(NAMES)]
    kept += [spot.formula(text) for text in random_formulas([*NAMES, "q"], 20, 8, seed=2)]
    assert random_formulas(NAMES, 20, 8, seed=1) == first
    assert random_formulas(NAMES, 20, 8, seed=2) != first


def test_formulas_have_the_size_that_was_asked_for_and_no_next():
    for text in random_formulas(NAMES, 50, 8, seed=3):
        formula = spot.formula(text)
        assert spot.length(formula) == 8
        assert "X" not in text
        assert {str(ap).strip('"') for ap in spot.atomic_prop_collect(formula)} <= set(NAMES)
