"""What all checks of one net share, made when first needed."""

from __future__ import annotations

from functools import cached_property

from mpisog import _native
from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable
from mpisog.nets.model import PetriNet

_RELATIONS = {
    "<=": _native.Relation.le,
    ">=": _native.Relation.ge,
    "==": _native.Relation.eq,
    "!=": _native.Relation.ne,
    "<": _native.Relation.lt,
    ">": _native.Relation.gt,
}


class Session:
    """A net and its native counterpart."""

    def __init__(self, net: PetriNet) -> None:
        self.net = net

    @cached_property
    def native_net(self) -> _native.Net:
        """The net as native code takes it."""
        transitions = self.net.transitions
        return _native.Net(
            list(self.net.initial),
            [list(transition.pre) for transition in transitions],
            [list(transition.post) for transition in transitions],
        )


def native_atom(
    atom: Atom,
) -> _native.Comparison | _native.Fireable | _native.Dead | _native.Fire:
    """An atom as native code takes it."""
    match atom:
        case Comparison(terms, op, bound):
            return _native.Comparison(list(terms), _RELATIONS[op], bound)
        case Fireable(transitions):
            return _native.Fireable(list(transitions))
        case Dead():
            return _native.Dead()
        case Fire(transition):
            return _native.Fire(transition)
