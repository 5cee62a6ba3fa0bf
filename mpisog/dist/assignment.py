"""What a builder has to know to build the graph of one formula, and its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mpisog.dist.codec import Reader, Record, Writer, register
from mpisog.formulas.atoms import OPERATORS, Atom, Comparison, Dead, Fire, Fireable
from mpisog.nets.model import PetriNet, Place, Transition
from mpisog.sog.observation import AGGREGATIONS, Observation

_OPERATORS = tuple(OPERATORS)


@register
@dataclass(frozen=True)
class Assignment(Record):
    """The net, what is observed of it, and how sets are kept.

    The order of the places comes along: sets have the same bytes on every rank only when it is the
    same.
    """

    net: PetriNet
    backend: str
    order: tuple[int, ...]
    atoms: tuple[Atom, ...]
    """Those of the formula, ``a0, a1, ...`` of the automaton."""
    hoa: str
    """The automaton of counterexamples."""
    aggregation: str = AGGREGATIONS[0]
    forbidden: frozenset[int] = frozenset()
    aggregate_nodes: int | None = None

    def observation(self) -> Observation:
        """What the graph observes."""
        return Observation(
            self.net, self.atoms, self.aggregation, self.forbidden, self.aggregate_nodes
        )

    def write(self, out: Writer) -> None:
        """Its bytes."""
        _write_net(out, self.net)
        out.text(self.backend)
        out.ints(self.order)
        _write_atoms(out, self.atoms)
        out.text(self.hoa)
        out.text(self.aggregation)
        out.ints(sorted(self.forbidden))
        out.i64(-1 if self.aggregate_nodes is None else self.aggregate_nodes)

    @classmethod
    def read(cls, data: Reader) -> Assignment:
        """From its bytes."""
        net, backend, order = _read_net(data), data.text(), data.ints()
        atoms, hoa, aggregation = _read_atoms(data), data.text(), data.text()
        forbidden, nodes = frozenset(data.ints()), data.i64()
        limit = None if nodes < 0 else nodes
        return cls(net, backend, order, atoms, hoa, aggregation, forbidden, limit)


def _write_net(out: Writer, net: PetriNet) -> None:
    """Without names: only whoever reports to people needs them."""
    out.ints(net.initial)
    out.u32(len(net.transitions))
    for transition in net.transitions:
        out.pairs(transition.pre)
        out.pairs(transition.post)


def _read_net(data: Reader) -> PetriNet:
    places = tuple(Place(f"p{i}", f"p{i}", tokens) for i, tokens in enumerate(data.ints()))
    transitions = tuple(
        Transition(f"t{i}", f"t{i}", data.pairs(), data.pairs()) for i in range(data.u32())
    )
    return PetriNet("net", places, transitions)


def _write_atoms(out: Writer, atoms: Sequence[Atom]) -> None:
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


def _read_atoms(data: Reader) -> tuple[Atom, ...]:
    return tuple(_read_atom(data) for _ in range(data.u32()))


def _read_atom(data: Reader) -> Atom:
    match data.u8():
        case 0:
            return Comparison(data.pairs(), _OPERATORS[data.u8()], data.i64())
        case 1:
            return Fireable(data.ints())
        case 2:
            return Dead()
        case 3:
            return Fire(data.u32())
    raise ValueError("no such kind of atom")
