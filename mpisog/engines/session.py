"""What all checks of one net share, made when first needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from mpisog import _native
from mpisog.config import RunConfig
from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable
from mpisog.limits import Watch
from mpisog.nets.model import PetriNet
from mpisog.nets.native import native_net
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.observation import Observation
from mpisog.symbolic.protocol import Domain
from mpisog.symbolic.registry import open_domain

_RELATIONS = {
    "<=": _native.Relation.le,
    ">=": _native.Relation.ge,
    "==": _native.Relation.eq,
    "!=": _native.Relation.ne,
    "<": _native.Relation.lt,
    ">": _native.Relation.gt,
}


class Session:
    """A net, its native counterpart, its decision diagrams and the graphs built so far."""

    def __init__(self, net: PetriNet) -> None:
        self.net = net
        self._domains: dict[str, Domain[Any]] = {}
        self._graphs: list[ObservationGraph[Any]] = []
        self.reused = 0
        """How many formulas found an observation graph ready."""

    @cached_property
    def native_net(self) -> _native.Net:
        """The net as native code takes it."""
        return native_net(self.net)

    def domain(self, backend: str, watch: Watch) -> Domain[Any]:
        """The sets of markings of this net, from now on under this watch."""
        if backend not in self._domains:
            self._domains[backend] = open_domain(backend, self.net, watch=watch)
        domain = self._domains[backend]
        domain.watch = watch
        return domain

    def graph(
        self, atoms: Sequence[Atom], config: RunConfig, watch: Watch
    ) -> ObservationGraph[Any]:
        """A graph that observes at least these atoms: one built before, or a new one."""
        domain = self.domain(config.backend, watch)
        for graph in self._graphs:
            known = graph.observation
            same = known.aggregation == config.aggregation and graph.domain is domain
            if same and set(atoms) <= set(known.atoms):
                self.reused += 1
                return graph
        graph = ObservationGraph(domain, Observation(self.net, atoms, config.aggregation))
        self._graphs.append(graph)
        return graph


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


def unbounded_reason(net: PetriNet, place: int) -> str:
    """The reason of a verdict on an unbounded net."""
    return f"the net is unbounded: tokens pile up in place '{net.places[place].id}'"
