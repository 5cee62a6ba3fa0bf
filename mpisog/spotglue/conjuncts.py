"""Conjunctions: what can be checked by itself, and how the user has written it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import spot

from mpisog.errors import FormulaError
from mpisog.formulas.properties import Property
from mpisog.formulas.wording import Wording
from mpisog.nets.model import PetriNet
from mpisog.spotglue.ltl import BoundFormula, SpotFormula, bind, rename, shown
from mpisog.spotglue.parts import subformulas
from mpisog.spotglue.syntax import TOKEN


def conjuncts(bound: BoundFormula, net: PetriNet) -> list[BoundFormula]:
    """Formulas that hold together when this one does, each with its own atoms."""
    formula = bound.formula
    if formula._is(spot.op_Not):
        formula = spot.negative_normal_form(formula)
    if not formula._is(spot.op_And):
        return [bound]
    return [_part(child, bound, net) for child in _not_implied(list(formula))]


def _not_implied(formulas: list[SpotFormula]) -> list[SpotFormula]:
    """Those that no other one implies, as far as syntax shows."""
    implies = spot.tl_simplifier().syntactic_implication
    kept: list[SpotFormula] = []
    for formula in formulas:
        if not any(implies(other, formula) for other in kept):
            kept = [other for other in kept if not implies(formula, other)] + [formula]
    return kept


def _part(formula: SpotFormula, bound: BoundFormula, net: PetriNet) -> BoundFormula:
    names = sorted((ap.ap_name() for ap in spot.atomic_prop_collect(formula) or ()), key=_number)
    atoms = tuple(bound.atoms[_number(name)] for name in names)
    renamed = rename(formula, {name: number for number, name in enumerate(names)})
    part = BoundFormula("", renamed, atoms)
    return replace(part, text=shown(part, net))


def _number(name: str) -> int:
    return int(name.removeprefix("a"))


def as_written(part: BoundFormula, whole: BoundFormula, net: PetriNet) -> str:
    """A conjunct as it stands in the formula's text; one that Spot has made, in our words."""
    for text in _texts(whole.text):
        try:
            if _same(bind(Property("conjunct", text), net), part):
                return text
        except FormulaError:  # no conjunct: the text is cut at the wrong place
            continue
    wording = Wording(net)
    try:
        return subformulas(part, [wording.atom(atom) for atom in part.atoms])[-1].text
    except RecursionError:  # nested too deeply for Python
        return part.text


def _same(one: BoundFormula, other: BoundFormula) -> bool:
    if {*one.atoms} != {*other.atoms}:
        return False
    numbers = {f"a{number}": other.atoms.index(atom) for number, atom in enumerate(one.atoms)}
    return bool(rename(one.formula, numbers) == other.formula)


def _texts(formula: str) -> Iterator[str]:
    """What stands between the outermost conjunctions."""
    formula = _bare(formula)
    depth = start = 0
    for match in TOKEN.finditer(formula):
        depth += (match.lastgroup == "open") - (match.lastgroup == "close")
        if depth == 0 and match.lastgroup == "conjunction":
            yield _bare(formula[start : match.start()])
            start = match.end()
    yield _bare(formula[start:])


def _bare(formula: str) -> str:
    """Without parentheses around the whole."""
    depth, least = 0, len(formula)
    for match in TOKEN.finditer(formula):
        depth += (match.lastgroup == "open") - (match.lastgroup == "close")
        if match.lastgroup not in ("open", "close", "blank"):
            least = min(least, depth)
    for _ in range(least if least < len(formula) else 0):
        formula = formula.strip()[1:-1]
    return formula.strip()
