"""Atoms for native code, and back."""

from __future__ import annotations

from mpisog import _native
from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable

_RELATIONS = {
    "<=": _native.Relation.le,
    ">=": _native.Relation.ge,
    "==": _native.Relation.eq,
    "!=": _native.Relation.ne,
    "<": _native.Relation.lt,
    ">": _native.Relation.gt,
}

_OPERATORS = {relation: op for op, relation in _RELATIONS.items()}


def native_atom(atom: Atom) -> _native.Atom:
    """An atom as native code takes it."""
    match atom:
        case Comparison(terms, op, bound):
            return _native.Comparison(terms, _RELATIONS[op], bound)
        case Fireable(transitions):
            return _native.Fireable(transitions)
        case Dead():
            return _native.Dead()
        case Fire(transition):
            return _native.Fire(transition)


def from_native(atom: _native.Atom | bool) -> Atom | bool:
    """An atom, or a constant truth, as native code gives it."""
    match atom:
        case bool():
            return atom
        case _native.Comparison():
            return Comparison(tuple(atom.terms), _OPERATORS[atom.relation], atom.bound)
        case _native.Fireable():
            return Fireable(tuple(atom.transitions))
        case _native.Fire():
            return Fire(atom.transition)
        case _:
            return Dead()
