"""Aggregates as bytes, in both forms, between domains of different processes."""

from __future__ import annotations

from random import Random

import pytest

from mpisog.formulas.properties import Property
from mpisog.sog.aggregate_builder import AggregateBuilder
from mpisog.sog.observation import Observation
from mpisog.spotglue.ltl import bind
from mpisog.symbolic.protocol import of_markings
from mpisog.symbolic.registry import open_domain
from mpisog.team.aggregate_bytes import generators, pack, pack_sparse, unpack
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.generate import random_formula, random_net


def workshops(rng: Random, backend: str) -> tuple[AggregateBuilder, AggregateBuilder]:
    """Two of the same observation, each with sets of its own."""
    net = random_net(rng)
    model = to_mpisog(net)
    bound = bind(Property("random", ltl.text(random_formula(rng, net))), model)
    order = [*range(len(model.places))]
    domains = [open_domain(backend, model, order) for _ in range(2)]
    return tuple(AggregateBuilder(domain, Observation(model, bound.atoms)) for domain in domains)


def entries(aggregate_builder: AggregateBuilder):
    """Some entry sets, from the initial one on."""
    observation, domain = aggregate_builder.observation, aggregate_builder.domain
    known = [(observation.initial_label(), domain.singleton(observation.net.initial))]
    for label, entry in known:  # grows while it is gone through
        yield label, entry
        expansion = aggregate_builder.expand(aggregate_builder.build(label, entry))
        for mode in expansion.modes(observation):
            known += [e for e in expansion.entries(observation, mode) if e not in known]
        if len(known) > 30:
            return


@pytest.mark.parametrize("backend", ["mdd", "bits", "explicit"])
def test_both_forms_are_the_same_aggregate_elsewhere(backend):
    rng = Random(41)
    for _ in range(30):
        here, there = workshops(rng, backend)
        for label, entry in entries(here):
            aggregate = here.build(label, entry)
            packed = pack(here.domain, aggregate)
            sparse = pack_sparse(here, label, entry)
            assert sparse is not None
            for body in (packed, sparse):
                assert pack(there.domain, unpack(there, body)) == packed


@pytest.mark.parametrize("backend", ["mdd", "explicit"])
def test_generators_are_least_and_depend_on_the_set_only(backend):
    rng = Random(42)
    sizes = []
    for _ in range(30):
        here, _ = workshops(rng, backend)
        domain = here.domain
        for label, entry in entries(here):
            steps = here.observation.steps(label).silent
            closed = domain.closure(entry, here.observation.steps(label).free)
            found = generators(domain, closed, steps)
            assert domain.closure(found, steps, closed) == closed
            chosen = list(domain.markings(found))
            for left_out in chosen:
                rest = of_markings(domain, (m for m in chosen if m != left_out))
                assert domain.closure(rest, steps, closed) != closed
            sizes.append((len(chosen), domain.count(closed)))
    assert any(few < many for few, many in sizes)


def test_a_limited_aggregate_has_no_sparse_form():
    rng = Random(43)
    here, _ = workshops(rng, "mdd")
    limited = Observation(here.observation.net, here.observation.atoms, aggregate_nodes=2)
    aggregate_builder = AggregateBuilder(here.domain, limited)
    start = here.domain.singleton(limited.net.initial)
    assert pack_sparse(aggregate_builder, limited.initial_label(), start) is None
