"""What a builder has to know to build the graph of one formula, and its bytes."""

from __future__ import annotations

from dataclasses import dataclass

from mpisog.formulas.atoms import Atom
from mpisog.nets.model import PetriNet
from mpisog.sog.observation import AGGREGATIONS, Observation
from mpisog.team.net_bytes import (
    read_atoms,
    read_net,
    require,
    require_below,
    write_atoms,
    write_net,
)
from mpisog.transport.codec import Reader, Record, Writer, register


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
        write_net(out, self.net)
        out.text(self.backend)
        out.ints(self.order)
        write_atoms(out, self.atoms)
        out.text(self.hoa)
        out.text(self.aggregation)
        out.ints(sorted(self.forbidden))
        out.i64(-1 if self.aggregate_nodes is None else self.aggregate_nodes)

    @classmethod
    def read(cls, data: Reader) -> JobSpec:
        """From its bytes."""
        net, backend, order = read_net(data), data.text(), data.ints()
        atoms, hoa, aggregation = read_atoms(data, net), data.text(), data.text()
        forbidden, nodes = frozenset(data.ints()), data.i64()
        limit = None if nodes < 0 else nodes
        places = range(len(net.places))
        require(not order or sorted(order) == list(places), "an order of other places")
        require(aggregation in AGGREGATIONS, "an unknown aggregation")
        require_below(len(net.transitions), forbidden)
        return cls(net, backend, order, atoms, hoa, aggregation, forbidden, limit)
