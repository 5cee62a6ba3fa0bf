"""Nets and atoms as bytes that are the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mpisog.errors import MessageError
from mpisog.formulas.atoms import OPERATORS, Atom, Comparison, Dead, Fire, Fireable
from mpisog.nets.model import PetriNet, Place, Transition
from mpisog.transport.codec import Reader, Writer

_OPERATORS = tuple(OPERATORS)


def write_net(out: Writer, net: PetriNet, names: bool = False) -> None:
    """Names are for those who report to people."""
    out.u8(names)
    out.ints(net.initial)
    out.u32(len(net.transitions))
    for transition in net.transitions:
        out.pairs(transition.pre)
        out.pairs(transition.post)
    if names:
        out.text(net.name)
        nodes: list[Place | Transition] = [*net.places, *net.transitions]
        for node in nodes:
            out.text(node.id)
            out.text(node.name)


def read_net(data: Reader) -> PetriNet:
    """From its bytes; without names, elements have numbers."""
    names, initial = data.u8(), data.ints()
    arcs = [(data.pairs(), data.pairs()) for _ in range(data.u32())]
    require(min(initial, default=0) >= 0, "an impossible marking")
    for pairs in (side for sides in arcs for side in sides):
        require_below(len(initial), [place for place, _ in pairs])
        require(all(weight > 0 for _, weight in pairs), "an impossible weight")
    if not names:
        places = [Place(f"p{i}", f"p{i}", tokens) for i, tokens in enumerate(initial)]
        transitions = [Transition(f"t{i}", f"t{i}", *sides) for i, sides in enumerate(arcs)]
        return PetriNet("net", tuple(places), tuple(transitions))
    name = data.text()
    places = [Place(data.text(), data.text(), tokens) for tokens in initial]
    transitions = [Transition(data.text(), data.text(), *sides) for sides in arcs]
    return PetriNet(name, tuple(places), tuple(transitions))


def require(condition: bool, what: str) -> None:
    """Native code trusts what it is given."""
    if not condition:
        raise MessageError(f"the message has {what}")


def require_below(count: int, indices: Iterable[int]) -> None:
    """They are places, or transitions, of a net that has so many."""
    require(all(0 <= index < count for index in indices), "a place or transition of no net")


def write_atoms(out: Writer, atoms: Sequence[Atom]) -> None:
    """In order."""
    out.u32(len(atoms))
    for atom in atoms:
        match atom:
            case Comparison(terms, op, bound):
                out.u8(0)
                out.pairs(terms)
                out.u8(_OPERATORS.index(op))
                out.i64(bound)
            case Fireable(transitions):
                out.u8(1)
                out.ints(transitions)
            case Dead():
                out.u8(2)
            case Fire(transition):
                out.u8(3)
                out.u32(transition)


def read_atoms(data: Reader, net: PetriNet) -> tuple[Atom, ...]:
    """Of this net."""
    return tuple([_read_atom(data, net) for _ in range(data.u32())])


def _read_atom(data: Reader, net: PetriNet) -> Atom:
    kind = data.u8()
    if kind == 0:
        terms, operator, bound = data.pairs(), data.u8(), data.i64()
        require_below(len(net.places), [place for place, _ in terms])
        require(operator < len(_OPERATORS), "an unknown comparison")
        return Comparison(terms, _OPERATORS[operator], bound)
    if kind in (1, 3):
        transitions = data.ints() if kind == 1 else (data.u32(),)
        require_below(len(net.transitions), transitions)
        return Fireable(transitions) if kind == 1 else Fire(transitions[0])
    require(kind == 2, "an unknown kind of atom")
    return Dead()
