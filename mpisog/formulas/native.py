"""Atoms for native code."""

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
