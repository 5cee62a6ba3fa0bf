"""Aggregates as bytes that are the same on every rank, and the identities made of them.

There are two forms. ``whole`` carries the sets that the future depends on. ``sparse`` is the
papers': of the closed part only markings from which silent steps lead to all the others, so that
the receiver has to close it again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from mpisog.sog.aggregate import Aggregate, Stuttering, parts
from mpisog.sog.aggregate_builder import AggregateBuilder
from mpisog.sog.observation import Label
from mpisog.symbolic.protocol import DIGESTS, Domain, StateSet, Step
from mpisog.transport.codec import Reader, Writer

S = TypeVar("S", bound=StateSet)

_WHOLE, _SPARSE = 0, 1


def pack(domain: Domain[S], aggregate: Aggregate[S]) -> bytes:
    """The whole form; equal aggregates have equal bytes."""
    return _whole(aggregate, domain.serialise)


def identity_of(domain: Domain[S], aggregate: Aggregate[S], algorithm: str) -> bytes:
    """16 bytes that stand for an aggregate on every rank."""
    return DIGESTS[algorithm](_whole(aggregate, domain.fingerprint))


def _whole(aggregate: Aggregate[S], bytes_of: Callable[[S], bytes]) -> bytes:
    out = Writer()
    out.u8(_WHOLE)
    known = aggregate.stuttering
    flags = (known is not None, known is not None and known.dead, bool(known and known.divergent))
    out.bits((*flags, *aggregate.label))
    for states in (aggregate.ready, aggregate.exit_states, aggregate.deadlocks, aggregate.frontier):
        out.blob(bytes_of(states) if states else b"")
    return bytes(out.data)


def pack_sparse(aggregate_builder: AggregateBuilder[S], label: Label, entry: S) -> bytes | None:
    """The sparse form of the aggregate behind an entry set, or nothing where there is none.

    An aggregate whose growth was limited depends on all of its entry set.
    """
    observation, domain = aggregate_builder.observation, aggregate_builder.domain
    if observation.forbidden or observation.aggregate_nodes is not None:
        return None
    found = parts(domain, observation, label, entry)
    silent = observation.steps(label).silent
    out = Writer()
    out.u8(_SPARSE)
    out.bits(label)
    out.blob(domain.serialise(found.ready))
    out.blob(domain.serialise(generators(domain, found.closed | found.deadlocks, silent)))
    return bytes(out.data)


def unpack(aggregate_builder: AggregateBuilder[S], body: bytes) -> Aggregate[S]:
    """The aggregate again."""
    data = Reader(body)
    domain = aggregate_builder.domain
    if data.u8() == _SPARSE:
        label = data.bits()
        ready, waiting = (domain.deserialise(data.blob()) for _ in range(2))
        return aggregate_builder.regrow(label, ready, waiting)
    known, dead, divergent, *label_bits = data.bits()
    ready, exit_states, deadlocks, frontier = (
        domain.deserialise(body) if body else domain.empty()
        for body in (data.blob() for _ in range(4))
    )
    stuttering = Stuttering(dead, divergent) if known else None
    return Aggregate(tuple(label_bits), ready, exit_states, deadlocks, frontier, stuttering)


def generators(domain: Domain[S], closed: S, steps: tuple[Step, ...]) -> S:
    """A least set of markings from which the steps lead to all of a closed set.

    It is the same for the same set, wherever it is computed: all markings without a predecessor,
    and one for each cycle that nothing else leads to.
    """
    found = closed - domain.image(closed, steps)
    rest = closed - domain.closure(found, steps, closed)
    while rest:
        first = _first(domain, rest, steps)
        found = found | first
        rest = rest - domain.closure(first, steps, closed)
    return found


def _first(domain: Domain[S], states: S, steps: tuple[Step, ...]) -> S:
    """One marking that only those lead to which it leads to itself."""
    here = domain.singleton(domain.pick(states))
    while True:
        after = domain.closure(here, steps, states)
        before = domain.backward_closure(here, steps, states) - after
        if not before:
            return here
        here = domain.singleton(domain.pick(before))
