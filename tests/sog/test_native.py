"""The graph in native code against the readable one: aggregates, edges and identities.

Both use the sets of one domain, so that equal sets are the same. Nets and observations are random:
events, deadlocks, divergence, both aggregations, every limit, one thread and several.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from mpisog import _native
from mpisog.budget import Budget
from mpisog.errors import LimitReached
from mpisog.formulas.atoms import OPERATORS, Atom, Comparison, Dead, Fire, Fireable
from mpisog.nets.generators import generate
from mpisog.nets.model import PetriNet
from mpisog.sog.forbidden import choose_forbidden
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.native_graph import NativeGraph
from mpisog.sog.native_labels import NATIVE_BACKENDS as BACKENDS
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.registry import open_domain
from tests.helpers import to_mpisog, toggle, u_then_o
from tests.reference.generate import random_net

SAMPLE = 100
MANY = int(os.environ.get("MPISOG_RANDOM_PAIRS", "5000"))


def random_atom(rng: Random, net: PetriNet) -> Atom:
    places, transitions = range(len(net.places)), range(len(net.transitions))
    kind = rng.random()
    if kind < 0.25:
        return Fire(rng.choice(transitions))
    if kind < 0.35:
        return Dead()
    if kind < 0.55:
        return Fireable(tuple(sorted(rng.sample(transitions, rng.randint(1, len(transitions))))))
    chosen = sorted(rng.sample(places, rng.randint(1, min(3, len(places)))))
    terms = tuple((place, rng.choice([1, 1, 1, 2, -1])) for place in chosen)
    return Comparison(terms, rng.choice(sorted(OPERATORS)), rng.randint(-1, 3))


def random_observation(rng: Random, net: PetriNet) -> Observation:
    atoms = list(dict.fromkeys(random_atom(rng, net) for _ in range(rng.randint(1, 4))))
    if rng.random() < 0.2:
        return Observation(net, atoms, aggregate_markings=rng.choice([1, 2, 3, 5, 20]))
    aggregation = rng.choice(["precise", "precise", "static"])
    plain = Observation(net, atoms, aggregation)
    if rng.random() < 0.5:
        return plain
    forbidden = choose_forbidden(plain, rng.choice([0, 1, 2, 4]))
    return Observation(net, atoms, aggregation, forbidden, rng.choice([None, 0, 2, 5, 9]))


def same_set(found, expected) -> bool:
    return found.id == expected.id if hasattr(expected, "id") else found == expected


class Comparer:
    """Walks both graphs side by side, from the initial aggregates on."""

    def __init__(self, reference: ObservationGraph, native: NativeGraph) -> None:
        self.reference = reference
        self.native = native
        self.pairs: dict[int, int] = {}

    def run(self) -> None:
        todo = [(self.reference.initial(), self.native.initial())]
        while todo:
            here, there = todo.pop()
            if here not in self.pairs:
                self.pairs[here] = there
                todo += self.compare(here, there)
            assert self.pairs[here] == there
        assert len(set(self.pairs.values())) == len(self.pairs)
        self.native.pull.close()
        assert (self.native.size, self.native.edges) == (self.reference.size, self.reference.edges)

    def compare(self, here: int, there: int) -> list[tuple[int, int]]:
        self.compare_aggregates(here, there)
        following = [(WAITING, self.native.targets(there, WAITING))]
        expansion, observation = self.reference.expansion(here), self.reference.observation
        ways = dict(self.native.native.ways(there))
        assert list(ways) == expansion.modes(observation)
        following += [(mode, self.native.targets(there, mode)) for mode in ways if mode]
        found = []
        for mode, targets in following:
            entries = expansion.entries(observation, mode)
            assert [tuple(label) for label, _ in ways[mode]] == [label for label, _ in entries]
            for (_, number), (_, states) in zip(ways[mode], entries, strict=True):
                assert same_set(self.native.native.set(number), states)
            expected = dict.fromkeys(self.reference.targets(here, mode))
            found += zip(expected, targets, strict=True)
        return found

    def compare_aggregates(self, here: int, there: int) -> None:
        expected, native = self.reference.aggregates[here], self.native.native
        label, ready, out, deadlocks, frontier, stuttering, next_entry = native.aggregate(there)
        assert tuple(label) == expected.label == self.native.label(there)
        for number, states in (
            (ready, expected.ready),
            (out, expected.exit_states),
            (deadlocks, expected.deadlocks),
            (frontier, expected.frontier),
        ):
            assert same_set(native.set(number), states)
        assert (next_entry is None) == (expected.next_entry is None)
        assert next_entry is None or same_set(native.set(next_entry), expected.next_entry)
        known = expected.stuttering
        assert stuttering == (None if known is None else (known.dead, known.divergent))
        assert self.native.can_stutter(there) == expected.can_stutter
        assert self.native.ready_events(there) == self.reference.ready_events(here)


WAITING = 0


def compare(rng: Random, threads: int) -> Counter[str]:
    net = to_mpisog(random_net(rng))
    observation = random_observation(rng, net)
    backend, seed = rng.choice(BACKENDS), rng.random()
    domain = open_domain(backend, net)
    both = rng.random() < 0.5

    def asked(label: Label) -> bool:
        return Random(f"{seed} {label}").random() < 0.8

    reference = ObservationGraph(domain, observation)
    reference.aggregate_builder.needs_stuttering = asked
    reference.aggregate_builder.tell_both = both
    native = NativeGraph(domain, observation, tell_both=both)
    native.begin(None, lambda label: (asked(label), False), threads, rng.random() < 0.8)
    Comparer(reference, native).run()
    found = reference.aggregates
    return Counter(
        [
            backend,
            observation.aggregation,
            *["events"] * bool(observation.events),
            *["deadlocks"] * any(bool(a.deadlocks) for a in found),
            *["frontier"] * any(bool(a.frontier) for a in found),
            *["apart"] * any(a.next_entry is not None for a in found),
            *["dead"] * any(a.stuttering is not None and a.stuttering.dead for a in found),
            *["divergent"]
            * any(a.stuttering is not None and a.stuttering.divergent for a in found),
            *["several"] * (len(found) > 2),
        ]
    )


def run(cases: int, seed: int, threads: int) -> None:
    rng = Random(seed)
    found: Counter[str] = Counter()
    for _ in range(cases):
        found += compare(rng, threads)
    kinds = ("mdd", "bits", "precise", "static", "events", "frontier", "dead", "several")
    for kind in kinds:
        assert found[kind] >= cases // 10, (kind, found)
    for kind in ("deadlocks", "divergent", "apart"):
        assert found[kind] >= cases // 30, (kind, found)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_sample_of_random_observations(threads):
    run(SAMPLE, threads, threads)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_many_random_observations(threads):
    run(MANY // 3 + 1, 100 + threads, threads)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_graph_that_is_used_again_for_another_formula(backend, threads):
    net = generate("kanban", 1)
    observation = Observation(net, [Comparison(((0, 1),), ">=", 1), Fire(2)])
    domain = open_domain(backend, net)
    native = NativeGraph(domain, observation)
    for needed in (False, True, False):
        reference = ObservationGraph(domain, observation)
        reference.aggregate_builder.needs_stuttering = lambda label, needed=needed: needed
        native.begin(None, lambda label, needed=needed: (needed, False), threads)
        comparer = Comparer(reference, native)
        todo = [(reference.initial(), native.initial())]
        while todo:
            here, there = todo.pop()
            if here not in comparer.pairs:
                comparer.pairs[here] = there
                todo += comparer.compare(here, there)
            assert comparer.pairs[here] == there


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_ends_it_and_the_domain_stays_usable(backend, threads):
    net = generate("kanban", 2)
    domain = open_domain(backend, net)
    atoms = [Comparison(((place, 1),), ">=", 1) for place in range(4)]
    native = NativeGraph(domain, Observation(net, atoms))
    native.begin(None, threads=threads)
    domain.budget = Budget(0)
    with pytest.raises(LimitReached, match="time limit"):
        explored(native)
    domain.budget = Budget()
    native.begin(None, threads=threads)
    assert explored(native) > 1


def explored(native: NativeGraph) -> int:
    seen, todo = set(), [native.initial()]
    while todo:
        number = todo.pop()
        if number not in seen:
            seen.add(number)
            todo += native.targets(number, WAITING)
    return len(seen)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_what_python_raises_comes_back(threads, monkeypatch):
    net = generate("kanban", 1)
    domain = open_domain("mdd", net)
    native = NativeGraph(domain, Observation(net, [Comparison(((0, 1),), ">=", 1)]))

    def fails(label):
        raise ZeroDivisionError("on purpose")

    native.begin(None, fails, threads)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        native.initial()
    native.begin(None, threads=threads)
    assert explored(native) > 1


def test_threads_end_when_nobody_needs_their_work_any_more():
    net = generate("kanban", 3)
    atoms = [Comparison(((place, 1),), ">=", 1) for place in range(6)]
    native = NativeGraph(open_domain("mdd", net), Observation(net, atoms))
    pull = native.begin(None, threads=4)
    native.targets(native.initial(), WAITING)
    pull.close()
    built = native.size
    assert native.size == built
    assert native.targets(0, WAITING)


@pytest.mark.parametrize("backend", BACKENDS)
def test_memory_is_asked_for_before_a_label_is_described(backend):
    net = generate("kanban", 1)
    native = NativeGraph(open_domain(backend, net), Observation(net, [Dead()]))
    _native.set_memory_limit(1)
    try:
        with pytest.raises(LimitReached, match="memory"):
            native.initial()
    finally:
        _native.set_memory_limit(0)


def test_small_graphs():
    for net, atoms, edges in ((u_then_o(), [Fire(1)], 1), (toggle(), [Dead()], 0)):
        native = NativeGraph(open_domain("bits", net), Observation(net, atoms))
        first = native.initial()
        native.targets(first, WAITING)
        assert (first, native.edges, native.can_stutter(first)) == (0, edges, not edges)
