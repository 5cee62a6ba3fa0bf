"""LTL text to Spot formulas over atoms that are bound to a net."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import spot

from mpisog.errors import FormulaError
from mpisog.formulas.atoms import Atom, Fire, describe
from mpisog.formulas.names import resolve_atom
from mpisog.formulas.properties import Property
from mpisog.formulas.quoting import quote_names
from mpisog.nets.model import PetriNet

SpotFormula = Any
"""A ``spot.formula``; SWIG gives it no type."""

_PAST = re.compile(r"\b(Y|Z|O|H|S|T|since|once|historically|yesterday)\b")
_COMPARISON = re.compile(r"[^-=<]>=|<=[^>]|[=!]=|[^-=>]>\s*\w|<\s*\w|[+*]")


@dataclass(frozen=True)
class BoundFormula:
    """A formula whose atoms ``a0, a1, ...`` are the entries of ``atoms``."""

    text: str
    formula: SpotFormula
    atoms: tuple[Atom, ...]

    @property
    def has_events(self) -> bool:
        """Whether some atom speaks of a firing."""
        return any(isinstance(atom, Fire) for atom in self.atoms)


def bind(prop: Property, net: PetriNet) -> BoundFormula:
    """Parse a property and resolve its atoms; equal atoms become one."""
    try:
        return _bind(prop, net)
    except FormulaError as error:
        raise (error if prop.path is None else error.located(prop.path, prop.line)) from None


def _bind(prop: Property, net: PetriNet) -> BoundFormula:
    given = prop.bindings
    formula = parse(quote_names(prop.text, net) if given is None else prop.text, prop.text)
    names = sorted(ap.ap_name() for ap in spot.atomic_prop_collect(formula))
    atoms = {n: resolve_atom(n, net) if given is None else given[n] for n in names}
    distinct = tuple(dict.fromkeys(atoms.values()))
    renamed = _rename(formula, {name: distinct.index(atom) for name, atom in atoms.items()})
    return BoundFormula(_shown(prop, formula, atoms, net), renamed, distinct)


def rebind(bound: BoundFormula, atoms: Sequence[Atom | bool]) -> BoundFormula:
    """The formula with each atom replaced, by one of another net or by its constant truth."""
    distinct = tuple(dict.fromkeys(atom for atom in atoms if not isinstance(atom, bool)))
    mapping = spot.relabeling_map()
    for number, atom in enumerate(atoms):
        if isinstance(atom, bool):
            replaced = spot.formula.tt() if atom else spot.formula.ff()
        else:
            replaced = spot.formula.ap(f"a{distinct.index(atom)}")
        mapping[spot.formula.ap(f"a{number}")] = replaced
    return BoundFormula(bound.text, spot.relabel_apply(bound.formula, mapping), distinct)


def with_truths(bound: BoundFormula, truths: Mapping[Atom, bool]) -> BoundFormula:
    """The formula with atoms whose truth is known replaced by it, and what Spot makes of that."""
    constant = rebind(bound, [truths.get(atom, atom) for atom in bound.atoms])
    simple = spot.simplify(constant.formula)
    left = {ap.ap_name() for ap in spot.atomic_prop_collect(simple) or ()}
    kept = [atom for number, atom in enumerate(constant.atoms) if f"a{number}" in left]
    numbers = {f"a{constant.atoms.index(atom)}": new for new, atom in enumerate(kept)}
    return BoundFormula(bound.text, _rename(simple, numbers), tuple(kept))


def shown(bound: BoundFormula, net: PetriNet) -> str:
    """The formula with its atoms as a user of the net would write them."""
    mapping = spot.relabeling_map()
    for number, atom in enumerate(bound.atoms):
        mapping[spot.formula.ap(f"a{number}")] = spot.formula.ap(describe(atom, net))
    return str(spot.relabel_apply(bound.formula, mapping))


def parse(text: str, shown: str | None = None) -> SpotFormula:
    """A Spot formula that is plain LTL; errors quote ``shown``, the text as the user wrote it."""
    shown = text if shown is None else shown
    try:
        formula = spot.formula(text)
    except SyntaxError as error:
        raise _syntax_error(text, shown, str(error)) from None
    except RuntimeError as error:  # Spot's own limits, such as too deep a nesting
        raise FormulaError(f"the formula cannot be parsed: {error}") from None
    if not formula.is_ltl_formula():
        raise FormulaError(f"'{shown}' uses PSL or SERE operators, only LTL is supported")
    if "X[!]" in spot.str_psl(formula):
        raise FormulaError("the strong next X[!] of finite traces is not supported", hint="use X")
    return formula


def _rename(formula: SpotFormula, numbers: Mapping[str, int]) -> SpotFormula:
    mapping = spot.relabeling_map()
    for name, number in numbers.items():
        mapping[spot.formula.ap(name)] = spot.formula.ap(f"a{number}")
    return spot.relabel_apply(formula, mapping)


def _shown(prop: Property, formula: SpotFormula, atoms: Mapping[str, Atom], net: PetriNet) -> str:
    """The formula for people: as typed, or with the atoms of a property file spelt out."""
    if prop.bindings is None:
        return prop.text
    mapping = spot.relabeling_map()
    for name, atom in atoms.items():
        mapping[spot.formula.ap(name)] = spot.formula.ap(describe(atom, net))
    return str(spot.relabel_apply(formula, mapping))


def _syntax_error(text: str, shown: str, report: str) -> FormulaError:
    """Spot's report has the text behind ``>>>``, a line of carets under it, and the reason."""
    lines = [line for line in report.splitlines() if line and not line.startswith(">>>")]
    caret = next((line for line in lines if line.strip().startswith("^")), "")
    reason = next((line for line in lines if not line.strip().startswith("^")), "syntax error")
    rest = text[caret.index("^") - len(">>> ") :] if caret else text
    where = f" at '{rest[:20]}'" if rest.strip() else ""
    return FormulaError(f"cannot read '{shown}'{where}: {reason}", hint=_syntax_hint(shown))


def _syntax_hint(text: str) -> str | None:
    bare = re.sub(r'"[^"]*"', "", text)
    if _PAST.search(bare):
        return "past operators are not supported"
    if _COMPARISON.search(bare):
        return 'comparisons stand in double quotes: "p >= 2"'
    return None
