"""What a builder has to know to build the graph of one formula, and its bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mpisog.errors import MessageError
from mpisog.formulas.atoms import OPERATORS, Atom, Comparison, Dead, Fire, Fireable
from mpisog.nets.model import PetriNet, Place, Transition
from mpisog.sog.observation import AGGREGATIONS, Observation
from mpisog.transport.codec import Reader, Record, Writer, register

_OPERATORS = tuple(OPERATORS)


@register
@dataclass(frozen=True)
class JobSpec(Record):
    """The net, what is observed of it, and how sets are kept.

    The order of the places comes along: sets have the same bytes on every rank only when it is the
    same. Backends without an order have an empty one.
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
    def read(cls, data: Reader) -> JobSpec:
        """From its bytes."""
        net, backend, order = _read_net(data), data.text(), data.ints()
        atoms, hoa, aggregation = _read_atoms(data, net), data.text(), data.text()
        forbidden, nodes = frozenset(data.ints()), data.i64()
        limit = None if nodes < 0 else nodes
        places = range(len(net.places))
        _require(not order or sorted(order) == list(places), "an order of other places")
        _require(aggregation in AGGREGATIONS, "an unknown aggregation")
        _require_below(len(net.transitions), forbidden)
        return cls(net, backend, order, atoms, hoa, aggregation, forbidden, limit)


def _write_net(out: Writer, net: PetriNet) -> None:
    """Without names: only whoever reports to people needs them."""
    out.ints(net.initial)
    out.u32(len(net.transitions))
    for transition in net.transitions:
        out.pairs(transition.pre)
        out.pairs(transition.post)


def _read_net(data: Reader) -> PetriNet:
    initial = data.ints()
    places = tuple(Place(f"p{i}", f"p{i}", tokens) for i, tokens in enumerate(initial))
    transitions = tuple(
        Transition(f"t{i}", f"t{i}", data.pairs(), data.pairs()) for i in range(data.u32())
    )
    _require(min(initial, default=0) >= 0, "an impossible marking")
    for transition in transitions:
        for arcs in (transition.pre, transition.post):
            _require_below(len(places), [place for place, _ in arcs])
            _require(all(weight > 0 for _, weight in arcs), "an impossible weight")
    return PetriNet("net", places, transitions)


def _require(condition: bool, what: str) -> None:
    """Native code trusts what it is given."""
    if not condition:
        raise MessageError(f"the message has {what}")


def _require_below(count: int, indices: Iterable[int]) -> None:
    _require(all(0 <= index < count for index in indices), "a place or transition of no net")


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


def _read_atoms(data: Reader, net: PetriNet) -> tuple[Atom, ...]:
    return tuple([_read_atom(data, net) for _ in range(data.u32())])


def _read_atom(data: Reader, net: PetriNet) -> Atom:
    kind = data.u8()
    if kind == 0:
        terms, operator, bound = data.pairs(), data.u8(), data.i64()
        _require_below(len(net.places), [place for place, _ in terms])
        _require(operator < len(_OPERATORS), "an unknown comparison")
        return Comparison(terms, _OPERATORS[operator], bound)
    if kind in (1, 3):
        transitions = data.ints() if kind == 1 else (data.u32(),)
        _require_below(len(net.transitions), transitions)
        return Fireable(transitions) if kind == 1 else Fire(transitions[0])
    _require(kind == 2, "an unknown kind of atom")
    return Dead()
