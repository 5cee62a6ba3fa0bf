"""LTL text to Spot formulas over atoms that are bound to a net."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import spot

from mpisog.errors import FormulaError
from mpisog.formulas.atoms import Atom, Fire, Fireable, describe
from mpisog.formulas.lrl import Lrl, with_spots_negation
from mpisog.formulas.names import other_spelling, resolve_atom
from mpisog.formulas.properties import Property
from mpisog.formulas.quoting import quote_names
from mpisog.nets.model import PetriNet
from mpisog.spotglue.syntax import complaint, quotable, require_readable

SpotFormula = Any
"""A ``spot.formula``; SWIG gives it no type."""

_PAST = re.compile(r"\b(Y|Z|O|H|S|T|since|once|historically|yesterday)\b")
_PATHS = re.compile(r"\b[AE]\s*(?:[FGX]\b|[\[(])|\b[AE][FGX][FGXAE]*\b")
_EVERY_RUN = "CTL is not LTL: every run is meant, so write G, F, X, U without A"
_SOME_RUN = "CTL is not LTL: every run is meant; of some run ask with -l 'E<> p' or 'E[] p'"
_LRL = re.compile(r"\b[AE]\s*(?:\[\]|<>)")
_CALL = re.compile(r"(?<![MWUR)\w])\s*((?:is-|[a-z])[A-Za-z]*\s*(?:\(|\Z))\Z")
_WORD = re.compile(r"\w+")
_WORDS = {
    "and": "&",
    "or": "|",
    "not": "!",
    "implies": "->",
    "always": "G",
    "globally": "G",
    "eventually": "F",
    "finally": "F",
    "never": "G !",
    "next": "X",
    "until": "U",
}
"""Operators of other tools and of plain English."""
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*+"?', re.DOTALL)
_STRONG = re.compile(r"\[[^\[\]]*!\s*\]")
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
    require_readable(prop.text)
    formula = _parsed(prop, net)
    names = sorted(ap.ap_name() for ap in spot.atomic_prop_collect(formula))
    atoms = {n: _resolved(n, prop, net) if given is None else given[n] for n in names}
    if prop.lrl is not None:
        _require_state_atoms(atoms, net)
    distinct = tuple(dict.fromkeys(atoms.values()))
    numbers = {atom: number for number, atom in enumerate(distinct)}
    renamed = rename(formula, {name: numbers[atom] for name, atom in atoms.items()})
    return BoundFormula(_shown(prop, formula, atoms, net), renamed, distinct)


def _resolved(name: str, prop: Property, net: PetriNet) -> Atom:
    try:
        return resolve_atom(name, net)
    except FormulaError as error:
        raise error.pointing(prop.text, name) from None


def _parsed(prop: Property, net: PetriNet) -> SpotFormula:
    """The formula that all runs are to satisfy; of an existential LRL formula, its negation."""
    if prop.lrl is not None:
        return _lrl_formula(prop.lrl, net)
    return _parse(quote_names(prop.text, net) if prop.bindings is None else prop.text, prop.text)


def _lrl_formula(lrl: Lrl, net: PetriNet) -> SpotFormula:
    goal = _condition(lrl.goal, net)
    given = spot.formula.tt() if lrl.given is None else _condition(lrl.given, net)
    eventually = spot.formula.F(goal)
    formula = {
        "<>": eventually,
        "[]": spot.formula.G(goal),
        "[]<>": spot.formula.G(eventually),
        "U": spot.formula.U(given, goal),
        "-->": spot.formula.G(spot.formula.Implies(given, eventually)),
    }[lrl.modality]
    return spot.formula.Not(formula) if lrl.existential else formula


def _condition(text: str, net: PetriNet) -> SpotFormula:
    """A Boolean combination of atoms, in which ``-`` negates as ``!`` does."""
    quoted = quote_names(text, net)
    nested = _LRL.search(_QUOTED.sub("", quoted)) is not None
    formula = None if nested else _parse(with_spots_negation(quoted), text)
    if formula is None or not formula.is_boolean():
        raise FormulaError(f"'{text}' has a temporal operator", hint="the modality stands outside")
    return formula


def _require_state_atoms(atoms: Mapping[str, Atom], net: PetriNet) -> None:
    for name, atom in atoms.items():
        if isinstance(atom, Fire):
            fireable = describe(Fireable((atom.transition,)), net)
            raise FormulaError(
                f"'{name}' is a transition, and LRL speaks of markings", hint=f'write "{fireable}"'
            )


def rebind(bound: BoundFormula, atoms: Sequence[Atom | bool]) -> BoundFormula:
    """The formula with each atom replaced, by one of another net or by its constant truth."""
    distinct = tuple(dict.fromkeys(atom for atom in atoms if not isinstance(atom, bool)))
    numbers = {atom: number for number, atom in enumerate(distinct)}
    mapping = spot.relabeling_map()
    for number, atom in enumerate(atoms):
        if isinstance(atom, bool):
            replaced = spot.formula.tt() if atom else spot.formula.ff()
        else:
            replaced = spot.formula.ap(f"a{numbers[atom]}")
        mapping[spot.formula.ap(f"a{number}")] = replaced
    return BoundFormula(bound.text, spot.relabel_apply(bound.formula, mapping), distinct)


def with_truths(bound: BoundFormula, truths: Mapping[Atom, bool]) -> BoundFormula:
    """The formula with atoms whose truth is known replaced by it, and what Spot makes of that."""
    constant = rebind(bound, [truths.get(atom, atom) for atom in bound.atoms])
    simple = spot.simplify(constant.formula)
    left = {ap.ap_name() for ap in spot.atomic_prop_collect(simple) or ()}
    kept = [atom for number, atom in enumerate(constant.atoms) if f"a{number}" in left]
    numbers = {f"a{constant.atoms.index(atom)}": new for new, atom in enumerate(kept)}
    return BoundFormula(bound.text, rename(simple, numbers), tuple(kept))


def shown(bound: BoundFormula, net: PetriNet) -> str:
    """The formula with its atoms as a user of the net would write them."""
    mapping = spot.relabeling_map()
    for number, atom in enumerate(bound.atoms):
        mapping[spot.formula.ap(f"a{number}")] = spot.formula.ap(describe(atom, net))
    return str(spot.relabel_apply(bound.formula, mapping))


def parse(text: str) -> SpotFormula:
    """A Spot formula that is plain LTL."""
    require_readable(text)
    return _parse(text, text)


def _parse(text: str, written: str) -> SpotFormula:
    """The same for a text that is readable; errors quote it as the user has written it."""
    shown = quotable(written)
    try:
        parsed = spot.parse_infix_psl(text)
    except RuntimeError as error:  # Spot's own limits, such as too many conjuncts
        raise FormulaError(f"the formula cannot be parsed: {error}") from None
    if parsed.errors:
        raise _syntax_error(text, shown, written)
    if not parsed.f.is_ltl_formula():
        raise FormulaError(f"'{shown}' uses PSL or SERE operators, only LTL is supported")
    if _STRONG.search(_QUOTED.sub("", text)):
        raise FormulaError("the strong next X[!] of finite traces is not supported", hint="use X")
    return parsed.f


def rename(formula: SpotFormula, numbers: Mapping[str, int]) -> SpotFormula:
    """The formula as it was written; Spot's relabelling would write ``a -> b`` with ``|``."""

    def renamed(part: SpotFormula) -> SpotFormula:
        if part._is(spot.op_ap):
            return spot.formula.ap(f"a{numbers[part.ap_name()]}")
        return part.map(renamed)

    try:
        return renamed(formula)
    except RecursionError:  # nested too deeply for Python
        return _relabelled(formula, numbers)


