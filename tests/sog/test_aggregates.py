"""Aggregates of nets small enough to know by heart, on every backend."""

from __future__ import annotations

import pytest

from mpisog.formulas.atoms import Comparison, Dead, Fire
from mpisog.nets.generators import generate
from mpisog.sog.aggregate import parts
from mpisog.sog.forbidden import choose_forbidden
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.observation import Observation
from mpisog.sog.whole import Edge, explore_whole
from mpisog.symbolic.registry import open_domain
from tests.helpers import toggle, u_then_o

FIRST_U, THEN_O = 0, 1
A, B, C = (1, 0, 0), (0, 1, 0), (0, 0, 1)


@pytest.fixture(params=["mdd", "bdd", "bits", "explicit"])
def build(request):
    """A graph of the backend: net, atoms, further arguments of the observation."""

    def made(net, atoms, *arguments, **settings):
        domain = open_domain(request.param, net)
        return ObservationGraph(domain, Observation(net, atoms, *arguments, **settings))

    return made


def markings(graph, states):
    return set(graph.domain.markings(states))


def test_what_can_do_o_at_once_is_apart_from_what_has_waited(build):
    graph = build(u_then_o(), [Fire(THEN_O)])
    first = parts(graph.domain, graph.observation, (), graph.domain.singleton(A))
    assert (markings(graph, first.ready), markings(graph, first.closed)) == (set(), {A, B})
    entered = graph.domain.singleton(B)
    second = parts(graph.domain, graph.observation, (), entered)
    assert (markings(graph, second.ready), markings(graph, second.closed)) == ({B}, set())


def test_the_whole_graph_of_u_then_o(build):
    whole = explore_whole(build(u_then_o(), [Fire(THEN_O)]))
    assert [size.markings for size in whole.sizes] == [2, 1]
    assert whole.edges == (Edge(0, 1, THEN_O, True),)
    assert (whole.dead, whole.divergent) == (1, 0)
    assert whole.graph.edges == 1


def test_an_observed_step_at_once(build):
    whole = explore_whole(build(u_then_o(), [Fire(FIRST_U)]))
    assert whole.edges == (Edge(0, 1, FIRST_U, False),)
    assert [size.markings for size in whole.sizes] == [1, 2]


def test_dead_markings_leave_when_the_formula_sees_them(build):
    whole = explore_whole(build(u_then_o(), [Dead()]))
    assert [a.label for a in whole.aggregates] == [(False,), (True,)]
    assert markings(whole.graph, whole.aggregates[0].deadlocks) == {C}
    assert whole.edges == (Edge(0, 1, None, True),)
    assert [a.can_stutter for a in whole.aggregates] == [False, True]


def test_a_silent_cycle(build):
    whole = explore_whole(build(toggle(), [Dead()]))
    assert (len(whole.aggregates), whole.dead, whole.divergent) == (1, 0, 1)
    seen = explore_whole(build(toggle(), [Comparison(((1, 1),), ">=", 1)]))
    assert (len(seen.aggregates), seen.divergent) == (2, 0)


def test_forbidden_steps_lead_to_an_aggregate_of_the_same_label(build):
    graph = build(u_then_o(), [Dead()], forbidden=frozenset({FIRST_U}))
    whole = explore_whole(graph)
    assert [size.markings for size in whole.sizes] == [1, 1, 1]
    assert markings(graph, whole.aggregates[0].frontier) == {B}
    assert [a.label for a in whole.aggregates] == [(False,), (False,), (True,)]


def test_a_bound_cuts_the_closure_short(build):
    graph = build(u_then_o(), [Fire(THEN_O)], aggregate_nodes=0)
    whole = explore_whole(graph)
    assert [size.markings for size in whole.sizes] == [1, 1, 1]
    assert whole.edges == (Edge(0, 1, None, True), Edge(1, 2, THEN_O, False))


def test_a_cycle_that_is_cut_is_a_cycle_of_aggregates(build):
    whole = explore_whole(build(toggle(), [Dead()], aggregate_nodes=0))
    assert whole.divergent == 0
    assert {(edge.source, edge.target) for edge in whole.edges} == {(0, 1), (1, 0)}


def test_a_forbidden_step_that_stays_inside_is_part_of_a_cycle(build):
    whole = explore_whole(build(toggle(), [Dead()], forbidden=frozenset({1})))
    assert (len(whole.aggregates), whole.divergent, whole.edges) == (1, 1, ())


@pytest.mark.parametrize("aggregation", ["precise", "static"])
def test_limits_make_more_and_smaller_aggregates(build, aggregation):
    net = generate("kanban", 1)
    atoms = [Comparison(((0, 1),), ">=", 1)]
    plain = explore_whole(build(net, atoms, aggregation))
    chosen = choose_forbidden(plain.graph.observation, 4)
    limited = explore_whole(build(net, atoms, aggregation, chosen, aggregate_nodes=30))
    assert len(limited.sizes) > len(plain.sizes)
    largest = max(size.markings for size in plain.sizes)
    assert max(size.markings for size in limited.sizes) < largest
