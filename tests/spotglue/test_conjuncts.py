"""Conjuncts are named as the user has written them."""

from __future__ import annotations

import pytest

from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.spotglue.conjuncts import as_written, conjuncts
from mpisog.spotglue.ltl import bind

NET = generate("philosophers", 3)


def written(formula: str) -> set[str]:
    whole = bind(Property("f", formula), NET)
    return {as_written(part, whole, NET) for part in conjuncts(whole, NET)}


@pytest.mark.parametrize(
    ("formula", "texts"),
    [
        ("[]<>Eat_1 && (F  Eat_2)", {"[]<>Eat_1", "F  Eat_2"}),
        (
            '((G(Eat_1 -> F "Fork_1 + Fork_2 >= 1")) /\\ F Eat_2)',
            {'G(Eat_1 -> F "Fork_1 + Fork_2 >= 1")', "F Eat_2"},
        ),
        ("F(Eat_1 & Eat_2) & G(Eat_3 & !dead)", {"F(Eat_1 & Eat_2)", "G(Eat_3 & !dead)"}),
        ('F "Eat_1 >= 1" & F Eat_2', {'F "Eat_1 >= 1"', "F Eat_2"}),
        ('F "fire(FF1a_1)" & F Eat_2 U Eat_1', {'F "fire(FF1a_1)"', "F Eat_2 U Eat_1"}),
    ],
)
def test_as_they_stand_in_the_formula(formula, texts):
    assert written(formula) == texts


def test_what_spot_has_made_is_in_the_words_of_the_net():
    assert written("!(G Eat_1 | F Eat_2)") == {"F !Eat_1", "G !Eat_2"}
    assert written("F Eat_1 & (F Eat_2 & G Eat_3)") == {"F Eat_1", "F Eat_2", "G Eat_3"}


def test_text_in_quotes_is_not_cut():
    assert written('F "fireable(FF1a_1, FF1a_2)" & F "Eat_1 >= 2"') == {
        'F "fireable(FF1a_1, FF1a_2)"',
        'F "Eat_1 >= 2"',
    }