def _relabelled(formula: SpotFormula, numbers: Mapping[str, int]) -> SpotFormula:
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


def _syntax_error(text: str, shown: str, written: str) -> FormulaError:
    position, reason = complaint(text)
    at = _position_in(written, text, position)
    rest = written[at : at + 20]
    where = f" at '{rest}'" if rest.strip() else ""
    return FormulaError(
        f"cannot read '{shown}'{where}: {reason}",
        hint=_syntax_hint(text, position),
        excerpt=(written, at) if written.strip() else None,
    )


def _last_word(text: str, position: int) -> str:
    """The word there or the one before: which of two is one too many is not known."""
    words = _WORD.findall(text, 0, position) + _WORD.findall(text, position)[:1]
    return next((word for word in reversed(words[-2:]) if word in _WORDS), "")


def _position_in(written: str, quoted: str, position: int) -> int:
    """Where a position of the text with names in quotes is in the text as it was written."""
    at = 0
    for character in quoted[:position]:
        if at < len(written) and written[at] == character:
            at += 1
    return at


def _syntax_hint(text: str, position: int) -> str | None:
    bare = _QUOTED.sub("", text)
    if _LRL.search(bare):
        return "LRL formulas are given with -l"
    if found := _PATHS.search(bare):
        return _SOME_RUN if found[0].startswith("E") else _EVERY_RUN
    if (call := _CALL.search(text, 0, position + 1)) and (hint := other_spelling(call[1])):
        return hint
    if (word := _last_word(text, position)) in _WORDS:
        return f"write {_WORDS[word]} for '{word}'"
    if _PAST.search(bare):
        return "past operators are not supported"
    if _COMPARISON.search(bare):
        return 'comparisons stand in double quotes: "p >= 2"'
    return None
